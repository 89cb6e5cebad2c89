"""Exact chances: of saving a play, and of how often the die will be rolled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from engine.mischief.model import ICONS, Card


def rolls(nice: int, naughty: int) -> int:
    """How often the die is rolled, from the face-up cards of all seats (B05)."""
    return 2 + (naughty > nice) - (nice > naughty)


def icons(cards: Sequence[Card]) -> int:
    """How many different icons are on `cards`, and so how many faces of the die lose them."""
    return len({icon for card in cards for icon in card.presents})


def symbols(cards: Sequence[Card]) -> tuple[int, int]:
    """How many of `cards` have a Nice symbol, and how many a Naughty one."""
    return sum(c.symbol == "nice" for c in cards), sum(c.symbol == "naughty" for c in cards)


def saving(different: int, times: int) -> Fraction:
    """The chance that `times` rolls miss `different` icons (rulings 2.1)."""
    return Fraction(len(ICONS) - different, len(ICONS)) ** times


def roll_chances(
    nice: int, naughty: int, unseen: Sequence[Card], others: int
) -> Mapping[int, Fraction]:
    """The chance of one, two and three rolls, if the other seats lay `others` cards.

    `nice` and `naughty` are the reader's own; any `others` of the unseen cards are as likely as
    any other ones.
    """
    happy, grim = symbols(unseen)
    plain = len(unseen) - happy - grim
    others = min(others, len(unseen))
    ways = {1: 0, 2: 0, 3: 0}
    for more_nice in range(min(happy, others) + 1):
        for more_naughty in range(min(grim, others - more_nice) + 1):
            rest = others - more_nice - more_naughty
            found = comb(happy, more_nice) * comb(grim, more_naughty) * comb(plain, rest)
            ways[rolls(nice + more_nice, naughty + more_naughty)] += found
    every = comb(len(unseen), others)
    return {times: Fraction(count, every) for times, count in ways.items()}


def saving_play(cards: Sequence[Card], unseen: Sequence[Card], others: int) -> Fraction:
    """The chance of saving `cards` before it is known how often the die is rolled."""
    different = icons(cards)
    chances = roll_chances(*symbols(cards), unseen, others)
    return sum((p * saving(different, times) for times, p in chances.items()), Fraction(0))
