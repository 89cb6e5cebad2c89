"""The rules of components: which may stand where, and how much each may hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

from tests.wire.shapes import (
    Form,
    Path,
    Shape,
    also,
    boolean,
    by_type,
    many,
    number,
    one_of,
    record,
    snowflake,
    text,
)

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = 9, 10, 11, 12, 13, 14
CONTAINER, LABEL, UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 17, 18, 19, 21, 22, 23
SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)
V2_ONLY = {SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER}
MOST_COMPONENTS, MOST_TEXT = 40, 4000

# Emoji outside the Unicode categories of symbols: two marks, two dashes, the information sign
# and the bases of the keycaps.
ODD_EMOJI = set("\u203c\u2049\u3030\u303d\u2139#*0123456789")


def walk(parts: list[Any] | None, path: Path = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every component with its place, those in rows, containers, sections and labels too."""
    for at, part in enumerate(parts or []):
        if isinstance(part, dict):
            here = (*path, at)
            yield here, part
            inner = part.get("components")
            yield from walk(inner if isinstance(inner, list) else None, (*here, "components"))
            for key in ("accessory", "component"):
                if isinstance(part.get(key), dict):
                    for below, one in walk([part[key]]):
                        yield (*here, key, *below[1:]), one


# ---------------------------------------------------------------------------- leaves
def emoji_is_real(form: Form, path: Path, value: Any) -> None:
    if value.get("id") is None and not _is_unicode_emoji(value["name"]):
        form.wrong(path, "BUTTON_COMPONENT_INVALID_EMOJI", f"Invalid emoji {value['name']!r}")


def _is_unicode_emoji(name: str) -> bool:
    return bool(name) and all(
        unicodedata.category(c) in ("So", "Sk", "Sm", "Mn", "Me", "Cf") or c in ODD_EMOJI
        for c in name
    )


emoji = also(
    record({"name": text(1, 32)}, {"id": snowflake, "animated": boolean}),
    emoji_is_real,
)
link = text(1, 512, r"(https?|discord)://\S+")
media = record({"url": text(1, 2048, r"(https?|attachment)://\S+")})
uploaded = record({"url": text(1, 2048, r"attachment://\S+")})
custom_id = text(1, 100)


def component(
    kind: int, required: dict[str, Shape], optional: dict[str, Shape] | None = None
) -> Shape:
    common: dict[str, Shape] = {"id": number(0, 2**31 - 1)}
    return record({"type": one_of(kind), **required}, common | (optional or {}))


def button_is_whole(form: Form, path: Path, value: Any) -> None:
    """A link has a url, a purchase an sku, all others a custom_id, and something to be seen."""
    style = value["style"]
    need = {5: "url", 6: "sku_id"}.get(style, "custom_id")
    for key in ("custom_id", "url", "sku_id"):
        if (key == need) != (value.get(key) is not None):
            form.wrong((*path, key), "BUTTON_COMPONENT_STYLE", f"style {style} needs {need} alone")
    if style != 6 and not (value.get("label") or "").strip() and not value.get("emoji"):
        message = "a button needs a label or an emoji"
        form.wrong((*path, "label"), "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", message)


button = also(
    component(
        BUTTON,
        {"style": one_of(1, 2, 3, 4, 5, 6)},
        {
            "custom_id": custom_id,
            "label": text(0, 80),
            "disabled": boolean,
            "url": link,
            "sku_id": snowflake,
            "emoji": emoji,
        },
    ),
    button_is_whole,
)

option = record(
    {"label": text(1, 100), "value": text(1, 100)},
    {"description": text(0, 100), "default": boolean, "emoji": emoji},
)


def select_adds_up(form: Form, path: Path, value: Any) -> None:
    """min ≤ max ≤ number of options, values unique, no more defaults than picks."""
    low, high = value.get("min_values"), value.get("max_values")
    low, high = 1 if low is None else low, 1 if high is None else high
    options = value.get("options")
    if low > high:
        form.wrong((*path, "min_values"), "BASE_TYPE_MAX", f"min_values {low} over {high}")
    if options is None:
        return
    if high > len(options):
        form.wrong((*path, "max_values"), "BASE_TYPE_MAX", f"only {len(options)} options")
    values = [o["value"] for o in options]
    if len(set(values)) < len(values):
        code = "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"
        form.wrong((*path, "options"), code, "The specified option value is already used")
    if sum(bool(o.get("default")) for o in options) > high:
        form.wrong((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "defaults")


def select(kind: int, required: dict[str, Shape], optional: dict[str, Shape]) -> Shape:
    common: dict[str, Shape] = {
        "placeholder": text(0, 150),
        "min_values": number(0, 25),
        "max_values": number(1, 25),
        "disabled": boolean,
        "required": boolean,
    }
    whole = component(kind, {"custom_id": custom_id, **required}, common | optional)
    return also(whole, select_adds_up)


def _defaults(*kinds: str) -> dict[str, Shape]:
    return {"default_values": many(record({"id": snowflake, "type": one_of(*kinds)}), 0, 25)}


selects: dict[int, Shape] = {
    STRING_SELECT: select(STRING_SELECT, {"options": many(option, 1, 25)}, {}),
    USER_SELECT: select(USER_SELECT, {}, _defaults("user")),
    ROLE_SELECT: select(ROLE_SELECT, {}, _defaults("role")),
    MENTIONABLE_SELECT: select(MENTIONABLE_SELECT, {}, _defaults("user", "role")),
    CHANNEL_SELECT: select(
        CHANNEL_SELECT,
        {},
        _defaults("channel") | {"channel_types": many(number(0, 20), 0, 20)},
    ),
}


def row_holds_one_kind(form: Form, path: Path, value: Any) -> None:
    kinds = [c["type"] for c in value["components"]]
    if any(k in SELECTS for k in kinds) and len(kinds) > 1:
        message = "a select stands alone in its row"
        form.wrong((*path, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message)


# ---------------------------------------------------------------------------- layout
row = also(
    component(ROW, {"components": many(by_type("action row", {BUTTON: button, **selects}), 1, 5)}),
    row_holds_one_kind,
)
text_display = component(TEXT, {"content": text(1, MOST_TEXT)})
picture: dict[str, Shape] = {"description": text(1, 1024), "spoiler": boolean}
thumbnail = component(THUMBNAIL, {"media": media}, picture)
section = component(
    SECTION,
    {
        "components": many(by_type("section", {TEXT: text_display}), 1, 3),
        "accessory": by_type("section's accessory", {BUTTON: button, THUMBNAIL: thumbnail}),
    },
)
gallery = component(GALLERY, {"items": many(record({"media": media}, picture), 1, 10)})
separator = component(SEPARATOR, {}, {"divider": boolean, "spacing": one_of(1, 2)})
file = component(FILE, {"file": uploaded}, {"spoiler": boolean})
in_container: dict[int, Shape] = {
    ROW: row,
    SECTION: section,
    TEXT: text_display,
    GALLERY: gallery,
    FILE: file,
    SEPARATOR: separator,
}
container = component(
    CONTAINER,
    {"components": many(by_type("container", in_container), 1, MOST_COMPONENTS)},
    {"accent_color": number(0, 0xFFFFFF), "spoiler": boolean},
)


def ids_are_unique(form: Form, path: Path, value: Any) -> None:
    for key, code in (
        ("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"),
        ("id", "COMPONENT_ID_DUPLICATED"),
    ):
        seen = set()
        for where, part in walk(value):
            if part.get(key) is not None and part[key] in seen:
                form.wrong((*path, *where, key), code, f"{part[key]!r} cannot be duplicated")
            seen.add(part.get(key))


def totals_fit(form: Form, path: Path, value: Any) -> None:
    parts = [part for _, part in walk(value)]
    if len(parts) > MOST_COMPONENTS:
        code = "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"
        form.wrong(path, code, f"{len(parts)} components, at most {MOST_COMPONENTS}")
    length = sum(len(p["content"]) for p in parts if p["type"] == TEXT)
    if length > MOST_TEXT:
        code = "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"
        form.wrong(path, code, f"{length} characters of text, at most {MOST_TEXT}")


message_v2 = also(
    many(by_type("message", in_container | {CONTAINER: container}), 0, MOST_COMPONENTS),
    totals_fit,
    ids_are_unique,
)
message_v1 = also(many(by_type("message without the V2 flag", {ROW: row}), 0, 5), ids_are_unique)


# ---------------------------------------------------------------------------- modals
def input_adds_up(form: Form, path: Path, value: Any) -> None:
    low, high = value.get("min_length") or 0, value.get("max_length") or 4000
    if low > high:
        form.wrong((*path, "min_length"), "BASE_TYPE_MAX", f"min_length {low} over {high}")
    given = value.get("value")
    if given and not low <= len(given) <= high:
        form.wrong((*path, "value"), "BASE_TYPE_BAD_LENGTH", f"{len(given)}: {low} to {high}")


_input: dict[str, Shape] = {
    "value": text(0, 4000),
    "placeholder": text(0, 100),
    "required": boolean,
    "min_length": number(0, 4000),
    "max_length": number(1, 4000),
}
_typed: dict[str, Shape] = {"custom_id": custom_id, "style": one_of(1, 2)}
text_input = also(
    component(TEXT_INPUT, _typed, _input | {"label": text(0, 0)}),  # its label is the Label's
    input_adds_up,
)
old_text_input = also(component(TEXT_INPUT, _typed | {"label": text(1, 45)}, _input), input_adds_up)
_picks: dict[str, Shape] = {
    "min_values": number(0, 10),
    "max_values": number(1, 10),
    "required": boolean,
}
_marked = record(
    {"label": text(1, 100), "value": text(1, 100)},
    {"description": text(0, 100), "default": boolean},
)
label = component(
    LABEL,
    {
        "label": text(1, 45),
        "component": by_type(
            "label",
            {
                TEXT_INPUT: text_input,
                **selects,
                UPLOAD: component(UPLOAD, {"custom_id": custom_id}, _picks),
                RADIO_GROUP: component(
                    RADIO_GROUP,
                    {"custom_id": custom_id, "options": many(_marked, 2, 10)},
                    {"required": boolean},
                ),
                CHECKBOX_GROUP: component(
                    CHECKBOX_GROUP,
                    {"custom_id": custom_id, "options": many(_marked, 1, 10)},
                    _picks,
                ),
                CHECKBOX: component(CHECKBOX, {"custom_id": custom_id}, {"default": boolean}),
            },
        ),
    },
    {"description": text(1, 100)},
)
old_row = component(
    ROW, {"components": many(by_type("modal's row", {TEXT_INPUT: old_text_input}), 1, 1)}
)
modal = record(
    {
        "custom_id": custom_id,
        "title": text(1, 45),
        "components": also(
            many(by_type("modal", {ROW: old_row, LABEL: label, TEXT: text_display}), 1, 5),
            ids_are_unique,
        ),
    },
)
