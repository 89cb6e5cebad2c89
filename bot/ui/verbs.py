"""What a button or menu can mean, and how that is written into its custom id.

`t:<table>:<epoch>:<verb>` or `t:<table>:<epoch>:<verb>:<rest>`, with `s:` in front for menus.
Everything in it is public or the reader's own, and all of it is checked again when it comes back.
Hyphens at the end mean nothing: they tell apart two menus of one message that ask the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.choosing import Answer
from engine.errors import StaleAction

TEMPLATE = r"(?P<table>\d{1,18}):(?P<epoch>\d{1,9}):(?P<verb>[a-z]+)(?::(?P<rest>[0-9.+a-z_]*))?-*"
LONGEST = 100
"""Characters in a custom id, by Discord's rules."""


class Verb(StrEnum):
    """Every thing that can be pressed."""

    JOIN = "join"
    LEAVE = "leave"
    ADD = "add"  # a computer player; the menu answers the level
    BEGIN = "begin"
    OPTIONS = "opts"
    OPTION = "opt"  # rest: the option's key; the menu answers the index of its value
    CLOCK = "clock"  # the menu answers seconds
    HAND = "hand"
    DO = "do"  # rest: the path of answers so far
    PICK = "pick"  # rest: the path so far; the menu answers the next step
    SURE = "sure"  # rest: the path; like DO, after the warning
    RULES = "rules"  # rest: the page
    LOG = "log"  # rest: the page
    MORE = "more"
    QUIT = "quit"  # leave a running game; asks first
    QUIT_SURE = "quitsure"
    AUTO = "auto"  # let the computer play for me
    BACK = "back"
    REMIND = "remind"
    PINGS = "pings"
    KEEP = "keep"  # a lobby's options, as the server's defaults
    KICK = "kick"  # the menu answers who (see frame.identity); asks first in a game
    KICK_SURE = "kicksure"  # rest: the user
    HOST = "host"  # the menu answers who
    SIT = "sit"  # take over a seat; the menu answers whose
    END = "end"  # asks first
    END_SURE = "endsure"
    AGAIN = "again"
    GONE = "gone"  # an id that this version does not know


Path = tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press as it came in: what its custom id says, and what a menu answered."""

    table: int
    epoch: int
    verb: Verb
    rest: str = ""
    values: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The answers up to and including this press. Raises StaleAction when it is no path."""
        path = read_path(self.rest)
        if self.verb is Verb.PICK:
            path = (*path, _numbers(self.values))
        return path

    def number(self) -> int:
        """The one number that a menu answered. Raises StaleAction."""
        numbers = _numbers(self.values)
        if len(numbers) != 1:
            raise StaleAction
        return numbers[0]


def with_path(verb: Verb, path: Path) -> str:
    """The verb of a button or menu that goes on from `path`."""
    return f"{verb}:{write_path(path)}" if path else str(verb)


def write_path(path: Path) -> str:
    return ".".join("+".join(map(str, answer)) for answer in path)


def read_path(written: str) -> Path:
    """Raises StaleAction when `written` is no path."""
    if not written:
        return ()
    return tuple(_numbers(part.split("+")) for part in written.split("."))


def _numbers(parts: Sequence[str]) -> Answer:
    if not parts or not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        raise StaleAction
    return tuple(int(part) for part in parts)
