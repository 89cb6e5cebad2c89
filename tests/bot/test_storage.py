"""What was written of a table is there, and what a table may not do is refused."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from bot.care import check
from bot.records import Damaged, GuildSettings, Loaded, Stage, StoredEvent, UserSettings
from bot.refusals import AlreadyFollowed, ChannelTaken, TableBroken
from bot.rows import SeqTaken, TableGone
from bot.storage import Storage
from tests.bot.stored import (
    a_match,
    a_record,
    an_entry,
    beside,
    move,
    moves_made,
    news,
    opened,
    opened_table,
)
from tests.bot.stored import path as path
from tests.bot.stored import storage as storage

# --- what was written ----------------------------------------------------------------------------


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


async def test_events_come_back_in_the_order_in_which_they_were_written(storage: Storage) -> None:
    record = await opened_table(storage)
    other = await opened_table(storage, channel_id=71)
    for seq in range(1, 5):
        await move(storage, record, seq)
        await move(storage, other, seq)
    note = StoredEvent(4, None, '"a note"')  # a third one of seq 4
    await storage.save(record, events=[note])
    assert await storage.events(record.id) == [e for n in range(1, 5) for e in news(n)] + [note]


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
        *(storage.create_table(rematch) for _ in range(3)), return_exceptions=True
    )
    (table_id,) = [m for m in made if isinstance(m, int)]
    assert [m.params["table"] for m in made if isinstance(m, AlreadyFollowed)] == [table_id] * 2

    await storage.save(replace(rematch, id=table_id, stage=Stage.OVER, ended_at=3.0))
    with pytest.raises(AlreadyFollowed):
        await storage.create_table(rematch)


async def test_a_rematch_that_was_closed_may_be_asked_for_again(storage: Storage) -> None:
    rematch = a_record(follows=1, stage=Stage.LOBBY)
    table_id = await storage.create_table(rematch)
    await storage.save(replace(rematch, id=table_id, stage=Stage.CLOSED, ended_at=3.0))
    assert await storage.create_table(rematch) > table_id


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


# --- pruning -------------------------------------------------------------------------------------


async def test_pruning_forgets_old_ended_tables_whole(storage: Storage, path: Path) -> None:
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
    assert await check(path) == []


async def test_the_id_of_a_pruned_table_is_not_given_again(storage: Storage) -> None:
    record = await opened_table(storage, stage=Stage.OVER, ended_at=1.0)
    assert await storage.prune(2.0) == 1
    assert await storage.create_table(a_record()) > record.id
