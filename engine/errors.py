"""Everything that can be refused, as one small tree of codes; the sentences live in bot/texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

Param = str | int


class GameError(Exception):
    """A request that is refused; `code` and `params` may be shown to the person who asked."""

    code: ClassVar[str] = "refused"

    def __init__(self, **params: Param) -> None:
        self.params: dict[str, Param] = params
        super().__init__(f"{self.code} {params}" if params else self.code)


class IllegalAction(GameError):
    """The action is not among the seat's legal ones; subclasses say why."""

    code = "illegal-action"


class NotYourTurn(GameError):
    """Nothing is being asked of this seat now."""

    code = "not-your-turn"


class StaleAction(GameError):
    """The action answers a question that is no longer asked."""

    code = "stale-action"


class MatchOver(GameError):
    """The match has ended."""

    code = "match-over"


class BadSetup(GameError):
    """The number of seats is outside what the game allows; params: seats, least, most."""

    code = "bad-setup"


class BadOption(GameError):
    """An option is unknown or has a value the game does not offer; params: option, value."""

    code = "bad-option"


class BadDeck(GameError):
    """An owner's own deck file is wrong; params: file, line, problem (a sentence's code)."""

    code = "bad-deck"


def all_errors(base: type[GameError] = GameError) -> Iterator[type[GameError]]:
    """`base` and every subclass known so far, for the test that each has its sentence."""
    yield base
    for sub in base.__subclasses__():
        yield from all_errors(sub)
