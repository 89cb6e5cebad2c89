"""The computer players: what they believe, and that thinking helps."""

from __future__ import annotations

import pickle
from functools import cache
from itertools import islice

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.fix626.belief import CARDS, Belief, imagined
from engine.fix626.cards import full_deck
from engine.fix626.model import Action, State, View
from engine.fix626.policy import LEVELS, hard, normal
from engine.match import Match, start
from engine.policy import Policy, at_random
from tests.engine.fix626.scenarios import GAME
from tests.playout import positions

numbers = pytest.mark.parametrize("number", range(5))


@cache
def asked(number: int, games: int = 3) -> list[tuple[Match[State, Action, View], Seat]]:
    """Positions of random matches in which somebody is asked."""
    found = []
    for game in range(games):
        for match in positions(GAME, b"%d/%d" % (number, game)):
            found += [(match, seat) for seat in match.pending()]
    return found


def test_every_level_has_a_player():
    assert set(LEVELS) == {"easy", "normal", "hard"}
    assert LEVELS["hard"] is hard


@pytest.mark.parametrize("level", LEVELS)
def test_travels_to_a_worker(level):
    for match, seat in islice(asked(2), 0, None, 9):
        sent = (match.view(seat), match.choices(seat))
        assert there_and_back(sent) == sent
    assert there_and_back(LEVELS[level]) is LEVELS[level]
    assert there_and_back(Chance(b"seed", 7)).below(1000) == Chance(b"seed", 7).below(1000)


def there_and_back(value):
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own


# What a belief promises


@numbers
def test_the_truth_is_always_possible(number):
    for match, seat in asked(number)[::3]:
        belief, state = Belief(match.view(seat)), match.state
        truth = {belief_cards(state, belief.others)}
        assert truth <= {joint_cards(joint) for joint in belief.joints()}


@numbers
def test_what_is_known_is_certain(number):
    for match, seat in asked(number)[::3]:
        view = match.view(seat)
        odds = Belief(view).odds()
        for other, card in enumerate(view.known):
            if card is not None and not view.places[other].out:
                assert odds[Seat(other)][card.number] == pytest.approx(1)


@numbers
def test_odds_add_up(number):
    for match, seat in asked(number)[::3]:
        for reads_plays in (True, False):
            for odds in Belief(match.view(seat), reads_plays=reads_plays).odds().values():
                assert sum(odds) == pytest.approx(1)


@numbers
def test_worlds_look_like_the_view(number):
    """An imagined world holds the round's cards, and its seat sees in it what it sees."""
    for index, (match, seat) in enumerate(asked(number)[::9]):
        view = match.view(seat)
        belief = Belief(view)
        worlds = belief.worlds(5, Chance(b"worlds", index)) + belief.all_worlds(50)
        assert worlds
        for world in worlds:
            state = imagined(view, world.hands, world.deck, world.aside)
            piles = (card for pile in state.piles for card in pile)
            hands = (card for hand in state.hands for card in hand)
            assert sorted([*piles, *hands, *state.deck, state.aside]) == sorted(
                full_deck(match.seats)
            )
            assert GAME.view(state, seat) == view
            assert GAME.legal(state, seat) == match.choices(seat)


def test_odds_are_those_of_counting():
    """Without reading plays, the odds are those of dealing the unseen cards again and again."""
    match, _ = start(GAME, 3, b"counting")
    (seat,) = match.pending()
    odds = Belief(match.view(seat), reads_plays=False).odds()
    unseen = list(full_deck(3))
    for card in match.view(seat).hand:
        unseen.remove(card)
    for row in odds.values():
        for guess, chance in enumerate(row):
            assert chance == pytest.approx(sum(c.number == guess for c in unseen) / len(unseen))


def belief_cards(state: State, seats: tuple[Seat, ...]) -> tuple[str, ...]:
    return tuple(state.hands[seat][0].value for seat in seats)


def joint_cards(joint) -> tuple[str, ...]:
    return tuple(CARDS[index].value for index in joint.cards)


# Strength, roughly; tools/ladder.py measures it


@pytest.mark.parametrize(("seats", "least"), [(2, 0.58), (4, 0.35)])
def test_normal_beats_chance(seats, least):
    assert share(normal, at_random, seats, 160 // seats) > least


def share(hero: Policy[View, Action], foe: Policy[View, Action], seats: int, deals: int) -> float:
    """How many first rounds the hero wins, with the seats rotated."""
    won = 0.0
    for number in range(deals * seats):
        seed = b"deal %d" % (number // seats)
        match, _ = start(GAME, seats, seed)
        while match.state.round == 1:
            (seat,) = match.pending()
            policy = hero if seat == number % seats else foe
            action = policy(match.view(seat), match.choices(seat), Chance(seed, match.seq))
            match, _ = match.submit(seat, action, epoch=match.epoch)
        last = match.view(None).last
        assert last is not None
        won += (number % seats in last.winners) / len(last.winners)
    return won / deals / seats
