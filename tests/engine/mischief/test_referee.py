"""The rules against the referee: the same deck, rolls and shuffles must give the same game.

`python -m tests.engine.mischief.test_referee 5000` compares so many games.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable
from itertools import chain
from typing import Any

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.mischief import Mischief
from engine.mischief.model import ICONS
from tests.engine.mischief.referee import Referee, possible_plays


class Recorded(Chance):
    """Writes down what the die showed and how decks were shuffled."""

    def __init__(self, seed: bytes, seq: int) -> None:
        super().__init__(seed, seq)
        self.faces: deque[str] = deque()
        self.decks: deque[tuple[Any, ...]] = deque()
        self._shuffling = False

    def below(self, n: int) -> int:
        value = super().below(n)
        if not self._shuffling:
            self.faces.append(ICONS[value])
        return value

    def shuffle(self, items: Iterable[Any]) -> tuple[Any, ...]:
        self._shuffling = True
        shuffled = super().shuffle(items)
        self._shuffling = False
        self.decks.append(shuffled)
        return shuffled


def compare(game: Mischief, number: int) -> None:
    """One random game, round by round."""
    dice = Chance(b"comparing" + number.to_bytes(4, "big"), 0)
    seats = 2 + dice.below(5)
    options = {"totals": False, "final_bonus": dice.below(2) == 1}
    state = game.setup(seats, options, Chance(b"setup" + number.to_bytes(4, "big"), 0)).state
    chance = Recorded(b"", 0)

    def reshuffled(discard: list[int]) -> list[int]:
        deck = chance.decks.popleft()
        assert sorted(deck) == sorted(discard)
        return list(deck)

    referee = Referee(
        seats,
        [*chain(*state.table.hands), *state.table.deck],
        lambda: chance.faces.popleft(),
        reshuffled,
        options["final_bonus"],
    )
    while referee.must_play():
        asked = game.pending(state)
        assert sorted(asked) == referee.must_play()
        plays = {}
        for seat in sorted(asked):
            legal = game.legal(state, seat)
            held = referee.players[seat]["hand"]
            assert {frozenset(play.cards) for play in legal} == possible_plays(held)
            action = dice.pick(legal)
            if dice.below(4) == 0 and seat != max(asked):
                state = game.apply(state, seat, dice.pick(legal), Chance(b"", 0)).state
            chance = Recorded(number.to_bytes(4, "big"), dice.below(1 << 30))
            state = game.apply(state, seat, action, chance).state
            plays[seat] = action.cards
        referee.round(plays)
        _same(game, state, referee)
        assert not chance.faces
        assert not chance.decks


def _same(game: Mischief, state: Any, referee: Referee) -> None:
    table = state.table
    assert [list(hand) for hand in table.hands] == [p["hand"] for p in referee.players]
    assert [list(stack) for stack in table.stacks] == [p["stack"] for p in referee.players]
    bonuses = [[] if bonus is None else [bonus] for bonus in table.bonuses]
    assert bonuses == [p["bonus"] for p in referee.players]
    assert list(table.deck) == referee.deck
    assert list(table.discard) == referee.discard
    outcome = game.outcome(state)
    assert (outcome is None) == (referee.result is None)
    if outcome is not None:
        assert sorted(outcome.winners) == referee.result["winners"]
        assert [outcome.scores[Seat(n)] for n in range(len(table.hands))] == (
            referee.result["totals"]
        )


@pytest.mark.parametrize("hundred", range(3))
def test_the_referee_agrees(hundred):
    game = Mischief()
    for number in range(100 * hundred, 100 * hundred + 100):
        compare(game, number)


if __name__ == "__main__":
    rules, games = Mischief(), int(sys.argv[1])
    for each in range(games):
        compare(rules, each)
    sys.stdout.write(f"{games} games: the referee agrees\n")
