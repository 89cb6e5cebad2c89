"""Where computer players think: not in the way of others, and always to an end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot import thinking
from bot.registry import GAMES, PLAYERS
from bot.thinking import QUEUE_LONGEST, Players
from engine.chance import Chance
from engine.core import Seat
from engine.match import Match, start
from tests.bot.toy import Show, Toy

FIRST = Seat(0)


def at_once(view, legal, chance: Chance):
    return legal[0]


def slowly(view, legal, chance: Chance):
    return legal[1]


def where(view, legal, chance: Chance):
    """Another answer here than in a worker."""
    return legal[1 if os.getpid() == int(os.environ["HERE"]) else 2]


def dies(view, legal, chance: Chance):
    os._exit(1)


class OneChoice(Toy):
    def legal(self, state, seat):
        return super().legal(state, seat)[:1]


LEVELS = {"easy": at_once, "normal": at_once, "hard": slowly}


def a_match(number: int = 0) -> Match:
    return start(Toy(), 2, b"%32d" % number)[0]


def players(workers: int = 1, **levels) -> Players:
    return Players({"toy": {**LEVELS, **levels}}, workers=workers)


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[ThreadPoolExecutor]]:
    """Threads instead of processes, which take no time to start; every pool that was made."""
    made: list[ThreadPoolExecutor] = []

    def new_pool(workers: int) -> ThreadPoolExecutor:
        made.append(ThreadPoolExecutor(workers))
        return made[-1]

    monkeypatch.setattr(thinking, "new_pool", new_pool)
    yield made
    for pool in made:
        pool.shutdown()


def still_taken(pool: ThreadPoolExecutor) -> bool:
    try:
        pool.submit(int)
    except RuntimeError:
        return False
    return True


async def test_with_one_choice_nobody_thinks(pools):
    match, _ = start(OneChoice(), 2, bytes(32))
    assert await players(hard=dies).decide(match, FIRST, "hard") == Show(0)
    assert not pools


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
@pytest.mark.parametrize("key", PLAYERS)
async def test_it_decides_the_same_wherever_it_thinks(key, level, pools):
    match, _ = start(GAMES[key], GAMES[key].info.min_seats, bytes(32))
    seat = min(match.pending())
    here, there = Players(PLAYERS, workers=0), Players(PLAYERS, workers=1)
    decided = await here.decide(match, seat, level)
    assert await there.decide(match, seat, level) == decided
    assert decided in match.choices(seat)
    assert len(pools) == (level != "easy")


async def test_past_the_longest_queue_a_hard_player_plays_as_a_normal_one(pools):
    crowd = players()
    decided = await asyncio.gather(
        *(crowd.decide(a_match(n), FIRST, "hard") for n in range(QUEUE_LONGEST + 3))
    )
    assert [action.number for action in decided] == [1] * QUEUE_LONGEST + [0] * 3
    assert (await crowd.decide(a_match(), FIRST, "hard")).number == 1


async def test_between_two_decisions_made_here_others_are_heard():
    happened: list[str] = []

    def thinks(view, legal, chance):
        happened.append("decided")
        return legal[0]

    async def other() -> None:
        while happened.count("decided") < 4:
            await asyncio.sleep(0)
            happened.append("heard")

    here = players(workers=0, hard=thinks)
    deciding = [here.decide(a_match(n), FIRST, "hard") for n in range(4)]
    await asyncio.gather(other(), *deciding)
    assert happened.count("decided") == 4
    assert "decided decided" not in " ".join(happened)


async def test_workers_are_replaced_and_nothing_asked_of_them_is_lost(pools, monkeypatch):
    monkeypatch.setattr(thinking, "DECISIONS_PER_WORKER", 3)
    many = players(workers=2)
    decided = await asyncio.gather(*(many.decide(a_match(n), FIRST, "normal") for n in range(20)))
    assert [action.number for action in decided] == [0] * 20
    assert len(pools) == 4
    assert [still_taken(pool) for pool in pools] == [False, False, False, True]


async def test_real_workers_are_replaced_while_decisions_wait(monkeypatch):
    """The pool of the standard library, left to do it, forgets to start the next worker."""
    monkeypatch.setattr(thinking, "DECISIONS_PER_WORKER", 6)
    monkeypatch.setenv("HERE", str(os.getpid()))
    many = players(normal=where)
    for _ in range(2):
        decided = await asyncio.gather(
            *(many.decide(a_match(n), FIRST, "normal") for n in range(5))
        )
        assert [action.number for action in decided] == [2] * 5, "a worker decides"
    await many.close()


async def test_when_a_worker_dies_it_is_decided_here(monkeypatch, caplog):
    monkeypatch.setenv("HERE", str(os.getpid()))
    unlucky = players(normal=where, hard=dies)
    match = a_match()
    decided = await asyncio.gather(*(unlucky.decide(match, FIRST, "hard") for _ in range(3)))
    assert [action.number for action in decided] == [1] * 3
    assert "no worker to think in" in caplog.text
    assert (await unlucky.decide(match, FIRST, "normal")).number == 2, "there is a new worker"
    await unlucky.close()


async def test_where_no_worker_can_start_it_is_decided_here(monkeypatch, caplog):
    def none(workers: int) -> ThreadPoolExecutor:
        raise OSError("no semaphores here")

    monkeypatch.setattr(thinking, "new_pool", none)
    assert (await players().decide(a_match(), FIRST, "hard")).number == 0
    assert "no semaphores here" in caplog.text
