"""How a fight with the Abomination ends when everybody in it would like to win.

Once the Abomination is turned up a fight has no secrets and no luck, so it is worked out whole.
"""

from __future__ import annotations

from engine.core import Seat
from engine.stitches.bench import changed
from engine.stitches.model import EMPTY, Fight, State
from engine.stitches.parts import GUARD
from engine.stitches.sense import Body, Sense

Fighter = tuple[int, Body, int]
"""A seat, its body, and its torso."""


class Melee:
    """One fight. Winners are sets of bits by seat; nobody wins in 0."""

    def __init__(self, sense: Sense, torso: int, whole_team: int = 0) -> None:
        """`whole_team` are the seats that all win with any of them, if that is the rule."""
        self._sense = sense
        self._torso = sense.strength[torso] + GUARD
        self._whole_team = whole_team
        self._known: dict[tuple[Body, tuple[Fighter, ...]], int] = {}
        self._sorted: dict[Body, tuple[int, ...]] = {}

    def winners(self, sides: Body, fighters: tuple[Fighter, ...]) -> int:
        """Who wins when each in turn takes a line in which it does, and else retreats."""
        if not fighters:
            return 0
        key = sides, fighters
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._winners(sides, fighters)
        return known

    def _winners(self, sides: Body, fighters: tuple[Fighter, ...]) -> int:
        seat = fighters[0][0]
        strikes = self.strikes(sides, fighters[0])
        if not strikes and not any(self.strikes(sides, other) for other in fighters[1:]):
            return 0
        for part in strikes:
            found = self.after(sides, fighters, part)
            if found >> seat & 1:
                return found
        return self.winners(sides, fighters[1:])

    def after(self, sides: Body, fighters: tuple[Fighter, ...], part: int) -> int:
        """Who wins once the first of `fighters` has removed `part`."""
        left = changed(sides, sides.index(part), EMPTY)
        if not any(left):
            return self._whole_team or sum(1 << seat for seat, _, _ in fighters)
        seat, body, torso = fighters[0]
        slot = self.counter(left, body)
        if slot >= 0:
            body = changed(body, slot, EMPTY)
        return self.winners(left, (*fighters[1:], (seat, body, torso)))

    def strikes(self, sides: Body, fighter: Fighter) -> list[int]:
        """The parts that `fighter` beats, the strongest first."""
        _, body, torso = fighter
        beaten = self._sense.beaten(self._sense.power(body, torso))
        order = self._sorted.get(sides)
        if order is None:
            armour = self._sense.box.armour
            parts = sorted({*sides} - {EMPTY}, key=lambda part: (-_symbols(armour[part]), part))
            order = self._sorted[sides] = tuple(parts)
        return [part for part in order if beaten >> part & 1]

    def counter(self, sides: Body, body: Body) -> int:
        """The slot that the Abomination strikes with what is left of it; -1 for none (C34)."""
        strength = self._sense.strength
        armour, cost = self._sense.box.armour, self._sense.box.cost
        head, right, legs, left = sides
        reach = self._torso + strength[head] + strength[right] + strength[legs] + strength[left]
        highest, target = -1, -1
        for slot, part in enumerate(body):
            if part and cost[part] > highest and (reach - armour[part]) & GUARD == GUARD:
                highest, target = cost[part], slot
        return target


def _symbols(packed: int) -> int:
    return (packed & 0xFF) + (packed >> 8 & 0xFF) + (packed >> 16)


def fighters_of(state: State, seats: tuple[Seat, ...]) -> tuple[Fighter, ...]:
    return tuple((seat, state.bodies[seat], state.torsos[seat]) for seat in seats)


def spoils(sense: Sense, melee: Melee, state: State, fight: Fight, part: int) -> float:
    """What the next one in the fight gains by removing `part` and leaving: the part, less what
    the Abomination strikes off for it.
    """
    seat = fight.fighting[0]
    body, torso = state.bodies[seat], state.torsos[seat]
    before = sense.worth(sense.power(body, torso))
    left = changed(state.sides, state.sides.index(part), EMPTY)
    slot = melee.counter(left, body)
    if slot >= 0:
        body = changed(body, slot, EMPTY)
    power = sense.power(body, torso)
    gain, _ = sense.fit(body, torso, part)
    return sense.worth(power) + max(0.0, gain) - before
