"""The computer players: what they may know, and that they see what is plain to see."""

from __future__ import annotations

import pickle
from functools import partial
from itertools import islice

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.match import start
from engine.stitches.bench import changed
from engine.stitches.habits import Habits, team_of
from engine.stitches.imagine import Imagination
from engine.stitches.melee import Melee, fighters_of
from engine.stitches.model import (
    Attach,
    Declare,
    Discard,
    LoseWord,
    Provoke,
    Retreat,
    Rob,
    State,
    Strike,
    Tear,
)
from engine.stitches.policy import LEVELS
from engine.stitches.search import searched
from engine.stitches.sense import Sense, sense_of
from tests.engine.stitches.scenarios import Scene, lay
from tests.engine.stitches.test_invariants import BOX, GAME
from tests.playout import positions

SEEDS = [bytes([n, 3, 3, 3]) for n in range(4)]
QUICK = {**LEVELS, "hard": partial(searched, steps=40)}
THINKING = {"normal": LEVELS["normal"], "hard": partial(searched, steps=1500)}
policies = pytest.mark.parametrize("policy", QUICK.values(), ids=QUICK)
thinking = pytest.mark.parametrize("policy", THINKING.values(), ids=THINKING)
seeds = pytest.mark.parametrize("seed", SEEDS)


def asked(seed, most=300):
    """Positions of a random game, each with a seat that has something to choose there."""
    for number, match in enumerate(positions(GAME, seed, most=most)):
        for seat in match.all_seats():
            if match.state.stage != "keep" and len(match.choices(seat)) > 1:
                yield number, match, seat


def decides(policy, scene: Scene, seat: int = 0):
    return policy(scene.view(seat), scene.legal(seat), Chance(b"decides", 0))


# --- what they may know


@policies
@seeds
def test_they_decide_by_what_their_seat_sees(policy, seed):
    for number, match, seat in islice(asked(seed), 0, None, 17):
        other = GAME.resample(match.state, seat, Chance(seed, 1_000 + number))
        legal = match.choices(seat)
        here = policy(match.view(seat), legal, Chance(seed, number))
        assert here in legal
        assert policy(GAME.view(other, seat), legal, Chance(seed, number)) == here
        assert policy(match.view(seat), legal, Chance(seed, number)) == here


@pytest.mark.parametrize("level", LEVELS)
def test_they_keep_a_part_after_a_win(level):
    scene = lay(bodies=GIANT, sides=WEAK, keep=True).declare("AAA").provoke(0)
    while scene.state.stage == "fight":
        scene = scene.do(scene.state.asked, scene.legal(scene.state.asked)[0])
    assert scene.state.stage == "keep"
    assert decides(LEVELS[level], scene) in scene.legal(0)


@pytest.mark.parametrize("level", LEVELS)
def test_views_actions_and_players_travel_to_a_worker(level):
    for _, match, seat in islice(asked(SEEDS[0]), 0, None, 20):
        sent = match.view(seat), match.choices(seat)
        assert pickle.loads(pickle.dumps(sent)) == sent  # noqa: S301 - our own
    assert pickle.loads(pickle.dumps(LEVELS[level])) is LEVELS[level]  # noqa: S301


@seeds
def test_an_imagined_state_looks_like_the_view(seed):
    for number, match, seat in islice(asked(seed), 0, None, 3):
        view = match.view(seat)
        imagination = Imagination(view, sense_of(view.parts, view.rules.hard))
        state = imagination.state(Chance(seed, number))
        if state.stage == "declare":  # nobody's declaration is taken for granted
            state = state._replace(declared=match.state.declared)
        state = state._replace(news=match.state.news)
        assert GAME.view(state, seat) == view
        assert sorted(state.deck) == sorted(match.state.deck)
        assert sorted(state.word_deck) == sorted(match.state.word_deck)
        assert sorted(state.card_deck) == sorted(match.state.card_deck)


def test_they_play_with_an_owners_cards():
    scene = lay(bodies={0: {"head": (4, 4, 4, 5)}}, market=[(1, 2, 3, 4)])
    assert decides(QUICK["hard"], scene) in scene.legal(0)
    assert decides(LEVELS["normal"], scene) in scene.legal(0)


# --- a fight that is foreseen


def by_the_rules(state: State) -> frozenset[int]:
    """Who wins when each takes the first strike after which it wins, and else retreats: worked
    out with the rules themselves.
    """
    if state.stage != "fight":
        return frozenset(state.winners)
    seat = Seat(state.asked)
    legal = GAME.legal(state, seat)
    strikes = {action.part: action for action in legal if isinstance(action, Strike)}
    for part in Melee(SENSE, state.torso).strikes(state.sides, fighters_of(state, (seat,))[0]):
        after = by_the_rules(GAME.apply(state, seat, strikes[part], Chance(b"", 0)).state)
        if seat in after:
            return after
    if Retreat() not in legal:
        return frozenset()
    state = GAME.apply(state, seat, Retreat(), Chance(b"", 0)).state
    if state.stage == "word":
        word = GAME.legal(state, seat)[0]
        state = GAME.apply(state, seat, word, Chance(b"", 0)).state
    return by_the_rules(state)


SENSE = Sense(BOX, hard=False)


def test_fights_end_as_foreseen():
    won = 0
    for number in range(150):
        state = a_fight(number)
        if state.stage != "fight":
            continue
        fight = state.fight
        assert fight is not None
        melee, fighters = Melee(SENSE, state.torso), fighters_of(state, fight.fighting)
        first = {}
        for part in melee.strikes(state.sides, fighters[0]):
            first[part] = melee.after(state.sides, fighters, part)
        winning = [found for found in first.values() if found >> state.asked & 1]
        expected = {seat for seat in range(4) if winning and winning[0] >> seat & 1}
        assert by_the_rules(state) == expected
        won += bool(expected)
    assert 20 < won < 140


def a_fight(number: int) -> State:
    """The beginning of a fight between random monsters of some strength."""
    dice = Chance(b"fight", number)
    state = start(GAME, 4, b"%d" % number)[0].state
    bodies = [
        tuple(
            dice.pick([p for p in BOX.monster_parts if slot in BOX.slots[p] and BOX.cost[p] < 5])
            for slot in range(4)
        )
        for _ in range(4)
    ]
    sides = changed(state.sides, 2, dice.pick(BOX.monster_parts))
    state = state._replace(
        stage="attack",
        asked=0,
        declared=(True,) * 4,
        first=Seat(0),
        bodies=tuple(bodies),
        words=(("Rock",),) * 3 + (("Mama",),),
        sides=changed(sides, 3, dice.pick(BOX.human)),
    )
    return GAME.apply(state, Seat(0), Provoke(), dice).state


def test_a_team_is_foreseen_as_it_will_be():
    state = lay(4, words=["Rock Kitty", "Mama", "Kitty", "Rock"]).state
    assert team_of(state, Seat(0)) == (0, 2, 3)


# --- what is plain to see

GIANT = {0: {"head": "Robot 5", "right": "Tiger 5", "legs": "Cephalopod 5", "left": "Polar Bear 5"}}
WEAK = ((1, 1, 1), "Human right", "Human legs", "Human left")


@policies
def test_a_fight_that_can_be_won_is_fought(policy):
    scene = lay(bodies=GIANT, sides=WEAK)
    assert decides(policy, scene) in (Declare(True), Declare(False))
    scene = scene.declare("AAA")
    assert decides(policy, scene) == Provoke()


@thinking
def test_a_fight_that_can_be_won_is_declared(policy):
    assert decides(policy, lay(bodies=GIANT, sides=WEAK)) == Declare(True)


@thinking
def test_the_strike_that_wins_is_found(policy):
    """Of two parts the first must be the one that could be answered with the loss of an arm."""
    scene = lay(
        bodies={0: {"head": (2, 2, 2, 5), "right": "", "left": "", "legs": ""}},
        sides=((2, 2, 2), (1, 0, 0), "Human legs", ""),
        discard=["Human legs"],
    )
    scene = scene.declare("AAA").provoke(0)
    while scene.state.stage == "fight":
        scene = scene.do(0, decides(policy, scene))
    assert scene.state.winners == (0,)


@thinking
def test_a_set_of_parts_that_beats_more_is_bought(policy):
    """Two parts that fill what is missing rather than one big one of what there is plenty of."""
    scene = lay(
        coins=[6, 2, 2],
        pot=6,
        market=["Cephalopod 3", "Tiger 3", "Robot 5"],
        deck=["Mammoth 5", "Mammoth 3", "Mammoth 4"],
    ).declare("SAA")
    while scene.state.stage == "market":
        scene = scene.do(0, decides(policy, scene))
    strength = SENSE.power(scene.state.bodies[0], BOX.human_torso)
    assert SENSE.worth(strength) > 14


@policies
def test_a_worse_part_is_not_attached(policy):
    scene = lay(
        bodies={0: {"legs": "Cephalopod 5"}},
        sides=((9, 0, 0), "Human legs", (9, 0, 0), (9, 0, 0)),
    )
    scene = scene.declare("AAA").provoke(0).strike(0, 1)
    while scene.state.stage == "fight":
        scene = scene.do(scene.state.asked, Retreat())
    assert scene.state.stage == "attach"
    assert isinstance(decides(policy, scene), Discard)


@thinking
def test_a_better_part_is_attached(policy):
    scene = lay(sides=((5, 5, 5), "Lobster 3", "Robot 5", "Mammoth 5"))
    scene = scene.declare("AAA").provoke(0).strike(0, 1)
    assert scene.state.stage == "attach"
    assert decides(policy, scene) == Attach(scene.cut.id("Lobster 3"), 0)


@thinking
def test_the_least_useful_word_is_lost(policy):
    """Kitty alone joins it to the strong one as well; Rock is worth no more than the leader."""
    giant = {2: GIANT[0], 0: {"legs": "Tiger 3"}}
    scene = lay(
        4,
        bodies=giant,
        words=["Rock Kitty", "Rock Kitty", "Kitty", "Mama"],
        sides=((5, 5, 5), "Human right", "Human legs", "Robot 5"),
    )
    scene = scene.declare("AAAA").provoke(0).strike(0, 2)
    assert scene.state.asked == 1
    scene = scene.retreat(1)
    assert scene.asked == ("word", 1)
    assert decides(policy, scene, 1) == LoseWord("Rock")


@thinking
def test_it_retreats_when_all_is_lost(policy):
    """Another strike would bring a Human part and cost a good one."""
    scene = lay(
        bodies={0: {"head": (0, 2, 2, 4)}},
        words=["Rock", "Rock", "Mama"],
        sides=((9, 9, 9), "Human right", "Human legs", (9, 9, 9)),
        beast_torso=(0, 0, 0),
    )
    scene = scene.declare("AAA").provoke(0).strike(0, 1).retreat(1)
    assert scene.asked == ("fight", 0)
    assert decides(policy, scene) == Retreat()


@thinking
def test_the_rich_are_robbed(policy):
    scene = lay(
        bodies={
            0: {"head": "", "right": "", "left": ""},
            1: {"head": "Robot 5", "legs": "Cephalopod 5", "right": "Tiger 5", "left": "Gorilla 4"},
            2: {"head": "Tiger 4", "legs": "Lobster 4", "right": "Tiger 5", "left": "Gorilla 4"},
        },
        coins=[0, 0, 10],
        sides=((9, 9, 9), "Robot 5", "Mammoth 5", "Gorilla 5"),
    ).declare("AAA")
    assert decides(policy, scene) == Rob(Seat(2))


@thinking
def test_a_part_that_fills_a_gap_is_torn_off(policy):
    """The only Scissors within reach, for a monster that has none."""
    scene = lay(
        bodies={
            0: {"head": "", "legs": "Robot 4", "right": "Cephalopod 3"},
            1: {"head": "Lobster 3"},
        },
        coins=[2, 0, 0],
        sides=((9, 9, 9), "Robot 5", "Mammoth 5", "Gorilla 5"),
    ).declare("AAA")
    assert decides(policy, scene) == Tear(Seat(1), scene.cut.id("Lobster 3"), 0)


# --- how games go


@pytest.mark.parametrize("abomination", ["normal", "hard"])
@pytest.mark.parametrize("seats", [3, 5, 7])
def test_games_of_fair_players_end(seats, abomination):
    rounds: list[int] = []
    for number in range(12):
        match, _ = start(GAME, seats, bytes([number]), {"abomination": abomination})
        while not match.over:
            seat = min(match.pending())
            sense = sense_of(BOX.parts, match.state.rules.hard)
            action = Habits(sense).action(match.state, seat, Chance(bytes([number]), match.seq))
            match, _ = match.submit(seat, action, epoch=match.epoch)
        assert match.state.winners
        rounds.append(match.state.round)
    assert 2.5 <= sum(rounds) / len(rounds) <= 9
    assert max(rounds) <= 16
