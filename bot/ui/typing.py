"""Moves that are typed instead of pressed: labels of the legal actions, matched leniently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from bot.refusals import TypedTooLittle, TypedUnknown
from bot.tables import AnyMatch
from bot.ui.presenter import AnyPresenter, Scene
from engine.choosing import Pick, Question, ask
from engine.core import Seat
from engine.errors import NotYourTurn

MOST = 25

MOVE = "move"
"""The field of a command that takes whole moves, where a game has too many kinds of them."""


def suggestions(
    match: AnyMatch,
    seat: Seat,
    field: str,
    given: Mapping[str, str],
    typed: str,
    presenter: AnyPresenter,
    scene: Scene,
) -> list[str]:
    """What `seat` may type for `field` after the other fields in `given`; at most 25 labels."""
    view = match.view(seat)
    left: Sequence[Any] = match.choices(seat)
    for name, text in given.items():
        if name != field and text:
            left = _matching(left, name, text, view, presenter, scene)
    labels = dict.fromkeys(
        _text(field, value, view, presenter, scene)
        for action in left
        if (value := _value(action, field)) is not None
    )
    wanted = _plain(typed).replace(",", " ").split()
    return [label for label in labels if all(word in _plain(label) for word in wanted)][:MOST]


def pick_typed(
    match: AnyMatch,
    seat: Seat,
    typed: Mapping[str, str],
    presenter: AnyPresenter,
    scene: Scene,
) -> Any:
    """The one legal action that was typed.

    Raises NotYourTurn; the game's own reason for an action that is not legal; TypedUnknown for
    words that mean nothing here; TypedTooLittle when something was left out.
    """
    choices = match.choices(seat)
    if not choices:
        raise NotYourTurn
    view = match.view(seat)
    left: Sequence[Any] = choices
    for name, text in typed.items():
        if not text:
            continue
        found = _matching(left, name, text, view, presenter, scene)
        if not found:
            attempt = presenter.typed(typed, view, scene)
            if attempt in choices:
                return attempt
            if attempt is not None:
                raise match.game.why_not(view, attempt)
            raise TypedUnknown(typed=text)
        left = found
    question = ask(left)
    if isinstance(question, Question | Pick):
        raise TypedTooLittle(question=presenter.prompt(question.field, view, scene))
    return question


def _matching(
    actions: Sequence[Any],
    field: str,
    text: str,
    view: Any,
    presenter: AnyPresenter,
    scene: Scene,
) -> list[Any]:
    """The actions whose `field` is labelled `text`; part of a label will do if it fits one only.

    Values that read the same are the same to whoever types: any of them will do.
    """
    found = (value for action in actions if (value := _value(action, field)) is not None)
    values = list(dict.fromkeys(found))
    hit = named(text, (_text(field, value, view, presenter, scene) for value in values))
    if hit is None:
        return []
    return [action for action in actions if _value(action, field) == values[hit]]


def _value(action: Any, field: str) -> Any:
    """What `action` says for a field of a command; None for nothing."""
    if field == MOVE:
        return action
    return getattr(action, field) if field in {f.name for f in fields(action)} else None


def _text(field: str, value: Any, view: Any, presenter: AnyPresenter, scene: Scene) -> str:
    if field == MOVE:
        return presenter.action(value, view, scene)
    return presenter.label(field, value, view, scene).text


def named(text: str, labels: Iterable[str]) -> int | None:
    """Which label somebody meant: the same words, or a part of exactly one; None if unclear."""
    wanted = _plain(text)
    plain = [_plain(label) for label in labels]
    same = [i for i, label in enumerate(plain) if label == wanted]
    part = [i for i, label in enumerate(plain) if wanted in label]
    return same[0] if same else part[0] if wanted and len(part) == 1 else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
