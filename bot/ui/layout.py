"""Panels as Components V2 messages; the only place that knows Discord's widgets and limits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Protocol, cast

import discord
from discord import ui

from bot.ui.panel import (
    Accent,
    Block,
    Button,
    Buttons,
    Divider,
    Item,
    Link,
    Menu,
    Panel,
    Text,
    Tone,
)
from bot.ui.verbs import LONGEST, TEMPLATE, Pressed, Verb

TEXT_LONGEST = 4000  # characters of all texts of a message together
MENU_ITEMS = 25
COMPONENTS = 40

_STYLES = {
    Tone.PLAIN: discord.ButtonStyle.secondary,
    Tone.MAIN: discord.ButtonStyle.primary,
    Tone.GOOD: discord.ButtonStyle.success,
    Tone.RISK: discord.ButtonStyle.danger,
}
_COLOURS = {
    Accent.LOBBY: 0x3F8F6B,
    Accent.PLAY: 0x2F6FDE,
    Accent.YOURS: 0x8A5BD6,
    Accent.END: 0xD6A21E,
    Accent.TROUBLE: 0x8A8F98,
}


class Host(Protocol):
    """What a client must offer so that its messages' buttons do something (bot/client.py)."""

    async def pressed(self, interaction: discord.Interaction[Any], pressed: Pressed) -> None: ...


class PressButton(ui.DynamicItem[ui.Button[Any]], template="t:" + TEMPLATE):
    """A button that survives restarts: all that it means is in its id."""

    def __init__(self, item: ui.Button[Any], pressed: Pressed | None = None) -> None:
        super().__init__(item)
        self._pressed = pressed

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> PressButton:
        del interaction
        assert isinstance(item, ui.Button)
        return cls(item, _read(match))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        assert self._pressed is not None
        host: Host = interaction.client
        await host.pressed(interaction, self._pressed)


class PressMenu(ui.DynamicItem[ui.Select[Any]], template="s:" + TEMPLATE):
    """A menu that survives restarts."""

    def __init__(self, item: ui.Select[Any], pressed: Pressed | None = None) -> None:
        super().__init__(item)
        self._pressed = pressed

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> PressMenu:
        del interaction
        assert isinstance(item, ui.Select)
        return cls(item, _read(match))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        assert self._pressed is not None
        host: Host = interaction.client
        await host.pressed(interaction, replace(self._pressed, values=tuple(self.item.values)))


def _read(match: re.Match[str]) -> Pressed:
    """What an id means; an id that an older version made may mean nothing any more."""
    try:
        verb = Verb(match["verb"])
    except ValueError:
        verb = Verb.GONE
    return Pressed(int(match["table"]), int(match["epoch"]), verb, match["rest"] or "")


def shows(message: discord.Message, table: int) -> bool:
    """Whether a message has buttons of this table."""
    parts = ui.LayoutView.from_message(message).walk_children()
    return any(str(getattr(part, "custom_id", "")).startswith(f"t:{table}:") for part in parts)


def pressable(message: discord.Message) -> bool:
    """Whether a message has buttons or menus."""
    parts = ui.LayoutView.from_message(message).walk_children()
    return any(getattr(part, "custom_id", None) for part in parts)


def lost(interaction: discord.Interaction[Any]) -> Pressed | None:
    """What was pressed, if its message does not show it any more; discord.py leaves that alone."""
    if interaction.type is not discord.InteractionType.component:
        return None
    data = cast("dict[str, Any]", interaction.data or {})
    custom_id, kind = data.get("custom_id", ""), data.get("component_type")
    match = re.fullmatch("[ts]:" + TEMPLATE, custom_id)
    if (message := interaction.message) is not None and match is not None:
        for part in ui.LayoutView.from_message(message).walk_children():
            if getattr(part, "custom_id", None) == custom_id and part.type.value == kind:
                return None
    pressed = Pressed(0, 0, Verb.GONE) if match is None else _read(match)
    return replace(pressed, values=tuple(data.get("values", ())))


def draw(panel: Panel) -> ui.LayoutView:
    """`panel` as a message within Discord's limits."""
    return _Drawing(f"{panel.table}:{panel.epoch}:").draw(panel)


class _Drawing:
    """One panel on its way to a message."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._used: set[str] = set()
        self._left = TEXT_LONGEST

    def draw(self, panel: Panel) -> ui.LayoutView:
        heading = (Text(f"## {panel.title}"),) if panel.title else ()
        blocks: list[Block] = [*heading, *panel.blocks]
        if sum(map(_count, blocks)) + 1 > COMPONENTS:
            blocks = _merged(blocks)
        box: ui.Container[Any] = ui.Container(accent_colour=_COLOURS[panel.accent])
        for block in blocks:
            for item in self._items(block):
                box.add_item(item)
        view = ui.LayoutView(timeout=None)
        view.add_item(box)
        return view

    def _items(self, block: Block) -> Iterator[ui.Item[Any]]:
        match block:
            case Text(markdown):
                if text := self._fit(_spaced(markdown)):
                    yield ui.TextDisplay(text)
            case Divider():
                yield ui.Separator()
            case Buttons(buttons, width):
                for start in range(0, len(buttons), width):
                    yield ui.ActionRow(*map(self._button, buttons[start : start + width]))
            case Menu():
                for part in _parts(block):
                    yield ui.ActionRow(self._menu(block, part))

    def _fit(self, markdown: str) -> str:
        # The suite proves that no panel of ours gets here; a foreign language's might.
        text = markdown if len(markdown) <= self._left else markdown[: max(0, self._left - 1)] + "…"
        self._left -= len(text)
        return text

    def _button(self, button: Button | Link) -> ui.Item[Any]:
        if isinstance(button, Link):
            return ui.Button(label=button.label, url=button.url)
        return PressButton(
            ui.Button(
                label=button.label,
                style=_STYLES[button.tone],
                disabled=not button.enabled,
                custom_id=self._id("t", button.verb),
            )
        )

    def _menu(self, menu: Menu, items: Sequence[Item]) -> ui.Item[Any]:
        options = [
            discord.SelectOption(
                label=item.label,
                value=item.value,
                description=item.hint or None,
                default=item.chosen,
            )
            for item in items
        ]
        return PressMenu(
            ui.Select(
                custom_id=self._id("s", menu.verb),
                placeholder=menu.prompt,
                options=options,
                min_values=menu.least,
                max_values=min(menu.most, len(options)),
            )
        )

    def _id(self, kind: str, verb: str) -> str:
        custom_id = f"{kind}:{self._prefix}{verb}"
        while custom_id in self._used:
            custom_id += "-"
        assert len(custom_id) <= LONGEST, custom_id
        self._used.add(custom_id)
        return custom_id


def _spaced(markdown: str) -> str:
    """An empty line after each quote and list: some clients draw the next line into them."""
    lines = markdown.split("\n")
    spaced = lines[:1]
    for before, line in pairwise(lines):
        kind, after = _LINE.match(before), _LINE.match(line)
        if kind is not None and line and (after is None or _kind(after) != _kind(kind)):
            spaced.append("")
        spaced.append(line)
    return "\n".join(spaced)


def _kind(match: re.Match[str]) -> str:
    return "1" if match[1].isdecimal() else match[1]


# What begins a line of a quote, a list, or a numbered list (whatever its number).
_LINE = re.compile(r"\s*(>|-(?!#)|\d+(?=\.))\.?\s")


def _count(block: Block) -> int:
    """How many components a block becomes."""
    match block:
        case Buttons(buttons, width):
            return len(buttons) + -(-len(buttons) // width)
        case Menu():
            return 2 * len(list(_parts(block)))
        case _:
            return 1


def _merged(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with neighbouring texts joined, where a message would have too many parts.

    Otherwise each stays by itself: a quote or a list would swallow the line after it.
    """
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if isinstance(block, Text) and isinstance(last, Text):
            joined[-1] = Text(f"{last.markdown}\n\n{block.markdown}")
        else:
            joined.append(block)
    return joined


def _parts(menu: Menu) -> Iterator[Sequence[Item]]:
    """The items of a menu, as many as one select holds at a time; nothing for no items."""
    for start in range(0, len(menu.items), MENU_ITEMS):
        yield menu.items[start : start + MENU_ITEMS]
