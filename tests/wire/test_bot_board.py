"""The board: how many calls it costs, whom it mentions and when, and what becomes of old ones."""

from __future__ import annotations

import asyncio

import pytest

from tests.wire import errors
from tests.wire.actors import Person
from tests.wire.table import House, Table, chat, pinged

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def active(table: Table, *people: Person) -> None:
    """Everybody looks at the table just now."""
    for person in people or table.people:
        await person.click(table.board, "t:*:rules")


# --- calls -----------------------------------------------------------------------------------


async def test_a_move_costs_three_calls_with_the_next_hand(house: House) -> None:
    """The press, the board, and the panel that the next one has open; never more."""
    table = await house.table(3)
    for person in table.people:
        await table.hand(person)
    costs: list[list[str]] = []
    for _ in range(3):
        asked, before = table.asked(), table.moves_written()
        while table.moves_written() == before:
            await house.world.quiet(0.1)
            mark = len(house.world.log)
            await table.press_on(asked)
        await house.world.until(lambda m=mark: house.world.calls("*", "^/channels/", since=m))
        await house.world.quiet(0.2)
        costs.append([f"{c.method} {c.path.split('/')[1]}" for c in house.world.log[mark:]])
    for cost in [cost for cost in costs if "POST channels" not in cost]:
        # A round that ends is news, and comes as a message of its own.
        assert cost.count("PATCH channels") == 1, cost
        assert cost.count("POST interactions") == 1, cost
        assert len(cost) <= 3 or cost.count("PATCH webhooks") <= 2, cost


async def test_a_move_costs_two_calls_without_open_hands(house: House) -> None:
    table = await house.table(3)
    asked = table.asked()
    await table.hand(asked)
    before = table.moves_written()
    while table.moves_written() == before:
        mark = len(house.world.log)
        await table.press_on(asked)
        await house.world.quiet(0.1)
    await house.world.until(lambda: len(house.world.log) - mark >= 2)
    await house.world.quiet()
    assert len(house.world.log) - mark == 2


async def test_a_burst_of_twelve_is_a_few_edits(house: House) -> None:
    """People come and go at the same moment; Discord takes its usual time for an edit."""
    table = await house.lobby(1)
    guild = table.guild
    twelve = [house.world.person(f"Late{n}", guild) for n in range(12)]
    house.world.rate_limits = True
    house.world.fault("PATCH", r"/messages/", delay=0.15, times=50)
    mark = len(house.world.log)
    await asyncio.gather(*(p.click(table.board, "t:*:join") for p in twelve))
    seated = [p for p in twelve if p.id in {s["user_id"] for s in table.seats()}]
    await asyncio.gather(*(p.click(table.board, "t:*:leave") for p in seated))
    await house.world.quiet()
    edits = house.world.calls("PATCH", f"/channels/{table.channel.id}/messages/", since=mark)
    assert len(edits) <= 5
    assert not [c for c in edits if c.status == 429]
    assert "Late" not in table.board.text


async def test_after_a_429_of_five_seconds_the_newest_state_stands(house: House) -> None:
    """Moves and hands go on meanwhile; one edit at most is stale."""
    table = await house.table(4)
    await asyncio.gather(*(table.hand(p) for p in table.people))
    house.world.fault("PATCH", rf"/channels/{table.channel.id}/", errors.too_many_requests(2.5))
    mark = len(house.world.log)
    for _ in range(3):
        await table.move()
    edits = house.world.calls("PATCH", f"/channels/{table.channel.id}/", since=mark)
    assert len(edits) == 1
    asked = table.asked()
    await house.world.until(
        lambda: (
            f"{asked.user['global_name']}**'s turn" in table.board.text
            or f"**{asked.user['global_name']}**: give" in table.board.text
        )
    )
    after = house.world.calls("PATCH", f"/channels/{table.channel.id}/", since=mark)
    assert len(after) <= 3


async def test_errors_of_discord_are_not_the_last_word(house: House) -> None:
    """502 and broken connections: the board comes right by itself."""
    for refusal, drop, after in (
        (errors.server_error(502), False, False),
        (None, True, False),
        (None, True, True),
    ):
        table = await house.table(3)
        await active(table)
        fault = house.world.fault(
            "PATCH", rf"/channels/{table.channel.id}/", refusal, drop=drop, after=after
        )
        await table.move()
        name = table.asked().user["global_name"]
        await house.world.until(lambda: fault.hits, 5)  # noqa: B023
        await house.world.until(lambda: f"▶ **{name}" in table.board.text, 6)  # noqa: B023
        assert len(table.boards) == 1


async def test_a_send_that_was_cut_off_leaves_one_board(house: House) -> None:
    """The message arrived, its answer did not: the one that nobody knows is removed."""
    table = await house.table(2)
    path = rf"/channels/{table.channel.id}/messages$"
    fault = house.world.fault("POST", path, drop=True, after=True)
    await chat(table, table.host)
    await table.host.slash(table.channel, "fix626 table")
    await house.world.until(lambda: fault.hits and not house.world.under_way)
    await house.world.until(lambda: len(house.world.calls("POST", path)) >= 4, 6)
    await house.world.quiet(0.4)
    assert len(table.boards) == 1
    assert table.board.id == table.row()["board_id"]


# --- being noticed ---------------------------------------------------------------------------


async def test_while_people_are_active_the_board_is_edited_in_place(house: House) -> None:
    table = await house.table(2)
    board = table.board.id
    await active(table)
    for _ in range(3):
        await table.move()
        await house.world.quiet(0.1)
        if any("wins" in m.text for m in table.channel.messages):
            break
        assert table.board.id == board
    assert pinged(table.channel) == []


async def test_who_was_idle_for_a_minute_is_mentioned_once_and_alone(house: House) -> None:
    table = await house.table(3)
    first = table.asked()
    await active(table)
    house.bot.advance(61)
    await table.move()
    asked = table.asked()
    await house.world.until(lambda: asked.id in pinged(table.channel) and len(table.boards) == 1)
    house.bot.advance(30)
    await table.host.slash(table.channel, "fix626 table")
    await house.world.quiet()
    assert set(pinged(table.channel)) <= {first.id, asked.id}  # the first one was idle as well
    assert pinged(table.channel).count(asked.id) == 1
    assert len(table.boards) == 1


async def test_a_board_that_scrolled_away_comes_back_at_the_bottom(house: House) -> None:
    table = await house.table(2)
    await active(table)
    old = table.board.id
    await chat(table, table.host)
    await table.move()
    asked = table.asked()
    await house.world.until(lambda: table.board.id != old and len(table.boards) == 1)
    assert table.channel.messages[-1].id == table.board.id
    assert pinged(table.channel) == [asked.id]
    for _ in range(3):  # the same question, more talk: nobody is mentioned again
        await chat(table, table.host)
        await active(table)
    await house.world.quiet()
    assert pinged(table.channel) == [asked.id]


async def test_with_mentions_off_nobody_is_mentioned(house: House) -> None:
    table = await house.table(2)
    for person in table.people:
        menu = await person.click(table.board, "t:*:more")
        await person.click(menu.message, "t:*:pings")
    house.bot.advance(61)
    await table.move()
    await chat(table, table.host)
    await table.move()
    await house.world.until(lambda: table.channel.messages[-1].id == table.board.id)
    house.bot.advance(200)  # the reminder
    await house.world.quiet(0.3)
    assert pinged(table.channel) == []
    assert len(table.boards) == 1


async def test_one_mention_and_one_reminder_a_question(house: House) -> None:
    """A minute idle: mentioned. At half of the time: reminded. Nothing else, whatever happens."""
    table = await house.table(2)
    channel = table.channel
    house.bot.advance(61)
    await table.move()
    asked = table.asked()

    def told() -> int:
        return pinged(channel).count(asked.id)

    await house.world.until(lambda: told() == 1)
    house.bot.advance(85)
    await house.world.quiet(0.3)
    assert told() == 1
    house.bot.advance(70)
    await house.world.until(lambda: told() == 2)
    (other,) = table.others()
    menu = await other.click(table.board, "t:*:more")
    done = await other.click(menu.message, "t:*:remind")
    assert "reminded already" in done.text
    await chat(table, other)
    await table.host.slash(channel, "fix626 table")
    await house.world.quiet(0.3)
    assert told() == 2
    assert len(table.boards) == 1


async def test_who_turned_away_after_the_question_is_mentioned_later(house: House) -> None:
    """Also without a clock, when there is no reminder."""
    table = await house.table(2, clock=0)
    await active(table)
    await table.move()
    asked = table.asked()
    await house.world.quiet()
    assert pinged(table.channel) == []
    house.bot.advance(130)
    await house.world.until(lambda: pinged(table.channel) == [asked.id])
    house.bot.advance(3000)
    await house.world.quiet(0.4)
    assert pinged(table.channel) == [asked.id]


async def test_an_hour_old_board_is_sent_anew(house: House) -> None:
    table = await house.table(2, clock=86_400)
    await active(table)
    old = table.board.id
    house.bot.advance(3601)
    await active(table)
    await table.move()
    await house.world.until(lambda: table.board.id != old and len(table.boards) == 1)


async def test_discord_wants_no_more_edits_of_an_old_message(house: House) -> None:
    table = await house.table(3)
    await active(table)
    old = table.board.id
    path = rf"/channels/{table.channel.id}/messages/"
    house.world.fault("PATCH", path, errors.too_many_old_edits(), times=9)
    await table.move()
    await house.world.until(lambda: table.board.id != old and len(table.boards) == 1, 9)


# --- deleted boards --------------------------------------------------------------------------


async def test_a_deleted_board_comes_back(house: House) -> None:
    table = await house.table(2)
    old = table.board
    await table.channel.delete_message(old)
    await house.world.until(lambda: table.boards and table.board.id != old.id)
    await house.world.quiet()
    assert len(table.boards) == 1
    await table.move()


async def test_a_purged_channel_gets_one_board_again(house: House) -> None:
    table = await house.table(2)
    for _ in range(5):
        await chat(table, table.host)
    await table.channel.purge()
    await house.world.until(lambda: table.boards)
    await house.world.quiet()
    assert len(table.channel.messages) == 1
    await table.move()


async def test_a_board_deleted_just_while_it_is_edited(house: House) -> None:
    table = await house.table(3)
    await active(table)
    path = rf"/channels/{table.channel.id}/messages/"
    house.world.fault("PATCH", path, delay=0.3)
    await table.move()
    await table.channel.delete_message(table.board)
    await house.world.until(lambda: table.boards)
    await house.world.quiet()
    assert len(table.boards) == 1
    assert table.board.id == table.row()["board_id"]


# --- live hands ------------------------------------------------------------------------------


async def test_an_open_hand_is_refreshed_when_its_owner_is_asked(house: House) -> None:
    table = await house.table(2)
    (other,) = table.others()
    panel = await table.hand(other)
    before = panel.text
    await table.move()
    if table.asked() != other:
        await table.move()
    await house.world.until(lambda: panel.text != before)
    await table.move(other)


async def test_a_hand_whose_token_died_costs_nothing(house: House) -> None:
    """Sixteen minutes later: no call for it, the board opens a new one, the old one is refused."""
    table = await house.table(2, clock=86_400)
    (other,) = table.others()
    stale = await table.hand(other)
    text = stale.text
    await house.world.quiet(0.1)
    house.bot.advance(16 * 60)
    mark = len(house.world.log)
    await table.move()
    await house.world.quiet()
    assert not house.world.calls("PATCH", "/webhooks/", since=mark)
    assert stale.text == text
    panel = await table.hand(other)
    assert panel.text != text
    before = table.secrets()
    done = await other.forge(stale, f"t:{table.id}:0:do:0")
    assert done.ephemeral
    assert table.secrets() == before


async def test_a_dismissed_hand_costs_one_call(house: House) -> None:
    table = await house.table(2)
    (other,) = table.others()
    panel = await table.hand(other)
    other.dismiss(panel)
    house.world.messages.pop(panel.id)
    mark = len(house.world.log)
    while table.asked() != other:  # somebody may have two turns
        await table.move()
    await house.world.until(lambda: house.world.calls("PATCH", "/webhooks/", since=mark))
    await house.world.quiet()
    assert len(house.world.calls("PATCH", "/webhooks/", since=mark)) == 1
