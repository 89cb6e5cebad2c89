"""Hard thinking: every plan is tried in many imagined states, each played on to the end.

Plans compete in stages (sequential halving): after each the worse half is dropped, so that most of
the work goes into telling the good ones apart. All meet the same states and the same luck.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from engine.chance import Chance
from engine.core import Seat
from engine.stitches.bench import changed
from engine.stitches.habits import A_COIN, Habits
from engine.stitches.imagine import Imagination
from engine.stitches.legal import running
from engine.stitches.melee import fighters_of
from engine.stitches.model import (
    Action,
    Attach,
    Buy,
    Declare,
    Discard,
    Done,
    Provoke,
    Rob,
    State,
    Strike,
    Tear,
    View,
)
from engine.stitches.rules import Stitches
from engine.stitches.sense import sense_of

STEPS: Final = 3000
"""How many imagined actions a decision may cost."""

LONGEST: Final = 400
"""Past so many actions an imagined game counts as lost."""

ENVY: Final = 0.6
"""What it costs that all the others win, beside an own win of 1."""

EARLY: Final = 4
STUBBORN: Final = 0.08
"""How much better than the usual a plan must do for every round past the early ones: players who
all rob each other of their chances would otherwise go on and on.
"""

HASTE: Final = 0.97
"""What is left of a win that comes a round later."""

THEIR_LOSS: Final = 0.5
"""How much another's loss counts when it is decided which parts are worth trying to tear off."""

Plan = tuple[Action, ...]
"""What a seat does next: one action, or all that it buys."""


def searched(view: View, legal: tuple[Action, ...], chance: Chance, steps: int = STEPS) -> Action:
    """The first action of the plan that did best in about `steps` imagined actions."""
    if len(legal) == 1:
        return legal[0]
    return Search(view, legal, chance, steps).best()


class Search:
    """One decision."""

    def __init__(self, view: View, legal: tuple[Action, ...], chance: Chance, steps: int) -> None:
        assert view.seat is not None
        self._me: Seat = view.seat
        self._legal = legal
        self._sense = sense_of(view.parts, view.rules.hard)
        self._game = Stitches(self._sense.box)
        self._habits = Habits(self._sense)
        self._imagination = Imagination(view, self._sense)
        self._luck = chance.below(1 << 62).to_bytes(8, "big")
        self._steps = steps

    def best(self) -> Action:
        state = self._imagination.seen
        if state.stage == "fight":
            winning = self._winning_strike(state)
            if winning is not None:
                return winning
        usual = self._usual(state)
        plans = [usual, *(plan for plan in self._plans(state) if plan[0] != usual[0])]
        return plans[0][0] if len(plans) == 1 else self._compete(plans, state.round)[0]

    def _usual(self, state: State) -> Plan:
        """What one would do by habit."""
        if state.stage == "declare":
            return (Declare(self._habits.would_attack(state, self._me)),)
        return (self._habits.action(state, self._me, Chance(self._luck, 0)),)

    def _winning_strike(self, state: State) -> Action | None:
        """A strike after which one wins for certain if everybody wants to; with few others."""
        fight = running(state)
        melee = self._habits.melee(state, fight.team)
        fighters = fighters_of(state, fight.fighting)
        found: list[tuple[int, int, Action]] = []
        for place, action in enumerate(self._legal):
            if isinstance(action, Strike):
                winners = melee.after(state.sides, fighters, action.part)
                if winners >> self._me & 1:
                    found.append((winners.bit_count(), place, action))
        return min(found)[2] if found else None

    def _compete(self, plans: list[Plan], number: int) -> Plan:
        """The best plan, or the first one, the usual, if no other is clearly better."""
        worth = dict.fromkeys(range(len(plans)), 0.0)
        stages = max(1, (len(plans) - 1).bit_length())
        tried = 0
        for _ in range(stages):
            left = self._steps // stages
            while left > 0:
                tried += 1
                dice = Chance(self._luck, tried)
                state = self._imagination.state(dice)
                seed = dice.below(1 << 62)
                for plan in worth:
                    value, steps = self._played_out(state, plans[plan], seed)
                    worth[plan] += value
                    left -= steps
            order = sorted(worth, key=lambda plan: (-worth[plan], plan))
            worth = {plan: worth[plan] for plan in order[: (len(order) + 1) // 2]} | {0: worth[0]}
        best = min(worth, key=lambda plan: (-worth[plan], plan))
        clearly = STUBBORN * max(0, number - EARLY)
        return plans[best if worth[best] - worth[0] > clearly * tried else 0]

    def _played_out(self, state: State, plan: Plan, seed: int) -> tuple[float, int]:
        """What the game is worth if one follows `plan` and all goes on by habit."""
        game, habits, me = self._game, self._habits, self._me
        dice = Chance(seed.to_bytes(8, "big"), 0)
        steps, began, stage, asked = 0, state.round, state.stage, state.asked
        for action in plan:
            if (state.stage, state.asked) != (stage, asked):
                break  # with nothing left that one can afford a turn ends by itself
            state = game.apply(state, me, action, dice).state
            steps += 1
        while state.reason is None and steps < LONGEST:
            seat = state.asked
            if seat < 0:
                seat = state.declared.index(None)
            state = game.apply(
                state, Seat(seat), habits.action(state, Seat(seat), dice), dice
            ).state
            steps += 1
        others = len(state.winners) - (me in state.winners)
        value = (me in state.winners) - ENVY * others / (len(state.coins) - 1)
        return value * HASTE ** (state.round - began), steps

    def _plans(self, state: State) -> list[Plan]:
        match state.stage:
            case "market":
                return self._purchases(state)
            case "attack":
                return self._attacks(state)
            case "attach":
                return self._trophies(state)
            case _:
                return [(action,) for action in self._legal]

    def _purchases(self, state: State, most: int = 6) -> list[Plan]:
        """The sets of parts that make the strongest bodies for the Stitches there are."""
        sense, cost, me = self._sense, self._sense.box.cost, self._me
        buys = [action for action in self._legal if isinstance(action, Buy)]
        coins, torso = state.coins[me], state.torsos[me]
        found: dict[tuple[int, ...], tuple[float, Plan]] = {}
        for size in range(min(4, len(buys)) + 1):
            for plan in combinations(buys, size):
                price = sum(cost[buy.part] for buy in plan)
                if price > coins or len({buy.into for buy in plan}) < size:
                    continue
                if len({buy.part for buy in plan}) < size:
                    continue
                body = state.bodies[me]
                for buy in plan:
                    body = changed(body, buy.into, buy.part)
                worth = sense.worth(sense.power(body, torso)) + A_COIN / 2 * (coins - price)
                key = tuple(sorted(buy.part for buy in plan))
                if key not in found or worth > found[key][0]:
                    found[key] = worth, (*plan, Done())
        order = sorted(found, key=lambda key: (-found[key][0], key))
        return [found[key][1] for key in order[:most]]

    def _attacks(self, state: State, most: int = 5) -> list[Plan]:
        """The Abomination, the best parts of others, and the richest of them."""
        sense, habits, me = self._sense, self._habits, self._me
        tears: list[tuple[float, Action]] = []
        loot: list[tuple[float, Action]] = []
        plans: list[Plan] = []
        for action in self._legal:
            if isinstance(action, Provoke):
                plans.append((action,))
            elif isinstance(action, Rob):
                loot.append((state.coins[action.target], action))
            elif isinstance(action, Tear):
                gain, place = habits.fit(state, me, action.part)
                if place == action.into:
                    theirs = habits.able(state, action.target)
                    rest = theirs.power - sense.strength[action.part]
                    tears.append((gain + THEIR_LOSS * (theirs.worth - sense.worth(rest)), action))
        best = sorted(tears, key=lambda pair: -pair[0])[:most]
        loot.sort(key=lambda pair: -pair[0])
        return [*plans, *((action,) for _, action in (*best, *loot[:2]))]

    def _trophies(self, state: State) -> list[Plan]:
        """Attach what doesn't weaken, discard the rest."""
        plans: list[Plan] = []
        for action in self._legal:
            if isinstance(action, Attach):
                gain, place = self._habits.fit(state, self._me, action.part)
                if place == action.into and gain > 0:
                    plans.append((action,))
            elif isinstance(action, Discard):
                plans.append((action,))
        return plans[:6]
