"""What an operator does to the file, whether or not a bot has it open: check it, copy it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path

from bot.database import (
    DAMAGED,
    READ_ONLY,
    DatabaseUnwritable,
    StorageError,
    T,
    Work,
    named,
    result_code,
    version,
)


class NoDatabase(StorageError):
    """There is no file to copy; params: path."""

    code = "no-database"


class BackupExists(StorageError):
    """A backup never overwrites a file; params: path."""

    code = "backup-exists"


class BackupUnwritable(StorageError):
    """The copy, or a file in its folder, can't be written; params: path."""

    code = "backup-unwritable"


async def check(path: Path) -> list[str]:
    """What is wrong with a database; nothing when it is sound, or can still be made.

    It leaves nothing behind. Raises DatabaseUnwritable, DatabaseNewer, DatabaseDamaged for another
    program's, StorageBusy.
    """

    def sound(con: sqlite3.Connection) -> list[str]:
        if not (found := _problems(con)):
            version(con, path)
        return found

    def work() -> list[str]:
        _require_writable(path)
        return _beside(path, sound) if _is_there(path) else []

    return await asyncio.to_thread(work)


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


def _problems(con: sqlite3.Connection) -> list[str]:
    try:
        found = [row[0] for row in con.execute("PRAGMA integrity_check") if row[0] != "ok"]
        orphans = con.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.DatabaseError as error:
        if result_code(error) not in DAMAGED:
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
        if (refusal := named(error, path, opening=True)) is not None:
            raise refusal from error
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
        if isinstance(error, OSError) or result_code(error) in READ_ONLY:
            raise BackupUnwritable(path=str(target)) from error
        raise
