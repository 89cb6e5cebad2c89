"""The computer players: what they imagine, what they foresee, and that their games end."""

from __future__ import annotations

import pickle
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
    Provoke,
    Retreat,
    State,
    Strike,
)
from engine.stitches.policy import LEVELS
from engine.stitches.sense import Sense, sense_of
from tests.engine.stitches.scenarios import lay
from tests.engine.stitches.test_invariants import BOX, GAME
from tests.playout import positions

SEEDS = [bytes([n, 3, 3, 3]) for n in range(4)]
seeds = pytest.mark.parametrize("seed", SEEDS)


def asked(seed, most=300):
    """Positions of a random game, each with a seat that has something to choose there."""
    for number, match in enumerate(positions(GAME, seed, most=most)):
        for seat in match.all_seats():
            if match.state.stage != "keep" and len(match.choices(seat)) > 1:
                yield number, match, seat


@pytest.mark.parametrize("level", LEVELS)
def test_they_keep_a_part_after_a_win(level):
    giant = {0: {"head": "Robot 5", "right": "Tiger 5", "legs": "Cephalopod 5"}}
    sides = ((1, 1, 1), "Human right", "Human legs", "Human left")
    scene = lay(bodies=giant, sides=sides, keep=True).declare("AAA").provoke(0)
    while scene.state.stage == "fight":
        scene = scene.do(scene.state.asked, scene.legal(scene.state.asked)[0])
    assert scene.state.stage == "keep"
    keep = LEVELS[level](scene.view(0), scene.legal(0), Chance(b"", 0))
    assert keep in scene.legal(0)


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


@pytest.mark.parametrize("level", LEVELS)
def test_they_play_with_an_owners_cards(level):
    scene = lay(bodies={0: {"head": (4, 4, 4, 5)}}, market=[(1, 2, 3, 4)])
    assert LEVELS[level](scene.view(0), scene.legal(0), Chance(b"", 0)) in scene.legal(0)


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
