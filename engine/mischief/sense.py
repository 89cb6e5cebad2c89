"""What the plays from a hand are worth to a computer player, looked up by card id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.mischief.model import COLOURS, ICONS, MOST_CARDS, Card, Ids, View
from engine.mischief.odds import roll_chances

USUAL_CARDS = 2
"""How many cards another seat is taken to lay."""

CARD_COST = 0.2
"""How many presents a card of the six must be worth: few presents a card make a small stack."""

EQUALS = 0.001
"""What a present is worth beside the chance to win: so little that it chooses between equals."""


@dataclass(slots=True)
class Throw:
    """Some cards laid together: `faces` has a bit for each icon, `sway` is Nice less Naughty."""

    cards: Ids
    faces: int
    presents: int
    sway: int
    chance: float  # of saving them
    worth: float  # presents saved on average, less what the cards cost


@dataclass(slots=True)
class _Group:
    """The plays from cards of one colour, and the best of them."""

    throws: tuple[Throw, ...]
    best: Throw | None
    most: float  # presents that the best play saves on average


class Sense:
    """Looks up plays as one reader values them at one moment. Never changes an answer."""

    def __init__(self, view: View) -> None:
        cards = (*view.hand, *view.unseen, *view.discard)
        self.hand: Ids = tuple(card.id for card in view.hand)
        self.presents = {card.id: len(card.presents) for card in cards}
        self._faces = {c.id: sum(1 << ICONS.index(icon) for icon in c.presents) for c in cards}
        self._sway = {c.id: (c.symbol == "nice") - (c.symbol == "naughty") for c in cards}
        self._colour = {card.id: COLOURS.index(card.colour) for card in cards}
        against = sum(place.playing for place in view.places if place.seat != view.seat)
        self._chance = _chances(view.unseen, USUAL_CARDS * against)
        self.final_bonus = view.final_bonus
        self._groups: dict[Ids, _Group] = {}
        self._best: dict[Ids, Throw] = {}
        self._last: dict[tuple[Ids, int], Throw] = {}

    def throw(self, cards: Ids) -> Throw:
        """What laying `cards` would be."""
        faces = presents = sway = 0
        for card in cards:
            faces |= self._faces[card]
            presents += self.presents[card]
            sway += self._sway[card]
        chance = self._chance[sway][faces.bit_count()]
        worth = chance * (presents - CARD_COST * len(cards))
        return Throw(cards, faces, presents, sway, chance, worth)

    def best(self, hand: Ids) -> Throw:
        """The play that is worth most, as long as the game goes on."""
        known = self._best.get(hand)
        if known is None:
            bests = [group.best for group in self._split(hand) if group.best is not None]
            known = self._best[hand] = max(bests, key=lambda throw: throw.worth)
        return known

    def most(self, hand: Ids) -> float:
        """How many presents the hand can save in one round on average; 0 for no cards."""
        return max(group.most for group in self._split(hand))

    def last(self, hand: Ids, behind: int) -> Throw:
        """The final round's play of whoever needs more than `behind` presents (B19)."""
        known = self._last.get((hand, behind))
        if known is None:
            throws = (throw for group in self._split(hand) for throw in group.throws)
            known = max(throws, key=lambda throw: self.winning(throw, hand, behind))
            self._last[hand, behind] = known
        return known

    def gain(self, throw: Throw, hand: Ids) -> int:
        """The presents that a last play adds at least: the bonus card has one too (B18)."""
        return throw.presents + (self.final_bonus and len(throw.cards) == len(hand))

    def winning(self, throw: Throw, hand: Ids, behind: int) -> float:
        """The chance that a last play takes more than `behind` presents; a tie counts half. Among
        equals more presents are better: nobody knows exactly how many it takes.
        """
        spare = self.gain(throw, hand) - behind
        wins = 1.0 if spare > 0 else 0.5 if spare == 0 else 0.0
        return throw.chance * (wins + EQUALS * throw.presents)

    def _split(self, hand: Ids) -> tuple[_Group, ...]:
        groups: tuple[list[int], ...] = ([], [], [])
        for card in hand:
            groups[self._colour[card]].append(card)
        return tuple([self._group(tuple(sorted(group))) for group in groups])

    def _group(self, cards: Ids) -> _Group:
        known = self._groups.get(cards)
        if known is None:
            sizes = range(1, MOST_CARDS + 1)
            throws = tuple([self.throw(some) for n in sizes for some in combinations(cards, n)])
            best = max(throws, key=lambda throw: throw.worth, default=None)
            most = max([throw.chance * throw.presents for throw in throws], default=0.0)
            known = self._groups[cards] = _Group(throws, best, most)
        return known


def _chances(unseen: Sequence[Card], others: int) -> dict[int, tuple[float, ...]]:
    """By own Nice less Naughty symbols and by different icons: the chance of saving a play."""
    missing = [
        [(1 - different / len(ICONS)) ** times for times in range(4)]
        for different in range(len(ICONS) + 1)
    ]
    found: dict[int, tuple[float, ...]] = {}
    for sway in range(-MOST_CARDS, MOST_CARDS + 1):
        shares = roll_chances(max(sway, 0), max(-sway, 0), unseen, others)
        rolls = [(times, float(share)) for times, share in shares.items()]
        found[sway] = tuple(sum(share * miss[n] for n, share in rolls) for miss in missing)
    return found
