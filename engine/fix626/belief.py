"""What a seat can infer of the cards it does not see: all that fits, weighted by how people play.

Each hand has a trail: for every card that it may be, how likely the plays seen since the deal are
to have led there. A play leaves the drawn card or the held one; a missed guess, a look that knocked
nobody out and a comparison rule cards out. Unseen cards are equally likely to be anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import Final, NamedTuple

from engine.chance import Chance
from engine.core import Seat
from engine.fix626.cards import Character, full_deck, shuffled
from engine.fix626.judgement import NUMBERS, Sight, less, preference
from engine.fix626.model import (
    Compared,
    Dealt,
    Drew,
    Flipped,
    GuessMissed,
    HandsTraded,
    KnockedOut,
    Looked,
    Played,
    Protected,
    ProtectionEnded,
    PublicNews,
    RoundStarted,
    Saw,
    Side,
    State,
    StitchMoved,
    Swapped,
    View,
)

CARDS: Final = tuple(Character)
INDEX: Final = {card: index for index, card in enumerate(CARDS)}
KINDS: Final = len(CARDS)

_BLIND: Final = (0.5,) * KINDS

_Test = Callable[[Character], bool]

Trail = dict[int, list[float]]
"""For each set of seats that know the card, as bits, how likely it is each of CARDS."""


class World(NamedTuple):
    """One way the cards can lie: a hand for each seat (its own for the seat itself).

    Bit s of `knowers[t]` is set when seat s knows the held card of t. `weight` is how likely it is.
    """

    hands: tuple[tuple[Character, ...], ...]
    deck: tuple[Character, ...]
    aside: Character
    knowers: tuple[int, ...]
    weight: float


@dataclass(slots=True)
class _Hypothesis:
    """One number for each tie of others in a Sparky, and the trails that it leads to."""

    trails: list[Trail]
    weight: float = 1.0


class _Public:
    """What everybody sees of a round, followed from its start, which is found by going back."""

    def __init__(self, view: View) -> None:
        seats, history = len(view.places), view.history
        shown = [event.card for event in history if isinstance(event, Played | KnockedOut)]
        lie_open = [card for place in view.places for card in place.pile]
        self.left = [0] * NUMBERS
        for card in (*full_deck(seats), *shown):
            self.left[card.number] += 1
        for card in lie_open:
            self.left[card.number] -= 1
        self.leroy = Character.LEROY in shown or Character.LEROY not in lie_open
        plays = sum(isinstance(event, Played) for event in history)
        self.deck = view.deck + plays + (view.asked == view.turn)
        fallen = {event.seat for event in history if isinstance(event, KnockedOut)}
        self.inside = [
            Seat(seat) for seat, place in enumerate(view.places) if not place.out or seat in fallen
        ]
        flips = sum(isinstance(event, Flipped) for event in history)
        self.good = (view.side is Side.GOOD) == (flips % 2 == 0)
        self.stitch = view.stitch
        self.protected: Seat | None = None

    def follow(self, event: PublicNews) -> None:
        match event:
            case RoundStarted(_, stitch, _):
                self.stitch = stitch
            case Played(_, card, _, _):
                self._show(card)
            case KnockedOut(seat, _, card):
                self._show(card)
                self.inside.remove(seat)
            case StitchMoved(_, target, _):
                self.stitch = target
            case Flipped(_, side):
                self.good = side is Side.GOOD
            case Protected(seat):
                self.protected = seat
            case ProtectionEnded(_):
                self.protected = None
            case _:
                pass

    def _show(self, card: Character) -> None:
        self.left[card.number] -= 1
        if card is Character.LEROY:
            self.leroy = False

    def sight(
        self, me: Seat, kept: Character, played: Character, barred: Sequence[int], knowers: int
    ) -> Sight:
        """What `me` goes by if it holds `kept` and has drawn `played`."""
        left = self.left.copy()
        left[kept.number] -= 1
        left[played.number] -= 1
        hidden = sum(left)
        plain = [count / hidden for count in left]
        seats = len(barred)
        turns = [Seat((me + step) % seats) for step in range(1, seats)]
        return Sight(
            me,
            (kept, played),
            tuple([seat for seat in turns if seat in self.inside]),
            self.stitch,
            self.good,
            self.protected if self.protected != me else None,
            self.deck,
            [less(left, bars, plain) if bars else plain for bars in barred],
            left,
            hidden,
            self.leroy and Character.LEROY not in (kept, played),
            knowers,
        )


class Joint(NamedTuple):
    """The hidden hands together, and how likely they are."""

    weight: float
    cards: tuple[int, ...]
    knowers: tuple[int, ...]


class Belief:
    """What the seat of a view, which is in the round, can know. Made from the view alone."""

    def __init__(self, view: View, *, reads_plays: bool = True) -> None:
        assert view.you is not None
        self._reads_plays = reads_plays
        self._joints: list[Joint] = []
        self._odds: dict[Seat, list[float]] = {}
        self.view = view
        self.me = view.you
        seats = len(view.places)
        self.pool = _unseen(view)
        self.barred = [0] * seats
        self._public = _Public(view)
        self._ever = [card in full_deck(seats) for card in CARDS]
        self._draws = iter([event.card for event in view.told if isinstance(event, Drew)])
        self._lessons = iter([e for e in view.told if isinstance(e, Saw | Swapped)])
        dealt = next(event.card for event in view.told if isinstance(event, Dealt))
        self._hypotheses = [
            _Hypothesis([_sure(dealt) if s == self.me else _open() for s in range(seats)])
        ]
        history = view.history
        for index, event in enumerate(history):
            after = history[index + 1] if index + 1 < len(history) else None
            self._learn(event, after.card if isinstance(after, KnockedOut) else None)
            if len(self._hypotheses) > 1:
                self._drop_refuted()
        self.others = tuple(
            Seat(s) for s, place in enumerate(view.places) if not place.out and s != self.me
        )

    # Learning

    def _learn(self, event: PublicNews, shown: Character | None) -> None:
        if isinstance(event, Played):
            self._public.deck -= 1
            self._played(event)
        self._public.follow(event)
        match event:
            case KnockedOut(seat, _, card):
                for hypothesis in self._hypotheses:
                    trail = hypothesis.trails[seat]
                    hypothesis.weight *= sum(row[INDEX[card]] for row in trail.values())
                    hypothesis.trails[seat] = {}
            case GuessMissed(_, target, guess):
                self.barred[target] |= 1 << guess
                self._keep(target, lambda card: card.number != guess)
            case Looked(seat, target):
                if shown is None:
                    self.barred[target] |= _BIG
                    self._keep(target, lambda card: card.number < 7)
                self._tell(target, seat)
                if seat == self.me:
                    self._see(next(self._lessons))
            case Compared(seat, target, loser):
                self._compared(seat, target, loser, shown)
            case HandsTraded(seat, target):
                self._traded(seat, target)
            case _:
                pass

    def _drop_refuted(self) -> None:
        """Forget what can't be true any more."""
        seats = self._public.inside
        self._hypotheses = [
            hypothesis
            for hypothesis in self._hypotheses
            if all(any(map(any, hypothesis.trails[seat].values())) for seat in seats)
        ]

    def _played(self, event: Played) -> None:
        """The hand is now the drawn card, or still the held one and known to whoever knew it."""
        seat, played = event.seat, INDEX[event.card]
        if seat == self.me:
            self._played_myself(played)
        else:
            unknown = self._likely(event, 0)
            for hypothesis in self._hypotheses:
                trail: Trail = {}
                for knowers, row in hypothesis.trails[seat].items():
                    likely = self._likely(event, knowers.bit_count()) if knowers else unknown
                    for kept, weight in enumerate(row):
                        if weight:
                            still = knowers if kept != played else 0
                            _add(trail, still, kept, weight * likely[kept])
                    if row[played]:
                        for kept, chance in enumerate(unknown):
                            _add(trail, 0, kept, row[played] * chance)
                hypothesis.trails[seat] = trail
        self.barred[seat] = 0

    def _played_myself(self, played: int) -> None:
        drawn = INDEX[next(self._draws)]
        for hypothesis in self._hypotheses:
            trail: Trail = {}
            for knowers, row in hypothesis.trails[self.me].items():
                if row[played]:
                    _add(trail, 0, drawn, row[played])
                else:
                    held = max(range(KINDS), key=row.__getitem__)
                    _add(trail, knowers, held, row[held])
            hypothesis.trails[self.me] = trail

    def _likely(self, event: Played, knowers: int) -> Sequence[float]:
        """For each card that can be kept, how likely it is that the other one was played."""
        if not self._reads_plays:
            return _BLIND
        likely = list(_BLIND)
        public, played = self._public, event.card
        for index, kept in enumerate(CARDS):
            if kept is not played and self._ever[index]:
                sight = public.sight(event.seat, kept, played, self.barred, knowers)
                likely[index] = preference(sight, played)
        return likely

    def _keep(self, seat: Seat, fits: _Test) -> None:
        """The hand of `seat` is one of the cards that fit."""
        gone = [index for index, card in enumerate(CARDS) if not fits(card)]
        for hypothesis in self._hypotheses:
            for row in hypothesis.trails[seat].values():
                for index in gone:
                    row[index] = 0.0

    def _tell(self, seat: Seat, knower: Seat) -> None:
        """`knower` sees the hand of `seat`."""
        for hypothesis in self._hypotheses:
            trail: Trail = {}
            for knowers, row in hypothesis.trails[seat].items():
                for index, weight in enumerate(row):
                    if weight:
                        _add(trail, knowers | 1 << knower, index, weight)
            hypothesis.trails[seat] = trail

    def _see(self, lesson: Saw | Swapped) -> None:
        if isinstance(lesson, Saw):
            self._keep(lesson.seat, lambda card: card is lesson.card)
        else:
            self._keep(lesson.seat, lambda card: card is lesson.gave)
            self._keep(lesson.to, lambda card: card is lesson.got)

    def _compared(
        self, seat: Seat, target: Seat, loser: Seat | None, shown: Character | None
    ) -> None:
        self._tell(seat, target)
        self._tell(target, seat)
        if self.me in (seat, target):
            self._see(next(self._lessons))
        elif loser is None:
            self._hypotheses = [
                fork for hypothesis in self._hypotheses for fork in _ties(hypothesis, seat, target)
            ]
        elif shown is not None:
            least = shown.number
            self._keep(target if loser == seat else seat, lambda card: card.number > least)

    def _traded(self, seat: Seat, target: Seat) -> None:
        both = 1 << seat | 1 << target
        self.barred[seat], self.barred[target] = self.barred[target], self.barred[seat]
        for hypothesis in self._hypotheses:
            trails = hypothesis.trails
            trails[seat], trails[target] = trails[target], trails[seat]
            for owner, giver in ((seat, target), (target, seat)):
                trail: Trail = {}
                for knowers, row in trails[owner].items():
                    for index, weight in enumerate(row):
                        if weight:
                            _add(trail, (knowers & ~both) | 1 << giver, index, weight)
                trails[owner] = trail
        if self.me in (seat, target):
            self._see(next(self._lessons))

    # Telling

    def sight(self) -> Sight:
        """What a good player goes by."""
        view, me, seats = self.view, self.me, len(self.view.places)
        counts = self.pool.copy()
        for seat in self.others:
            card = view.known[seat]
            if card is not None:
                counts[INDEX[card]] -= 1
        left = [0] * NUMBERS
        for card, count in zip(CARDS, counts, strict=True):
            left[card.number] += count
        odds = self.odds()
        turns = [Seat((me + step) % seats) for step in range(1, seats)]
        return Sight(
            me,
            view.hand,
            tuple([seat for seat in turns if seat in self.others]),
            view.stitch,
            view.side is Side.GOOD,
            protected_in(view),
            view.deck,
            [odds.get(Seat(seat), ()) for seat in range(seats)],
            left,
            sum(left),
            counts[INDEX[Character.LEROY]] > 0,
            self.knowers_of_mine().bit_count(),
        )

    def joints(self) -> list[Joint]:
        """All ways the hidden hands can be together."""
        if self._joints:
            return self._joints
        found: list[Joint] = []
        alive = sum(1 << seat for seat in (self.me, *self.others))
        for hypothesis in self._hypotheses:
            choices = [
                [
                    (index, knowers & alive, weight)
                    for knowers, row in hypothesis.trails[seat].items()
                    for index, weight in enumerate(row)
                    if weight and self.pool[index]
                ]
                for seat in self.others
            ]
            found += _deal(choices, self.pool, hypothesis.weight)
        self._joints = found
        return found

    def knowers_of_mine(self) -> int:
        """Who knows the held card of the seat itself, most likely, as bits."""
        trail = self._hypotheses[0].trails[self.me]
        knowers = max(trail, key=lambda knowers: sum(trail[knowers]))
        return knowers & sum(1 << seat for seat in self.others)

    def all_worlds(self, most: int) -> list[World]:
        """All the worlds there can be, or none of them if they may be more than `most`."""
        joints = self.joints()
        if len(joints) * factorial(self.view.deck + 1) > most:
            return []
        return [world for joint in joints for world in self._arranged(joint)]

    def worlds(self, count: int, chance: Chance) -> list[World]:
        """`count` worlds drawn by how likely they are, of equal weight then."""
        return [self._world(joint, chance) for joint in _drawn(self.joints(), count, chance)]

    def _world(self, joint: Joint, chance: Chance) -> World:
        rest = shuffled(self._rest(joint), chance)
        return self._lay(joint, rest[1:], rest[0], 1.0)

    def _arranged(self, joint: Joint) -> Iterator[World]:
        """All orders of the cards that are in no hand."""
        orders = sorted(set(permutations(self._rest(joint))))
        for aside, *deck in orders:
            yield self._lay(joint, tuple(deck), aside, joint.weight / len(orders))

    def _rest(self, joint: Joint) -> list[Character]:
        counts = self.pool.copy()
        for index in joint.cards:
            counts[index] -= 1
        return [card for card, count in zip(CARDS, counts, strict=True) for _ in range(count)]

    def _lay(
        self, joint: Joint, deck: tuple[Character, ...], aside: Character, weight: float
    ) -> World:
        seats = len(self.view.places)
        hands: list[tuple[Character, ...]] = [()] * seats
        knowers = [0] * seats
        hands[self.me] = self.view.hand
        knowers[self.me] = self.knowers_of_mine()
        for seat, index, known in zip(self.others, joint.cards, joint.knowers, strict=True):
            hands[seat] = (CARDS[index],)
            knowers[seat] = known
        return World(tuple(hands), deck, aside, tuple(knowers), weight)

    def odds(self) -> dict[Seat, list[float]]:
        """For each of the others, how likely its card has each number."""
        if self._odds:
            return self._odds
        joints = self.joints()
        total = sum(joint.weight for joint in joints)
        odds = {seat: [0.0] * NUMBERS for seat in self.others}
        for joint in joints:
            for seat, index in zip(self.others, joint.cards, strict=True):
                odds[seat][CARDS[index].number] += joint.weight / total
        self._odds = odds
        return odds


def imagined(
    view: View,
    hands: tuple[tuple[Character, ...], ...],
    deck: tuple[Character, ...],
    aside: Character,
) -> State:
    """The view with its hidden cards filled in. Others' memories are left out."""
    return State(
        hands=hands,
        piles=tuple(place.pile for place in view.places),
        deck=deck,
        aside=aside,
        stitch=view.stitch,
        side=view.side,
        protected=protected_in(view),
        turn=view.turn,
        asked=view.asked,
        tokens=tuple(place.tokens for place in view.places),
        round=view.round,
        epoch=0,
        history=view.history,
        told=view.told,
        before=view.before,
        before_told=view.before_told,
    )


def protected_in(view: View) -> Seat | None:
    return next((Seat(s) for s, place in enumerate(view.places) if place.protected), None)


_BIG: Final = 1 << 7 | 1 << 8


def _open() -> Trail:
    return {0: [1.0] * KINDS}


def _sure(card: Character) -> Trail:
    row = [0.0] * KINDS
    row[INDEX[card]] = 1.0
    return {0: row}


def _add(trail: Trail, knowers: int, index: int, weight: float) -> None:
    row = trail.get(knowers)
    if row is None:
        row = trail[knowers] = [0.0] * KINDS
    row[index] += weight


def _ties(hypothesis: _Hypothesis, one: Seat, other: Seat) -> Iterator[_Hypothesis]:
    """For each number that both can have, what follows if it is that one."""
    for number in range(NUMBERS):
        trails = list(hypothesis.trails)
        for seat in (one, other):
            trails[seat] = {
                knowers: [
                    weight if card.number == number else 0.0
                    for card, weight in zip(CARDS, row, strict=True)
                ]
                for knowers, row in trails[seat].items()
            }
        if all(any(map(any, trails[seat].values())) for seat in (one, other)):
            yield _Hypothesis(trails, hypothesis.weight)


def _deal(
    choices: Sequence[Sequence[tuple[int, int, float]]], pool: list[int], weight: float
) -> list[Joint]:
    """Every way to give each seat one of its choices, as long as the pool has it."""
    if not choices:
        return [Joint(weight, (), ())]
    found: list[Joint] = []
    *earlier, last = choices
    for joint in _deal(earlier, pool, weight):
        for index, knowers, factor in last:
            count = pool[index] - joint.cards.count(index)
            if count > 0:
                found.append(
                    Joint(
                        joint.weight * factor * count,
                        (*joint.cards, index),
                        (*joint.knowers, knowers),
                    )
                )
    return found


def _drawn(joints: Sequence[Joint], count: int, chance: Chance) -> tuple[Joint, ...]:
    """`count` of them, as often as their weights say (systematic sampling), in a random order."""
    step = sum(joint.weight for joint in joints) / count
    at = step * (chance.below(1 << 32) / (1 << 32))
    drawn: list[Joint] = []
    passed = 0.0
    for joint in joints:
        passed += joint.weight
        while at < passed and len(drawn) < count:
            drawn.append(joint)
            at += step
    while len(drawn) < count:
        drawn.append(joints[-1])
    return chance.shuffle(drawn)


def _unseen(view: View) -> list[int]:
    """How many of each of CARDS lie neither open nor in the seat's own hand."""
    counts = [0] * KINDS
    for card in full_deck(len(view.places)):
        counts[INDEX[card]] += 1
    for place in view.places:
        for card in place.pile:
            counts[INDEX[card]] -= 1
    for card in view.hand:
        counts[INDEX[card]] -= 1
    return counts
