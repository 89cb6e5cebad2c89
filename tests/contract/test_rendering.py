"""Every check of tests/contract/rendering.py over every registered game."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.registry import GAMES, PRESENTERS
from tests.contract import rendering

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
seeds = st.binary(min_size=4, max_size=4)
EXAMPLES = 200 if os.environ.get("SOAK") else 4


def test_every_game_has_its_words() -> None:
    assert set(PRESENTERS) == set(GAMES)


@games
@pytest.mark.parametrize("check", rendering.PER_SEED, ids=lambda check: check.__name__)
@settings(max_examples=EXAMPLES)
@given(seed=seeds)
async def test_what_people_see_of(game, check, seed):
    check(game, seed)


@games
@settings(max_examples=2)
@given(seed=seeds)
async def test_names_made_of_markdown_fit(game, seed):
    rendering.fits_discord(game, seed, names=rendering.MARKDOWN_NAMES)
