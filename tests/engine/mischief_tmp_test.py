import pytest
from hypothesis import given, settings, strategies as st
from engine.mischief import Mischief
from tests.contract import rules
G=Mischief()
@pytest.mark.parametrize("check", rules.PER_SEED, ids=lambda c:c.__name__)
@settings(max_examples=12)
@given(seed=st.binary(min_size=4,max_size=4))
def test_seed(check, seed): check(G, seed)
@pytest.mark.parametrize("check", rules.PER_GAME, ids=lambda c:c.__name__)
def test_game(check): check(G)
def test_res(): assert rules.resample_changes_something(G,b'1234')
