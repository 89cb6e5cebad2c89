"""What a seat knows of other hands (A46), and that invented courses of a round respect it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Chance
from engine.core import Seat
from engine.fix626 import Fix626
from engine.fix626.cards import Character
from engine.fix626.model import GuessMissed, HandsTraded, Looked, Played, Saw, State
from tests.engine.fix626.scenarios import GAME, Scene, deal
from tests.playout import moves, positions

WORLDS = 40

seeds = st.binary(min_size=4, max_size=4)


def worlds(scene: Scene, seat: int | None) -> list[State]:
    """Positions that `seat` can't tell from the scene's."""
    me = None if seat is None else Seat(seat)
    return [GAME.resample(scene.state, me, Chance(b"w", n)) for n in range(WORLDS)]


def may_hold(scene: Scene, seat: int | None, holder: int) -> set[str]:
    """What `holder` holds in some world of `seat`."""
    return {world.hands[holder][0].value for world in worlds(scene, seat)}


# Marks


def test_cobra_marks_for_its_player_alone():
    scene = deal(["Cobra Jumba", "David", "Nani"]).play(0, "Cobra", target=1)
    assert [scene.known(seat) for seat in range(3)] == [{1: "david"}, {}, {}]
    assert scene.view(None).known == (None, None, None)


def test_a_mark_stays_while_other_cards_are_played():
    scene = deal(["Cobra Jumba", "David", "Nani"], deck="Leroy Gantu Cobra Councilwoman")
    scene = scene.play(0, "Cobra", target=1).play(1, "Leroy")
    assert scene.known(0) == {1: "david"}


def test_a_mark_goes_when_such_a_card_is_played():
    """Bob holds two Gantus and plays one: Ann can't tell whether it was the one she saw."""
    scene = deal(["Cobra Jumba", "Gantu", "Nani"], deck="Gantu Leroy")
    scene = scene.play(0, "Cobra", target=1).play(1, "Gantu")
    assert scene.hand(1) == "gantu"
    assert scene.known(0) == {}


def test_a_mark_goes_with_who_is_out():
    scene = deal(["Cobra Jumba", "David", "Councilwoman"], deck="Leroy Gantu Cobra Gantu")
    scene = scene.play(0, "Cobra", target=1).play(1, "Leroy")
    scene = scene.play(2, "Councilwoman", target=1, guess=6)
    assert scene.known(0) == {}


def test_cobra_that_knocks_out_leaves_no_mark():
    scene = deal(["Cobra Jumba", "Nani", "Lilo"]).play(0, "Cobra", target=1)
    assert scene.known(0) == {}


def test_sparky_tie_marks_for_both():
    scene = deal(["Sparky Angel", "Leroy", "Nani", "Lilo"]).play(0, "Sparky", target=1)
    assert scene.known(0) == {1: "leroy"}
    assert scene.known(1) == {0: "angel"}
    assert scene.known(2) == scene.known(3) == {}


def test_sparky_marks_the_survivor_for_the_loser():
    won = deal(["Sparky Lilo", "Leroy", "Nani", "Jumba"]).play(0, "Sparky", target=1)
    assert [won.known(seat) for seat in range(4)] == [{}, {0: "lilo"}, {}, {}]
    lost = deal(["Sparky Gantu", "Leroy", "Nani", "Jumba"]).play(0, "Sparky", target=1)
    assert [lost.known(seat) for seat in range(4)] == [{1: "leroy"}, {}, {}, {}]


def test_a_trade_of_others_moves_the_mark_with_its_card():
    scene = deal(["Cobra Jumba", "David", "Nani"], deck="Pleakley Gantu Cobra Leroy")
    scene = scene.play(0, "Cobra", target=1).play(1, "Pleakley", target=2)
    assert scene.known(0) == {2: "david"}
    assert scene.known(1) == {2: "david"}
    assert scene.known(2) == {1: "nani"}


def test_trading_with_whom_i_knew():
    scene = deal(["Cobra Gantu", "David", "Nani"], deck="Jumba Leroy Pleakley Gantu Cobra")
    scene = scene.play(0, "Cobra", target=1).play(1, "Jumba")
    scene = scene.play(2, "Nani", target=0)
    assert scene.hand(0) == "gantu pleakley"
    scene = scene.play(0, "Pleakley", target=1)
    assert scene.hand(0) == "david"
    assert scene.known(0) == {1: "gantu"}
    assert scene.known(1) == {0: "david"}


def test_an_offer_that_is_bought_off_tells_nothing():
    scene = deal(["Pleakley Jumba", "Nani", "Cobra"], stitch=(1, "G"))
    scene = scene.play(0, "Pleakley", target=1).answer(1, give=True)
    assert scene.known(0) == scene.known(1) == {}


def test_a_new_round_forgets():
    scene = deal(["Cobra Jumba", "David", "Nani"], deck="").play(0, "Cobra", target=1)
    assert scene.state.round == 2
    assert scene.known(0) == {}
    assert Saw(Seat(0), Seat(1), Character.DAVID) in scene.view(0).before_told


@given(seed=seeds)
def test_marks_are_true(seed):
    for match in positions(Fix626(), seed):
        if match.over:
            continue
        for seat in match.all_seats():
            for holder, card in enumerate(match.view(seat).known):
                if card is not None:
                    assert holder != seat
                    assert card in match.state.hands[holder]


@given(seed=seeds)
def test_marks_of_what_was_seen_are_complete(seed):
    """After a look, and until its owner or a trade touches it, the card is known."""
    seen: dict[tuple[Seat, Seat], Character] = {}
    number = 1
    for move in moves(Fix626(), seed):
        if move.after.state.round != number or move.after.over:
            seen, number = {}, move.after.state.round
            continue
        for event in move.events:
            match event:
                case Saw(to, seat, card):
                    seen[to, seat] = card
                case Played(seat, _, _, _):
                    seen = {k: card for k, card in seen.items() if k[1] != seat}
                case HandsTraded(seat, target):
                    seen = {k: card for k, card in seen.items() if k[1] not in (seat, target)}
                case _:
                    pass
        for (knower, holder), card in seen.items():
            if move.after.state.hands[holder]:
                assert move.after.view(knower).known[holder] is card


# Worlds


def test_worlds_differ_where_nothing_is_known():
    scene = deal(["Gantu Jumba", "David", "Nani"])
    assert len(may_hold(scene, 0, 1)) > 4


def test_worlds_keep_what_is_known():
    scene = deal(["Cobra Jumba", "David", "Nani"]).play(0, "Cobra", target=1)
    assert may_hold(scene, 0, 1) == {"david"}
    assert len(may_hold(scene, 2, 1)) > 2


def test_worlds_respect_a_missed_guess():
    scene = deal(["Councilwoman Jumba", "David", "Nani"], deck="Gantu Cobra Councilwoman")
    scene = scene.play(0, "Councilwoman", target=1, guess=1)
    assert "councilwoman" not in may_hold(scene, 2, 1)
    # Whether Bob played the drawn card is open, so that he may hold one now.
    assert "councilwoman" in may_hold(scene.play(1, "Gantu"), 2, 1)


def test_worlds_see_who_must_have_played_the_drawn_card():
    """Bob held no 1, yet plays one at once: he drew it and still holds what he held."""
    scene = deal(["Councilwoman Jumba", "David", "Nani"], deck="Councilwoman Cobra Councilwoman")
    scene = scene.play(0, "Councilwoman", target=1, guess=1)
    scene = scene.play(1, "Councilwoman", target=2, guess=0)
    assert "councilwoman" not in may_hold(scene, 0, 1)


@pytest.mark.parametrize("seat", [None, 1, 2])
def test_worlds_know_whom_cobra_spared(seat):
    scene = deal(["Cobra Jumba", "David", "Leroy"]).play(0, "Cobra", target=1)
    if seat != 1:
        assert not may_hold(scene, seat, 1) & {"nani", "lilo"}


def test_worlds_know_who_won_a_sparky():
    scene = deal(["Sparky Lilo", "Leroy", "Nani", "Jumba"]).play(0, "Sparky", target=1)
    assert may_hold(scene, None, 0) <= {"david", "pleakley", "nani", "lilo"}
    assert may_hold(scene, 1, 0) == {"lilo"}


def test_worlds_know_a_tie():
    scene = deal(["Sparky Angel", "Leroy", "Nani", "Lilo"]).play(0, "Sparky", target=1)
    for world in worlds(scene, 2):
        assert world.hands[0][0].number == world.hands[1][0].number


def test_worlds_follow_a_trade():
    scene = deal(["Pleakley Jumba", "Nani", "Lilo"], stitch=(1, "G"), deck="Gantu Cobra Leroy")
    scene = scene.play(0, "Pleakley", target=2)
    assert may_hold(scene, 2, 0) == {"lilo"}
    assert may_hold(scene, 0, 2) == {"jumba"}


def test_others_remember_what_they_saw_in_every_world():
    """Ann looked at Bob's hand: in Cem's worlds she knows whatever Bob holds there."""
    scene = deal(["Cobra Jumba", "David", "Nani"]).play(0, "Cobra", target=1)
    for world in worlds(scene, 2):
        assert GAME.view(world, Seat(0)).known[1] is world.hands[1][0]


@given(seed=seeds)
def test_public_news_holds_in_every_world(seed):
    """The last public event is true of the invented hands as well."""
    for number, move in enumerate(moves(Fix626(), seed)):
        if move.after.over or not move.after.state.history:
            continue
        for watcher in (None, *move.after.all_seats()):
            world = move.after.game.resample(move.after.state, watcher, Chance(seed, 5000 + number))
            last = world.history[-1]
            if isinstance(last, GuessMissed) and last.target != world.turn:
                assert world.hands[last.target][0].number != last.guess
            if isinstance(last, Looked) and last.target != world.turn:
                assert world.hands[last.target][0] not in (Character.NANI, Character.LILO)
