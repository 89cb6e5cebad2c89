"""What happens to a table when nobody presses anything, and when. Pure: the manager acts on it.

All times stand in the record, so a restart loses none; there is no timer per table. The bot asks
once a second what is due (`Manager.tick`), and a thing that is no longer due is simply not done.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from bot.records import Record, Stage

LOBBY_IDLE = 30 * 60
PAUSE_LONGEST = 24 * 60 * 60
MISSED_BEFORE_AWAY = 2


class Thing(Enum):
    """What is due."""

    CLOSE_IDLE = auto()  # a lobby that everybody forgot
    CLOSE_PAUSED = auto()  # a game without people for a day
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
    return min(found, key=lambda due: due.at, default=None)
