"""Computer players: one move at a time, and the game never waits for one."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables import Change
from tests.bot.house import ANN, BOB, CLEO, THINK, House
from tests.bot.toy import Show


class Scripted:
    """A thinker that does what the test tells it; it waits while `held`."""

    def __init__(self) -> None:
        self.does: object = Show(2)
        self.asked: list[tuple[int, str]] = []
        self.cancelled = 0
        self.held: asyncio.Event | None = None

    async def decide(self, match, seat, level):
        self.asked.append((seat, level))
        if self.held is not None:
            try:
                await self.held.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        if isinstance(self.does, type):
            raise self.does
        return self.does


@pytest.fixture
def thinker() -> Scripted:
    return Scripted()


@pytest.fixture
async def house(tmp_path: Path, thinker: Scripted) -> AsyncIterator[House]:
    house = House(tmp_path / "bot.db", thinker)
    await house.open()
    try:
        yield house
        await house.agree()
    finally:
        await house.close()


async def test_one_move_at_a_time_with_a_pause_before_each(house, thinker):
    table = await house.game(ANN, computers=2)
    await house.pass_time(THINK - 0.1)
    assert table.seq == 0
    await house.pass_time(0.1)
    assert table.seq == 1
    await house.pass_time(THINK - 0.1)
    assert table.seq == 1
    await house.pass_time(0.1)
    assert table.begun.state.shown == (None, 2, 2)
    assert thinker.asked == [(1, "easy"), (2, "easy")]


async def test_for_a_person_the_computer_plays_at_a_level_of_its_own(house, thinker):
    await house.game(ANN, BOB)
    (table,) = house.manager.tables.values()
    await house.manager.leave(table.id, BOB)
    await house.pass_time(THINK)
    assert thinker.asked == [(1, "normal")]


@pytest.mark.parametrize(
    "does",
    [ValueError, TimeoutError, asyncio.CancelledError, Show(7), None, "nonsense", [], object()],
    ids=lambda value: type(value).__name__ if type(value) is object else repr(value),
)
async def test_whatever_a_thinker_does_a_move_is_made(house, thinker, does, caplog):
    thinker.does = does
    table = await house.game(ANN, computers=1)
    await house.pass_time(THINK)
    assert table.begun.state.shown == (None, 0)
    assert f"table {table.id} seq 0" in caplog.text


async def test_a_thinker_that_takes_too_long_is_stopped(house, thinker, caplog):
    house.manager._computers._longest = 0.01
    thinker.held = asyncio.Event()
    table = await house.game(ANN, computers=1)
    await house.pass_time(THINK)
    assert table.begun.state.shown == (None, 0)
    assert thinker.cancelled == 1
    assert "too slow" in caplog.text


async def _thinking(house, thinker, *people):
    """A game in which the computer thinks about seat 1."""
    thinker.held = asyncio.Event()
    table = await house.game(ANN, *people, computers=0 if people else 1)
    if people:
        await house.manager.leave(table.id, BOB)
    house.clock.time += THINK
    await house.manager.tick()
    await asyncio.sleep(0)
    assert len(thinker.asked) == 1
    return table


async def test_while_it_thinks_nobody_waits(house, thinker):
    table = await _thinking(house, thinker)
    await house.manager.tick()
    await house.show(table, ANN, 1)
    assert len(thinker.asked) == 1
    thinker.held.set()
    await house.quiet()
    assert table.begun.epoch == 1


async def test_what_it_thought_is_dropped_when_its_person_is_back(house, thinker):
    table = await _thinking(house, thinker, BOB, CLEO)
    await house.manager.come_back(table.id, BOB)
    thinker.held.set()
    await house.quiet()
    assert table.begun.state.shown == (None, None, None)


async def test_it_stops_when_the_question_is_answered(house, thinker):
    table = await _thinking(house, thinker, BOB)
    await house.manager.come_back(table.id, BOB)
    await house.show(table, BOB)
    await house.show(table, ANN)
    await house.quiet()
    assert thinker.cancelled == 1
    await house.manager.leave(table.id, BOB)
    thinker.held.set()
    await house.pass_time(THINK)
    assert table.begun.state.shown == (None, 2)


async def test_it_stops_when_the_table_closes(house, thinker):
    table = await _thinking(house, thinker)
    await house.manager.close_table(table.id, "closed-ended")
    await asyncio.sleep(0)
    assert thinker.cancelled == 1


async def test_nothing_is_played_in_front_of_nobody(house, thinker):
    table = await _thinking(house, thinker)
    await house.manager.stand_in(table.id, ANN)
    thinker.held.set()
    await house.quiet()
    await house.pass_time(1000)
    assert table.seq == 0
    await house.manager.come_back(table.id, ANN)
    await house.pass_time(THINK)
    assert table.seq == 1


async def test_closing_does_not_wait_for_a_thinker(house, thinker):
    table = await _thinking(house, thinker)
    await house.manager.close()
    assert thinker.cancelled == 1
    assert table.seq == 0


async def test_a_decision_during_an_outage_is_made_later(house, thinker):
    table = await _thinking(house, thinker)
    house.storage.refuses = 2
    thinker.held.set()
    await house.quiet()
    assert table.seq == 0
    for _ in range(3):
        house.clock.time += 1
        await house.tick()
    assert table.seq == 1


async def test_rules_that_fail_for_a_computer_player_close_the_table_in_the_end(
    house, thinker, monkeypatch, caplog
):
    def broken(*_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(type(house.games["toy"]), "apply", broken)
    table = await house.game(ANN, computers=1, clock=0)
    await house.pass_time(THINK + 59)
    assert len([r for r in caplog.records if r.exc_info]) == 1  # no traceback a second
    await house.pass_time(120)
    assert table.record.reason == "closed-fault"


async def test_what_was_decided_about_an_earlier_question_is_dropped(house, thinker):
    """It waits for the lane behind presses that answer for its seat and ask it anew."""
    table = await _thinking(house, thinker, BOB)
    epoch = table.begun.epoch
    async with table.lock:
        presses = [
            asyncio.ensure_future(press)
            for press in (
                house.manager.come_back(table.id, BOB),
                house.manager.submit(table.id, BOB, Show(0), epoch=epoch),
                house.manager.submit(table.id, ANN, Show(0), epoch=epoch),
                house.manager.leave(table.id, BOB),
            )
        ]
        for _ in range(5):
            await asyncio.sleep(0)
        thinker.held.set()
        for _ in range(5):
            await asyncio.sleep(0)
    await asyncio.gather(*presses)
    await house.quiet()
    assert table.begun.epoch == epoch + 1
    assert table.begun.state.shown == (None, None)
    await house.pass_time(THINK)
    assert table.begun.state.shown == (None, 2)


async def test_one_that_is_slow_to_stop_does_not_make_room_for_a_third(house, thinker):
    table = await _thinking(house, thinker)
    computers = house.manager._computers
    computers.changed(Change(table, new_question=True))
    computers.think(table, 1)
    for _ in range(5):
        await asyncio.sleep(0)
    assert thinker.cancelled == 1
    assert computers.busy(table)


async def test_a_table_closed_under_a_decision_leaves_no_error_behind(house, thinker):
    told: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    table = await _thinking(house, thinker)
    house.storage.before = house.storage.after = 20
    closing = asyncio.create_task(house.manager.close_table(table.id, "closed-ended"))
    for _ in range(2):
        await asyncio.sleep(0)
    thinker.held.set()
    await closing
    await house.quiet()
    gc.collect()
    assert told == []
