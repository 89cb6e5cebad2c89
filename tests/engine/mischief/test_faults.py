"""Tests of the tests: planted faults and leaks, each of which the checks must notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.chance import Chance
from engine.core import Seat, Step
from engine.mischief import Mischief, book, resolving
from engine.mischief.model import COLOURS, Discarded, Drew, Locked, Play, State, Table, View
from tests.contract import rules
from tests.engine.mischief import secrecy
from tests.engine.mischief.test_referee import compare

ROUND: Any = resolving._Round
GAMES = 40


def noticed(check: Callable[[], None]) -> bool:
    """Whether the check fails, by an assertion or because a faulty game breaks down."""
    try:
        check()
    except Exception:
        return True
    return False


def referee_notices(game: Mischief) -> bool:
    return any(noticed(lambda n=number: compare(game, n)) for number in range(GAMES))


def contract_notices(game: Mischief, check: Callable[[Any, bytes], None]) -> bool:
    return any(noticed(lambda s=seed: check(game, bytes([s, 1, 2, 3]))) for seed in range(6))


def test_nothing_is_noticed_without_a_fault():
    assert not referee_notices(Mischief())
    for check in (
        secrecy.a_rounds_news_hides_hands_and_deck,
        secrecy.public_news_names_only_open_cards,
        rules.views_hide_what_resample_changes,
        rules.news_tells_no_more_than_the_next_view,
        rules.epochs_rise,
    ):
        assert not contract_notices(Mischief(), check)


# --- faults in the rules


def two_colours(monkeypatch):
    plays = book.Book.plays
    monkeypatch.setattr(
        book.Book,
        "plays",
        lambda self, hand: (*plays(self, hand), *([Play(hand[:2])] if len(hand) > 1 else [])),
    )


def four_cards(monkeypatch):
    monkeypatch.setattr(book, "MOST_CARDS", 4)
    book._plays_of.cache_clear()


def only_one_card(monkeypatch):
    plays = book.Book.plays
    monkeypatch.setattr(
        book.Book,
        "plays",
        lambda self, hand: tuple(p for p in plays(self, hand) if not p.cards[1:]),
    )


def symbols_swapped(monkeypatch):
    monkeypatch.setattr(
        resolving, "rolls", lambda nice, naughty: 2 + (nice > naughty) - (naughty > nice)
    )


def no_symbols_mean_one_roll(monkeypatch):
    rolls = resolving.rolls
    monkeypatch.setattr(
        resolving, "rolls", lambda nice, naughty: rolls(nice, naughty) if nice + naughty else 1
    )


def only_the_first_roll_counts(monkeypatch):
    roll = ROUND.roll

    def once(self):
        self.rolls = 1
        roll(self)

    monkeypatch.setattr(ROUND, "roll", once)


def only_matching_cards_are_lost(monkeypatch):
    """One match takes one card; the others come back into the hand."""
    roll = ROUND.roll

    def spared(self):
        for seat, cards in enumerate(self.played):
            if len(cards) > 1 and seat in self.up:
                self.played = (*self.played[:seat], cards[:1], *self.played[seat + 1 :])
                self.hands[seat] += cards[1:]
        roll(self)

    monkeypatch.setattr(ROUND, "roll", spared)


def saved_cards_are_replaced(monkeypatch):
    save = ROUND.save

    def drawing(self):
        for seat in self.up:
            self.hands[seat] += self.draw(1)
        save(self)

    monkeypatch.setattr(ROUND, "save", drawing)


def lost_cards_are_not_replaced(monkeypatch):
    monkeypatch.setattr(ROUND, "draw", lambda self, count: ())


def one_card_too_few_is_drawn(monkeypatch):
    draw = ROUND.draw
    monkeypatch.setattr(ROUND, "draw", lambda self, count: draw(self, max(1, count - 1)))


def drawing_goes_by_seat(monkeypatch):
    monkeypatch.setattr(
        resolving, "clockwise", lambda first, seats: (*range(seats - 1, -1, -1),) if seats else ()
    )


def the_discard_pile_stays(monkeypatch):
    """The new deck is made without taking the discard pile away."""
    draw = ROUND.draw

    def copying(self, count):
        pile = self.discard
        drawn = draw(self, count)
        self.discard = pile
        return drawn

    monkeypatch.setattr(ROUND, "draw", copying)


def no_bonus_card(monkeypatch):
    monkeypatch.setattr(ROUND, "take_bonus", lambda self, seat: None)


def the_option_is_always_on(monkeypatch):
    close = ROUND.close

    def generous(self):
        self.before = replace(self.before, final_bonus=True)
        close(self)

    monkeypatch.setattr(ROUND, "close", generous)


def no_final_round(monkeypatch):
    close = ROUND.close

    def hasty(self):
        close(self)
        if self.final and self.ending is None:
            self.end()

    monkeypatch.setattr(ROUND, "close", hasty)


def final_rounds_repeat(monkeypatch):
    close = ROUND.close

    def endless(self):
        self.before = replace(self.before, final=False)
        close(self)

    monkeypatch.setattr(ROUND, "close", endless)


def bonus_cards_do_not_count(monkeypatch):
    monkeypatch.setattr(ROUND, "stack", lambda self, seat: self.stacks[seat])


def cards_count_instead_of_presents(monkeypatch):
    monkeypatch.setattr(book.Book, "presents", lambda self, ids: len(ids))


def ties_are_shared_at_once(monkeypatch):
    monkeypatch.setattr(ROUND, "break_tie", lambda self, tied: tied)


def the_fewest_matches_win_a_tie(monkeypatch):
    matches = book.Book.matches
    monkeypatch.setattr(book.Book, "matches", lambda self, ids, face: -matches(self, ids, face))


def a_change_of_mind_is_forgotten(monkeypatch):
    apply = Mischief.apply

    def stubborn(self, state, seat, action, chance):
        if state.locked[seat]:
            return Step(state, ())
        return apply(self, state, seat, action, chance)

    monkeypatch.setattr(Mischief, "apply", stubborn)


FAULTS = [
    two_colours,
    four_cards,
    only_one_card,
    symbols_swapped,
    no_symbols_mean_one_roll,
    only_the_first_roll_counts,
    only_matching_cards_are_lost,
    saved_cards_are_replaced,
    lost_cards_are_not_replaced,
    one_card_too_few_is_drawn,
    drawing_goes_by_seat,
    the_discard_pile_stays,
    no_bonus_card,
    the_option_is_always_on,
    no_final_round,
    final_rounds_repeat,
    bonus_cards_do_not_count,
    cards_count_instead_of_presents,
    ties_are_shared_at_once,
    the_fewest_matches_win_a_tie,
    a_change_of_mind_is_forgotten,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_the_referee_notices(fault, monkeypatch):
    fault(monkeypatch)
    try:
        assert referee_notices(Mischief())
    finally:
        book._plays_of.cache_clear()


def test_the_contract_notices_a_question_whose_number_stands_still():
    class Still(Mischief):
        def epoch(self, state: State) -> int:
            return 1

    assert contract_notices(Still(), rules.epochs_rise)


def test_the_contract_notices_answers_that_count_twice():
    class Twice(Mischief):
        def legal(self, state: State, seat: Seat) -> tuple[Play, ...]:
            return super().legal(state, seat) or super().revisions(state, seat)

    assert contract_notices(Twice(), rules.only_pending_seats_have_actions)


# --- leaks


def _neighbour(state: State, seat: Seat) -> int:
    return (seat + 1) % len(state.locked)


class ShowsLockedChoices(Mischief):
    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        other = 0 if seat is None else _neighbour(state, seat)
        return replace(view, locked=self._book.cards(state.locked[other]))


class ShowsHowManyCardsAreLocked(Mischief):
    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        counts = zip(view.places, state.locked, strict=True)
        return replace(view, places=tuple(replace(p, cards=p.cards - len(c)) for p, c in counts))


class ShowsTheDecksOrder(Mischief):
    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        order = {card: place for place, card in enumerate(state.table.deck)}
        return replace(
            view, unseen=tuple(sorted(view.unseen, key=lambda card: order.get(card.id, 99)))
        )


class ShowsBonusCards(Mischief):
    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        bonuses = tuple(bonus for bonus in state.table.bonuses if bonus is not None)
        return replace(view, stack=(*view.stack, *self._book.cards(bonuses)))


class CountsBonusCards(Mischief):
    """Shows running totals to their owners with the card that nobody may have seen."""

    def _place(self, state: State, seat: Seat, reader: Seat | None) -> Any:
        place = super()._place(state, seat, reader)
        bonus = state.table.bonuses[seat]
        if bonus is None or place.presents is None or state.table.ending is not None:
            return place
        return replace(place, presents=place.presents + self._book.presents((bonus,)))


class LegalityDependsOnOthers(Mischief):
    def legal(self, state: State, seat: Seat) -> tuple[Play, ...]:
        legal = super().legal(state, seat)
        hand = state.table.hands[_neighbour(state, seat)]
        crowded = len({self._book.by_id[card].colour for card in hand}) < len(COLOURS)
        return legal[:-1] if crowded and len(legal) > 1 else legal


class TellsWhatWasLocked(Mischief):
    def apply(self, state: State, seat: Seat, action: Play, chance: Chance) -> Step[State]:
        step = super().apply(state, seat, action, chance)
        told = Discarded(seat, self._book.cards(action.cards))
        return Step(step.state, (told, *step.events))


class TellsThatAChoiceChanged(Mischief):
    def apply(self, state: State, seat: Seat, action: Play, chance: Chance) -> Step[State]:
        step = super().apply(state, seat, action, chance)
        changed = state.locked[seat] and state.locked[seat] != action.cards
        return Step(step.state, ((Locked(seat),) if changed else ()) + step.events)


class TellsEveryoneWhatIsDrawn(Mischief):
    def apply(self, state: State, seat: Seat, action: Play, chance: Chance) -> Step[State]:
        step = super().apply(state, seat, action, chance)
        drawn = (Discarded(e.to, e.cards) for e in step.events if isinstance(e, Drew))
        return Step(step.state, (*step.events, *drawn))


class HintsAtTheHandByTheRoller(Mischief):
    """A field that looks harmless says whose hand has the lowest card."""

    def view(self, state: State, seat: Seat | None) -> View:
        table: Table = state.table
        lowest = min(range(len(table.hands)), key=lambda n: min(table.hands[n], default=99))
        return replace(super().view(state, seat), roller=Seat(lowest))


LEAKS = [
    (ShowsLockedChoices, rules.views_hide_what_resample_changes),
    (ShowsHowManyCardsAreLocked, rules.views_hide_what_resample_changes),
    (ShowsTheDecksOrder, rules.views_hide_what_resample_changes),
    (ShowsBonusCards, rules.views_hide_what_resample_changes),
    (CountsBonusCards, rules.views_hide_what_resample_changes),
    (LegalityDependsOnOthers, rules.views_hide_what_resample_changes),
    (HintsAtTheHandByTheRoller, rules.views_hide_what_resample_changes),
    (TellsWhatWasLocked, rules.news_tells_no_more_than_the_next_view),
    (TellsThatAChoiceChanged, rules.news_tells_no_more_than_the_next_view),
    (TellsEveryoneWhatIsDrawn, secrecy.a_rounds_news_hides_hands_and_deck),
    (TellsEveryoneWhatIsDrawn, secrecy.public_news_names_only_open_cards),
]


@pytest.mark.parametrize(("leak", "check"), LEAKS, ids=lambda value: value.__name__)
def test_the_contract_notices(leak, check):
    assert contract_notices(leak(), check)
