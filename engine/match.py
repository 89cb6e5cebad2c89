"""One running match: rules, seed and state bound together, legality checked in one place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from engine.chance import Chance
from engine.core import ActionT, Event, Game, OptionValue, Seat, StateT, ViewT
from engine.errors import BadSetup, MatchOver, NotYourTurn, StaleAction


@dataclass(frozen=True, slots=True)
class Match(Generic[StateT, ActionT, ViewT]):
    """A match after `seq` actions. Submitting gives a new Match; this one never changes."""

    game: Game[StateT, ActionT, ViewT]
    seed: bytes
    seats: int
    seq: int
    state: StateT

    @property
    def epoch(self) -> int:
        return self.game.epoch(self.state)

    @property
    def over(self) -> bool:
        return self.game.outcome(self.state) is not None

    def all_seats(self) -> Iterator[Seat]:
        return map(Seat, range(self.seats))

    def pending(self) -> frozenset[Seat]:
        return self.game.pending(self.state)

    def choices(self, seat: Seat) -> tuple[ActionT, ...]:
        """What `seat` may do now: its legal actions, or those it may change its answer to."""
        return self.game.legal(self.state, seat) or self.game.revisions(self.state, seat)

    def view(self, seat: Seat | None) -> ViewT:
        return self.game.view(self.state, seat)

    def submit(
        self, seat: Seat, action: ActionT, *, epoch: int
    ) -> tuple[Match[StateT, ActionT, ViewT], tuple[Event, ...]]:
        """The match after `action`, and what happened.

        Raises MatchOver, StaleAction (`epoch` is not the current one), NotYourTurn (nothing is
        asked of `seat`), or the game's IllegalAction that says why.
        """
        game, state = self.game, self.state
        if game.outcome(state) is not None:
            raise MatchOver
        if epoch != game.epoch(state):
            raise StaleAction
        choices = self.choices(seat)
        if not choices:
            raise NotYourTurn
        if action not in choices:
            raise game.why_not(game.view(state, seat), action)
        seq = self.seq + 1
        step = game.apply(state, seat, action, Chance(self.seed, seq))
        return replace(self, seq=seq, state=step.state), step.events


def start(
    game: Game[StateT, ActionT, ViewT],
    seats: int,
    seed: bytes,
    options: Mapping[str, OptionValue] | None = None,
) -> tuple[Match[StateT, ActionT, ViewT], tuple[Event, ...]]:
    """A new match and the events of its setup. Raises BadSetup and BadOption."""
    info = game.info
    if not info.min_seats <= seats <= info.max_seats:
        raise BadSetup(seats=seats, least=info.min_seats, most=info.max_seats)
    step = game.setup(seats, info.settle(options or {}), Chance(seed, 0))
    return Match(game, seed, seats, 0, step.state), step.events


def replay(
    game: Game[StateT, ActionT, ViewT],
    seats: int,
    seed: bytes,
    options: Mapping[str, OptionValue],
    journal: Sequence[tuple[Seat, ActionT]],
) -> Match[StateT, ActionT, ViewT]:
    """The match that `journal` led to: seed and actions are all it takes."""
    match, _ = start(game, seats, seed, options)
    for seat, action in journal:
        match, _ = match.submit(seat, action, epoch=match.epoch)
    return match
