"""Another course of the round that a seat can't tell from the true one.

Who drew and kept what is invented anew, from back to front, within what the seat knows: its own
cards, what it saw, and what follows from the public events (a missed guess, a Cobra Bubbles that
knocked nobody out, who won a Sparky). Each play of another player is as likely to have been the
drawn card as the held one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from engine.chance import Chance
from engine.core import Seat
from engine.fix626.cards import GUESSES, Character, full_deck, shuffled
from engine.fix626.memory import recall
from engine.fix626.model import (
    Compared,
    Dealt,
    Drew,
    Ending,
    GuessMissed,
    HandsTraded,
    KnockedOut,
    Looked,
    Played,
    PrivateNews,
    PublicNews,
    RoundEnded,
    RoundStarted,
    Saw,
    State,
    Swapped,
)

TRIES: Final = 100
"""How often cards are dealt that might fit together, before only what was seen has to fit."""

ANY: Final = frozenset(Character)
_BIG: Final = frozenset({Character.NANI, Character.LILO})

T = TypeVar("T")


@dataclass(slots=True)
class Span:
    """A card held between two plays: what it can be, and the play that the span began with."""

    may_be: frozenset[Character] = ANY
    earlier: Span | None = None
    played: Character | None = None

    def ways(self, card: Character) -> int:
        """How many courses of earlier turns end with holding `card`."""
        if card not in self.may_be:
            return 0
        if self.earlier is None or self.played is None:
            return 1
        return self.earlier.ways(card) + self.earlier.ways(self.played)


def retold(state: State, me: Seat | None, chance: Chance) -> State:
    """A state that `me` can't tell from `state`.

    The private events of others in the round before are left out: nothing depends on them.
    """
    before_told = tuple(event for event in state.before_told if event.to == me)
    if state.asked is None:
        return replace(_after_the_end(state, me, chance), before_told=before_told)
    story = Story(state, me)
    pool = hidden_from(state, me, story.known)
    for number in range(TRIES + 1):
        relaxed = number == TRIES
        story.settle_ties(chance)
        dealt = _deal(state, story, list(pool), chance, relaxed=relaxed)
        if dealt is None:
            continue
        hands, rest = dealt
        told = story.tell(hands, chance)
        if told is not None and (relaxed or story.ties_hold(told)):
            return replace(
                state,
                hands=hands,
                deck=rest[1:],
                aside=rest[0],
                told=told,
                before_told=before_told,
            )
    return state


def _after_the_end(state: State, me: Seat | None, chance: Chance) -> State:
    """A match that is over: the last winner's hand and the deck were never shown."""
    ends = [event for event in state.before if isinstance(event, RoundEnded)]
    if not ends or ends[-1].reason is not Ending.LAST:
        return state
    hidden = [(s, hand) for s, hand in enumerate(state.hands) if hand and s != me]
    cards = shuffled([*state.deck, *(card for _, hand in hidden for card in hand)], chance)
    hands = list(state.hands)
    for seat, hand in hidden:
        hands[seat], cards = cards[: len(hand)], cards[len(hand) :]
    return replace(state, hands=tuple(hands), deck=cards)


def hidden_from(
    state: State, me: Seat | None, known: Sequence[Character | None]
) -> list[Character]:
    """The cards that `me` can't place: in hands it does not know, in the deck, set aside."""
    cards = list(full_deck(len(state.hands)))
    for pile in state.piles:
        for card in pile:
            cards.remove(card)
    for card in () if me is None else state.hands[me]:
        cards.remove(card)
    for sure in known:
        if sure is not None:
            cards.remove(sure)
    return cards


def _deal(
    state: State, story: Story, pool: list[Character], chance: Chance, *, relaxed: bool
) -> tuple[tuple[tuple[Character, ...], ...], tuple[Character, ...]] | None:
    """Hands for everybody, and the rest in a random order; None if no card is left that fits."""
    hands = list(state.hands)
    for seat in shuffled(range(len(hands)), chance):
        if not hands[seat] and not relaxed and not story.spans[seat].ways(state.piles[seat][-1]):
            return None
        if seat == story.me or not hands[seat]:
            continue
        card = story.known[seat]
        if card is None:
            weights = [1 if relaxed else story.spans[seat].ways(card) for card in pool]
            if not sum(weights):
                return None
            card = pool.pop(weighted(weights, chance))
        hands[seat] = (card,)
    rest = list(shuffled(pool, chance))
    if state.asked == state.turn != story.me:
        hands[state.turn] += (rest.pop(),)
    return tuple(hands), tuple(rest)


def weighted(weights: Sequence[int], chance: Chance) -> int:
    """An index, each as likely as its weight says."""
    total = sum(weights)
    left = chance.below(total) if total not in weights else total - 1
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    raise AssertionError("the weights add up to their sum")


class Story:
    """What `me` knows of this round, ready for being told in another way."""

    def __init__(self, state: State, me: Seat | None) -> None:
        self.me = me
        self.turn = state.turn
        self.in_turn = state.asked == state.turn
        self.history = state.history
        self.mine = tuple(event for event in state.told if event.to == me)
        seats = len(state.hands)
        self.known = recall(me, seats, self.history, self.mine)
        self.spans = [Span() for _ in range(seats)]
        self._ties: list[tuple[Span, Span, list[int]]] = []
        self._left = list(full_deck(seats))
        lessons = (event for event in self.mine if isinstance(event, Saw | Swapped))
        for index, event in enumerate(self.history):
            self._learn(event, self._next_card_out(index), lessons)
        self._learned = [(s, s.may_be) for one, other, _ in self._ties for s in (one, other)]

    def _next_card_out(self, index: int) -> Character | None:
        """The card that was shown when what happened at `index` knocked somebody out."""
        after = self.history[index + 1] if index + 1 < len(self.history) else None
        return after.card if isinstance(after, KnockedOut) else None

    def _learn(
        self, event: PublicNews, shown: Character | None, lessons: Iterator[Saw | Swapped]
    ) -> None:
        """Narrow what the hands concerned can be."""
        spans, me = self.spans, self.me
        match event:
            case Played(seat, card, _, _):
                self._left.remove(card)
                spans[seat] = Span(earlier=spans[seat], played=card)
            case KnockedOut(seat, _, card):
                self._left.remove(card)
                spans[seat].may_be &= {card}
            case GuessMissed(_, target, guess):
                spans[target].may_be -= {c for c in Character if c.number == guess}
            case Looked(seat, target):
                if shown is None:
                    spans[target].may_be -= _BIG
                if seat == me:
                    self._saw(next(lessons))
            case Compared(seat, target, loser):
                if me in (seat, target):
                    self._saw(next(lessons))
                elif loser is None:
                    self._ties.append((spans[seat], spans[target], self._pairs_left()))
                elif shown is not None:
                    winner = target if loser == seat else seat
                    spans[winner].may_be &= {c for c in Character if c.number > shown.number}
            case HandsTraded(seat, target):
                if me in (seat, target):
                    self._saw(next(lessons))
                spans[seat], spans[target] = spans[target], spans[seat]
            case _:
                pass

    def _saw(self, lesson: Saw | Swapped) -> None:
        if isinstance(lesson, Saw):
            self.spans[lesson.seat].may_be &= {lesson.card}
        else:
            self.spans[lesson.seat].may_be &= {lesson.got}
            self.spans[lesson.to].may_be &= {lesson.gave}

    def _pairs_left(self) -> list[int]:
        """For each number, in how many ways two players can have it now."""
        left = [sum(card.number == number for card in self._left) for number in GUESSES]
        return [cards * (cards - 1) for cards in left]

    def settle_ties(self, chance: Chance) -> None:
        """Choose a number for each tie of others in a Sparky, by how many pairs have it."""
        for span, may_be in self._learned:
            span.may_be = may_be
        for one, other, pairs in self._ties:
            number = weighted(pairs, chance)
            cards = {c for c in Character if c.number == number}
            one.may_be &= cards
            other.may_be &= cards

    def tell(
        self, hands: Sequence[tuple[Character, ...]], chance: Chance
    ) -> tuple[PrivateNews, ...] | None:
        """The private events of a course that ends with `hands`; None if `me` knows better."""
        return _Telling(self, hands, chance).told()

    def ties_hold(self, told: Sequence[PrivateNews]) -> bool:
        """Whether those who tied in a Sparky have the same number."""
        if not self._ties:
            return True
        seen = iter([event for event in told if isinstance(event, Saw)])
        compared = [e for e in self.history if isinstance(e, Compared | Looked)]
        for event in compared:
            first = next(seen)
            if isinstance(event, Compared):
                second = next(seen)
                if event.loser is None and first.card.number != second.card.number:
                    return False
        return True


class _Telling:
    """One course of a round, made up from its end to its beginning."""

    def __init__(
        self, story: Story, hands: Sequence[tuple[Character, ...]], chance: Chance
    ) -> None:
        self._story = story
        self._chance = chance
        self._draws = [event.card for event in story.mine if isinstance(event, Drew)]
        self._spans = list(story.spans)
        self._held: list[Character | None] = [hand[0] if hand else None for hand in hands]
        self._backwards: list[PrivateNews] = []
        if story.in_turn:
            self._drew(story.turn, hands[story.turn][1])

    def told(self) -> tuple[PrivateNews, ...] | None:
        for event in reversed(self._story.history):
            self._undo(event)
        told = tuple(reversed(self._backwards))
        mine = tuple(event for event in told if event.to == self._story.me)
        return told if mine == self._story.mine else None

    def _undo(self, event: PublicNews) -> None:
        held, write = self._held, self._backwards.append
        match event:
            case Played(seat, card, _, _):
                self._take_back(seat, card)
            case KnockedOut(seat, _, card):
                held[seat] = card
            case Looked(seat, target):
                write(Saw(seat, target, _sure(held[target])))
            case Compared(seat, target, _):
                write(Saw(target, seat, _sure(held[seat])))
                write(Saw(seat, target, _sure(held[target])))
            case HandsTraded(seat, target):
                got, gave = _sure(held[seat]), _sure(held[target])
                write(Swapped(target, seat, got, gave))
                write(Swapped(seat, target, gave, got))
                held[seat], held[target] = gave, got
                spans = self._spans
                spans[seat], spans[target] = spans[target], spans[seat]
            case RoundStarted():
                for place in reversed(range(len(held))):
                    write(Dealt(Seat(place), _sure(held[place])))
            case _:
                pass

    def _take_back(self, seat: Seat, played: Character) -> None:
        """The hand of `seat` before it played: was the played card the drawn one or the held?"""
        kept = _sure(self._held[seat])
        earlier = self._spans[seat].earlier
        self._spans[seat] = earlier if earlier is not None else Span()
        if seat == self._story.me:
            drawn = self._draws[-1]
            self._held[seat] = kept if drawn is played else played
        else:
            weights = (self._spans[seat].ways(kept), self._spans[seat].ways(played))
            if not any(weights):
                weights = (1, 1)
            was_drawn = weighted(weights, self._chance) == 0
            self._held[seat] = kept if was_drawn else played
            drawn = played if was_drawn else kept
        self._drew(seat, drawn)

    def _drew(self, seat: Seat, card: Character) -> None:
        self._backwards.append(Drew(seat, card))
        if seat == self._story.me:
            self._draws.pop()


def _sure(card: T | None) -> T:
    """A card that the events so far, read backwards, must have given."""
    assert card is not None
    return card
