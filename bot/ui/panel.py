"""What a message shows, with no Discord in it: presenters make panels, layout draws them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """How a button looks; colour never carries meaning alone, the label does."""

    PLAIN = "plain"
    MAIN = "main"
    GOOD = "good"
    RISK = "risk"


class Accent(StrEnum):
    """The colour at a panel's edge."""

    LOBBY = "lobby"
    PLAY = "play"
    YOURS = "yours"
    END = "end"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown. Names in it are already escaped."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Divider:
    """A line between parts of a panel."""


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press. `verb` says what it does (see bot/ui/verbs.py)."""

    label: str
    verb: str
    tone: Tone = Tone.PLAIN
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Link:
    """A button that only leads somewhere."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Buttons:
    """Buttons that belong together; layout breaks them into rows of at most `width`."""

    buttons: tuple[Button | Link, ...]
    width: int = 3


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a menu. `value` is what a press of it answers."""

    label: str
    value: str
    hint: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """Choose `least` to `most` of the items; more than 25 items are split over several menus."""

    prompt: str
    verb: str
    items: tuple[Item, ...]
    least: int = 1
    most: int = 1


Block = Text | Divider | Buttons | Menu


@dataclass(frozen=True, slots=True)
class Panel:
    """One message: a title ("" for none), then blocks from top to bottom.

    Its buttons belong to `table` and answer question `epoch`. A `live` panel is a person's hand,
    which is redrawn for them while Discord lets us; one that `asks` offers choices.
    """

    title: str
    blocks: tuple[Block, ...] = ()
    accent: Accent = Accent.PLAY
    table: int = 0
    epoch: int = 0
    live: bool = False
    asks: bool = False

    def text(self) -> str:
        """The panel as plain text, for tests, logs of play and people who read diffs."""
        lines = [f"# {self.title}"] if self.title else []
        for block in self.blocks:
            lines += _lines(block)
        return "\n".join(lines)


def _lines(block: Block) -> list[str]:
    match block:
        case Text(markdown):
            return [markdown]
        case Divider():
            return ["---"]
        case Buttons(buttons):
            return [" ".join(f"[{b.label}]" for b in buttons)]
        case Menu(prompt, _, items, least, most):
            size = "" if (least, most) == (1, 1) else f" ({least}-{most})"
            shown = [f"  - {i.label}" + (f" / {i.hint}" if i.hint else "") for i in items]
            return [f"? {prompt}{size}", *shown]
