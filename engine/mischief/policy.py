"""Who plays Merry Mischief for a seat without a person, at three levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.chance import Chance
from engine.mischief.imagine import Imagination
from engine.mischief.model import Play, View
from engine.mischief.search import searched
from engine.mischief.sense import Sense, Throw
from engine.policy import Policy

GOING_OUT: Final = 0.5
"""How many presents going out is worth to `normal`, less than its card: others still play once."""


def easy(view: View, legal: tuple[Play, ...], chance: Chance) -> Play:
    """The better of two plays that come to mind, by the presents that they save on average."""
    sense = Sense(view)
    thoughts = (chance.pick(legal), chance.pick(legal))
    throws = [sense.throw(play.cards) for play in thoughts]
    return thoughts[throws[1].chance * throws[1].presents > throws[0].chance * throws[0].presents]


def normal(view: View, legal: tuple[Play, ...], chance: Chance) -> Play:
    """The play that is worth most in this round; in the final one, that wins most often."""
    sense = Sense(view)
    behind = Imagination(view, sense).behind() if view.final else 0

    def worth(throw: Throw) -> float:
        if view.final:
            return sense.winning(throw, sense.hand, behind)
        out = len(throw.cards) == len(sense.hand)
        return throw.worth + throw.chance * GOING_OUT * out

    worths = [worth(sense.throw(play.cards)) for play in legal]
    most = max(worths)
    return chance.pick([play for play, worth in zip(legal, worths, strict=True) if worth == most])


def hard(view: View, legal: tuple[Play, ...], chance: Chance) -> Play:
    """Searches: see search.py."""
    return searched(view, legal, chance)


LEVELS: Final[Mapping[str, Policy[View, Play]]] = {"easy": easy, "normal": normal, "hard": hard}
