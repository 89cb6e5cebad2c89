"""Anybody does anything, at any moment, with a bad disk and restarts: what must hold, holds.

STEPS and RUNS in the environment look further than the suite does.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.clock import UNTOUCHED_LONGEST
from bot.lobby import CLOCKS
from bot.tables import AnyMatch, Table
from engine.chance import Chance
from engine.core import Seat
from engine.errors import GameError
from tests.bot.house import House
from tests.bot.toy import Show

STEPS = int(os.environ.get("STEPS", "150"))
RUNS = int(os.environ.get("RUNS", "6"))

USERS = range(1, 8)
CHANNELS = (70, 71)
TIMES = (0.5, 2, 31, 70, 400, 2_000, 90_000)


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
        self.done: dict[str, int] = {}

    def press(self) -> Awaitable[Any]:
        """Something that somebody does."""
        return self._press(self.dice.pick(tuple(DOINGS)))

    async def _press(self, name: str) -> None:
        work = DOINGS[name](self, self._any_table(), self.dice.pick(USERS))
        if work is None:
            return
        try:
            await work
        except GameError:
            return
        self.done[name] = self.done.get(name, 0) + 1

    def _any_table(self) -> int:
        tables = sorted(self.house.manager.tables)
        return self.dice.pick(tables) if tables else 0

    def table(self, table_id: int) -> Table | None:
        return self.house.manager.tables.get(table_id)

    def seat(self) -> int:
        return self.dice.below(5)

    # --- the doings that take more than a line -----------------------------------------------

    def open(self, _: int, user: int) -> Awaitable[Any]:
        return self.house.manager.open(
            self.dice.pick(("toy", "fix626")),
            guild_id=7,
            channel_id=self.dice.pick(CHANNELS),
            user_id=user,
            name=f"P{user}",
            clock=self.dice.pick(CLOCKS),
        )

    def submit(self, table_id: int, user: int) -> Awaitable[Any] | None:
        table = self.table(table_id)
        if table is None or table.match is None:
            return None
        match = table.match
        seats = [s for s in match.all_seats() if match.choices(s)]
        seat = self.dice.pick(seats)
        if self.dice.below(5):
            user = table.record.sitters[seat].user_id or user
        action = self.dice.pick(match.choices(seat))
        epoch = match.epoch - (self.dice.below(10) == 0)
        return self.house.manager.submit(table_id, user, action, epoch=epoch)

    def rematch(self, _: int, user: int) -> Awaitable[Any]:
        tables = {change.table.id for change in self.house.heard}
        return self.house.manager.rematch(self.dice.pick(sorted(tables or {0})), user, f"P{user}")


DOINGS: dict[str, Callable[[Crowd, int, int], Awaitable[Any] | None]] = {
    "open": Crowd.open,
    "join": lambda c, t, u: c.house.manager.join(t, u, f"P{u}"),
    "join too": lambda c, t, u: c.house.manager.join(t, u, f"P{u}"),
    "add": lambda c, t, u: c.house.manager.add_computer(t, _host(c, t, u), "Chip", "easy"),
    "choose": lambda c, t, u: c.house.manager.choose(
        t, _host(c, t, u), "rounds", c.dice.pick((1, 3, 50))
    ),
    "clock": lambda c, t, u: c.house.manager.set_clock(t, _host(c, t, u), c.dice.pick(CLOCKS)),
    "begin": lambda c, t, u: c.house.manager.begin(t, _host(c, t, u)),
    "submit": Crowd.submit,
    "submit too": Crowd.submit,
    "submit again": Crowd.submit,
    "leave": lambda c, t, u: c.house.manager.leave(t, u),
    "remove": lambda c, t, u: c.house.manager.remove(t, c.seat(), by=_host(c, t, u)),
    "stand in": lambda c, t, u: c.house.manager.stand_in(t, u),
    "come back": lambda c, t, u: c.house.manager.come_back(t, u),
    "come back too": lambda c, t, u: c.house.manager.come_back(t, u),
    "take": lambda c, t, u: c.house.manager.take_seat(t, c.seat(), u, f"P{u}"),
    "hand over": lambda c, t, u: c.house.manager.hand_over(t, _host(c, t, u), c.dice.pick(USERS)),
    "remind": lambda c, t, u: c.house.manager.remind(t, u),
    "rematch": Crowd.rematch,
    "close": lambda c, t, u: (
        c.house.manager.close_table(t, "closed-ended", user_id=u) if c.dice.below(5) == 0 else None
    ),
}


def _host(crowd: Crowd, table_id: int, user: int) -> int:
    """Mostly the host, for else little would happen."""
    table = crowd.table(table_id)
    return user if table is None or crowd.dice.below(4) == 0 else table.record.host_id


async def _step(house: House, crowd: Crowd, dice: Chance) -> None:
    storage = house.storage
    storage.before, storage.after = dice.below(3), dice.below(3)
    storage.refuses = 1 + dice.below(2) if dice.below(8) == 0 else 0
    match dice.below(12):
        case 0:
            storage.refuses = 0
            await (house.close() if dice.below(2) else house.kill())
            house.clock.time += dice.pick(TIMES)
            assert await house.open() == []
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
    crowd = Crowd(house, dice)
    for _ in range(STEPS):
        await _step(house, crowd, dice)
        await house.agree()
    assert crowd.done, "nothing ever succeeds"
    # Everybody goes home: every table ends of its own, and the channels are free.
    await house.pass_time(UNTOUCHED_LONGEST + 30 * 86_400)
    assert not house.manager.tables
    assert house.manager.next_due() is None
    await house.agree()
    await house.close()
