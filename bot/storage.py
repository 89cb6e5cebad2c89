"""SQLite: one file, one thread that writes it, every change of a table in one transaction.

A write is one function that runs from BEGIN to COMMIT on the database's own thread. It happens
whole or not at all, and once it is asked for, cancelling whoever waits for it does not stop it.
So whoever keeps a copy in memory must write and swap that copy in one task that nobody cancels
(a shielded one), or the database may be a move ahead of the copy.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import aiosqlite

from bot.records import (
    Board,
    Entry,
    GuildSettings,
    Presence,
    Record,
    SavedMatch,
    Sitter,
    Stage,
    StoredEvent,
    UserSettings,
)
from bot.refusals import ChannelTaken, TableBroken
from engine.core import OptionValue, Seat
from engine.errors import GameError

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

MIGRATIONS = Path(__file__).with_name("migrations")
APPLICATION = 1398033492
"""The application id in the header of this bot's files: "STLT"."""

_PRUNED_AT_ONCE = 50


class StorageError(Exception):
    """The database can't do it; `code` and `params` are for bot/texts and hold no secret."""

    code: ClassVar[str] = "storage-failed"

    def __init__(self, **params: str | int) -> None:
        self.params: dict[str, str | int] = params
        super().__init__(f"{self.code} {params}" if params else self.code)


class DatabaseUnwritable(StorageError):
    """The file, or the folder it should be in, can't be written; params: path."""

    code = "database-unwritable"


class DatabaseNewer(StorageError):
    """A newer version of the bot wrote the file; params: found, known."""

    code = "database-newer"


class DatabaseInUse(StorageError):
    """Another process of this bot has the file open; params: path."""

    code = "database-in-use"


class DatabaseDamaged(StorageError):
    """The file is damaged, or is no database of this bot; params: path."""

    code = "database-damaged"


class StorageBusy(StorageError):
    """This write, or read, failed and changed nothing; a later one may succeed; params: cause."""

    code = "storage-busy"


class StorageClosed(StorageError):
    """The database was closed before this was asked for."""

    code = "storage-closed"


class SeqTaken(StorageError):
    """The journal already has an action with this number; params: table."""

    code = "seq-taken"


class TableGone(StorageError):
    """There is no such table to write, it may have been pruned; params: table."""

    code = "table-gone"


class NoDatabase(StorageError):
    """There is no file to copy; params: path."""

    code = "no-database"


class BackupExists(StorageError):
    """A backup never overwrites a file; params: path."""

    code = "backup-exists"


class BackupUnwritable(StorageError):
    """The copy, or a file in its folder, can't be written; params: path."""

    code = "backup-unwritable"


class AlreadyFollowed(GameError):
    """The table has a rematch; params: table, the rematch's id."""

    code = "already-followed"

    def __init__(self, table_id: int) -> None:
        self.table_id = table_id
        super().__init__(table=table_id)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as it was last written."""

    record: Record
    match: SavedMatch | None


@dataclass(frozen=True, slots=True)
class Damaged:
    """A table whose rows can't be read; `why` tells which part of them, never what it says."""

    id: int
    channel_id: int
    guild_id: int
    why: str


class Storage:
    """All that the bot remembers. Its coroutines raise StorageError, and change nothing then."""

    def __init__(self, path: Path, lane: _Lane, lock: int | None, busy_seconds: float) -> None:
        self._path = path
        self._lane = lane
        self._lock = lock
        self._busy_seconds = busy_seconds
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, path: Path, *, busy_seconds: float = 2.0) -> Storage:
        """The database at `path`, made or migrated; it is this process's alone until closed.

        No write waits longer than `busy_seconds` for another program's lock. The path ":memory:"
        is a database for tests. Raises DatabaseUnwritable, DatabaseInUse, DatabaseNewer,
        DatabaseDamaged, StorageBusy.
        """
        lock = None if _in_memory(path) else _lock(path)
        lane = _Lane(path)
        try:
            await lane
            await lane.run(lambda con: _prepare(con, path, busy_seconds))
        except BaseException as error:
            await lane.close()
            if lock is not None:
                os.close(lock)
            if isinstance(error, sqlite3.Error) and (named := _named(error, path)) is not None:
                opening = _code(error) in _READ_ONLY
                raise (DatabaseUnwritable(path=str(path)) if opening else named) from error
            raise
        return cls(path, lane, lock, busy_seconds)

    async def close(self) -> None:
        """Finish every write asked for before, then let go of the file. Again is harmless."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        try:
            # The thread takes its work in order, so this comes after every write asked for.
            with contextlib.suppress(sqlite3.Error):  # what stays in the log is read next time
                await self._lane.run(_checkpoint)
        finally:
            await self._lane.close()
            if self._lock is not None:
                os.close(self._lock)

    # --- tables ------------------------------------------------------------------------------

    async def create_table(self, record: Record) -> int:
        """Write a new table, whose own id is ignored, and return its id.

        Raises ChannelTaken with the id of the live table in the channel, and AlreadyFollowed.
        """
        return await self._write(lambda con: _create(con, record))

    async def create_rematch(self, record: Record) -> int:
        """Like create_table, for a table that `follows` another: of two presses one makes it.

        Raises AlreadyFollowed before ChannelTaken.
        """
        assert record.follows is not None, "a rematch follows a table"
        return await self._write(lambda con: _create(con, record))

    async def save(
        self,
        record: Record,
        *,
        match: SavedMatch | None = None,
        entries: Sequence[Entry] = (),
        events: Sequence[StoredEvent] = (),
    ) -> None:
        """Write a table as it is now and what happened to it since, all in one transaction.

        Its game, server, creation and what it follows stay as they were created. Raises SeqTaken,
        TableGone, and ChannelTaken for a table that moved to a held channel.
        """
        await self._write(lambda con: _save(con, record, match, entries, events))

    async def live(self) -> list[Loaded | Damaged]:
        """Every table that has not ended, oldest first; one that can't be read harms no other."""
        return await self._run(_live)

    async def unsettled(self) -> list[Loaded]:
        """The tables that ended without their last board being drawn, oldest first."""
        return await self._run(_unsettled)

    async def load(self, table_id: int) -> Loaded | None:
        """A table, live or ended; None if there is none. Raises TableBroken."""

        def read(con: sqlite3.Connection) -> Loaded | Damaged | None:
            row = con.execute("SELECT * FROM tables WHERE id = ?", (table_id,)).fetchone()
            return None if row is None else _loaded(con, row)

        found = await self._run(read)
        if isinstance(found, Damaged):
            raise TableBroken
        return found

    async def mark_broken(self, table_id: int, reason: str, at: float) -> None:
        """End a table that can't be read; its rows stay for whoever looks into it."""
        await self._write(
            lambda con: con.execute(
                "UPDATE tables SET stage = 'broken', reason = ?, ended_at = ? WHERE id = ?",
                (reason, at, table_id),
            )
        )

    async def recent_events(
        self, table_id: int, limit: int, *, seat: Seat | None
    ) -> list[StoredEvent]:
        """The newest `limit` events that `seat` may read, oldest first; None reads public ones."""

        def read(con: sqlite3.Connection) -> list[StoredEvent]:
            rows = con.execute(
                "SELECT seq, seat, event FROM events"
                " WHERE table_id = ? AND (seat IS NULL OR seat = ?)"
                " ORDER BY number DESC LIMIT ?",
                (table_id, seat, limit),
            )
            return [StoredEvent(*row) for row in rows][::-1]

        return await self._run(read)

    async def events(self, table_id: int) -> list[StoredEvent]:
        """Every event of a table, secrets of every seat included, oldest first."""

        def read(con: sqlite3.Connection) -> list[StoredEvent]:
            rows = con.execute(
                "SELECT seq, seat, event FROM events WHERE table_id = ? ORDER BY number",
                (table_id,),
            )
            return [StoredEvent(*row) for row in rows]

        return await self._run(read)

    async def journal(self, table_id: int) -> list[Entry]:
        """Every action of a table, in order."""

        def read(con: sqlite3.Connection) -> list[Entry]:
            rows = con.execute(
                "SELECT seq, seat, action, at, automatic FROM entries WHERE table_id = ?"
                " ORDER BY seq",
                (table_id,),
            )
            return [
                Entry(seq, seat, action, at, bool(automatic))
                for seq, seat, action, at, automatic in rows
            ]

        return await self._run(read)

    async def tables_of_guild(self, guild_id: int, *, live_only: bool) -> list[Record]:
        """The tables of a server, oldest first; those that can't be read are left out."""

        def read(con: sqlite3.Connection) -> list[Record]:
            rows = con.execute("SELECT * FROM tables WHERE guild_id = ? ORDER BY id", (guild_id,))
            records = _readable(con, rows)
            return [record for record in records if record.live or not live_only]

        return await self._run(read)

    async def last_in_channel(self, channel_id: int) -> Record | None:
        """The newest table of a channel, live or ended; one that can't be read is passed over."""

        def read(con: sqlite3.Connection) -> Record | None:
            rows = con.execute(
                "SELECT * FROM tables WHERE channel_id = ? ORDER BY id DESC", (channel_id,)
            )
            return next(_readable(con, rows), None)

        return await self._run(read)

    # --- settings ----------------------------------------------------------------------------

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        """What a server's managers decided; the defaults where they did not, or it is damaged."""

        def read(con: sqlite3.Connection) -> GuildSettings:
            row = con.execute(
                "SELECT * FROM guild_settings WHERE guild_id = ?", (guild_id,)
            ).fetchone()
            try:
                return GuildSettings(guild_id) if row is None else _guild_settings(row)
            except _UnreadableRow:
                return GuildSettings(guild_id)

        return await self._run(read)

    async def save_guild_settings(self, settings: GuildSettings) -> None:
        values = (
            settings.guild_id,
            json.dumps(sorted(settings.channels)),
            settings.clock,
            settings.own_thread,
            json.dumps({game: dict(options) for game, options in settings.options.items()}),
        )
        await self._write(
            lambda con: con.execute(
                "INSERT OR REPLACE INTO guild_settings"
                " (guild_id, channels, clock, own_thread, options) VALUES (?, ?, ?, ?, ?)",
                values,
            )
        )

    async def user_settings(self, user_id: int) -> UserSettings:
        """What a person decided; the defaults if nothing."""

        def read(con: sqlite3.Connection) -> UserSettings:
            row = con.execute(
                "SELECT pings FROM user_settings WHERE user_id = ?", (user_id,)
            ).fetchone()
            return UserSettings(user_id) if row is None else UserSettings(user_id, bool(row[0]))

        return await self._run(read)

    async def save_user_settings(self, settings: UserSettings) -> None:
        await self._write(
            lambda con: con.execute(
                "INSERT OR REPLACE INTO user_settings (user_id, pings) VALUES (?, ?)",
                (settings.user_id, settings.pings),
            )
        )

    async def get_meta(self, key: str) -> str | None:
        """What set_meta last wrote for this key."""

        def read(con: sqlite3.Connection) -> str | None:
            row = con.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
            return None if row is None else row[0]

        return await self._run(read)

    async def set_meta(self, key: str, value: str) -> None:
        await self._write(
            lambda con: con.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value)
            )
        )

    # --- care --------------------------------------------------------------------------------

    async def backup(self, target: Path) -> None:
        """Copy the database as it is now to a new file; games go on.

        Raises BackupExists, BackupUnwritable.
        """
        if _in_memory(self._path):
            await self._run(lambda con: _copy(con, target))
        else:
            await backup(self._path, target)

    async def check(self) -> list[str]:
        """What is wrong with the file; empty when it is sound."""
        return await self._run(_check)

    async def prune(self, before: float) -> int:
        """Delete the tables that ended before then, journals and all; how many there were."""
        pruned = 0
        # A few at a time, so that moves made meanwhile need not wait for all of them.
        while found := await self._write(lambda con: _prune(con, before)):
            pruned += found
        return pruned

    # --- inside ------------------------------------------------------------------------------

    async def _write(self, work: Work[T]) -> T:
        """Run `work` in a transaction; see the head of this module for what cancelling does."""
        # Time spent in line counts: twenty writes against one lock fail after one wait, not twenty.
        patience = time.monotonic() + self._busy_seconds
        return await self._run(lambda con: _transaction(con, work, patience - time.monotonic()))

    async def _run(self, work: Work[T]) -> T:
        if self._closing is not None:
            raise StorageClosed
        try:
            return await self._lane.run(work)
        except sqlite3.Error as error:
            if (named := _named(error, self._path)) is not None:
                raise named from error
            raise


async def backup(path: Path, target: Path) -> None:
    """Copy a database to a new file, whether or not a bot has it open.

    Raises NoDatabase, BackupExists, BackupUnwritable, DatabaseUnwritable, DatabaseDamaged,
    StorageBusy.
    """

    def work() -> None:
        if not _is_there(path):
            raise NoDatabase(path=str(path))
        _beside(path, lambda con: _copy(con, target))

    await asyncio.to_thread(work)


async def check(path: Path) -> list[str]:
    """Storage.check for a database that a bot may have open; one that can be made is sound.

    It leaves nothing behind. Raises DatabaseUnwritable, DatabaseNewer, DatabaseDamaged for another
    program's, StorageBusy.
    """

    def sound(con: sqlite3.Connection) -> list[str]:
        if not (found := _check(con)):
            _version(con, path)
        return found

    def work() -> list[str]:
        _require_writable(path)
        return _beside(path, sound) if _is_there(path) else []

    return await asyncio.to_thread(work)


def _require_writable(path: Path) -> None:
    """Raises DatabaseUnwritable where Storage.open would; makes nothing that stays."""
    # Asked, not tried: to close a second descriptor would end this process's locks on the file.
    if _is_there(path) and not os.access(path, os.W_OK, effective_ids=True):
        raise DatabaseUnwritable(path=str(path))
    try:
        folder = path.absolute().parent
        while not folder.exists():  # Storage.open makes the missing ones
            folder = folder.parent
        # To try it says more than the permissions do: the disk may be full, or read-only.
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise DatabaseUnwritable(path=str(path)) from error


def _is_there(path: Path) -> bool:
    """Whether there is a file. Raises DatabaseUnwritable where nobody may look."""
    try:
        return path.exists()
    except OSError as error:
        raise DatabaseUnwritable(path=str(path)) from error


# --- the thread and its transactions -------------------------------------------------------------


class _Lane(aiosqlite.Connection):
    """aiosqlite's thread and connection, with whole functions as its unit of work.

    aiosqlite's public calls go to the thread and back for every statement, which costs a
    transaction of ten more than its fsync, can be cancelled half-way, and writes the parameters
    (hands, seeds) into its debug log. Its own `_execute` takes any function; only `run` uses it.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(lambda: sqlite3.connect(path, isolation_level=None, timeout=0), 64)

    async def run(self, work: Work[T]) -> T:
        """The result of `work`, on the thread, after all that was asked for before."""
        result = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]
        return cast(T, result)


def _transaction(con: sqlite3.Connection, work: Work[T], patience: float) -> T:
    con.execute(f"PRAGMA busy_timeout = {max(0, round(patience * 1000))}")
    try:
        con.execute("BEGIN IMMEDIATE")
        result = work(con)
        con.execute("COMMIT")
    except BaseException:
        if con.in_transaction:
            con.execute("ROLLBACK")
        raise
    return result


def _prepare(con: sqlite3.Connection, path: Path, busy_seconds: float) -> None:
    con.row_factory = sqlite3.Row
    con.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
    con.execute("PRAGMA journal_mode = WAL")
    con.execute("PRAGMA synchronous = FULL")
    # Off while migrating, which may rebuild a table that others point to.
    con.execute("PRAGMA foreign_keys = OFF")
    _migrate(con, path, busy_seconds)
    con.execute("PRAGMA foreign_keys = ON")


def _migrate(con: sqlite3.Connection, path: Path, busy_seconds: float) -> None:
    found = _transaction(con, lambda con: _version(con, path), busy_seconds)
    for number, script in enumerate(_scripts()[found:], found + 1):
        _transaction(con, _migration(number, script, path), busy_seconds)


def _scripts() -> list[str]:
    return [file.read_text(encoding="utf-8") for file in sorted(MIGRATIONS.glob("*.sql"))]


def _version(con: sqlite3.Connection, path: Path) -> int:
    """How many migrations the file has had. Raises DatabaseDamaged, DatabaseNewer."""
    (application,) = con.execute("PRAGMA application_id").fetchone()
    (tables,) = con.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != (APPLICATION if tables else 0):
        raise DatabaseDamaged(path=str(path))
    (found,) = con.execute("PRAGMA user_version").fetchone()
    known = len(_scripts())
    if found > known:
        raise DatabaseNewer(found=found, known=known)
    return int(found)


def _migration(number: int, script: str, path: Path) -> Work[None]:
    def migrate(con: sqlite3.Connection) -> None:
        for statement in statements(script):
            con.execute(statement)
        if con.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise DatabaseDamaged(path=str(path))
        con.execute(f"PRAGMA user_version = {number}")

    return migrate


def statements(script: str) -> Iterator[str]:
    """The statements of a script; sqlite3.executescript would commit before the first."""
    statement = ""
    for piece in script.split(";"):
        statement += piece + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip("; \n"):
        yield statement


def _checkpoint(con: sqlite3.Connection) -> None:
    con.execute("PRAGMA busy_timeout = 0")
    con.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _in_memory(path: Path) -> bool:
    return str(path) == ":memory:"


def _lock(path: Path) -> int:
    """Hold `<path>.lock` until the returned descriptor is closed or the process ends, even killed.

    The lock belongs to every process that inherits the descriptor by a bare fork; exec and spawn
    do not inherit it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # SQLite would open a read-only file, and leave read-only files beside it.
        with contextlib.suppress(FileNotFoundError):
            os.close(os.open(path, os.O_RDWR))
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise DatabaseUnwritable(path=str(path)) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise DatabaseInUse(path=str(path)) from error
    return lock


_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_CAUSES = {
    sqlite3.SQLITE_BUSY: "another program holds the database",
    sqlite3.SQLITE_LOCKED: "another program holds the database",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    **dict.fromkeys(_READ_ONLY, "the database is read-only"),
}


def _code(error: sqlite3.Error) -> int:
    """SQLite's result code without its extension; 0 for errors of the module itself."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def _named(error: sqlite3.Error, path: Path) -> StorageError | None:
    """What the world did to us, as a StorageError; None for a bug of our own."""
    code = _code(error)
    if code in _DAMAGED:
        return DatabaseDamaged(path=str(path))
    return StorageBusy(cause=_CAUSES[code]) if code in _CAUSES else None


# --- what runs on the thread ---------------------------------------------------------------------

_INSERT = """
    INSERT INTO tables (
        game, guild_id, channel_id, stage, host_id, options, created_at, touched_at, clock,
        own_thread, board_id, board_at, asked_at, deadline, reminded, pinged, paused_at, ended_at,
        reason, follows, former, settled
    ) VALUES (
        :game, :guild_id, :channel_id, :stage, :host_id, :options, :created_at, :touched_at, :clock,
        :own_thread, :board_id, :board_at, :asked_at, :deadline, :reminded, :pinged, :paused_at,
        :ended_at, :reason, :follows, :former, :settled
    )
"""
_UPDATE = """
    UPDATE tables SET
        host_id = :host_id, options = :options, touched_at = :touched_at, clock = :clock,
        own_thread = :own_thread, board_id = :board_id, board_at = :board_at, asked_at = :asked_at,
        deadline = :deadline, reminded = :reminded, pinged = :pinged, paused_at = :paused_at,
        reason = :reason, former = :former, settled = :settled
    WHERE id = :id
"""
# Apart from the rest because indices hold these: written in every move, they would double its cost.
_UPDATE_PLACE = """
    UPDATE tables SET channel_id = :channel_id, stage = :stage, ended_at = :ended_at WHERE id = :id
"""
_SAVE_MATCH = """
    INSERT INTO matches (table_id, rules_version, edition, seed, seats, seq, state)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (table_id) DO UPDATE SET
        rules_version = excluded.rules_version, edition = excluded.edition, seed = excluded.seed,
        seats = excluded.seats, seq = excluded.seq, state = excluded.state
"""


def _values(record: Record) -> dict[str, object]:
    board = record.board
    return {
        "id": record.id,
        "game": record.game,
        "guild_id": record.guild_id,
        "channel_id": record.channel_id,
        "stage": record.stage,
        "host_id": record.host_id,
        "options": json.dumps(dict(record.options)),
        "created_at": record.created_at,
        "touched_at": record.touched_at,
        "clock": record.clock,
        "own_thread": record.own_thread,
        "board_id": None if board is None else board.message_id,
        "board_at": None if board is None else board.sent_at,
        "asked_at": record.asked_at,
        "deadline": record.deadline,
        "reminded": record.reminded,
        "pinged": record.pinged,
        "paused_at": record.paused_at,
        "ended_at": record.ended_at,
        "reason": record.reason,
        "follows": record.follows,
        "former": json.dumps(sorted(record.former)),
        "settled": record.settled,
    }


def _create(con: sqlite3.Connection, record: Record) -> int:
    try:
        table_id = con.execute(_INSERT, _values(record)).lastrowid
    except sqlite3.IntegrityError:
        _refuse(con, record, None)
        raise
    assert table_id is not None
    _save_seats(con, table_id, record.sitters)
    return table_id


def _save(
    con: sqlite3.Connection,
    record: Record,
    match: SavedMatch | None,
    entries: Sequence[Entry],
    events: Sequence[StoredEvent],
) -> None:
    values = _values(record)
    if con.execute(_UPDATE, values).rowcount == 0:
        raise TableGone(table=record.id)
    place = con.execute(
        "SELECT channel_id, stage, ended_at FROM tables WHERE id = ?", (record.id,)
    ).fetchone()
    if tuple(place) != (record.channel_id, record.stage, record.ended_at):
        try:
            con.execute(_UPDATE_PLACE, values)
        except sqlite3.IntegrityError:
            _refuse(con, record, record.id)
            raise
    _save_seats(con, record.id, record.sitters)
    if match is not None:
        con.execute(
            _SAVE_MATCH,
            (
                record.id,
                match.rules_version,
                match.edition,
                match.seed,
                match.seats,
                match.seq,
                match.state,
            ),
        )
    _add_entries(con, record.id, entries)
    _add_events(con, record.id, events)


def _refuse(con: sqlite3.Connection, record: Record, own: int | None) -> None:
    """Raise the refusal that a violated index stands for, if it was one of these."""
    row = con.execute(
        "SELECT id FROM tables WHERE follows = ? AND stage IN ('lobby', 'playing', 'over')"
        " AND id IS NOT ?",
        (record.follows, own),
    ).fetchone()
    if row is not None:
        raise AlreadyFollowed(row[0])
    row = con.execute(
        "SELECT id FROM tables WHERE channel_id = ? AND stage IN ('lobby', 'playing')"
        " AND id IS NOT ?",
        (record.channel_id, own),
    ).fetchone()
    if row is not None:
        raise ChannelTaken(table=row[0])


def _save_seats(con: sqlite3.Connection, table_id: int, sitters: Sequence[Sitter]) -> None:
    rows = [
        (seat, sitter.user_id, sitter.name, sitter.presence, sitter.level, sitter.missed)
        for seat, sitter in enumerate(sitters)
    ]
    stored = con.execute(
        "SELECT seat, user_id, name, presence, level, missed FROM seats WHERE table_id = ?"
        " ORDER BY seat",
        (table_id,),
    )
    if [tuple(row) for row in stored] == rows:
        return  # as in most moves
    con.execute("DELETE FROM seats WHERE table_id = ?", (table_id,))
    con.executemany(
        "INSERT INTO seats (table_id, seat, user_id, name, presence, level, missed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(table_id, *row) for row in rows],
    )


def _add_entries(con: sqlite3.Connection, table_id: int, entries: Sequence[Entry]) -> None:
    for entry in entries:
        taken = con.execute(
            "SELECT 1 FROM entries WHERE table_id = ? AND seq = ?", (table_id, entry.seq)
        ).fetchone()
        if taken is not None:
            raise SeqTaken(table=table_id)
        con.execute(
            "INSERT INTO entries (table_id, seq, seat, action, at, automatic)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (table_id, entry.seq, entry.seat, entry.action, entry.at, entry.automatic),
        )


def _add_events(con: sqlite3.Connection, table_id: int, events: Sequence[StoredEvent]) -> None:
    if not events:
        return
    (last,) = con.execute(
        "SELECT coalesce(max(number), 0) FROM events WHERE table_id = ?", (table_id,)
    ).fetchone()
    con.executemany(
        "INSERT INTO events (table_id, number, seq, seat, event) VALUES (?, ?, ?, ?, ?)",
        [
            (table_id, number, event.seq, event.seat, event.event)
            for number, event in enumerate(events, last + 1)
        ],
    )


def _prune(con: sqlite3.Connection, before: float) -> int:
    return con.execute(
        "DELETE FROM tables WHERE id IN (SELECT id FROM tables WHERE ended_at < ?"
        " AND stage NOT IN ('lobby', 'playing') LIMIT ?)",
        (before, _PRUNED_AT_ONCE),
    ).rowcount


def _check(con: sqlite3.Connection) -> list[str]:
    try:
        found = [row[0] for row in con.execute("PRAGMA integrity_check") if row[0] != "ok"]
        orphans = con.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.DatabaseError as error:
        if _code(error) not in _DAMAGED:
            raise
        return [str(error)]
    return found + [f"a row of {row[0]} belongs to no row of {row[2]}" for row in orphans]


def _beside(path: Path, work: Work[T]) -> T:
    """Run `work`, which only reads, on a connection of its own, beside the bot's if it runs."""
    try:
        uri = f"{path.absolute().as_uri()}?mode=rw"  # never makes a file
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=10)) as con:
            return work(con)
    except sqlite3.Error as error:
        if _code(error) in _READ_ONLY:
            raise DatabaseUnwritable(path=str(path)) from error
        if (named := _named(error, path)) is not None:
            raise named from error
        raise


def _copy(con: sqlite3.Connection, target: Path) -> None:
    """A whole copy at `target`, or nothing there."""
    if os.path.lexists(target):
        raise BackupExists(path=str(target))
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        con.execute("VACUUM INTO ?", (str(part),))
        with part.open("rb") as copied:
            os.fsync(copied.fileno())
        part.rename(target)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, OSError) or _code(error) in _READ_ONLY:
            raise BackupUnwritable(path=str(target)) from error
        raise


# --- rows to values ------------------------------------------------------------------------------


class _UnreadableRow(Exception):
    """A row does not describe a value; the text names the part that does not, without its data."""


def _live(con: sqlite3.Connection) -> list[Loaded | Damaged]:
    rows = con.execute(
        "SELECT * FROM tables WHERE stage NOT IN ('over', 'closed', 'broken') ORDER BY id"
    )
    return [_loaded(con, row) for row in rows]


def _unsettled(con: sqlite3.Connection) -> list[Loaded]:
    rows = con.execute(
        "SELECT * FROM tables WHERE stage IN ('over', 'closed') AND settled = 0 ORDER BY id"
    )
    loaded = (_loaded(con, row) for row in rows)
    return [table for table in loaded if isinstance(table, Loaded)]


def _loaded(con: sqlite3.Connection, row: sqlite3.Row) -> Loaded | Damaged:
    try:
        return Loaded(_record(con, row), _match(con, row["id"]))
    except _UnreadableRow as error:
        return Damaged(row["id"], row["channel_id"], row["guild_id"], str(error))


def _readable(con: sqlite3.Connection, rows: sqlite3.Cursor) -> Iterator[Record]:
    for row in rows:
        with contextlib.suppress(_UnreadableRow):
            yield _record(con, row)


def _record(con: sqlite3.Connection, row: sqlite3.Row) -> Record:
    has_board = row["board_id"] is not None and row["board_at"] is not None
    return Record(
        id=row["id"],
        game=row["game"],
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        stage=_parsed("stage", Stage, row["stage"]),
        host_id=row["host_id"],
        sitters=_sitters(con, row["id"]),
        options=_parsed("options", _options, row["options"]),
        created_at=row["created_at"],
        touched_at=row["touched_at"],
        clock=row["clock"],
        own_thread=bool(row["own_thread"]),
        board=Board(row["board_id"], row["board_at"]) if has_board else None,
        asked_at=row["asked_at"],
        deadline=row["deadline"],
        reminded=bool(row["reminded"]),
        pinged=bool(row["pinged"]),
        paused_at=row["paused_at"],
        ended_at=row["ended_at"],
        reason=row["reason"],
        follows=row["follows"],
        former=_parsed("former players", _ids, row["former"]),
        settled=bool(row["settled"]),
    )


def _sitters(con: sqlite3.Connection, table_id: int) -> tuple[Sitter, ...]:
    rows = con.execute(
        "SELECT seat, user_id, name, presence, level, missed FROM seats WHERE table_id = ?"
        " ORDER BY seat",
        (table_id,),
    ).fetchall()
    if [row["seat"] for row in rows] != list(range(len(rows))):
        raise _UnreadableRow("a seat is missing")
    return tuple(
        Sitter(
            row["user_id"],
            row["name"],
            _parsed("presence", Presence, row["presence"]),
            row["level"],
            row["missed"],
        )
        for row in rows
    )


def _match(con: sqlite3.Connection, table_id: int) -> SavedMatch | None:
    row = con.execute(
        "SELECT rules_version, edition, seed, seats, seq, state FROM matches WHERE table_id = ?",
        (table_id,),
    ).fetchone()
    return None if row is None else SavedMatch(*row)


def _guild_settings(row: sqlite3.Row) -> GuildSettings:
    return GuildSettings(
        guild_id=row["guild_id"],
        channels=_parsed("channels", _ids, row["channels"]),
        clock=row["clock"],
        own_thread=bool(row["own_thread"]),
        options=_parsed("options", _options_by_game, row["options"]),
    )


def _parsed(part: str, parse: Callable[[str], T], raw: str) -> T:
    try:
        return parse(raw)
    except (ValueError, TypeError, AttributeError, RecursionError):
        # From None: the message of a parser may quote what it read.
        raise _UnreadableRow(f"its {part} can't be read") from None


def _options(raw: str) -> dict[str, OptionValue]:
    return _checked_options(json.loads(raw))


def _options_by_game(raw: str) -> dict[str, Mapping[str, OptionValue]]:
    loaded: dict[str, Any] = json.loads(raw)
    return {game: _checked_options(options) for game, options in loaded.items()}


def _checked_options(loaded: Any) -> dict[str, OptionValue]:
    options: dict[str, OptionValue] = {}
    for key, value in loaded.items():
        if not isinstance(value, bool | int | str):
            raise TypeError
        options[key] = value
    return options


def _ids(raw: str) -> frozenset[int]:
    loaded: list[Any] = json.loads(raw)
    if not all(type(item) is int for item in loaded):
        raise TypeError
    return frozenset(loaded)
