"""Who plays The Fix for 626 for a seat without a person, at three levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.chance import Chance
from engine.fix626.belief import Belief
from engine.fix626.cards import Character
from engine.fix626.model import Action, Answer, Play, Side, View
from engine.fix626.search import answers, searched, suicidal
from engine.policy import Policy


def easy(view: View, legal: tuple[Action, ...], chance: Chance) -> Action:
    """Any move that does not only hurt itself; of two cards more often the lower one."""
    if isinstance(legal[0], Answer):
        return chance.pick(legal)
    plays = [action for action in legal if isinstance(action, Play) and not suicidal(view, action)]
    cards = sorted({play.card for play in plays}, key=lambda card: card.number)
    card = cards[0] if len(cards) == 1 or chance.below(3) else cards[-1]
    return chance.pick([play for play in plays if play.card is card] or legal)


def normal(view: View, legal: tuple[Action, ...], chance: Chance) -> Action:
    """Counts the unseen cards, remembers what it learned and what misses told, keeps the better."""
    if isinstance(legal[0], Answer):
        return next(answer for answer in legal if answer == answers(view))
    plays = [action for action in legal if isinstance(action, Play)]
    belief = Belief(view)
    worths = [_worth(view, play, belief) for play in plays]
    best = max(worths)
    return chance.pick([play for play, worth in zip(plays, worths, strict=True) if worth == best])


def hard(view: View, legal: tuple[Action, ...], chance: Chance) -> Action:
    """Searches: see search.py."""
    return searched(view, legal, chance)


LEVELS: Final[Mapping[str, Policy[View, Action]]] = {
    "easy": easy,
    "normal": normal,
    "hard": hard,
}


def _worth(view: View, play: Play, belief: Belief) -> float:
    """A knock-out is worth ten, a number kept in hand one each; minus a hundred: only hurts me."""
    held, drawn = view.hand
    kept = drawn if play.card is held else held
    worth = float(kept.number)
    mine = view.stitch == view.you
    good = view.side is Side.GOOD
    match play.card:
        case Character.LEROY if not good:
            worth += -100 if mine else 10
        case Character.NANI:
            gives_good = mine and good and play.target != view.stitch
            worth -= 2 if gives_good else 0
        case Character.GANTU | Character.JUMBA:
            worth += (-1 if good else 1) if mine else 0
        case Character.COUNCILWOMAN | Character.COBRA | Character.SPARKY if play.target is not None:
            worth += 10 * _hits(play, kept, belief)
        case Character.PLEAKLEY if play.target is not None:
            theirs = view.known[play.target]
            worth += (theirs.number if theirs is not None else 3) - kept.number
        case _:
            pass
    return worth


def _hits(play: Play, kept: Character, belief: Belief) -> float:
    """How likely a card against one player knocks that player out, less how likely me."""
    assert play.target is not None
    numbers = belief.may_hold(play.target)
    known = belief.known(play.target)
    cards = [c for c in belief.unseen if c.number in numbers] if known is None else [known]
    total = 0
    for card in cards:
        if play.card is Character.COUNCILWOMAN:
            total += card.number == play.guess
        elif play.card is Character.COBRA:
            total += card in (Character.NANI, Character.LILO)
        else:
            total += (card.number < kept.number) - 2 * (card.number > kept.number)
    return total / len(cards) if cards else 0.0
