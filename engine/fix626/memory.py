"""What a seat remembers of the other hands: it follows from what it has seen and was told (A46)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core import Seat
from engine.fix626.cards import Character
from engine.fix626.model import (
    Compared,
    HandsTraded,
    KnockedOut,
    Looked,
    Played,
    PrivateNews,
    PublicNews,
    Saw,
    Swapped,
)


def recall(
    me: Seat | None, seats: int, history: Iterable[PublicNews], told: Iterable[PrivateNews]
) -> tuple[Character | None, ...]:
    """For each seat the card that `me` knows it to hold, from this round's events and `me`'s own.

    A mark goes when such a card is played or discarded: a player who holds two alike may still
    have the other one, but nobody can tell. Everyone sees hands being traded, so a mark moves with
    its card.
    """
    known: list[Character | None] = [None] * seats
    learned = [event for event in told if isinstance(event, Saw | Swapped)]
    if not learned:
        return tuple(known)
    lessons = iter(learned)
    for event in history:
        match event:
            case Looked(seat, _) if seat == me:
                _learn(known, next(lessons))
            case Compared(seat, target, _) if me in (seat, target):
                _learn(known, next(lessons))
            case HandsTraded(seat, target):
                known[seat], known[target] = known[target], known[seat]
                if me is not None and me in (seat, target):
                    known[me] = None
                    _learn(known, next(lessons))
            case Played(seat, card, _, _) | KnockedOut(seat, _, card) if known[seat] is card:
                known[seat] = None
            case _:
                pass
    return tuple(known)


def _learn(known: list[Character | None], lesson: Saw | Swapped) -> None:
    known[lesson.seat] = lesson.card if isinstance(lesson, Saw) else lesson.gave
