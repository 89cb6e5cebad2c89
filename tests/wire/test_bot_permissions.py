"""Permissions that go one by one and come back: a private sentence names them, nothing is lost."""

from __future__ import annotations

import pytest

from tests.wire.places import Channel, Guild
from tests.wire.table import House, Table

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAMES = {
    "VIEW_CHANNEL": "View Channel",
    "SEND_MESSAGES": "Send Messages",
    "READ_MESSAGE_HISTORY": "Read Message History",
}
NOT_NEEDED = ("ATTACH_FILES", "EMBED_LINKS", "USE_EXTERNAL_EMOJIS")
BY = ("role", "overwrite")


def scope(table: Table, by: str) -> Guild | Channel:
    return table.guild if by == "role" else table.channel


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("name", [*NAMES, *NOT_NEEDED])
async def test_a_start_without_it(house: House, name: str, by: str) -> None:
    channel = await house.place()
    table = Table(house.bot, channel, house.people(channel, 2))
    # VIEW_CHANNEL of @everyone would take the people's sight as well.
    if name == "VIEW_CHANNEL" and by == "role":
        by = "overwrite"
    await scope(table, by).take(name)
    done = await table.host.slash(channel, "fix626 start")
    if name in NAMES:
        assert NAMES[name] in done.text
        assert not table.rows("SELECT * FROM tables WHERE channel_id = ?", channel.id)
        await scope(table, by).give(name)
        await table.start()
    else:
        await house.world.until(lambda: table.boards)
    await table.join()
    await table.begin()
    await table.move()


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("name", [*NAMES, *NOT_NEEDED])
async def test_it_goes_and_comes_back_in_the_middle_of_a_game(
    house: House, name: str, by: str
) -> None:
    if name == "VIEW_CHANNEL" and by == "role":
        by = "overwrite"
    table = await house.table(2)
    await scope(table, by).take(name)
    await table.move()
    await house.world.quiet()
    # Once more, now that the bot has noticed: the private panel says what is missing.
    panel = await table.hand(table.asked())
    if name in NAMES:
        assert NAMES[name] in panel.text
    await table.move()
    moves = table.moves_written()
    assert moves == 2
    mark = len(house.world.log)
    await scope(table, by).give(name)
    asked = table.asked()
    await house.world.until(lambda: f"▶ **{asked.user['global_name']}" in table.board.text)
    await house.world.quiet()
    assert len(table.boards) == 1
    # The board; and if the moves ended a round, its result, a new board and the old one's end.
    assert len(house.world.log) - mark <= 6
    panel = await table.hand(asked)
    assert not any(shown in panel.text for shown in NAMES.values())


@pytest.mark.parametrize("name", ["CREATE_PUBLIC_THREADS", "SEND_MESSAGES_IN_THREADS"])
@pytest.mark.parametrize("by", BY)
async def test_a_thread_of_its_own_needs_more(house: House, name: str, by: str) -> None:
    channel = await house.place()
    table = Table(house.bot, channel, house.people(channel, 2))
    await scope(table, by).take(name)
    done = await table.host.slash(channel, "fix626 start", {"thread": True})
    words = name.replace("_", " ").title().replace(" In ", " in ")
    assert words in done.text
    assert not channel.threads
    await scope(table, by).give(name)
    await table.start(thread=True)
    assert channel.threads


async def test_speech_in_a_thread_goes_and_comes_back(house: House) -> None:
    table = await house.table(2, thread=True)
    await table.guild.take("SEND_MESSAGES_IN_THREADS")
    await table.channel.delete_message(table.board)
    await house.world.quiet()
    assert not table.boards
    done = await table.asked().slash(table.channel, "fix626 hand")
    assert "Send Messages in Threads" in done.text
    await table.guild.give("SEND_MESSAGES_IN_THREADS")
    await house.world.until(lambda: table.boards)
    await table.move()


async def test_all_of_them_at_once_and_the_clock_runs(house: House) -> None:
    """The table plays on by time-outs, is paused, and comes back with its people."""
    table = await house.table(2, clock=60)
    await table.channel.take("VIEW_CHANNEL", "SEND_MESSAGES", "READ_MESSAGE_HISTORY")
    for _ in range(12):
        house.bot.advance(31)
        await house.world.quiet(0.15)
    assert table.moves_written() >= 3
    assert table.stage == "playing"
    await table.channel.give("VIEW_CHANNEL", "SEND_MESSAGES", "READ_MESSAGE_HISTORY")
    await house.world.until(lambda: "Everybody is away" in table.board.text)
    await table.hand(table.host)
    await house.world.until(lambda: "Everybody is away" not in table.board.text)
    # The computer moves for whoever is still away.
    await house.world.until(table.waits)
    await table.move(table.asked())
