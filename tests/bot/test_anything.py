"""Anybody does anything, at any moment, with a bad disk and restarts: what must hold, holds.

STEPS and RUNS in the environment look further than the suite does.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.clock import UNTOUCHED_LONGEST
from bot.lobby import CLOCKS
from bot.records import Board
from bot.tables import AnyMatch, Table
from engine.chance import Chance
from engine.core import Seat
from engine.errors import GameError
from tests.bot.house import House, in_memory
from tests.bot.toy import Show

STEPS = int(os.environ.get("STEPS", "100"))
RUNS = int(os.environ.get("RUNS", "4"))

USERS = range(1, 8)
CHANNELS = (70, 71)
TIMES = (0.5, 0.5, 2, 2, 2, 16, 31, 31, 70, 400)


class Moody:
    """A thinker of which nothing can be expected."""

    def __init__(self, dice: Chance) -> None:
        self.dice = dice

    async def decide(self, match: AnyMatch, seat: Seat, level: str) -> object:
        for _ in range(self.dice.below(4)):
            await asyncio.sleep(0)
        match self.dice.below(5):
            case 0:
                raise ValueError
            case 1:
                return Show(99)
            case _:
                return self.dice.pick(match.choices(seat))


class Crowd:
    """People who press whatever there is to press."""

    def __init__(self, house: House, dice: Chance) -> None:
        self.house = house
        self.dice = dice
        self.done = Counter[str]()

    async def press(self) -> None:
        """Something that somebody does; mostly what fits the table."""
        table_id = self._any_table()
        table = self.table(table_id)
        fitting = NOWHERE if table is None else LOBBY if table.match is None else PLAYING
        doing = self.dice.pick(fitting if self.dice.below(10) else NOWHERE + LOBBY + PLAYING)
        work = doing(self, table_id, self.dice.pick(USERS))
        if work is None:
            return
        try:
            await work
        except GameError:
            return
        self.done[doing.__name__] += 1

    def _any_table(self) -> int:
        tables = sorted(self.house.manager.tables)
        return self.dice.pick(tables) if tables else 0

    def table(self, table_id: int) -> Table | None:
        return self.house.manager.tables.get(table_id)

    def host(self, table_id: int, user: int) -> int:
        """Mostly the host, for else little would happen."""
        table = self.table(table_id)
        return user if table is None or self.dice.below(4) == 0 else table.record.host_id


# --- what there is to press --------------------------------------------------------------------


def start(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    game, channel = c.dice.pick(("toy", "fix626")), c.dice.pick(CHANNELS)
    clock = c.dice.pick(CLOCKS)
    return c.house.manager.open(
        game, guild_id=7, channel_id=channel, user_id=u, name=f"P{u}", clock=clock
    )


def rematch(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    tables = sorted({change.table.id for change in c.house.heard})
    return c.house.manager.rematch(tables[-1] if tables else 0, u, f"P{u}")


def join(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.join(t, u, f"P{u}")


def add(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.add_computer(t, c.host(t, u), "Chip", "easy")


def choose(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.choose(t, c.host(t, u), "rounds", c.dice.pick((1, 3, 50)))


def clock(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.set_clock(t, c.host(t, u), c.dice.pick(CLOCKS))


def begin(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.begin(t, c.host(t, u))


def submit(c: Crowd, t: int, u: int) -> Awaitable[Any] | None:
    table = c.table(t)
    if table is None or table.match is None:
        return None
    match = table.match
    seat = c.dice.pick([s for s in match.all_seats() if match.choices(s)])
    if c.dice.below(5):
        u = table.record.sitters[seat].user_id or u
    epoch = match.epoch - (c.dice.below(10) == 0)
    return c.house.manager.submit(t, u, c.dice.pick(match.choices(seat)), epoch=epoch)


def leave(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.leave(t, u)


def remove(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.remove(t, c.dice.below(5), by=c.host(t, u))


def stand_in(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.stand_in(t, u)


def come_back(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.come_back(t, u)


def take(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.take_seat(t, c.dice.below(5), u, f"P{u}")


def hand_over(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.hand_over(t, c.host(t, u), c.dice.pick(USERS))


def remind(c: Crowd, t: int, u: int) -> Awaitable[Any]:
    return c.house.manager.remind(t, u)


def place_board(c: Crowd, t: int, u: int) -> Awaitable[Any] | None:
    table, board = c.table(t), Board(c.dice.below(99), c.house.clock.time)
    return table and c.house.manager.note(table, lambda r: replace(r, board=board, pinged=True))


def end(c: Crowd, t: int, u: int) -> Awaitable[Any] | None:
    if c.dice.below(5):
        return None
    return c.house.manager.close_table(t, "closed-ended", user_id=c.host(t, u))


Doing = Callable[[Crowd, int, int], Awaitable[Any] | None]

NOWHERE: tuple[Doing, ...] = (start, rematch)
LOBBY: tuple[Doing, ...] = (join, join, add, choose, clock, begin, begin, leave, remove, hand_over)
PLAYING: tuple[Doing, ...] = (
    *(submit,) * 12,
    *(come_back,) * 3,
    *(take,) * 3,
    *(leave, remove, stand_in, hand_over, remind, clock, place_board, end),
)


async def _step(house: House, crowd: Crowd, dice: Chance) -> None:
    storage = house.storage
    storage.before, storage.after = dice.below(3), dice.below(3)
    storage.refuses = 1 + dice.below(2) if dice.below(8) == 0 else 0
    match dice.below(16):
        case 0:
            storage.refuses = 0
            before = {t.id: in_memory(t)[:3] for t in house.manager.tables.values()}
            await house.manager.heartbeat()  # as the bot does once a minute
            await (house.close() if dice.below(2) else house.kill())
            assert await house.open() == []
            assert {t.id: in_memory(t)[:3] for t in house.manager.tables.values()} == before
        case 1 | 2:
            storage.refuses = 0
            await house.pass_time(dice.pick(TIMES))
        case 3:
            await house.tick()
        case 4 | 5:
            presses = [crowd.press() for _ in range(1 + dice.below(6))]
            await asyncio.gather(*presses, house.manager.tick())
        case 6:
            task = asyncio.ensure_future(crowd.press())
            for _ in range(dice.below(12)):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        case _:
            await crowd.press()
    house.storage.refuses = 0
    await house.quiet()
    while running := house.manager._ledger._running:
        await asyncio.wait(set(running))


@pytest.mark.parametrize("run", range(RUNS))
async def test_whatever_happens(run, tmp_path: Path):
    dice = Chance(b"crowd", run)
    house = House(tmp_path / "bot.db", Moody(Chance(b"moody", run)))
    await house.open()
    try:
        crowd = Crowd(house, dice)
        for _ in range(STEPS):
            await _step(house, crowd, dice)
            await house.agree()
        assert crowd.done["submit"], "nothing ever succeeds"
        # Everybody goes home: every table ends of its own, and the channels are free.
        await house.pass_time(UNTOUCHED_LONGEST + 30 * 86_400)
        assert not house.manager.tables
        assert house.manager.next_due() is None
        await house.agree()
    finally:
        await house.close()
