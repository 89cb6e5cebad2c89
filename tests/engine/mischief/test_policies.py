"""The computer players: what they imagine, and that thinking helps."""

from __future__ import annotations

import pickle

import pytest

from engine.chance import Chance
from engine.mischief import Mischief
from engine.mischief.imagine import Imagination, ImaginedGame, World
from engine.mischief.model import ICONS
from engine.mischief.policy import LEVELS
from engine.mischief.sense import Sense
from engine.policy import at_random
from tests.engine.mischief.scenarios import deal
from tests.playout import positions

GAME = Mischief()
SEEDS = [bytes([n, 7, 7, 7]) for n in range(4)]


levels = pytest.mark.parametrize("level", LEVELS)


def asked(seed):
    """Positions of a random game, each with a seat that may play there."""
    for number, match in enumerate(positions(GAME, seed)):
        for seat in match.all_seats():
            if match.choices(seat):
                yield number, match, seat


@levels
def test_the_same_again_even_in_another_process(level):
    match = next(match for n, match, _ in asked(b"again") if n == 3)
    seat = min(match.pending())
    job = (match.view(seat), match.choices(seat))
    copy = pickle.loads(pickle.dumps(job))  # noqa: S301 - our own
    assert copy == job
    assert LEVELS[level](*job, Chance(b"x", 1)) == LEVELS[level](*copy, Chance(b"x", 1))


# --- strength, roughly; tools/ladder.py measures it


def test_normal_is_stronger_than_chance():
    assert wins(LEVELS["normal"], games=100) > 55, "50 would be chance"


def wins(policy, games):
    total = 0.0
    for number in range(games):
        seed = b"strength%d" % (number // 2)
        state = GAME.setup(2, {"totals": False, "final_bonus": False}, Chance(seed, 0)).state
        dice, seq = Chance(b"dice" + seed, number), 0
        while pending := GAME.pending(state):
            seat, seq = min(pending), seq + 1
            chosen = policy if seat == number % 2 else at_random
            action = chosen(GAME.view(state, seat), GAME.legal(state, seat), dice)
            state = GAME.apply(state, seat, action, Chance(seed, seq)).state
        outcome = GAME.outcome(state)
        assert outcome is not None
        total += (number % 2 in outcome.winners) / len(outcome.winners)
    return total


# --- what they imagine


class Faces(Chance):
    """The rolls of an imagined round."""

    def __init__(self, rolls) -> None:
        super().__init__(b"", 0)
        self.rolls = list(rolls)

    def below(self, n: int) -> int:
        assert n == len(ICONS)
        return self.rolls.pop(0).bit_length() - 1


@pytest.mark.parametrize("seed", [bytes([n, 1, 1, 1]) for n in range(30)])
def test_imagined_rounds_follow_the_rules(seed):
    for number, match in enumerate(positions(GAME, seed)):
        table = match.state.table
        seats = tuple(sorted(match.pending()))
        if any(match.state.locked) or len(table.deck) < 4 * len(table.hands) or not seats:
            continue
        dice = Chance(seed, number)
        me = dice.pick(seats)
        sense = Sense(match.view(me))
        totals = tuple(
            sum(len(card.presents) for card in GAME._book.cards(stack)) for stack in table.stacks
        )
        rolls = tuple(1 << dice.below(len(ICONS)) for _ in range(3))
        plays = {seat: dice.pick(match.choices(seat)) for seat in seats}
        world = World(table.hands, totals, table.deck, table.discard, rolls)
        game = ImaginedGame(world, table.final, sense)
        game.round({seat: sense.throw(play.cards) for seat, play in plays.items()})

        state, chance = match.state, Faces((*rolls, 1, 2, 4))
        for seat in seats:
            state = GAME.apply(state, seat, plays[seat], chance).state
        after = state.table
        assert [*map(len, game.hands)] == [*map(len, after.hands)]
        assert len(game.deck) == len(after.deck)
        assert sorted(game.discard) == sorted(after.discard)
        assert game.over == (after.ending is not None)
        assert game.final == after.final or game.over
        bonuses = [0 if new is None or old is not None else sense.presents[new]
                   for old, new in zip(table.bonuses, after.bonuses, strict=True)]  # fmt: skip
        for seat, stack in enumerate(after.stacks):
            saved = GAME._book.presents(stack)
            if sum(map(bool, bonuses)) < 2:
                saved += bonuses[seat]
            elif bonuses[seat]:
                continue
            assert game.totals[seat] == saved


@pytest.mark.parametrize("seed", SEEDS)
def test_imagined_worlds_look_the_same(seed):
    for number, match, seat in asked(seed):
        view, table = match.view(seat), match.state.table
        world = Imagination(view, Sense(view)).world(Chance(seed, number))
        assert world.hands[seat] == table.hands[seat]
        assert [*map(len, world.hands)] == [*map(len, table.hands)]
        bonuses = [bonus for bonus in table.bonuses if bonus is not None]
        assert len(world.deck) == len(table.deck)
        hidden = {
            *world.deck,
            *(c for n, hand in enumerate(world.hands) if n != seat for c in hand),
        }
        assert hidden <= {card.id for card in view.unseen}
        assert len(hidden) == len(view.unseen) - len(bonuses)
        if not bonuses:
            stacks = [GAME._book.presents(stack) for stack in table.stacks]
            assert sum(world.totals) == sum(stacks)
            assert world.totals[seat] == stacks[seat]


def test_it_is_known_what_each_saved_last():
    scene = deal("rH yP yP", "gS yP yP", "gH yP yP", deck="gU yC rS gP yH rR", rolls="RR")
    scene.all_play("rH", "gS", "gH")
    view = scene.view(0)
    totals = {Imagination(view, Sense(view)).world(Chance(b"", n)).totals for n in range(5)}
    assert totals == {(1, 1, 1)}
