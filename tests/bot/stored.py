"""Tables on real files, and what the tests of the database write into them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.database import MIGRATIONS
from bot.records import Entry, Presence, Record, SavedMatch, Sitter, Stage, StoredEvent
from bot.storage import Storage

SEED = b"seed-of-the-table-0123456789abcd"
SCRIPTS = sorted(MIGRATIONS.glob("*.sql"))


def a_record(**changes: object) -> Record:
    record = Record(
        id=0,
        game="stitches",
        guild_id=7,
        channel_id=70,
        stage=Stage.PLAYING,
        host_id=1,
        sitters=(Sitter(1, "Ann"), Sitter(2, "Bob"), Sitter(None, "Chip", Presence.COMPUTER)),
        options={"rounds": 3},
        created_at=1.0,
        touched_at=1.0,
    )
    return replace(record, **changes)  # type: ignore[arg-type]


def a_match(seq: int, state: str = '{"deck": "secret"}') -> SavedMatch:
    return SavedMatch(1, "first", SEED, 3, seq, state)


def an_entry(seq: int) -> Entry:
    return Entry(seq, seq % 3, f'{{"card": {seq}}}', float(seq), automatic=seq % 2 == 0)


def news(seq: int) -> list[StoredEvent]:
    public = StoredEvent(seq, None, f'{{"played": {seq}}}')
    return [public, StoredEvent(seq, seq % 3, f'{{"drew": {seq}}}')]


async def move(storage: Storage, record: Record, seq: int) -> None:
    """Write move number `seq` as the manager does."""
    await storage.save(
        replace(record, touched_at=float(seq)),
        match=a_match(seq, f'{{"seq": {seq}}}'),
        entries=[an_entry(seq)],
        events=news(seq),
    )


async def opened_table(storage: Storage, **changes: object) -> Record:
    record = a_record(**changes)
    record = replace(record, id=await storage.create_table(record))
    await storage.save(record, match=a_match(0))
    return record


async def moves_made(storage: Storage, record: Record) -> int:
    """The number of moves in the database, which has to agree with itself about it."""
    loaded = await storage.load(record.id)
    assert loaded is not None
    assert loaded.match is not None
    seq = loaded.match.seq
    assert await storage.journal(record.id) == [an_entry(n) for n in range(1, seq + 1)]
    assert await storage.events(record.id) == [e for n in range(1, seq + 1) for e in news(n)]
    if seq:
        assert loaded.match.state == f'{{"seq": {seq}}}'
        assert loaded.record.touched_at == float(seq)
    return seq


async def steps(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def opened(path: Path, busy_seconds: float = 2.0) -> AsyncIterator[Storage]:
    storage = await Storage.open(path, busy_seconds=busy_seconds)
    try:
        yield storage
    finally:
        await storage.close()


@contextlib.contextmanager
def beside(path: Path) -> Iterator[sqlite3.Connection]:
    """Another program's connection to the file."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as con:
        yield con


# --- fixtures ------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
async def storage(path: Path) -> AsyncIterator[Storage]:
    async with opened(path) as storage:
        yield storage


@pytest.fixture
def folder_of_a_plain_user() -> Iterator[Path]:
    """Root may write what is read-only; so that these tests mean something, be somebody else."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root = os.geteuid() == 0
        if root:
            os.chown(folder, 65534, 65534)
            os.seteuid(65534)
        try:
            yield folder
        finally:
            folder.chmod(0o700)
            if root:
                os.seteuid(0)
