"""People who sleep, leave, are removed or ended; hosts and moderators; clocks and deadlines."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from tests.wire import errors
from tests.wire.actors import Person
from tests.wire.table import House, Table, chat, last, moderator, offered, pinged

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def leave(table: Table, person: Person) -> None:
    menu = await person.click(table.board, "t:*:more")
    sure = await person.click(menu.message, "t:*:quit")
    await person.click(sure.message, "t:*:quitsure")


async def test_who_never_acts_is_reminded_played_for_and_away_at_last(house: House) -> None:
    table = await house.table(2, clock=60)
    sleeper = table.asked()
    (other,) = table.others()
    for _ in range(8):
        if table.seat(sleeper)["presence"] == "away":
            break
        if table.asked() == sleeper:
            before = table.moves_written()
            house.bot.advance(31)
            await house.world.until(lambda: table.row()["reminded"])
            house.bot.advance(31)
            await house.world.until(lambda n=before: table.moves_written() > n)
        else:
            await table.move(other)
    assert table.seat(sleeper)["presence"] == "away"
    automatic = [e for e in table.entries() if e["automatic"]]
    assert len(automatic) >= 2
    await table.move(other)
    await house.world.until(table.waits)  # an away seat is played at once
    await house.world.until(lambda: "away" in table.board.text)
    await sleeper.click(table.board, "t:*:hand")
    assert table.seat(sleeper)["presence"] == "here"


async def test_the_last_one_waited_for_leaves(house: House) -> None:
    """Nobody waits for the clock: the seat is played at once, and its person may return."""
    table = await house.table(3)
    gone = table.asked()
    await leave(table, gone)
    await house.world.until(lambda: table.moves_written() >= 1)
    assert table.seat(gone)["presence"] == "left"
    await house.world.until(table.waits)
    assert table.asked() != gone
    menu = await gone.click(table.board, "t:*:more")
    await gone.click(menu.message, "t:*:back")
    assert table.seat(gone)["presence"] == "here"


async def test_the_host_leaves_the_lobby_and_the_game(house: House) -> None:
    table = await house.lobby(3)
    ann, bob, carol = table.people
    await ann.click(table.board, "t:*:leave")
    await house.world.until(lambda: "**Bob** · host" in table.board.text)
    refused = await carol.click(table.board, "t:*:begin")
    assert "Bob" in refused.text
    await carol.click(table.board, "t:*:leave")
    await ann.click(table.board, "t:*:join")
    await bob.click(table.board, "t:*:begin")
    await house.world.until(lambda: "My hand" in table.board.labels)
    await leave(table, bob)
    assert table.row()["host_id"] == ann.id
    menu = await ann.click(table.board, "t:*:more")
    assert "End the table" in menu.message.labels


async def test_everybody_leaves_one_after_the_other(house: House) -> None:
    table = await house.table(3)
    for person in table.people:
        await leave(table, person)
    await house.world.until(lambda: table.stage != "playing")
    await house.world.until(lambda: "closed" in table.board.text or "Rematch" in table.board.text)
    again = Table(house.bot, table.channel, table.people)
    await again.host.slash(again.channel, "fix626 start")
    await house.world.until(lambda: "Join" in again.board.labels)


async def test_everybody_gets_up_in_the_lobby(house: House) -> None:
    table = await house.lobby(3)
    board = table.board
    await asyncio.gather(*(p.click(board, "t:*:leave") for p in table.people))
    await house.world.until(lambda: table.stage == "closed")
    await house.world.until(lambda: "closed" in table.channel.messages[-1].text)
    assert not table.channel.messages[-1].custom_ids
    await table.start()


async def test_a_forgotten_lobby_closes(house: House) -> None:
    table = await house.lobby(2)
    old = table.board
    house.bot.advance(31 * 60)
    await house.world.until(lambda: table.stage == "closed")
    await house.world.until(lambda: "half an hour" in table.channel.messages[-1].text)
    assert not table.channel.messages[-1].custom_ids
    refused = await table.host.forge(old, f"t:{table.id}:0:join")
    assert "ended" in refused.text
    await table.start()


async def test_a_game_without_people_pauses_and_closes_after_a_day(house: House) -> None:
    table = await house.table(2)
    for person in table.people:
        menu = await person.click(table.board, "t:*:more")
        await person.click(menu.message, "t:*:auto")
    moves = table.moves_written()
    await house.world.until(lambda: "Everybody is away" in table.board.text)
    house.bot.advance(23 * 3600)
    await house.world.quiet(0.3)
    assert (table.stage, table.moves_written()) == ("playing", moves)
    house.bot.advance(2 * 3600)
    await house.world.until(lambda: table.stage == "closed")


@pytest.mark.parametrize("stage", ["lobby", "playing"])
async def test_a_moderator_ends_a_table_and_nobody_else(house: House, stage: str) -> None:
    table = await (house.lobby if stage == "lobby" else house.table)(3)
    stranger, mod = house.world.person("Mallory", table.guild), await moderator(table)
    for person in (stranger, table.people[1]):
        done = await person.forge(table.board, f"t:{table.id}:0:endsure")
        assert "host and moderators" in done.text
    ended = await mod.slash(table.channel, "tables end")
    assert "closed" in ended.text
    await house.world.until(lambda: table.stage == "closed")
    await house.world.until(lambda: "moderator" in table.channel.messages[-1].text)
    for person in table.people:
        done = await person.forge(table.channel.messages[-1], f"t:{table.id}:0:do:0")
        assert "ended" in done.text
    await table.start()


async def test_a_moderator_ends_a_table_while_a_move_is_made(house: House) -> None:
    table = await house.table(2)
    mod, asked = await moderator(table), table.asked()
    await table.hand(asked)
    part = offered(table.panels[asked])[0]
    values = None if "options" not in part else [part["options"][0]["value"]]
    await asyncio.gather(
        mod.slash(table.channel, "tables end"),
        asked.forge(table.panels[asked], part["custom_id"], values),
    )
    await house.world.until(lambda: table.stage == "closed")


async def test_a_removed_player_is_played_for_and_may_not_return(house: House) -> None:
    table = await house.table(3)
    gone = table.asked() if table.asked() != table.host else table.others()[0]
    menu = await table.host.click(table.board, "t:*:more")
    sure = await table.host.select(menu.message, "s:*:kick", [gone.user["global_name"]])
    assert table.seat(gone)["presence"] == "here", "removed before anybody was sure"
    await table.host.click(sure.message, f"t:{table.id}:0:kicksure:{gone.id}")
    assert table.seat(gone)["presence"] == "removed"
    done = await gone.forge(table.board, f"t:{table.id}:0:back")
    assert done.text
    assert table.seat(gone)["presence"] == "removed"
    for _ in range(3):
        await table.move()


async def noticed(table: Table, gone: Person) -> None:
    """The board says that somebody left, the computer plays on, and nobody pinged them."""
    name = gone.user["global_name"]
    await table.world.until(lambda: f"**{name}** left" in table.board.text)
    await table.world.until(lambda: all(s["user_id"] != gone.id for s in table.pending()))
    await table.world.quiet()
    assert table.seat(gone)["presence"] == "left"
    assert gone.id not in pinged(table.channel)
    assert len(table.boards) == 1


def looked_up(table: Table, person: Person) -> int:
    path = f"/guilds/{table.guild.id}/members/{person.id}"
    return len(table.world.calls("GET", path))


@pytest.mark.parametrize("when", ["idle", "half time", "scrolled", "reminded"])
async def test_a_member_left_the_server(house: House, when: str) -> None:
    """Discord tells nobody; found out just before the one who is asked would be mentioned."""
    table = await house.table(3, clock=300)
    gone = table.asked()
    other = table.others()[0]
    await table.guild.leave(gone)
    match when:
        case "idle":
            house.bot.advance(61)
        case "half time":
            house.bot.advance(151)
        case "scrolled":
            await chat(table, other)
            await other.slash(table.channel, "fix626 table")
        case "reminded":
            menu = await other.click(table.board, "t:*:more")
            await other.click(menu.message, "t:*:remind")
    await noticed(table, gone)
    assert looked_up(table, gone) == 1
    table.people.remove(gone)
    for _ in range(3):
        await table.move()
    assert looked_up(table, gone) == 1, "who left is not looked up again"
    assert gone.user["global_name"] in table.board.text


async def test_a_host_who_left_the_server_hands_on(house: House) -> None:
    table = await house.table(2)
    if table.asked() != table.host:
        await table.move()
    await house.world.until(lambda: table.asked() == table.host)
    (other,) = table.others()
    await table.guild.leave(table.host)
    house.bot.advance(151)
    await noticed(table, table.host)
    assert table.row()["host_id"] == other.id
    menu = await other.click(table.board, "t:*:more")
    assert "End the table" in menu.message.labels


async def test_everybody_left_the_server(house: House) -> None:
    """The table closes, and mentions nobody."""
    table = await house.table(2)
    for person in table.people:
        await table.guild.leave(person)
    for _ in range(3):
        house.bot.advance(151)
        await house.world.quiet(0.3)
    await house.world.until(lambda: table.stage == "closed")
    assert pinged(table.channel) == []
    await house.world.until(lambda: "Everybody left" in table.channel.messages[-1].text)


async def test_of_several_who_are_asked_one_left_the_server(house: House) -> None:
    """The others are mentioned, and each of them is looked up once."""
    table = await house.table(3, "mischief")
    ann, bob, carol = table.people
    await table.guild.leave(bob)
    house.bot.advance(151)
    await noticed(table, bob)
    await house.world.until(lambda: sorted(pinged(table.channel)) == sorted([ann.id, carol.id]))
    assert [looked_up(table, p) for p in table.people] == [1, 1, 1]
    await table.move(ann)
    await table.move(carol)
    assert table.moves_written() >= 3  # the computer's, who may have begun the next round


async def test_a_look_up_that_fails_keeps_the_seat(house: House) -> None:
    """Whom Discord can't tell about counts as there, and is mentioned."""
    table = await house.table(2)
    asked = table.asked()
    house.world.fault("GET", "/members/", errors.missing_access(), times=9)
    house.bot.advance(61)
    await house.world.until(lambda: pinged(table.channel) == [asked.id])
    assert table.seat(asked)["presence"] == "here"


def out(table: Table) -> Person | None:
    """Who the board says is out of the round."""
    lines = [line for line in table.board.text.splitlines() if "· out" in line]
    found = (p for p in table.people if any(p.user["global_name"] in line for line in lines))
    return next(found, None)


async def test_a_player_who_is_out_is_asked_nothing(house: House) -> None:
    """No prompt, no press that does anything, nobody's target, no mention."""
    table = await house.table(3)
    for _ in range(150):
        if gone := out(table):
            break
        await table.move(choose=last)
        await house.world.until(lambda: table.board.id == table.row()["board_id"])
        await house.world.quiet(0.05)
    else:
        raise AssertionError("nobody ever went out")
    panel = await table.hand(gone)
    assert not offered(panel)
    before = table.secrets()
    for custom_id in ("t:{}:{}:do:0", "t:{}:{}:do", "t:{}:{}:sure:0"):
        done = await gone.forge(panel, custom_id.format(table.id, table.seq))
        assert done.ephemeral
        assert not offered(done.message)
    assert table.secrets() == before
    house.bot.advance(61)
    await house.world.until(lambda: pinged(table.channel))
    while out(table) == gone and table.stage == "playing":
        assert table.asked() != gone
        assert gone.id not in pinged(table.channel)

        def seen(parts: Sequence[Any]) -> Any:
            assert gone.user["global_name"] not in str(parts)
            return parts[-1]

        await table.move(choose=seen)
        await house.world.quiet(0.1)


async def test_the_clock_is_changed_in_the_middle(house: House) -> None:
    table = await house.table(2, clock=0)
    assert table.row()["deadline"] is None
    menu = await table.host.click(table.board, "t:*:more")
    await table.host.select(menu.message, "s:*:clock", ["60"])
    house.bot.advance(31)
    await house.world.until(lambda: table.row()["reminded"])
    house.bot.advance(31)
    await house.world.until(lambda: table.moves_written() == 1)


async def test_names_that_would_break_a_message(house: House) -> None:
    """Markdown, mentions, fences, wide characters: shown as they are, nobody is mentioned."""
    channel = await house.place()
    names = ("**`@everyone`**", "<@&1> ||x||", "```", "あ" * 32, "\u202eevil\u200b\n# big")
    people = [house.world.person(name, channel.guild) for name in names]
    table = Table(house.bot, channel, people)
    await table.start()
    await table.join()
    await table.begin()
    for _ in range(4):
        await table.move()
    await house.world.quiet()
    for message in channel.messages:
        assert not message["mention_everyone"]
        assert not message["mention_roles"]
    assert "\u202e" not in table.board.text


async def test_computers_fill_the_table(house: House) -> None:
    """One person and computers: the person is asked, everybody else moves by itself."""
    channel = await house.place()
    (ann,) = house.people(channel, 1)
    table = Table(house.bot, channel, [ann])
    await table.start(computers=3)
    await house.world.until(lambda: len(table.seats()) == 4)
    await table.begin()
    for _ in range(4):
        await house.world.until(
            lambda: any(s["user_id"] == ann.id for s in table.pending()), 8, "nobody moves"
        )
        await table.move(ann)
    assert len(table.entries()) >= 4
