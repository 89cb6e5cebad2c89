"""Sound play by rule of thumb, quick enough to play imagined games to their end.

It looks only at what lies open, though it is handed a whole state.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.chance import Chance
from engine.core import Seat
from engine.stitches.fight import links
from engine.stitches.legal import running
from engine.stitches.melee import Melee, fighters_of, spoils
from engine.stitches.model import (
    EMPTY,
    HEAD,
    Action,
    Attach,
    Buy,
    Declare,
    Discard,
    Done,
    Fight,
    LoseWord,
    Provoke,
    Retreat,
    Rob,
    State,
    Strike,
    Tear,
)
from engine.stitches.sense import Body, Sense

A_COIN: Final = 0.8
"""What a Stitch is worth beside the worth of parts."""

A_WORD: Final = 0.8
"""What a brawl is worth for the Word it teaches."""

HARM: Final = 0.25
"""How much of what another loses counts as an own gain."""

FRIENDLY: Final = 0.5
"""How much of what a companion loses, with whom one shares a Word, counts as an own loss."""

LEAST_GAIN: Final = 0.4
"""A part that adds less is not worth its price."""

BOLD: Final = 1.0
IMPATIENCE: Final = 0.06
BOLDEST: Final = 0.3
"""How likely the Abomination must look to fall to be attacked: less with every round, to a last."""

WHIM: Final = 8
"""One declaration in so many is turned around, so that nobody can be read."""


class Able(NamedTuple):
    """What one body with its torso can do."""

    body: Body
    torso: int
    power: int
    beaten: int
    worth: float
    # By part: what it would add, and in which slot.
    gains: dict[int, tuple[float, int]]


class Habits:
    """What a fair player would do in any state, seen with one `sense`."""

    def __init__(self, sense: Sense) -> None:
        self._sense = sense
        # What has been worked out before: monsters by body and torso, and fights.
        self._able: dict[tuple[Body, int], Able] = {}
        self._melees: dict[tuple[int, int], Melee] = {}

    def able(self, state: State, seat: int) -> Able:
        """What the monster of `seat` can do."""
        key = state.bodies[seat], state.torsos[seat]
        known = self._able.get(key)
        if known is None:
            power = self._sense.power(*key)
            known = Able(*key, power, self._sense.beaten(power), self._sense.worth(power), {})
            self._able[key] = known
        return known

    def fit(self, state: State, seat: int, part: int) -> tuple[float, int]:
        """What `part` would add to the monster of `seat`, and the slot where it adds the most."""
        able = self.able(state, seat)
        return able.gains.get(part) or self._fit(able, part)

    def _fit(self, able: Able, part: int) -> tuple[float, int]:
        found = able.gains[part] = self._sense.fit(able.body, able.torso, part)
        return found

    def melee(self, state: State, team: tuple[Seat, ...]) -> Melee:
        """The fight of `team`, as far as it has been foreseen already."""
        whole = sum(1 << seat for seat in team) if state.rules.whole_team_wins else 0
        known = self._melees.get((state.torso, whole))
        if known is None:
            known = self._melees[state.torso, whole] = Melee(self._sense, state.torso, whole)
        return known

    def action(self, state: State, seat: Seat, dice: Chance) -> Action:
        """What `seat`, which is asked, does."""
        match state.stage:
            case "declare":
                return Declare(self.attacks(state, seat, dice))
            case "market":
                return self._shop(state, seat)
            case "attack":
                return self._attack(state, seat)
            case "fight":
                return self._fight(state, running(state), seat)
            case "word":
                return LoseWord(self._least_useful_word(state, running(state), seat))
            case "attach":
                return self._attach(state, running(state), seat)
            case _:
                raise AssertionError(state.stage)

    def attacks(self, state: State, seat: Seat, dice: Chance) -> bool:
        """Whether to attack in this round; now and then on a whim."""
        return self.would_attack(state, seat) != (dice.below(WHIM) == 0)

    def would_attack(self, state: State, seat: Seat) -> bool:
        """Whether an attack promises more in this round than the Market."""
        if self._would_win(state, seat):
            return True
        attack = max(A_WORD + self._best_tear(state, seat)[0], self._best_loot(state, seat)[0])
        return attack > self._shopping(state, seat)

    def promise(self, state: State, seat: Seat) -> float:
        """How likely it looks that the Abomination falls if `seat` attacks it with its team."""
        known = state.words[seat]
        beaten = self.able(state, seat).beaten
        if not beaten:
            return 0.0
        for other, theirs in enumerate(state.words):
            for word in theirs:
                if word in known:
                    beaten |= self.able(state, other).beaten
                    break
        parts, heads = self._sense.coverage(beaten)
        promise = 1.0
        for side, part in enumerate(state.sides):
            if side == HEAD and not state.revealed:
                promise *= heads
            elif part == EMPTY:
                promise *= (1.0 + parts) / 2
            elif not beaten >> part & 1:
                return 0.0
        return promise

    def _would_win(self, state: State, seat: Seat) -> bool:
        """Whether to attack the Abomination: foreseen exactly when all of it lies open."""
        if not state.revealed or EMPTY in state.sides:
            return self.promise(state, seat) >= max(BOLD - IMPATIENCE * state.round, BOLDEST)
        if self.promise(state, seat) == 0:
            return False
        team = team_of(state, seat)
        melee, fighters = self.melee(state, team), fighters_of(state, team)
        return any(
            melee.after(state.sides, fighters, part) >> seat & 1
            for part in melee.strikes(state.sides, fighters[0])
        )

    def _shopping(self, state: State, seat: Seat) -> float:
        """What the Market may give to a scavenger, and the Stitches that stay."""
        cost = self._sense.box.cost
        coins = state.coins[seat] + state.pot * 2 // (len(state.coins) + 2)
        best, price = 0.0, 0
        for part in state.market:
            if cost[part] <= coins:
                gain, _ = self.fit(state, seat, part)
                if gain > best:
                    best, price = gain, cost[part]
        return max(best, 1.5) + A_COIN * (coins - state.coins[seat] - price)

    def _best_tear(self, state: State, seat: Seat) -> tuple[float, Tear | None]:
        """The part of another player that is the best to have, for oneself and against them."""
        sense, strength = self._sense, self._sense.strength
        me = self.able(state, seat)
        beaten, gains = me.beaten, me.gains
        known = set(state.words[seat])
        best: tuple[float, int, int, int] | None = None
        for target, parts in enumerate(state.bodies):
            if target == seat:
                continue
            theirs = self.able(state, target)
            harm = HARM if known.isdisjoint(state.words[target]) else -FRIENDLY
            for part in parts:
                if part and beaten >> part & 1:
                    gain, place = gains.get(part) or self._fit(me, part)
                    gain += harm * (theirs.worth - sense.worth(theirs.power - strength[part]))
                    if best is None or gain > best[0]:
                        best = gain, target, part, place
        if best is None:
            return -99.0, None
        gain, target, part, place = best
        return gain, Tear(Seat(target), part, place)

    def _best_loot(self, state: State, seat: Seat) -> tuple[float, Rob]:
        """The richest of the others, and rather one with whom `seat` shares no Word."""
        known = set(state.words[seat])
        best, chosen = -1.0, seat
        for other, coins in enumerate(state.coins):
            if other == seat:
                continue
            harm = HARM if known.isdisjoint(state.words[other]) else -FRIENDLY
            loot = (1 + harm) * A_COIN * ((coins + 1) // 2)
            if loot > best:
                best, chosen = loot, Seat(other)
        return A_WORD + best, Rob(chosen)

    def _worth(self, state: State, seat: int) -> float:
        return self.able(state, seat).worth

    def _shop(self, state: State, seat: Seat) -> Action:
        """The part that adds the most, as long as one adds something."""
        cost, coins = self._sense.box.cost, state.coins[seat]
        best, chosen, into = LEAST_GAIN, EMPTY, HEAD
        for part in state.market:
            if cost[part] <= coins:
                gain, place = self.fit(state, seat, part)
                if gain > best:
                    best, chosen, into = gain, part, place
        return Buy(chosen, into) if chosen else Done()

    def _attack(self, state: State, seat: Seat) -> Action:
        if self._would_win(state, seat):
            return Provoke()
        gain, tear = self._best_tear(state, seat)
        loot, rob = self._best_loot(state, seat)
        return tear if tear is not None and gain + A_WORD >= loot else rob

    def _fight(self, state: State, fight: Fight, seat: Seat) -> Action:
        """A strike that leads to winning; else one that pays; else away."""
        melee = self.melee(state, fight.team)
        fighters = fighters_of(state, fight.fighting)
        strikes = melee.strikes(state.sides, fighters[0])
        for part in strikes:
            if melee.after(state.sides, fighters, part) >> seat & 1:
                return Strike(part)
        if not strikes:
            return Retreat()
        gain, part = max((spoils(self._sense, melee, state, fight, part), part) for part in strikes)
        return Strike(part) if gain > 0 or not fight.opened else Retreat()

    def _least_useful_word(self, state: State, fight: Fight, seat: Seat) -> str:
        """The one that joins it to the weakest company."""

        def company(word: str) -> float:
            others = (s for s, known in enumerate(state.words) if word in known and s != seat)
            return sum(self._worth(state, other) for other in others)

        return min(links(state.words, fight, seat), key=lambda word: (company(word), word))

    def _attach(self, state: State, fight: Fight, seat: Seat) -> Action:
        mine = [part for owner, part in fight.trophies if owner == seat]
        best, chosen, into = 0.0, EMPTY, HEAD
        for part in mine:
            gain, place = self.fit(state, seat, part)
            if gain > best:
                best, chosen, into = gain, part, place
        return Attach(chosen, into) if chosen else Discard(mine[0])


def team_of(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Who would fight if `seat` attacked the Abomination now, clockwise (C26)."""
    seats = len(state.words)
    known = set(state.words[seat])
    around = (Seat((seat + i) % seats) for i in range(seats))
    return tuple(s for s in around if s == seat or not known.isdisjoint(state.words[s]))
