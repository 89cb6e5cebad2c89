"""The engine against the referee: the same deck and the same choices, the same round."""

from __future__ import annotations

from engine.chance import Chance
from engine.core import Seat
from engine.fix626 import Fix626
from engine.fix626.model import Answer, RoundEnded, Side, State
from tests.engine.fix626 import referee
from tests.playout import AnyGame

SEEDS = 60
"""Matches; each has about seven rounds."""


def plain(action):
    if isinstance(action, Answer):
        return action.give
    return action.card.value, action.target, action.guess


def deck_of(state: State) -> list[str]:
    """The deck before this round was dealt, from its top."""
    dealt = [state.hands[seat][0] for seat in range(len(state.hands))]
    drawn = state.hands[state.turn][1]
    return [c.value for c in (state.aside, *dealt, drawn, *reversed(state.deck))]


def same(r, state: State) -> None:
    seats = range(r["players"])
    assert [list(hand) for hand in state.hands] == [r["hand"][p] for p in seats]
    assert [list(pile) for pile in state.piles] == [r["front"][p] for p in seats]
    assert list(reversed(state.deck)) == r["deck"]
    assert (state.stitch, state.side is Side.GOOD) == (r["stitch"], r["good"])
    assert state.turn == r["now"]
    assert state.asked == (r["now"] if r["offer"] is None else r["offer"])
    assert ([] if state.protected is None else [state.protected]) == r["david"]


def agree(game: AnyGame, seed: bytes) -> int:
    """One random match beside the referee; the number of rounds."""
    dice = Chance(b"referee" + seed, 0)
    seats = 2 + dice.below(4)
    state: State = game.setup(seats, game.info.settle({}), Chance(seed, 0)).state
    r = referee.new_round(seats, deck_of(state), state.stitch)
    tokens = [0] * seats
    seq, rounds = 0, 0
    while state.asked is not None:
        same(r, state)
        legal = game.legal(state, state.asked)
        assert {plain(action) for action in legal} == referee.possible(r)
        assert len(legal) == len(referee.possible(r))
        action = dice.pick(legal)
        seq += 1
        step = game.apply(state, state.asked, action, Chance(seed, seq))
        referee.move(r, plain(action))
        ends = [event for event in step.events if isinstance(event, RoundEnded)]
        assert bool(ends) == (r["winners"] is not None)
        state = step.state
        if ends:
            rounds += 1
            assert list(ends[0].winners) == r["winners"]
            assert (ends[0].stitch, ends[0].side is Side.GOOD) == (r["stitch"], r["good"])
            for winner in r["winners"]:
                tokens[winner] += 1
            assert list(state.tokens) == tokens
            assert (max(tokens) >= referee.NEEDED[seats]) == (state.asked is None)
            if state.asked is not None:
                r = referee.new_round(seats, deck_of(state), referee.owner_next(r))
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winners == {Seat(p) for p in range(seats) if tokens[p] >= referee.NEEDED[seats]}
    return rounds


def test_the_referee_agrees():
    rounds = sum(agree(Fix626(), bytes([number])) for number in range(SEEDS))
    assert rounds > 300
