"""What comes due when nobody presses anything, and what people find when they come back."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest

from bot.clock import MOMENT, PAUSE_LONGEST, UNTOUCHED_LONGEST, Due, Thing, next_due
from bot.journal import Note
from bot.records import Presence, Record, Sitter, Stage
from bot.refusals import NotAllowed
from engine.fix626.cards import Character
from engine.fix626.model import Asking, Play
from tests.bot.house import ANN, BOB, CLEO, START, THINK, House
from tests.bot.toy import Answered, Thrown


def notes(table) -> list[str]:
    return [news.code for news in table.feed if isinstance(news, Note)]


def a_record(**changes: object) -> Record:
    record = Record(1, "toy", 7, 70, Stage.PLAYING, ANN, (Sitter(ANN, "Ann"),), {}, 0.0, 0.0, 60)
    return replace(record, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("record", "computer_at", "due"),
    [
        (a_record(stage=Stage.LOBBY), None, Due(1800, Thing.CLOSE_IDLE)),
        (a_record(stage=Stage.LOBBY), 5.0, Due(1800, Thing.CLOSE_IDLE)),
        (a_record(stage=Stage.OVER, deadline=9.0), 5.0, None),
        (a_record(stage=Stage.CLOSED), None, None),
        (a_record(stage=Stage.BROKEN), None, None),
        (a_record(), None, None),
        (a_record(deadline=100.0), None, Due(70, Thing.REMIND)),
        (a_record(deadline=100.0, reminded=True), None, Due(100, Thing.TIME_OUT)),
        (a_record(deadline=100.0), 71.0, Due(70, Thing.REMIND)),
        (a_record(deadline=100.0, reminded=True), 71.0, Due(71, Thing.COMPUTER)),
        (a_record(paused_at=3.0), 5.0, Due(3 + PAUSE_LONGEST, Thing.CLOSE_PAUSED)),
        (a_record(clock=0), None, Due(UNTOUCHED_LONGEST, Thing.CLOSE_FORGOTTEN)),
        (a_record(clock=0), 5.0, Due(5, Thing.COMPUTER)),
    ],
)
def test_what_is_due_next(record, computer_at, due):
    assert next_due(record, computer_at) == due


# --- the time to answer --------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [60, 300, 86_400])
async def test_every_question_has_its_time(house, seconds):
    table = await house.game(ANN, BOB, game="fix626", clock=seconds)
    assert table.record.deadline == START + seconds
    house.clock.time += 7
    await house.play(table)
    assert table.record.deadline == START + 7 + seconds
    assert table.record.asked_at == START + 7


async def test_without_a_clock_nobody_is_hurried_but_a_week_is_enough(house):
    table = await house.game(ANN, BOB, clock=0)
    await house.pass_time(UNTOUCHED_LONGEST - 1)
    assert table.record.deadline is None
    await house.show(table, ANN)
    await house.pass_time(UNTOUCHED_LONGEST - 1)
    assert table.seq == 1
    await house.pass_time(1)
    assert table.record.reason == "closed-forgotten"


async def test_at_half_of_the_time_one_reminder(house):
    table = await house.game(ANN, BOB, clock=60)
    house.heard.clear()
    await house.pass_time(29)
    assert not house.heard
    await house.pass_time(30)
    assert [change.remind for change in house.heard] == [True]
    assert table.record.reminded
    await house.show(table, ANN)  # the question is still the same
    assert table.record.reminded


async def test_time_out_answers_for_each_seat_one_by_one_and_says_so(house):
    table = await house.game(ANN, BOB, CLEO, clock=60)
    await house.show(table, BOB, 2)
    await house.pass_time(59)
    house.heard.clear()
    await house.pass_time(1)
    moves = [change.news for change in house.heard]
    assert moves[0] == (Note("note-time", {"name": "Ann"}), Answered(0))
    assert moves[1][:2] == (Note("note-time", {"name": "Cleo"}), Answered(2))
    thrown = moves[1][2]
    assert isinstance(thrown, Thrown)
    assert thrown.shown == (0, 2, 0)
    assert [entry.automatic for entry in await house.storage.journal(table.id)] == [
        False,
        True,
        True,
    ]
    assert [s.missed for s in table.record.sitters] == [1, 0, 1]


async def test_an_answer_in_time_begins_to_count_anew(house):
    table = await house.game(ANN, BOB, clock=60, options={"rounds": 50})
    for _ in range(4):
        await house.pass_time(60)
        await house.show(table, ANN)
        await house.show(table, BOB)
    assert set(notes(table)) == {"note-time"}


async def test_twice_in_a_row_means_away_and_the_computer_plays_at_once(house):
    table = await house.game(ANN, BOB, clock=60, options={"rounds": 50})
    for _ in range(2):
        await house.show(table, BOB)
        await house.pass_time(60)
    assert table.record.sitters[0].presence is Presence.AWAY
    assert notes(table) == ["note-time", "note-time", "note-away"]
    assert table.record.host_id == ANN
    await house.pass_time(THINK)
    assert table.pending() == (1,)  # Ann's answer is there, and Bob has his whole time
    assert table.record.deadline == table.record.asked_at + 60


@pytest.mark.parametrize("way", ["come_back", "move"])
async def test_any_press_of_who_is_away_brings_back(house, way):
    table = await house.game(ANN, BOB, clock=60, options={"rounds": 50})
    await house.manager.stand_in(table.id, ANN)
    if way == "move":
        await house.show(table, ANN, 2)
    else:
        await house.manager.come_back(table.id, ANN)
    assert table.record.sitters[0] == Sitter(ANN, "Ann")
    assert notes(table) == ["note-away", "note-back"]


async def test_with_nobody_present_the_table_pauses_and_closes_after_a_day(house):
    table = await house.game(ANN, BOB, computers=1, clock=60, options={"rounds": 50})
    await house.pass_time(200)
    assert table.record.paused_at is not None
    assert table.record.deadline is None
    seq = table.seq
    await house.pass_time(PAUSE_LONGEST - 300)
    assert (table.seq, table.record.live) == (seq, True)
    await house.pass_time(300)
    assert (table.record.stage, table.record.reason) == (Stage.CLOSED, "closed-paused")
    assert house.manager.in_channel(70) is None


async def test_who_comes_back_to_a_paused_table_has_the_whole_time(house):
    table = await house.game(ANN, BOB, clock=60, options={"rounds": 50})
    await house.pass_time(1000)
    assert table.record.paused_at is not None
    await house.manager.come_back(table.id, BOB)
    assert table.record.paused_at is None
    assert table.record.deadline == house.clock.time + 60
    assert not table.record.reminded
    await house.pass_time(THINK)
    assert table.pending() == (1,)


async def test_a_move_wakes_a_paused_table(house):
    table = await house.game(ANN, BOB, game="fix626", clock=60)
    await house.pass_time(1000)
    assert table.record.paused_at is not None
    (seat,) = table.pending()
    await house.play(table)
    assert table.record.paused_at is None
    assert table.record.sitters[seat].waits


async def test_a_time_that_nobody_waits_for_does_not_run_out(house):
    """The one who is asked has answered; the computer's answer is still missing."""
    table = await house.game(ANN, computers=1, clock=60)
    await house.show(table, ANN)
    assert table.record.deadline is None
    house.clock.time += 1000
    await house.tick()
    assert table.record.sitters[0].missed == 0
    assert table.begun.epoch == 1


# --- changes on the way --------------------------------------------------------------------------


@pytest.mark.parametrize("late", [30, 60], ids=["reminder", "time-out"])
async def test_a_late_timer_does_nothing(house, late):
    """The clock saw something due; before it got the table, the answer came in."""
    table = await house.game(ANN, BOB, game="fix626", clock=60)
    if late == 60:
        await house.pass_time(30)
    house.clock.time = START + late
    asked = table.begun.epoch
    house.storage.before = 3
    user = table.record.sitters[table.pending()[0]].user_id
    moving = asyncio.ensure_future(house.play(table, user))
    for _ in range(2):
        await asyncio.sleep(0)
    assert table.lock.locked()
    house.heard.clear()
    await house.tick()
    await moving
    assert len(house.heard) == 1
    assert table.begun.epoch == asked + 1
    assert not table.record.reminded
    assert all(s.missed == 0 for s in table.record.sitters)


async def test_the_host_changes_the_clock_for_the_question_now_asked(house):
    table = await house.game(ANN, BOB, clock=60)
    await house.pass_time(40)
    with pytest.raises(NotAllowed):
        await house.manager.set_clock(table.id, BOB, 0)
    await house.manager.set_clock(table.id, ANN, 300)
    assert table.record.deadline == START + 40 + 300
    assert not table.record.reminded
    await house.manager.set_clock(table.id, CLEO, 0, moderator=True)
    assert table.record.deadline is None
    await house.pass_time(10_000)
    assert table.begun.seq == 0


async def test_changing_the_clock_while_nobody_is_waited_for_sets_no_deadline(house):
    table = await house.game(ANN, computers=1, clock=60)
    await house.show(table, ANN)
    await house.manager.set_clock(table.id, ANN, 300)
    assert table.record.deadline is None
    await house.manager.stand_in(table.id, ANN)
    await house.manager.set_clock(table.id, ANN, 60)
    assert table.record.deadline is None
    assert table.record.paused_at is not None


async def test_who_takes_a_seat_over_has_the_whole_time(house):
    table = await house.game(ANN, BOB, clock=60)
    await house.pass_time(50)
    await house.manager.leave(table.id, BOB)
    assert table.record.deadline == START + 60  # Ann's runs on
    await house.manager.take_seat(table.id, 1, CLEO, "Cleo")
    assert table.record.deadline == START + 50 + 60


async def test_the_time_does_not_run_for_a_seat_that_was_left(house):
    table = await house.game(ANN, BOB, game="fix626", clock=60)
    (seat,) = table.pending()
    await house.manager.leave(table.id, table.record.sitters[seat].user_id)
    assert table.record.deadline is None
    epoch = table.begun.epoch
    await house.pass_time(THINK)
    assert table.begun.epoch > epoch


async def test_a_restart_moves_every_time_by_what_it_took(house):
    playing = await house.game(ANN, BOB, clock=300)
    paused = await house.game(ANN, channel=71, computers=1, clock=60)
    await house.manager.stand_in(paused.id, ANN)
    idle = await house.lobby(ANN, channel=72)
    await house.manager.heartbeat()
    await house.kill()
    house.clock.time += 10_000
    assert await house.open() == []
    times = {t.id: t.record for t in house.manager.tables.values()}
    assert times[playing.id].deadline == START + 10_300
    assert times[playing.id].asked_at == START + 10_000
    assert times[paused.id].paused_at == START + 10_000
    await house.pass_time(299)
    assert not house.manager.table(playing.id).seq
    assert house.manager.table(idle.id).record.live


async def test_a_clock_that_was_put_back_moves_nothing(house):
    table = await house.game(ANN, BOB, clock=300)
    await house.close()
    house.clock.time -= 500
    await house.open()
    assert house.manager.table(table.id).record.deadline == START + 300


async def test_a_heartbeat_that_can_not_be_read_moves_nothing(house):
    table = await house.game(ANN, BOB, clock=300)
    await house.storage.set_meta("alive_at", "yesterday")
    await house.kill()
    house.clock.time += 50
    await house.open()
    assert house.manager.table(table.id).record.deadline == START + 300


# --- a disk, or a game, that fails ---------------------------------------------------------------


async def test_a_database_that_refuses_is_tried_again_and_named_once(house, caplog):
    tables = [await house.game(ANN, BOB, clock=60, channel=c) for c in (70, 71, 72)]
    await house.pass_time(30)
    house.clock.time += 30
    house.storage.refuses = 10**6
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            house.clock.time += 1
            await house.tick()
            await house.manager.heartbeat()
    assert [table.seq for table in tables] == [0, 0, 0]
    assert len(caplog.records) == 1
    assert "not saved (storage-busy" in caplog.text
    house.storage.refuses = 0
    for _ in range(2):
        house.clock.time += 1
        await house.tick()
    assert [table.begun.epoch for table in tables] == [1, 1, 1]
    assert "can be written again" in caplog.text


async def test_computers_go_on_when_the_disk_does(house):
    table = await house.game(ANN, computers=1, clock=0)
    house.storage.refuses = 3
    for _ in range(5):
        house.clock.time += THINK
        await house.tick()
    assert table.seq == 1


async def test_a_table_whose_rules_fail_harms_no_other_and_closes_in_the_end(
    house: House, monkeypatch, caplog
):
    bad = await house.game(ANN, BOB, clock=60)
    good = await house.game(ANN, BOB, clock=60, game="fix626", channel=71)

    def broken(*_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(type(house.games["toy"]), "fallback", broken)
    await house.pass_time(60)
    assert good.seq == 1
    assert bad.record.live
    await house.pass_time(59)
    assert len([r for r in caplog.records if r.exc_info]) == 1  # no traceback a second
    await house.pass_time(100)
    assert bad.record.reason == "closed-fault"
    assert good.record.live


async def test_an_offer_that_is_not_answered_is_declined(house):
    """The one who is asked in somebody else's turn runs out of time."""
    table = await _offer(house)
    turn = table.begun.view(None).turn
    (asked,) = table.pending()
    assert asked != turn
    await house.pass_time(60)
    assert table.begun.view(None).asking is not Asking.OFFER
    assert table.record.sitters[asked].missed == 1


async def _offer(house: House):
    """A game in which somebody was asked to give Stitch."""
    channel = 100
    while True:
        channel += 1
        table = await house.game(ANN, BOB, game="fix626", clock=60, channel=channel)
        match = table.begun
        (seat,) = match.pending()
        stitch = match.view(None).stitch
        wanted = Play(Character.PLEAKLEY, stitch)
        if wanted in match.choices(seat):
            user = table.record.sitters[seat].user_id
            await house.manager.submit(table.id, user, wanted, epoch=match.epoch)
            return table
        await house.manager.close_table(table.id, "closed-ended")


async def test_nobody_keeps_a_table_waiting_by_going_and_coming(house):
    table = await house.game(ANN, BOB)
    await house.show(table, BOB)
    began, clock = house.clock.time, table.record.clock
    while table.begun.epoch == 0:
        await house.pass_time(20)
        await house.manager.stand_in(table.id, ANN)
        await house.manager.come_back(table.id, ANN)
        assert house.clock.time - began < 2 * clock, "the same question for ever"
        await house.pass_time(MOMENT)
