"""The eleven characters of The Fix for 626: their numbers and how many of each there are."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from math import factorial
from typing import Final, TypeVar

from engine.chance import Chance

T = TypeVar("T")


class Character(StrEnum):
    """A character card. Two share the number 5 and two the number 6, so a number is no name."""

    number: int
    copies: int

    def __new__(cls, name: str, number: int, copies: int) -> Character:
        member = str.__new__(cls, name)
        member._value_ = name
        member.number = number
        member.copies = copies
        return member

    GANTU = "gantu", 0, 2
    COUNCILWOMAN = "councilwoman", 1, 3
    COBRA = "cobra", 2, 2
    SPARKY = "sparky", 3, 2
    JUMBA = "jumba", 4, 2
    ANGEL = "angel", 5, 1
    LEROY = "leroy", 5, 1
    DAVID = "david", 6, 1
    PLEAKLEY = "pleakley", 6, 1
    NANI = "nani", 7, 1
    LILO = "lilo", 8, 1


TARGETED: Final = frozenset(
    {
        Character.COUNCILWOMAN,
        Character.COBRA,
        Character.SPARKY,
        Character.PLEAKLEY,
        Character.NANI,
    }
)
"""The cards that say "choose another player"."""

GUESSES: Final = range(9)
"""What a Grand Councilwoman may guess, 1 included (A07)."""

NO_SPARKY_UP_TO: Final = 3
"""Setup 2: with this many seats or fewer the Sparkys stay in the bag."""

TOKENS_TO_WIN: Final = {2: 5, 3: 4, 4: 3, 5: 3}


@cache
def full_deck(seats: int) -> tuple[Character, ...]:
    """Every card of a round for `seats` players, in the order of the rulebook (Setup 2)."""
    return tuple(
        card
        for card in Character
        if seats > NO_SPARKY_UP_TO or card is not Character.SPARKY
        for _ in range(card.copies)
    )


def shuffled(cards: Iterable[T], chance: Chance) -> tuple[T, ...]:
    """`cards`, at most twenty, in a random order.

    All orders are numbered and one number is drawn: drawing one for each card would take a fifth
    of the time of a whole random game.
    """
    deck = list(cards)
    order = chance.below(factorial(len(deck)))
    for i in range(len(deck) - 1, 0, -1):
        order, j = divmod(order, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)
