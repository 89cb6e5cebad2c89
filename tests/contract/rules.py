"""What the rules of every game must do, as checks that take a game and a seed.

They are plain functions, so that the tests of the tests can hand them a game with a planted fault.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import typing
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import pytest

from engine.chance import Chance
from engine.choosing import Pick, Question, ask
from engine.codec import Codec
from engine.core import PrivateEvent, PublicEvent, Seat, visible
from engine.errors import GameError, MatchOver, NotYourTurn, StaleAction
from engine.match import replay, start
from tests.playout import AnyGame, AnyMatch, moves, opening, positions

WATCHER = None
T = TypeVar("T")


def thinned(steps: Iterable[T], seed: bytes) -> Iterator[T]:
    """The first steps of a game and then, for checks that cost much, every seventh or so."""
    for number, step in enumerate(steps):
        if number < 30 or (number + seed[-1]) % 7 == 0:
            yield step


def watchers(match: AnyMatch) -> list[Seat | None]:
    return [WATCHER, *match.all_seats()]


def ends_and_then_refuses(game: AnyGame, seed: bytes) -> None:
    *_, last = positions(game, seed)
    outcome = game.outcome(last.state)
    assert outcome is not None
    assert outcome.winners <= set(last.all_seats())
    assert set(outcome.scores) == set(last.all_seats())
    assert last.pending() == frozenset()
    for seat in last.all_seats():
        assert last.choices(seat) == ()
        with pytest.raises(MatchOver):
            last.submit(seat, object(), epoch=last.epoch)


def only_pending_seats_have_actions(game: AnyGame, seed: bytes) -> None:
    for match in positions(game, seed):
        assert match.over or match.pending(), "nobody is asked, yet the match goes on"
        for seat in match.all_seats():
            legal = game.legal(match.state, seat)
            assert bool(legal) == (seat in match.pending())
            assert len(set(legal)) == len(legal)
            if legal:
                assert game.fallback(match.state, seat) in legal
                assert game.fallback(match.state, seat) == game.fallback(match.state, seat)
                assert not game.revisions(match.state, seat)


def refuses_what_is_not_asked(game: AnyGame, seed: bytes) -> None:
    for match in positions(game, seed):
        if match.over:
            return
        for seat in match.all_seats():
            if not match.choices(seat):
                with pytest.raises(NotYourTurn):
                    match.submit(seat, object(), epoch=match.epoch)


def epochs_rise(game: AnyGame, seed: bytes) -> None:
    for move in moves(game, seed):
        before, after = move.before, move.after
        assert after.epoch >= before.epoch
        if after.over or after.epoch > before.epoch:
            continue
        # The same question: nobody new is asked, and what may be answered is what it was.
        assert after.pending() <= before.pending()
        for seat in after.all_seats():
            was, now = before.choices(seat), after.choices(seat)
            assert not now or now == was


def an_old_click_is_stale(game: AnyGame, seed: bytes) -> None:
    for move in moves(game, seed):
        if move.after.over or move.after.epoch == move.before.epoch:
            continue
        with pytest.raises(StaleAction):
            move.after.submit(move.seat, move.action, epoch=move.before.epoch)


def survives_json(game: AnyGame, seed: bytes) -> None:
    codec = Codec(game)
    for move in thinned(moves(game, seed), seed):
        match = move.after
        loaded = codec.load_state(codec.dump_state(match.state))
        assert loaded == match.state
        assert codec.dump_state(loaded) == codec.dump_state(match.state)
        assert codec.load_action(codec.dump_action(move.action)) == move.action
        assert tuple(codec.load_event(codec.dump_event(e)) for e in move.events) == move.events
        for seat in match.all_seats():
            assert game.legal(loaded, seat) == game.legal(match.state, seat)


def replays(game: AnyGame, seed: bytes) -> None:
    journal = []
    first, _ = opening(game, seed)
    last = first
    for move in moves(game, seed):
        journal.append((move.seat, move.action))
        again, events = move.before.submit(move.seat, move.action, epoch=move.before.epoch)
        assert (again, events) == (move.after, move.events)
        last = move.after
    options = _options_of(game, seed)
    assert replay(game, first.seats, seed, options, journal) == last


def _options_of(game: AnyGame, seed: bytes) -> dict[str, Any]:
    """The options that `opening` drew, found by drawing again."""
    dice = Chance(b"opening" + seed, 0)
    dice.below(game.info.max_seats - game.info.min_seats + 1)
    return {o.key: dice.pick(o.values) for o in game.info.options if not o.carried}


def old_states_never_change(game: AnyGame, seed: bytes) -> None:
    codec = Codec(game)
    for move in thinned(moves(game, seed), seed):
        written = codec.dump_state(move.before.state)
        move.before.submit(move.seat, move.action, epoch=move.before.epoch)
        assert codec.dump_state(move.before.state) == written
        hash(move.action)


def views_hide_what_resample_changes(game: AnyGame, seed: bytes) -> None:
    for number, match in enumerate(thinned(positions(game, seed), seed)):
        for watcher in watchers(match):
            other = game.resample(match.state, watcher, Chance(seed, 1_000_000 + number))
            assert game.view(other, watcher) == game.view(match.state, watcher)
            assert game.pending(other) == match.pending()
            assert game.epoch(other) == match.epoch
            assert game.outcome(other) == game.outcome(match.state)
            if watcher is not None:
                assert game.legal(other, watcher) == game.legal(match.state, watcher)
                assert game.revisions(other, watcher) == game.revisions(match.state, watcher)


def resample_changes_something(game: AnyGame, seed: bytes) -> bool:
    """Whether some position of this game has secrets that resampling replaced."""
    return any(
        game.resample(match.state, watcher, Chance(seed, 1_000_000 + n)) != match.state
        for n, match in enumerate(positions(game, seed, most=20))
        for watcher in watchers(match)
    )


def news_tells_no_more_than_the_next_view(game: AnyGame, seed: bytes) -> None:
    """If two turns look the same to a watcher before and after, the news of them is the same."""
    for number, move in enumerate(thinned(moves(game, seed), seed)):
        for watcher in watchers(move.after):
            if watcher == move.seat:
                continue
            state = game.resample(move.before.state, watcher, Chance(seed, 2_000_000 + number))
            other = dataclasses.replace(move.before, state=state)
            for instead in other.choices(move.seat):
                other_after, told = other.submit(move.seat, instead, epoch=other.epoch)
                if game.view(other_after.state, watcher) == game.view(move.after.state, watcher):
                    assert visible(told, watcher) == visible(move.events, watcher)


def events_know_their_audience(game: AnyGame, seed: bytes) -> None:
    _, first = opening(game, seed)
    for events in itertools.chain([first], (move.events for move in moves(game, seed))):
        for event in events:
            assert isinstance(event, PublicEvent | PrivateEvent)
            if isinstance(event, PrivateEvent):
                assert event not in visible(events, WATCHER)
                assert event in visible(events, event.to)


def every_action_is_reached_once(game: AnyGame, seed: bytes) -> None:
    """Small questions lead to every legal action, each by one path."""
    for match in thinned(positions(game, seed), seed):
        for seat in match.all_seats():
            if choices := match.choices(seat):
                found = list(_reached(choices, ()))
                assert sorted(map(repr, found)) == sorted(map(repr, choices))


def _reached(actions: Any, path: tuple[tuple[int, ...], ...]) -> typing.Iterator[Any]:
    question = ask(actions, path)
    if isinstance(question, Question):
        for i in range(len(question.values)):
            yield from _reached(actions, (*path, (i,)))
    elif isinstance(question, Pick):
        for answer in question.combinations:
            yield from _reached(actions, (*path, answer))
    else:
        yield question


def carried_options_are_accepted(game: AnyGame, seed: bytes) -> None:
    *_, last = positions(game, seed)
    options = {**_options_of(game, seed), **game.carry(last.state)}
    again, _ = start(game, last.seats, seed + b"again", options)
    assert again.pending()


def refusals_say_why(game: AnyGame, seed: bytes) -> None:
    """An illegal action of the right type gets a GameError, also when another seat may take it."""
    seen: dict[Any, None] = {}
    for match in positions(game, seed):
        for seat in match.all_seats():
            for action in match.choices(seat)[:3]:
                seen.setdefault(action)
    for match in thinned(positions(game, seed), seed):
        for seat in match.all_seats():
            choices = match.choices(seat)
            if not choices:
                continue
            for action in [a for a in seen if a not in choices][:5]:
                with pytest.raises(GameError):
                    match.submit(seat, action, epoch=match.epoch)


def tags_are_unique(game: AnyGame) -> None:
    tags: list[str] = []
    for union in (game.action_type, game.event_type):
        for member in typing.get_args(union) or (union,):
            (tag,) = typing.get_args(typing.get_type_hints(member)["kind"])
            assert member.__dataclass_fields__["kind"].default == tag
            tags.append(tag)
    assert len(set(tags)) == len(tags)


def info_is_sane(game: AnyGame) -> None:
    info = game.info
    assert 1 <= info.min_seats <= info.max_seats
    assert info.rules_version >= 1
    assert len({o.key for o in info.options}) == len(info.options)
    for option in info.options:
        assert option.carried or option.default in option.values
        assert len(option.values) <= 25
    assert json.loads(json.dumps(info.settle({}))) == info.settle({})


PER_SEED = (
    ends_and_then_refuses,
    only_pending_seats_have_actions,
    refuses_what_is_not_asked,
    epochs_rise,
    an_old_click_is_stale,
    survives_json,
    replays,
    old_states_never_change,
    views_hide_what_resample_changes,
    news_tells_no_more_than_the_next_view,
    events_know_their_audience,
    every_action_is_reached_once,
    carried_options_are_accepted,
    refusals_say_why,
)
PER_GAME = (tags_are_unique, info_is_sane)
