from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.mischief import Mischief
from tests.engine.mischief import secrecy

GAME = Mischief()


@pytest.mark.parametrize(
    "check",
    [secrecy.a_rounds_news_hides_hands_and_deck, secrecy.public_news_names_only_open_cards],
    ids=lambda check: check.__name__,
)
@given(seed=st.binary(min_size=4, max_size=4))
def test_secrecy(check, seed):
    check(GAME, seed)
