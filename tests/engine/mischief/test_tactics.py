"""Positions with one right answer, which the normal and the hard player must find."""

from __future__ import annotations

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.mischief.policy import LEVELS
from tests.engine.mischief.scenarios import deal

levels = pytest.mark.parametrize("level", LEVELS)
thinking = pytest.mark.parametrize("level", ["normal", "hard"])


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


@thinking
def test_in_the_final_round_a_card_that_adds_no_risk_is_added(level):
    """The other has a card left: how many presents it takes is not certain."""
    scene = deal("gH gHU gS", "rC", deck=REST, stacks=("rHU", "rHU rC"), final=True, totals=True)
    assert decides(scene, level) == {"gH gHU"}


@thinking
def test_cards_that_one_icon_loses_are_laid_together(level):
    scene = deal("gH gH gH", "yHU rS gC yP", deck=REST, stacks=("rHU gS", "rHU gC"))
    assert decides(scene, level) == {"gH gH gH"}


@thinking
def test_cards_that_share_their_icons_are_not_laid_with_another(level):
    scene = deal("rHU rHU rHU rSC yP", "yHU rS gC yP rS", deck=REST, stacks=("rHU gS", "rHU gC"))
    assert decides(scene, level) <= {"rHU rHU rHU", "rSC"}


def test_one_icon_three_times_is_a_bargain():
    scene = deal("rH rH rH yU yCS gPS", "gU yC rS gP yH rR", deck=REST)
    assert decides(scene, "normal") == {"rH rH rH"}


@thinking
def test_far_behind_it_risks_all_that_it_has(level):
    """Two others are about to end the game."""
    stacks = ("rHU yC", "rHU rC yU gS", "rH")
    scene = deal("gH gH gS", "rC yU", "gC gU yP", deck=REST, stacks=stacks, totals=True)
    assert decides(scene, level) == {"gH gH gS"}


@thinking
def test_who_is_ahead_goes_out(level):
    scene = deal("rH rH", "gPC gU", deck=REST, stacks=("rHU rCS gHP yU", "rHU rC yU gS"))
    assert decides(scene, level) == {"rH rH"}


@levels
def test_one_possible_play_is_played(level):
    assert decides(deal("rH", "gU yC", deck=REST), level) == {"rH"}
