"""After the end of the process, however it came: everything is as it was, or named as broken."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from dataclasses import replace

import pytest

from bot.database import StorageBusy, StorageError
from bot.journal import FEED, Note
from bot.records import Stage
from bot.refusals import NotSaved, TableBroken
from engine.chance import Chance
from engine.policy import at_random
from tests.bot.house import ANN, BOB, CLEO, THINK, ScriptedStorage, in_memory
from tests.bot.toy import Show, Toy


async def _restart(house, way: str) -> list[int]:
    await (house.close() if way == "closed" else house.kill())
    return await house.open()


def _rows(house, sql: str, *values: object) -> None:
    """Damage the file while no bot runs."""
    con = sqlite3.connect(house.path)
    try:
        with con:
            assert con.execute(sql, values).rowcount
    finally:
        con.close()


@pytest.mark.parametrize("way", ["closed", "killed"])
async def test_a_game_goes_on_from_every_point_as_if_nothing_had_happened(house, way):
    table = await house.game(ANN, BOB, CLEO, game="fix626", clock=300)
    dice = Chance(b"restarts", 0)
    for _ in range(12):
        match = table.begun
        (seat,) = match.pending()
        action = at_random(match.view(seat), match.choices(seat), dice)
        await house.manager.submit(
            table.id, table.record.sitters[seat].user_id, action, epoch=match.epoch
        )
        before = in_memory(table)[:3]
        assert await _restart(house, way) == []
        table = house.manager.table(table.id)
        assert in_memory(table)[:3] == before
        assert table.begun == match.submit(seat, action, epoch=match.epoch)[0]


@pytest.mark.parametrize("way", ["closed", "killed"])
async def test_every_kind_of_table_is_there_again(house, way):
    lobby = await house.lobby(ANN, BOB, channel=71)
    half = await house.game(ANN, BOB, CLEO, channel=72)
    await house.show(half, BOB, 2)
    paused = await house.game(ANN, BOB, computers=1, channel=73)
    await house.manager.stand_in(paused.id, ANN)
    await house.manager.leave(paused.id, BOB)
    taken = await house.game(ANN, BOB, channel=74)
    await house.manager.leave(taken.id, BOB)
    await house.manager.take_seat(taken.id, 1, CLEO, "Cleo")
    before = {t.id: in_memory(t)[:3] for t in (lobby, half, paused, taken)}
    assert await _restart(house, way) == []
    assert {t.id: in_memory(t)[:3] for t in house.manager.tables.values()} == before


async def test_a_computer_player_goes_on_after_a_restart(house):
    table = await house.game(ANN, computers=1)
    await house.kill()
    await house.open()
    await house.pass_time(THINK)
    assert house.manager.table(table.id).seq == 1


async def test_notes_and_the_last_news_are_there_again(house):
    table = await house.game(ANN, BOB, options={"rounds": 50})
    for _ in range(FEED):
        await house.show(table, ANN)
        await house.show(table, BOB)
        if table.record.stage is Stage.OVER:
            break
    assert len(table.feed) == FEED
    await house.manager.rematch(table.id, ANN, "Ann")
    again = house.manager.in_channel(70)
    await house.manager.begin(again.id, ANN)
    await house.manager.leave(again.id, ANN)
    await house.kill()
    await house.open()
    restored = house.manager.table(again.id)
    assert [n.code for n in restored.feed if isinstance(n, Note)] == ["note-left", "note-host"]
    assert list(restored.feed) == list(again.feed)
    ended = await house.manager.look_up(table.id)
    assert list(ended.feed) == list(table.feed)
    assert len(await house.manager.log_of(ended)) > FEED


SENSELESS = (
    '{"rounds":3,"first":-1,"shown":[0,1],"points":[0,0],"dice":[]}',  # asks nobody, is not over
    '{"rounds":0,"first":-1,"shown":[null,null],"points":[0,0],"dice":[]}',  # over, yet live
    '{"rounds":3,"first":-1,"shown":[1,1,1,1,null],"points":[0,0],"dice":[]}',  # asks seat 4
    '{"rounds":0,"first":-1,"shown":[null,null],"points":[],"dice":[]}',  # makes the rules fail
    '{"rounds":3}',
    "{}",
    "[]",
)


@pytest.mark.parametrize("state", SENSELESS)
async def test_a_state_that_makes_no_sense_breaks_its_table_alone(house, state, caplog):
    bad = await house.game(ANN, BOB)
    good = await house.game(ANN, BOB, channel=71)
    await house.close()
    _rows(house, "UPDATE matches SET state = ? WHERE table_id = ?", state, bad.id)
    assert await house.open() == [bad.id]
    assert list(house.manager.tables) == [good.id]
    assert f"table {bad.id} is broken" in caplog.text
    await house.lobby(CLEO)  # the channel is free


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE tables SET options = '[1]' WHERE id = ?",
        "UPDATE tables SET game = 'chess' WHERE id = ?",
        "DELETE FROM matches WHERE table_id = ?",
        "DELETE FROM seats WHERE seat = 0 AND table_id = ?",
        "DELETE FROM seats WHERE seat = 1 AND table_id = ?",
        "UPDATE matches SET edition = 'another' WHERE table_id = ?",
        "UPDATE matches SET rules_version = 99 WHERE table_id = ?",
        "UPDATE events SET event = '{\"note\": 1}' WHERE table_id = ?",
    ],
)
async def test_damaged_rows_break_their_table_alone(house, damage):
    bad = await house.game(ANN, BOB)
    good = await house.game(ANN, BOB, channel=71)
    await house.kill()
    _rows(house, damage, bad.id)
    assert await house.open() == [bad.id]
    assert list(house.manager.tables) == [good.id]
    assert await house.kill() is None
    assert await house.open() == []  # named once


async def test_another_edition_of_the_cards_does_not_go_on(house):
    table = await house.game(ANN, BOB)
    lobby = await house.lobby(ANN, channel=71)
    await house.close()
    other = Toy()
    other.edition = "reprint"
    house.games["toy"] = other
    assert await house.open() == [table.id]
    assert list(house.manager.tables) == [lobby.id]


async def test_a_lobby_with_options_of_another_version_is_closed(house):
    table = await house.lobby(ANN)
    await house.close()
    _rows(house, "UPDATE tables SET options = ? WHERE id = ?", json.dumps({"rounds": 2}), table.id)
    assert await house.open() == [table.id]


async def test_what_can_not_be_read_any_more_is_refused(house):
    table = await house.game(ANN, BOB, options={"rounds": 1})
    await house.show(table, ANN)
    await house.show(table, BOB)
    await house.close()
    _rows(house, "UPDATE events SET event = '{}' WHERE table_id = ?", table.id)
    await house.open()
    with pytest.raises(TableBroken):
        await house.manager.look_up(table.id)
    with pytest.raises(TableBroken):
        await house.manager.log_of(table)


async def test_a_read_that_fails_is_a_refusal(house, monkeypatch):
    table = await house.game(ANN, BOB)
    await house.manager.close_table(table.id, "closed-ended")

    async def fails(*_: object, **__: object) -> None:
        raise StorageBusy(cause="test")

    monkeypatch.setattr(house.storage, "events", fails)
    for work in (
        house.manager.look_up(table.id),
        house.manager.log_of(table),
        house.manager.unsettled(),
    ):
        with pytest.raises(NotSaved):
            await work
    monkeypatch.undo()


async def test_ends_that_were_not_shown_are_shown_after_a_restart(house, caplog):
    over = await house.game(ANN, BOB, options={"rounds": 1})
    await house.show(over, ANN)
    await house.show(over, BOB)
    closed = await house.lobby(ANN, channel=71)
    await house.manager.close_table(closed.id, "closed-ended")
    shown = await house.lobby(ANN, channel=72)
    await house.manager.close_table(shown.id, "closed-ended")
    await house.manager.note(shown, lambda record: replace(record, settled=True))
    await house.kill()
    _rows(house, "UPDATE tables SET game = 'chess' WHERE id = ?", closed.id)
    await house.open()
    unsettled = await house.manager.unsettled()
    assert [table.record for table in unsettled] == [over.record]
    assert unsettled[0].begun == over.begun
    assert f"table {closed.id}" in caplog.text
    caplog.clear()
    await house.manager.unsettled()
    assert not caplog.text  # said once


async def test_the_same_retry_after_a_kill_draws_the_same(house):
    """Killed before the write: the move never happened, and made again it is the same one."""
    table = await house.game(ANN, BOB)
    await house.show(table, ANN, 1)
    expected, _ = table.begun.submit(1, Show(2), epoch=0)
    house.storage.refuses = 1
    with pytest.raises(NotSaved):
        await house.show(table, BOB, 2)
    await house.kill()
    await house.open()
    again = house.manager.table(table.id)
    await house.show(again, BOB, 2)
    assert (again.begun.seed, again.begun.state) == (expected.seed, expected.state)


async def test_a_start_that_fails_half_way_shifts_no_deadline_twice(house, monkeypatch):
    """The supervisor starts it again at once."""
    one = await house.game(ANN, BOB, channel=70)
    await house.game(ANN, BOB, channel=71)
    deadline = one.record.deadline
    await house.manager.heartbeat()
    await house.kill()
    house.clock.time += 3600
    real, writes = ScriptedStorage._write, 0

    async def second_fails(self, work):
        nonlocal writes
        writes += 1
        if writes == 2:
            self.refuses = 1
        return await real(self, work)

    with monkeypatch.context() as patch:
        patch.setattr(ScriptedStorage, "_write", second_fails)
        with contextlib.suppress(StorageError):
            await house.open()
        await house.kill()
    await house.open()
    assert house.manager.table(one.id).record.deadline == deadline + 3600
