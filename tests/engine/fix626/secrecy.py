"""A secrecy check that only this game can make: the invented course of a round really plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.chance import Chance
from engine.core import Seat, visible
from engine.fix626.model import Action, Dealt, Drew, State
from tests.playout import AnyGame, moves, opening

Turns = list[tuple[Seat, Action]]


def rounds(game: AnyGame, seed: bytes) -> Iterator[tuple[State, Turns, State]]:
    """For each position: its round as dealt, the actions since then, and the position."""
    match, _ = opening(game, seed)
    start: State = match.state
    turns: Turns = []
    yield start, [], start
    for move in moves(game, seed):
        turns.append((move.seat, move.action))
        state: State = move.after.state
        if state.round != start.round:
            start, turns = state, []
        yield start, list(turns), state


def as_dealt(start: State, now: State) -> State:
    """The round of `start`, dealt so that the draws which `now` tells of come true."""
    dealt = [event for event in now.told if isinstance(event, Dealt)]
    draws = [event.card for event in now.told if isinstance(event, Drew)]
    hands = [(event.card,) for event in dealt]
    first = draws.pop(0)
    hands[start.turn] += (first,)
    return replace(
        start,
        hands=tuple(hands),
        deck=now.deck + tuple(reversed(draws)),
        aside=now.aside,
        told=(*dealt, Drew(start.turn, first)),
    )


def the_round_could_have_gone_so(game: AnyGame, seed: bytes) -> None:
    """Playing the same actions from the invented deal shows the seat what it has really seen.

    This catches leaks that the state remembers, such as a secret within a public event: in
    another deal the event would have told something else.
    """
    for number, (start, turns, now) in enumerate(rounds(game, seed)):
        if now.asked is None:
            continue
        for watcher in (None, *map(Seat, range(len(now.hands)))):
            other: State = game.resample(now, watcher, Chance(seed, 3_000_000 + number))
            state = as_dealt(start, other)
            told: list[object] = []
            for seat, action in turns:
                assert action in game.legal(state, seat)
                step = game.apply(state, seat, action, Chance(seed, 0))  # Within a round: unused.
                state = step.state
                told += visible(step.events, watcher)
            assert game.view(state, watcher) == game.view(now, watcher)
            assert replace(state, before_told=other.before_told) == other
