"""Hard thinking: every sensible action is tried in imagined worlds, each played to the round's end.

Actions compete in stages (sequential halving): the worse half is dropped after each, so that most
of the work goes into telling the good ones apart. All of them meet the same worlds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from engine.chance import Chance
from engine.core import Seat
from engine.fix626.belief import Belief, World, imagined
from engine.fix626.cards import Character, full_deck
from engine.fix626.judgement import NUMBERS, Sight, gives_stitch, judged, less, the_best
from engine.fix626.model import Action, Play, Side, State, View
from engine.fix626.rules import ANSWERS, Fix626
from engine.fix626.table import winners_of

_GAME: Final = Fix626()
_GOOD: Final = Side.GOOD
_LEROY: Final = Character.LEROY
_COBRA: Final = Character.COBRA
_SPARKY: Final = Character.SPARKY
_PLEAKLEY: Final = Character.PLEAKLEY
_COUNCILWOMAN: Final = Character.COUNCILWOMAN

ROLLOUTS: Final = 600
"""How many imagined rounds a decision may cost; half as many at a table of five."""

TRUST: Final = 15
"""How many imagined rounds a good player's first thought about an action counts for."""

EQUALS: Final = 1e-6
"""How little it counts when all worlds were tried: it chooses between equals."""

LESS_LIKELY: Final = 0.9
"""What a guess that is not the likeliest is thought to be worth, against the likeliest one."""

GUESSES_TRIED: Final = 3
"""How many guesses at one player are thought about."""

SURE: Final = tuple(
    tuple(1.0 if number == sure else 0.0 for number in range(NUMBERS)) for sure in range(NUMBERS)
)


class Course:
    """What the seats of an imagined round know while it goes on, besides their hands.

    `left` counts by number the cards that do not lie open; bit s of `knowers[t]` is set when seat s
    knows the held card of seat t, bit n of `barred[t]` when it is known not to have number n.
    """

    __slots__ = ("barred", "knowers", "left", "leroy")

    def __init__(
        self, left: Sequence[int], leroy: bool, knowers: Sequence[int], barred: Sequence[int]
    ) -> None:
        self.left = list(left)
        self.leroy = leroy
        self.knowers = list(knowers)
        self.barred = list(barred)

    def sight(self, state: State, me: Seat) -> Sight:
        hands = state.hands
        seats = len(hands)
        hand = hands[me]
        left = self.left.copy()
        leroy = self.leroy
        for card in hand:
            left[card.number] -= 1
            if card is _LEROY:
                leroy = False
        knowers, barred, bit = self.knowers, self.barred, 1 << me
        foes: list[Seat] = []
        known: list[Seat] = []
        blocked = False
        seat = me
        for _ in range(seats - 1):
            seat = Seat(seat + 1) if seat + 1 < seats else Seat(0)
            if not hands[seat]:
                continue
            foes.append(seat)
            if knowers[seat] & bit:
                known.append(seat)
                card = hands[seat][0]
                left[card.number] -= 1
                if card is _LEROY:
                    leroy = False
            elif barred[seat]:
                blocked = True
        hidden = sum(left)
        plain = [count / hidden for count in left]
        odds: list[Sequence[float]] = [plain] * seats
        for seat in known:
            odds[seat] = SURE[hands[seat][0].number]
        if blocked:
            for seat in foes:
                if barred[seat] and not knowers[seat] & bit:
                    odds[seat] = less(left, barred[seat], plain)
        return Sight(
            me,
            hand,
            tuple(foes),
            state.stitch,
            state.side is _GOOD,
            state.protected,
            len(state.deck),
            odds,
            left,
            hidden,
            leroy,
            knowers[me].bit_count(),
        )

    def follow(self, before: State, seat: Seat, action: Action, after: State) -> None:
        """Learn what `action` showed, in a round that goes on."""
        knowers, barred, left = self.knowers, self.barred, self.left
        if isinstance(action, Play):
            card, target = action.card, action.target
            left[card.number] -= 1
            if card is _LEROY:
                self.leroy = False
            if card is before.hands[seat][0]:
                knowers[seat] = 0
            barred[seat] = 0
            for out, hand in enumerate(after.hands):
                if not hand and before.hands[out]:
                    shown = after.piles[out][-1]
                    left[shown.number] -= 1
                    if shown is _LEROY:
                        self.leroy = False
                    knowers[out] = 0
                    gone = ~(1 << out)
                    for other in range(len(knowers)):
                        knowers[other] &= gone
            if target is None or not after.hands[target]:
                return
            if card is _COUNCILWOMAN and action.guess is not None:
                barred[target] |= 1 << action.guess
            elif card is _COBRA:
                knowers[target] |= 1 << seat
                barred[target] |= 0b110000000
            elif card is _SPARKY:
                knowers[target] |= 1 << seat
                knowers[seat] |= 1 << target
            elif card is _PLEAKLEY and target != before.stitch:
                self._traded(seat, target)
        elif not action.give:
            self._traded(seat, before.turn)

    def _traded(self, one: Seat, other: Seat) -> None:
        knowers, barred = self.knowers, self.barred
        bits = 1 << one | 1 << other
        knowers[one], knowers[other] = (
            (knowers[other] & ~bits) | 1 << other,
            (knowers[one] & ~bits) | 1 << one,
        )
        barred[one], barred[other] = barred[other], barred[one]


def quick(course: Course, state: State, luck: int) -> Action:
    """What a good player does in an imagined round; `luck` chooses among equals."""
    seat = state.asked
    assert seat is not None
    sight = course.sight(state, seat)
    if seat != state.turn:
        return ANSWERS[gives_stitch(sight, state.turn)]
    best = the_best(judged(sight))
    return best[luck % len(best)]


def searched(
    view: View, legal: tuple[Action, ...], chance: Chance, rollouts: int = ROLLOUTS
) -> Action:
    """The action that does best in about `rollouts` imagined rounds."""
    if len(legal) == 1:
        return legal[0]
    belief = Belief(view)
    arms = sensible(view, legal, belief.odds())
    if len(view.places) > 4:
        rollouts //= 2  # with so many hands there is much to imagine before, and rounds are long
    if len(arms) == 1:
        return arms[0]
    trial = _Trial(belief, arms, chance.below(1 << 32))
    worlds = belief.all_worlds(rollouts // len(arms))
    return trial.best(worlds) if worlds else trial.halved(rollouts, chance)


def sensible(
    view: View, legal: tuple[Action, ...], odds: Mapping[Seat, Sequence[float]]
) -> tuple[Action, ...]:
    """Without what can only hurt, and of the guesses at a player only the likeliest few."""
    found: list[Action] = []
    for action in legal:
        if isinstance(action, Play):
            if suicidal(view, action):
                continue
            if action.target is not None and action.guess is not None:
                likely = odds[action.target]
                mine = likely[action.guess]
                if not mine or sum(other > mine for other in likely) >= GUESSES_TRIED:
                    continue
        found.append(action)
    return tuple(found) or legal[:1]


class _Trial:
    """Actions tried in the worlds of a belief."""

    def __init__(self, belief: Belief, arms: Sequence[Action], luck: int) -> None:
        view = belief.view
        self._belief = belief
        self._view = view
        self._me = belief.me
        self._arms = arms
        self._luck = luck
        self._round = view.round
        left = [0] * NUMBERS
        for card in full_deck(len(view.places)):
            left[card.number] += 1
        for place in view.places:
            for card in place.pile:
                left[card.number] -= 1
        self._left = left
        self._leroy = not any(_LEROY in place.pile for place in view.places)
        # Only `end_round` asks for chance, to deal a round that nobody looks at.
        self._dice = Chance(b"", 0)

    def best(self, worlds: Sequence[World]) -> Action:
        """The action that does best on the average of all worlds there can be."""
        total = sum(world.weight for world in worlds)
        worth = [hunch * total * EQUALS for hunch in self._hunches()]
        for number, world in enumerate(worlds):
            state = self._state(world)
            for arm, action in enumerate(self._arms):
                worth[arm] += world.weight * self._reward(world, state, action, number)
        return self._arms[max(range(len(worth)), key=worth.__getitem__)]

    def halved(self, rollouts: int, chance: Chance) -> Action:
        """The action that is left when the worse half has gone again and again."""
        worth = {arm: TRUST * hunch for arm, hunch in enumerate(self._hunches())}
        stages = (len(worth) - 1).bit_length()
        number = 0
        for _ in range(stages):
            count = max(2, rollouts // stages // len(worth))
            for world in self._belief.worlds(count, chance):
                number += 1
                state = self._state(world)
                for arm in worth:
                    worth[arm] += self._reward(world, state, self._arms[arm], number)
            best = sorted(worth, key=lambda arm: -worth[arm])
            worth = {arm: worth[arm] for arm in best[: (len(best) + 1) // 2]}
        return self._arms[next(iter(worth))]

    def _hunches(self) -> list[float]:
        """What a good player thinks of each action at first, on the scale of `_reward`."""
        view, me = self._view, self._me
        tokens = [place.tokens for place in view.places]
        futures = [
            prospects(tuple([t + (s == winner) for s, t in enumerate(tokens)]))[me]
            for winner in range(len(tokens))
        ]
        won = futures.pop(me)
        lost = sum(futures) / len(futures)
        if view.asked != view.turn:
            return [lost] * len(self._arms)
        first = {action: worth for worth, action in judged(self._belief.sight())}
        by_target: dict[tuple[Character, Seat | None], float] = {}
        for action, worth in first.items():
            if isinstance(action, Play):
                by_target[action.card, action.target] = worth
        hunches: list[float] = []
        for action in self._arms:
            worth = 0.0
            if isinstance(action, Play):
                # Of the guesses at a player only the likeliest were judged.
                other = LESS_LIKELY * by_target[action.card, action.target]
                worth = first.get(action, other)
            hunches.append(lost + (won - lost) * worth)
        return hunches

    def _state(self, world: World) -> State:
        return imagined(self._view, world.hands, world.deck, world.aside)

    def _reward(self, world: World, state: State, action: Action, number: int) -> float:
        """What the round is worth to the seat, if it goes on with `action`."""
        course = Course(self._left, self._leroy, world.knowers, self._belief.barred)
        luck = self._luck + number * 7919
        while True:
            seat = state.asked
            assert seat is not None
            after = _GAME.apply(state, seat, action, self._dice).state
            if after.round != self._round or after.asked is None:
                return prospects(after.tokens)[self._me]
            course.follow(state, seat, action, after)
            state = after
            luck = luck * 1103515245 + 12345 & 0x7FFFFFFF
            action = quick(course, state, luck >> 8)


@cache
def prospects(tokens: tuple[int, ...]) -> tuple[float, ...]:
    """Each seat's chance to win the match, if each wins every round to come equally often."""
    seats = range(len(tokens))
    champions = winners_of(tokens)
    if champions:
        return tuple(float(seat in champions) for seat in seats)
    futures = [prospects(tuple(t + (s == seat) for s, t in enumerate(tokens))) for seat in seats]
    return tuple(sum(future[seat] for future in futures) / len(tokens) for seat in seats)


def suicidal(view: View, play: Play) -> bool:
    """Leroy with the own Experiment 626: out, for nothing."""
    mine = view.stitch == view.you and view.side is Side.EXPERIMENT
    return play.card is _LEROY and mine
