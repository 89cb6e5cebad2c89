"""The tests of the tests: planted faults and leaks, each of which they must catch."""

from __future__ import annotations

import pytest

from engine.core import Step
from engine.errors import GameError
from engine.stitches import Stitches, beast, bench, fight, legal, turns
from engine.stitches.bench import Bench
from engine.stitches.model import EMPTY, Declare, Declared, Done, Robbed
from tests.contract import rules
from tests.engine.stitches import test_invariants, test_rulings

SEEDS = [bytes([i]) for i in range(3)]


# Wrong rules: what is replaced, by what, and the test that notices.


def keeps_the_slot(bench_, seat, slot):
    """The victim's slot does not become empty."""
    return bench_.bodies[seat][slot]


def rounds_down(bench_, seat, target):
    taken = bench_.coins[target] // 2
    bench_.pay(target, -taken)
    bench_.pay(seat, taken)
    bench_.say(Robbed(seat, target, taken))
    fight._learn_words(bench_, seat, target)


def loses_the_rest_of_the_pot(bench_, attacks):
    SHARE(bench_, attacks)
    bench_.pot = 0


def burns_the_replaced_part(bench_, part):
    del bench_, part


def recruits_everybody(bench_, seat):
    words = bench_.words
    bench_.words = tuple((*known, "Rock") for known in words)
    PROVOKE(bench_, seat)


def counts_no_torso(box, body, torso):
    del torso
    return POWER(box, body, 0)


def sees_the_hidden_head(bench_):
    bench_.revealed, revealed = True, bench_.revealed
    total = MIGHT(bench_)
    bench_.revealed = revealed
    return total


def always_finds_a_free_side(bench_, part):
    if EMPTY in bench_.sides:
        return ATTACH(bench_, part)
    bench_.toss(bench_.sides[1])
    bench_.sides = bench.changed(bench_.sides, 1, part)
    return 1


def wins_as_a_team(bench_, running):
    WIN(bench_, fight.Fight(running.initiator, running.team, running.team))


def strikes_back_at_the_first_slot(bench_, seat):
    taken = bench_.lose(seat, 0)
    bench_.say(fight.Countered(seat, bench_.part(taken)))
    return taken


def charges_every_retreat(bench_, running):
    free = fight.Fight(
        running.initiator,
        running.team,
        running.fighting,
        running.opened,
        False,
        running.trophies,
        running.captured,
    )
    RETREAT(bench_, free)


def never_fills(bench_):
    del bench_


def steps_once(bench_):
    ACT(bench_)
    return 1


def learns_it_twice(bench_, seat):
    word = bench_.word_deck[-1]
    bench_.word_deck = bench_.word_deck[:-1]
    bench_.words = bench.changed(bench_.words, seat, (*bench_.words[seat], word))


def retreats_at_once(menu, state, seat, running):
    found = MENU_FIGHT(menu, state, seat, running)
    return found if running.opened else (*found, menu._retreat)


SHARE, PROVOKE, POWER, MIGHT = turns._share, fight.provoke, fight.power, beast.might
ATTACH, WIN, RETREAT, ACT = beast.attach, fight._win, fight.retreat, beast.act
MENU_FIGHT = legal.Menu._fight

T = test_rulings
FAULTS = [
    (Bench, "lose", keeps_the_slot, T.test_a_torn_part_leaves_an_empty_slot),
    (fight, "rob", rounds_down, T.test_half_of_five_is_three_and_needs_no_symbols),
    (turns, "_share", loses_the_rest_of_the_pot, T.test_three_scavengers_share_a_pot_of_eight),
    (Bench, "toss", burns_the_replaced_part, T.test_mary_buys_two_parts),
    (fight, "provoke", recruits_everybody, T.test_who_shares_a_word_with_the_initiator_fights),
    (legal, "power", counts_no_torso, T.test_a_monster_torso_counts),
    (beast, "might", sees_the_hidden_head, T.test_before_its_first_fight_what_lies_open_counts),
    (beast, "attach", always_finds_a_free_side, T.test_without_an_empty_side_it_discards),
    (fight, "_counter", strikes_back_at_the_first_slot, T.test_equal_values_fall_clockwise),
    (fight, "retreat", charges_every_retreat, T.test_later_retreats_are_free),
    (fight, "_fill", never_fills, T.test_several_fights_in_a_round_each_with_its_own_filling),
    (beast, "act", steps_once, T.test_its_behind_you_skips_a_first_player),
    (Bench, "learn_word", learns_it_twice, T.test_a_known_word_is_discarded_and_another_drawn),
    (legal.Menu, "_fight", retreats_at_once, T.test_the_initiator_must_attack_before_retreating),
]  # fmt: skip


@pytest.mark.parametrize(
    ("owner", "name", "fault", "test"), FAULTS, ids=[fault.__name__ for _, _, fault, _ in FAULTS]
)
def test_the_rulings_notice(monkeypatch, owner, name, fault, test):
    test()
    monkeypatch.setattr(owner, name, fault)
    # A fault may also make the next move of the scene illegal, or a refusal fail to come.
    with pytest.raises((AssertionError, GameError, pytest.fail.Exception)):
        test()


def test_the_ruling_on_winners_notices(monkeypatch):
    monkeypatch.setattr(fight, "_win", wins_as_a_team)
    with pytest.raises(AssertionError):
        T.test_the_last_part_wins_at_once_for_those_who_have_not_retreated(False, (0, 1))


@pytest.mark.parametrize("fault", [loses_the_rest_of_the_pot, burns_the_replaced_part])
def test_the_invariants_notice(monkeypatch, fault):
    owner, name = {
        loses_the_rest_of_the_pot: (turns, "_share"),
        burns_the_replaced_part: (Bench, "toss"),
    }[fault]
    monkeypatch.setattr(owner, name, fault)
    with pytest.raises(AssertionError):
        test_invariants.conserves(SEEDS[0])


# Leaks, and what they do to secrecy, replay and the clicks of others.


class TellsTheTopOfTheDeck(Stitches):
    """The view's Market holds the next card."""

    def view(self, state, seat):
        return super().view(state._replace(market=(*state.market, *state.deck[-1:])), seat)


class TellsDeclarations(Stitches):
    """Everybody sees what is declared at once."""

    def view(self, state, seat):
        if state.stage == "declare":
            state = state._replace(stage="attack")
        return super().view(state, seat)


class TellsTheHiddenHead(Stitches):
    """The face-down head lies open."""

    def view(self, state, seat):
        return super().view(state._replace(revealed=True), seat)


class OffersByAnothersDeclaration(Stitches):
    """Whoever declares later may only do as the first one did."""

    def legal(self, state, seat):
        found = super().legal(state, seat)
        known = [attack for attack in state.declared if attack is not None]
        if state.stage == "declare" and found and known:
            return (Declare(known[0]),)
        return found


class NewsOfADeclaration(Stitches):
    """An event tells what was just declared."""

    def apply(self, state, seat, action, chance):
        step = super().apply(state, seat, action, chance)
        if isinstance(action, Declare):
            return Step(step.state, (*step.events, Declared((action.attack,))))
        return step


class CountsAttackers(Stitches):
    """The pot of the view gives away how many have declared Attack."""

    def view(self, state, seat):
        return super().view(state._replace(pot=state.pot + state.declared.count(True)), seat)


class TellsTheNextWord(Stitches):
    """The view's Word discards show the top of the Word deck."""

    def view(self, state, seat):
        hint = (*state.word_discard, *state.word_deck[-1:])
        return super().view(state._replace(word_discard=hint), seat)


class TellsTheNextCard(Stitches):
    """The view shows the Abomination's next card."""

    def view(self, state, seat):
        hint = (*state.card_discard, *state.card_deck[-1:])
        return super().view(state._replace(card_discard=hint), seat)


def check_all(game, check):
    for seed in SEEDS:
        check(game, seed)


LEAKS = [
    (TellsTheTopOfTheDeck, rules.views_hide_what_resample_changes),
    (TellsDeclarations, rules.views_hide_what_resample_changes),
    (TellsTheHiddenHead, rules.views_hide_what_resample_changes),
    (OffersByAnothersDeclaration, rules.views_hide_what_resample_changes),
    (NewsOfADeclaration, rules.news_tells_no_more_than_the_next_view),
    (CountsAttackers, rules.views_hide_what_resample_changes),
    (TellsTheNextWord, rules.views_hide_what_resample_changes),
    (TellsTheNextCard, rules.views_hide_what_resample_changes),
]


@pytest.mark.parametrize(("game", "check"), LEAKS, ids=[game.__name__ for game, _ in LEAKS])
def test_secrecy_notices(game, check):
    with pytest.raises(AssertionError):
        check_all(game(), check)


class ForgetsToAsk(Stitches):
    """A question without a new epoch."""

    def epoch(self, state):
        return state.round


class FallsBackOnNothing(Stitches):
    """Who does not answer does something that was not asked."""

    def fallback(self, state, seat):
        del state, seat
        return Done()


class RollsElsewhere(Stitches):
    """A replay shuffles differently."""

    rolls = 0

    def apply(self, state, seat, action, chance):
        step = super().apply(state, seat, action, chance)
        RollsElsewhere.rolls += 1
        state = step.state
        return Step(state._replace(pot=state.pot + RollsElsewhere.rolls % 2), step.events)


class NeverEnds(Stitches):
    """Nobody is asked any more, and nobody has won."""

    def outcome(self, state):
        del state


BREACHES = [
    (ForgetsToAsk, rules.epochs_rise),
    (FallsBackOnNothing, rules.only_pending_seats_have_actions),
    (RollsElsewhere, rules.replays),
    (NeverEnds, rules.only_pending_seats_have_actions),
]


@pytest.mark.parametrize(("game", "check"), BREACHES, ids=[game.__name__ for game, _ in BREACHES])
def test_the_contract_notices(game, check):
    with pytest.raises(AssertionError):
        check_all(game(), check)
