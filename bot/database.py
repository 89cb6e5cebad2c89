"""One file, one thread that writes it, and every write a transaction.

A write is one function that runs from BEGIN to COMMIT on the database's own thread. It happens
whole or not at all, and once it is asked for, cancelling whoever waits for it does not stop it.
So whoever keeps a copy in memory must write and swap that copy in one task that nobody cancels
(a shielded one), or the database may be a move ahead of the copy.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar, Self, TypeVar, cast

import aiosqlite

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

MIGRATIONS = Path(__file__).with_name("migrations")
APPLICATION = 1398033492
"""The application id in the header of this bot's files: "STLT"."""


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


class Database:
    """The file, open; what is in it is a subclass's to say.

    Its coroutines raise StorageError, and change nothing then.
    """

    def __init__(self, path: Path, lane: _Lane, lock: int, busy_seconds: float) -> None:
        self._path = path
        self._lane = lane
        self._lock = lock
        self._busy_seconds = busy_seconds
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, path: Path, *, busy_seconds: float = 2.0) -> Self:
        """The database at `path`, made or migrated; it is this process's alone until closed.

        No write waits longer than `busy_seconds` for another program's lock. Raises
        DatabaseUnwritable, DatabaseInUse, DatabaseNewer, DatabaseDamaged, StorageBusy.
        """
        lock = _lock(path)
        lane = _Lane(path)
        try:
            await lane
            await lane.run(lambda con: _prepare(con, path, busy_seconds))
        except BaseException as error:
            await lane.close()
            os.close(lock)
            if (refusal := named(error, path, opening=True)) is not None:
                raise refusal from error
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
            os.close(self._lock)

    async def _write(self, work: Work[T]) -> T:
        """Run `work` in a transaction; see the head of this module for what cancelling does."""
        # Time spent in line counts: twenty writes against one lock fail after one wait, not twenty.
        patience = time.monotonic() + self._busy_seconds
        return await self._run(lambda con: _transaction(con, work, patience - time.monotonic()))

    async def _run(self, work: Work[T]) -> T:
        """Run `work` on the thread; what the world did to it becomes a StorageError."""
        if self._closing is not None:
            raise StorageClosed
        try:
            return await self._lane.run(work)
        except sqlite3.Error as error:
            if (refusal := named(error, self._path)) is not None:
                raise refusal from error
            raise


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


def _checkpoint(con: sqlite3.Connection) -> None:
    con.execute("PRAGMA busy_timeout = 0")
    con.execute("PRAGMA wal_checkpoint(TRUNCATE)")


# --- opening -------------------------------------------------------------------------------------


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
    found = _transaction(con, lambda con: version(con, path), busy_seconds)
    for number, script in enumerate(_scripts()[found:], found + 1):
        _transaction(con, _migration(number, script, path), busy_seconds)


def _scripts() -> list[str]:
    return [file.read_text(encoding="utf-8") for file in sorted(MIGRATIONS.glob("*.sql"))]


def version(con: sqlite3.Connection, path: Path) -> int:
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


# --- what went wrong -----------------------------------------------------------------------------

DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_CAUSES = {
    sqlite3.SQLITE_BUSY: "another program holds the database",
    sqlite3.SQLITE_LOCKED: "another program holds the database",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    **dict.fromkeys(READ_ONLY, "the database is read-only"),
}


def named(error: BaseException, path: Path, *, opening: bool = False) -> StorageError | None:
    """What the world did to us, as a StorageError; None for a bug of our own.

    While `opening`, a read-only file is DatabaseUnwritable: that does not pass by itself.
    """
    code = result_code(error)
    if code in DAMAGED:
        return DatabaseDamaged(path=str(path))
    if opening and code in READ_ONLY:
        return DatabaseUnwritable(path=str(path))
    return StorageBusy(cause=_CAUSES[code]) if code in _CAUSES else None


def result_code(error: BaseException) -> int:
    """SQLite's result code without its extension; 0 for what is no error of SQLite's."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
