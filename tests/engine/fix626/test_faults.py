"""Tests of the tests: every planted fault and every planted leak is caught."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core import PublicEvent, Seat, Step
from engine.fix626 import Fix626, rules, table
from engine.fix626.cards import Character, full_deck
from engine.fix626.model import (
    Drew,
    GuessMissed,
    KnockedOut,
    NoEffect,
    Play,
    ProtectionEnded,
    Saw,
    Side,
)
from engine.fix626.table import Table
from tests.contract import rules as contract
from tests.engine.fix626 import invariants, secrecy
from tests.engine.fix626.test_referee import agree

SEEDS = [b"fault%d" % number for number in range(400)]


def catches(check, game, most=None):
    """Whether `check` fails within `most` games, or many; a crash counts as well."""
    for seed in SEEDS[:most]:
        try:
            check(game, seed)
        except (AssertionError, IndexError, ValueError, StopIteration):
            return True
    return False


# Rules. Each fault is a function that plants it with pytest's monkeypatch.


def effect(card, faulty):
    return lambda patch: patch.setitem(rules.EFFECTS, card, faulty)


def method(name, faulty):
    return lambda patch: patch.setattr(Table, name, faulty)


def gantu_to_who_is_out(t, seat, target, guess):
    t.move_stitch(Seat((t.stitch + 1) % len(t.hands)))


def gantu_from_the_actor(t, seat, target, guess):
    t.move_stitch(t.left_of(seat))


def good_stitch_wins_sparky_ties(t, seat, target, guess):
    mine, theirs = t.held(seat), t.held(target)
    if mine.number == theirs.number and t.side is Side.GOOD and t.stitch == seat:
        t.knock_out(target, seat)
    else:
        rules.sparky(t, seat, target, guess)


def sparky_with_modifiers(t, seat, target, guess):
    bonus = table.MODIFIER[t.side] if t.stitch == seat else 0
    if t.held(seat).number + bonus > t.held(target).number:
        t.knock_out(target, seat)
    else:
        rules.sparky(t, seat, target, guess)


def cobra_spares_nani(t, seat, target, guess):
    if t.held(target) is not Character.NANI:
        rules.cobra(t, seat, target, guess)


def jumba_only_at_home(t, seat, target, guess):
    if t.stitch == seat:
        t.flip_stitch()


def angel_checks_before_taking_from_others(t, seat, target, guess):
    t.again = t.side is Side.GOOD and t.stitch == seat
    t.move_stitch(seat)


def leroy_minds_david(t, seat, target, guess):
    if t.side is Side.EXPERIMENT and t.stitch == t.protected:
        t.move_stitch(seat)
    else:
        rules.leroy(t, seat, target, guess)


def leroy_leaves_good_stitch(t, seat, target, guess):
    if t.side is Side.EXPERIMENT:
        rules.leroy(t, seat, target, guess)


def pleakley_asks_nobody(t, seat, target, guess):
    rules.trade_hands(t, seat, target)


def pleakley_takes_stitch_along(t, seat, target, guess):
    if t.stitch == seat:
        t.move_stitch(target)
    rules.pleakley(t, seat, target, guess)


def nani_flips(t, seat, target, guess):
    t.move_stitch(target)
    t.flip_stitch()


def lilo_always_flips(t, seat, target, guess):
    t.move_stitch(seat)
    t.flip_stitch()


def guess_five_is_angel_only(t, seat, target, guess):
    if t.held(target) is Character.LEROY:
        t.say(GuessMissed(seat, target, guess))
    else:
        rules.councilwoman(t, seat, target, guess)


true_knock_out, true_start_turn, true_end_turn = Table.knock_out, Table.start_turn, Table.end_turn


def stitch_goes_left(self, seat, by):
    true_knock_out(self, seat, seat)


def lilo_works_when_discarded(self, seat, by):
    lilo = self.held(seat) is Character.LILO
    true_knock_out(self, seat, by)
    if lilo and self.side is Side.EXPERIMENT:
        self.flip_stitch()


def the_hand_vanishes(self, seat, by):
    true_knock_out(self, seat, by)
    self.piles[seat] = self.piles[seat][:-1]


def david_ends_late(self, seat):
    kept = self.protected
    true_start_turn(self, seat)
    self.protected = kept


def angel_with_an_empty_deck(self, chance):
    if self.again and not self.alone():
        self.start_turn(self.turn)
    else:
        true_end_turn(self, chance)


def angel_for_nothing(self, chance):
    self.again = False
    true_end_turn(self, chance)


def empty_deck_before_last_player(self, chance):
    if not self.deck:
        self.end_round(table.Ending.DECK, chance)
    else:
        true_end_turn(self, chance)


def ties_ignore_stitch(sums, stitch, side):
    highest = max(value for value in sums if value is not None)
    return tuple(Seat(s) for s, value in enumerate(sums) if value == highest)


def experiment_wins_ties(sums, stitch, side):
    return table_best(sums, stitch, Side.GOOD)


table_best = table.best

RULE_FAULTS = {
    "Gantu to who is out": (
        effect(Character.GANTU, gantu_to_who_is_out),
        invariants.stitch_is_with_a_player_still_in,
    ),
    "Gantu from the actor": (effect(Character.GANTU, gantu_from_the_actor), agree),
    "Good Stitch in Sparky ties": (effect(Character.SPARKY, good_stitch_wins_sparky_ties), agree),
    "Sparky with +2": (effect(Character.SPARKY, sparky_with_modifiers), agree),
    "Cobra spares Nani": (effect(Character.COBRA, cobra_spares_nani), agree),
    "Jumba only at home": (effect(Character.JUMBA, jumba_only_at_home), agree),
    "Angel checks too early": (
        effect(Character.ANGEL, angel_checks_before_taking_from_others),
        agree,
    ),
    "Leroy minds David": (effect(Character.LEROY, leroy_minds_david), agree),
    "Leroy leaves Good Stitch": (effect(Character.LEROY, leroy_leaves_good_stitch), agree),
    "Pleakley asks nobody": (
        effect(Character.PLEAKLEY, pleakley_asks_nobody),
        invariants.the_owner_of_stitch_is_asked,
    ),
    "Pleakley takes Stitch along": (
        effect(Character.PLEAKLEY, pleakley_takes_stitch_along),
        invariants.the_owner_of_stitch_is_asked,
    ),
    "Nani flips": (effect(Character.NANI, nani_flips), agree),
    "Lilo always flips": (effect(Character.LILO, lilo_always_flips), agree),
    "5 is Angel only": (effect(Character.COUNCILWOMAN, guess_five_is_angel_only), agree),
    "Stitch goes left": (method("knock_out", stitch_goes_left), agree),
    "discarded Lilo works": (method("knock_out", lilo_works_when_discarded), agree),
    "the hand vanishes": (method("knock_out", the_hand_vanishes), invariants.no_card_is_lost),
    "David ends late": (
        method("start_turn", david_ends_late),
        invariants.hands_have_one_card_and_two_on_a_turn,
    ),
    "Angel with an empty deck": (method("end_turn", angel_with_an_empty_deck), agree),
    "Angel for nothing": (method("end_turn", angel_for_nothing), agree),
    "ties ignore Stitch": (
        lambda patch: patch.setattr(table, "best", ties_ignore_stitch),
        invariants.two_players_never_both_win_a_round,
    ),
    "626 wins ties": (lambda patch: patch.setattr(table, "best", experiment_wins_ties), agree),
    "first winner starts": (
        lambda patch: patch.setattr(table, "next_stitch", lambda result: result.winners[0]),
        invariants.several_winners_are_without_stitch,
    ),
    "Sparky for all": (
        lambda patch: patch.setattr(table, "full_deck", lambda seats: full_deck(4)),
        invariants.no_card_is_lost,
    ),
    "one more token": (
        lambda patch: patch.setattr(
            table, "winners_of", lambda t: tuple(Seat(s) for s, n in enumerate(t) if n > 5)
        ),
        invariants.tokens_stay_within_reach,
    ),
}


@pytest.mark.parametrize("fault", RULE_FAULTS)
def test_fault_is_caught(fault, monkeypatch):
    plant, check = RULE_FAULTS[fault]
    assert not catches(check, Fix626(), most=10)
    plant(monkeypatch)
    assert catches(check, Fix626())


class NoGuessOfOne(Fix626):
    def legal(self, state, seat):
        return tuple(a for a in super().legal(state, seat) if getattr(a, "guess", 0) != 1)


class MayFizzle(Fix626):
    def legal(self, state, seat):
        legal = super().legal(state, seat)
        return (*legal, Play(Character.NANI)) if Play(Character.NANI, Seat(0)) in legal else legal


class NaniMustMoveHim(Fix626):
    def legal(self, state, seat):
        useless = Play(Character.NANI, state.stitch)
        return tuple(a for a in super().legal(state, seat) if a != useless)


@pytest.mark.parametrize("game", [NoGuessOfOne(), MayFizzle(), NaniMustMoveHim()])
def test_wrong_choices_are_caught(game):
    assert catches(agree, game)


# Secrets


class DeckTop(Fix626):
    def view(self, state, seat):
        top = state.deck[-1].number if state.deck else 0
        return replace(super().view(state, seat), deck=100 * top + len(state.deck))


class OpenHands(Fix626):
    def view(self, state, seat):
        return replace(
            super().view(state, seat), known=tuple(h[0] if h else None for h in state.hands)
        )


class OpenWhispers(Fix626):
    def view(self, state, seat):
        return replace(super().view(state, seat), told=state.told)


class OpenWhispersOfBefore(Fix626):
    def view(self, state, seat):
        return replace(super().view(state, seat), before_told=state.before_told)


class WatcherWithAHand(Fix626):
    def view(self, state, seat):
        return replace(super().view(state, seat), hand=state.hands[seat or 0])


class OnlyUsefulGuesses(Fix626):
    def legal(self, state, seat):
        return tuple(
            action
            for action in super().legal(state, seat)
            if getattr(action, "guess", None) is None
            or action.guess == state.hands[action.target][0].number
            or action.guess == 0
        )


class EpochFromTheSetAside(Fix626):
    def epoch(self, state):
        return 10 * state.epoch + state.aside.number


class AskedByTheDeck(Fix626):
    """The order in which hands are shown to somebody else depends on the next card."""

    def pending(self, state):
        hidden = frozenset((Seat(state.deck[-1].number % len(state.hands)),)) if state.deck else ()
        return super().pending(state) | frozenset(hidden)


class Louder(Fix626):
    """Adds events that no View remembers."""

    def apply(self, state, seat, action, chance):
        step = super().apply(state, seat, action, chance)
        return Step(step.state, (*step.events, *self.more(state, seat, action, step.events)))

    def more(self, state, seat, action, events):
        raise NotImplementedError


class SeenAloud(Louder):
    def more(self, state, seat, action, events):
        return [KnockedOut(e.seat, e.to, e.card) for e in events if isinstance(e, Saw)]


class DrawnAloud(Louder):
    """Everyone hears whether the played card was the drawn one."""

    def more(self, state, seat, action, events):
        hand = state.hands[seat]
        drawn = isinstance(action, Play) and hand[1] is action.card is not hand[0]
        return [NoEffect(seat, action.card)] if drawn else []


class DrawToAnother(Louder):
    def more(self, state, seat, action, events):
        seats = len(state.hands)
        return [Drew(Seat((e.to + 1) % seats), e.card) for e in events if isinstance(e, Drew)]


class HandOfTheTarget(Louder):
    """The choice of an event's kind tells what the target holds."""

    def more(self, state, seat, action, events):
        target = getattr(action, "target", None)
        big = target is not None and state.hands[target][0].number >= 5
        return [ProtectionEnded(target)] if big else []


LEAKS = [
    (DeckTop(), contract.views_hide_what_resample_changes),
    (OpenHands(), contract.views_hide_what_resample_changes),
    (OpenWhispers(), contract.views_hide_what_resample_changes),
    (OpenWhispersOfBefore(), contract.views_hide_what_resample_changes),
    (WatcherWithAHand(), contract.views_hide_what_resample_changes),
    (OnlyUsefulGuesses(), contract.views_hide_what_resample_changes),
    (EpochFromTheSetAside(), contract.views_hide_what_resample_changes),
    (AskedByTheDeck(), contract.views_hide_what_resample_changes),
    (SeenAloud(), contract.news_tells_no_more_than_the_next_view),
    (DrawnAloud(), contract.news_tells_no_more_than_the_next_view),
    (DrawToAnother(), contract.news_tells_no_more_than_the_next_view),
    (HandOfTheTarget(), contract.news_tells_no_more_than_the_next_view),
]


@pytest.mark.parametrize(("game", "check"), LEAKS, ids=lambda value: type(value).__name__)
def test_leak_is_caught(game, check):
    assert catches(check, game)


def remembering(t, seat, target, guess):
    """A wrong guess is told with the right number, and the state remembers it."""
    rules.councilwoman(t, seat, target, guess)
    last = t.news[-1]
    if isinstance(last, GuessMissed):
        t.news[-1] = t.events[-1] = GuessMissed(seat, target, t.held(target).number)


def looking_aloud(t, seat, target, guess):
    rules.cobra(t, seat, target, guess)
    if t.held(seat).number < 4 and isinstance(t.events[-1], PublicEvent | Saw):
        t.say(NoEffect(seat, Character.COBRA))


@pytest.mark.parametrize(
    ("card", "faulty"),
    [(Character.COUNCILWOMAN, remembering), (Character.COBRA, looking_aloud)],
)
def test_remembered_leak_is_caught(card, faulty, monkeypatch):
    """A secret in a remembered public event is in the View too: only another course tells."""
    monkeypatch.setitem(rules.EFFECTS, card, faulty)
    assert catches(secrecy.the_round_could_have_gone_so, Fix626())
