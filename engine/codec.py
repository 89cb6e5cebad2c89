"""A game's values to JSON and back, by their dataclass annotations."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from engine.core import ActionT, Event, Game, StateT, ViewT

T = TypeVar("T")


class Unreadable(Exception):
    """Stored JSON does not describe a value of this game: a damaged row, or another version's."""


class Codec(Generic[StateT, ActionT, ViewT]):
    """JSON for one game's states, actions and events; loading raises Unreadable."""

    def __init__(self, game: Game[StateT, ActionT, ViewT]) -> None:
        self._state: TypeAdapter[StateT] = TypeAdapter(game.state_type)
        self._action: TypeAdapter[ActionT] = TypeAdapter(game.action_type)
        self._event: TypeAdapter[Event] = TypeAdapter(game.event_type)

    def dump_state(self, state: StateT) -> str:
        return self._state.dump_json(state).decode()

    def load_state(self, raw: str) -> StateT:
        return _load(self._state, raw)

    def dump_action(self, action: ActionT) -> str:
        return self._action.dump_json(action).decode()

    def load_action(self, raw: str) -> ActionT:
        return _load(self._action, raw)

    def dump_event(self, event: Event) -> str:
        return self._event.dump_json(event).decode()

    def load_event(self, raw: str) -> Event:
        return _load(self._event, raw)


def _load(adapter: TypeAdapter[T], raw: str) -> T:
    try:
        return adapter.validate_json(raw)
    except ValidationError as error:
        # The values in pydantic's message may be secrets; its count and kinds are not.
        kinds = sorted({detail["type"] for detail in error.errors(include_input=False)})
        raise Unreadable(f"{error.error_count()} errors: {', '.join(kinds)}") from None
