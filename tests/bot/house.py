"""A manager on a real database, with a clock that stands still and an obedient disk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from bot.database import StorageBusy
from bot.manager import Manager
from bot.records import Presence, Record, Stage
from bot.storage import Storage
from bot.tables import AnyMatch, Change, Table
from engine.codec import Codec
from engine.core import Seat
from engine.errors import GameError
from engine.fix626 import Fix626
from engine.match import replay
from tests.bot.toy import Toy

T = TypeVar("T")

ANN, BOB, CLEO, DAN, EVE = 1, 2, 3, 4, 5
NAMES = {ANN: "Ann", BOB: "Bob", CLEO: "Cleo", DAN: "Dan", EVE: "Eve"}
START = 1_000_000.0
THINK = 1.5


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> float:
        return self.time


class ScriptedStorage(Storage):
    """The real storage; its writes fail, or take some turns of the event loop, as scripted."""

    refuses: int = 0  # how many of the next writes fail
    before: int = 0
    after: int = 0
    written: int = 0

    async def _write(self, work: Any) -> Any:
        for _ in range(self.before):
            await asyncio.sleep(0)
        if self.refuses:
            self.refuses -= 1
            raise StorageBusy(cause="test")
        result = await super()._write(work)
        self.written += 1
        for _ in range(self.after):
            await asyncio.sleep(0)
        return result


class Fallback:
    """Decides at once."""

    async def decide(self, match: AnyMatch, seat: Seat, level: str) -> object:
        return match.game.fallback(match.state, seat)


class House:
    """What the tests play in."""

    def __init__(self, path: Path, thinker: Any = None, longest: float = 5.0) -> None:
        self.path = path
        self.clock = Clock()
        self.thinker = thinker or Fallback()
        self.longest = longest
        self.games = {"toy": Toy(), "fix626": Fix626()}
        self.heard: list[Change] = []
        self.storage: ScriptedStorage
        self.manager: Manager

    async def open(self) -> list[int]:
        """Start the bot; the ids of the tables that are broken."""
        storage = await ScriptedStorage.open(self.path)
        assert isinstance(storage, ScriptedStorage)
        self.storage = storage
        self.manager = Manager(
            storage,
            self.games,
            now=self.clock,
            thinker=self.thinker,
            think_seconds=THINK,
            thinking_longest=self.longest,
        )
        self.manager.listen(self.heard.append)
        return [damaged.id for damaged in await self.manager.restore()]

    async def close(self) -> None:
        try:
            await self.manager.close()
        finally:
            await self.storage.close()  # its thread would keep Python from ending

    async def kill(self) -> None:
        """What is left of a bot that was killed: the file."""
        await self.storage.close()

    # --- what people do ----------------------------------------------------------------------

    async def lobby(self, *people: int, game: str = "toy", channel: int = 70, **how: Any) -> Table:
        """A lobby with these people; the first is its host."""
        host, *others = people
        table = await self.manager.open(
            game, guild_id=7, channel_id=channel, user_id=host, name=NAMES[host], **how
        )
        for user in others:
            await self.manager.join(table.id, user, NAMES[user])
        return table

    async def game(
        self, *people: int, computers: int = 0, game: str = "toy", channel: int = 70, **how: Any
    ) -> Table:
        """A game that has begun."""
        table = await self.lobby(*people, game=game, channel=channel, **how)
        for number in range(computers):
            await self.manager.add_computer(table.id, people[0], f"Chip {number}", "easy")
        await self.manager.begin(table.id, people[0])
        return table

    async def show(self, table: Table, user: int, number: int = 0) -> None:
        from tests.bot.toy import Show

        await self.manager.submit(table.id, user, Show(number), epoch=table.begun.epoch)

    async def play(self, table: Table, user: int | None = None) -> None:
        """The first legal action of whoever is asked, or of `user`."""
        match = table.begun
        seat = min(match.pending()) if user is None else table.record.seat_of(user)
        assert seat is not None
        owner = table.record.sitters[seat].user_id
        assert owner is not None
        action = match.choices(seat)[0]
        await self.manager.submit(table.id, owner, action, epoch=match.epoch)

    async def pass_time(self, seconds: float) -> None:
        """Time passes, and everything that comes due on the way is done."""
        end = self.clock.time + seconds
        for _ in range(10_000):
            due = self.manager.next_due()
            if due is None or due > end:
                break
            self.clock.time = max(due, self.clock.time)
            await self.tick()
        else:
            raise AssertionError("the clock spins")
        self.clock.time = end

    async def tick(self) -> None:
        await self.manager.tick()
        await self.quiet()

    async def quiet(self) -> None:
        """Nothing runs any more that was set off by a tick."""
        computers = self.manager._computers
        while computers._tasks:
            await asyncio.wait(set(computers._tasks.values()))

    # --- what must always hold ---------------------------------------------------------------

    async def snapshot(self) -> dict[int, tuple[Any, ...]]:
        """All live tables, as memory has them."""
        return {t.id: in_memory(t) for t in self.manager.tables.values()}

    async def agree(self) -> None:
        """Memory and database say the same, and what they say makes sense."""
        stored = {row.record.id for row in await self.storage.live()}  # type: ignore[union-attr]
        assert stored == set(self.manager.tables)
        channels = [t.record.channel_id for t in self.manager.tables.values()]
        assert len(channels) == len(set(channels))
        for table in self.manager.tables.values():
            await self._same(table)
            self._sensible(table.record, table)

    async def _same(self, table: Table) -> None:
        row = await self.storage.load(table.id)
        assert row is not None
        assert row.record == table.record
        assert (row.match is None) == (table.match is None)
        log = await self.manager.log_of(table)
        assert log[-len(table.feed) :] == list(table.feed) or not table.feed
        if table.match is None or row.match is None:
            return
        game = self.games[table.record.game]
        codec: Codec[Any, Any, Any] = Codec(game)
        match = table.match
        assert codec.load_state(row.match.state) == match.state
        assert (row.match.seed, row.match.seq) == (match.seed, match.seq)
        journal = [
            (Seat(e.seat), codec.load_action(e.action))
            for e in await self.storage.journal(table.id)
        ]
        again = replay(game, match.seats, match.seed, table.record.options, journal)
        assert again == match

    def _sensible(self, record: Record, table: Table) -> None:
        assert len(record.sitters) <= self.games[record.game].info.max_seats
        users = [s.user_id for s in record.sitters if s.user_id is not None]
        assert len(users) == len(set(users))
        host = record.seat_of(record.host_id)
        assert host is not None
        assert record.sitters[host].presence in (Presence.HERE, Presence.AWAY)
        if record.stage is Stage.LOBBY:
            assert record.deadline is None
            return
        here = any(s.waits for s in record.sitters)
        assert (record.paused_at is None) == here
        assert table.pending()
        waits = bool(table.waiting_for())
        assert (record.deadline is not None) == bool(record.clock and waits)
        assert not (record.former & set(users))


def in_memory(table: Table) -> tuple[Any, ...]:
    return table.record, table.match, tuple(table.feed), table.moved_at


@dataclass
class Answers:
    """What came of several requests made at the same moment."""

    refused: list[GameError] = field(default_factory=list)
    done: int = 0


async def together(*work: Awaitable[Any]) -> Answers:
    """All of them at the same moment; a fault is raised, a refusal counted."""
    answers = Answers()
    for result in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(result, GameError):
            answers.refused.append(result)
        elif isinstance(result, BaseException):
            raise result
        else:
            answers.done += 1
    return answers


def codes(errors: Iterable[GameError]) -> list[str]:
    return sorted(error.code for error in errors)
