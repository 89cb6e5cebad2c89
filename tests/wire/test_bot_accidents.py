"""Two things at one moment, stale panels, and Discord failing in the middle of something."""

from __future__ import annotations

import asyncio

import pytest

from tests.wire import errors
from tests.wire.actors import Person
from tests.wire.messages import Message
from tests.wire.table import House, Table, chat, locked, offered, pinged, revealed

pytestmark = pytest.mark.asyncio(loop_scope="session")

SORRY = "nothing has changed"


def name(person: Person) -> str:
    return str(person.user["global_name"])


async def more(table: Table, person: Person) -> Message:
    return (await person.click(table.board, "t:*:more")).message


async def up_to_date(table: Table) -> None:
    """One board, the one that is noted, and it asks whom the rules ask."""
    await table.world.until(lambda: len(table.boards) == 1, why="not one board")
    await table.world.until(lambda: table.board.id == table.row()["board_id"])
    if table.stage == "playing" and table.waits():
        await table.world.until(lambda: name(table.asked()) in table.board.text)


# --- the lobby -------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["deleted", "purged"])
async def test_the_board_of_a_lobby_is_lost(house: House, how: str) -> None:
    table = await house.lobby(2)
    late, old = house.world.person("Late", table.guild), table.board
    await (table.channel.delete_message(old) if how == "deleted" else table.channel.purge())
    await house.world.until(lambda: table.boards)
    await up_to_date(table)
    await late.forge(old, f"t:{table.id}:0:join")  # a press that was under way
    await house.world.until(lambda: "Late" in table.board.text)
    await table.begin()


async def test_a_host_who_got_up_manages_nothing_with_an_old_panel(house: House) -> None:
    table = await house.lobby(3)
    ann, bob, carol = table.people
    panel = (await ann.click(table.board, "t:*:opts")).message
    levels = (await ann.click(table.board, "t:*:add")).message
    await ann.click(table.board, "t:*:leave")
    kept = table.row(), table.seats()
    for one in (panel, levels):
        for part in [p for p in one.parts if "options" in p]:
            value = part["options"][-1]["value"]
            done = await ann.forge(one, part["custom_id"], [value])
            assert "Bob" in done.text or "host" in done.text, part["custom_id"]
    await ann.forge(table.board, f"t:{table.id}:0:begin")
    seats = table.seats()
    assert (table.row()["options"], table.row()["clock"]) == (kept[0]["options"], kept[0]["clock"])
    assert (seats, table.row()["host_id"]) == (kept[1], bob.id)
    assert [s["user_id"] for s in seats] == [bob.id, carol.id]


async def test_an_old_menu_takes_nobody_else_off_the_table(house: House) -> None:
    """Rows of a lobby move up; who was meant is meant, wherever they sit by now."""
    table = await house.lobby(4)
    ann, bob, carol, dan = table.people
    first, second = [(await ann.click(table.board, "t:*:opts")).message for _ in range(2)]
    await bob.click(table.board, "t:*:leave")
    await ann.select(first, "s:*:kick", [name(carol)])
    assert [s["user_id"] for s in table.seats()] == [ann.id, dan.id]
    await ann.select(second, "s:*:kick", [name(carol)])
    assert [s["user_id"] for s in table.seats()] == [ann.id, dan.id]


async def test_begin_twice_while_others_come_and_go(house: House) -> None:
    """One deal, for exactly those who sat there."""
    table = await house.lobby(3)
    board, late = table.board, house.world.person("Late", table.guild)
    host, bob, carol = table.people
    await asyncio.gather(
        host.click(board, "t:*:begin", deliveries=2),
        late.click(board, "t:*:join"),
        host.click(board, "t:*:begin"),
        carol.click(board, "t:*:leave"),
        bob.click(board, "t:*:rules"),
    )
    await house.world.quiet()
    assert table.stage == "playing"
    assert table.match()["seats"] == len(table.seats())
    table.people.append(late)
    await up_to_date(table)
    await table.move()


async def test_the_host_begins_and_gets_up_at_one_moment(house: House) -> None:
    table = await house.lobby(3)
    board = table.board
    await asyncio.gather(
        table.host.click(board, "t:*:begin"), table.host.click(board, "t:*:leave", deliveries=2)
    )
    await house.world.quiet()
    seats = {s["user_id"]: s["presence"] for s in table.seats()}
    assert seats.get(table.row()["host_id"]) == "here"
    assert table.stage in ("lobby", "playing")


async def test_many_computers_at_one_moment(house: House) -> None:
    """Exactly as many as fit, and no two look the same."""
    table = await house.lobby(2)
    panels = [(await table.host.click(table.board, "t:*:add")).message for _ in range(5)]
    await asyncio.gather(*(table.host.select(p, "s:*:add*", ["1"]) for p in panels))
    await house.world.quiet()
    assert len(table.seats()) == 5
    rows = [line for line in table.board.text.splitlines() if line[:2] in ("3.", "4.", "5.")]
    assert len({line[3:] for line in rows}) == 3


# --- seats -----------------------------------------------------------------------------------


async def test_two_take_one_seat_and_its_person_comes_back(house: House) -> None:
    """One of the three has it; the others are told why not."""
    table = await house.table(3)
    gone = next(p for p in table.people if p != table.host)
    panel = await table.hand(gone)
    await gone.slash(table.channel, "fix626 leave")
    eve, finn = [house.world.person(n, table.guild) for n in ("Eve", "Finn")]
    menus = {p: await more(table, p) for p in (eve, finn)}
    back = await more(table, gone)
    await asyncio.gather(
        *(p.select(menu, "s:*:sit", [name(gone)]) for p, menu in menus.items()),
        gone.click(back, "t:*:back"),
    )
    owners = [s["user_id"] for s in table.seats()]
    assert len({gone.id, eve.id, finn.id} & set(owners)) == 1
    assert all(s["presence"] == "here" for s in table.seats())
    before = table.secrets()
    for person in {gone, eve, finn}:
        if person.id not in owners:
            done = await person.forge(panel, f"t:{table.id}:{table.seq}:do:0")
            assert done.ephemeral
            assert not offered(done.message)
    assert table.secrets() == before


async def test_somebody_is_removed_while_they_are_asked(house: House) -> None:
    """Their open panel makes no move any more, whatever it offered."""
    table = await house.table(3)
    gone = table.asked()
    if gone == table.host:
        await table.move()
        await house.world.until(lambda: table.asked() != table.host)
        gone = table.asked()
    panel = await table.hand(gone)
    parts, moves = offered(panel), table.moves_written()
    remove = table.host.forge(table.board, f"t:{table.id}:0:kicksure:{gone.id}")
    presses = [
        gone.forge(panel, p["custom_id"], ["0"] if "options" in p else None, deliveries=2)
        for p in parts
    ]
    await asyncio.gather(remove, *presses)
    await house.world.until(lambda: table.moves_written() > moves)
    assert table.seat(gone)["presence"] == "removed"
    await house.world.quiet()
    before = table.secrets()
    for part in parts:
        await gone.forge(panel, part["custom_id"], ["0"] if "options" in part else None)
    assert table.secrets() == before
    table.people.remove(gone)
    await table.move()


async def test_a_seat_changes_hands_while_its_panel_waits_to_be_redrawn(house: House) -> None:
    """Whose seat it was is shown no hand of the new owner."""
    table = await house.table(2)
    asked, (other,) = table.asked(), table.others()
    panel = await table.hand(other)
    shown = panel.text
    house.world.fault("PATCH", rf"/channels/{table.channel.id}/", delay=1.0)
    await table.host.slash(table.channel, "fix626 table")
    await other.slash(table.channel, "fix626 leave")
    eve = house.world.person("Eve", table.guild)
    await eve.select(await more(table, eve), "s:*:sit", [name(other)])
    await table.move(asked)
    await house.world.quiet()
    assert panel.text == shown


async def test_two_remind_at_one_moment(house: House) -> None:
    table = await house.table(3)
    menus = {p: await more(table, p) for p in table.others()}
    await asyncio.gather(*(p.click(m, "t:*:remind", deliveries=2) for p, m in menus.items()))
    await house.world.until(lambda: pinged(table.channel))
    await house.world.quiet()
    assert pinged(table.channel) == [table.asked().id]


async def test_one_person_at_two_tables(house: House) -> None:
    """Asleep at one, playing at the other; neither disturbs the other."""
    one = await house.table(2, clock=60)
    second = one.guild.channel("second")
    await house.world.emit("CHANNEL_CREATE", second.data, one.guild)
    two = Table(house.bot, second, one.people, "mischief")
    two.people.append(house.world.person("Carol", one.guild))
    await two.start(clock=0)
    await two.join()
    await two.begin()
    for person in two.people:
        await two.move(person)
    sleeper = one.asked()
    before = one.moves_written()
    house.bot.advance(31)
    await house.world.until(lambda: one.row()["reminded"])
    house.bot.advance(31)
    await house.world.until(lambda: one.moves_written() > before)
    assert one.seat(sleeper)["missed"] == 1
    assert two.seat(sleeper)["missed"] == 0
    assert len(revealed(two)) == 1


# --- saving ----------------------------------------------------------------------------------


async def nearly_answered(house: House) -> tuple[Table, Person]:
    """Half of the time is over, and one answer is missing; its panel is open."""
    table = await house.table(3, "mischief", clock=60)
    *others, late = table.people
    for person in others:
        await table.move(person)
    await table.hand(late)
    house.bot.advance(31)
    await house.world.until(lambda: table.row()["reminded"])
    return table, late


async def test_the_time_is_up_while_the_answer_is_being_saved(house: House) -> None:
    """The person was in time: their answer counts, and it is not missed."""
    table, late = await nearly_answered(house)
    async with locked(table):
        press = asyncio.create_task(table.press_on(late))
        await asyncio.sleep(0.1)
        house.bot.advance(30)
        await press  # acknowledged, not yet saved
        assert table.moves_written() == 2
    await house.world.until(lambda: revealed(table))
    await house.world.quiet()
    assert [e["automatic"] for e in table.entries()] == [0, 0, 0]
    assert not any(s["missed"] for s in table.seats())


async def test_the_time_is_up_and_the_answer_can_not_be_saved(house: House) -> None:
    """Whoever answered is told; the table goes on as if they had not."""
    table, late = await nearly_answered(house)
    async with locked(table):
        done = await table.press_on(late)
        house.bot.advance(30)
        await house.world.until(lambda: SORRY in done.text)
    await house.world.until(lambda: revealed(table))
    assert [e["automatic"] for e in table.entries()] == [0, 0, 1]


async def test_a_thread_whose_table_can_not_be_saved_is_put_away(house: House) -> None:
    channel = await house.place()
    (ann,) = house.people(channel, 1)
    async with locked(house):
        done = await ann.slash(channel, "fix626 start", {"thread": True})
        await house.world.until(lambda: SORRY in done.text)
    await house.world.until(lambda: channel.threads and all(t.archived for t in channel.threads))
    again = Table(house.bot, channel, [ann])
    await again.start()


async def test_a_board_whose_place_can_not_be_saved(house: House) -> None:
    """It is taken away again, and comes when the database can be written."""
    channel = await house.place()
    table = Table(house.bot, channel, house.people(channel, 2))
    fault = house.world.fault("POST", rf"/channels/{channel.id}/messages$", delay=0.3)
    await table.host.slash(channel, "fix626 start")
    await house.world.until(lambda: fault.hits)
    async with locked(house):
        await house.world.until(lambda: house.world.calls("DELETE", f"/{channel.id}/"), 4)
    house.bot.advance(61)
    await house.world.until(lambda: table.boards)
    await up_to_date(table)
    await table.join()


async def test_a_place_goes_while_an_answer_is_being_saved(house: House) -> None:
    """The channel is deleted, or the bot removed: the table closes, nothing crashes."""
    gone, removed = [await house.table(2) for _ in range(2)]
    menus = {table.host: await more(table, table.host) for table in (gone, removed)}
    async with locked(house):
        presses = [asyncio.create_task(p.click(m, "t:*:auto")) for p, m in menus.items()]
        await asyncio.sleep(0.1)
        await gone.channel.delete()
        await removed.guild.remove_bot()
        await asyncio.gather(*presses)
    for table in (gone, removed):
        await house.world.until(lambda t=table: t.stage == "closed" and t.row()["settled"])


async def test_a_rematch_that_can_not_be_saved_can_be_asked_for_again(house: House) -> None:
    table = await house.table(3, "mischief")
    await table.play()
    await house.world.until(lambda: "Rematch" in table.board.labels)
    over, old = table.id, table.board
    async with locked(house):
        both = [asyncio.create_task(p.click(old, "Rematch")) for p in table.people]
        done = await asyncio.gather(*both)
        await house.world.until(lambda: all(SORRY in i.text for i in done))
    both = [p.forge(old, f"t:{over}:0:again", deliveries=2) for p in table.people]
    await asyncio.gather(*both)
    await house.world.until(lambda: "Begin" in table.board.labels)
    assert len(table.rows("SELECT id FROM tables WHERE follows = ?", over)) == 1
    stale = await table.host.forge(old, f"t:{over}:1:do:0")
    assert "ended" in stale.text


# --- Discord ---------------------------------------------------------------------------------


async def test_a_hand_that_discord_holds_up_holds_up_no_board(house: House) -> None:
    """429, or errors that are tried again for half a minute: that is one person's panel."""
    table = await house.table(2)
    asked, (other,) = table.asked(), table.others()
    await table.hand(other)
    await table.hand(asked)
    house.world.fault("PATCH", "/webhooks/", errors.too_many_requests(4))
    await table.move(asked)
    await house.world.until(lambda: table.waits())
    table.panels.pop(table.asked(), None)
    await table.move()
    await house.world.until(lambda: f"▶ **{name(table.asked())}" in table.board.text, 2)


async def test_everything_is_limited_for_a_while(house: House) -> None:
    """Answers to presses do not count against the global limit: they come in time."""
    table = await house.table(2)
    refusal = errors.too_many_requests(3, everywhere=True)
    fault = house.world.fault("PATCH", rf"/channels/{table.channel.id}/", refusal)
    await table.move()
    await house.world.until(lambda: fault.hits)
    done = await asyncio.gather(*(p.click(table.board, "t:*:rules") for p in table.people))
    assert all(i.ack_ms < 1500 for i in done)
    await house.world.until(lambda: f"▶ **{name(table.asked())}" in table.board.text)


@pytest.mark.parametrize("how", ["cut off", "failed"])
async def test_the_old_board_can_not_be_removed(house: House, how: str) -> None:
    """The connection breaks just then, or Discord has a bad moment: one board in the end."""
    table = await house.table(2)
    refusal = errors.server_error(503) if how == "failed" else None
    path = rf"/channels/{table.channel.id}/messages/"
    fault = house.world.fault("DELETE", path, refusal, drop=refusal is None)
    await chat(table, table.host)
    await table.host.slash(table.channel, "fix626 table")
    await house.world.until(lambda: fault.hits)
    house.bot.advance(61)
    await up_to_date(table)


async def test_a_board_that_arrived_although_discord_said_it_failed(house: House) -> None:
    """502 after the message was made: it is known by its nonce, and there is no second one."""
    channel = await house.place()
    table = Table(house.bot, channel, house.people(channel, 2))
    path = rf"/channels/{channel.id}/messages$"
    fault = house.world.fault("POST", path, errors.server_error(502), after=True)
    await table.start()
    await house.world.until(lambda: fault.hits and len(house.world.calls("POST", path)) > 1)
    await up_to_date(table)
    assert len(channel.messages) == 1


async def test_all_last_answers_are_refused_by_discord(house: House) -> None:
    """10062 for everybody: the round is resolved all the same, and on the board."""
    table = await house.table(3, "mischief")
    for person in table.people:
        await table.hand(person)
    house.unanswered = True
    house.world.fault("POST", "/callback", errors.unknown_interaction(), times=3)
    await asyncio.gather(*(table.press_on(p, wait=False) for p in table.people))
    await house.world.until(lambda: revealed(table))
    await house.world.until(lambda: "Round 2" in table.board.text)
    table.panels.clear()
    await table.move()


async def test_a_table_that_is_opened_in_an_outage(house: House) -> None:
    channel = await house.place()
    table = Table(house.bot, channel, house.people(channel, 2))
    assert channel.guild is not None
    await channel.guild.outage()
    done = await table.host.slash(channel, "fix626 start")
    await channel.guild.recover()
    if "open in" not in done.text:
        await table.host.slash(channel, "fix626 start")
    await house.world.until(lambda: table.boards)
    await up_to_date(table)
    await table.join()


async def test_ready_again_while_boards_are_under_way(house: House) -> None:
    """No table gets a second board; one whose server the bot was removed from meanwhile closes."""
    table, lobby, removed = await house.table(2), await house.lobby(2), await house.table(2)
    for one in (table, lobby):
        house.world.fault("POST", rf"/channels/{one.channel.id}/messages$", delay=0.5)
        await chat(one, one.host)
        await one.host.slash(one.channel, "fix626 table")
    removed.guild.present = False  # and the bot does not hear of it
    del removed.guild.members[house.world.app_id]
    seen = house.world.gateway.identified
    await house.world.gateway.forget_sessions()
    await house.world.until(lambda: house.world.gateway.identified > seen, 12)
    for one in (table, lobby):
        await up_to_date(one)
    await house.world.until(lambda: removed.stage == "closed" and removed.row()["settled"])
    await table.move()


async def test_a_locked_thread_just_when_the_game_begins(house: House) -> None:
    table = await house.lobby(2, thread=True)
    lobby = table.board
    await table.channel.lock()
    await table.host.click(lobby, "t:*:begin")
    await house.world.until(lambda: table.stage == "playing")
    done = await table.asked().slash(table.channel, "fix626 hand")
    assert "locked" in done.text
    await table.channel.reopen()
    await house.world.until(lambda: "My hand" in table.board.labels)
    await up_to_date(table)


async def test_a_server_with_more_tables_than_a_list_holds(house: House) -> None:
    channel = await house.place()
    assert channel.guild is not None
    (ann,) = house.people(channel, 1)
    mod = house.world.person("Mod", channel.guild)
    await channel.guild.grant(mod, "MANAGE_MESSAGES")
    for n in range(22):
        place = channel.guild.channel(f"t{n}")
        await house.world.emit("CHANNEL_CREATE", place.data, channel.guild)
        await ann.slash(place, "fix626 start")
    done = await mod.slash(channel, "tables list")
    assert done.text.count("waiting to begin") == 20
    assert "2 more" in done.text
