"""Where computer players think: a process of their own, so that no table waits for another's."""

from __future__ import annotations

import asyncio
import hashlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from bot.tables import AnyMatch
from engine.chance import Chance
from engine.core import Seat
from engine.policy import Policy

AnyPolicy = Policy[Any, Any]
Levels = Mapping[str, AnyPolicy]

SLOW_LEVELS = frozenset({"hard"})
"""Levels that think too long for the event loop."""

QUEUE_LONGEST = 6
"""Decisions that may wait for a worker; past that, a hard player plays as a normal one."""

DECISIONS_PER_WORKER = 2_000
"""After so many a worker is replaced, so that what it holds on to stays bounded."""


class Thinker(Protocol):
    """Decides for a seat that no person answers for."""

    async def decide(self, match: AnyMatch, seat: Seat, level: str) -> object:
        """A legal action; may take a while, and is cancelled when the table moves on."""
        ...

    async def close(self) -> None:
        """Stop whatever thinks."""
        ...


class Players:
    """Thinks by the games' own policies, which see what a person in the seat would see.

    `workers` processes think for the slow levels; with none, everything is decided at once, here.
    """

    def __init__(self, policies: Mapping[str, Levels], *, workers: int = 1) -> None:
        self._policies = policies
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._waiting = 0

    async def decide(self, match: AnyMatch, seat: Seat, level: str) -> object:
        """The action of a player of this level; the same each time it is asked at one position."""
        levels = self._policies[match.game.info.key]
        legal = match.choices(seat)
        slow = level in SLOW_LEVELS and self._workers > 0
        if slow and self._waiting >= QUEUE_LONGEST:
            level, slow = "normal", False
        job = (levels[level], match.view(seat), legal, _key(match.seed, seat), match.seq)
        if len(legal) == 1:
            return legal[0]
        return legal[await self._in_worker(job) if slow else choose(*job)]

    async def _in_worker(self, job: tuple[AnyPolicy, Any, tuple[Any, ...], bytes, int]) -> int:
        if self._pool is None:
            self._pool = _new_pool(self._workers)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, choose, *job)
        except BrokenProcessPool:
            # A worker died (out of memory, most likely): the next decision gets new ones.
            self._pool = None
            raise
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Let the workers end; what they were thinking about is dropped."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def choose(policy: AnyPolicy, view: Any, legal: tuple[Any, ...], key: bytes, seq: int) -> int:
    """Which of `legal` the policy takes. Runs in a worker, so it sends a number back."""
    return legal.index(policy(view, legal, Chance(key, seq)))


def _key(seed: bytes, seat: Seat) -> bytes:
    """A stream of chance for this player, from which nothing of the deck can be told."""
    return hashlib.sha256(b"computer player %d" % seat + seed).digest()


def _new_pool(workers: int) -> ProcessPoolExecutor:
    # A forked child would hold the database's lock after the bot was killed: spawn.
    return ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_become_worker,
        max_tasks_per_child=DECISIONS_PER_WORKER,
    )


def _become_worker() -> None:
    """Yield to the bot, leave Ctrl-C to it, and end when it does, even if it was killed."""
    os.nice(5)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=end_with_parent, daemon=True).start()
