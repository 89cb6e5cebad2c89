"""How fast the engines, a durable move and the computer players are (`make bench`).

Machines differ and are shared, so nothing here is a test. Engines and storage stand beside a
yardstick measured in the same minute: RLCard's UNO, and a bare synchronous insert. Computer players
stand beside what they may take: 300 ms of one core a decision, and a late answer of 50 ms.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random  # noqa: TID251 - a yardstick's dice, not a game's
import sqlite3
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bot.journal import Scribe
from bot.manager import Manager
from bot.registry import GAMES, PLAYERS
from bot.storage import Storage
from bot.tables import AnyMatch, Change, Table
from bot.thinking import (
    DECISIONS_PER_WORKER,
    QUEUE_LONGEST,
    AnyPolicy,
    Players,
    choose,
    new_pool,
)
from engine.chance import Chance
from engine.core import Seat
from engine.errors import NotYourTurn, StaleAction
from engine.match import replay, start

SECONDS = float(os.environ.get("BENCH_SECONDS", "3"))
DECISIONS = int(os.environ.get("BENCH_DECISIONS", "300"))
ROUNDS = 3
SEATS = {"stitches": 5}
TABLES = 100
HOST = 1
HOW = ("as hard", "as normal", "without a choice", "too late")
clock = time.perf_counter


def playouts(game: Any, seconds: float) -> float:
    """Moves a second of random play: legal and apply, events included."""
    seats = SEATS.get(game.info.key, 4)
    pick = random.Random(1).choice  # noqa: S311
    moves, number, end = 0, 0, clock() + seconds
    began = clock()
    while clock() < end:
        number += 1
        seed = number.to_bytes(8, "big")
        match, _ = start(game, seats, seed)
        state, seq = match.state, 0
        while pending := game.pending(state):
            for seat in pending:
                seq += 1
                action = pick(game.legal(state, seat))
                state = game.apply(state, seat, action, Chance(seed, seq)).state
                moves += 1
                break
    return moves / (clock() - began)


def uno(seconds: float) -> float:
    """RLCard's UNO, random legal steps a second."""
    import rlcard

    env = rlcard.make("uno", config={"seed": 1})
    pick = random.Random(1).choice  # noqa: S311
    steps, end = 0, clock() + seconds
    began = clock()
    while clock() < end:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(pick(list(state["legal_actions"])))
            steps += 1
    return steps / (clock() - began)


def engines() -> None:
    """Every engine against the yardstick, alternating, the best of a few rounds each."""
    games = dict(GAMES)
    best = dict.fromkeys(("uno", *games), 0.0)
    for _ in range(ROUNDS):
        best["uno"] = max(best["uno"], uno(SECONDS))
        for key, game in games.items():
            best[key] = max(best[key], playouts(game, SECONDS))
    print(f"RLCard UNO        {best['uno']:>10,.0f} steps/s   1.00")
    for key in games:
        print(f"{key:<17} {best[key]:>10,.0f} moves/s   {best[key] / best['uno']:.2f}")


def long_replay() -> None:
    """A whole random game of the longest kind, replayed from its journal."""
    if (game := GAMES.get("stitches")) is None:
        return
    pick = random.Random(2).choice  # noqa: S311
    match, _ = start(game, 5, b"replay")
    journal: list[tuple[Seat, Any]] = []
    while not match.over:
        seat = min(match.pending())
        action = pick(match.choices(seat))
        journal.append((seat, action))
        match, _ = match.submit(seat, action, epoch=match.epoch)
    took = min(_timed(lambda: replay(game, 5, b"replay", {}, journal)) for _ in range(5))
    print(f"stitches          replay of {len(journal)} actions in {took * 1000:.1f} ms")


def _timed(work: Callable[[], object]) -> float:
    began = clock()
    work()
    return clock() - began


async def durable_moves(folder: Path) -> None:
    """A durable submit against a bare synchronous insert of the same bytes."""
    game = GAMES["fix626"]
    storage = await Storage.open(folder / "moves.db")
    manager = Manager(storage, GAMES, now=clock, thinker=Players(PLAYERS, workers=0))
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)")
    pick = random.Random(3).choice  # noqa: S311
    scribe = Scribe(game)
    ours: list[float] = []
    theirs: list[float] = []
    for number in range(40):
        table = await manager.open("fix626", guild_id=1, channel_id=number, user_id=1, name="a")
        await manager.join(table.id, 2, "b")
        await manager.begin(table.id, 1)
        while table.record.live:
            match = table.begun
            seat = min(match.pending())
            action = pick(match.choices(seat))
            began = clock()
            await manager.submit(table.id, seat + 1, action, epoch=match.epoch)
            ours.append(clock() - began)
            body = scribe.codec.dump_state(table.begun.state)
            began = clock()
            bare.execute("INSERT INTO rows (body) VALUES (?)", (body,))
            theirs.append(clock() - began)
    bare.close()
    await manager.close()
    await storage.close()
    mine, base = statistics.median(ours), statistics.median(theirs)
    print(f"bare insert       {base * 1000:>10.2f} ms        1.00   (median of {len(theirs)})")
    more = 1000 * (mine - base)
    print(
        f"durable submit    {mine * 1000:>10.2f} ms        {mine / base:.2f}   ({more:.2f} ms more)"
    )


class Counted(Players):
    """Computer players, and how their decisions were made."""

    def __init__(self) -> None:
        super().__init__(PLAYERS, workers=1)
        self.made: Counter[str] = Counter()

    async def decide(self, match: AnyMatch, seat: Seat, level: str) -> object:
        how = "as normal" if self._hard >= QUEUE_LONGEST else "as hard"
        if len(match.choices(seat)) == 1:
            how = "without a choice"
        try:
            decided = await super().decide(match, seat, level)
        except asyncio.CancelledError:
            self.made["too late"] += 1  # the rules' fallback is played
            raise
        self.made[how] += 1
        return decided


class Crowd:
    """Tables of one person, who answers at once, and hard computer players; games take turns."""

    def __init__(self, manager: Manager) -> None:
        self.manager = manager
        self.open_for_more = True
        self._answers: set[asyncio.Task[None]] = set()
        manager.listen(self._changed)

    async def open(self, number: int) -> None:
        """Table `number`, in a channel of its own."""
        game = list(GAMES.values())[number % len(GAMES)]
        least, most = game.info.min_seats, game.info.max_seats
        table = await self.manager.open(
            game.info.key, guild_id=1, channel_id=number, user_id=HOST, name="Ann"
        )
        for seat in range(1, least + number % (most - least + 1)):
            await self.manager.add_computer(table.id, HOST, f"Chip {seat}", "hard")
        await self.manager.begin(table.id, HOST)

    async def close(self) -> None:
        self.open_for_more = False
        while self._answers:
            await asyncio.wait(set(self._answers))

    def _changed(self, change: Change) -> None:
        table = change.table
        if not self.open_for_more or table.match is None:
            return
        if not table.record.live:
            work = self.open(table.record.channel_id)
        elif table.waiting_for():
            work = self._answer(table, table.match, table.waiting_for()[0])
        else:
            return
        task = asyncio.create_task(work)
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _answer(self, table: Table, match: AnyMatch, seat: Seat) -> None:
        action = match.game.fallback(match.state, seat)
        with contextlib.suppress(StaleAction, NotYourTurn):  # asked twice about one question
            await self.manager.submit(table.id, HOST, action, epoch=match.epoch)


async def loop_lag(folder: Path) -> None:
    """How late the event loop hears a press while computer players think at a hundred tables."""
    storage = await Storage.open(folder / "lag.db")
    players = Counted()
    manager = Manager(storage, GAMES, now=clock, thinker=players)
    crowd = Crowd(manager)
    for number in range(TABLES):
        await crowd.open(number)
    ticking = asyncio.create_task(_ticks(manager))
    await asyncio.sleep(2)  # until the worker has started
    players.made.clear()
    late = await _late(4 * SECONDS)
    made = ", ".join(f"{players.made[how]} {how}" for how in HOW)
    ticking.cancel()
    await crowd.close()
    await manager.close()
    await players.close()
    await storage.close()
    print(f"{TABLES} tables        decisions in {4 * SECONDS:.0f} s: {made}")
    for whose, times in zip(("", ", by own work"), zip(*late, strict=True), strict=True):
        spread = _spread(times, 0.5, 0.99, 1)
        print(f"{'':<17} the event loop is late by {spread}{whose}; may: 50 ms (99 %)")


async def _ticks(manager: Manager) -> None:
    """The clock of all tables, as the client keeps it."""
    while True:
        await manager.tick()
        await asyncio.sleep(1)


async def _late(seconds: float, step: float = 0.002) -> list[tuple[float, float]]:
    """For moments at equal distances: how much later than then the loop came to hear of it, and
    how much of that it worked itself; for the rest the machine was busy with others.
    """
    late: list[tuple[float, float]] = []
    at, worked = clock(), time.thread_time()
    end = at + seconds
    while at < end:
        await asyncio.sleep(max(0.0, at - clock()))
        now, own = clock(), time.thread_time() - worked
        while at <= now:  # whoever presses during a long stall waits for the rest of it
            late.append((now - at, min(now - at, own)))
            at += step
        worked = time.thread_time()
    return late


def decisions() -> None:
    """What a hard decision costs in the worker, and what the worker keeps of it."""
    spent: dict[str, list[float]] = {key: [] for key in GAMES}
    sizes: list[int] = []
    with new_pool(1) as pool:
        for key, *job in _positions():
            cpu, size = pool.submit(measured, *job).result()
            spent[key].append(cpu)
            sizes.append(size)
    for key, times in spent.items():
        print(
            f"{key:<17} a hard decision takes {_spread(times, 0.5, 0.95, 1)} of a core; may: 300 ms"
        )
    if sizes[0]:
        print(
            f"worker            {sizes[0] / 1024:.0f} MB at first, {max(sizes) / 1024:.0f} MB at "
            f"most in {len(sizes)} decisions; replaced after {DECISIONS_PER_WORKER}"
        )


def _positions() -> Iterator[tuple[str, AnyPolicy, Any, tuple[Any, ...], bytes, int]]:
    """Real choices: games of normal players, as many of each, with every number of seats."""
    for key, game in GAMES.items():
        least, most = game.info.min_seats, game.info.max_seats
        left, number = DECISIONS, 0
        while left:
            seats = least + number % (most - least + 1)
            match, _ = start(game, seats, number.to_bytes(32, "big"))
            number += 1
            while left and not match.over:
                seat = min(match.pending())
                legal, view = match.choices(seat), match.view(seat)
                dice = b"player %d" % seat + match.seed
                if len(legal) > 1 and match.seq % 3 == 0:
                    left -= 1
                    yield key, PLAYERS[key]["hard"], view, legal, dice, match.seq
                action = PLAYERS[key]["normal"](view, legal, Chance(dice, match.seq))
                match, _ = match.submit(seat, action, epoch=match.epoch)


def _spread(seconds: Sequence[float], *shares: float) -> str:
    """The time within which these shares of all were done."""
    ordered = sorted(seconds)
    times = (1000 * ordered[int(share * (len(ordered) - 1))] for share in shares)
    return ", ".join(f"{t:.1f} ms ({s:.0%})" for t, s in zip(times, shares, strict=True))


def measured(
    policy: AnyPolicy, view: Any, legal: tuple[Any, ...], key: bytes, seq: int
) -> tuple[float, int]:
    """In the worker: the CPU time of a decision, and the kilobytes that the worker now holds."""
    began = time.process_time()
    choose(policy, view, legal, key, seq)
    return time.process_time() - began, _kilobytes()


def _kilobytes() -> int:
    """The memory of this process; 0 where it can't be told."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def main() -> None:
    engines()
    long_replay()
    decisions()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(durable_moves(Path(folder)))
        asyncio.run(loop_lag(Path(folder)))


if __name__ == "__main__":
    main()
