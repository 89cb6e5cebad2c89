"""How a computer player chooses its cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction

from engine.chance import Chance
from engine.mischief.model import Card, Play, View
from engine.mischief.odds import icons, roll_chances, saving, symbols

_USUAL_CARDS = 2
"""How many cards another seat is taken to lay."""


def casual(view: View, legal: tuple[Play, ...], chance: Chance) -> Play:
    """The play that saves the most presents on average in this round; chance picks among equals."""
    worth = _worth_in(view)
    by_worth: defaultdict[Fraction, list[Play]] = defaultdict(list)
    for play in legal:
        by_worth[worth([view.card(number) for number in play.cards])].append(play)
    return chance.pick(by_worth[max(by_worth)])


def _worth_in(view: View) -> Callable[[list[Card]], Fraction]:
    """How many presents some cards save on average, as the table stands."""
    others = _USUAL_CARDS * sum(p.playing for p in view.places if p.seat != view.seat)
    known = {
        (nice, naughty): roll_chances(nice, naughty, view.unseen, others)
        for nice in range(4)
        for naughty in range(4 - nice)
    }

    def worth(cards: list[Card]) -> Fraction:
        presents = sum(len(card.presents) for card in cards)
        times = known[symbols(cards)].items()
        return presents * sum((p * saving(icons(cards), n) for n, p in times), Fraction(0))

    return worth
