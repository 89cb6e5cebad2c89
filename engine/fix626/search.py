"""Hard thinking: every action is tried in many imagined worlds, each played on to the round's end.

Actions compete in stages (sequential halving): after each the worse half is dropped, so that most
of the work goes into telling the good ones apart. All meet the same worlds and the same luck.
"""

from __future__ import annotations

from typing import Final

from engine.chance import Chance
from engine.core import Seat
from engine.fix626.belief import Belief
from engine.fix626.cards import Character
from engine.fix626.model import Action, Answer, Play, RoundEnded, Side, State, View
from engine.fix626.rules import ANSWERS, Fix626

ROLLOUTS: Final = 900
"""How many imagined rounds a decision may cost."""

LOST_MATCH: Final = -0.4
"""What a round is worth that makes somebody else the winner of the match."""

KEEPS_FROM: Final = 5
"""From this number on a player would rather keep its hand than Stitch."""

_GAME: Final = Fix626()


def searched(
    view: View, legal: tuple[Action, ...], chance: Chance, rollouts: int = ROLLOUTS
) -> Action:
    """The action that did best in about `rollouts` imagined rounds."""
    if len(legal) == 1:
        return legal[0]
    belief = Belief(view)
    arms = _sensible(view, legal, belief)
    worth: dict[int, float] = dict.fromkeys(range(len(arms)), 0.0)
    tried, left, luck = 0, rollouts, chance.below(1 << 62)
    # As many rounds as it takes to halve the actions down to one.
    stages = max(1, (len(arms) - 1).bit_length())
    while len(worth) > 1 and left > 0:
        worlds = max(2, rollouts // stages // len(worth))
        for number in range(tried, tried + worlds):
            dice = Chance(luck.to_bytes(8, "big"), number)
            world = belief.world(dice)
            for arm in worth:
                worth[arm] += _played_out(world, arms[arm], luck, number)
        tried += worlds
        left -= worlds * len(worth)
        best = sorted(worth, key=lambda arm: (-worth[arm], arm))
        worth = {arm: worth[arm] for arm in best[: (len(best) + 1) // 2]}
    return arms[max(worth, key=lambda arm: (worth[arm], -arm))]


def _sensible(view: View, legal: tuple[Action, ...], belief: Belief) -> tuple[Action, ...]:
    """The actions less the guesses that can't hit, as long as any others are left."""
    found = [action for action in legal if not _senseless(view, action, belief)]
    return tuple(found) or legal[:1]


def _senseless(view: View, action: Action, belief: Belief) -> bool:
    if not isinstance(action, Play):
        return False
    if action.target is None or action.guess is None:
        return suicidal(view, action)
    return action.guess not in belief.may_hold(action.target)


def suicidal(view: View, play: Play) -> bool:
    """Leroy with the own Experiment 626: out, for nothing."""
    mine = view.stitch == view.you and view.side is Side.EXPERIMENT
    return play.card is Character.LEROY and mine


def _played_out(world: State, action: Action, luck: int, number: int) -> float:
    """What the round is worth to whoever is asked, if it goes on like this."""
    me = world.asked
    assert me is not None
    dice = Chance(luck.to_bytes(8, "big"), (1 << 40) + number)
    state = _GAME.apply(world, me, action, dice).state
    while state.asked is not None and state.round == world.round:
        state = _GAME.apply(state, state.asked, quick(state, state.asked, dice), dice).state
    end = state.before[-1]
    if not isinstance(end, RoundEnded):
        end = state.before[-2]
    assert isinstance(end, RoundEnded)
    if me in end.winners:
        return 1.0 / len(end.winners)
    return LOST_MATCH if state.asked is None else 0.0


def quick(state: State, seat: Seat, dice: Chance) -> Action:
    """A quick sound move from what `seat` sees: its hand and what lies open."""
    if seat != state.turn:
        give = state.side is Side.EXPERIMENT or state.hands[seat][0].number >= KEEPS_FROM
        return ANSWERS[give]
    held, drawn = state.hands[seat]
    card = _to_play(state, seat, held, drawn)
    others = [
        Seat(s) for s, hand in enumerate(state.hands) if hand and s != seat and s != state.protected
    ]
    if card not in _AIMED or not others:
        return Play(card)
    if card is Character.NANI:
        return Play(card, state.stitch if state.stitch in others else others[0])
    target = others[0] if len(others) == 1 else others[dice.below(len(others))]
    if card is not Character.COUNCILWOMAN:
        return Play(card, target)
    return Play(card, target, _guess(state, seat, dice))


_AIMED: Final = frozenset(
    {
        Character.COUNCILWOMAN,
        Character.COBRA,
        Character.SPARKY,
        Character.PLEAKLEY,
        Character.NANI,
    }
)


def _to_play(state: State, seat: Seat, held: Character, drawn: Character) -> Character:
    """Which of two cards: what strikes, else the lower one; never what hurts its own player."""
    low, high = (held, drawn) if held.number <= drawn.number else (drawn, held)
    own_626 = state.stitch == seat and state.side is Side.EXPERIMENT
    if Character.LEROY in (low, high) and state.side is Side.EXPERIMENT:
        if not own_626:
            return Character.LEROY
        return high if low is Character.LEROY else low
    if low is Character.SPARKY and high.number < 4:
        return high
    return low


def _guess(state: State, seat: Seat, dice: Chance) -> int:
    """A number of a card that is not seen, the frequent ones more often."""
    unseen: list[int] = []
    open_cards = [c for pile in state.piles for c in pile]
    open_cards += state.hands[seat]
    sparky = len(state.hands) > 3
    for card in Character:
        if card is Character.SPARKY and not sparky:
            continue
        unseen += [card.number] * (card.copies - open_cards.count(card))
    return unseen[dice.below(len(unseen))]


def answers(view: View) -> Answer:
    """The club player's answer to Pleakley's offer: a good hand is worth more than Stitch."""
    give = view.side is Side.EXPERIMENT or view.hand[0].number >= KEEPS_FROM
    return Answer(give=give)
