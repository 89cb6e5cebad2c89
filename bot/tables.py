"""A table in memory, and what listeners hear when it changes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.journal import FEED, News
from bot.records import Record
from bot.refusals import NotBegun
from engine.core import Game, Seat
from engine.match import Match

# The one erasure of the games' own types: a table can hold any game.
AnyGame = Game[Any, Any, Any]
AnyMatch = Match[Any, Any, Any]


@dataclass(slots=True)
class Table:
    """One table. `record` and `match` are values that the ledger swaps; nobody changes them."""

    record: Record
    match: AnyMatch | None
    feed: deque[News] = field(default_factory=lambda: deque[News](maxlen=FEED))
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    moved_at: float = 0.0  # when something happened last, so that computers pause before they move
    touched: dict[int, float] = field(default_factory=dict[int, float])  # last press, by user
    faults: int = 0  # times in a row that what was due here failed by a mistake of ours
    rests_until: float = 0.0  # nothing is done by itself before, because of such a fault

    @property
    def id(self) -> int:
        return self.record.id

    @property
    def seq(self) -> int:
        """How many actions were taken, for log lines."""
        return 0 if self.match is None else self.match.seq

    @property
    def begun(self) -> AnyMatch:
        """The match. Raises NotBegun in the lobby."""
        if self.match is None:
            raise NotBegun
        return self.match

    def pending(self) -> tuple[Seat, ...]:
        """The seats that owe an answer, in seat order."""
        if self.match is None or not self.record.live:
            return ()
        return tuple(sorted(self.match.pending()))

    def waiting_for(self) -> tuple[Seat, ...]:
        """The pending seats whose people the table waits for."""
        return tuple(s for s in self.pending() if self.record.sitters[s].waits)

    def automatic(self) -> tuple[Seat, ...]:
        """The pending seats for which the computer answers now; none while the table is paused."""
        if self.record.paused_at is not None:
            return ()
        return tuple(s for s in self.pending() if not self.record.sitters[s].waits)


@dataclass(frozen=True, slots=True)
class Change:
    """What was written: the news of it, and what it means for those who show the table."""

    table: Table
    news: tuple[News, ...] = ()
    actor: int | None = None  # the user whose press this was; that press shows them the result
    new_question: bool = False
    remind: bool = False
    fresh_board: bool = False  # the board should stand at the bottom of its channel again


Listener = Callable[[Change], None]
