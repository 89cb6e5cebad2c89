"""Positions with one right answer, which the normal and the hard player must find."""

from __future__ import annotations

from functools import partial

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.fix626.cards import Character
from engine.fix626.model import Action, Answer, Play
from engine.fix626.policy import normal
from engine.fix626.search import searched
from tests.engine.fix626.scenarios import GAME, Scene, deal

ROLLOUTS = 400
players = pytest.mark.parametrize(
    "player", [normal, partial(searched, rollouts=ROLLOUTS)], ids=["normal", "hard"]
)


def play(card: str, target: int | None = None, guess: int | None = None) -> Play:
    return Play(Character(card), None if target is None else Seat(target), guess)


def decides(player, scene: Scene, seat: int = 0) -> set[Action]:
    """Everything that the player does there, with different luck."""
    view, legal = scene.view(seat), GAME.legal(scene.state, Seat(seat))
    return {player(view, legal, Chance(b"tactics", number)) for number in range(4)}


KNOWN_LILO = deal(
    ["Pleakley Lilo", "Gantu"],
    deck="Jumba Councilwoman Gantu Cobra Cobra",
    stitch=(0, "G"),
)
"""Seat 0 trades its Lilo to seat 1, then draws a Grand Councilwoman."""


def after_the_trade() -> Scene:
    scene = KNOWN_LILO.play(0, "Pleakley", target=1).play(1, "Jumba")
    assert scene.hand(0) == "gantu councilwoman"
    assert scene.known(0) == {1: "lilo"}
    return scene


ONE_ANSWER: dict[str, tuple[Scene, Action]] = {
    "a known Lilo in front of the Councilwoman": (
        after_the_trade(),
        play("councilwoman", 1, 8),
    ),
    "Leroy hits the owner of 626, the only opponent": (
        deal(["Leroy Gantu", "Nani"], stitch=(1, "X")),
        play("leroy"),
    ),
    "Leroy hits one of two": (
        deal(["Leroy Gantu", "Nani", "Cobra"], stitch=(1, "X")),
        play("leroy"),
    ),
    "not Leroy with the own 626, even beside Lilo": (
        deal(["Leroy Lilo", "Nani", "Cobra"], stitch=(0, "X")),
        play("lilo"),
    ),
    "a Sparky that can't lose, on the last turn": (
        deal(["Sparky Lilo", "Nani", "", ""], deck="", stitch=(1, "G")),
        play("sparky", 1),
    ),
    "not a Sparky that must lose": (
        deal(["Sparky Gantu", "Nani", "David", "Cobra"], deck="Jumba Angel Jumba"),
        play("gantu"),
    ),
    "last turn: turn one's own 626 round": (
        deal(["Jumba David", "Cobra"], deck="", stitch=(0, "X")),
        play("jumba"),
    ),
    "last turn: leave one's own Good Stitch as he is": (
        deal(["Jumba Cobra", "Gantu"], deck="", stitch=(0, "G")),
        play("cobra", 1),
    ),
    "last turn: leave the other's 626 as he is": (
        deal(["Jumba Cobra", "David"], deck="", stitch=(1, "X")),
        play("cobra", 1),
    ),
    "last turn: turn the other's Good Stitch": (
        deal(["Jumba Nani", "Pleakley"], deck="", stitch=(1, "G")),
        play("jumba"),
    ),
    "last turn: Lilo brings two": (
        deal(["Lilo Nani", "David"], deck="", stitch=(1, "G")),
        play("lilo"),
    ),
    "last turn: Gantu brings Good Stitch": (
        deal(["Gantu Nani", "Pleakley"], deck="", stitch=(1, "G")),
        play("gantu"),
    ),
    "last turn: Gantu takes 626 away": (
        deal(["Gantu David", "Angel"], deck="", stitch=(0, "X")),
        play("gantu"),
    ),
    "last turn: don't give Good Stitch away with Nani": (
        deal(["Nani David", "Pleakley"], deck="", stitch=(0, "G")),
        play("david"),
    ),
    "last turn: give 626 away with Nani": (
        deal(["Nani Pleakley", "Lilo"], deck="", stitch=(0, "X")),
        play("nani", 1),
    ),
    "last turn: Angel brings Good Stitch": (
        deal(["Angel Nani", "Pleakley"], deck="", stitch=(1, "G")),
        play("angel"),
    ),
}


@players
@pytest.mark.parametrize("name", ONE_ANSWER)
def test_finds(player, name):
    scene, right = ONE_ANSWER[name]
    assert decides(player, scene) == {right}


@players
def test_guesses_what_is_left(player):
    """Two cards are unseen, and one of them has been ruled out by a miss."""
    scene = deal(["Councilwoman Councilwoman", "David"], deck="Cobra Lilo Gantu", stitch=(1, "G"))
    scene = scene.play(0, "Councilwoman", target=1, guess=7).play(1, "Cobra", target=0)
    assert scene.hand(0) == "councilwoman lilo"
    view = scene.view(0)
    unseen = {6, 7, 0, 8}  # What a player who counts has to choose from.
    for action in decides(player, scene):
        assert isinstance(action, Play)
        assert action.guess is None or action.guess in unseen - {7, 8}
    assert view.known[1] is None


@players
def test_never_guesses_what_lies_open_or_in_the_own_hand(player):
    scene = deal(["Councilwoman Lilo", "Gantu", "Cobra"], deck="Nani Angel Cobra Jumba")
    for action in decides(player, scene):
        assert isinstance(action, Play)
        assert action.guess != 8


@players
def test_lets_the_hands_be_traded_for_a_better_one(player):
    """Deck out: Gantu with Good Stitch loses to anything with him, and wins nothing without."""
    scene = deal(["Pleakley Angel", "Gantu"], deck="", stitch=(1, "G"))
    assert decides(player, scene.play(0, "Pleakley", target=1), 1) == {Answer(False)}


@players
def test_gives_626_to_keep_a_hand_that_then_wins(player):
    scene = deal(["Pleakley Gantu", "Lilo"], deck="", stitch=(1, "X")).play(0, "Pleakley", target=1)
    assert decides(player, scene, 1) == {Answer(True)}
