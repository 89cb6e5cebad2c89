"""What happens to a table when nobody presses anything, and when. Pure: the manager acts on it.

All times stand in the record, so a restart loses none; there is no timer per table. The bot asks
once a second what is due (`Manager.tick`), and a thing that is no longer due is simply not done.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

from bot.records import Record, Stage
from bot.tables import AnyMatch

LOBBY_IDLE = 30 * 60
PAUSE_LONGEST = 24 * 60 * 60
UNTOUCHED_LONGEST = 7 * 24 * 60 * 60
MISSED_BEFORE_AWAY = 2
MOMENT = 30
"""Seconds that somebody who comes back to a question has at least."""


class Thing(Enum):
    """What is due."""

    CLOSE_IDLE = auto()  # a lobby that everybody forgot
    CLOSE_PAUSED = auto()  # a game without people for a day
    CLOSE_FORGOTTEN = auto()  # a game without a clock that nobody touched for a week
    COMPUTER = auto()  # a seat that no person answers for makes its move
    REMIND = auto()  # half of the time is over
    TIME_OUT = auto()  # all of it is


@dataclass(frozen=True, slots=True)
class Due:
    """`thing` is to be done at `at` (Unix seconds) or later."""

    at: float
    thing: Thing


def next_due(record: Record, computer_at: float | None) -> Due | None:
    """The next thing due at a table; `computer_at` is when a computer player may make its move.

    A paused table waits for its people alone: nothing is played in front of nobody.
    """
    if record.stage is Stage.LOBBY:
        return Due(record.touched_at + LOBBY_IDLE, Thing.CLOSE_IDLE)
    if record.stage is not Stage.PLAYING:
        return None
    if record.paused_at is not None:
        return Due(record.paused_at + PAUSE_LONGEST, Thing.CLOSE_PAUSED)
    found: list[Due] = []
    if computer_at is not None:
        found.append(Due(computer_at, Thing.COMPUTER))
    if record.deadline is not None:
        half = Due(record.deadline - record.clock / 2, Thing.REMIND)
        found.append(Due(record.deadline, Thing.TIME_OUT) if record.reminded else half)
    if not record.clock:
        # Without a clock nobody is ever found to be away, and the channel must become free.
        found.append(Due(record.touched_at + UNTOUCHED_LONGEST, Thing.CLOSE_FORGOTTEN))
    return min(found, key=lambda due: due.at, default=None)


def asked(record: Record, match: AnyMatch, now: float) -> Record:
    """The record when a new question is put."""
    record = replace(record, asked_at=now, reminded=False, pinged=False)
    return timed(record, match, now, anew=True)


def timed(record: Record, match: AnyMatch, now: float, *, anew: bool = False) -> Record:
    """The record with a deadline exactly if there is a clock and the table waits for somebody.

    The time that runs goes on, unless it starts `anew`.
    """
    waits = any(record.sitters[seat].waits for seat in match.pending())
    if not (record.clock and waits):
        return replace(record, deadline=None)
    if anew or record.asked_at is None:
        return replace(record, deadline=now + record.clock, reminded=False)
    if record.deadline is None:
        # Who goes and comes back has what is left of the question's time, and a moment to look.
        left = max(record.asked_at + record.clock, now + min(MOMENT, record.clock))
        return replace(record, deadline=left)
    return record


def ended(record: Record, stage: Stage, reason: str, now: float) -> Record:
    """The record of a table that has ended: nothing runs any more, the channel is free."""
    return replace(
        record,
        stage=stage,
        reason=reason,
        ended_at=now,
        asked_at=None,
        deadline=None,
        paused_at=None,
    )


def shifted(record: Record, seconds: float) -> Record:
    """The record with every running time moved by `seconds`, in which no bot ran."""

    def later(moment: float | None) -> float | None:
        return None if moment is None else moment + seconds

    return replace(
        record,
        touched_at=record.touched_at + seconds,
        asked_at=later(record.asked_at),
        deadline=later(record.deadline),
        paused_at=later(record.paused_at),
    )
