"""The normal computer player."""

from __future__ import annotations

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.fix626.cards import Character
from engine.fix626.model import Answer, Play
from engine.fix626.policy import normal
from engine.match import start
from engine.policy import at_random
from tests.engine.fix626.scenarios import GAME, deal


def decides(scene, seat=0):
    """Everything that `normal` may do there."""
    view, legal = scene.view(seat), GAME.legal(scene.state, Seat(seat))
    return {normal(view, legal, Chance(b"casual", number)) for number in range(20)}


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        # Leroy would only knock out its own player, even beside Lilo.
        (deal(["Leroy Lilo", "Nani", "Cobra"], stitch=(0, "X")), {Play(Character.LILO)}),
        (deal(["Leroy Gantu", "Nani", "Cobra"], stitch=(1, "X")), {Play(Character.LEROY)}),
    ],
)
def test_choices(scene, expected):
    assert decides(scene) == expected


@pytest.mark.parametrize(
    ("hand", "side", "give"),
    [("Gantu", "X", True), ("Lilo", "G", True)],
)
def test_offers(hand, side, give):
    scene = deal(["Pleakley Jumba", hand, "Cobra"], stitch=(1, side)).play(0, "Pleakley", target=1)
    assert decides(scene, 1) == {Answer(give)}


def test_wins_against_chance():
    wins = 0
    for number in range(60):
        seed = b"strength%d" % number
        match, _ = start(GAME, 4, seed)
        dice = Chance(b"dice" + seed, 0)
        while not match.over:
            (seat,) = match.pending()
            policy = normal if seat == number % 4 else at_random
            action = policy(match.view(seat), match.choices(seat), dice)
            match, _ = match.submit(seat, action, epoch=match.epoch)
        outcome = GAME.outcome(match.state)
        assert outcome is not None
        wins += number % 4 in outcome.winners
    assert wins > 30, "a quarter of 60 would be chance"
