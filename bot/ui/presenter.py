"""What one game looks like in words: pure functions of a View, never of a State."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from bot.records import Presence
from bot.texts import Words
from bot.ui.panel import Block
from engine.choosing import Pick
from engine.core import Event, OptionValue, Outcome, Seat

A = TypeVar("A")
V = TypeVar("V")


MOST_BEATS = 5
"""How many looks a notice may have one after another: sent once and edited four times."""

NO_OPTIONS: Mapping[str, OptionValue] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Guest:
    """Who sits in a seat, ready to show: cut to fit and unique at its table (bot/ui/names.py).

    `name` is escaped for markdown; `label` is the same for buttons and menus, which have none.
    """

    name: str
    label: str
    presence: Presence = Presence.HERE
    level: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a presenter is told beside the view: the language and the people, in seat order.

    `you` is the reader's seat; None draws for everyone.
    """

    words: Words
    guests: tuple[Guest, ...]
    you: Seat | None = None
    options: Mapping[str, OptionValue] = field(default_factory=lambda: NO_OPTIONS)

    def name(self, seat: int) -> str:
        """The name of whoever sits at `seat`, in bold."""
        return f"**{self.guests[seat].name}**"

    def names(self, seats: Sequence[int]) -> str:
        """Several names as a list in the reader's language."""
        return self.words("list-joint").join(self.name(seat) for seat in seats)


@dataclass(frozen=True, slots=True)
class Label:
    """One value of a question as a person reads it: `text` fits a button, `hint` a menu's line."""

    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Some items of a Pick that are offered in a menu of their own, by their indices."""

    prompt: str
    items: tuple[int, ...]


class Presenter(ABC, Generic[A, V]):
    """Words for one game. Everything takes the view of the reader and the scene, and is pure.

    The frame around it (title, who is asked, deadline, buttons, menus) is written once in
    bot/ui/frame.py; a presenter says only what is particular to its game.
    """

    @abstractmethod
    def board(self, view: V, scene: Scene) -> tuple[Block, ...]:
        """The public table: seats in order, what lies open, tokens. `view` is a watcher's."""

    @abstractmethod
    def hand(self, view: V, scene: Scene) -> tuple[Block, ...]:
        """What the reader holds and has lawfully learned, with the cards' texts."""

    @abstractmethod
    def question(self, view: V, scene: Scene, asked: frozenset[Seat]) -> str:
        """What is being asked now, of whom, as one public sentence: "Ann's turn"."""

    @abstractmethod
    def prompt(self, field: str, view: V, scene: Scene) -> str:
        """The reader is asked for this field of an action: "Whose hand do you want to see?"."""

    @abstractmethod
    def label(self, field: str, value: object, view: V, scene: Scene) -> Label:
        """A value (of a Question) or an item (of a Pick) of that field."""

    @abstractmethod
    def action(self, action: A, view: V, scene: Scene) -> str:
        """A whole action in a few words, under 100 characters: "Sparky against Bob"."""

    @abstractmethod
    def line(self, event: Event, scene: Scene) -> str | None:
        """An event as one line of the log; private ones speak to the reader. None says nothing."""

    def told(self, event: Event, view: V) -> bool:
        """Whether the board itself tells this news, so that it need not stand below again."""
        del event, view
        return False

    def groups(self, pick: Pick, view: V, scene: Scene) -> tuple[Group, ...]:
        """How the items of a Pick are spread over menus; one menu unless a game says otherwise."""
        del view
        return (Group(scene.words("choose"), tuple(range(len(pick.items)))),)

    def warning(self, action: A, view: V, scene: Scene) -> str | None:
        """A sentence to confirm first, for a move that can only hurt the one who makes it."""
        del action, view, scene
        return None

    def typed(self, words: Mapping[str, str], view: V, scene: Scene) -> A | None:
        """The action that somebody typed field by field, if it means any.

        It is only asked for words that are no label of a legal action. The action may be legal all
        the same; if it is not, the refusal can say why.
        """
        del words, view, scene
        return None

    def notice(self, events: Sequence[Event], scene: Scene) -> tuple[Block, ...]:
        """A message of its own for what everybody should notice: a round's result. () for none."""
        del events, scene
        return ()

    def beats(self, events: Sequence[Event], scene: Scene) -> tuple[tuple[Block, ...], ...]:
        """The same message as it comes about, for suspense: what it shows one after another.

        The last one is the whole notice, and there are at most MOST_BEATS; () where there is none.
        """
        notice = self.notice(events, scene)
        return (notice,) if notice else ()

    @abstractmethod
    def ending(self, outcome: Outcome, view: V, scene: Scene) -> tuple[Block, ...]:
        """The final standing and who won. `view` is a watcher's."""

    @abstractmethod
    def rules(self, words: Words) -> tuple[tuple[Block, ...], ...]:
        """The rules in the bot's own words, page by page, with the quick reference."""


AnyPresenter = Presenter[Any, Any]
