"""Starting and stopping: one sentence for what is wrong, one bot a database, commands told once."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from bot.storage import Storage
from tests.wire import errors
from tests.wire.process import BotProcess
from tests.wire.table import House, offered
from tests.wire.world import World

NewBot = Callable[..., BotProcess]
QUICK = {"THINK_SECONDS": "0", "BEAT_SECONDS": "0"}


def newer(bot: BotProcess) -> None:
    with closing(sqlite3.connect(bot.database)) as connection:
        connection.execute("CREATE TABLE later (anything TEXT)")
        connection.execute("PRAGMA application_id = 1398033492")
        connection.execute("PRAGMA user_version = 99")


WRONG: dict[str, tuple[dict[str, str], Callable[[BotProcess], Any] | None, str]] = {
    "no token": ({"DISCORD_TOKEN": ""}, None, "DISCORD_TOKEN"),
    "a wrong token": ({"DISCORD_TOKEN": "not.the.token"}, None, "DISCORD_TOKEN"),
    "no number": ({"THINK_SECONDS": "soon"}, None, "THINK_SECONDS"),
    "a folder as database": ({}, lambda bot: bot.database.mkdir(), "table.db"),
    "a newer database": ({}, newer, "99"),
    "no Discord": ({"DISCORD_API": "http://127.0.0.1:9/api/v10"}, None, "Discord"),
}


async def test_what_is_wrong_is_one_sentence(world: World, new_bot: NewBot) -> None:
    """And an exit code, and no traceback."""
    bots: dict[str, BotProcess] = {}
    for name, (env, prepare, _) in WRONG.items():
        bots[name] = bot = new_bot(env=env)
        if prepare:
            prepare(bot)
    todo = list(bots.values())
    for pair in (todo[n : n + 3] for n in range(0, len(todo), 3)):
        for bot in pair:
            bot.launch()
        await asyncio.gather(*(bot.ended(20) for bot in pair))
    for name, (_, _, wanted) in WRONG.items():
        bot = bots[name]
        assert bot.returncode == 1, (name, bot.output)
        said = [line for line in bot.output.splitlines() if " INFO " not in line]
        assert wanted in said[-1], (name, bot.output)
        assert len(said) == 1, (name, bot.output)


@pytest.mark.parametrize("what", ["file", "folder", "folder of a file"])
async def test_a_database_that_may_not_be_written(world: World, new_bot: NewBot, what: str) -> None:
    """One sentence that names it; once it may be written, the bot starts."""
    bot = new_bot(env=dict(QUICK))
    folder = bot.folder / "data"
    bot.database = folder / "table.db"
    bot.extra["DATABASE"] = str(bot.database)
    bot.plain = True
    folder.mkdir()
    if what != "folder":
        await (await Storage.open(bot.database)).close()
    closed = bot.database if what == "file" else folder
    kept = closed.stat().st_mode
    closed.chmod(0o500)
    bot.launch()
    assert await bot.ended(20) == 1
    told = bot.output.splitlines()[-1]
    assert str(bot.database) in told
    assert "can't be written" in told
    closed.chmod(kept)
    await bot.start()
    await House(bot).lobby(1)


async def test_a_second_bot_on_one_database_is_refused(world: World, new_bot: NewBot) -> None:
    first, second = new_bot(), new_bot()
    await first.start()
    second.database = first.database
    second.extra = {"DATABASE": str(first.database)}
    second.launch()
    assert await second.ended() == 1
    assert "Another bot" in second.output
    assert first.running
    assert await first.stop() == 0
    await second.start()


async def test_stopping_in_the_middle_of_everything(world: World, new_bot: NewBot) -> None:
    """Discord makes us wait, people press: it ends in time, cleanly, and nothing is lost."""
    bot = new_bot(env=QUICK)
    await bot.start()
    house = House(bot)
    tables = [await house.table(2) for _ in range(3)]
    for table in tables:
        await table.hand(table.asked())
    world.fault("PATCH", f"/channels/{tables[0].channel.id}", errors.too_many_requests(30), times=9)
    world.fault("PATCH", f"/channels/{tables[1].channel.id}", errors.server_error(502), times=99)
    for table in tables:
        await table.move()
    asked = tables[2].asked()
    await tables[2].hand(asked)
    part = offered(tables[2].panels[asked])[0]
    values = None if "options" not in part else [part["options"][0]["value"]]
    await asked.forge(tables[2].panels[asked], part["custom_id"], values, wait=False)
    began = time.monotonic()
    assert await bot.stop(10) == 0
    assert time.monotonic() - began < 10
    world.faults.clear()
    moves = [table.moves_written() for table in tables]
    assert min(moves) == 1
    await bot.start()
    for table in tables:
        name = table.asked().user["global_name"]
        await world.until(lambda t=table, n=name: f"▶ **{n}" in t.board.text)
        table.panels.clear()
        await table.move()


async def test_commands_are_told_once_and_show_once(world: World, new_bot: NewBot) -> None:
    guild = world.guild()
    channel = guild.channel()
    ann = world.person("Ann", guild)
    bot = new_bot(env=dict(QUICK))

    def told(mark: int) -> list[str]:
        return [c.path.split("/", 3)[-1] for c in world.calls("PUT", "/commands", since=mark)]

    async def start() -> list[str]:
        mark = len(world.log)
        await bot.start()
        offers = ann.offered(channel)
        assert len(offers) == len(set(offers)) > 0
        bot.kill()
        return told(mark)

    assert await start() == ["commands"]
    assert await start() == []
    with closing(sqlite3.connect(bot.database)) as connection, connection:
        connection.execute(
            "UPDATE meta SET value = replace(value, 'a', 'b') WHERE key = 'commands'"
        )
    assert await start() == ["commands"]
    bot.extra["DEVELOPMENT_SERVER"] = str(guild.id)
    assert sorted(await start()) == ["commands", f"guilds/{guild.id}/commands"]
    mark = len(world.log)
    await bot.start()
    await ann.slash(channel, "fix626 start")
    bot.kill()
    assert told(mark) == []
    del bot.extra["DEVELOPMENT_SERVER"]
    assert sorted(await start()) == ["commands", f"guilds/{guild.id}/commands"]


async def test_what_happened_while_no_bot_ran(world: World, new_bot: NewBot) -> None:
    """Channels deleted, boards deleted, the bot removed, hours gone by: found out at the start."""
    bot = new_bot(env=QUICK)
    await bot.start()
    house = House(bot)
    gone, cleared, removed, kept = [await house.table(2) for _ in range(4)]
    left = kept.row()["deadline"] - world.now()
    assert await bot.stop() == 0
    await gone.channel.delete()
    await cleared.channel.purge()
    await removed.guild.remove_bot()
    bot.advance(5 * 3600)
    await bot.start()
    await world.until(
        lambda: gone.rows("SELECT 1 FROM tables WHERE reason = 'closed-channel-gone'")
    )
    await world.until(lambda: removed.stage == "closed" and removed.row()["settled"])
    await world.until(lambda: cleared.boards)
    assert abs(kept.row()["deadline"] - world.now() - left) < 20, "the downtime counts for nobody"
    assert kept.moves_written() == 0
    mentions = world.calls("POST", f"/channels/{kept.channel.id}/messages")
    assert not [c for c in mentions if c.body["allowed_mentions"].get("users")]
    for table in (cleared, kept):
        await table.move()


async def test_a_start_in_an_outage(world: World, new_bot: NewBot) -> None:
    bot = new_bot(env=QUICK)
    await bot.start()
    table = await House(bot).table(2)
    bot.kill()
    table.guild.unavailable = True
    await bot.start()
    assert table.stage == "playing"
    await table.move()
    await table.guild.recover()
    name = table.asked().user["global_name"]
    await world.until(lambda: f"▶ **{name}" in table.board.text)


async def test_a_damaged_table_disturbs_no_other(world: World, new_bot: NewBot) -> None:
    bot = new_bot(env=QUICK)
    await bot.start()
    house = House(bot)
    broken, sound = await house.table(2), await house.table(2)
    bot.kill()
    with closing(sqlite3.connect(bot.database)) as connection, connection:
        connection.execute(
            "UPDATE matches SET state = '{\"no\": 1}' WHERE table_id = ?", (broken.id,)
        )
    await bot.start()
    await world.until(lambda: "can't be read" in broken.channel.messages[-1].text)
    await sound.move()
    old = broken.boards[-1] if broken.boards else None
    if old is not None:
        done = await broken.host.click(old, "t:*:hand")
        assert done.text
    await broken.host.slash(broken.channel, "fix626 start")
    await world.until(lambda: "Join" in broken.board.labels)


async def test_a_server_that_is_down_at_the_start_is_shown_when_it_is_back(
    world: World, new_bot: NewBot
) -> None:
    bot = new_bot(env=QUICK)
    await bot.start()
    table = await House(bot).table(2)
    await table.guild.outage()
    await table.move()
    bot.kill()
    await table.channel.delete_message(table.board)  # nobody hears of it
    await bot.start()
    await world.quiet(1)
    await table.guild.recover()
    await world.until(lambda: table.boards)


async def test_no_time_passes_before_anybody_can_press(world: World, new_bot: NewBot) -> None:
    """Discord's gateway does not answer when the bot starts: that is downtime, too."""
    bot = new_bot(env=QUICK)
    await bot.start()
    table = await House(bot).table(2, clock=60)
    bot.kill()
    world.fault("GET", r"/gateway/bot$", delay=3)
    bot.launch()
    await world.until(lambda: world.calls("GET", "/users/@me"))
    bot.advance(200)
    await world.quiet(2)
    assert table.moves_written() == 0


async def test_no_time_passes_while_the_gateway_is_away(world: World, new_bot: NewBot) -> None:
    bot = new_bot(env=QUICK)
    await bot.start()
    bot.may_fail = True  # discord.py prints a traceback for each try to connect
    table = await House(bot).table(2, clock=60)
    world.gateway.refuses = True
    await world.gateway.drop()
    await world.quiet(0.3)
    bot.advance(200)
    await world.quiet(1)
    assert table.moves_written() == 0
    world.gateway.refuses = False
    await world.until(lambda: table.moves_written(), 15)
