"""All computer players of all games decide by nothing but what their seat sees, and by chance."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.fix626 import Fix626
from engine.fix626 import policy as fix626
from engine.fix626.search import searched as searched_fix626
from engine.mischief import Mischief
from engine.mischief import policy as mischief
from engine.mischief.search import searched as searched_mischief
from engine.stitches import Stitches
from engine.stitches import policy as stitches
from engine.stitches.search import searched as searched_stitches
from tests.playout import AnyGame, AnyMatch, opening

GAMES: dict[str, AnyGame] = {"fix626": Fix626(), "mischief": Mischief(), "stitches": Stitches()}
LEVELS = {"fix626": fix626.LEVELS, "mischief": mischief.LEVELS, "stitches": stitches.LEVELS}


def hard_stitches(view, legal, chance):
    """The search, where the hard player searches."""
    keeps = view.stage == "keep"
    return stitches.hard(view, legal, chance) if keeps else briefly_stitches(view, legal, chance)


briefly_stitches = partial(searched_stitches, steps=40)
BRIEFLY = {
    "fix626": partial(searched_fix626, rollouts=12),
    "mischief": partial(searched_mischief, games=20),
    "stitches": hard_stitches,
}
POSITIONS = {"easy": 1000, "normal": 1000, "hard": 200}

games = pytest.mark.parametrize("key", GAMES)
levels = pytest.mark.parametrize("level", POSITIONS)


def asked(key: str, parts: int = 1) -> Iterator[tuple[AnyMatch, Seat]]:
    """One in `parts` of the positions of endless games, played now well, now at random."""
    game, normal = GAMES[key], LEVELS[key]["normal"]
    number = 0
    for played in count():
        dice = Chance(b"asked", played)
        match, _ = opening(game, b"%d" % played)
        while not match.over:
            for seat in match.all_seats():
                if len(match.choices(seat)) > 1:
                    number += 1
                    if number % parts == 0:
                        yield match, seat
            seat = min(match.pending())
            legal = match.choices(seat)
            well = dice.below(3) == 0
            action = normal(match.view(seat), legal, dice) if well else dice.pick(legal)
            match, _ = match.submit(seat, action, epoch=match.epoch)


def decides_alike(key, player, match, seat, number):
    """Whether hidden things differed; what `player` does must not."""
    other = GAMES[key].resample(match.state, seat, Chance(b"other", number))
    actions = []
    for state in (match.state, other, match.state):
        legal = GAMES[key].legal(state, seat) or GAMES[key].revisions(state, seat)
        actions.append(player(GAMES[key].view(state, seat), legal, Chance(b"dice", number)))
    assert actions[0] in match.choices(seat)
    assert actions == [actions[0]] * 3
    return other != match.state


@games
@levels
def test_what_a_seat_cannot_see_changes_nothing(key, level):
    player = BRIEFLY[key] if level == "hard" else LEVELS[key][level]
    parts = 3 if level == "hard" else 1
    differed = [
        decides_alike(key, player, match, seat, number)
        for number, (match, seat) in enumerate(islice(asked(key, parts), POSITIONS[level]))
    ]
    assert sum(differed) > len(differed) * 0.8


@games
def test_nor_does_it_when_hard_thinks_as_long_as_it_may(key):
    for number, (match, seat) in enumerate(islice(asked(key, 17), 6)):
        decides_alike(key, LEVELS[key]["hard"], match, seat, number)


def test_a_player_that_remembers_is_found_out():
    memory: list[object] = []

    def remembers(view: object, legal: tuple[object, ...], chance: Chance) -> object:
        memory.append(view)
        return legal[len(memory) % 2]

    match, seat = next(asked("fix626"))
    with pytest.raises(AssertionError):
        decides_alike("fix626", remembers, match, seat, 0)


def decisions() -> list[str]:
    """What every player does in some positions of every game."""
    found: list[str] = []
    for key, players in LEVELS.items():
        for number, (match, seat) in enumerate(islice(asked(key, 5), 100)):
            for level, player in players.items():
                if level != "hard" or number % 10 == 0:
                    thinks = BRIEFLY[key] if level == "hard" else player
                    chance = Chance(b"decisions", number)
                    found.append(repr(thinks(match.view(seat), match.choices(seat), chance)))
    return found


def test_another_process_decides_alike():
    """Sets of words have another order there."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import decisions; print(decisions())"],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            stdout=subprocess.PIPE,
        )
        for hash_seed in ("1", "2")
    ]
    told = [process.communicate()[0] for process in processes]
    assert told[0] == told[1]
    assert len(told[0]) > 10_000
