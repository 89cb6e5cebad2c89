"""What bodies can do and what they are worth, looked up by their packed symbols."""

from __future__ import annotations

from functools import lru_cache

from engine.stitches.model import EMPTY, Part
from engine.stitches.parts import (
    ABOMINATION,
    GUARD,
    HUMAN,
    Box,
    Cards,
    Humans,
    Level,
    shipped,
)

BEATS_PARTS = 10.0
BEATS_HEADS = 6.0
A_SYMBOL = 0.6
"""What it is worth to beat every Monster part, every head, and one symbol more in any case."""

Body = tuple[int, ...]


class Sense:
    """Looks up, for one box and one level of Abomination, what some symbols are good for."""

    def __init__(self, box: Box, hard: bool) -> None:
        self.box = box
        self.heads = box.heads[hard]
        self.torsos = box.torsos[hard]
        self.strength = box.strength
        self._beaten: dict[int, int] = {}
        self._worth: dict[int, float] = {}
        self._all_parts = sum(1 << part for part in box.monster_parts)
        self._all_heads = sum(1 << part for part in self.heads)

    def power(self, body: Body, torso: int) -> int:
        """The packed symbols of a whole body."""
        strength = self.strength
        head, right, legs, left = body
        total = strength[head] + strength[right] + strength[legs] + strength[left]
        return total + strength[torso]

    def beaten(self, power: int) -> int:
        """Every part that these symbols beat, as a set of bits by id."""
        known = self._beaten.get(power)
        if known is None:
            reach = power + GUARD
            known = sum(
                1 << part
                for part, armour in enumerate(self.box.armour)
                if (reach - armour) & GUARD == GUARD
            )
            self._beaten[power] = known
        return known

    def worth(self, power: int) -> float:
        """How good these symbols are: how much they beat, and a little for each of them."""
        known = self._worth.get(power)
        if known is None:
            parts, heads = self.coverage(self.beaten(power))
            symbols = (power & 0xFF) + (power >> 8 & 0xFF) + (power >> 16 & 0xFF)
            known = BEATS_PARTS * parts + BEATS_HEADS * heads + A_SYMBOL * symbols
            self._worth[power] = known
        return known

    def coverage(self, beaten: int) -> tuple[float, float]:
        """Which share of the Monster parts, and of this level's heads, is among `beaten`."""
        parts = (beaten & self._all_parts).bit_count() / len(self.box.monster_parts)
        heads = (beaten & self._all_heads).bit_count() / len(self.heads)
        return parts, heads

    def fit(self, body: Body, torso: int, part: int) -> tuple[float, int]:
        """What `part` would add to a body, and the slot where it adds the most; of two alike arms
        the empty one or the right one.
        """
        strength = self.strength
        power = self.power(body, torso)
        best, place = -self.worth(power), -1
        for slot in self.box.slots[part]:
            gained = self.worth(power - strength[body[slot]] + strength[part])
            if place < 0 or gained > best or (gained == best and body[slot] == EMPTY):
                best, place = gained, slot
        return best - self.worth(power), place


@lru_cache(maxsize=16)
def sense_of(parts: tuple[Part, ...], hard: bool) -> Sense:
    """The sense for the cards that a view names."""
    return Sense(_box(parts), hard)


def _box(parts: tuple[Part, ...]) -> Box:
    """The box that these cards came out of; its words are the shipped ones."""
    box = shipped()
    if box.parts == parts:
        return box
    cards = parts[1:]
    human = [part for part in cards if part.monster == HUMAN]
    beast = [part for part in cards if part.monster == ABOMINATION]
    monsters = [part for part in cards if part.monster not in (HUMAN, ABOMINATION)]
    head, right, left, legs, torso = human
    heads = tuple(part for part in beast if part.kind == "head")
    torsos = tuple(part for part in beast if part.kind == "torso")
    half = len(heads) // 2
    return Box(
        Cards(
            tuple(part for part in monsters if part.kind != "torso"),
            tuple(part for part in monsters if part.kind == "torso"),
            Humans(head, (right, left), legs, torso),
        ),
        box.words,
        (Level(heads[:half], torsos[:half]), Level(heads[half:], torsos[half:])),
    )
