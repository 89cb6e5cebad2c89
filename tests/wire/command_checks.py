"""The rules of registering application commands."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from tests.wire.checks import choice
from tests.wire.shapes import (
    Form,
    Path,
    Shape,
    also,
    boolean,
    by_type,
    many,
    mapping,
    number,
    one_of,
    record,
    text,
)

LOCALES = frozenset(
    [
        "id",
        "da",
        "de",
        "en-GB",
        "en-US",
        "es-ES",
        "es-419",
        "fr",
        "hr",
        "it",
        "lt",
        "hu",
        "nl",
        "no",
        "pl",
        "pt-BR",
        "ro",
        "fi",
        "sv-SE",
        "vi",
        "tr",
        "cs",
        "el",
        "bg",
        "ru",
        "uk",
        "hi",
        "th",
        "zh-CN",
        "ja",
        "zh-TW",
        "ko",
        "ar",
        "he",
    ]
)
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL = 1, 2, 3, 4, 5, 6, 7
ROLE, MENTIONABLE, NUMBER, ATTACHMENT = 8, 9, 10, 11
MOST_COMMANDS, MOST_TEXT = 100, 8000


def name(form: Form, path: Path, value: Any) -> None:
    """1 to 32 letters, digits, hyphens, underscores or apostrophes, none of them a capital."""
    text(1, 32)(form, path, value)
    if not isinstance(value, str):
        return
    if not all(c in "-_'" or unicodedata.category(c)[0] in "LN" or _indic(c) for c in value):
        form.wrong(path, "APPLICATION_COMMAND_INVALID_NAME", f"{value!r}: letters, digits, - or _")
    elif value != value.lower():
        form.wrong(path, "APPLICATION_COMMAND_INVALID_NAME", f"{value!r} is not in lower case")


def _indic(c: str) -> bool:
    """Marks of Devanagari and Thai, which the rule allows by script."""
    return unicodedata.name(c, "").startswith(("DEVANAGARI", "THAI"))


def _described(name_shape: Shape) -> dict[str, dict[str, Shape]]:
    return {
        "required": {"name": name_shape, "description": text(1, 100)},
        "optional": {
            "name_localizations": mapping(LOCALES, name_shape),
            "description_localizations": mapping(LOCALES, text(1, 100)),
        },
    }


_words = _described(name)


def option(kind: int, **optional: Shape) -> Shape:
    return record(
        {"type": one_of(kind), **_words["required"]},
        {"required": boolean, **_words["optional"], **optional},
    )


def choices_are_unique(form: Form, path: Path, value: Any) -> None:
    given = value.get("choices") or []
    if value.get("autocomplete") and given:
        code = "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_WITH_CHOICES"
        form.wrong((*path, "choices"), code, "choices and autocomplete exclude each other")
    for key in ("name", "value"):
        if len({c[key] for c in given}) < len(given):
            code = f"APPLICATION_COMMAND_OPTIONS_CHOICE_{key.upper()}_ALREADY_EXISTS"
            form.wrong((*path, "choices"), code, f"two choices have the same {key}")
    for low, high in (("min_value", "max_value"), ("min_length", "max_length")):
        pair = value.get(low), value.get(high)
        if None not in pair and pair[0] > pair[1]:
            form.wrong((*path, low), "BASE_TYPE_MAX", f"{low} over {high}")


def _with_choices(kind: int, value: Shape, **limits: Shape) -> Shape:
    chosen = many(choice(value), 0, 25)
    return also(option(kind, choices=chosen, autocomplete=boolean, **limits), choices_are_unique)


_any_number = number(-(2**53), 2**53, whole=False)
_whole = number(-(2**53), 2**53)
values: dict[int, Shape] = {
    STRING: _with_choices(
        STRING, text(1, 100), min_length=number(0, 6000), max_length=number(1, 6000)
    ),
    INTEGER: _with_choices(INTEGER, _whole, min_value=_whole, max_value=_whole),
    NUMBER: _with_choices(NUMBER, _any_number, min_value=_any_number, max_value=_any_number),
    CHANNEL: option(CHANNEL, channel_types=many(number(0, 20), 0, 20)),
    **{k: option(k) for k in (BOOLEAN, USER, ROLE, MENTIONABLE, ATTACHMENT)},
}


def options_in_order(form: Form, path: Path, value: Any) -> None:
    """Names are unique, and required options stand before optional ones."""
    names = [o["name"] for o in value]
    if len(set(names)) < len(names):
        code = "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS"
        form.wrong(path, code, f"Option name already exists: {names}")
    needed = [bool(o.get("required")) for o in value]
    if needed != sorted(needed, reverse=True):
        code = "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"
        form.wrong(path, code, "Required options must be placed before non-required options")


def one_kind_of_options(form: Form, path: Path, value: Any) -> None:
    below = [o["type"] in (SUBCOMMAND, GROUP) for o in value]
    if any(below) and not all(below):
        code = "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"
        form.wrong(path, code, "Sub-command and sub-command group options stand alone")


leaf_options = also(many(by_type("command", values), 0, 25), options_in_order)
subcommand = option(SUBCOMMAND, options=leaf_options)
subcommands = also(many(by_type("group", {SUBCOMMAND: subcommand}), 1, 25), options_in_order)
group = option(GROUP, options=subcommands)
root_options = also(
    many(by_type("command", values | {SUBCOMMAND: subcommand, GROUP: group}), 0, 25),
    options_in_order,
    one_kind_of_options,
)


def _permissions(form: Form, path: Path, value: Any) -> None:
    if not str(value).isdecimal():
        form.wrong(path, "NUMBER_TYPE_COERCE", f"{value!r} is not a bit set")


_common: dict[str, Shape] = {
    "default_member_permissions": _permissions,
    "dm_permission": boolean,
    "nsfw": boolean,
    "contexts": many(one_of(0, 1, 2), 0, 3),
    "integration_types": many(one_of(0, 1), 0, 2),
    "handler": one_of(1, 2),
}


def _length(value: dict[str, Any]) -> int:
    """Characters counted against a command's limit, its longest localisation included."""
    own = 0
    for key in ("name", "description"):
        others = (value.get(f"{key}_localizations") or {}).values()
        own += max(map(len, [value.get(key) or "", *others]))
    own += sum(len(str(c["name"])) + len(str(c["value"])) for c in value.get("choices") or [])
    return own + sum(_length(o) for o in value.get("options") or [])


def fits(form: Form, path: Path, value: Any) -> None:
    if (length := _length(value)) > MOST_TEXT:
        code = "APPLICATION_COMMAND_TOO_LARGE"
        form.wrong(path, code, f"{length} characters of words, at most {MOST_TEXT}")


slash = also(
    record(
        _words["required"],
        {**_words["optional"], **_common, "type": one_of(1), "options": root_options},
    ),
    fits,
)
_menu_words = _described(text(1, 32))
_menu_names = {"name_localizations": _menu_words["optional"]["name_localizations"]}


def _menu(kind: int) -> Shape:
    return record(
        {"name": text(1, 32), "type": one_of(kind)},
        {**_menu_names, **_common, "description": text(0, 0), "options": many(text(0, 0), 0, 0)},
    )


_by_type: dict[int, Shape] = {1: slash, 2: _menu(2), 3: _menu(3)}


def command(form: Form, path: Path, value: Any) -> None:
    kind = value.get("type") or 1 if isinstance(value, dict) else 1
    _by_type.get(kind, slash)(form, path, value)


def names_are_unique(form: Form, path: Path, value: Any) -> None:
    seen: set[tuple[int, str]] = set()
    for at, one in enumerate(value):
        key = one.get("type") or 1, one["name"]
        if key in seen:
            code = "APPLICATION_COMMANDS_DUPLICATE_NAME"
            form.wrong((*path, at, "name"), code, f"{one['name']!r} must be unique")
        seen.add(key)


def not_too_many(form: Form, path: Path, value: Any) -> None:
    limits: dict[int, int] = {1: MOST_COMMANDS, 2: 15, 3: 15}
    for kind, most in limits.items():
        if sum((c.get("type") or 1) == kind for c in value) > most:
            code = "APPLICATION_COMMANDS_MAX_NUMBER_REACHED"
            form.wrong(path, code, f"more than {most} commands of type {kind}")


all_commands = also(many(command, 0, 130), names_are_unique, not_too_many)
partial: Callable[[Form, Path, Any], None] = record(
    {}, {**_words["required"], **_words["optional"], **_common, "options": root_options}
)
