"""What can be looked up about the cards of one deck; computed once, then kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from engine.core import Seat
from engine.mischief.deck import Deck
from engine.mischief.model import (
    COLOURS,
    MOST_CARDS,
    Card,
    Chosen,
    Discarded,
    Icon,
    Ids,
    Laid,
    Locked,
    Play,
    Saved,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One seat's play: what of it counts, and the news that it can make, ready to be told."""

    icons: frozenset[Icon]
    presents: int
    nice: int
    naughty: int
    laid: Laid
    told: tuple[Locked, Chosen]
    changed: tuple[Chosen]
    discarded: Discarded


class Book:
    """Look-ups by card id. Remembering them changes no answer: cards never change."""

    def __init__(self, deck: Deck) -> None:
        self.by_id: dict[int, Card] = {card.id: card for card in deck.cards}
        self.ids: Ids = tuple(self.by_id)
        self._presents = {card.id: len(card.presents) for card in deck.cards}
        self._colour = {card.id: COLOURS.index(card.colour) for card in deck.cards}
        self.turn: Callable[[Seat, Ids], Turn] = lru_cache(maxsize=1 << 13)(self._turn)
        self.saved: Callable[[Seat, Ids, int], Saved] = lru_cache(maxsize=1 << 13)(self._saved)

    def cards(self, ids: Ids) -> tuple[Card, ...]:
        """The cards with these ids, in the same order."""
        return tuple(map(self.by_id.__getitem__, ids))

    def plays(self, hand: Ids) -> tuple[Play, ...]:
        """Every play from `hand`: red ones first, then yellow, then green (B01)."""
        colour = self._colour
        groups: tuple[list[int], ...] = ([], [], [])
        for card in hand:
            groups[colour[card]].append(card)
        red, yellow, green = groups
        return _plays_of(tuple(red)) + _plays_of(tuple(yellow)) + _plays_of(tuple(green))

    def presents(self, ids: Ids) -> int:
        """How many presents are on these cards (B03)."""
        return sum(map(self._presents.__getitem__, ids))

    def matches(self, ids: Ids, face: Icon) -> int:
        """How many presents on these cards show `face`."""
        return sum(self.by_id[card].presents.count(face) for card in ids)

    def _turn(self, seat: Seat, ids: Ids) -> Turn:
        cards = self.cards(ids)
        chosen = Chosen(seat, cards)
        return Turn(
            icons=frozenset(icon for card in cards for icon in card.presents),
            presents=self.presents(ids),
            nice=sum(card.symbol == "nice" for card in cards),
            naughty=sum(card.symbol == "naughty" for card in cards),
            laid=Laid(seat, cards),
            told=(Locked(seat), chosen),
            changed=(chosen,),
            discarded=Discarded(seat, cards),
        )

    def _saved(self, seat: Seat, ids: Ids, stack: int) -> Saved:
        return Saved(seat, self.cards(ids), self.presents(ids), stack)


@lru_cache(maxsize=1 << 14)
def _plays_of(group: Ids) -> tuple[Play, ...]:
    """The plays from cards of one colour: single cards first, the hand's order within each."""
    return tuple(
        _play(cards) for size in range(1, MOST_CARDS + 1) for cards in combinations(group, size)
    )


@lru_cache(maxsize=1 << 14)
def _play(cards: Ids) -> Play:
    return Play(cards)
