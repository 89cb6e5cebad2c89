"""The smallest simultaneous game: everybody shows a number, again and again, and dice fall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from engine.chance import Chance
from engine.core import (
    Game,
    GameInfo,
    Option,
    OptionValue,
    Outcome,
    PrivateEvent,
    PublicEvent,
    Seat,
    Step,
)

NUMBERS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Show:
    """Show a number; it may be changed until the last seat has shown one."""

    number: int
    kind: Literal["show"] = "show"


@dataclass(frozen=True, slots=True)
class Answered(PublicEvent):
    seat: Seat
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True, slots=True)
class Thrown(PublicEvent):
    shown: tuple[int, ...]
    dice: int
    kind: Literal["thrown"] = "thrown"


@dataclass(frozen=True, slots=True)
class Told(PrivateEvent):
    number: int
    kind: Literal["told"] = "told"


@dataclass(frozen=True, slots=True)
class State:
    rounds: int
    first: int
    shown: tuple[int | None, ...]
    points: tuple[int, ...]
    dice: tuple[int, ...]  # thrown so far, one a round


class Toy(Game[State, Show, State]):
    info: ClassVar[GameInfo] = GameInfo(
        key="toy",
        rules_version=1,
        min_seats=2,
        max_seats=4,
        options=(
            Option("rounds", 3, (1, 3, 50)),
            Option("first", -1, (-1,), carried=True),
        ),
    )
    state_type = State
    action_type = Show
    event_type: ClassVar[Any] = Answered | Thrown | Told

    def setup(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> Step[State]:
        rounds, first = int(options["rounds"]), int(options["first"])
        state = State(rounds, first, (None,) * seats, (0,) * seats, ())
        return Step(state, (Told(Seat(0), chance.below(1000)),))

    def epoch(self, state: State) -> int:
        return len(state.dice)

    def pending(self, state: State) -> frozenset[Seat]:
        if len(state.dice) == state.rounds:
            return frozenset()
        return frozenset(Seat(s) for s, number in enumerate(state.shown) if number is None)

    def legal(self, state: State, seat: Seat) -> tuple[Show, ...]:
        return tuple(map(Show, NUMBERS)) if seat in self.pending(state) else ()

    def revisions(self, state: State, seat: Seat) -> tuple[Show, ...]:
        return tuple(map(Show, NUMBERS)) if self.pending(state) else ()

    def apply(self, state: State, seat: Seat, action: Show, chance: Chance) -> Step[State]:
        shown = [*state.shown]
        shown[seat] = action.number
        numbers = tuple(n for n in shown if n is not None)
        if len(numbers) < len(shown):
            return Step(replace(state, shown=tuple(shown)), (Answered(seat),))
        dice = chance.below(1_000_000)
        return Step(
            replace(
                state,
                shown=(None,) * len(shown),
                points=tuple(p + n for p, n in zip(state.points, numbers, strict=True)),
                dice=(*state.dice, dice),
            ),
            (Answered(seat), Thrown(numbers, dice), Told(seat, dice)),
        )

    def fallback(self, state: State, seat: Seat) -> Show:
        return Show(0)

    def view(self, state: State, seat: Seat | None) -> State:
        return state

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        return state

    def outcome(self, state: State) -> Outcome | None:
        if len(state.dice) < state.rounds:
            return None
        best = max(state.points)
        winners = frozenset(Seat(s) for s, p in enumerate(state.points) if p == best)
        return Outcome(winners, {Seat(s): p for s, p in enumerate(state.points)}, "toy-points")

    def carry(self, state: State) -> Mapping[str, OptionValue]:
        return {"first": (state.first + 1) % len(state.points)}
