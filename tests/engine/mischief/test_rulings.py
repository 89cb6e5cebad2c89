"""Every ruling B01-B21 and every case M1-M18 as a test; the id stands in the test's name."""

from __future__ import annotations

import re

import pytest

from engine.core import PrivateEvent
from engine.errors import BadDeck, GameError
from engine.mischief.deck import read_deck
from engine.mischief.errors import (
    CardsNotInHand,
    NoCards,
    SameCardTwice,
    TooManyCards,
    TwoColours,
)
from engine.mischief.model import Play
from tests.engine.mischief.scenarios import deal, spell

RULINGS = [f"b{n:02}" for n in range(1, 22)]
CASES = [f"m{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 17, 18)]


@pytest.mark.parametrize("cited", [*RULINGS, *CASES])
def test_every_ruling_has_a_test(cited):
    names = [name for name in globals() if name.startswith("test_")]
    assert any(cited in re.split("_", name) for name in names)


# --- step 1: Play Cards


def test_b01_one_to_three_cards_of_one_colour():
    t = deal("rH rU rC rS yP gH", "rH")
    plays = {t.words(play.cards) for play in t.game.legal(t.state, 0)}
    red = {"rH", "rU", "rC", "rS"} | {"rH rU", "rH rC", "rH rS", "rU rC", "rU rS", "rC rS"}
    red |= {"rH rU rC", "rH rU rS", "rH rC rS", "rU rC rS"}
    assert plays == red | {"yP", "gH"}


def refused(scene, seat, cards) -> GameError:
    before = scene.state
    with pytest.raises(GameError) as caught:
        scene.submit(seat, Play(cards))
    assert scene.state == before
    return caught.value


def test_m5_two_colours_are_illegal():
    error = refused(deal("rH yU", "gS"), 0, (1, 2))
    assert isinstance(error, TwoColours)
    assert error.params == {"first": "red", "second": "yellow"}


def test_m6_four_cards_are_illegal():
    error = refused(deal("rH rU rC rS", "gS"), 0, (1, 2, 3, 4))
    assert isinstance(error, TooManyCards)
    assert error.params == {"cards": 4, "most": 3}


def test_m7_no_cards_are_illegal():
    assert isinstance(refused(deal("rH", "gS"), 0, ()), NoCards)


def test_a_card_that_is_not_in_the_hand_is_refused_by_its_number():
    error = refused(deal("rH", "gS"), 0, (2,))
    assert isinstance(error, CardsNotInHand)
    assert error.params == {"card": 2}


def test_a_card_counts_once():
    assert isinstance(refused(deal("rH rU", "gS"), 0, (1, 1)), SameCardTwice)


def test_cards_are_named_in_the_order_of_the_hand():
    assert refused(deal("rH rU", "gS"), 0, (2, 1)).code == "illegal-action"


def test_m8_a_hand_of_two_gives_at_most_two():
    t = deal("rH rU", "gS")
    assert max(len(play.cards) for play in t.game.legal(t.state, 0)) == 2


def test_b02_choices_are_secret_until_all_are_in():
    t = deal("rH yU", "gS rC", deck="yH yH", rolls="PP")
    before = {reader: t.view(reader) for reader in (1, None)}
    t.play(0, "yU")
    assert t.asked == {1}
    assert [event.kind for event in t.events] == ["locked", "chosen"]
    assert not t.told("chosen")
    assert t.told("chosen", to=0)[0].cards == t.view(0).locked
    for reader, view in before.items():
        after = t.view(reader)
        assert [place.locked for place in after.places] == [True, False]
        assert after.hand == view.hand
        assert after.unseen == view.unseen
        assert after.locked == ()
    t.play(1, "gS")
    assert [laid.cards[0].colour for laid in t.told("revealed")[0].plays] == ["yellow", "green"]


def test_b02_a_choice_may_change_while_another_is_outstanding_and_nobody_sees_it():
    t = deal("rH yU", "gS", rolls="PP")
    t.play(0, "yU")
    watched = t.view(None), t.view(1)
    t.play(0, "rH")
    assert all(isinstance(event, PrivateEvent) and event.to == 0 for event in t.events)
    assert (t.view(None), t.view(1)) == watched
    assert [spell(c) for c in t.view(0).locked] == ["rH"]
    t.play(1, "gS")
    assert t.stack(0) == "rH"


def test_b03_a_card_has_as_many_presents_as_icons():
    t = deal("rHU rC yP", "gS gS", rolls="RR").all_play("rHU rC", "gS")
    assert [saved.presents for saved in t.told("saved")] == [3, 1]


def test_b04_no_card_has_the_same_present_twice():
    with pytest.raises(BadDeck) as caught:
        read_deck("1,red,hibiscus+hibiscus,none", "mine.csv")
    assert caught.value.params["problem"] == "deck-presents-twice"


# --- step 2: Flip Cards Face Up


@pytest.mark.parametrize(
    ("plays", "nice", "naughty", "rolls"),
    [
        (("rH", "gS"), 0, 0, 2),
        (("rH+", "gS"), 1, 0, 1),
        (("rH-", "gS"), 0, 1, 3),
        (("rH+", "gS-"), 1, 1, 2),
        (("rH+ rU+", "gS-"), 2, 1, 1),
        (("rH- rU-", "gS+"), 1, 2, 3),
        (("rH+ rU+", "gS- gU-"), 2, 2, 2),
        (("rHU+ rC rC", "gS- gU- gU"), 1, 2, 3),
    ],
)
def test_b05_m4_symbols_of_all_seats_decide_the_rolls(plays, nice, naughty, rolls):
    t = deal(*(f"{cards} yP" for cards in plays), rolls="RRR").all_play(*plays)
    (revealed,) = t.told("revealed")
    assert (revealed.nice, revealed.naughty, revealed.rolls) == (nice, naughty, rolls)
    assert len(t.told("rolled")) == rolls


def test_b06_the_rolls_stay_as_they_were_at_the_flip():
    t = deal("rH- yP", "gS yP", deck="rR", rolls="HRR").all_play("rH-", "gS")
    assert t.discard == "rH-"
    assert len(t.told("rolled")) == 3


# --- step 3: Roll the Present Die


def test_b07_seats_take_turns_rolling_across_rounds():
    t = deal("rH yH yP", "rH yH yP", "rH yH yP", rolls="RRRR")
    t.all_play("rH", "rH", "rH")
    assert [roll.roller for roll in t.told("rolled")] == [0, 1]
    assert t.view(None).roller == 2
    t.all_play("yH", "yH", "yH")
    assert [roll.roller for roll in t.told("rolled")] == [2, 0]


def test_b08_one_match_discards_all_that_was_played():
    t = deal("rH rU rC yP", "gS yP", deck="yR yS yU", rolls="UR").all_play("rH rU rC", "gS")
    assert t.discard == "rH rU rC"
    assert t.hand(0) == "yP yR yS yU"
    assert t.stack(1) == "gS"


def test_b08_the_match_is_checked_after_each_roll():
    t = deal("rH yP", "gS yP", deck="yR yR", rolls="HS").all_play("rH", "gS")
    story = [e.kind for e in t.events if e.kind not in ("locked", "chosen", "drew")]
    assert story == ["revealed", "rolled", "discarded", "rolled", "discarded"]
    assert [roll.hit for roll in t.told("rolled")] == [(0,), (1,)]


def test_b09_who_has_nothing_face_up_is_unaffected():
    t = deal("rH yP", "gS yP", deck="yR yU", rolls="HH").all_play("rH", "gS")
    assert [roll.hit for roll in t.told("rolled")] == [(0,), ()]
    assert t.discard == "rH"
    assert t.deck == "yU"


def test_b10_drawn_cards_are_not_played_this_round():
    t = deal("rH yP", "gS yP", deck="rU", rolls="HU").all_play("rH", "gS")
    assert t.hand(0) == "yP rU"
    assert [spell(c) for c in t.view(0).drew] == ["rU"]
    assert t.told("drew", to=0)[0].cards == t.view(0).drew
    assert not t.told("drew", to=1)
    assert t.view(1).drew == ()


def test_b11_all_discard_then_all_draw_clockwise_from_the_roller():
    t = deal("rH yP", "rH yP", "rH rH yP", deck="gR gU gC gS", rolls="HR", roller=2)
    t.all_play("rH", "rH", "rH rH")
    assert t.told("rolled")[0].hit == (2, 0, 1)
    assert t.hand(2) == "yP gR gU"
    assert t.hand(0) == "yP gC"
    assert t.hand(1) == "yP gS"


def test_b11_b12_a_new_deck_has_the_cards_of_all_who_were_hit():
    t = deal("rH yP", "gH yP", discard="yR", rolls="HR").all_play("rH", "gH")
    assert t.told("reshuffled")[0].cards == 3
    assert t.hand(0) == "yP yR"
    assert t.hand(1) == "yP rH"
    assert t.deck == "gH"
    assert t.discard == ""


def test_b12_an_empty_deck_is_made_anew_in_the_middle_of_a_draw():
    t = deal("rH rH rH yP", "gS yP", deck="yR", discard="yU", rolls="HR")
    t.all_play("rH rH rH", "gS")
    assert t.hand(0) == "yP yR yU rH"
    assert t.deck == "rH rH"
    assert t.discard == ""


def test_b13_with_no_card_anywhere_nothing_is_drawn():
    t = deal("rH", "gS gS", rolls="RR").all_play("rH", "gS")
    assert t.told("went-out")
    assert not t.told("bonus-taken")
    assert t.asked == {1}


def test_b14_no_roll_when_nothing_lies_face_up():
    t = deal("rH- yP", "gH yP", deck="yR yR", rolls="H").all_play("rH-", "gH")
    assert t.told("revealed")[0].rolls == 3
    assert len(t.told("rolled")) == 1


# --- step 4: Discard or Save Cards


def test_m1_other_icons_save_the_card():
    t = deal("rH yP", "gS yP", deck="yR", rolls="RU").all_play("rH", "gS")
    assert (t.stack(0), t.hand(0), t.deck) == ("rH", "yP", "yR")


def test_m2_one_match_takes_both_cards_and_later_rolls_do_nothing():
    t = deal("rHU rUC yP", "gS yP", deck="yR yH", rolls="CU").all_play("rHU rUC", "gS")
    assert t.discard == "rHU rUC"
    assert t.hand(0) == "yP yR yH"
    assert t.told("rolled")[1].hit == ()


def test_m3_the_second_of_three_rolls_hits():
    t = deal("rHU- rUC yP", "gS yP", deck="yR yH", rolls="RCU").all_play("rHU- rUC", "gS")
    assert [roll.hit for roll in t.told("rolled")] == [(), (0,), ()]
    assert t.discard == "rHU- rUC"


def test_b16_the_next_round_begins_at_step_1():
    t = deal("rH yP", "gS yP", rolls="RR").all_play("rH", "gS")
    assert t.asked == {0, 1}
    assert t.view(None).round == 2
    assert t.state.locked == ((), ())


# --- End of the Game


def test_b15_m10_who_goes_out_takes_a_card_that_nobody_sees():
    t = deal("rH", "gS gU", "gS gU", deck="yC yC yR", rolls="RR").all_play("rH", "gS", "gS")
    assert t.told("went-out")[0].seat == 0
    assert t.told("bonus-taken")[0].seat == 0
    assert t.bonus(0) == "yC"
    for reader in (0, 1, 2, None):
        view = t.view(reader)
        assert (view.places[0].stack, view.places[0].bonus) == (2, True)
        assert [spell(c) for c in view.unseen].count("yC") == 2
        assert [spell(c) for c in view.stack].count("yC") == 0
    assert t.told("final-round")[0].seats == (1, 2)
    assert t.asked == {1, 2}
    t.chance.faces = list("RU")
    t.all_play("", "gU", "gU")
    assert t.scores == [2, 1, 1]


def test_m11_all_who_go_out_together_take_a_card():
    t = deal("rH", "gS", "gS gU", deck="yC yHR", rolls="RR").all_play("rH", "gS", "gS")
    assert (t.bonus(0), t.bonus(1), t.bonus(2)) == ("yC", "yHR", "")
    assert t.asked == {2}


def test_b17_m12_no_final_round_when_all_go_out_together():
    t = deal("rH", "gS", deck="yC yHR", rolls="RR").all_play("rH", "gS")
    assert not t.told("final-round")
    assert t.scores == [2, 3]
    assert t.winners == {1}


def test_b17_only_seats_with_cards_play_the_final_round_and_it_happens_once():
    t = deal("rH", "gS gU", "gS gU", deck="yCH", rolls="RRRR").all_play("rH", "gS", "gS")
    assert t.view(None).final
    assert [place.playing for place in t.view(None).places] == [False, True, True]
    t.all_play("", "gU", "gU")
    assert t.told("revealed")[0].final
    assert t.game.outcome(t.state) is not None
    assert t.asked == set()


def test_b17_cards_lost_in_the_final_round_are_replaced_and_worth_nothing():
    t = deal("", "gS gU", stacks=("rH", ""), deck="yC", final=True, rolls="UR").all_play("", "gU")
    assert t.hand(1) == "gS yC"
    assert t.scores == [1, 0]


def test_m17_only_symbols_of_seats_that_play_count_in_the_final_round():
    t = deal("rH+", "gS gU-", "gS gU", deck="yCH+", rolls="RRRR").all_play("rH+", "gS", "gS")
    assert t.told("revealed")[0].nice == 1
    t.all_play("", "gU-", "gU")
    (revealed,) = t.told("revealed")
    assert (revealed.nice, revealed.naughty, revealed.rolls) == (0, 1, 3)


def test_b18_m13_going_out_in_the_final_round_brings_no_card():
    t = deal("", "gU", stacks=("rHS", ""), deck="yC", final=True, rolls="RR").all_play("", "gU")
    assert t.told("went-out")[0].seat == 1
    assert not t.told("bonus-taken")
    assert t.bonus(1) == ""


def test_b18_the_option_gives_a_card_for_it():
    t = deal(
        "", "gU", stacks=("rH", ""), deck="yC", final=True, final_bonus=True, rolls="RR"
    ).all_play("", "gU")
    assert t.bonus(1) == "yC"
    assert t.scores == [1, 2]


def test_b19_cards_left_in_hand_are_worth_nothing():
    t = deal("", "gU gHU gHU", stacks=("rHU", ""), final=True, rolls="RR").all_play("", "gU")
    assert t.scores == [2, 1]
    assert t.winners == {0}


@pytest.mark.parametrize(
    ("stacks", "face", "winners", "matches", "reason"),
    [
        (("rPU yP", "rPU yH"), "P", {0}, [2, 1], "mischief-tie-roll"),
        (("rPU yP", "rPU yP"), "P", {0, 1}, [2, 2], "mischief-shared"),
        (("rPU yP", "rPU yH"), "S", {0, 1}, [0, 0], "mischief-shared"),
        (("rPU", "rPH", "rSH"), "P", {0, 1}, [1, 1, 0], "mischief-shared"),
        (("rPU", "rPH", "rSH"), "S", {2}, [0, 0, 1], "mischief-tie-roll"),
    ],
)
def test_b20_one_roll_breaks_a_tie(stacks, face, winners, matches, reason):
    hands = ["", *[""] * (len(stacks) - 1), "gU"]
    t = deal(*hands, stacks=(*stacks, ""), final=True, deck="gC", rolls=f"U{face}")
    t.play(len(stacks), "gU")
    (roll,) = t.told("tie-roll")
    assert [tied.matches for tied in roll.tied] == matches
    assert t.winners == winners
    assert t.game.outcome(t.state).reason == reason
    assert t.told("match-ended")[0].winners == tuple(sorted(winners))


def test_m14_ten_ten_eight():
    ten_a = "rPU yPU gPH rHU yHU"
    ten_b = "rPU yCU gCH rHU yHU"
    eight = "rPH yPC gPC rPS"
    t = deal("", "", "", "gU", stacks=(ten_a, ten_b, eight, ""), final=True, deck="gC", rolls="UP")
    t.play(3, "gU")
    assert [tied.seat for tied in t.told("tie-roll")[0].tied] == [0, 1]
    assert t.scores == [10, 10, 8, 0]
    assert t.winners == {0}


def test_b20_bonus_cards_count_in_the_tie_roll():
    t = deal("rH", "gS gS", stacks=("", "gU"), deck="rS", rolls="RRRRS")
    t.all_play("rH", "gS")
    t.all_play("", "gS")
    assert t.scores == [2, 3]
    t = deal("rH", "gS gU", deck="rU", rolls="RRRRU").all_play("rH", "gS").all_play("", "gU")
    assert t.scores == [2, 2]
    assert [tied.matches for tied in t.told("tie-roll")[0].tied] == [1, 1]


def test_without_a_tie_nobody_rolls_for_it():
    t = deal("", "gU", stacks=("rHU", ""), final=True, rolls="RR").all_play("", "gU")
    assert not t.told("tie-roll")
    assert t.game.outcome(t.state).reason == "mischief-most-presents"


def test_m18_cards_are_accounted_for_after_a_round():
    t = deal("rH rU yP", "gS gS gS", deck="yC yC", rolls="HR").all_play("rH rU", "gS")
    for seat in (0, 1):
        assert len(t.table.hands[seat]) + len(t.table.stacks[seat]) == 3


# --- what is seen


def test_b21_others_see_how_many_cards_a_stack_has_and_not_what_they_are():
    t = deal("rH yP", "gS yP", stacks=("rHU", "gSP gC"), rolls="RR")
    assert [place.stack for place in t.view(1).places] == [1, 2]
    assert [place.presents for place in t.view(None).places] == [None, None]
    assert [place.presents for place in t.view(1).places] == [None, 3]
    assert [spell(c) for c in t.view(1).stack] == ["gSP", "gC"]
    assert t.view(None).stack == ()


def test_b21_the_option_shows_running_totals_without_bonus_cards():
    t = deal("rH", "gS yP", stacks=("rHU", "gSP gC"), deck="yC", totals=True, rolls="RR")
    assert [place.presents for place in t.view(None).places] == [2, 3]
    t.all_play("rH", "gS")
    assert t.bonus(0) == "yC"
    assert [place.presents for place in t.view(0).places] == [3, 4]


def test_b21_everything_is_shown_at_the_end():
    t = deal("rH", "gS", deck="yC yHR", rolls="RR").all_play("rH", "gS")
    (ended,) = t.told("match-ended")
    assert [spell(stack.bonus) for stack in ended.stacks] == ["yC", "yHR"]
    assert [place.presents for place in t.view(None).places] == [2, 3]
    assert t.view(None).ending == ended


# --- when nobody decides


def test_the_fallback_risks_the_fewest_presents():
    t = deal("rHU yS gC", "gS")
    assert t.words(t.game.fallback(t.state, 0).cards) == "yS"
