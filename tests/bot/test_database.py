"""On real files: what was written is there, whole, whatever goes wrong meanwhile."""

# ruff: noqa: ASYNC220, ASYNC240 -- a test that touches a file blocks nobody else

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.care import check
from bot.database import (
    DatabaseDamaged,
    DatabaseInUse,
    DatabaseUnwritable,
    StorageBusy,
    StorageClosed,
    StorageError,
)
from bot.records import Entry, Record, StoredEvent
from bot.storage import Storage
from tests.bot.stored import (
    SEED,
    a_match,
    a_record,
    beside,
    move,
    moves_made,
    opened,
    opened_table,
    steps,
)
from tests.bot.stored import folder_of_a_plain_user as folder_of_a_plain_user
from tests.bot.stored import path as path
from tests.bot.stored import storage as storage

ROOT = Path(__file__).parents[2]

# --- opening -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [b"this is a letter, not a database. " * 50, b"SQLite format 3\x00" + b"\xfe" * 5000],
    ids=["text", "header alone"],
)
async def test_garbage_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(DatabaseDamaged):
        await Storage.open(path)
    assert await check(path) != []
    assert path.read_bytes() == content


async def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    with beside(path) as con:
        con.execute("CREATE TABLE tables (theirs)")
    for looking in (Storage.open, check):
        with pytest.raises(DatabaseDamaged):
            await looking(path)
    with beside(path) as con:
        assert con.execute("SELECT name FROM sqlite_schema").fetchall() == [("tables",)]


async def test_a_path_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for wrong in (tmp_path / "file" / "table.db", tmp_path / "folder"):
        with pytest.raises(DatabaseUnwritable) as caught:
            await Storage.open(wrong)
        assert caught.value.params == {"path": str(wrong)}


async def test_a_read_only_folder_is_refused(folder_of_a_plain_user: Path) -> None:
    folder = folder_of_a_plain_user
    folder.chmod(0o500)
    for wrong in (folder / "table.db", folder / "new" / "table.db"):
        with pytest.raises(DatabaseUnwritable):
            await Storage.open(wrong)


async def test_a_read_only_file_is_refused(folder_of_a_plain_user: Path) -> None:
    path = folder_of_a_plain_user / "table.db"
    async with opened(path):
        pass
    path.chmod(0o400)
    with pytest.raises(DatabaseUnwritable):
        await Storage.open(path)
    path.chmod(0o600)
    async with opened(path):
        pass


async def test_a_file_that_is_open_is_refused_until_it_is_closed(path: Path) -> None:
    async with opened(path):
        with pytest.raises(DatabaseInUse) as caught:
            await Storage.open(path)
        assert caught.value.params == {"path": str(path)}
    async with opened(path):
        pass


async def test_a_database_locked_while_opening_is_busy(path: Path) -> None:
    async with opened(path):
        pass
    with beside(path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageBusy):
            await Storage.open(path, busy_seconds=0.05)
    async with opened(path):
        pass


@contextlib.contextmanager
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        thread.join(5)  # it is on its way out
        assert not thread.is_alive()


async def test_opening_can_be_cancelled_at_any_step(path: Path) -> None:
    with no_thread_left():
        for count in range(30):
            opening = asyncio.create_task(Storage.open(path))
            await steps(count)
            opening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await (await opening).close()
    async with opened(path):
        assert await check(path) == []


# --- when writing fails --------------------------------------------------------------------------


async def test_a_lock_held_too_long_refuses_every_write_after_one_wait(path: Path) -> None:
    async with opened(path, busy_seconds=0.2) as storage:
        tables = [await opened_table(storage, channel_id=channel) for channel in range(10)]
        with beside(path) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            results = await asyncio.gather(
                *(move(storage, record, 1) for record in tables), return_exceptions=True
            )
            assert time.monotonic() - began < 1.5, "ten writes must not wait ten times"
            assert [type(result) for result in results] == [StorageBusy] * 10
            assert "another program" in str(results[0])
            for record in tables:
                assert await moves_made(storage, record) == 0
            other.execute("ROLLBACK")
        for record in tables:
            await move(storage, record, 1)
            assert await moves_made(storage, record) == 1


async def test_a_lock_given_back_in_time_is_waited_for(path: Path) -> None:
    async with opened(path, busy_seconds=30) as storage:
        record = await opened_table(storage)
        with beside(path) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.create_task(move(storage, record, 1))
            await steps(20)
            assert not writing.done()
            other.execute("COMMIT")
            await writing
        assert await moves_made(storage, record) == 1


async def pragma(storage: Storage, setting: str) -> None:
    await storage._lane.run(lambda con: con.execute(f"PRAGMA {setting}").fetchall())


async def test_a_full_disk_leaves_nothing_half_made(storage: Storage, path: Path) -> None:
    record = await opened_table(storage)
    made = 0

    async def move_on() -> None:
        nonlocal made
        while made < 1000:
            await move(storage, record, made + 1)
            made += 1

    async def open_more() -> None:
        for channel in range(1000):
            await storage.create_table(a_record(channel_id=channel, reason="x" * 1000))

    await pragma(storage, "max_page_count = 1")  # as many as there are
    with pytest.raises(StorageBusy) as caught:
        await move_on()
    assert caught.value.params == {"cause": "the disk is full"}
    assert await moves_made(storage, record) == made
    with pytest.raises(StorageBusy):
        await storage.save(record, match=a_match(made + 1, f'"{"x" * 100_000}"'))
    with pytest.raises(StorageBusy):
        await open_more()
    assert await moves_made(storage, record) == made
    await pragma(storage, "max_page_count = 1000000")
    await move(storage, record, made + 1)
    assert await moves_made(storage, record) == made + 1
    assert await check(path) == []


async def test_a_database_that_becomes_read_only_refuses_and_recovers(storage: Storage) -> None:
    record = await opened_table(storage)
    await pragma(storage, "query_only = ON")
    with pytest.raises(StorageBusy) as caught:
        await move(storage, record, 1)
    assert caught.value.params == {"cause": "the database is read-only"}
    assert await moves_made(storage, record) == 0
    await pragma(storage, "query_only = OFF")
    await move(storage, record, 1)
    assert await moves_made(storage, record) == 1


async def test_no_secret_reaches_the_log_or_an_error(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    hidden = "queen of hearts"
    failures: list[BaseException] = []

    async def attempt(storage: Storage, record: Record, state: str, event: str) -> None:
        try:
            await storage.save(
                record,
                match=a_match(1, state),
                entries=[Entry(1, 0, f'"{hidden}"', 1.0)],
                events=[StoredEvent(1, 0, event)],
            )
        except (StorageError, sqlite3.Error) as error:
            failures.append(error)

    async with opened(path, busy_seconds=0.01) as storage:
        record = await opened_table(storage)
        with beside(path) as other:
            other.execute("BEGIN IMMEDIATE")
            await attempt(storage, record, f'"{hidden}"', f'"{hidden}"')
        await attempt(storage, record, hidden, f'"{hidden}"')
        await attempt(storage, record, f'"{hidden}"', hidden)
        await attempt(storage, record, f'"{hidden}"', f'"{hidden}"')
        await attempt(storage, record, f'"{hidden}"', f'"{hidden}"')
        await storage.live()
    assert len(failures) == 4
    said = caplog.text + "".join(f"{error!r} {error.__cause__!r}" for error in failures)
    assert hidden not in said
    assert SEED.decode() not in said


# --- cancelling and closing ----------------------------------------------------------------------


async def test_cancelling_at_any_step_leaves_a_move_whole_or_unmade(storage: Storage) -> None:
    record = await opened_table(storage)
    made = 0
    for count in [*range(12)] * 8:
        writing = asyncio.create_task(move(storage, record, made + 1))
        await steps(count)
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        assert await moves_made(storage, record) in (made, made + 1)
        made = await moves_made(storage, record)
        assert not storage._lane.in_transaction
    assert made, "some were written, since cancelling does not stop a write that was asked for"


async def test_who_shields_write_and_swap_never_falls_behind(storage: Storage) -> None:
    record = await opened_table(storage)
    memory = 0
    lane = asyncio.Lock()

    async def write_and_swap() -> None:
        nonlocal memory
        async with lane:
            await move(storage, record, memory + 1)
            memory += 1

    for count in [*range(12)] * 8:
        writing = asyncio.create_task(write_and_swap())

        async def press(writing: asyncio.Task[None] = writing) -> None:
            await asyncio.shield(writing)

        pressing = asyncio.create_task(press())
        await steps(count)
        pressing.cancel()
        await asyncio.gather(pressing, return_exceptions=True)
        await writing
        assert await moves_made(storage, record) == memory
    assert memory == 96


async def test_closing_waits_for_every_write_asked_for(path: Path) -> None:
    storage = await Storage.open(path)
    tables = [await opened_table(storage, channel_id=channel) for channel in range(5)]
    writing = [asyncio.create_task(move(storage, record, 1)) for record in tables]
    await steps(1)
    for task in writing[::2]:
        task.cancel()
    await storage.close()
    await asyncio.gather(*writing, return_exceptions=True)
    async with opened(path) as storage:
        for record in tables:
            assert await moves_made(storage, record) == 1


async def test_closing_again_or_twice_at_once_or_cancelled_is_harmless(path: Path) -> None:
    for count in range(8):
        with no_thread_left():
            storage = await Storage.open(path)
            closing = asyncio.create_task(storage.close())
            await steps(count)
            closing.cancel()
            await asyncio.gather(closing, storage.close(), return_exceptions=True)
            await storage.close()
        with pytest.raises(StorageClosed):
            await storage.live()
        with pytest.raises(StorageClosed):
            await storage.create_table(a_record())


async def test_closing_under_another_programs_lock_does_not_hang(path: Path) -> None:
    storage = await Storage.open(path, busy_seconds=30)
    record = await opened_table(storage)
    with beside(path) as other:
        other.execute("BEGIN IMMEDIATE")
        await storage.close()
    async with opened(path) as storage:
        assert await moves_made(storage, record) == 0


# --- kill -9 -------------------------------------------------------------------------------------

WRITER = """
import asyncio, sys
from pathlib import Path
from bot.storage import Storage
from tests.bot.stored import move, moves_made

async def play(storage, record):
    seq = await moves_made(storage, record)
    while True:
        seq += 1
        await move(storage, record, seq)
        print(record.id, seq, flush=True)

async def main():
    storage = await Storage.open(Path(sys.argv[1]))
    tables = [loaded.record for loaded in await storage.live()]
    await asyncio.gather(*(play(storage, record) for record in tables))

asyncio.run(main())
"""


async def test_a_killed_process_loses_nothing_that_it_told(path: Path) -> None:
    async with opened(path) as storage:
        tables = [await opened_table(storage, channel_id=channel) for channel in range(3)]
    for told_lines in (1, 2, 7, 40, 111):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        with writer.stdout:
            told = [writer.stdout.readline() for _ in range(told_lines)]
            with pytest.raises(DatabaseInUse):
                await Storage.open(path)
            writer.kill()
            told += [line for line in writer.stdout if line.endswith("\n")]
        writer.wait()
        last = {int(table): int(seq) for table, seq in map(str.split, told)}
        async with opened(path) as storage:  # the kernel gave the lock back
            assert await check(path) == []
            for record in tables:
                seq = await moves_made(storage, record)
                assert last.get(record.id, 0) <= seq
