"""What holds at every moment of every game, as checks of a game and a seed."""

from __future__ import annotations

from collections import Counter

from engine.fix626.cards import TOKENS_TO_WIN, Character, full_deck
from engine.fix626.model import (
    Compared,
    Ending,
    ExtraTurn,
    KnockedOut,
    NoEffect,
    OfferMade,
    RoundEnded,
    Side,
    State,
)
from tests.playout import AnyGame, Move, moves, positions


def _states(game: AnyGame, seed: bytes) -> list[State]:
    return [match.state for match in positions(game, seed)]


def _ends(game: AnyGame, seed: bytes) -> list[tuple[Move, RoundEnded]]:
    return [
        (move, event)
        for move in moves(game, seed)
        for event in move.events
        if isinstance(event, RoundEnded)
    ]


def stitch_is_with_a_player_still_in(game: AnyGame, seed: bytes) -> None:
    """Invariant 1."""
    for state in _states(game, seed):
        assert state.hands[state.stitch]


def two_players_never_both_win_a_round(game: AnyGame, seed: bytes) -> None:
    """Invariant 2, also for two who are left of more."""
    for _, end in _ends(game, seed):
        assert end.winners
        if sum(value is not None for value in end.sums) <= 2:
            assert len(end.winners) == 1


def several_winners_are_without_stitch(game: AnyGame, seed: bytes) -> None:
    """Invariant 3; and he goes on as Good Stitch from where he was."""
    for move, end in _ends(game, seed):
        if len(end.winners) > 1:
            assert end.stitch not in end.winners
        if not move.after.over:
            owner = end.stitch if len(end.winners) > 1 else end.winners[0]
            assert (move.after.state.stitch, move.after.state.side) == (owner, Side.GOOD)
            assert move.after.state.turn == (owner + 1) % move.after.seats


def clamping_changes_no_winner(game: AnyGame, seed: bytes) -> None:
    """Invariant 4."""
    for _, end in _ends(game, seed):
        if end.reason is Ending.DECK:
            sums = [value for value in end.sums if value is not None]
            clamped = [max(value, 0) for value in sums]
            assert (max(clamped) == max(sums)) or max(sums) < 0
            for seat in end.winners:
                value = end.sums[seat]
                assert value is not None
                assert max(value, 0) == max(clamped)


def all_protected_means_two_are_left(game: AnyGame, seed: bytes) -> None:
    """Invariant 5."""
    for move in moves(game, seed):
        if any(isinstance(event, NoEffect) for event in move.events):
            state: State = move.before.state
            assert sum(map(bool, state.hands)) == 2
            assert state.protected not in (None, move.seat)


def nobody_takes_another_one_along(game: AnyGame, seed: bytes) -> None:
    """Invariant 6: an action knocks out one player at most, and only Leroy its own player."""
    for move in moves(game, seed):
        out = [event for event in move.events if isinstance(event, KnockedOut)]
        assert len(out) <= 1
        for event in out:
            if event.by == event.seat:
                assert move.action.card is Character.LEROY
            else:
                assert move.before.state.hands[event.by]
        compared = [event for event in move.events if isinstance(event, Compared)]
        if any(event.loser is not None for event in compared):
            assert out


def one_extra_turn_a_round(game: AnyGame, seed: bytes) -> None:
    """Invariant 7."""
    for state in _states(game, seed):
        assert sum(isinstance(event, ExtraTurn) for event in state.history) <= 1


def tokens_stay_within_reach(game: AnyGame, seed: bytes) -> None:
    """Invariant 8: nobody exceeds the goal, and who reaches it has won."""
    *before, last = _states(game, seed)
    goal = TOKENS_TO_WIN[len(last.tokens)]
    assert all(max(state.tokens) < goal for state in before)
    assert max(last.tokens) == goal
    outcome = game.outcome(last)
    assert outcome is not None
    assert outcome.winners == {s for s, tokens in enumerate(last.tokens) if tokens == goal}
    assert sum(last.tokens) <= (13 if len(last.tokens) == 5 else 12)


def no_card_is_lost(game: AnyGame, seed: bytes) -> None:
    for state in _states(game, seed):
        everything = Counter([*state.deck, state.aside])
        for cards in (*state.hands, *state.piles):
            everything.update(cards)
        assert everything == Counter(full_deck(len(state.hands)))


def hands_have_one_card_and_two_on_a_turn(game: AnyGame, seed: bytes) -> None:
    for state in _states(game, seed):
        for seat, hand in enumerate(state.hands):
            on_turn = state.asked == state.turn == seat
            assert len(hand) == 2 if on_turn else len(hand) <= 1
        if state.asked == state.turn:
            assert state.turn != state.protected, "David ends when the own turn starts (A30)"


def the_owner_of_stitch_is_asked(game: AnyGame, seed: bytes) -> None:
    """Only a Pleakley against whoever has Stitch makes an offer (A35, A36)."""
    for move in moves(game, seed):
        offers = [event for event in move.events if isinstance(event, OfferMade)]
        expected = (
            getattr(move.action, "card", None) is Character.PLEAKLEY
            and move.action.target == move.before.state.stitch
        )
        assert bool(offers) == expected


ALL = (
    stitch_is_with_a_player_still_in,
    two_players_never_both_win_a_round,
    several_winners_are_without_stitch,
    clamping_changes_no_winner,
    all_protected_means_two_are_left,
    nobody_takes_another_one_along,
    one_extra_turn_a_round,
    tokens_stay_within_reach,
    no_card_is_lost,
    hands_have_one_card_and_two_on_a_turn,
    the_owner_of_stitch_is_asked,
)
