"""The rules of Disney Stitch: Merry Mischief! as a Game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import ClassVar

from engine.chance import Chance
from engine.core import Game, GameInfo, Option, OptionValue, Outcome, Seat, Step
from engine.errors import GameError, IllegalAction
from engine.mischief.book import Book
from engine.mischief.deck import Deck, shipped_deck, shuffled
from engine.mischief.errors import (
    CardsNotInHand,
    NoCards,
    SameCardTwice,
    TooManyCards,
    TwoColours,
)
from engine.mischief.model import (
    HAND,
    MOST_CARDS,
    SEATS,
    Card,
    Dealt,
    Discarded,
    Ids,
    MischiefEvent,
    Place,
    Play,
    State,
    Table,
    View,
)
from engine.mischief.resolving import resolve


class Mischief(Game[State, Play, View]):
    """Merry Mischief with the shipped deck or an owner's own.

    A round is one question to every seat with cards; the last answer plays the whole round out.
    """

    info: ClassVar = GameInfo(
        key="mischief",
        rules_version=1,
        min_seats=2,
        max_seats=len(SEATS),
        options=(
            Option("totals", False, (False, True)),  # B21
            Option("final_bonus", False, (False, True)),  # B18
        ),
    )
    state_type: ClassVar = State
    action_type: ClassVar = Play
    event_type: ClassVar = MischiefEvent

    def __init__(self, deck: Deck | None = None) -> None:
        deck = deck or shipped_deck()
        self.edition = deck.edition
        self._book = Book(deck)

    def setup(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> Step[State]:
        """Set Up: six cards each, the rest is the deck."""
        cards = shuffled(self._book.ids, chance)
        hands = tuple(cards[HAND * seat : HAND * (seat + 1)] for seat in range(seats))
        table = Table(
            round=1,
            final=False,
            roller=Seat(0),
            hands=hands,
            stacks=((),) * seats,
            bonuses=(None,) * seats,
            deck=cards[HAND * seats :],
            discard=(),
            reshuffles=(),
            news=(),
            ending=None,
            totals=bool(options["totals"]),
            final_bonus=bool(options["final_bonus"]),
        )
        dealt = (Dealt(Seat(seat), self._book.cards(hand)) for seat, hand in enumerate(hands))
        return Step(_asking(table), tuple(dealt))

    def epoch(self, state: State) -> int:
        """The round's number: every choice of a round answers the same question (B02)."""
        table = state.table
        return table.round if table.ending is None else table.round + 1

    def pending(self, state: State) -> frozenset[Seat]:
        return state.waiting

    def legal(self, state: State, seat: Seat) -> tuple[Play, ...]:
        return self._book.plays(state.table.hands[seat]) if seat in state.waiting else ()

    def revisions(self, state: State, seat: Seat) -> tuple[Play, ...]:
        """While somebody else has not chosen, cards that lie face down can be taken back (B02)."""
        return self._book.plays(state.table.hands[seat]) if state.locked[seat] else ()

    def apply(self, state: State, seat: Seat, action: Play, chance: Chance) -> Step[State]:
        """The choice is locked; the last one of a round is followed by all the rest of it."""
        turn = self._book.turn(seat, action.cards)
        told = turn.changed if state.locked[seat] else turn.told
        locked = (*state.locked[:seat], action.cards, *state.locked[seat + 1 :])
        waiting = state.waiting - {seat}
        if waiting:
            return Step(State(state.table, locked, waiting), told)
        after, story = resolve(state.table, locked, self._book, chance)
        return Step(_asking(after), (*told, *story))

    def fallback(self, state: State, seat: Seat) -> Play:
        """The one card with the fewest presents, the lowest id among them."""
        by_id = self._book.by_id
        return min(
            (play for play in self._book.plays(state.table.hands[seat]) if len(play.cards) == 1),
            key=lambda play: (len(by_id[play.cards[0]].presents), play.cards),
        )

    def view(self, state: State, seat: Seat | None) -> View:
        """Face-up things, counts of the rest, and the reader's own cards (B21)."""
        book, table = self._book, state.table
        mine = () if seat is None else table.hands[seat]
        saved = {card for n, stack in enumerate(table.stacks) if n != seat for card in stack}
        own = () if seat is None else table.stacks[seat]
        open_cards = {*mine, *own, *table.discard, *saved}
        return View(
            seat=seat,
            round=table.round,
            final=table.final,
            over=table.ending is not None,
            roller=table.roller,
            places=tuple(self._place(state, Seat(n), seat) for n in range(len(table.hands))),
            hand=book.cards(mine),
            locked=() if seat is None else book.cards(state.locked[seat]),
            drew=book.cards(mine[len(mine) - _drawn(table, seat) :]),
            stack=book.cards(own),
            deck=len(table.deck),
            discard=book.cards(table.discard),
            unseen=book.cards(tuple(card for card in book.ids if card not in open_cards)),
            news=table.news,
            ending=table.ending,
            saved=book.cards(tuple(sorted(saved))),
            final_bonus=table.final_bonus,
        )

    def _place(self, state: State, seat: Seat, reader: Seat | None) -> Place:
        table = state.table
        presents: int | None = None
        if table.ending is not None:
            presents = table.ending.stacks[seat].presents
        elif table.totals or seat == reader:
            presents = self._book.presents(table.stacks[seat])
        bonus = table.bonuses[seat] is not None
        return Place(
            seat=seat,
            cards=len(table.hands[seat]),
            stack=len(table.stacks[seat]) + bonus,
            bonus=bonus,
            playing=table.ending is None and bool(table.hands[seat]),
            locked=bool(state.locked[seat]),
            presents=presents,
        )

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """Other hands, their locked choices, the deck and unseen bonus cards, drawn anew.

        Everybody saw which cards each new deck was made of, and later which of them were played. So
        a hidden card only changes places with hidden cards that came out of the same shuffle.
        """
        table = state.table
        shuffle_of = {card: n for n, cards in enumerate(table.reshuffles, 1) for card in cards}
        hidden = [hand for n, hand in enumerate(table.hands) if n != seat]
        pools: dict[int, list[int]] = {}
        for card in chain(table.deck, *hidden, _unseen_bonuses(table)):
            pools.setdefault(shuffle_of.get(card, 0), []).append(card)
        drawn = {n: iter(chance.shuffle(pool)) for n, pool in sorted(pools.items())}

        def others(cards: Ids) -> Ids:
            return tuple(next(drawn[shuffle_of.get(card, 0)]) for card in cards)

        hands = tuple(h if n == seat else others(h) for n, h in enumerate(table.hands))
        bonuses = table.bonuses
        if table.ending is None:
            bonuses = tuple(None if b is None else others((b,))[0] for b in bonuses)
        locked = tuple(
            chance.pick(self._book.plays(hands[n])).cards if play and n != seat else play
            for n, play in enumerate(state.locked)
        )
        deck = others(table.deck)
        others_table = replace(table, hands=hands, bonuses=bonuses, deck=deck)
        return State(others_table, locked, state.waiting)

    def outcome(self, state: State) -> Outcome | None:
        ending = state.table.ending
        if ending is None:
            return None
        scores = {stack.seat: stack.presents for stack in ending.stacks}
        return Outcome(frozenset(ending.winners), scores, ending.reason)

    def why_not(self, view: View, action: Play) -> GameError:
        """The first rule of step 1 that the play breaks (B01)."""
        hand = {card.id: card for card in view.hand}
        cards: list[Card] = []
        for number in action.cards:
            if number not in hand:
                return CardsNotInHand(card=number)
            if hand[number] in cards:
                return SameCardTwice(card=number)
            cards.append(hand[number])
        if not cards:
            return NoCards()
        if len(cards) > MOST_CARDS:
            return TooManyCards(cards=len(cards), most=MOST_CARDS)
        other = next((card for card in cards if card.colour != cards[0].colour), None)
        if other is not None:
            return TwoColours(first=cards[0].colour, second=other.colour)
        return IllegalAction()


def _asking(table: Table) -> State:
    """The state in which every seat with cards is asked for a choice."""
    hands = () if table.ending is not None else table.hands
    waiting = frozenset([seat for seat, hand in zip(SEATS, hands, strict=False) if hand])
    return State(table, ((),) * len(table.hands), waiting)


def _drawn(table: Table, seat: Seat | None) -> int:
    """How many cards the seat drew in the last round: as many as it lost."""
    lost = (e for e in table.news if isinstance(e, Discarded) and e.seat == seat)
    return sum(len(event.cards) for event in lost)


def _unseen_bonuses(table: Table) -> Ids:
    if table.ending is not None:
        return ()
    return tuple(card for card in table.bonuses if card is not None)
