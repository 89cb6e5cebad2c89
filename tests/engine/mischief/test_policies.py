"""The computer players: what they may know, and that they see what is plain to see."""

from __future__ import annotations

import pickle

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.mischief import Mischief
from engine.mischief.imagine import Imagination, ImaginedGame, World
from engine.mischief.model import ICONS
from engine.mischief.policy import LEVELS
from engine.mischief.search import searched
from engine.mischief.sense import Sense
from engine.policy import at_random
from tests.engine.mischief.scenarios import deal
from tests.playout import positions

GAME = Mischief()
SEEDS = [bytes([n, 7, 7, 7]) for n in range(4)]


def briefly(view, legal, chance):
    """The hard player with less time."""
    return searched(view, legal, chance, games=40)


QUICK = {**LEVELS, "hard": briefly}
policies = pytest.mark.parametrize("policy", QUICK.values(), ids=QUICK)
levels = pytest.mark.parametrize("level", LEVELS)
thinking = pytest.mark.parametrize("level", ["normal", "hard"])


def asked(seed):
    """Positions of a random game, each with a seat that may play there."""
    for number, match in enumerate(positions(GAME, seed)):
        for seat in match.all_seats():
            if match.choices(seat):
                yield number, match, seat


# --- what they may know


@policies
@pytest.mark.parametrize("seed", SEEDS)
def test_they_decide_by_what_their_seat_sees(policy, seed):
    for number, match, seat in asked(seed):
        if number % 3:
            continue
        other = GAME.resample(match.state, seat, Chance(seed, 1_000 + number))
        legal = match.choices(seat)
        here = policy(match.view(seat), legal, Chance(seed, number))
        there = policy(GAME.view(other, seat), legal, Chance(seed, number))
        assert here == there
        assert here in legal


@levels
def test_the_same_again_even_in_another_process(level):
    match = next(match for n, match, _ in asked(b"again") if n == 3)
    seat = min(match.pending())
    job = (match.view(seat), match.choices(seat))
    copy = pickle.loads(pickle.dumps(job))  # noqa: S301 - our own
    assert copy == job
    assert LEVELS[level](*job, Chance(b"x", 1)) == LEVELS[level](*copy, Chance(b"x", 1))


# --- what they see


def decides(scene, level, seat=0):
    """Everything that a level may do there, in words."""
    view = scene.view(seat)
    legal = scene.game.legal(scene.state, Seat(seat))
    plays = {LEVELS[level](view, legal, Chance(b"tactics", number)) for number in range(3)}
    return {scene.words(play.cards) for play in plays}


REST = "gU yC rS gP yH rR gC yU rP gS yR rH gHU yCS rPR gRC+ yUP- rSH"
"""Cards that nobody sees, so that anything may be drawn."""


@thinking
@pytest.mark.parametrize(
    ("hands", "stacks", "play"),
    [
        # Only four presents beat three; a card that is saved for certain too few is worth nothing.
        (("gH gH gHU yS", ""), ("", "rHU rC"), "gH gH gHU"),
        # One present is enough, and the fewer icons the better.
        (("gH gHU yHS", ""), ("rHU rC", "rHU rC"), "gH"),
        # Nice means fewer rolls.
        (("gH+ rH yH-", ""), ("rHU", "yPC"), "gH+"),
    ],
)
def test_the_final_round_is_played_for_the_win(level, hands, stacks, play):
    scene = deal(*hands, deck=REST, stacks=stacks, final=True)
    assert decides(scene, level) == {play}


@thinking
def test_in_a_final_round_of_several_too_few_presents_are_no_use(level):
    scene = deal(
        "gH gH gHU yS", "rU yU", "", deck=REST, stacks=("", "", "rHU rC"), final=True, totals=True
    )
    assert decides(scene, level) == {"gH gH gHU"}


def test_one_icon_three_times_is_a_bargain():
    scene = deal("rH rH rH yU yCS gPS", "gU yC rS gP yH rR", deck=REST)
    assert decides(scene, "normal") == {"rH rH rH"}


@thinking
def test_who_is_ahead_goes_out(level):
    scene = deal("rH rH", "gPC gU", deck=REST, stacks=("rHU rCS gHP yU", "rHU rC yU gS"))
    assert decides(scene, level) == {"rH rH"}


@levels
def test_one_possible_play_is_played(level):
    assert decides(deal("rH", "gU yC", deck=REST), level) == {"rH"}


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
    scene = deal("rH yP yP", "gS yP yP", "gH yP yP", deck=REST, rolls="RR")
    scene.all_play("rH", "gS", "gH")
    view = scene.view(0)
    totals = {Imagination(view, Sense(view)).world(Chance(b"", n)).totals for n in range(5)}
    assert totals == {(1, 1, 1)}
