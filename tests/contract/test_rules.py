"""Every check of tests/contract/rules.py over every registered game."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.registry import GAMES
from tests.contract import rules

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
seeds = st.binary(min_size=4, max_size=4)


@games
@pytest.mark.parametrize("check", rules.PER_SEED, ids=lambda check: check.__name__)
@given(seed=seeds)
def test_rules_of(game, check, seed):
    check(game, seed)


@games
@pytest.mark.parametrize("check", rules.PER_GAME, ids=lambda check: check.__name__)
def test_facts_of(game, check):
    check(game)


@games
@settings(max_examples=1)
@given(seed=seeds)
def test_resample_replaces_secrets(game, seed):
    assert rules.resample_changes_something(game, seed)
