"""Every game still plays and reads as its golden playthrough says (see tests/golden.py)."""

from __future__ import annotations

import pytest

from bot.registry import GAMES, PRESENTERS
from tests import golden


@pytest.mark.parametrize("key", PRESENTERS)
def test_a_game_plays_and_reads_as_written(key):
    file = golden.written(key)
    assert file.exists(), "python -m tests.golden --write, and read what it wrote"
    assert golden.playthrough(key) == file.read_text("utf-8")


def test_no_playthrough_is_left_of_a_game_that_is_gone():
    assert {file.stem for file in golden.FOLDER.glob("*.txt")} <= set(GAMES)
