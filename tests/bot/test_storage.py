"""On real files: what was written is there, whole, whatever goes wrong meanwhile."""

# ruff: noqa: ASYNC220, ASYNC240 -- a test that touches a file blocks nobody else

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import storage as storage_module
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
from bot.storage import (
    MIGRATIONS,
    AlreadyFollowed,
    BackupExists,
    BackupUnwritable,
    Damaged,
    DatabaseDamaged,
    DatabaseInUse,
    DatabaseNewer,
    DatabaseUnwritable,
    Loaded,
    NoDatabase,
    SeqTaken,
    Storage,
    StorageBusy,
    StorageClosed,
    StorageError,
    TableGone,
    backup,
    check,
    statements,
)
from engine.core import Seat

ROOT = Path(__file__).parents[2]
SEED = b"seed-of-the-table-0123456789abcd"


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


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
async def storage(path: Path) -> AsyncIterator[Storage]:
    async with opened(path) as storage:
        yield storage


# --- round trips ---------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
ids = st.integers(0, 2**63 - 1)
times = st.floats(allow_nan=False, allow_infinity=False)
options = st.dictionaries(texts, st.booleans() | st.integers() | texts, max_size=4)
sitters = st.lists(
    st.builds(Sitter, ids | st.none(), texts, st.sampled_from(Presence), texts, st.integers(0, 9)),
    max_size=8,
    unique_by=lambda sitter: sitter.user_id if sitter.user_id is not None else object(),
)
RECORD_FIELDS = {
    "id": ids,
    "game": texts,
    "guild_id": ids,
    "channel_id": ids,
    "stage": st.sampled_from(Stage),
    "host_id": ids,
    "sitters": sitters.map(tuple),
    "options": options,
    "created_at": times,
    "touched_at": times,
    "clock": st.integers(0, 10**6),
    "own_thread": st.booleans(),
    "board": st.none() | st.builds(Board, ids, times),
    "asked_at": st.none() | times,
    "deadline": st.none() | times,
    "reminded": st.booleans(),
    "pinged": st.booleans(),
    "paused_at": st.none() | times,
    "ended_at": st.none() | times,
    "reason": texts,
    "follows": st.none() | ids,
    "former": st.frozensets(ids, max_size=3),
    "settled": st.booleans(),
}
records = st.fixed_dictionaries(RECORD_FIELDS).map(lambda values: Record(**values))
matches = st.builds(
    SavedMatch,
    st.integers(0, 99),
    texts,
    st.binary(max_size=32),
    st.integers(1, 9),
    st.integers(0, 999),
    st.sampled_from(['{"a": 1}', "[]", '"é\\u0000"']),
)


def with_types(record: Record) -> tuple[Record, list[tuple[str, type, object]]]:
    """Equality that tells True from 1."""
    return record, [(key, type(value), value) for key, value in sorted(record.options.items())]


@given(first=records, then=records, match=matches)
async def test_every_field_of_a_record_comes_back(
    first: Record, then: Record, match: SavedMatch
) -> None:
    assert set(RECORD_FIELDS) == {field.name for field in dataclasses.fields(Record)}
    async with opened(Path(":memory:")) as storage:
        table_id = await storage.create_table(first)
        loaded = await storage.load(table_id)
        assert loaded is not None
        assert with_types(loaded.record) == with_types(replace(first, id=table_id))
        assert loaded.match is None

        fixed = {name: getattr(first, name) for name in ("game", "guild_id", "created_at")}
        then = replace(then, id=table_id, follows=first.follows, **fixed)
        await storage.save(then, match=match)
        loaded = await storage.load(table_id)
        assert loaded is not None
        assert with_types(loaded.record) == with_types(then)
        assert loaded.match == match
        assert await storage.live() == ([Loaded(then, match)] if then.live else [])


@given(
    channels=st.frozensets(ids, max_size=3),
    clock=st.integers(0, 10**6),
    own_thread=st.booleans(),
    chosen=st.dictionaries(texts, options, max_size=3),
)
async def test_settings_come_back(
    channels: frozenset[int], clock: int, own_thread: bool, chosen: dict[str, dict[str, int]]
) -> None:
    settings = GuildSettings(5, channels, clock, own_thread, chosen)
    async with opened(Path(":memory:")) as storage:
        assert await storage.guild_settings(5) == GuildSettings(5)
        await storage.save_guild_settings(GuildSettings(5, clock=1))
        await storage.save_guild_settings(settings)
        assert await storage.guild_settings(5) == settings
        assert await storage.guild_settings(6) == GuildSettings(6)


async def test_user_settings_and_meta_come_back(storage: Storage) -> None:
    assert await storage.user_settings(1) == UserSettings(1)
    await storage.save_user_settings(UserSettings(1, pings=False))
    assert await storage.user_settings(1) == UserSettings(1, pings=False)
    assert await storage.get_meta("commands") is None
    await storage.set_meta("commands", "one")
    await storage.set_meta("commands", "two")
    assert await storage.get_meta("commands") == "two"


async def test_everything_is_there_after_a_restart(path: Path) -> None:
    async with opened(path) as storage:
        record = await opened_table(storage)
        for seq in range(1, 6):
            await move(storage, record, seq)
        before = await storage.live()
    async with opened(path) as storage:
        assert await storage.live() == before
        assert await moves_made(storage, record) == 5
    assert not path.with_name("table.db-wal").exists(), "closing leaves one file to copy"


async def test_each_seat_reads_public_events_and_its_own(storage: Storage) -> None:
    record = await opened_table(storage)
    other = await opened_table(storage, channel_id=71)
    for seq in range(1, 5):
        await move(storage, record, seq)
        await move(storage, other, seq)
    await storage.save(record, events=[StoredEvent(4, None, '"a note"')])  # a second one of seq 4
    note = StoredEvent(4, None, '"a note"')
    public = [news(n)[0] for n in range(1, 5)] + [note]
    assert await storage.recent_events(record.id, 99, seat=None) == public
    assert await storage.recent_events(record.id, 2, seat=None) == public[-2:]
    own = [e for n in range(1, 5) for e in news(n) if e.seat in (None, 1)] + [note]
    assert await storage.recent_events(record.id, 99, seat=Seat(1)) == own
    assert await storage.recent_events(record.id, 3, seat=Seat(1)) == own[-3:]


async def test_tables_are_found_by_server_and_channel(storage: Storage) -> None:
    ended = await opened_table(storage, stage=Stage.OVER, ended_at=5.0)
    live = await opened_table(storage)
    await opened_table(storage, channel_id=99, guild_id=8)
    assert await storage.tables_of_guild(7, live_only=False) == [ended, live]
    assert await storage.tables_of_guild(7, live_only=True) == [live]
    assert await storage.last_in_channel(70) == live
    assert await storage.last_in_channel(12345) is None
    assert await storage.load(12345) is None


async def test_an_ended_table_is_unsettled_until_its_last_board_is_drawn(storage: Storage) -> None:
    await opened_table(storage)
    await opened_table(storage, stage=Stage.OVER, ended_at=2.0, settled=True)
    over = await opened_table(storage, stage=Stage.OVER, ended_at=2.0)
    closed = await opened_table(storage, stage=Stage.CLOSED, ended_at=2.0)
    assert await storage.unsettled() == [Loaded(over, a_match(0)), Loaded(closed, a_match(0))]
    await storage.save(replace(over, settled=True))
    assert await storage.unsettled() == [Loaded(closed, a_match(0))]


# --- what a table may not do ---------------------------------------------------------------------


async def test_of_many_tables_opened_in_a_channel_at_once_there_is_one(storage: Storage) -> None:
    made = await asyncio.gather(
        *(storage.create_table(a_record()) for _ in range(5)), return_exceptions=True
    )
    (table_id,) = [m for m in made if isinstance(m, int)]
    refused = [m for m in made if isinstance(m, ChannelTaken)]
    assert [r.params for r in refused] == [{"table": table_id}] * 4
    assert len(await storage.live()) == 1


@pytest.mark.parametrize("stage", [Stage.OVER, Stage.CLOSED, Stage.BROKEN])
async def test_an_ended_table_frees_its_channel(storage: Storage, stage: Stage) -> None:
    record = await opened_table(storage)
    await storage.save(replace(record, stage=stage, ended_at=2.0))
    assert await storage.create_table(a_record()) != record.id


async def test_a_table_can_not_move_to_a_held_channel(storage: Storage) -> None:
    held = await opened_table(storage)
    record = await opened_table(storage, channel_id=71)
    with pytest.raises(ChannelTaken) as caught:
        await storage.save(replace(record, channel_id=70, clock=60))
    assert caught.value.params == {"table": held.id}
    loaded = await storage.load(record.id)
    assert loaded is not None
    assert loaded.record == record


async def test_of_two_rematches_there_is_one_and_the_other_hears_which(storage: Storage) -> None:
    old = await opened_table(storage, stage=Stage.OVER, ended_at=2.0)
    rematch = a_record(follows=old.id, stage=Stage.LOBBY)
    made = await asyncio.gather(
        *(storage.create_rematch(rematch) for _ in range(3)), return_exceptions=True
    )
    (table_id,) = [m for m in made if isinstance(m, int)]
    assert [m.table_id for m in made if isinstance(m, AlreadyFollowed)] == [table_id] * 2

    await storage.save(replace(rematch, id=table_id, stage=Stage.OVER, ended_at=3.0))
    with pytest.raises(AlreadyFollowed):
        await storage.create_rematch(rematch)


async def test_a_rematch_that_was_closed_may_be_asked_for_again(storage: Storage) -> None:
    rematch = a_record(follows=1, stage=Stage.LOBBY)
    table_id = await storage.create_rematch(rematch)
    await storage.save(replace(rematch, id=table_id, stage=Stage.CLOSED, ended_at=3.0))
    assert await storage.create_rematch(rematch) > table_id


@pytest.mark.parametrize("entries", [[2], [3, 2], [3, 3]])
async def test_a_taken_seq_changes_nothing(storage: Storage, entries: list[int]) -> None:
    record = await opened_table(storage)
    for seq in (1, 2):
        await move(storage, record, seq)
    with pytest.raises(SeqTaken):
        await storage.save(
            replace(record, clock=60),
            match=a_match(9),
            entries=[an_entry(seq) for seq in entries],
            events=news(9),
        )
    assert await moves_made(storage, record) == 2
    assert (await storage.live())[0] == Loaded(
        replace(record, touched_at=2.0), a_match(2, '{"seq": 2}')
    )


async def test_a_table_that_is_gone_is_not_made_again(storage: Storage) -> None:
    with pytest.raises(TableGone):
        await storage.save(a_record(id=5), match=a_match(1), entries=[an_entry(1)])
    assert await storage.live() == []


async def test_a_bug_of_ours_is_no_storage_error_and_changes_nothing(storage: Storage) -> None:
    record = await opened_table(storage)
    with pytest.raises(sqlite3.IntegrityError):
        await storage.save(record, match=a_match(1), events=[StoredEvent(1, None, "no json")])
    with pytest.raises(OverflowError):
        await storage.save(replace(record, clock=2**70))
    assert await moves_made(storage, record) == 0


# --- opening -------------------------------------------------------------------------------------

SCRIPTS = sorted(MIGRATIONS.glob("*.sql"))

# A table as each version wrote it, by version; a new migration adds its own.
ROWS = {
    1: """
        INSERT INTO tables VALUES (4, 'stitches', 7, 70, 'playing', 1, '{"rounds": 3}', 1.0, 1.0,
            300, 0, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, '', NULL, '[]', 0);
        INSERT INTO seats VALUES (4, 0, 1, 'Ann', 'here', '', 0);
        INSERT INTO seats VALUES (4, 1, 2, 'Bob', 'here', '', 0);
        INSERT INTO seats VALUES (4, 2, NULL, 'Chip', 'computer', '', 0);
        INSERT INTO matches VALUES (4, 1, 'first', CAST('seed-of-the-table-0123456789abcd' AS BLOB),
            3, 1, '{"seq": 1}');
        INSERT INTO entries VALUES (4, 1, 1, '{"card": 1}', 1.0, 0);
        INSERT INTO events VALUES (4, 1, 1, NULL, '{"played": 1}');
        INSERT INTO events VALUES (4, 2, 1, 1, '{"drew": 1}');
        """,
}


def version_of(path: Path) -> int:
    with beside(path) as con:
        return int(con.execute("PRAGMA user_version").fetchone()[0])


def built(path: Path, version: int) -> None:
    """A database as an earlier version left it, with a table in it."""
    with beside(path) as con:
        for number, script in enumerate(SCRIPTS[:version], 1):
            con.executescript(script.read_text())
            con.execute(f"PRAGMA user_version = {number}")
        con.executescript(ROWS.get(version, ""))


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [int(file.name[:3]) for file in SCRIPTS] == list(range(1, len(SCRIPTS) + 1))
    assert set(ROWS) == set(range(1, len(SCRIPTS) + 1)), "put rows of the new version here"


async def test_a_new_file_gets_every_migration_and_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "data" / "ta#b?le 100%.db"
    async with opened(path) as storage:
        assert await storage.live() == []
        assert await storage.check() == []
    assert version_of(path) == len(SCRIPTS)


@pytest.mark.parametrize("version", sorted(ROWS))
async def test_tables_of_every_earlier_version_are_read(path: Path, version: int) -> None:
    built(path, version)
    async with opened(path) as storage:
        record = a_record(id=4)
        assert await storage.live() == [Loaded(record, a_match(1, '{"seq": 1}'))]
        assert await moves_made(storage, record) == 1
        assert await storage.check() == []
    assert version_of(path) == len(SCRIPTS)


@pytest.fixture
def next_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script that the tests may fill: one more than the last."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    for script in SCRIPTS:
        (folder / script.name).write_text(script.read_text())
    monkeypatch.setattr(storage_module, "MIGRATIONS", folder)
    return folder / f"{len(SCRIPTS) + 1:03}_next.sql"


async def test_a_migration_may_rebuild_what_others_point_to(
    path: Path, next_migration: Path
) -> None:
    async with opened(path) as storage:
        record = await opened_table(storage)
        await move(storage, record, 1)
    next_migration.write_text(
        "CREATE TABLE copy (id INTEGER PRIMARY KEY, extra TEXT DEFAULT 'a;b') STRICT; -- why; so\n"
        "INSERT INTO copy (id) SELECT id FROM tables;\n"
        "DROP TABLE copy;\n"
        "CREATE TRIGGER t AFTER INSERT ON meta BEGIN SELECT 1; SELECT 2; END;\n"
        "ALTER TABLE tables ADD COLUMN colour TEXT"
    )
    async with opened(path) as storage:
        assert await moves_made(storage, record) == 1
    assert version_of(path) == len(SCRIPTS) + 1


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("CREATE TABLE half (a);\nCREATE TABLE half (a);", sqlite3.OperationalError),
        ("CREATE TABLE half (a);\nDELETE FROM tables;", DatabaseDamaged),  # orphans the seats
    ],
)
async def test_a_failing_migration_leaves_nothing_behind(
    path: Path, next_migration: Path, script: str, error: type[Exception]
) -> None:
    async with opened(path) as storage:
        record = await opened_table(storage)
        await move(storage, record, 1)
    next_migration.write_text(script)
    with pytest.raises(error):
        await Storage.open(path)
    assert version_of(path) == len(SCRIPTS)
    with beside(path) as con:
        assert con.execute("SELECT 1 FROM sqlite_schema WHERE name = 'half'").fetchone() is None
    next_migration.unlink()
    async with opened(path) as storage:
        assert await moves_made(storage, record) == 1


def test_a_script_is_split_where_sqlite_ends_a_statement() -> None:
    script = (
        "SELECT ';'; -- a; b\nCREATE TRIGGER t AFTER INSERT ON m BEGIN SELECT 1; END;\nSELECT 2"
    )
    assert [statement.strip() for statement in statements(script)] == [
        "SELECT ';';",
        "-- a; b\nCREATE TRIGGER t AFTER INSERT ON m BEGIN SELECT 1; END;",
        "SELECT 2;",
    ]


async def test_a_newer_database_is_left_alone(path: Path) -> None:
    async with opened(path):
        pass
    with beside(path) as con:
        con.execute("PRAGMA user_version = 99")
    for looking in (Storage.open, check):
        with pytest.raises(DatabaseNewer) as caught:
            await looking(path)
        assert caught.value.params == {"found": 99, "known": len(SCRIPTS)}
    assert version_of(path) == 99


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
    for path in (tmp_path / "file" / "table.db", tmp_path / "folder"):
        with pytest.raises(DatabaseUnwritable) as caught:
            await Storage.open(path)
        assert caught.value.params == {"path": str(path)}


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


async def test_a_read_only_folder_is_refused(folder_of_a_plain_user: Path) -> None:
    folder_of_a_plain_user.chmod(0o500)
    for path in (folder_of_a_plain_user / "table.db", folder_of_a_plain_user / "new" / "table.db"):
        with pytest.raises(DatabaseUnwritable):
            await Storage.open(path)


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
        async with opened(path) as storage:
            assert await storage.check() == []


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


async def test_a_database_locked_while_opening_is_busy(path: Path) -> None:
    async with opened(path):
        pass
    with beside(path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageBusy):
            await Storage.open(path, busy_seconds=0.05)
    async with opened(path):
        pass


async def pragma(storage: Storage, setting: str) -> None:
    await storage._lane.run(lambda con: con.execute(f"PRAGMA {setting}").fetchall())


async def test_a_full_disk_leaves_nothing_half_made(storage: Storage) -> None:
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
    assert await storage.check() == []


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


# --- damaged rows --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "part"),
    [
        ("UPDATE tables SET options = '{\"hand\": ' WHERE id = 2", "options"),
        ("UPDATE tables SET options = '{\"hand\": [1]}' WHERE id = 2", "options"),
        ("UPDATE tables SET options = '\"hand\"' WHERE id = 2", "options"),
        ("UPDATE tables SET stage = 'hand' WHERE id = 2", "stage"),
        ("UPDATE tables SET former = '[\"hand\"]' WHERE id = 2", "former players"),
        ("UPDATE tables SET former = '7' WHERE id = 2", "former players"),
        ("UPDATE seats SET presence = 'hand' WHERE table_id = 2 AND seat = 1", "presence"),
        ("DELETE FROM seats WHERE table_id = 2 AND seat = 0", "seat"),
    ],
)
async def test_a_damaged_table_harms_no_other(path: Path, damage: str, part: str) -> None:
    async with opened(path) as storage:
        first, _, third = [await opened_table(storage, channel_id=c) for c in (1, 2, 3)]
    with beside(path) as con:
        con.execute("PRAGMA ignore_check_constraints = ON")
        con.execute(damage)
    async with opened(path) as storage:
        found = await storage.live()
        damaged = found[1]
        assert isinstance(damaged, Damaged)
        assert (damaged.id, damaged.channel_id, damaged.guild_id) == (2, 2, 7)
        assert part in damaged.why
        assert "hand" not in damaged.why
        assert found[::2] == [Loaded(first, a_match(0)), Loaded(third, a_match(0))]
        with pytest.raises(TableBroken):
            await storage.load(2)
        assert await storage.last_in_channel(2) is None
        assert await storage.tables_of_guild(7, live_only=False) == [first, third]

        await storage.mark_broken(2, "table-broken", 9.0)
        assert await storage.live() == found[::2]
        assert await storage.create_table(a_record(channel_id=2)) == 4


@pytest.mark.parametrize("raw", ["[", "[1]", '{"stitches": 5}', '{"stitches": {"a": null}}'])
async def test_damaged_settings_of_a_server_are_its_defaults(path: Path, raw: str) -> None:
    async with opened(path) as storage:
        await storage.save_guild_settings(GuildSettings(5, clock=60))
    with beside(path) as con:
        con.execute("PRAGMA ignore_check_constraints = ON")
        con.execute("UPDATE guild_settings SET options = ?", (raw,))
    async with opened(path) as storage:
        assert await storage.guild_settings(5) == GuildSettings(5)


# --- care ----------------------------------------------------------------------------------------


async def test_a_backup_taken_while_games_go_on_is_a_whole_database(
    storage: Storage, path: Path, tmp_path: Path
) -> None:
    record = await opened_table(storage)
    await move(storage, record, 1)
    targets = [tmp_path / "first.db", tmp_path / "second.db"]
    await asyncio.gather(
        storage.backup(targets[0]), move(storage, record, 2), backup(path, targets[1])
    )
    await move(storage, record, 3)
    for target in targets:
        assert await check(target) == []
        async with opened(target) as copy:
            assert await moves_made(copy, record) in (1, 2)


async def test_a_backup_overwrites_nothing(storage: Storage, path: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("eggs")
    for taken in (path, notes, tmp_path):
        for work in (storage.backup(taken), backup(path, taken)):
            with pytest.raises(BackupExists) as caught:
                await work
            assert caught.value.params == {"path": str(taken)}
    assert notes.read_text() == "eggs"
    assert await storage.check() == []


async def test_a_backup_that_can_not_be_written_leaves_nothing(
    path: Path, folder_of_a_plain_user: Path
) -> None:
    folder = folder_of_a_plain_user
    async with opened(folder / "table.db"):
        pass
    files = sorted(folder.iterdir())
    folder.chmod(0o500)
    for target in (folder / "copy.db", folder / "nowhere" / "copy.db", Path("/dev/null/copy.db")):
        with pytest.raises(BackupUnwritable) as caught:
            await backup(folder / "table.db", target)
        assert caught.value.params == {"path": str(target)}
    assert sorted(folder.iterdir()) == files


async def test_without_a_database_there_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase):
        await backup(tmp_path / "missing.db", tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


async def test_a_database_in_memory_can_be_backed_up(tmp_path: Path) -> None:
    async with opened(Path(":memory:")) as storage:
        record = await opened_table(storage)
        await storage.backup(tmp_path / "copy.db")
    async with opened(tmp_path / "copy.db") as copy:
        assert await moves_made(copy, record) == 0


async def test_a_database_not_made_yet_is_sound_and_stays_so(tmp_path: Path) -> None:
    for path in (tmp_path / "table.db", tmp_path / "new" / "folder" / "table.db"):
        assert await check(path) == []
    assert list(tmp_path.iterdir()) == []


async def test_a_check_refuses_what_opening_would_refuse(folder_of_a_plain_user: Path) -> None:
    folder = folder_of_a_plain_user
    path = folder / "table.db"
    async with opened(path):
        pass
    path.chmod(0o400)
    (folder / "closed").mkdir(0o000)
    files = sorted(folder.iterdir())
    refused = [path, folder / "closed" / "table.db", Path("/dev/null/table.db"), folder]
    for wrong in refused:
        with pytest.raises(DatabaseUnwritable) as caught:
            await check(wrong)
        assert caught.value.params == {"path": str(wrong)}
    path.chmod(0o600)
    folder.chmod(0o500)
    for wrong in (path, folder / "new.db", folder / "new" / "table.db"):
        with pytest.raises(DatabaseUnwritable):
            await check(wrong)
    assert sorted(folder.iterdir()) == files


async def test_a_check_beside_a_bot_leaves_its_files_alone(storage: Storage, path: Path) -> None:
    record = await opened_table(storage)
    files = sorted(path.parent.iterdir())
    assert await check(path) == []
    assert sorted(path.parent.iterdir()) == files
    await move(storage, record, 1)
    assert await moves_made(storage, record) == 1


async def test_a_check_finds_orphans_and_broken_pages(path: Path) -> None:
    async with opened(path) as storage:
        record = await opened_table(storage)
        for seq in range(1, 200):
            await move(storage, record, seq)
        assert await storage.check() == []
    assert await check(path) == []
    with beside(path) as con:
        con.execute("DELETE FROM tables")
    async with opened(path) as storage:
        assert any("belongs to no row of tables" in line for line in await storage.check())
    content = bytearray(path.read_bytes())
    content[-8192:] = b"\x55" * 8192
    path.write_bytes(content)
    assert await check(path) != []


async def test_pruning_forgets_old_ended_tables_whole(storage: Storage) -> None:
    live = await opened_table(storage)
    old = [
        await opened_table(storage, stage=Stage.OVER, ended_at=float(n), channel_id=n)
        for n in range(120)
    ]
    for record in (live, old[0], old[-1]):
        await move(storage, record, 1)
    assert await storage.prune(119.0) == 119
    assert await storage.prune(119.0) == 0
    assert await storage.load(old[0].id) is None
    assert await storage.journal(old[0].id) == []
    assert await storage.events(old[0].id) == []
    assert await moves_made(storage, old[-1]) == 1
    assert await moves_made(storage, live) == 1
    assert await storage.check() == []


async def test_the_id_of_a_pruned_table_is_not_given_again(storage: Storage) -> None:
    record = await opened_table(storage, stage=Stage.OVER, ended_at=1.0)
    assert await storage.prune(2.0) == 1
    assert await storage.create_table(a_record()) > record.id


# --- kill -9 -------------------------------------------------------------------------------------

WRITER = """
import asyncio, sys
from pathlib import Path
from bot.storage import Storage
from tests.bot.test_storage import move, moves_made

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
            assert await storage.check() == []
            for record in tables:
                seq = await moves_made(storage, record)
                assert last.get(record.id, 0) <= seq
