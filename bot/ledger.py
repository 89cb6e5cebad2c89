"""One lane a table: write, swap, tell. Nothing is told, or remembered, that is not written.

Every change goes the same way. Under the table's lock: ONE transaction, swap of memory, then the
listeners hear of it. The whole of that is a task of its own, so that a caller who is cancelled
can't leave the database a move ahead of memory. Nothing here awaits Discord.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

from bot.database import StorageError
from bot.journal import News, Scribe
from bot.records import Entry, Record, SavedMatch
from bot.refusals import NoTable, NotSaved
from bot.storage import Storage
from bot.tables import AnyGame, AnyMatch, Change, Listener, Table
from engine.errors import GameError

log = logging.getLogger(__name__)

T = TypeVar("T")


class Ledger:
    """The live tables, and the only place that changes them."""

    def __init__(
        self, storage: Storage, games: Mapping[str, AnyGame], now: Callable[[], float]
    ) -> None:
        self.storage = storage
        self.tables: dict[int, Table] = {}
        self.scribes = {key: Scribe(game) for key, game in games.items()}
        self._now = now
        self._listeners: list[Listener] = []
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._trouble = ""  # why the last write failed; "" when it did not

    def listen(self, listener: Listener) -> None:
        """`listener` is called after every change, in the order of the changes of its table."""
        self._listeners.append(listener)

    def table(self, table_id: int) -> Table:
        """The live table with this id. Raises NoTable."""
        table = self.tables.get(table_id)
        if table is None:
            raise NoTable
        return table

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end even when whoever asked for it is cancelled."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_unheard)
            raise

    @asynccontextmanager
    async def lane(self, table_id: int) -> AsyncGenerator[Table]:
        """The table, for as long as nobody else may change it. Raises NoTable."""
        table = self.table(table_id)
        async with table.lock:
            # Whoever waited for the lock may find that the table ended meanwhile.
            if not table.record.live:
                raise NoTable
            self._require_open()
            yield table

    async def create(self, record: Record) -> Table:
        """A new table. Raises ChannelTaken, AlreadyFollowed, NotSaved."""
        self._require_open()
        table_id = await self.write("a new table", self.storage.create_table(record))
        table = Table(replace(record, id=table_id), None)
        table.touched[record.host_id] = self._now()
        self.tables[table_id] = table
        self._tell(Change(table, fresh_board=True))
        return table

    async def commit(
        self,
        table: Table,
        record: Record,
        *,
        match: AnyMatch | None = None,
        entries: Sequence[Entry] = (),
        news: Sequence[News] = (),
        actor: int | None = None,
        remind: bool = False,
        fresh_board: bool = False,
    ) -> None:
        """Write, swap, tell. Called in the table's lane. Raises NotSaved, and changed nothing."""
        scribe, before = self.scribes[record.game], table.match
        current = match or before
        seq = 0 if current is None else current.seq
        await self.write(
            f"table {table.id} seq {seq}",
            self.storage.save(
                record,
                match=None if match is None else _saved(match, scribe),
                entries=entries,
                events=[scribe.write(seq, item) for item in news],
            ),
        )
        table.record, table.match = record, current
        table.feed.extend(news)
        if match is not None or news:
            table.moved_at = self._now()
        if not record.live:
            del self.tables[table.id]
        new_question = match is not None and (before is None or match.epoch != before.epoch)
        self._tell(Change(table, tuple(news), actor, new_question, remind, fresh_board))

    async def note(self, table: Table, change: Callable[[Record], Record]) -> None:
        """Write down what nobody needs to hear of, also for a table that has ended."""
        async with table.lock:
            record = change(table.record)
            await self.write(f"table {table.id} seq {table.seq}", self.storage.save(record))
            table.record = record

    async def write(self, what: str, work: Awaitable[T]) -> T:
        """Raises NotSaved; the log names a cause once, not for everybody who suffers from it."""
        try:
            result = await work
        except StorageError as error:
            if self._trouble != str(error):
                self._trouble = str(error)
                log.error("%s: not saved (%s)", what, error)
            raise NotSaved from error
        if self._trouble:
            self._trouble = ""
            log.warning("%s: saved; the database can be written again", what)
        return result

    async def read(self, work: Awaitable[T]) -> T:
        """Raises NotSaved, whose sentence asks to try again in a moment."""
        try:
            return await work
        except StorageError as error:
            log.error("not read (%s)", error)
            raise NotSaved from error

    async def close(self) -> None:
        """Finish what runs; no table changes afterwards."""
        self._closed = True
        while self._running:
            await asyncio.wait(set(self._running))

    def _require_open(self) -> None:
        if self._closed:
            raise NotSaved

    def _tell(self, change: Change) -> None:
        for listener in self._listeners:
            try:
                listener(change)
            except Exception:
                # An outer edge: the change is made and written, whoever can't show it.
                table = change.table
                log.exception("table %d seq %d: a listener failed", table.id, table.seq)


def _unheard(task: asyncio.Task[Any]) -> None:
    """Whoever waited for `task` was cancelled; asyncio itself calls even a refusal an error."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, GameError):
        log.error("what nobody waited for failed", exc_info=error)


def _saved(match: AnyMatch, scribe: Scribe) -> SavedMatch:
    info = match.game.info
    state = scribe.codec.dump_state(match.state)
    return SavedMatch(
        info.rules_version, match.game.edition, match.seed, match.seats, match.seq, state
    )
