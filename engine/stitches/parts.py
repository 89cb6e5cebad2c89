"""The cards of Stitches from their data files, checked, and the box that a game is played with.

The shipped files are reconstructions of cards whose list was never published; the owner of a
printed game can hand in files of their own. Every reader raises BadDeck on any text that is not a
whole and sound set of cards, and nothing else.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NoReturn, TypeVar

from engine.errors import BadDeck
from engine.stitches.model import EMPTY, HEAD, LEFT, LEGS, RIGHT, Kind, Part

HUMAN = "Human"
ABOMINATION = "Abomination"
MONSTERS = 9
WORD_CARDS = 36
LEAST_WORDS = 7
MOST_WORDS = 25
MOST_SYMBOLS = 9

PROBLEMS = (
    "deck-empty", "deck-header", "deck-columns", "deck-number", "deck-name", "deck-id",
    "deck-id-twice", "deck-slot", "deck-cost", "deck-symbols", "deck-monster", "deck-monsters",
    "deck-torso", "deck-torsos", "deck-humans", "deck-word-twice", "deck-copies", "deck-words",
    "deck-level", "deck-piece", "deck-abominations",
)  # fmt: skip
"""Every `problem` that a BadDeck of this game can name."""

SLOTS: dict[Kind, tuple[int, ...]] = {
    "head": (HEAD,),
    "arm": (RIGHT, LEFT),
    "legs": (LEGS,),
    "torso": (),
}
"""Where a kind of part fits on a body."""

_WHOLE_BODY: tuple[Kind, ...] = ("head", "arm", "arm", "legs")
_PART_COLUMNS = ("id", "monster", "slot", "cost", "rock", "paper", "scissors")
_WORD_COLUMNS = ("word", "copies")
_ABOMINATION_COLUMNS = ("level", "piece", "rock", "paper", "scissors")
_NAME = re.compile(r"[^\W_]+(?:[ '-][^\W_]+)*")
_NUMBER = re.compile(r"[0-9]{1,3}")
_KINDS: dict[str, Kind] = {"head": "head", "arm": "arm", "legs": "legs", "torso": "torso"}


@dataclass(frozen=True, slots=True)
class Humans:
    """What everyone starts as: a head, two arms, legs and a torso without symbols (C04)."""

    head: Part
    arms: tuple[Part, Part]
    legs: Part
    torso: Part


@dataclass(frozen=True, slots=True)
class Cards:
    """All part cards: 36 of nine monsters, the monsters' torsos, and one set of Human cards."""

    parts: tuple[Part, ...]
    torsos: tuple[Part, ...]
    humans: Humans


@dataclass(frozen=True, slots=True)
class Level:
    """The heads and torsos from which one level's Abomination is made."""

    heads: tuple[Part, ...]
    torsos: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a data file. Its readers refuse what is not there or out of bounds."""

    file: str
    line: int
    cells: dict[str, str]

    def refuse(self, problem: str) -> NoReturn:
        raise BadDeck(file=self.file, line=self.line, problem=problem)

    def number(self, column: str, least: int, most: int, problem: str) -> int:
        text = self.cells[column]
        if not _NUMBER.fullmatch(text):
            self.refuse("deck-number")
        if not least <= int(text) <= most:
            self.refuse(problem)
        return int(text)

    def name(self, column: str) -> str:
        text = self.cells[column]
        if not _NAME.fullmatch(text) or len(text) > 20:
            self.refuse("deck-name")
        return text

    def part(self, number: int, monster: str, kind: Kind, cost: int) -> Part:
        """A part with this line's symbols."""
        rock, paper, scissors = (
            self.number(symbol, 0, MOST_SYMBOLS, "deck-symbols")
            for symbol in ("rock", "paper", "scissors")
        )
        return Part(number, monster, kind, cost, rock, paper, scissors)


def read_parts(text: str, name: str) -> Cards:
    """The part cards of a file: `id,monster,slot,cost,rock,paper,scissors`.

    The 36 Monster parts must be there with the ids 1 to 36: nine monsters, each with a head, two
    arms and legs that cost 2 to 5. The monsters' torsos and the Human cards may be left out; a
    torso then has one of its monster's commonest symbol. Raises BadDeck.
    """
    parts: dict[int, tuple[_Row, Part]] = {}
    torsos: dict[str, tuple[_Row, Part]] = {}
    humans: list[tuple[_Row, Part]] = []
    rows = _rows(text, name, _PART_COLUMNS)
    for row in rows:
        monster, kind = row.name("monster"), _KINDS.get(row.cells["slot"].lower())
        number = row.number("id", 1, 999, "deck-id")
        if kind is None:
            row.refuse("deck-slot")
        if monster == ABOMINATION:
            row.refuse("deck-name")
        ordinary = monster != HUMAN and kind != "torso"
        least, most = (2, 5) if ordinary else (0, 0)
        part = row.part(number, monster, kind, row.number("cost", least, most, "deck-cost"))
        if ordinary:
            _add_part(parts, row, part)
        elif monster == HUMAN:
            humans.append((row, part))
        elif monster in torsos:
            row.refuse("deck-torso")
        else:
            torsos[monster] = (row, part)
    last = rows[-1]
    whole = _whole_monsters(parts, last)
    return Cards(whole, _torsos(whole, torsos, last), _humans(humans, last))


def _add_part(parts: dict[int, tuple[_Row, Part]], row: _Row, part: Part) -> None:
    if part.id > MONSTERS * len(_WHOLE_BODY):
        row.refuse("deck-id")
    if part.id in parts:
        row.refuse("deck-id-twice")
    if not (part.rock or part.paper or part.scissors):
        row.refuse("deck-symbols")
    parts[part.id] = row, part


def _whole_monsters(parts: dict[int, tuple[_Row, Part]], last: _Row) -> tuple[Part, ...]:
    """The parts by id, when they are nine whole monsters."""
    monsters: dict[str, list[tuple[_Row, Part]]] = {}
    for row, part in parts.values():
        monsters.setdefault(part.monster, []).append((row, part))
    for rows in monsters.values():
        if sorted(part.kind for _, part in rows) != sorted(_WHOLE_BODY):
            rows[-1][0].refuse("deck-monster")
    if len(monsters) != MONSTERS:
        last.refuse("deck-monsters")
    return tuple(parts[number][1] for number in sorted(parts))


def _torsos(
    parts: Sequence[Part], given: dict[str, tuple[_Row, Part]], last: _Row
) -> tuple[Part, ...]:
    """Every monster's torso in the order of the parts: as given, or with its commonest symbol."""
    monsters = tuple(dict.fromkeys(part.monster for part in parts))
    for monster, (row, _) in given.items():
        if monster not in monsters:
            row.refuse("deck-torso")
    if given:
        if len(given) != MONSTERS:
            last.refuse("deck-torsos")
        return tuple(given[monster][1] for monster in monsters)
    return tuple(_usual_torso([p for p in parts if p.monster == monster]) for monster in monsters)


def _usual_torso(parts: Sequence[Part]) -> Part:
    sums = (
        sum(part.rock for part in parts),
        sum(part.paper for part in parts),
        sum(part.scissors for part in parts),
    )
    rock, paper, scissors = (int(sums.index(max(sums)) == i) for i in range(3))
    return Part(EMPTY, parts[0].monster, "torso", 0, rock, paper, scissors)


def _humans(given: Sequence[tuple[_Row, Part]], last: _Row) -> Humans:
    parts = [part for _, part in given] or [
        Part(EMPTY, HUMAN, "head", 0, 0, 0, 1),
        Part(EMPTY, HUMAN, "arm", 0, 1, 0, 0),
        Part(EMPTY, HUMAN, "arm", 0, 0, 1, 0),
        Part(EMPTY, HUMAN, "legs", 0, 1, 0, 0),
    ]
    if not any(part.kind == "torso" for part in parts):
        parts.append(Part(EMPTY, HUMAN, "torso", 0, 0, 0, 0))
    if sorted(part.kind for part in parts) != sorted((*_WHOLE_BODY, "torso")):
        last.refuse("deck-humans")
    by_kind = {part.kind: part for part in parts}
    first, second = (part for part in parts if part.kind == "arm")
    torso = by_kind["torso"]
    if torso.rock or torso.paper or torso.scissors:
        last.refuse("deck-humans")
    return Humans(by_kind["head"], (first, second), by_kind["legs"], torso)


def read_words(text: str, name: str) -> tuple[str, ...]:
    """The 36 Word cards of a file `word,copies`, like ones side by side. Raises BadDeck.

    There must be 7 to 25 different words, so that everyone can start with one of their own.
    """
    cards: list[str] = []
    rows = _rows(text, name, _WORD_COLUMNS)
    for row in rows:
        word = row.name("word")
        if word in cards:
            row.refuse("deck-word-twice")
        cards += [word] * row.number("copies", 1, WORD_CARDS, "deck-copies")
    if len(cards) != WORD_CARDS or not LEAST_WORDS <= len(rows) <= MOST_WORDS:
        rows[-1].refuse("deck-words")
    return tuple(cards)


def read_abominations(text: str, name: str) -> tuple[Level, Level]:
    """The normal and the hard Abominations of a file `level,piece,rock,paper,scissors`.

    Each level has four heads and four torsos; without hard ones the normal ones serve for both.
    Raises BadDeck.
    """
    levels: dict[str, dict[str, list[Part]]] = {
        level: {"head": [], "torso": []} for level in ("normal", "hard")
    }
    rows = _rows(text, name, _ABOMINATION_COLUMNS)
    for row in rows:
        pieces = levels.get(row.cells["level"].lower())
        kind = _KINDS.get(row.cells["piece"].lower())
        if pieces is None:
            row.refuse("deck-level")
        if kind not in ("head", "torso"):
            row.refuse("deck-piece")
        pieces[kind].append(row.part(EMPTY, ABOMINATION, kind, 0))
    for level, pieces in levels.items():
        sizes = [len(found) for found in pieces.values()]
        if sizes != [4, 4] and (level == "normal" or sizes != [0, 0]):
            rows[-1].refuse("deck-abominations")
    normal, hard = (Level(tuple(p["head"]), tuple(p["torso"])) for p in levels.values())
    return normal, hard if hard.heads else normal


def _rows(text: str, name: str, columns: Sequence[str]) -> tuple[_Row, ...]:
    """The lines of a comma-separated file with exactly these columns, at least one of them."""
    lines = list(_lines(text, name))
    if not lines:
        raise BadDeck(file=name, line=1, problem="deck-empty")
    number, header = lines[0]
    if [cell.lower() for cell in header] != list(columns):
        raise BadDeck(file=name, line=number, problem="deck-header")
    for number, cells in lines[1:]:
        if len(cells) != len(columns):
            raise BadDeck(file=name, line=number, problem="deck-columns")
    rows = [_Row(name, line, dict(zip(columns, cells, strict=True))) for line, cells in lines[1:]]
    if not rows:
        raise BadDeck(file=name, line=number, problem="deck-empty")
    return tuple(rows)


def _lines(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Every line that is neither blank nor a comment (#), with its number and its cells."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            cells = next(csv.reader([line.strip()], strict=True))
        except csv.Error:
            raise BadDeck(file=name, line=number, problem="deck-columns") from None
        yield number, [cell.strip() for cell in cells]


NamedT = TypeVar("NamedT")


class Box:
    """All cards of a game, numbered, with what the rules look up in them ready to hand.

    Ids: 1 to 36 are the Monster parts, then the monsters' torsos, the Human cards, the heads and
    torsos of both levels of Abomination. 0 is no card.
    """

    def __init__(
        self, cards: Cards, words: tuple[str, ...], abominations: tuple[Level, Level]
    ) -> None:
        humans = cards.humans
        parts = [Part(EMPTY, "", "torso", 0, 0, 0, 0)]

        def number(new: Sequence[Part]) -> tuple[int, ...]:
            first = len(parts)
            parts.extend(replace(part, id=first + i) for i, part in enumerate(new))
            return tuple(range(first, len(parts)))

        self.monster_parts = number(cards.parts)
        torsos = number(cards.torsos)
        head, right, left, legs = number((humans.head, *humans.arms, humans.legs))
        # By slot.
        self.human = (head, right, legs, left)
        (self.human_torso,) = number((humans.torso,))
        # By level, normal and hard.
        self.heads = tuple(number(level.heads) for level in abominations)
        self.torsos = tuple(number(level.torsos) for level in abominations)
        self.words = words
        self.parts = tuple(parts)
        self.edition = hashlib.sha256(repr((self.parts, words)).encode()).hexdigest()[:12]

        self.cost = tuple(part.cost for part in parts)
        self.slots = tuple(SLOTS[part.kind] for part in parts)
        self.priced = tuple(part.cost > 0 for part in parts)
        self.is_human = tuple(part.monster == HUMAN for part in parts)
        # Three numbers packed into one, so that a body's symbols are a plain sum of its parts' and
        # one subtraction compares all three: Paper against Rock, Scissors against Paper, Rock
        # against Scissors (C01). No body has 128 of a symbol, so no field runs over.
        self.strength = tuple(p.paper | p.scissors << 8 | p.rock << 16 for p in parts)
        self.armour = tuple(p.rock | p.paper << 8 | p.scissors << 16 for p in parts)
        torso_of = {parts[torso].monster: torso for torso in torsos}
        # The torso of the same monster; EMPTY for cards that belong to none (C50).
        self.torso_of = tuple(torso_of.get(part.monster, EMPTY) for part in parts)


GUARD = 0x808080
"""A bit above each packed number: `strength + GUARD - armour` keeps all three where it wins."""


def shipped_text(name: str) -> str:
    """One of the files beside this module: parts.csv, words.csv or abominations.csv."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


@cache
def shipped() -> Box:
    """The box of the shipped files."""
    return Box(
        read_parts(shipped_text("parts.csv"), "parts.csv"),
        read_words(shipped_text("words.csv"), "words.csv"),
        read_abominations(shipped_text("abominations.csv"), "abominations.csv"),
    )
