"""The table of rulings 2.1, and the number of rolls to come, by counting."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from engine.mischief.odds import icons, roll_chances, rolls, saving, saving_play
from tests.engine.mischief.scenarios import card

TABLE = {
    1: ("83.3", "69.4", "57.9"),
    2: ("66.7", "44.4", "29.6"),
    3: ("50.0", "25.0", "12.5"),
    4: ("33.3", "11.1", "3.7"),
    5: ("16.7", "2.8", "0.5"),
    6: ("0.0", "0.0", "0.0"),
}


def cards(text):
    return [card(word, number) for number, word in enumerate(text.split())]


@pytest.mark.parametrize("different", TABLE)
def test_the_table_of_chances(different):
    chances = (f"{float(100 * saving(different, times)):.1f}" for times in (1, 2, 3))
    assert tuple(chances) == TABLE[different]


def test_different_icons_are_counted_once():
    assert icons(cards("rHU rU rUC")) == 3


@pytest.mark.parametrize(("nice", "naughty"), [(0, 0), (1, 0), (0, 1), (2, 1)])
@pytest.mark.parametrize("others", range(6))
def test_roll_chances_count_every_way(nice, naughty, others):
    unseen = cards("rH+ rU+ yC- yP- yS- gR gH")
    counted = Counter(
        rolls(
            nice + sum(c.symbol == "nice" for c in laid),
            naughty + sum(c.symbol == "naughty" for c in laid),
        )
        for laid in combinations(unseen, others)
    )
    expected = {times: Fraction(counted[times], counted.total()) for times in (1, 2, 3)}
    assert roll_chances(nice, naughty, unseen, others) == expected


def test_the_chance_of_a_play_goes_over_all_numbers_of_rolls():
    unseen = cards("rH+ yC-")
    assert saving_play(cards("gH"), unseen, 1) == (saving(1, 1) + saving(1, 3)) / 2
    assert saving_play(cards("gH+"), [], 2) == saving(1, 1)
