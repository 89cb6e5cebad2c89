"""How fast the engines and a durable move are: ratios measured in one run (`make bench`).

Machines differ and are shared, so nothing here is a test and every figure stands beside a yardstick
measured in the same minute: RLCard's UNO for the engines, a bare synchronous insert for storage.
"""

from __future__ import annotations

import asyncio
import os
import random  # noqa: TID251 - a yardstick's dice, not a game's
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.journal import Scribe
from bot.manager import Manager
from bot.registry import GAMES, PLAYERS
from bot.storage import Storage
from bot.thinking import Players
from engine.chance import Chance
from engine.core import Seat
from engine.match import replay, start

SECONDS = float(os.environ.get("BENCH_SECONDS", "3"))
ROUNDS = 3
SEATS = {"stitches": 5}
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
    print(f"durable submit    {mine * 1000:>10.2f} ms        {mine / base:.2f}")


def main() -> None:
    engines()
    long_replay()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(durable_moves(Path(folder)))


if __name__ == "__main__":
    main()
