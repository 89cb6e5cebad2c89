"""What stays true through any game: closed sets of cards and tokens, and that games end."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.core import Seat
from engine.match import start
from engine.stitches import Stitches
from engine.stitches.model import MatchEnded, Provoked, State, WordLearned
from engine.stitches.parts import Box
from engine.stitches.policy import casual
from tests.playout import moves, opening, positions

GAME = Stitches()
BOX = GAME.box
seeds = st.binary(min_size=4, max_size=4)
few = settings(max_examples=12)


def all_parts(state: State, box: Box = BOX) -> Counter[int]:
    """Every part card on the table, wherever it lies."""
    fight = state.fight
    parts = Counter(state.deck) + Counter(state.discard) + Counter(state.market)
    parts.update(part for body in state.bodies for part in body)
    parts.update(state.sides)
    if fight is not None:
        parts.update(part for _, part in fight.trophies)
        parts.update(fight.captured)
    del parts[0]
    return parts


def the_box(seats: int, head: int) -> Counter[int]:
    """36 Monster parts, four Human parts for everyone and one head."""
    return Counter(BOX.monster_parts) + Counter(BOX.human * seats) + Counter([head])


def all_words(state: State) -> Counter[str]:
    words = Counter(state.word_deck) + Counter(state.word_discard)
    words.update(word for known in state.words for word in known)
    return words


@few
@given(seed=seeds)
def test_cards_and_tokens_are_conserved(seed):  # T43
    conserves(seed)


def conserves(seed: bytes) -> None:
    """A random game never has more or fewer cards and tokens than it began with."""
    first, _ = opening(GAME, seed)
    expected = the_box(first.seats, first.state.sides[0])
    cards = Counter((*first.state.card_deck, *first.state.card_discard))
    assert set(cards.values()) == {2}
    for match in positions(GAME, seed):
        state = match.state
        assert state.pot + sum(state.coins) == 4 * match.seats + 2
        assert min(state.pot, *state.coins) >= 0
        assert all_parts(state) == expected
        assert all_words(state) == Counter(BOX.words)
        assert Counter((*state.card_deck, *state.card_discard)) == cards


@few
@given(seed=seeds)
def test_bodies_are_sound(seed):
    torso_allowed = opening(GAME, seed)[0].state.rules.torso
    for match in positions(GAME, seed):
        state = match.state
        for body, torso in zip(state.bodies, state.torsos, strict=True):
            for slot, part in enumerate(body):
                assert part == 0 or slot in BOX.slots[part]
            assert torso == BOX.human_torso or torso_allowed
        for known in state.words:
            assert len(set(known)) == len(known)
        assert sum(part != 0 for part in state.sides) <= 4
        assert all(BOX.priced[part] for part in (*state.market, *state.deck))


@few
@given(seed=seeds)
def test_resampling_keeps_the_sets(seed):
    for number, match in enumerate(positions(GAME, seed, most=60)):
        other = GAME.resample(match.state, Seat(0), Chance(seed, number))
        hidden = 0 if match.state.revealed else match.state.sides[0]
        now_hidden = 0 if other.revealed else other.sides[0]
        assert all_parts(other) - Counter([now_hidden]) == all_parts(match.state) - Counter(
            [hidden]
        )
        assert all_words(other) == all_words(match.state)


@few
@given(seed=seeds)
def test_a_fight_ends_within_its_bounds(seed):
    """At most four removals, one retreat each, one Word, and what was removed to hand out."""
    length = 0
    for move in moves(GAME, seed):
        length = length + 1 if move.after.state.fight is not None else 0
        assert length <= 2 * 4 + move.after.seats + 3


@few
@given(seed=seeds)
def test_everyone_in_a_team_shares_a_word_with_its_initiator(seed):
    for move in moves(GAME, seed):
        for event in move.events:
            if isinstance(event, Provoked):
                words = move.before.state.words
                for seat in event.team[1:]:
                    assert set(words[seat]) & set(words[event.seat])
            if isinstance(event, WordLearned) and event.word is not None:
                assert event.word in move.after.state.words[event.seat]


@few
@given(seed=seeds)
def test_a_random_game_ends_by_its_round_cap(seed):
    *_, last = moves(GAME, seed)
    state = last.after.state
    assert state.round <= state.rules.round_cap
    ended = [event for event in last.events if isinstance(event, MatchEnded)]
    if not state.rules.keep:
        assert [event.winners for event in ended] == [state.winners]


@few
@given(seed=seeds)
def test_a_rematch_conserves_the_cards_too(seed):
    *_, last = positions(GAME, seed)
    options = {"keep": True, **GAME.carry(last.state)}
    state = start(GAME, last.seats, seed, options)[0].state
    kept = [part for part in last.state.kept if part]
    human = Counter(part for body in state.bodies for part in body if BOX.is_human[part])
    assert sum(human.values()) == 4 * last.seats - len(kept)
    assert all_parts(state) == Counter(BOX.monster_parts) + human + Counter([state.sides[0]])
    assert state.first == (last.state.opener + 1) % last.seats


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize("seats", [3, 5, 7])
def test_casual_players_need_four_to_ten_rounds(seats, level):
    rounds = [_casual_game(seats, level, bytes([i])) for i in range(8)]
    assert 4 <= sum(rounds) / len(rounds) <= 10
    assert max(rounds) <= 20


def _casual_game(seats: int, level: str, seed: bytes) -> int:
    match, _ = start(GAME, seats, seed, {"abomination": level, "keep": True})
    dice = Chance(seed, 1 << 32)
    while not match.over:
        seat = min(match.pending())
        action = casual(match.view(seat), match.choices(seat), dice)
        match, _ = match.submit(seat, action, epoch=match.epoch)
    return match.state.round
