"""Who plays for a seat without a person. For now only a sound, simple player."""

from __future__ import annotations

from engine.chance import Chance
from engine.fix626.cards import Character
from engine.fix626.model import Action, Answer, Play, Side, View

KEEPS_FROM = 5
"""From this number on `casual` would rather keep its hand than Stitch."""


def casual(view: View, legal: tuple[Action, ...], chance: Chance) -> Action:
    """Keeps the higher card, uses what it knows, guesses what is likely; never hurts only itself.

    `legal` is not empty; the same view and chance give the same action.
    """
    answers = [action for action in legal if isinstance(action, Answer)]
    if answers:
        give = view.side is Side.EXPERIMENT or view.hand[0].number >= KEEPS_FROM
        return next(answer for answer in answers if answer.give == give)
    plays = [action for action in legal if isinstance(action, Play)]
    worths = [_worth(view, play) for play in plays]
    best = max(worths)
    return chance.pick([play for play, worth in zip(plays, worths, strict=True) if worth == best])


def _worth(view: View, play: Play) -> float:
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
            worth += 10 * _hits(view, play, kept)
        case Character.PLEAKLEY if play.target is not None:
            theirs = view.known[play.target]
            worth += (theirs.number if theirs is not None else 3) - kept.number
        case _:
            pass
    return worth


def _hits(view: View, play: Play, kept: Character) -> float:
    """How likely a card against one player knocks that player out, less how likely me."""
    target = play.target
    known = None if target is None else view.known[target]
    cards = _unseen(view) if known is None else [known]
    total = 0
    for card in cards:
        if play.card is Character.COUNCILWOMAN:
            total += card.number == play.guess
        elif play.card is Character.COBRA:
            total += card in (Character.NANI, Character.LILO)
        else:
            total += (card.number < kept.number) - 2 * (card.number > kept.number)
    return total / len(cards)


def _unseen(view: View) -> list[Character]:
    """The cards that lie neither open nor in this hand: one of them is anybody's unknown card."""
    left = {card: card.copies for card in Character}
    if len(view.places) <= 3:
        left[Character.SPARKY] = 0
    for card in (*view.hand, *(card for place in view.places for card in place.pile)):
        left[card] -= 1
    return [card for card, copies in left.items() for _ in range(copies)]
