"""What a seat of Stitches may do, from actions that are made once and then looked up."""

from __future__ import annotations

from engine.core import Seat
from engine.stitches.fight import links, power
from engine.stitches.model import (
    EMPTY,
    LEFT,
    RIGHT,
    Action,
    Attach,
    Buy,
    Declare,
    Discard,
    Done,
    Fight,
    Keep,
    KeepNothing,
    LoseWord,
    Provoke,
    Retreat,
    Rob,
    State,
    Strike,
    Tear,
)
from engine.stitches.parts import GUARD, Box

Fitting = tuple[tuple[Action, ...], tuple[Action, ...]]
"""One action for every slot where a part fits: the right arm first, and the left arm first."""


def _fitting(make: list[Action]) -> Fitting:
    return tuple(make), tuple(reversed(make))


class Menu:
    """The actions of one box of cards, and which of them a state allows.

    An arm may go into either slot; the one that is empty is named first (C06).
    """

    def __init__(self, box: Box, seats: int) -> None:
        self.box = box
        numbers = range(len(box.parts))
        self.declare: tuple[Action, ...] = (Declare(False), Declare(True))
        self._done: Action = Done()
        self._provoke: Action = Provoke()
        self._retreat: Action = Retreat()
        # By the number of seats and the robber's own.
        self._rob: list[list[tuple[Action, ...]]] = [
            [tuple(Rob(Seat(t)) for t in range(n) if t != seat) for seat in range(n)]
            for n in range(seats + 1)
        ]
        self._strike: list[Action] = [Strike(part) for part in numbers]
        self._discard: list[Action] = [Discard(part) for part in numbers]
        self._buy = [_fitting([Buy(p, slot) for slot in box.slots[p]]) for p in numbers]
        self._attach = [_fitting([Attach(p, slot) for slot in box.slots[p]]) for p in numbers]
        self._tear = [
            [_fitting([Tear(Seat(t), p, slot) for slot in box.slots[p]]) for p in numbers]
            for t in range(seats)
        ]

    def of(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """Everything that the one seat which is asked may do."""
        match state.stage:
            case "market":
                return self._market(state, seat)
            case "attack":
                return self._attack(state, seat)
            case "fight":
                return self._fight(state, seat, running(state))
            case "word":
                words = links(state.words, running(state), seat)
                return tuple(LoseWord(word) for word in words)
            case "attach":
                return self._trophies(state, seat, running(state))
            case _:
                return ()

    def keeps(self, parts: tuple[int, ...]) -> tuple[Action, ...]:
        return (*(Keep(part) for part in parts), KeepNothing())

    def _market(self, state: State, seat: Seat) -> tuple[Action, ...]:
        cost, coins = self.box.cost, state.coins[seat]
        order = left_first(state.bodies[seat])
        found: list[Action] = []
        for part in state.market:
            if cost[part] <= coins:
                found += self._buy[part][order]
        found.append(self._done)
        return tuple(found)

    def _attack(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """Another player's Stitches or a part one beats, or the Abomination (C07, C08, C12)."""
        body = state.bodies[seat]
        armour, order = self.box.armour, left_first(body)
        reach = power(self.box, body, state.torsos[seat])
        found = list(self._rob[len(state.bodies)][seat])
        for target, parts in enumerate(state.bodies):
            if target == seat:
                continue
            known = self._tear[target]
            # Like Human arms are one choice: it makes no difference which one is torn off.
            for part in parts if parts[RIGHT] != parts[LEFT] else parts[:LEFT]:
                if part and (reach - armour[part]) & GUARD == GUARD:
                    found += known[part][order]
        found.append(self._provoke)
        return tuple(found)

    def _fight(self, state: State, seat: Seat, fight: Fight) -> tuple[Action, ...]:
        """A part one beats; the initiator must attack once, whoever beats none retreats (C32)."""
        armour = self.box.armour
        reach = power(self.box, state.bodies[seat], state.torsos[seat])
        found = [
            self._strike[part]
            for part in dict.fromkeys(state.sides)
            if part and (reach - armour[part]) & GUARD == GUARD
        ]
        if fight.opened:
            found.append(self._retreat)
        return tuple(found)

    def _trophies(self, state: State, seat: Seat, fight: Fight) -> tuple[Action, ...]:
        mine = dict.fromkeys(part for owner, part in fight.trophies if owner == seat)
        order = left_first(state.bodies[seat])
        found: list[Action] = []
        for part in mine:
            found += self._attach[part][order]
        found += [self._discard[part] for part in mine]
        return tuple(found)


def running(state: State) -> Fight:
    assert state.fight is not None
    return state.fight


def left_first(body: tuple[int, ...]) -> int:
    """1 when an arm should by default go to the left: that slot is empty and the right is not."""
    return int(body[LEFT] == EMPTY and body[RIGHT] != EMPTY)


def fallback(box: Box, state: State, seat: Seat, legal: tuple[Action, ...]) -> Action:
    """Scavenge, buy nothing, rob the poorest, fight on as long as that is possible."""
    match state.stage:
        case "market":
            return legal[-1]
        case "attack":
            robs = [action for action in legal if isinstance(action, Rob)]
            return min(robs, key=lambda action: state.coins[action.target])
        case "attach":
            return _sensible(box, state.bodies[seat], legal)
        case "keep":
            return legal[-1]
        case _:
            return legal[0]


def _sensible(box: Box, body: tuple[int, ...], legal: tuple[Action, ...]) -> Action:
    """Attach what is worth more than what it replaces; discard the rest."""
    for action in legal:
        if isinstance(action, Attach):
            old = body[action.into]
            if old == EMPTY or box.cost[action.part] > box.cost[old]:
                return action
    return next(action for action in legal if isinstance(action, Discard))
