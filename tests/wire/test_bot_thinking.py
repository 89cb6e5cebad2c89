"""Computer players in the real bot: they think in a process of their own, which ends with it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.wire.process import BotProcess
from tests.wire.table import House, Table
from tests.wire.world import World

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
NewBot = Callable[..., BotProcess]


def process(bot: BotProcess) -> int:
    assert bot._process is not None
    return bot._process.pid


def workers(bot: BotProcess) -> list[int]:
    """The processes in which it thinks."""
    files = Path(f"/proc/{process(bot)}/task").glob("*/children")
    children = [int(child) for file in files for child in file.read_text().split()]
    return [c for c in children if b"spawn_main" in Path(f"/proc/{c}/cmdline").read_bytes()]


def gone(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


async def a_game(bot: BotProcess) -> Table:
    """One person and two hard computer players, who have made a move each."""
    table = await House(bot).table(1, computers=2, level="hard")
    await played(table, 2)
    return table


async def played(table: Table, moves: int) -> None:
    """Play on until the computers have made so many moves more."""

    def made() -> int:
        return sum(entry["automatic"] for entry in table.entries())

    wanted = made() + moves
    while made() < wanted and table.stage == "playing":
        await table.world.until(lambda: made() >= wanted or table.waits(), 15)
        if made() < wanted:
            await table.move()


@pytest.mark.parametrize("end", ["killed", "stopped", "stopped with all that it started"])
async def test_a_worker_ends_with_the_bot(world: World, new_bot: NewBot, end: str) -> None:
    bot = new_bot(env={"THINK_SECONDS": "0", "BEAT_SECONDS": "0"})
    await bot.start()
    table = await a_game(bot)
    started = workers(bot)
    assert len(started) == 1
    if end == "killed":
        os.kill(process(bot), signal.SIGKILL)
    elif end == "stopped":
        os.kill(process(bot), signal.SIGTERM)
    else:
        os.killpg(process(bot), signal.SIGTERM)
    assert await bot.ended() == (-signal.SIGKILL if end == "killed" else 0)
    await world.until(lambda: all(map(gone, started)), 10)
    table.panels.clear()
    await bot.start()
    await played(table, 1)


async def test_a_worker_that_dies_is_replaced(world: World, new_bot: NewBot) -> None:
    bot = new_bot(env={"THINK_SECONDS": "0", "BEAT_SECONDS": "0"})
    await bot.start()
    table = await a_game(bot)
    (dead,) = workers(bot)
    os.kill(dead, signal.SIGKILL)
    await played(table, 3)
    (alive,) = workers(bot)
    assert alive != dead
