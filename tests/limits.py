"""What Discord accepts of a Components V2 message, stated by this project and checked on JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

ACTION_ROW, BUTTON, SELECT, SECTION, TEXT, GALLERY, SEPARATOR, CONTAINER = (
    1,
    2,
    3,
    9,
    10,
    12,
    14,
    17,
)
LINK_STYLE = 5


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component, nested ones too."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))


def check_message(components: list[dict[str, Any]]) -> None:
    """Asserts every limit that a message of ours could break."""
    everything = list(walk(components))
    assert 1 <= len(everything) <= 40, f"{len(everything)} components"
    texts = [c["content"] for c in everything if c["type"] == TEXT]
    assert all(texts), "an empty text"
    assert sum(map(len, texts)) <= 4000, f"{sum(map(len, texts))} characters"
    ids = [c["custom_id"] for c in everything if "custom_id" in c]
    assert len(set(ids)) == len(ids), "a custom id twice"
    assert all(1 <= len(custom_id) <= 100 for custom_id in ids)
    for component in everything:
        _CHECKS.get(component["type"], _fine)(component)


def _fine(component: dict[str, Any]) -> None:
    assert component["type"] in (TEXT, SEPARATOR, GALLERY), component["type"]


def _row(row: dict[str, Any]) -> None:
    inside = row["components"]
    assert inside, "an empty row"
    if any(c["type"] == SELECT for c in inside):
        assert len(inside) == 1, "a menu shares its row"
    assert len(inside) <= 5, "more than five buttons in a row"


def _button(button: dict[str, Any]) -> None:
    assert 1 <= len(button.get("label") or "") <= 80, button
    assert ("url" in button) == (button["style"] == LINK_STYLE)


def _select(select: dict[str, Any]) -> None:
    options = select["options"]
    assert 1 <= len(options) <= 25, f"{len(options)} options"
    assert len({o["value"] for o in options}) == len(options), "a value twice"
    for option in options:
        assert 1 <= len(option["label"]) <= 100, option
        assert 1 <= len(option["value"]) <= 100, option
        assert len(option.get("description") or "") <= 100, option
    assert 0 <= select["min_values"] <= select["max_values"] <= len(options)
    assert len(select.get("placeholder") or "") <= 150
    assert sum(bool(o.get("default")) for o in options) <= select["max_values"]


def _container(container: dict[str, Any]) -> None:
    assert container["components"], "an empty container"


_CHECKS = {ACTION_ROW: _row, BUTTON: _button, SELECT: _select, CONTAINER: _container}
