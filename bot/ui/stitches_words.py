"""The words for what Stitches is played with: parts, symbols, Stitches, Words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from bot.texts import Words
from engine.core import Seat
from engine.stitches.model import (
    HEAD,
    LEFT,
    LEGS,
    RIGHT,
    Battle,
    Card,
    Monster,
    Part,
    View,
)
from engine.stitches.symbols import (
    Symbols,
    beats,
    on_the_table,
    totals,
)

LINE: Final = 60
"""How many letters of Words the board shows: all nine Words of the shipped cards have fewer."""
_SLOTS: Final = {HEAD: "head", RIGHT: "right", LEGS: "legs", LEFT: "left"}


def named(kind: str, name: str, words: Words) -> str:
    """A monster's name or a Word: as the texts say it, or as an owner's file does."""
    key = f"stitches-{kind}-{name.lower().replace(' ', '-')}"
    return words(key) if words.has(key) else name


def word_name(word: str, words: Words) -> str:
    return named("word", word, words)


def kind_name(kind: str, words: Words) -> str:
    return words(f"stitches-kind-{kind.replace('_', '-')}")


def slot_name(slot: int, words: Words) -> str:
    return words(f"stitches-slot-{_SLOTS[slot]}")


def part_name(part: Part, words: Words) -> str:
    """Tiger head."""
    return words(f"stitches-part-{part.kind}", monster=named("monster", part.monster, words))


@lru_cache(maxsize=2048)
def valued_part(part: Part, words: Words) -> str:
    """Tiger head 4."""
    return words("stitches-part-value", part=part_name(part, words), value=part.cost)


def worn_part(part: Part, words: Words) -> str:
    """Tiger 4 (P1 S2), where the line has said that it is a head."""
    name = named("monster", part.monster, words)
    valued = words("stitches-part-value", part=name, value=part.cost)
    return words("stitches-part-full", part=valued, symbols=symbol_list(part, words))


def unpriced_part(part: Part, words: Words) -> str:
    """Tiger head (P1 S2), where its price is said apart."""
    shown = symbol_list(part, words)
    return words("stitches-part-full", part=part_name(part, words), symbols=shown)


@lru_cache(maxsize=2048)
def full_part(part: Part, words: Words) -> str:
    """Tiger head 4 (P1 S2)."""
    return words(
        "stitches-part-full", part=valued_part(part, words), symbols=symbol_list(part, words)
    )


@lru_cache(maxsize=2048)
def symbol_list(part: Part, words: Words) -> str:
    found = [("rock", part.rock), ("paper", part.paper), ("scissors", part.scissors)]
    shown = [words(f"stitches-{symbol}", count=count) for symbol, count in found if count]
    return " ".join(shown) or words("stitches-no-symbols")


def symbol_totals(own: Symbols, words: Words) -> str:
    """R4 P1 S2."""
    return words("stitches-totals", rock=own.rock, paper=own.paper, scissors=own.scissors)


def joined(items: Iterable[str], words: Words) -> str:
    return words("list-joint").join(items)


def cut_list(items: Sequence[str], words: Words) -> str:
    """As many items as go on a line, and how many more there are."""
    shown, left = list[str](), LINE
    for item in items:
        left -= len(item)
        if left < 0 and shown:
            more = len(items) - len(shown)
            return joined([*shown, words("stitches-more", count=more)], words)
        shown.append(item)
    return joined(shown, words)


def part_list(parts: Iterable[Part], words: Words) -> str:
    return joined((valued_part(part, words) for part in parts), words)


def coin_count(count: int, words: Words) -> str:
    return words("stitches-coins", count=count)


def half_of(monster: Monster) -> int:
    return (monster.coins + 1) // 2


def own_monster(view: View) -> Monster:
    assert view.seat is not None
    return view.monsters[view.seat]


def with_part(monster: Monster, part: Part, slot: int) -> Symbols:
    """The symbols of a monster once `part` is in that slot."""
    worn = [part if place == slot else old for place, old in enumerate(monster.body)]
    return totals((*worn, monster.torso))


def covers(own: Symbols, other: Symbols) -> bool:
    """Whether `own` has at least as much of everything."""
    return own.rock >= other.rock and own.paper >= other.paper and own.scissors >= other.scissors


def beaten(own: Symbols, view: View) -> int:
    """How many of the parts on the table the reader would beat with these symbols."""
    return sum(beats(own, prey.part) for prey in on_the_table(view, own_monster(view).seat))


def card_name(card: Card, words: Words) -> str:
    return words(f"stitches-card-{card}")


def trophies_of(battle: Battle) -> dict[Seat, list[Part]]:
    """The parts that each of a team has won and not yet put on or thrown away."""
    found: dict[Seat, list[Part]] = {}
    for seat, part in battle.trophies:
        found.setdefault(seat, []).append(part)
    return found


def empty_sides(view: View) -> int:
    return view.abomination.sides.count(None) - (not view.abomination.revealed)
