"""A round's result that unfolds beat by beat, and what can happen meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.wire.messages import Message
from tests.wire.process import BotProcess
from tests.wire.table import House, Table, moderator, revealed
from tests.wire.world import World

NewBot = Callable[..., BotProcess]


@pytest.fixture
async def slow(world: World, new_bot: NewBot) -> House:
    """A bot that takes its time to tell what happened."""
    bot = new_bot(env={"THINK_SECONDS": "0", "BEAT_SECONDS": "0.5"})
    await bot.start()
    return House(bot)


def stories(table: Table) -> list[Message]:
    """The messages here that tell of a round, oldest first."""
    return [m for m in table.channel.messages if "cards up" in m.text]


async def unfolding(house: House, rolls: int = 1) -> Table:
    """A table whose newest round, of so many rolls at least, is being told just now."""
    table = await house.table(3, "mischief")
    while not revealed(table) or revealed(table)[-1]["rolls"] < rolls:
        rounds = len(revealed(table))
        for person in table.people:
            await table.move(person)
        await house.world.until(lambda n=rounds: len(revealed(table)) > n)
        await house.world.until(lambda n=rounds: len(stories(table)) > n)
    assert not whole(table)
    return table


def whole(table: Table) -> bool:
    """Whether the newest round has been told to its end."""
    return bool(stories(table)) and (
        stories(table)[-1].text.count("🎲") == revealed(table)[-1]["rolls"]
    )


def below(table: Table) -> bool:
    """Whether one board stands, and below everything else."""
    return len(table.boards) == 1 and table.channel.messages[-1].id == table.board.id


async def test_a_moderator_ends_a_table_that_is_telling(slow: House) -> None:
    """Nobody else can; what has begun to be told is told at once, then the board says the end."""
    table = await unfolding(slow, rolls=2)
    stranger, mod = slow.world.person("Mallory", table.guild), await moderator(table)
    refused = await stranger.forge(table.board, f"t:{table.id}:0:endsure")
    assert "host and moderators" in refused.text
    mark = len(slow.world.log)
    await mod.slash(table.channel, "tables end")
    assert (table.stage, table.row()["reason"]) == ("closed", "closed-ended")
    await slow.world.until(lambda: table.row()["settled"])
    assert whole(table)
    edits = slow.world.calls("PATCH", f"/messages/{stories(table)[-1].id}", since=mark)
    assert len(edits) == 1
    assert "moderator" in table.channel.messages[-1].text
    assert "wins" not in table.channel.messages[-1].text
    await table.start()


async def test_a_story_that_is_deleted_while_it_is_told(slow: House) -> None:
    """The table goes on with one board; the story does not come back."""
    table = await unfolding(slow)
    await table.channel.delete_message(stories(table)[-1])
    old = table.board.id
    await slow.world.until(lambda: below(table) and table.board.id != old)
    await slow.world.quiet()
    assert not stories(table)
    await table.move()


async def test_a_place_that_is_deleted_while_a_story_is_told(slow: House) -> None:
    table = await unfolding(slow)
    mark = len(slow.world.log)
    await table.channel.delete()
    await slow.world.until(lambda: table.stage == "closed" and table.row()["settled"])
    await slow.world.quiet(0.6)
    assert len(slow.world.calls("*", f"/channels/{table.channel.id}", since=mark)) <= 2


async def test_speech_that_is_taken_while_a_story_is_told(slow: House) -> None:
    table = await unfolding(slow)
    await table.channel.take("SEND_MESSAGES")
    await slow.world.quiet(0.7)
    for person in table.people:
        await table.move(person)
    await table.channel.give("SEND_MESSAGES")
    await slow.world.until(lambda: len(stories(table)) == 2 and whole(table) and below(table))


async def test_the_next_round_is_over_before_the_last_is_told(slow: House) -> None:
    """Whoever hurries is not held up, and no round stays half told."""
    table = await unfolding(slow, rolls=2)
    for person in table.people:
        await table.move(person)
    await slow.world.until(lambda: len(stories(table)) > 1)
    await slow.world.until(lambda: whole(table) and below(table))
    told = [event["rolls"] for event in revealed(table)]
    assert [m.text.count("🎲") for m in stories(table)] == told


async def test_a_bot_that_is_stopped_while_it_tells_ends_its_story(slow: House) -> None:
    table = await unfolding(slow, rolls=2)
    assert await slow.bot.stop() == 0
    assert whole(table), slow.bot.output
    await slow.bot.start()
    await slow.world.until(lambda: below(table))


async def test_a_bot_that_is_killed_while_it_tells(slow: House) -> None:
    """The story is told to its end, the board comes back below it, and play goes on."""
    table = await unfolding(slow, rolls=2)
    before = table.secrets()
    await slow.bot.restart()
    await slow.world.until(lambda: below(table))
    await slow.world.quiet()
    assert table.secrets() == before
    assert len(stories(table)) == len(revealed(table))
    assert whole(table)
    await table.move()


async def test_a_story_whose_connection_breaks_is_told_once(slow: House) -> None:
    """It arrived, the answer did not: Discord knows a message that is sent again by its nonce."""
    table = await slow.table(3, "mischief")
    for person in table.people[:2]:
        await table.move(person)
    path = rf"/channels/{table.channel.id}/messages$"
    fault = slow.world.fault("POST", path, drop=True, after=True)
    await table.move(table.people[2])
    await slow.world.until(lambda: fault.hits and whole(table), 6)
    await slow.world.until(lambda: below(table))
    assert len(stories(table)) == 1


async def test_a_story_that_discord_fails_to_edit_is_told_to_its_end(slow: House) -> None:
    table = await slow.table(3, "mischief")
    path = rf"^/channels/{table.channel.id}/messages/"
    for person in table.people[:2]:
        await table.move(person)
    await slow.world.quiet(0.1)
    slow.world.fault("PATCH", path, drop=True)
    await table.move(table.people[2])
    await slow.world.until(lambda: whole(table) and below(table))
    assert len(stories(table)) == 1
