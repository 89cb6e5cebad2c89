"""What holds at every moment of every game (rulings 2.1, closed accounting)."""

from __future__ import annotations

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Chance
from engine.core import PrivateEvent
from engine.mischief import Mischief
from engine.mischief.model import HAND, Discarded, Drew, FinalRound, Revealed, Saved, State
from engine.mischief.odds import rolls
from tests.playout import moves, positions

GAME = Mischief()
seeds = st.binary(min_size=4, max_size=4)


def everything(state: State) -> list[int]:
    table = state.table
    bonuses = [bonus for bonus in table.bonuses if bonus is not None]
    return sorted(chain(*table.hands, *table.stacks, table.deck, table.discard, bonuses))


@given(seed=seeds)
def test_every_card_is_somewhere_once(seed):
    for match in positions(GAME, seed):
        assert everything(match.state) == list(range(1, 52))


@given(seed=seeds)
def test_hand_and_stack_are_six_cards_and_a_bonus_for_those_who_go_out(seed):
    for match in positions(GAME, seed):
        table = match.state.table
        for hand, stack, bonus in zip(table.hands, table.stacks, table.bonuses, strict=True):
            assert len(hand) + len(stack) == HAND
            assert bonus is None or not hand


@given(seed=seeds)
def test_deck_and_discard_pile_are_never_both_empty(seed):
    for match in positions(GAME, seed):
        table = match.state.table
        assert len(table.deck) + len(table.discard) >= 9


@given(seed=seeds)
def test_a_choice_is_part_of_the_hand(seed):
    for match in positions(GAME, seed):
        for hand, cards in zip(match.state.table.hands, match.state.locked, strict=True):
            assert set(cards) <= set(hand)


@given(seed=seeds)
def test_there_is_one_final_round_and_it_is_the_last(seed):
    story = [event for move in moves(GAME, seed) for event in move.events]
    rounds = [event for event in story if isinstance(event, Revealed)]
    announced = [event for event in story if isinstance(event, FinalRound)]
    assert [event.round for event in rounds] == list(range(1, len(rounds) + 1))
    assert [event.final for event in rounds] == [False] * (len(rounds) - 1) + [bool(announced)]
    assert len(announced) <= 1


@given(seed=seeds)
def test_every_played_card_is_either_lost_and_replaced_or_saved(seed):
    for move in moves(GAME, seed):
        played = [
            c for e in move.events if isinstance(e, Revealed) for p in e.plays for c in p.cards
        ]
        lost = [c for e in move.events if isinstance(e, Discarded) for c in e.cards]
        saved = [c for e in move.events if isinstance(e, Saved) for c in e.cards]
        drawn = [c for e in move.events if isinstance(e, Drew) for c in e.cards]
        assert sorted(c.id for c in played) == sorted(c.id for c in lost + saved)
        assert len(drawn) == len(lost)


@given(seed=seeds)
def test_the_rolls_are_those_that_the_symbols_ask_for(seed):
    for move in moves(GAME, seed):
        for event in move.events:
            if isinstance(event, Revealed):
                cards = [card for laid in event.plays for card in laid.cards]
                nice = sum(card.symbol == "nice" for card in cards)
                naughty = sum(card.symbol == "naughty" for card in cards)
                assert event.rolls == rolls(nice, naughty)


@given(seed=seeds)
def test_the_view_tells_what_the_news_told(seed):
    """Whoever opens the table late reads the last round there, whole."""
    for move in moves(GAME, seed):
        if move.after.epoch == move.before.epoch:
            continue
        news = [e for e in move.events if not isinstance(e, PrivateEvent)]
        view = move.after.view(None)
        told = [event for event in news if event.kind != "locked"]
        assert list(view.news) == told
        for seat in move.after.all_seats():
            drawn = [
                c for e in move.events if isinstance(e, Drew) and e.to == seat for c in e.cards
            ]
            assert list(move.after.view(seat).drew) == drawn


@given(seed=seeds)
def test_unseen_cards_are_those_of_other_hands_deck_and_bonuses(seed):
    for match in positions(GAME, seed):
        table = match.state.table
        for seat in match.all_seats():
            others = [card for n, hand in enumerate(table.hands) if n != seat for card in hand]
            hidden = {*others, *table.deck, *(b for b in table.bonuses if b is not None)}
            assert {card.id for card in match.view(seat).unseen} == hidden


@given(seed=seeds)
def test_resampling_keeps_what_everybody_saw(seed):
    """Cards that went into a new deck in sight of all stay apart from those that did not."""
    for number, match in enumerate(positions(GAME, seed)):
        for seat in (None, *match.all_seats()):
            before = match.state
            after = GAME.resample(before, seat, Chance(seed, number))
            assert everything(after) == everything(before)
            assert after.table.stacks == before.table.stacks
            assert after.table.discard == before.table.discard
            for cards, play in zip(after.table.hands, after.locked, strict=True):
                assert not play or play in {p.cards for p in GAME._book.plays(cards)}
            if before.table.reshuffles:
                newest = set(before.table.reshuffles[-1])
                assert set(after.table.deck) <= newest
                for was, now in zip(before.table.hands, after.table.hands, strict=True):
                    assert len(newest & set(was)) == len(newest & set(now))


@given(seed=seeds)
def test_saved_cards_are_those_in_other_stacks(seed):
    for match in positions(GAME, seed):
        stacks = match.state.table.stacks
        for seat in (None, *match.all_seats()):
            others = sorted(chain(*(stack for n, stack in enumerate(stacks) if n != seat)))
            assert [card.id for card in match.view(seat).saved] == others
