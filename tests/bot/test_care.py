"""What an operator does to the file harms neither it nor the bot that has it open."""

# ruff: noqa: ASYNC240 -- a test that touches a file blocks nobody else

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.care import BackupExists, BackupUnwritable, NoDatabase, backup, check
from bot.database import DatabaseUnwritable
from bot.storage import Storage
from tests.bot.stored import beside, move, moves_made, opened, opened_table
from tests.bot.stored import folder_of_a_plain_user as folder_of_a_plain_user
from tests.bot.stored import path as path
from tests.bot.stored import storage as storage

# --- backups -------------------------------------------------------------------------------------


async def test_a_backup_taken_while_games_go_on_is_a_whole_database(
    storage: Storage, path: Path, tmp_path: Path
) -> None:
    record = await opened_table(storage)
    await move(storage, record, 1)
    targets = [tmp_path / "first.db", tmp_path / "second.db"]
    await asyncio.gather(
        backup(path, targets[0]), move(storage, record, 2), backup(path, targets[1])
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
        with pytest.raises(BackupExists) as caught:
            await backup(path, taken)
        assert caught.value.params == {"path": str(taken)}
    assert notes.read_text() == "eggs"
    assert await check(path) == []


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


# --- checks --------------------------------------------------------------------------------------


async def test_a_database_not_made_yet_is_sound_and_stays_so(tmp_path: Path) -> None:
    for missing in (tmp_path / "table.db", tmp_path / "new" / "folder" / "table.db"):
        assert await check(missing) == []
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
    assert await check(path) == []
    with beside(path) as con:
        con.execute("DELETE FROM tables")
    assert any("belongs to no row of tables" in line for line in await check(path))
    content = bytearray(path.read_bytes())
    content[-8192:] = b"\x55" * 8192
    path.write_bytes(content)
    assert await check(path) != []
