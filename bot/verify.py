"""What a published seed dealt, for players who compare it with what they saw."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence, Set
from enum import Enum
from typing import cast

from bot.tables import AnyMatch
from bot.texts import Words
from bot.ui.panel import Panel
from bot.ui.presenter import AnyPresenter, Guest, Scene


def dealt(match: AnyMatch, presenter: AnyPresenter, words: Words) -> str:
    """The seed's fingerprint, what each seat saw, and the whole state, as the match stands."""
    names = [f"Seat {seat + 1}" for seat in match.all_seats()]
    guests = tuple(Guest(name, name) for name in names)
    parts = [f"SHA-256 of the seed: {hashlib.sha256(match.seed).hexdigest()}"]
    for seat in match.all_seats():
        hand = presenter.hand(match.view(seat), Scene(words, guests, seat))
        parts.append(Panel(f"{names[seat]} saw", hand).text())
    everything = "\n".join(_lines(match.state))
    return "\n\n".join([*parts, f"# All that lay there then\n{everything}"])


def _lines(value: object, indent: str = "") -> Iterator[str]:
    """A value with named fields, one a line; what lies inside it is indented."""
    for name, inner in _fields(value).items():
        if _fields(inner):
            yield f"{indent}{name}:"
            yield from _lines(inner, f"{indent}  ")
        else:
            yield f"{indent}{name}: {json.dumps(_plain(inner))}"


def _fields(value: object) -> dict[str, object]:
    """The named fields of a dataclass or a NamedTuple; none of anything else."""
    names = getattr(value, "_fields", ())
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
    return {name: getattr(value, name) for name in names}


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if fields := _fields(value):
        return {name: _plain(inner) for name, inner in fields.items()}
    if isinstance(value, Sequence | Set) and not isinstance(value, str):
        return [_plain(inner) for inner in cast("Iterable[object]", value)]
    return value
