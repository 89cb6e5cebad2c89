"""Where computer players think: a process of their own, so that no table waits for another's."""

from __future__ import annotations

import asyncio
import hashlib
import logging
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
Job = tuple[AnyPolicy, Any, tuple[Any, ...], bytes, int]
"""What `choose` is given."""

log = logging.getLogger(__name__)

HARD, NORMAL = "hard", "normal"

THOUGHTFUL = frozenset({HARD, NORMAL})
"""Levels that may think too long for the event loop."""

QUEUE_LONGEST = 6
"""Hard decisions that may wait for a worker; past that, a hard player plays as a normal one."""

DECISIONS_PER_WORKER = 5_000
"""After so many, on average, the workers are replaced: what they hold on to stays bounded."""


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

    `workers` processes think for the thoughtful levels; with none, everything is decided here. That
    holds up the event loop for one decision at a time, however many are asked for.
    """

    def __init__(self, policies: Mapping[str, Levels], *, workers: int = 1) -> None:
        self._policies = policies
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._given = 0  # decisions that the pool was given
        self._hard = 0  # hard ones among them that are not made yet
        self._here = asyncio.Lock()

    async def decide(self, match: AnyMatch, seat: Seat, level: str) -> object:
        """The action of a player of this level; the same each time it is asked at one position."""
        legal = match.choices(seat)
        if len(legal) == 1:
            return legal[0]
        if self._workers and level in THOUGHTFUL:
            if level == HARD and self._hard >= QUEUE_LONGEST:
                level = NORMAL
            try:
                return legal[await self._in_worker(level, self._job(match, seat, level))]
            except (BrokenProcessPool, OSError) as error:
                # A worker died (out of memory, most likely), or none can be started.
                log.warning("no worker to think in: %r", error)
                level = NORMAL
        async with self._here:
            # Others are heard between two decisions: the loop runs all that is ready, then listens.
            await asyncio.sleep(0)
            return legal[choose(*self._job(match, seat, level))]

    def _job(self, match: AnyMatch, seat: Seat, level: str) -> Job:
        policy = self._policies[match.game.info.key][level]
        key = _key(match.seed, seat)
        return policy, match.view(seat), match.choices(seat), key, match.seq

    async def _in_worker(self, level: str, job: Job) -> int:
        pool = self._pool_for_one_more()
        self._hard += level == HARD
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, choose, *job)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None  # the next decision gets new workers
            raise
        finally:
            self._hard -= level == HARD

    def _pool_for_one_more(self) -> ProcessPoolExecutor:
        # Not by max_tasks_per_child: where tasks queue, the pool may forget to start the next
        # worker, and then nobody thinks any more (https://github.com/python/cpython/issues/115634).
        if self._pool is not None and self._given >= DECISIONS_PER_WORKER * self._workers:
            self._pool.shutdown(wait=False)  # it still decides what it was asked before
            self._pool = None
        if self._pool is None:
            self._pool, self._given = new_pool(self._workers), 0
        self._given += 1
        return self._pool

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


def new_pool(workers: int) -> ProcessPoolExecutor:
    """Processes to think in; they start when they are needed."""
    # A forked child would hold the database's lock after the bot was killed: spawn.
    return ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_become_worker,
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
