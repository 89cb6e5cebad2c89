"""Who plays The Fix for 626 for a seat without a person, at three levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.chance import Chance
from engine.fix626.belief import Belief
from engine.fix626.judgement import gives_stitch, judged, the_best
from engine.fix626.model import Action, Answer, Play, View
from engine.fix626.rules import ANSWERS
from engine.fix626.search import searched, suicidal
from engine.policy import Policy


def easy(view: View, legal: tuple[Action, ...], chance: Chance) -> Action:
    """Any move that does not only hurt itself; of two cards more often the lower one."""
    if isinstance(legal[0], Answer):
        return chance.pick(legal)
    plays = [action for action in legal if isinstance(action, Play) and not suicidal(view, action)]
    # From a dict, not a set: a set's order is another one in every process.
    cards = sorted(dict.fromkeys(play.card for play in plays), key=lambda card: card.number)
    card = cards[0] if len(cards) == 1 or chance.below(3) else cards[-1]
    return chance.pick([play for play in plays if play.card is card] or legal)


def normal(view: View, legal: tuple[Action, ...], chance: Chance) -> Action:
    """What a good club player does by rules of thumb."""
    sight = Belief(view, reads_plays=False).sight()
    if view.asked != view.turn:
        return ANSWERS[gives_stitch(sight, view.turn)]
    return chance.pick(the_best(judged(sight)))


def hard(view: View, legal: tuple[Action, ...], chance: Chance) -> Action:
    """Tries every sensible action in imagined worlds: see search.py."""
    return searched(view, legal, chance)


LEVELS: Final[Mapping[str, Policy[View, Action]]] = {
    "easy": easy,
    "normal": normal,
    "hard": hard,
}
