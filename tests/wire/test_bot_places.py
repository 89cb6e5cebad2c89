"""Threads, forum posts, direct messages; places that close, vanish or come back."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.wire import errors
from tests.wire.actors import NotOffered
from tests.wire.places import Channel
from tests.wire.table import House, Table

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def plays(table: Table) -> None:
    """A table that can be played from the lobby on."""
    await table.start()
    await table.join()
    await table.begin()
    await table.move()
    await table.world.until(lambda: "My hand" in table.board.labels)


async def in_place(house: House, kind: str) -> Table:
    channel = await house.place()
    guild = channel.guild
    assert guild is not None
    places: dict[str, Channel] = {}
    places["thread"] = channel.thread()
    places["private thread"] = channel.thread(kind=12)
    places["voice"] = guild.voice()
    places["forum post"] = guild.forum().thread("a post")
    await house.world.emit("GUILD_CREATE", guild.as_created(), guild)
    return Table(house.bot, places[kind], house.people(channel, 2))


@pytest.mark.parametrize("kind", ["thread", "private thread", "voice", "forum post"])
async def test_a_table_in_other_places(house: House, kind: str) -> None:
    await plays(await in_place(house, kind))


@pytest.mark.parametrize("kind", ["voice", "forum post", "thread"])
async def test_a_thread_of_its_own_where_there_can_be_none(house: House, kind: str) -> None:
    """The wish is no reason to refuse: the table opens here."""
    table = await in_place(house, kind)
    await table.host.slash(table.channel, "fix626 start", {"thread": True})
    await house.world.until(lambda: table.boards)


async def test_no_commands_in_direct_messages_or_a_user_install(house: House) -> None:
    channel = await house.place()
    (ann,) = house.people(channel, 1)
    with pytest.raises(NotOffered):
        await ann.slash(house.world.dm(ann), "fix626 start")
    with pytest.raises(NotOffered):
        await ann.slash(channel, "fix626 start", installed="user")


async def test_a_thread_of_its_own_is_made_named_and_archived(house: House) -> None:
    channel = await house.place()
    table = Table(house.bot, channel, house.people(channel, 2))
    await table.start(thread=True)
    thread = table.channel
    assert thread.is_thread
    assert "Ann" in thread.data["name"]
    await table.join()
    await table.begin()
    await table.move()
    await table.host.forge(table.board, f"t:{table.id}:0:endsure")
    await house.world.until(lambda: thread.archived)
    assert "closed" in table.channel.messages[-1].text
    again = Table(house.bot, channel, table.people)
    await again.start()  # the channel itself was never taken


async def test_a_thread_of_its_own_that_discord_refuses(house: House) -> None:
    channel = await house.place()
    (ann,) = house.people(channel, 1)
    path = rf"/channels/{channel.id}/threads"
    house.world.fault("POST", path, errors.missing_permissions())
    done = await ann.slash(channel, "fix626 start", {"thread": True})
    assert "Create Public Threads" in done.text
    house.world.fault("POST", path, drop=True)
    done = await ann.slash(channel, "fix626 start", {"thread": True})
    assert "press again" in done.text
    await ann.slash(channel, "fix626 start", {"thread": True})
    assert len(channel.threads) == 1


async def test_a_thread_in_which_no_table_may_stand_is_put_away(house: House) -> None:
    channel = await house.place()
    assert channel.guild is not None
    (ann,) = house.people(channel, 1)
    with closing(sqlite3.connect(house.bot.database)) as connection, connection:
        connection.execute(
            "INSERT INTO guild_settings VALUES (?, '[4711]', 300, 0, '{}')", (channel.guild.id,)
        )
    done = await ann.slash(channel, "fix626 start", {"thread": True})
    assert "4711" in done.text
    assert all(thread.archived for thread in channel.threads)


async def test_more_computers_than_seats_fill_the_table(house: House) -> None:
    channel = await house.place()
    (ann,) = house.people(channel, 1)
    table = Table(house.bot, channel, [ann])
    done = await table.start(computers=6)
    assert "open in" in done.text
    assert len(table.seats()) == 5


async def test_an_archived_thread_wakes_with_the_next_move(house: House) -> None:
    table = await house.table(2, thread=True)
    await table.channel.archive()
    assert table.channel.archived
    await table.move()
    await house.world.until(lambda: not table.channel.archived)
    await house.world.quiet()
    assert len(table.boards) == 1
    name = table.asked().user["global_name"]
    assert f"▶ **{name}" in table.board.text


async def test_a_locked_thread_waits_and_goes_on_when_it_is_opened(house: House) -> None:
    table = await house.table(2, thread=True)
    board = table.board.id
    await table.channel.archive(locked=True)
    await table.move()
    await house.world.quiet()
    assert table.moves_written() == 1
    assert table.channel.locked
    assert [m.id for m in table.boards] == [board]
    panel = await table.hand(table.asked())
    assert "locked" in panel.text
    await table.channel.reopen()
    name = table.asked().user["global_name"]
    await house.world.until(lambda: f"▶ **{name}" in table.board.text)


async def test_a_day_long_clock_in_a_thread_that_falls_asleep(house: House) -> None:
    """The reminder at half time comes before, and the time-out wakes the thread."""
    table = await house.table(2, thread=True, clock=86_400)
    house.bot.advance(12.1 * 3600)
    await house.world.quiet(0.3)
    before = table.moves_written()
    house.bot.advance(13 * 3600)
    table.channel.active_at = house.world.now() - 25 * 3600
    await house.world.until(lambda: table.moves_written() > before)
    await house.world.until(lambda: not table.channel.archived and len(table.boards) == 1)


@pytest.mark.parametrize("stage", ["lobby", "playing"])
@pytest.mark.parametrize("thread", [False, True])
async def test_a_deleted_place_closes_its_table(house: House, stage: str, *, thread: bool) -> None:
    table = await (house.lobby if stage == "lobby" else house.table)(2, thread=thread)
    await table.channel.delete()
    await house.world.until(lambda: table.stage == "closed" and table.row()["settled"])
    mark = len(house.world.log)
    house.bot.advance(61)
    await house.world.quiet(0.3)
    assert not house.world.calls("*", str(table.row()["channel_id"]), since=mark)


async def test_a_channel_deleted_while_the_bot_can_not_hear_it(house: House) -> None:
    """The next drawing finds out."""
    table = await house.table(2)
    del house.world.channels[table.channel.id]
    house.bot.advance(151)  # the reminder wants to be sent
    await house.world.until(lambda: table.stage == "closed")
    assert table.row()["reason"] == "closed-channel-gone"


async def test_a_bot_that_is_removed_and_invited_again(house: House) -> None:
    table = await house.table(2)
    await table.guild.remove_bot()
    await house.world.until(lambda: table.stage == "closed" and table.row()["settled"])
    assert table.row()["reason"] == "closed-bot-removed"
    mark = len(house.world.log)
    house.bot.advance(61)
    await house.world.quiet(0.3)
    assert not house.world.calls("*", str(table.channel.id), since=mark)
    await table.guild.add_bot()
    again = Table(house.bot, table.channel, table.people)
    await again.host.slash(again.channel, "fix626 start")
    await house.world.until(lambda: "Join" in again.board.labels)
    old = table.boards[0]
    done = await table.host.click(old, "t:*:hand")
    assert done.text


async def test_an_outage_of_the_server_harms_nothing(house: House) -> None:
    table = await house.table(2)
    before = table.secrets()
    await table.guild.outage()
    house.bot.advance(61)
    await house.world.quiet(0.2)
    await table.guild.recover()
    assert table.secrets() == before
    assert table.stage == "playing"
    await table.move()
    name = table.asked().user["global_name"]
    await house.world.until(lambda: f"▶ **{name}" in table.board.text)


async def test_moves_in_an_outage_are_shown_afterwards(house: House) -> None:
    table = await house.table(2)
    await table.hand(table.asked())
    await table.guild.outage()
    for _ in range(2):
        await table.move()
    assert table.moves_written() == 2
    await table.guild.recover()
    name = table.asked().user["global_name"]
    await house.world.until(lambda: f"▶ **{name}" in table.board.text)


async def test_the_gateway_breaks_in_the_middle_of_a_game(house: House) -> None:
    """Lost, resumed, begun anew: people press on, and boards are not sent twice."""
    table = await house.table(2)
    gateway = house.world.gateway

    def state() -> tuple[int, int]:
        return gateway.identified, sum(s.resumed for s in gateway.sessions.values())

    for how in (gateway.drop, gateway.ask_to_reconnect, gateway.forget_sessions):
        await house.world.quiet(0.1)
        seen = state()
        await how()
        await house.world.until(lambda s=seen: gateway.connected and state() != s, 12)
        await table.move()
    await house.world.quiet(0.5)
    assert len(table.boards) == 1
    assert table.moves_written() == 3
