"""A small language for the shape of a JSON body: which keys, which types, which lengths.

A shape is a function `(form, path, value) -> None` that notes on the form what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import Any

from tests.wire.errors import BadRequest

Path = tuple[str | int, ...]


class Form:
    """Gathers everything that is wrong with one body."""

    def __init__(self) -> None:
        self.errors: list[tuple[Path, str, str]] = []

    def wrong(self, path: Path, code: str, message: str) -> None:
        self.errors.append((path, code, message))

    def refuse(self) -> None:
        """Raise what Discord answers if anything is wrong."""
        if self.errors:
            raise BadRequest(400, 50035, "Invalid Form Body", errors=self._nested())

    def _nested(self) -> dict[str, Any]:
        root: dict[str, Any] = {}
        for path, code, message in self.errors:
            node = root
            for part in path:
                node = node.setdefault(str(part), {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        return root

    def __str__(self) -> str:
        return "; ".join(f"{'.'.join(map(str, p))}: {code} {text}" for p, code, text in self.errors)


Shape = Callable[[Form, Path, Any], None]


def anything(form: Form, path: Path, value: Any) -> None:
    """A part that nobody here looks into."""


def text(low: int, high: int, pattern: str | None = None) -> Shape:
    """A string; white space alone counts as empty, as Discord strips it."""

    def check(form: Form, path: Path, value: Any) -> None:
        if not isinstance(value, str):
            form.wrong(path, "BASE_TYPE_STRING", f"must be a string, not {value!r}")
        elif low and not value.strip():
            form.wrong(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif not low <= len(value) <= high:
            form.wrong(path, "BASE_TYPE_BAD_LENGTH", f"{len(value)}: between {low} and {high}")
        elif pattern and not re.fullmatch(pattern, value):
            form.wrong(path, "STRING_TYPE_REGEX", f"{value!r} does not match {pattern}")

    return check


def number(low: float, high: float, *, whole: bool = True) -> Shape:
    def check(form: Form, path: Path, value: Any) -> None:
        kinds = (int,) if whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            form.wrong(path, "NUMBER_TYPE_COERCE", f"{value!r} is not a number")
        elif not low <= value <= high:
            form.wrong(path, "NUMBER_TYPE_RANGE", f"{value}: between {low} and {high}")

    return check


def boolean(form: Form, path: Path, value: Any) -> None:
    if not isinstance(value, bool):
        form.wrong(path, "BASE_TYPE_BOOLEAN", f"{value!r} is neither true nor false")


def snowflake(form: Form, path: Path, value: Any) -> None:
    """An id as a decimal string; whole numbers are taken too, as the API does."""
    if isinstance(value, bool) or not re.fullmatch(r"\d{1,20}", str(value)):
        form.wrong(path, "NUMBER_TYPE_COERCE", f"{value!r} is not a snowflake")


def one_of(*values: Hashable) -> Shape:
    def check(form: Form, path: Path, value: Any) -> None:
        if isinstance(value, bool) or value not in values:
            form.wrong(path, "BASE_TYPE_CHOICES", f"{value!r} is none of {values}")

    return check


def many(item: Shape, low: int, high: int) -> Shape:
    def check(form: Form, path: Path, value: Any) -> None:
        if not isinstance(value, list):
            form.wrong(path, "BASE_TYPE_LIST", f"must be a list, not {value!r}")
            return
        if not low <= len(value) <= high:
            form.wrong(path, "BASE_TYPE_BAD_LENGTH", f"{len(value)}: between {low} and {high}")
        for at, one in enumerate(value):
            item(form, (*path, at), one)

    return check


def mapping(keys: Hashable, value_shape: Shape) -> Shape:
    """An object whose keys are all among `keys`."""

    def check(form: Form, path: Path, value: Any) -> None:
        for key, one in value.items() if isinstance(value, dict) else ():
            if key not in keys:  # type: ignore[operator]
                form.wrong((*path, key), "BASE_TYPE_CHOICES", f"unknown key {key!r}")
            value_shape(form, (*path, key), one)

    return check


def record(required: dict[str, Shape], optional: dict[str, Shape] | None = None) -> Shape:
    """An object; a key it does not name is an error, an optional one may be null."""
    optional = optional or {}
    known = required | optional

    def check(form: Form, path: Path, value: Any) -> None:
        if not isinstance(value, dict):
            form.wrong(path, "MODEL_TYPE_CONVERT", f"must be an object, not {value!r}")
            return
        for key in required.keys() - value.keys():
            form.wrong((*path, key), "BASE_TYPE_REQUIRED", "This field is required")
        for key, one in value.items():
            if key not in known:
                form.wrong((*path, key), "UNKNOWN_KEY", "Discord knows no such field here")
            elif one is not None or key in required:
                known[key](form, (*path, key), one)

    return check


def by_type(place: str, shapes: dict[int, Shape]) -> Shape:
    """An object whose `type` picks its shape; any other type does not belong in this place."""

    def check(form: Form, path: Path, value: Any) -> None:
        kind = value.get("type") if isinstance(value, dict) else None
        if kind not in shapes:
            message = f"type {kind!r} cannot stand in a {place}: one of {sorted(shapes)}"
            form.wrong((*path, "type"), "UNION_TYPE_CHOICES", message)
        else:
            shapes[kind](form, path, value)

    return check


def also(*checks: Shape) -> Shape:
    """The first shape, and the rest only if the first found nothing wrong."""

    def check(form: Form, path: Path, value: Any) -> None:
        for one in checks:
            before = len(form.errors)
            one(form, path, value)
            if len(form.errors) > before:
                return

    return check
