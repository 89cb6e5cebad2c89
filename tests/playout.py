"""Random games from a seed, for every test that wants many positions of any game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.chance import Chance
from engine.core import Event, Game, OptionValue, Seat
from engine.match import Match, start

AnyGame = Game[Any, Any, Any]
AnyMatch = Match[Any, Any, Any]

LONGEST = 5_000
"""More actions than any game can take; reaching it is a failure."""


@dataclass(frozen=True)
class Move:
    """One step of a playout: `seat` took `action` in `before`, which gave `after` and `events`."""

    before: AnyMatch
    seat: Seat
    action: Any
    after: AnyMatch
    events: tuple[Event, ...]


def opening(game: AnyGame, seed: bytes) -> tuple[AnyMatch, tuple[Event, ...]]:
    """A match whose number of seats and options are drawn from `seed`."""
    dice = Chance(b"opening" + seed, 0)
    seats = game.info.min_seats + dice.below(game.info.max_seats - game.info.min_seats + 1)
    options: dict[str, OptionValue] = {
        option.key: dice.pick(option.values) for option in game.info.options if not option.carried
    }
    return start(game, seats, seed, options)


def moves(game: AnyGame, seed: bytes, *, most: int = LONGEST) -> Iterator[Move]:
    """The moves of a random game, at most `most` of them; now and then somebody thinks again."""
    dice = Chance(b"players" + seed, 0)
    match, _ = opening(game, seed)
    for _ in range(most):
        if match.over:
            return
        seats = sorted(s for s in match.all_seats() if match.choices(s))
        pending = match.pending()
        seat = dice.pick(seats if dice.below(8) == 0 else [s for s in seats if s in pending])
        action = dice.pick(match.choices(seat))
        after, events = match.submit(seat, action, epoch=match.epoch)
        yield Move(match, seat, action, after, events)
        match = after
    assert most < LONGEST, "the game does not end"


def positions(game: AnyGame, seed: bytes, *, most: int = LONGEST) -> Iterator[AnyMatch]:
    """Every match that a random game passes through, from the opening to the end."""
    match, _ = opening(game, seed)
    yield match
    for move in moves(game, seed, most=most):
        yield move.after
