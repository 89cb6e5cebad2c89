"""The invariants and the strongest secrecy check, over random games."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fix626 import Fix626
from tests.engine.fix626 import invariants, secrecy

seeds = st.binary(min_size=4, max_size=4)


@pytest.mark.parametrize("check", invariants.ALL, ids=lambda check: check.__name__)
@given(seed=seeds)
def test_invariant(check, seed):
    check(Fix626(), seed)


@given(seed=seeds)
def test_the_round_could_have_gone_so(seed):
    secrecy.the_round_could_have_gone_so(Fix626(), seed)
