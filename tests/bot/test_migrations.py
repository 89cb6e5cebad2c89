"""A file of any earlier version becomes one of this version, whole or not at all."""

# ruff: noqa: ASYNC240 -- a test that touches a file blocks nobody else

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from bot import database
from bot.care import check
from bot.database import DatabaseDamaged, DatabaseNewer, statements
from bot.records import Loaded
from bot.storage import Storage
from tests.bot.stored import (
    SCRIPTS,
    a_match,
    a_record,
    beside,
    move,
    moves_made,
    opened,
    opened_table,
)
from tests.bot.stored import path as path

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
ROWS[2] = ROWS[1]  # only indices went


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
        assert await check(path) == []
    assert version_of(path) == len(SCRIPTS)


@pytest.mark.parametrize("version", sorted(ROWS))
async def test_tables_of_every_earlier_version_are_read(path: Path, version: int) -> None:
    built(path, version)
    async with opened(path) as storage:
        record = a_record(id=4)
        assert await storage.live() == [Loaded(record, a_match(1, '{"seq": 1}'))]
        assert await moves_made(storage, record) == 1
        assert await check(path) == []
    assert version_of(path) == len(SCRIPTS)


@pytest.fixture
def next_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script that the tests may fill: one more than the last."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    for script in SCRIPTS:
        (folder / script.name).write_text(script.read_text())
    monkeypatch.setattr(database, "MIGRATIONS", folder)
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
