"""Who plays Stitches for a seat without a person, at three levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.chance import Chance
from engine.core import Seat
from engine.policy import Policy
from engine.stitches.habits import Habits
from engine.stitches.imagine import Imagination
from engine.stitches.model import (
    Action,
    Attach,
    Buy,
    Declare,
    Discard,
    Done,
    Keep,
    Monster,
    Part,
    Provoke,
    Retreat,
    Rob,
    Strike,
    Tear,
    View,
)
from engine.stitches.search import searched
from engine.stitches.sense import sense_of
from engine.stitches.symbols import Symbols, beats, strength, team_of

WHIM = 4
"""One declaration in so many is a whim, so that nobody can be read."""


def casual(view: View, legal: tuple[Action, ...], chance: Chance) -> Action:
    """Sound and simple: grow where it is cheapest, and attack the Abomination when it may fall."""
    assert view.seat is not None
    me = view.monsters[view.seat]
    match view.stage:
        case "declare":
            return _declare(view, me, chance)
        case "market":
            return _shop(view, me, legal)
        case "attack":
            return _attack(view, me, legal, chance)
        case "fight":
            return _fight(view, legal)
        case "attach":
            return _attach(view, me, legal)
        case "keep":
            return _keep(view, legal)
        case _:
            return chance.pick(legal)


def normal(view: View, legal: tuple[Action, ...], chance: Chance) -> Action:
    """Rules of thumb: what it beats and can afford, who would join it, what a fight would bring."""
    assert view.seat is not None
    if view.stage == "keep":
        return _keep(view, legal)
    sense = sense_of(view.parts, view.rules.hard)
    return Habits(sense).action(Imagination(view, sense).seen, view.seat, chance)


def hard(view: View, legal: tuple[Action, ...], chance: Chance) -> Action:
    """Searches: see search.py."""
    return _keep(view, legal) if view.stage == "keep" else searched(view, legal, chance)


LEVELS: Final[Mapping[str, Policy[View, Action]]] = {
    "easy": casual,
    "normal": normal,
    "hard": hard,
}


def _declare(view: View, me: Monster, chance: Chance) -> Declare:
    if chance.below(WHIM) == 0:
        return Declare(chance.below(2) == 0)
    if _promising(view, me.seat):
        return Declare(True)
    share = view.pot // max(1, len(view.monsters) // 2)
    cheap = [part for part in view.market if part.cost <= me.coins + share]
    bought = max((_best_gain(me, part) for part in cheap), default=0)
    return Declare(_best_tear(view, me) > bought)


def _best_tear(view: View, me: Monster) -> int:
    """How much the best part of the other players that `me` can take would add."""
    own = strength(me)
    return max(
        (
            _best_gain(me, part)
            for other in view.monsters
            if other.seat != me.seat
            for part in other.body
            if part is not None and beats(own, part)
        ),
        default=0,
    )


def _shop(view: View, me: Monster, legal: Sequence[Action]) -> Action:
    buys = [action for action in legal if isinstance(action, Buy)]
    best = max(buys, key=lambda buy: _gain(me, view.parts[buy.part], buy.into), default=None)
    if best is None or _gain(me, view.parts[best.part], best.into) <= 0:
        return Done()
    return best


def _attack(view: View, me: Monster, legal: Sequence[Action], chance: Chance) -> Action:
    if _promising(view, me.seat):
        return Provoke()
    tears = [action for action in legal if isinstance(action, Tear)]
    best = max(tears, key=lambda tear: _gain(me, view.parts[tear.part], tear.into), default=None)
    if best is not None and _gain(me, view.parts[best.part], best.into) > 0:
        return best
    robs = [action for action in legal if isinstance(action, Rob)]
    richest = max(view.monsters[action.target].coins for action in robs)
    return chance.pick([a for a in robs if view.monsters[a.target].coins == richest])


def _fight(view: View, legal: Sequence[Action]) -> Action:
    """Take what the fewest others could take; leave when the rest is too strong for everybody."""
    strikes = [action for action in legal if isinstance(action, Strike)]
    battle = view.battle
    hopeless = battle is not None and not _can_fall(view, battle.fighting)
    if not strikes or (hopeless and Retreat() in legal):
        return Retreat()
    return max(strikes, key=lambda strike: _size(view.parts[strike.part]))


def _attach(view: View, me: Monster, legal: Sequence[Action]) -> Action:
    attaches = [action for action in legal if isinstance(action, Attach)]
    best = max(attaches, key=lambda action: _gain(me, view.parts[action.part], action.into))
    if _gain(me, view.parts[best.part], best.into) > 0:
        return best
    return next(action for action in legal if isinstance(action, Discard))


def _keep(view: View, legal: Sequence[Action]) -> Action:
    keeps = [action for action in legal if isinstance(action, Keep)]
    return max(keeps, key=lambda keep: view.parts[keep.part].cost)


def _promising(view: View, seat: Seat) -> bool:
    """Whether the Abomination might fall to `seat` and its team: before it is revealed they go by
    their size, then by what lies open.
    """
    team = team_of(view, seat)
    if not view.abomination.revealed:
        return _size_of(strength(view.monsters[seat])) >= 10
    return _can_fall(view, team)


def _can_fall(view: View, team: Sequence[Seat]) -> bool:
    """Whether somebody in the team beats each part that it has now."""
    reach = [strength(view.monsters[seat]) for seat in team]
    return all(
        any(beats(own, part) for own in reach)
        for part in view.abomination.sides
        if part is not None
    )


def _best_gain(me: Monster, part: Part) -> int:
    slots = {"head": (0,), "arm": (1, 3), "legs": (2,)}.get(part.kind, ())
    return max((_gain(me, part, slot) for slot in slots), default=0)


def _gain(me: Monster, part: Part, slot: int) -> int:
    old = me.body[slot]
    return _size(part) - (_size(old) if old is not None else 0)


def _size(part: Part) -> int:
    return part.rock + part.paper + part.scissors


def _size_of(own: Symbols) -> int:
    return own.rock + own.paper + own.scissors
