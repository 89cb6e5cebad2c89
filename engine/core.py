"""The contract between the rules of any game and everything else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, NewType, TypeVar

from engine.chance import Chance
from engine.errors import BadOption, GameError, IllegalAction

Seat = NewType("Seat", int)
"""A place at the table, 0..n-1 in clockwise order; never a user's id."""

OptionValue = bool | int | str

StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
ViewT = TypeVar("ViewT")


@dataclass(frozen=True, slots=True)
class PublicEvent:
    """Something that everyone at the table, and anyone watching, may know."""


@dataclass(frozen=True, slots=True)
class PrivateEvent:
    """Something that one seat alone may know."""

    to: Seat


Event = PublicEvent | PrivateEvent


def visible(events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
    """The events that `seat` may see; None is a watcher without a seat."""
    return tuple(e for e in events if isinstance(e, PublicEvent) or e.to == seat)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. No winners means that the table lost together.

    `reason` is a code in the style of the errors; its sentence lives in bot/texts.
    """

    winners: frozenset[Seat]
    scores: Mapping[Seat, int]
    reason: str


class Step(NamedTuple, Generic[StateT]):
    """What applying an action gives: the next state and what happened on the way, in order."""

    state: StateT
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made in the lobby. `values` are all it can be, the default among them.

    A `carried` option is never shown: a rematch hands it on (see `Game.carry`), and it may take any
    value of its default's type.
    """

    key: str
    default: OptionValue
    values: tuple[OptionValue, ...]
    carried: bool = False


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The fixed facts of a game; `rules_version` rises when old journals would replay otherwise."""

    key: str
    rules_version: int
    min_seats: int
    max_seats: int
    options: tuple[Option, ...] = ()

    def settle(self, chosen: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """Every option's value: the chosen one or its default. Raises BadOption."""
        for key, value in chosen.items():
            if not self._takes(key, value):
                raise BadOption(option=key, value=str(value))
        return {option.key: chosen.get(option.key, option.default) for option in self.options}

    def still_offered(self, kept: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """What of `kept`, which an older version may have offered, can be chosen."""
        return {key: value for key, value in kept.items() if self._takes(key, value)}

    def _takes(self, key: str, value: OptionValue) -> bool:
        option = next((option for option in self.options if option.key == key), None)
        if option is None or type(value) is not type(option.default):
            return False
        return option.carried or value in option.values


class Game(ABC, Generic[StateT, ActionT, ViewT]):
    """The rules of one game: pure functions over a frozen state; the object holds no state itself.

    Actions and events are frozen dataclasses with a `kind: Literal["..."]` field, unique within the
    game. An action's other fields stand in the order in which a person is asked for them
    (see engine.choosing).
    """

    info: ClassVar[GameInfo]
    # What pydantic is given to read a state, an action or an event back from JSON: a class or a
    # union of classes. Unions have no common type that a checker could name.
    state_type: ClassVar[Any]
    action_type: ClassVar[Any]
    event_type: ClassVar[Any]
    # Names the data files behind the rules (a hash); tables of another edition can't be continued.
    edition: str = ""

    @abstractmethod
    def setup(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> Step[StateT]:
        """A new match for `seats` seats; `options` are whole, as `GameInfo.settle` gives them."""

    @abstractmethod
    def epoch(self, state: StateT) -> int:
        """Number of the question being asked; it rises with every new question, never falls.

        Answers to a simultaneous question all belong to one epoch: what a seat may answer does not
        change within it.
        """

    @abstractmethod
    def pending(self, state: StateT) -> frozenset[Seat]:
        """Who still owes an answer: one seat on a turn, several in a simultaneous choice."""

    @abstractmethod
    def legal(self, state: StateT, seat: Seat) -> tuple[ActionT, ...]:
        """Every action `seat` may take, whole, in a fixed order; () exactly when it is not pending.

        Depends on nothing that the seat can't see.
        """

    def revisions(self, state: StateT, seat: Seat) -> tuple[ActionT, ...]:
        """What a seat that has answered may still change its answer to; () where answers bind."""
        del state, seat
        return ()

    @abstractmethod
    def apply(self, state: StateT, seat: Seat, action: ActionT, chance: Chance) -> Step[StateT]:
        """The next state and what happened. `action` is known to be legal; `state` stays."""

    @abstractmethod
    def fallback(self, state: StateT, seat: Seat) -> ActionT:
        """The legal action taken when nobody decides: harmless, and always the same."""

    @abstractmethod
    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """All that `seat` may know, built up from nothing; None is a watcher without a seat.

        It carries what the last events said, so that a picture drawn from it tells as much.
        """

    @abstractmethod
    def resample(self, state: StateT, seat: Seat | None, chance: Chance) -> StateT:
        """A state that `seat` can't tell from this one, drawn at random from what it can't see."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """How the match ended, or None while it goes on."""

    def why_not(self, view: ViewT, action: ActionT) -> GameError:
        """Why `action` is not legal, said from what its seat can see."""
        del view, action
        return IllegalAction()

    def carry(self, state: StateT) -> Mapping[str, OptionValue]:
        """Carried options that a finished match hands to its rematch."""
        del state
        return {}
