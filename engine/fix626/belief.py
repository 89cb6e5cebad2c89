"""What a seat can't see, imagined: hands and deck that fit all it knows, likely ones more often.

What fits is worked out by retelling.py: unseen cards, known cards, missed guesses, comparisons,
looks that knocked nobody out. What is likely follows from how people play: they keep the better.
"""

from __future__ import annotations

from typing import Final

from engine.chance import Chance
from engine.core import Seat
from engine.fix626.cards import Character, shuffled
from engine.fix626.model import State, View
from engine.fix626.retelling import Story, hidden_from, weighted

TRIES: Final = 8
"""How often cards are dealt that might fit together, before only what was seen has to fit."""

KEEPS_BETTER: Final = 4
"""How much likelier it is that somebody kept the better of two cards than the worse."""

PLACEHOLDER: Final = Character.GANTU


class Belief:
    """The worlds that the seat of a view may be in. Made from a view alone."""

    def __init__(self, view: View) -> None:
        assert view.you is not None
        self._me: Seat = view.you
        self._sheet = _sheet(view)
        self._story = Story(self._sheet, view.you)
        self._pool = hidden_from(self._sheet, view.you, self._story.known)

    @property
    def unseen(self) -> tuple[Character, ...]:
        """The cards that may be anywhere."""
        return tuple(self._pool)

    def known(self, seat: Seat) -> Character | None:
        """The card that `seat` holds, if that is known."""
        return self._story.known[seat]

    def may_hold(self, seat: Seat) -> frozenset[int]:
        """The numbers that the card of `seat` can have."""
        known = self._story.known[seat]
        if known is not None:
            return frozenset({known.number})
        span, played = self._story.spans[seat], self._played(seat)
        return frozenset({c.number for c in self._pool if played is None or span.ways(c)})

    def world(self, chance: Chance) -> State:
        """One of the worlds, as the state in which the seat of the view is asked."""
        self._story.settle_ties(chance)
        for number in range(TRIES + 1):
            dealt = self._deal(chance, relaxed=number == TRIES)
            if dealt is not None:
                return dealt
        raise AssertionError("a relaxed deal always fits")

    def _deal(self, chance: Chance, *, relaxed: bool) -> State | None:
        sheet, pool = self._sheet, list(self._pool)
        hands = list(sheet.hands)
        for seat, hand in enumerate(sheet.hands):
            if seat == self._me or not hand:
                continue
            card = self._story.known[seat]
            if card is None:
                weights = [1 if relaxed else self._weight(Seat(seat), c) for c in pool]
                if not any(weights):
                    return None
                card = pool.pop(weighted(weights, chance))
            hands[seat] = (card,)
        rest = shuffled(pool, chance)
        world = _copy(sheet)
        world.hands, world.aside, world.deck = tuple(hands), rest[0], rest[1:]
        return world

    def _weight(self, seat: Seat, card: Character) -> int:
        ways = self._story.spans[seat].ways(card)
        played = self._played(seat)
        if played is None or card.number < played.number:
            return ways
        return ways * KEEPS_BETTER

    def _played(self, seat: Seat) -> Character | None:
        pile = self._sheet.piles[seat]
        return pile[-1] if pile else None


def _sheet(view: View) -> State:
    """The view as a state whose hidden cards are blank; its memory is the seat's own."""
    hands: list[tuple[Character, ...]] = []
    for seat, place in enumerate(view.places):
        hands.append(view.hand if seat == view.you else (PLACEHOLDER,) * min(place.cards, 1))
    return State(
        hands=tuple(hands),
        piles=tuple(place.pile for place in view.places),
        deck=(PLACEHOLDER,) * view.deck,
        aside=PLACEHOLDER,
        stitch=view.stitch,
        side=view.side,
        protected=next((Seat(s) for s, p in enumerate(view.places) if p.protected), None),
        turn=view.turn,
        asked=view.you,
        tokens=tuple(place.tokens for place in view.places),
        round=view.round,
        epoch=0,
        history=view.history,
        told=view.told,
        before=(),
        before_told=(),
    )


def _copy(sheet: State) -> State:
    """The same table without its memory, which no rollout needs."""
    return State(
        sheet.hands,
        sheet.piles,
        sheet.deck,
        sheet.aside,
        sheet.stitch,
        sheet.side,
        sheet.protected,
        sheet.turn,
        sheet.asked,
        sheet.tokens,
        sheet.round,
        0,
        (),
        (),
        (),
        (),
    )
