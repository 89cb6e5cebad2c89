"""Every ruling and every case of the table of rulings, by its id."""

from __future__ import annotations

import pytest

from engine.chance import Chance
from engine.core import PrivateEvent, Seat
from engine.errors import GameError
from engine.fix626 import errors
from engine.fix626.cards import GUESSES, Character, full_deck
from engine.fix626.model import (
    Compared,
    Drew,
    Ending,
    GuessMissed,
    KnockedOut,
    Play,
    RoundStarted,
    Saw,
    Side,
    Swapped,
)
from engine.match import start
from tests.engine.fix626.scenarios import GAME, deal

RULINGS = {f"A{number:02}" for number in range(1, 47)}
UNUSED = {22, 26, 34, 44, 51, 52}
CASES = {f"F{number:02}" for number in range(1, 57) if number not in UNUSED}
CITED: set[str] = set()


def cites(*ids):
    """The test that follows stands for these rulings and cases."""
    CITED.update(ids)
    return lambda test: test


def opened(seats, **options):
    match, events = start(GAME, seats, b"seed", options)
    return match.state, events


# Setup


@cites("F01")
@pytest.mark.parametrize(("seats", "deck"), [(2, 12), (3, 11), (4, 12), (5, 11)])
def test_deal(seats, deck):
    state, events = opened(seats, first=1)
    assert len(state.deck) + 1 == deck  # The first player has drawn.
    assert (state.stitch, state.side, state.turn) == (0, Side.GOOD, 1)
    assert [len(hand) for hand in state.hands] == [2 if s == 1 else 1 for s in range(seats)]
    assert events[0] == RoundStarted(1, Seat(0), Seat(1))
    assert [e.to for e in events if isinstance(e, PrivateEvent)] == [*range(seats), 1]


@cites("F02")
@pytest.mark.parametrize(("seats", "sparkys"), [(2, 0), (3, 0), (4, 2), (5, 2)])
def test_sparky_needs_four(seats, sparkys):
    state, _ = opened(seats)
    everything = [*state.deck, state.aside, *(card for hand in state.hands for card in hand)]
    assert sorted(everything) == sorted(full_deck(seats))
    assert everything.count(Character.SPARKY) == sparkys
    assert len(everything) == (17 if sparkys else 15)


@cites("A01")
def test_left_is_the_next_seat_clockwise():
    scene = deal(["Gantu Lilo", "Nani", "David", "Jumba"], stitch=(3, "G")).play(0, "Gantu")
    assert scene.stitch == "S@P0/G"
    assert scene.turn == 1


@cites("A02")
def test_a_random_seat_gets_stitch_first():
    firsts = set()
    for number in range(60):
        step = GAME.setup(4, {"first": -1}, Chance(bytes([number]), 0))
        assert step.state.stitch == (step.state.turn - 1) % 4
        firsts.add(step.state.turn)
    assert firsts == {0, 1, 2, 3}


def test_a_first_seat_that_does_not_exist_is_random():
    assert opened(2, first=4)[0].turn in (0, 1)


# 0. Gantu


@cites("F03", "A03")
def test_gantu_counts_from_the_holder():
    scene = deal(["Jumba", "Gantu Lilo", "Nani", "David"], stitch=(1, "G"), turn=1)
    scene = scene.play(1, "Gantu")
    assert scene.stitch == "S@P2/G"
    assert scene.turn == 2
    far = deal(["Gantu Lilo", "Nani", "David", "Jumba"], stitch=(2, "G")).play(0, "Gantu")
    assert far.stitch == "S@P3/G"


@cites("F04", "A04")
def test_gantu_skips_who_is_out():
    scene = deal(["Gantu Lilo", "Nani", "", "David"], stitch=(1, "X")).play(0, "Gantu")
    assert scene.stitch == "S@P3/X"


@cites("F05")
def test_gantu_from_oneself():
    scene = deal(["Gantu Lilo", "Nani", "David"], stitch=(0, "G")).play(0, "Gantu")
    assert scene.stitch == "S@P1/G"


@cites("F06", "A05")
def test_gantu_passes_to_the_protected():
    scene = deal(["Gantu Lilo", "Nani", "Jumba"], stitch=(0, "G"), protected=1)
    assert scene.play(0, "Gantu").stitch == "S@P1/G"


@cites("F07", "A06")
def test_gantu_between_two():
    assert deal(["Gantu Lilo", "Nani"], stitch=(1, "X")).play(0, "Gantu").stitch == "S@P0/X"


# 1. Grand Councilwoman


@cites("F08", "A38", "A39")
def test_knocked_out_lilo_has_no_effect_and_stitch_goes_to_the_knocker():
    scene = deal(["Councilwoman Gantu", "Lilo", "Nani"], stitch=(1, "X"))
    scene = scene.play(0, "Councilwoman", target=1, guess=8)
    assert scene.out == [1]
    assert scene.pile(1).endswith("lilo")
    assert scene.stitch == "S@P0/X"
    assert scene.turn == 2


@cites("F09", "F10", "F11", "F12", "A08")
@pytest.mark.parametrize(
    ("card", "guess"),
    [
        ("Councilwoman", 1),
        ("Angel", 5),
        ("Leroy", 5),
        ("David", 6),
        ("Pleakley", 6),
        ("Gantu", 0),
    ],
)
def test_guess_hits(card, guess):
    scene = deal(["Councilwoman Jumba", card, "Nani"]).play(
        0, "Councilwoman", target=1, guess=guess
    )
    assert scene.out == [1]


@cites("F13", "A10")
def test_wrong_guess_reveals_nothing():
    scene = deal(["Councilwoman Jumba", "Gantu", "Nani"])
    scene = scene.play(0, "Councilwoman", target=1, guess=7)
    assert scene.out == []
    assert scene.events[1:-1] == (GuessMissed(Seat(0), Seat(1), 7),)
    assert isinstance(scene.events[-1], Drew)
    assert [scene.told(seat) for seat in range(3)] == [[], [], []]


@cites("F14", "A07")
def test_guesses_are_zero_to_eight():
    scene = deal(["Councilwoman Jumba", "Gantu", "Nani"])
    guesses = [p.guess for p in scene.legal(0, "Councilwoman") if p.target == 1]
    assert guesses == list(GUESSES) == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    for guess in (9, -1):
        with pytest.raises(errors.GuessOutOfRange):
            scene.play(0, "Councilwoman", target=1, guess=guess)


@cites("A09")
@pytest.mark.parametrize("side", ["G", "X"])
def test_stitch_does_not_change_a_guessed_number(side):
    scene = deal(["Councilwoman Jumba", "Cobra", "Nani"], stitch=(1, side))
    for guess in (0, 4):
        assert scene.play(0, "Councilwoman", target=1, guess=guess).out == []
    assert scene.play(0, "Councilwoman", target=1, guess=2).out == [1]


# 2. Cobra Bubbles


@cites("F15", "A11")
def test_cobra_takes_lilo_out():
    scene = deal(["Cobra Jumba", "Lilo", "Nani"], stitch=(1, "G")).play(0, "Cobra", target=1)
    assert scene.out == [1]
    assert scene.stitch == "S@P0/G"


@cites("F16")
def test_cobra_takes_nani_out():
    assert deal(["Cobra Jumba", "Nani", "Lilo"]).play(0, "Cobra", target=1).out == [1]


@cites("F17", "A12")
def test_cobra_tells_its_player_alone():
    scene = deal(["Cobra Jumba", "Pleakley", "Nani"]).play(0, "Cobra", target=1)
    assert scene.out == []
    assert scene.told(0) == [Saw(Seat(0), Seat(1), Character.PLEAKLEY)]
    assert scene.told(1) == scene.told(2) == []
    assert scene.news == ["played", "looked"]


# 3. Sparky


@cites("F18", "A14")
def test_sparky_lower_number_is_out():
    scene = deal(["Sparky Leroy", "Jumba", "Nani", "Lilo"]).play(0, "Sparky", target=1)
    assert scene.out == [1]
    other = deal(["Sparky Sparky", "Cobra", "Nani", "Lilo"]).play(0, "Sparky", target=1)
    assert other.out == [1], "the other Sparky counts 3"


@cites("F19", "A16")
def test_sparky_lost_by_the_one_with_stitch():
    scene = deal(["Sparky Jumba", "Leroy", "Nani", "Lilo"], stitch=(0, "G"))
    scene = scene.play(0, "Sparky", target=1)
    assert scene.out == [0]
    assert scene.stitch == "S@P1/G"
    assert scene.turn == 1
    assert KnockedOut(Seat(0), Seat(1), Character.JUMBA) in scene.events


@cites("F20", "A15")
@pytest.mark.parametrize("side", ["G", "X"])
def test_sparky_tie(side):
    scene = deal(["Sparky Angel", "Leroy", "Nani", "Lilo"], stitch=(1, side))
    scene = scene.play(0, "Sparky", target=1)
    assert scene.out == []
    assert scene.stitch == f"S@P1/{side}"
    assert Compared(Seat(0), Seat(1), None) in scene.events
    assert scene.told(0) == [Saw(Seat(0), Seat(1), Character.LEROY)]
    assert scene.told(1) == [Saw(Seat(1), Seat(0), Character.ANGEL)]
    assert scene.told(2) == scene.told(3) == []


@cites("F21", "A13")
def test_sparky_compares_printed_numbers():
    scene = deal(["Sparky Jumba", "Leroy", "Nani", "Lilo"], stitch=(0, "G"))
    assert scene.play(0, "Sparky", target=1).out == [0]


# 4. Jumba


@cites("F23", "A17")
def test_jumba_flips():
    scene = deal(["Jumba Cobra", "Nani", "Lilo"], stitch=(2, "G"), protected=2)
    assert scene.play(0, "Jumba").stitch == "S@P2/X"
    assert scene.legal(0, "Jumba") == [Play(Character.JUMBA)]
    back = deal(["Jumba Cobra", "Nani", "Lilo"], stitch=(2, "X")).play(0, "Jumba")
    assert back.stitch == "S@P2/G"


# 5. Angel


@cites("F24", "A18", "A21")
def test_angel_takes_good_stitch_and_plays_again():
    scene = deal(["Angel Cobra", "Nani", "Lilo"], stitch=(2, "G"), deck="Jumba Gantu")
    scene = scene.play(0, "Angel")
    assert scene.stitch == "S@P0/G"
    assert scene.turn == 0
    assert scene.hand(0) == "cobra jumba"
    assert "extra-turn" in scene.news
    assert scene.play(0, "Jumba").turn == 1


@cites("F25")
def test_angel_takes_626():
    scene = deal(["Angel Cobra", "Nani", "Lilo"], stitch=(2, "X")).play(0, "Angel")
    assert scene.stitch == "S@P0/X"
    assert scene.turn == 1


@cites("F27", "A19")
def test_angel_with_stitch_at_home():
    scene = deal(["Angel Cobra", "Nani", "Lilo"], stitch=(0, "G")).play(0, "Angel")
    assert scene.turn == 0
    assert "stitch-moved" not in scene.news


@cites("A20")
def test_angel_as_the_last_card():
    scene = deal(["Angel Cobra", "Nani", "Jumba"], stitch=(2, "G"), deck="").play(0, "Angel")
    assert "extra-turn" not in scene.news
    assert scene.ended is not None
    assert scene.ended.reason is Ending.DECK
    assert scene.ended.sums == (4, 7, 4)


@cites("F28", "A22")
def test_angel_leaves_the_david_of_others():
    scene = deal(["Angel Cobra", "Nani", "Lilo"], stitch=(2, "G"), protected=1).play(0, "Angel")
    assert scene.turn == 0
    assert scene.state.protected == 1
    assert scene.targets(0, "Cobra") == {2}


@cites("A23")
def test_david_in_the_extra_turn_protects():
    scene = deal(["Angel Cobra", "Nani", "Lilo"], stitch=(2, "G"), deck="David Jumba Gantu")
    scene = scene.play(0, "Angel").play(0, "David")
    assert scene.state.protected == 0
    assert scene.turn == 1


# 5. Leroy


@cites("F29", "A26")
def test_leroy_takes_another_626_out():
    scene = deal(["Leroy Cobra", "Nani", "Lilo"], stitch=(2, "X")).play(0, "Leroy")
    assert scene.out == [2]
    assert scene.stitch == "S@P0/X"


@cites("F30", "A27")
def test_leroy_takes_oneself_out():
    scene = deal(["Leroy Gantu", "Nani", "Lilo"], stitch=(0, "X")).play(0, "Leroy")
    assert scene.out == [0]
    assert scene.pile(0).endswith("leroy gantu")
    assert scene.stitch == "S@P1/X"
    assert scene.turn == 1
    assert KnockedOut(Seat(0), Seat(0), Character.GANTU) in scene.events


@cites("F31", "A28")
def test_leroy_against_oneself_before_the_last_opponent():
    scene = deal(["Leroy Gantu", "", "Lilo"], stitch=(0, "X"), deck="Jumba").play(0, "Leroy")
    assert scene.ended is not None
    assert scene.ended.reason is Ending.LAST
    assert scene.ended.winners == (2,)
    assert scene.ended.stitch == 2


@cites("F32", "A24", "A25")
def test_leroy_with_good_stitch():
    scene = deal(["Leroy Gantu", "Nani", "Lilo"], stitch=(1, "G")).play(0, "Leroy")
    assert scene.out == []
    assert scene.stitch == "S@P0/G"


@cites("F33", "A29")
def test_leroy_does_not_mind_david():
    scene = deal(["Leroy Gantu", "Nani", "Lilo"], stitch=(1, "X"), protected=1).play(0, "Leroy")
    assert scene.out == [1]
    assert scene.state.protected is None


# 6. David


@cites("F35")
def test_the_protected_cannot_be_chosen():
    scene = deal(["Councilwoman Cobra", "Nani", "Lilo"], protected=1)
    assert scene.targets(0, "Councilwoman") == scene.targets(0, "Cobra") == {2}
    with pytest.raises(errors.TargetProtected):
        scene.play(0, "Cobra", target=1)


@cites("F36", "A30")
def test_protection_ends_when_the_own_turn_starts():
    scene = deal(["David Jumba", "Lilo"], deck="Cobra Gantu Leroy").play(0, "David")
    assert scene.state.protected == 0
    scene = scene.play(1, "Cobra")
    assert "no-effect" in scene.news
    assert scene.turn == 0
    assert scene.state.protected is None
    assert scene.news[-1] == "protection-ended"


@cites("F37", "A33")
def test_no_target_no_effect():
    scene = deal(["Councilwoman Jumba", "", "Nani"], protected=2, stitch=(2, "G"))
    assert scene.legal(0, "Councilwoman") == [Play(Character.COUNCILWOMAN)]
    scene = scene.play(0, "Councilwoman")
    assert scene.news == ["played", "no-effect", "protection-ended"]
    assert scene.pile(0).endswith("councilwoman")


@pytest.mark.parametrize("card", ["Councilwoman", "Cobra", "Sparky", "Pleakley", "Nani"])
def test_every_targeted_card_fizzles_alike(card):
    scene = deal([f"{card} Jumba", "", "Leroy", ""], protected=2, stitch=(2, "G")).play(0, card)
    assert scene.stitch == "S@P2/G"
    assert scene.hand(0) == "jumba"
    assert scene.turn == 2


@cites("F38", "A34")
def test_a_possible_target_must_be_chosen():
    scene = deal(["Nani Jumba", "Cobra", "Lilo"], protected=1)
    assert scene.legal(0, "Nani") == [Play(Character.NANI, Seat(2))]
    with pytest.raises(errors.TargetMissing):
        scene.play(0, "Nani")


@cites("A31")
def test_protection_cannot_be_waived():
    scene = deal(["Nani Jumba", "Cobra", "Lilo"], protected=1, stitch=(0, "G"))
    with pytest.raises(errors.TargetProtected):
        scene.play(0, "Nani", target=1)


@cites("A32")
def test_nani_takes_stitch_from_the_protected():
    scene = deal(["Nani Jumba", "Cobra", "Lilo"], protected=1, stitch=(1, "G"))
    assert scene.play(0, "Nani", target=2).stitch == "S@P2/G"


# 6. Pleakley


@cites("F39")
def test_pleakley_trades_hands():
    scene = deal(["Pleakley Jumba", "Nani", "Lilo"], stitch=(1, "G")).play(0, "Pleakley", target=2)
    assert (scene.hand(0), scene.hand(2)) == ("lilo", "jumba")
    assert scene.told(0) == [Swapped(Seat(0), Seat(2), Character.JUMBA, Character.LILO)]
    assert scene.told(2) == [Swapped(Seat(2), Seat(0), Character.LILO, Character.JUMBA)]
    assert scene.known(0) == {2: "jumba"}
    assert scene.known(2) == {0: "lilo"}
    assert scene.known(1) == {}


@cites("F40", "A35", "A37")
def test_pleakley_stitch_instead_of_the_hand():
    asked = deal(["Pleakley Jumba", "Nani", "Lilo"], stitch=(2, "X")).play(0, "Pleakley", target=2)
    assert asked.match.pending() == {2}
    assert asked.match.epoch == 1
    assert GAME.fallback(asked.state, Seat(2)) == GAME.legal(asked.state, Seat(2))[0]
    assert asked.told(0) == asked.told(2) == [], "nothing moves before the answer"
    scene = asked.answer(2, give=True)
    assert (scene.hand(0), scene.hand(2)) == ("jumba", "lilo")
    assert scene.stitch == "S@P0/X"
    assert scene.told(0) == scene.told(2) == []
    assert scene.turn == 1


@cites("F41")
def test_pleakley_offer_declined():
    asked = deal(["Pleakley Jumba", "Nani", "Lilo"], stitch=(2, "X")).play(0, "Pleakley", target=2)
    scene = asked.answer(2, give=False)
    assert (scene.hand(0), scene.hand(2)) == ("lilo", "jumba")
    assert scene.stitch == "S@P2/X"


@cites("F42", "A36")
def test_pleakley_by_the_one_with_stitch():
    scene = deal(["Pleakley Jumba", "Nani", "Lilo"], stitch=(0, "G")).play(0, "Pleakley", target=2)
    assert scene.hand(0) == "lilo"
    assert scene.stitch == "S@P0/G"
    assert "offer-made" not in scene.news


# 7. Nani and 8. Lilo


@cites("F43")
def test_nani_may_choose_who_has_stitch():
    scene = deal(["Nani Jumba", "Cobra", "Lilo"], stitch=(1, "X")).play(0, "Nani", target=1)
    assert scene.stitch == "S@P1/X"


@cites("F45")
def test_nani_not_oneself():
    with pytest.raises(errors.TargetSelf):
        deal(["Nani Jumba", "Cobra", "Lilo"]).play(0, "Nani", target=0)


@cites("F46", "F47")
@pytest.mark.parametrize("side", ["G", "X"])
def test_lilo_makes_him_good(side):
    scene = deal(["Lilo Jumba", "Cobra", "Nani"], stitch=(1, side)).play(0, "Lilo")
    assert scene.stitch == "S@P0/G"
    assert ("flipped" in scene.news) == (side == "X")


# End of a Round


@cites("F48", "F49", "F50", "F53", "A40")
@pytest.mark.parametrize(
    ("hands", "stitch", "sums", "winners"),
    [
        (["Pleakley Jumba", "Lilo"], (0, "G"), (8, 8), (0,)),
        (["Pleakley Gantu", "Lilo", "Leroy"], (1, "X"), (6, 6, 5), (0,)),
        (["Leroy Gantu", "Lilo", "Jumba"], (1, "X"), (5, 6, 4), (1,)),
        (["Councilwoman Jumba", "Gantu"], (1, "X"), (1, -2), (0,)),
        (["Pleakley Gantu", "David", "Lilo", "Jumba"], (2, "X"), (6, 6, 6, 4), (0, 1)),
        (["Pleakley Gantu", "David", "Jumba", "Leroy"], (2, "G"), (6, 6, 6, 5), (2,)),
    ],
)
def test_deck_out(hands, stitch, sums, winners):
    played = hands[0].split()[1]
    scene = deal(hands, stitch=stitch, deck="")
    if played == "Jumba":
        scene = deal(hands, stitch=(stitch[0], "GX"["XG".index(stitch[1])]), deck="")
        scene = scene.play(0, "Jumba")
    else:  # Gantu passes Stitch on, so that he starts one seat earlier.
        before = (stitch[0] - 1) % len(hands)
        scene = deal(hands, stitch=(before, stitch[1]), deck="").play(0, "Gantu")
    assert scene.ended is not None
    assert scene.ended.reason is Ending.DECK
    assert scene.ended.sums == sums
    assert scene.ended.winners == winners
    assert sum(scene.state.tokens) == len(winners)


@cites("A41")
def test_several_winners_leave_stitch_where_he_was():
    hands = ["Pleakley Gantu", "David", "Leroy", "Jumba"]
    scene = deal(hands, stitch=(1, "X"), deck="").play(0, "Gantu")
    assert scene.ended is not None
    assert scene.ended.winners == (0, 1)
    assert scene.stitch == "S@P2/G"
    assert scene.turn == 3
    assert scene.state.round == 2


@cites("A42")
def test_the_only_winner_gets_good_stitch():
    scene = deal(["Jumba Gantu", "Cobra", "Lilo"], stitch=(0, "X"), deck="").play(0, "Gantu")
    assert scene.ended is not None
    assert scene.ended.winners == (2,)
    assert scene.stitch == "S@P2/G"
    assert scene.turn == 0


@cites("F54", "A44")
def test_two_can_win_together():
    hands = ["Pleakley Gantu", "David", "Leroy", "Jumba"]
    scene = deal(hands, stitch=(1, "X"), deck="", tokens=[2, 2, 1, 0]).play(0, "Gantu")
    outcome = GAME.outcome(scene.state)
    assert outcome is not None
    assert outcome.winners == {0, 1}
    assert outcome.scores == {0: 3, 1: 3, 2: 1, 3: 0}
    assert outcome.reason == "fix626-tokens"
    assert scene.match.pending() == frozenset()
    assert GAME.carry(scene.state) == {"first": 3}


@cites("F55", "A43")
def test_the_last_player_wins_without_comparing():
    scene = deal(["Councilwoman Gantu", "Lilo"], deck="")
    scene = scene.play(0, "Councilwoman", target=1, guess=8)
    assert scene.ended is not None
    assert scene.ended.reason is Ending.LAST
    assert scene.ended.winners == (0,)
    assert scene.ended.sums == scene.ended.hands == (None, None)


@cites("F56")
def test_who_is_out_is_skipped():
    scene = deal(["Jumba Gantu", "", "Lilo"], stitch=(0, "G")).play(0, "Jumba")
    assert scene.turn == 2


@cites("A45")
def test_the_set_aside_card_is_shown_after_the_round():
    scene = deal(["Jumba Gantu", "Cobra", "Lilo"], deck="")
    aside = scene.state.aside
    assert not hasattr(scene.view(0), "aside")
    scene = scene.play(0, "Gantu")
    assert scene.ended is not None
    assert scene.ended.aside is aside
    assert scene.view(None).last == scene.ended


@cites("A46")
def test_what_was_learned_is_remembered():
    """test_knowledge.py has the rest."""
    scene = deal(["Cobra Jumba", "David", "Nani"], deck="Gantu Leroy").play(0, "Cobra", target=1)
    assert scene.known(0) == {1: "david"}
    assert scene.play(1, "Gantu").known(0) == {1: "david"}
    assert scene.play(1, "David").known(0) == {}


# Refusals


@pytest.mark.parametrize(
    ("move", "error", "params"),
    [
        ({"card": "Lilo"}, errors.CardNotInHand, {"card": "lilo"}),
        ({"card": "Jumba", "target": 1}, errors.TargetUnwanted, {"card": "jumba"}),
        ({"card": "Jumba", "guess": 1}, errors.GuessUnwanted, {"card": "jumba"}),
        ({"card": "Councilwoman"}, errors.TargetMissing, {"card": "councilwoman"}),
        ({"card": "Councilwoman", "target": 7}, errors.TargetUnknown, {"seat": 7}),
        ({"card": "Councilwoman", "target": -1}, errors.TargetUnknown, {"seat": -1}),
        ({"card": "Councilwoman", "target": 0}, errors.TargetSelf, {"card": "councilwoman"}),
        ({"card": "Councilwoman", "target": 2}, errors.TargetOut, {"seat": 2}),
        ({"card": "Councilwoman", "target": 3}, errors.TargetProtected, {"seat": 3}),
        (
            {"card": "Councilwoman", "target": 1},
            errors.GuessMissing,
            {"least": 0, "most": 8},
        ),
        (
            {"card": "Councilwoman", "target": 1, "guess": 9},
            errors.GuessOutOfRange,
            {"guess": 9, "least": 0, "most": 8},
        ),
    ],
)
def test_refusals(move, error, params):
    scene = deal(["Councilwoman Jumba", "Cobra", "", "Nani"], protected=3)
    with pytest.raises(error) as caught:
        scene.play(0, **move)
    assert caught.value.params == params


def test_refused_questions():
    turn = deal(["Pleakley Jumba", "Cobra", "Nani"], stitch=(1, "G"))
    with pytest.raises(errors.NotAsked):
        turn.answer(0, give=True)
    offer = turn.play(0, "Pleakley", target=1)
    with pytest.raises(errors.NotAsked):
        offer.play(1, "Cobra", target=0)
    with pytest.raises(GameError):
        offer.answer(0, give=True)


# The fallback


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (deal(["Lilo Jumba", "Nani", "Cobra"]), Play(Character.JUMBA)),
        (deal(["Leroy Lilo", "Nani", "Cobra"], stitch=(0, "X")), Play(Character.LILO)),
        (deal(["Leroy Lilo", "Nani", "Cobra"], stitch=(1, "X")), Play(Character.LEROY)),
        (
            deal(["Sparky Jumba", "Nani", "Cobra", "Lilo"], stitch=(1, "X")),
            Play(Character.JUMBA),
        ),
        (
            deal(["Nani Lilo", "Gantu", "Cobra"], stitch=(2, "G")),
            Play(Character.NANI, Seat(2)),
        ),
        (
            deal(["Councilwoman Lilo", "Gantu", "Cobra"]),
            Play(Character.COUNCILWOMAN, Seat(1), 8),
        ),
    ],
)
def test_fallback(scene, expected):
    assert GAME.fallback(scene.state, Seat(0)) == expected


# All of them


def test_every_ruling_and_case_is_tested():
    assert CITED == RULINGS | CASES
