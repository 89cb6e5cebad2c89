"""Computer players at work: at most one a table thinks, and the game never waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.tables import AnyMatch, Change, Table
from bot.thinking import Thinker
from engine.core import Seat

log = logging.getLogger(__name__)

STAND_IN_LEVEL = "normal"
"""How well the computer plays for a person."""

Play = Callable[[Table, AnyMatch, Seat, object], Awaitable[None]]


class Computers:
    """Lets a thinker decide outside a table's lane, then hands what it decided to `play`.

    A thinker that fails, or takes longer than `longest` seconds, has decided None.
    """

    def __init__(self, thinker: Thinker, longest: float, play: Play) -> None:
        self._thinker = thinker
        self._longest = longest
        self._play = play
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def busy(self, table: Table) -> bool:
        """Whether somebody thinks at this table."""
        return table.id in self._tasks

    def think(self, table: Table, seat: Seat) -> None:
        """Begin to decide for `seat`."""
        match, level = table.begun, table.record.sitters[seat].level or STAND_IN_LEVEL
        task = asyncio.create_task(self._run(table, match, seat, level))
        self._tasks[table.id] = task

        def done(task: asyncio.Task[None]) -> None:
            if self._tasks.get(table.id) is task:
                del self._tasks[table.id]

        task.add_done_callback(done)

    def changed(self, change: Change) -> None:
        """What is thought about a question that is no longer asked is of no use."""
        over = change.new_question or not change.table.record.live
        if over and (task := self._tasks.pop(change.table.id, None)) is not None:
            # If it has decided, this stops only its wait for the move, which is a task of its own.
            task.cancel()

    async def close(self) -> None:
        """Stop thinking."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, table: Table, match: AnyMatch, seat: Seat, level: str) -> None:
        await self._play(table, match, seat, await self._decision(table, match, seat, level))

    async def _decision(self, table: Table, match: AnyMatch, seat: Seat, level: str) -> object:
        try:
            async with asyncio.timeout(self._longest):
                decided = await self._thinker.decide(match, seat, level)
            if decided is None:
                log.error("table %d seq %d: a computer player said nothing", table.id, match.seq)
            return decided
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # Nobody cancelled us: what the thinker itself waited for was.
            log.error("table %d seq %d: a computer player was cut off", table.id, match.seq)
        except TimeoutError:
            log.warning("table %d seq %d: a computer player is too slow", table.id, match.seq)
        except Exception:
            # Any other fault of a computer player.
            log.exception("table %d seq %d: a computer player failed", table.id, match.seq)
        return None
