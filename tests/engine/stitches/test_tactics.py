"""Positions with one right answer, which the normal and the hard player must find."""

from __future__ import annotations

from functools import partial

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.stitches.model import (
    Attach,
    Buy,
    Declare,
    Discard,
    LoseWord,
    Provoke,
    Retreat,
    Rob,
    Tear,
)
from engine.stitches.policy import LEVELS
from engine.stitches.search import searched
from engine.stitches.sense import Sense
from tests.engine.stitches.scenarios import Scene, lay
from tests.engine.stitches.test_invariants import BOX

QUICK = {**LEVELS, "hard": partial(searched, steps=40)}
THINKING = {level: LEVELS[level] for level in ("normal", "hard")}
policies = pytest.mark.parametrize("policy", QUICK.values(), ids=QUICK)
thinking = pytest.mark.parametrize("policy", THINKING.values(), ids=THINKING)
SENSE = Sense(BOX, hard=False)


def decides(policy, scene: Scene, seat: int = 0):
    return policy(scene.view(seat), scene.legal(seat), Chance(b"decides", 0))


def decisions(policy, scene: Scene, seat: int = 0):
    """Everything that it does there, with different luck."""
    view, legal = scene.view(seat), scene.legal(seat)
    return {policy(view, legal, Chance(b"decisions", number)) for number in range(5)}


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


ONE_HEAD = {0: {"head": (2, 2, 2, 5), "right": "", "legs": "", "left": ""}}


@thinking
@pytest.mark.parametrize(("torso", "won"), [((0, 0, 0), True), ((9, 9, 9), False)])
def test_only_a_fight_that_will_be_won_is_begun(policy, torso, won):
    """Every side can be beaten; but a strong torso takes the only good part after the first."""
    scene = lay(bodies=ONE_HEAD, coins=[0, 6, 0], sides=WEAK, beast_torso=torso).declare("AAA")
    found = decisions(policy, scene)
    assert found == {Provoke()} if won else Provoke() not in found


CARDS = ("grows", "attacks", "rampages", "behind")


def before_the_market(market: list[str], coins: int, head: tuple[int, ...]) -> Scene:
    """Seat 0 has plenty of Rock and Paper and one of Scissors; it will be the first to attack in
    the next round, and after it come two who would win.
    """
    ready = {"head": "Mantis 5", "right": "Lobster 5", "legs": "Python 5", "left": "Mammoth 5"}
    lacks = {"head": "Gorilla 5", "right": "Polar Bear 5", "legs": "Robot 4", "left": ""}
    return lay(
        bodies={0: lacks, 1: ready, 2: ready | {"head": "Robot 5"}},
        coins=[coins, 0, 0],
        pot=0,
        market=market,
        sides=(head, "Human right", "Human legs", "Human left"),
        first=1,
        cards=["behind"],  # the token moves on by two
        card_discard=[*CARDS[:3], *CARDS],
    ).declare("SSS")


@thinking
@pytest.mark.parametrize(
    ("market", "bought"),
    [
        (["Mantis 3", "Polar Bear 4", "Cephalopod 3"], "Mantis 3"),
        (["Mantis 4", "Mammoth 5", "Tiger 5"], "Tiger 5"),
    ],
)
def test_what_wins_the_next_fight_is_bought(policy, market, bought):
    scene = before_the_market(market, coins=5, head=(3, 3, 3))
    assert decisions(policy, scene) == {Buy(scene.cut.id(bought), 3)}


def test_hard_looks_beyond_what_is_good_in_general():
    """Of Rock it has the most, and still too little for this head."""
    market = ["Mantis 3", "Polar Bear 4", "Cephalopod 3"]
    scene = before_the_market(market, coins=4, head=(0, 0, 8))
    enough = {Buy(scene.cut.id(part), 3) for part in ("Polar Bear 4", "Mammoth 3")}
    assert decisions(LEVELS["hard"], scene) <= enough
