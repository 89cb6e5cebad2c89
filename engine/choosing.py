"""Choosing one of many whole actions in small steps: card, then target, then guess.

A path is the answers so far. The answer to a Question is the index of one of its values; the answer
to a Pick is the indices of the items chosen. Everything here is derived from the legal actions, so
no menu can offer what the rules refuse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import Field, dataclass, fields
from typing import Any, ClassVar, Protocol, TypeVar, cast

from engine.errors import StaleAction


class Record(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


RecordT = TypeVar("RecordT", bound=Record)

Answer = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Which value of `field`? `values` are in a fixed order, so an index names one."""

    field: str
    values: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """Which of `items`, `least` to `most` of them? Asked where a field's values are tuples.

    `combinations` are the sets of indices that the legal actions allow.
    """

    field: str
    items: tuple[object, ...]
    least: int
    most: int
    combinations: frozenset[Answer]


def ask(actions: Sequence[RecordT], path: Sequence[Answer] = ()) -> Question | Pick | RecordT:
    """The next question after the answers in `path`, or the one action that they leave.

    Raises StaleAction when `path` does not fit `actions`: it was made for other ones.
    """
    left, answers = list(actions), list(path)
    if not left:
        raise StaleAction
    while len(left) > 1:
        name = _first_difference(left)
        question, by_answer = _question(
            name, tuple(dict.fromkeys(getattr(a, name, None) for a in left))
        )
        if not answers:
            return question
        answer = tuple(sorted(answers.pop(0)))
        if answer not in by_answer:
            raise StaleAction
        chosen = by_answer[answer]
        left = [a for a in left if getattr(a, name, None) == chosen]
    if answers:
        raise StaleAction
    return left[0]


def _question(
    name: str, values: tuple[object, ...]
) -> tuple[Question | Pick, dict[Answer, object]]:
    """The question that tells `values` apart, and the value that each answer to it means."""
    if not all(isinstance(value, tuple) for value in values):
        return Question(name, values), {(i,): value for i, value in enumerate(values)}
    sets = cast("tuple[tuple[object, ...], ...]", values)
    items = tuple(dict.fromkeys(item for chosen in sets for item in chosen))
    place = {item: i for i, item in enumerate(items)}
    by_answer: dict[Answer, object] = {
        tuple(sorted(place[item] for item in chosen)): chosen for chosen in sets
    }
    sizes = [len(chosen) for chosen in sets]
    return Pick(name, items, min(sizes), max(sizes), frozenset(by_answer)), by_answer


def _first_difference(actions: Sequence[Record]) -> str:
    """The first field in which they differ, as written; one that a kind lacks is None there."""
    kinds = dict.fromkeys(map(type, actions))
    names = [f.name for kind in kinds for f in fields(kind) if f.name != "kind"]
    found = (n for n in (*names, "kind") if len({getattr(a, n, None) for a in actions}) > 1)
    return next(found)
