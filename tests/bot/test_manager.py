"""Moves, people and ends on the real storage: races, faults, and callers who give up."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest

from bot.journal import Note
from bot.records import Board, GuildSettings, Presence, Stage, UserSettings
from bot.refusals import (
    AlreadyFollowed,
    AlreadySeated,
    ChannelNotAllowed,
    MayNotReturn,
    NobodyAsked,
    NoTable,
    NotAllowed,
    NotBegun,
    NotOver,
    NotSaved,
    NotSeated,
    RemindedAlready,
    SeatAway,
    SeatNotFree,
)
from engine.errors import BadOption, IllegalAction, NotYourTurn, StaleAction
from tests.bot.house import ANN, BOB, CLEO, DAN, EVE, START, THINK, House, codes, together
from tests.bot.toy import Show, Thrown


def thrown(table) -> list[Thrown]:
    return [news for news in table.feed if isinstance(news, Thrown)]


def notes(table) -> list[str]:
    return [news.code for news in table.feed if isinstance(news, Note)]


# --- moves ---------------------------------------------------------------------------------------


async def test_the_same_press_twice_counts_once(house):
    table = await house.game(ANN, BOB, game="fix626")
    match = table.begun
    (seat,) = match.pending()
    user, action = table.record.sitters[seat].user_id, match.choices(seat)[0]
    presses = [house.manager.submit(table.id, user, action, epoch=match.epoch) for _ in range(5)]
    answers = await together(*presses)
    assert answers.done == 1
    assert set(codes(answers.refused)) == {"stale-action"}
    assert len(await house.storage.journal(table.id)) == 1


async def test_moves_that_are_refused_change_nothing(house):
    table = await house.game(ANN, BOB, game="fix626")
    match, before, heard = table.begun, await house.snapshot(), len(house.heard)
    (seat,) = match.pending()
    asked, other = (table.record.sitters[s].user_id for s in (seat, 1 - seat))
    action = match.choices(seat)[0]
    for refusal, user, played, epoch in [
        (NotSeated, EVE, action, match.epoch),
        (NotYourTurn, other, action, match.epoch),
        (StaleAction, asked, action, match.epoch - 1),
        (StaleAction, asked, action, match.epoch + 1),
        (IllegalAction, asked, _not_in_hand(match, seat), match.epoch),
    ]:
        with pytest.raises(refusal):
            await house.manager.submit(table.id, user, played, epoch=epoch)
    with pytest.raises(NoTable):
        await house.manager.submit(999, asked, action, epoch=0)
    assert await house.snapshot() == before
    assert len(house.heard) == heard


def _not_in_hand(match, seat):
    from engine.fix626.cards import Character
    from engine.fix626.model import Play

    return next(Play(c) for c in Character if c not in match.view(seat).hand)


async def test_nothing_is_played_in_the_lobby(house):
    table = await house.lobby(ANN, BOB)
    with pytest.raises(NotBegun):
        await house.manager.submit(table.id, ANN, Show(0), epoch=0)
    for work in (
        house.manager.stand_in(table.id, ANN),
        house.manager.take_seat(table.id, 1, CLEO, "Cleo"),
    ):
        with pytest.raises(NotBegun):
            await work
    with pytest.raises(NobodyAsked):
        await house.manager.remind(table.id, ANN)
    await house.manager.come_back(table.id, ANN)  # no harm


async def test_the_last_two_answers_at_once_resolve_once(house):
    table = await house.game(ANN, BOB, CLEO)
    await house.show(table, ANN, 1)
    await house.show(table, ANN, 2)  # thought again
    await together(house.show(table, BOB, 1), house.show(table, CLEO, 0))
    assert [news.shown for news in thrown(table)] == [(2, 1, 0)]


async def test_a_change_of_mind_and_the_last_answer_at_once(house):
    table = await house.game(ANN, BOB)
    await house.show(table, ANN, 1)
    answers = await together(house.show(table, BOB, 1), house.show(table, ANN, 2))
    assert codes(answers.refused) == ["stale-action"]
    assert [news.shown for news in thrown(table)] == [(1, 1)]


async def test_twenty_who_press_at_once(house):
    table = await house.game(ANN, BOB, CLEO, DAN, options={"rounds": 1})
    presses = [house.show(table, user, n) for user in (ANN, BOB, CLEO, DAN) for n in (0, 1, 2, 2)]
    await together(*presses)
    assert table.record.stage is Stage.OVER
    assert len(thrown(table)) == 1


async def test_a_move_that_can_not_be_saved_did_not_happen_and_draws_the_same_again(house):
    table = await house.game(ANN, BOB)
    await house.show(table, ANN, 1)
    before, heard = await house.snapshot(), len(house.heard)
    house.storage.refuses = 1
    with pytest.raises(NotSaved):
        await house.show(table, BOB, 1)
    assert await house.snapshot() == before
    assert len(house.heard) == heard
    expected, _ = table.begun.submit(1, Show(1), epoch=0)
    await house.show(table, BOB, 1)
    assert table.begun == expected


async def test_nobody_hears_of_a_move_before_it_is_written(house):
    table = await house.game(ANN, BOB)
    told: list[int] = []
    house.manager.listen(lambda change: told.append(house.storage.written))
    house.storage.before = house.storage.after = 3
    written = house.storage.written
    await together(house.show(table, ANN), house.show(table, BOB))
    assert told == [written + 1, written + 2]


async def test_changes_are_heard_in_order_with_what_they_mean(house):
    table = await house.game(ANN, BOB)
    house.heard.clear()
    await together(house.show(table, ANN, 1), house.show(table, BOB, 2))
    assert [(c.actor, c.new_question, len(c.news)) for c in house.heard] == [
        (ANN, False, 1),
        (BOB, True, 3),
    ]


async def test_a_listener_that_fails_breaks_neither_the_table_nor_other_listeners(house, caplog):
    def broken(change: object) -> None:
        raise ZeroDivisionError

    manager = house.manager
    manager._ledger._listeners.insert(0, broken)
    table = await house.game(ANN, BOB)
    await house.show(table, ANN)
    assert table.seq == 1
    assert len(house.heard) == 4
    assert "a listener failed" in caplog.text


@pytest.mark.parametrize("steps", range(14))
async def test_a_move_given_up_at_any_moment_is_made_or_not(house, steps):
    table = await house.game(ANN, BOB)
    house.storage.before = house.storage.after = 2
    task = asyncio.create_task(house.show(table, ANN, 1))
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await house.show(table, BOB, 1)  # waits for the lane; then the fixture compares
    assert table.seq in (1, 2)


@pytest.mark.parametrize("steps", range(10))
async def test_closing_finishes_what_runs(house, steps):
    table = await house.game(ANN, BOB)
    house.storage.before = house.storage.after = 2
    task = asyncio.create_task(house.show(table, ANN, 1))
    for _ in range(steps):
        await asyncio.sleep(0)
    await house.manager.close()
    (result,) = await asyncio.gather(task, return_exceptions=True)
    assert isinstance(result, NotSaved | None)
    assert table.seq == (result is None)


async def test_nothing_changes_after_closing_but_the_place_of_a_board(house):
    table = await house.game(ANN, BOB)
    await house.manager.close()
    for work in (house.show(table, ANN), house.manager.leave(table.id, ANN), house.lobby(CLEO)):
        with pytest.raises(NotSaved):
            await work
    await house.pass_time(29)
    await _place_board(house, table)


async def test_a_time_out_and_an_answer_at_once_are_one_of_them(house):
    table = await house.game(ANN, BOB, game="fix626", clock=60)
    await house.pass_time(30)
    house.clock.time += 30
    (seat,) = table.pending()
    press = house.play(table)
    answers = await together(press, house.manager.tick())
    assert answers.done + len(answers.refused) == 2
    assert len(await house.storage.journal(table.id)) == 1
    assert table.record.sitters[seat].missed == 0  # the press came first


async def test_a_table_with_slow_people_does_not_hold_up_the_others(house):
    slow, quick = [await house.game(ANN, BOB, clock=60, channel=c) for c in (70, 71)]
    await house.pass_time(30)
    house.clock.time += 30
    async with slow.lock:
        ticking = asyncio.create_task(house.manager.tick())
        while not quick.seq:  # noqa: ASYNC110 - the table tells nobody that it moved
            await asyncio.sleep(0)
    await ticking
    assert slow.seq == 1


# --- people --------------------------------------------------------------------------------------


async def test_who_leaves_in_turn_is_played_for(house):
    table = await house.game(ANN, BOB, game="fix626")
    (seat,) = table.pending()
    await house.manager.leave(table.id, table.record.sitters[seat].user_id)
    assert table.record.sitters[seat].presence is Presence.LEFT
    epoch = table.begun.epoch
    await house.pass_time(THINK)
    assert table.begun.epoch > epoch


async def test_who_leaves_out_of_turn_holds_nobody_up(house):
    table = await house.game(ANN, BOB, game="fix626", clock=60)
    (seat,) = table.pending()
    before = table.record.deadline
    await house.manager.leave(table.id, table.record.sitters[1 - seat].user_id)
    assert table.record.deadline == before
    assert table.waiting_for() == (seat,)


async def test_the_phase_goes_on_when_the_one_it_waits_for_leaves(house):
    table = await house.game(ANN, BOB, CLEO)
    await house.show(table, ANN, 1)
    await house.show(table, BOB, 1)
    await house.manager.leave(table.id, CLEO)
    assert table.waiting_for() == ()
    await house.pass_time(THINK)
    assert [news.shown for news in thrown(table)] == [(1, 1, 0)]


async def test_one_after_the_other_leaves(house):
    table = await house.game(ANN, BOB, CLEO, game="fix626", clock=60)
    await house.manager.leave(table.id, ANN)
    assert table.record.host_id == BOB
    await house.manager.leave(table.id, BOB)
    assert table.record.host_id == CLEO
    assert notes(table) == ["note-left", "note-host"] * 2
    assert table.feed[-1] == Note("note-host", {"name": "Cleo"})
    await house.manager.close_table(table.id, "closed-ended", user_id=CLEO)
    again = await house.game(ANN, BOB, clock=60)
    await house.manager.leave(again.id, ANN)
    await house.manager.leave(again.id, BOB)
    assert (again.record.stage, again.record.reason) == (Stage.CLOSED, "closed-everyone-left")
    assert house.manager.next_due() is None
    await house.lobby(BOB)


async def test_when_only_those_who_are_away_stay_they_may_return_and_host(house):
    table = await house.game(ANN, BOB)
    await house.manager.stand_in(table.id, BOB)
    await house.manager.leave(table.id, ANN)
    assert table.record.live
    assert table.record.paused_at == house.clock.time
    assert table.record.host_id == BOB
    await house.manager.come_back(table.id, ANN)
    assert table.record.paused_at is None
    assert table.record.host_id == BOB


async def test_who_left_comes_back_before_moving(house):
    table = await house.game(ANN, BOB, game="fix626")
    (seat,) = table.pending()
    user = table.record.sitters[seat].user_id
    await house.manager.leave(table.id, user)
    for work in (
        house.play(table),
        house.manager.stand_in(table.id, user),
        house.manager.remind(table.id, user),
    ):
        with pytest.raises(SeatAway):
            await work
    with pytest.raises(NotSeated):
        await house.manager.leave(table.id, user)
    await house.manager.come_back(table.id, user)
    await house.play(table)
    assert notes(table)[-1] == "note-back"


async def test_who_was_removed_stays_out_of_this_game(house):
    table = await house.game(ANN, BOB, CLEO)
    await house.manager.remove(table.id, 1, by=ANN)
    manager = house.manager
    for refusal, work in [
        (MayNotReturn, manager.come_back(table.id, BOB)),
        (MayNotReturn, manager.stand_in(table.id, BOB)),
        (MayNotReturn, house.show(table, BOB)),
        (MayNotReturn, manager.take_seat(table.id, 1, BOB, "Bob")),
        (NotSeated, manager.leave(table.id, BOB)),  # and so can't return as one who left
        (NotSeated, manager.remove(table.id, 1, by=ANN)),
        (NotSeated, manager.hand_over(table.id, ANN, BOB)),
        (MayNotReturn, manager.remind(table.id, BOB)),
    ]:
        with pytest.raises(refusal):
            await work
    assert table.record.sitters[1].presence is Presence.REMOVED


async def test_only_the_host_and_moderators_remove(house):
    table = await house.game(ANN, BOB, computers=1)
    with pytest.raises(NotAllowed):
        await house.manager.remove(table.id, 0, by=BOB)
    with pytest.raises(NotSeated):
        await house.manager.remove(table.id, 2, by=ANN)  # a computer player plays on
    await house.manager.remove(table.id, 0, by=EVE, moderator=True)
    assert table.record.host_id == BOB
    await house.manager.leave(table.id, BOB)
    assert table.record.reason == "closed-everyone-left"


async def test_who_left_can_still_be_kept_from_returning(house):
    table = await house.game(ANN, BOB)
    await house.manager.leave(table.id, BOB)
    await house.manager.remove(table.id, 1, by=ANN)
    with pytest.raises(MayNotReturn):
        await house.manager.come_back(table.id, BOB)


async def test_a_stranger_takes_a_seat_that_nobody_has(house):
    table = await house.game(ANN, BOB, computers=1)
    with pytest.raises(SeatNotFree):
        await house.manager.take_seat(table.id, 1, CLEO, "Cleo")
    await house.manager.stand_in(table.id, BOB)
    with pytest.raises(SeatNotFree):
        await house.manager.take_seat(table.id, 1, CLEO, "Cleo")
    await house.manager.leave(table.id, BOB)
    for seat in (3, -1, 99):
        with pytest.raises(SeatNotFree):
            await house.manager.take_seat(table.id, seat, CLEO, "Cleo")
    answers = await together(
        house.manager.take_seat(table.id, 1, CLEO, "Cleo"),
        house.manager.take_seat(table.id, 1, DAN, "Dan"),
    )
    assert codes(answers.refused) == ["seat-not-free"]
    await house.show(table, CLEO, 2)
    assert table.begun.state.shown[1] == 2


async def test_nobody_sits_down_who_had_a_hand_in_this_game(house):
    table = await house.game(ANN, BOB, computers=2)
    await house.manager.leave(table.id, BOB)
    with pytest.raises(AlreadySeated):
        await house.manager.take_seat(table.id, 2, BOB, "Bob")
    await house.manager.take_seat(table.id, 1, CLEO, "Cleo")
    for work in (
        house.manager.take_seat(table.id, 2, BOB, "Bob"),
        house.manager.come_back(table.id, BOB),
    ):
        with pytest.raises(MayNotReturn):
            await work
    await house.manager.leave(table.id, CLEO)
    with pytest.raises(MayNotReturn):
        await house.manager.take_seat(table.id, 1, BOB, "Bob")


async def test_coming_back_and_losing_the_seat_at_once_is_one_of_them(house):
    table = await house.game(ANN, BOB)
    await house.manager.leave(table.id, BOB)
    answers = await together(
        house.manager.take_seat(table.id, 1, CLEO, "Cleo"),
        house.manager.come_back(table.id, BOB),
    )
    assert codes(answers.refused) == ["may-not-return"]


async def test_letting_the_computer_play_twice_is_said_once(house):
    table = await house.game(ANN, BOB)
    await together(house.manager.stand_in(table.id, BOB), house.manager.stand_in(table.id, BOB))
    await together(house.manager.come_back(table.id, BOB), house.manager.come_back(table.id, BOB))
    assert notes(table) == ["note-away", "note-back"]


async def test_hosting_goes_only_to_people_who_are_here(house):
    table = await house.game(ANN, BOB, CLEO, computers=1)
    await house.manager.stand_in(table.id, CLEO)
    for user in (CLEO, EVE):
        with pytest.raises(NotSeated):
            await house.manager.hand_over(table.id, ANN, user)
    await house.manager.hand_over(table.id, ANN, BOB)
    assert notes(table)[-1] == "note-host"


@pytest.mark.parametrize("clock", [0, 300])
async def test_a_reminder_once_a_question_by_people_at_the_table(house, clock):
    table = await house.game(ANN, BOB, clock=clock)
    with pytest.raises(NotSeated):
        await house.manager.remind(table.id, EVE)
    await house.show(table, ANN)
    with pytest.raises(NobodyAsked):
        await house.manager.remind(table.id, BOB)
    house.heard.clear()
    await house.manager.remind(table.id, ANN)
    assert [change.remind for change in house.heard] == [True]
    with pytest.raises(RemindedAlready):
        await house.manager.remind(table.id, ANN)
    await house.show(table, BOB)
    await house.show(table, BOB)
    await house.manager.remind(table.id, BOB)


async def test_a_press_is_noticed(house):
    table = await house.game(ANN, BOB)
    house.clock.time += 5
    house.manager.touch(table.id, BOB)
    house.manager.touch(999, BOB)
    assert table.touched == {ANN: START, BOB: START + 5}


# --- the end -------------------------------------------------------------------------------------


async def _finished(house: House, *people: int, computers: int = 0):
    table = await house.game(*people, computers=computers, options={"rounds": 1})
    for user in people:
        await house.show(table, user)
    await house.pass_time(THINK * computers)
    assert table.record.stage is Stage.OVER
    return table


async def test_the_end_frees_the_channel(house):
    table = await _finished(house, ANN, BOB)
    assert table.record.reason == "toy-points"
    assert house.manager.next_due() is None
    with pytest.raises(NoTable):
        await house.show(table, ANN)
    await house.lobby(CLEO)


async def test_two_who_want_a_rematch_at_once_get_one_table(house):
    table = await _finished(house, ANN, BOB)
    answers = await together(
        house.manager.rematch(table.id, ANN, "Ann"), house.manager.rematch(table.id, BOB, "Bob")
    )
    assert codes(answers.refused) == ["already-followed"]
    (again,) = house.manager.tables.values()
    (refusal,) = answers.refused
    assert isinstance(refusal, AlreadyFollowed)
    assert refusal.params["table"] == again.id


async def test_a_rematch_seats_the_same_people_and_hands_on(house):
    table = await _finished(house, ANN, BOB, computers=1)
    again = await house.manager.rematch(table.id, BOB, "Bobby")
    assert [s.name for s in again.record.sitters] == ["Ann", "Bobby", "Chip 0"]
    assert again.record.host_id == BOB
    assert again.record.options == {"rounds": 1, "first": 0}
    await house.manager.begin(again.id, BOB)
    assert again.begun.state.first == 0


@pytest.mark.parametrize("way", ["leave", "join", "add"])
async def test_what_is_handed_on_is_void_when_others_sit(house, way):
    table = await _finished(house, ANN, BOB)
    again = await house.manager.rematch(table.id, ANN, "Ann")
    assert again.record.options["first"] == 0
    if way == "leave":
        await house.manager.leave(again.id, BOB)
    elif way == "join":
        await house.manager.join(again.id, CLEO, "Cleo")
    else:
        await house.manager.add_computer(again.id, ANN, "Chip", "easy")
    assert again.record.options == {"rounds": 1, "first": -1}


async def test_a_rematch_without_those_who_left_hands_nothing_on(house):
    first = await _finished(house, ANN, BOB)
    table = await house.manager.rematch(first.id, ANN, "Ann")
    await house.manager.begin(table.id, ANN)
    assert table.begun.state.first == 0
    await house.manager.leave(table.id, BOB)
    await house.show(table, ANN)
    await house.pass_time(THINK)
    again = await house.manager.rematch(table.id, ANN, "Ann")
    assert [s.name for s in again.record.sitters] == ["Ann"]
    assert again.record.options["first"] == -1


async def test_who_left_or_was_away_may_ask_for_the_rematch_but_not_who_was_removed(house):
    table = await house.game(ANN, BOB, CLEO, DAN, options={"rounds": 1})
    await house.manager.leave(table.id, BOB)
    await house.manager.remove(table.id, 2, by=ANN)
    await house.manager.stand_in(table.id, DAN)
    await house.show(table, ANN)
    await house.pass_time(THINK * 3)
    with pytest.raises(NotSeated):
        await house.manager.rematch(table.id, EVE, "Eve")
    with pytest.raises(MayNotReturn):
        await house.manager.rematch(table.id, CLEO, "Cleo")
    again = await house.manager.rematch(table.id, BOB, "Bob")
    assert [s.name for s in again.record.sitters] == ["Ann", "Bob", "Dan"]
    assert all(s.waits and not s.missed for s in again.record.sitters)
    await house.manager.join(again.id, CLEO, "Cleo")


async def test_a_rematch_comes_after_an_end_by_the_rules(house):
    table = await house.game(ANN, BOB)
    with pytest.raises(NotOver):
        await house.manager.rematch(table.id, ANN, "Ann")
    await house.manager.close_table(table.id, "closed-ended", user_id=ANN)
    with pytest.raises(NotOver):
        await house.manager.rematch(table.id, ANN, "Ann")
    with pytest.raises(NoTable):
        await house.manager.rematch(999, ANN, "Ann")


async def test_a_table_ends_by_its_host_or_a_moderator_alone(house):
    for how in ({"user_id": ANN}, {"user_id": EVE, "moderator": True}, {}):
        table = await house.game(ANN, BOB)
        with pytest.raises(NotAllowed):
            await house.manager.close_table(table.id, "closed-ended", user_id=BOB)
        await house.manager.close_table(table.id, "closed-ended", **how)
        assert (table.record.stage, table.record.deadline) == (Stage.CLOSED, None)
        with pytest.raises(NoTable):
            await house.manager.close_table(table.id, "closed-ended", **how)
        assert house.manager.in_channel(70) is None


async def test_the_tables_of_a_server_oldest_first(house):
    one = await house.lobby(ANN)
    two = await house.game(ANN, BOB, channel=71)
    assert house.manager.of_guild(7) == [one, two]
    assert house.manager.of_guild(8) == []
    assert house.manager.in_channel(71) is two


async def test_old_tables_are_forgotten(house):
    table = await _finished(house, ANN, BOB)
    live = await house.lobby(ANN)
    await house.manager.prune(START)
    assert (await house.manager.look_up(table.id)).record == table.record
    await house.manager.prune(START + 100)
    with pytest.raises(NoTable):
        await house.manager.look_up(table.id)
    assert await house.manager.look_up(live.id) is live


# --- the board and settings ----------------------------------------------------------------------


async def _place_board(house, table):
    from dataclasses import replace

    await house.manager.note(table, lambda record: replace(record, board=Board(5, 6.0)))


async def test_the_place_of_a_board_is_kept_and_nobody_told(house):
    table = await _finished(house, ANN, BOB)
    house.heard.clear()
    await _place_board(house, table)
    assert (await house.manager.look_up(table.id)).record.board == Board(5, 6.0)
    assert not house.heard
    house.storage.refuses = 1
    before = table.record
    with pytest.raises(NotSaved):
        await _place_board(house, table)
    assert table.record is before


async def test_settings_are_kept(house):
    settings = GuildSettings(
        7, frozenset({70}), 60, own_thread=True, options={"toy": {"rounds": 1}}
    )
    await house.manager.save_guild_settings(settings)
    assert await house.manager.guild_settings(7) == settings
    assert await house.manager.guild_settings(8) == GuildSettings(8)
    with pytest.raises(BadOption):
        await house.manager.save_guild_settings(GuildSettings(7, options={"toy": {"rounds": 2}}))
    await house.manager.save_user_settings(UserSettings(ANN, pings=False))
    assert not (await house.manager.user_settings(ANN)).pings
    table = await house.lobby(ANN, settings=settings)
    assert (table.record.options["rounds"], table.record.clock) == (1, 60)


async def test_log_lines_hold_no_secret(house, caplog):
    with caplog.at_level(logging.DEBUG):
        table = await house.game(ANN, BOB, game="fix626", clock=60)
        house.storage.refuses = 1
        with pytest.raises(NotSaved):
            await house.play(table)
        await house.pass_time(1000)
    match = table.begun
    assert match.seed.hex() not in caplog.text
    assert repr(match.seed) not in caplog.text
    for card in {card for hand in match.state.hands for card in hand}:
        assert card.name not in caplog.text


# --- what an older version wrote -----------------------------------------------------------------


async def over(house):
    """A table whose game is over."""
    table = await house.game(ANN, BOB, options={"rounds": 1})
    await house.show(table, ANN)
    await house.show(table, BOB)
    assert table.record.stage is Stage.OVER
    return table


@pytest.mark.parametrize("options", [{"toy": {"rounds": 2}}, {"gone": {"rounds": 1}}])
async def test_settings_with_what_is_offered_no_longer_can_still_be_saved(house, options):
    await house.storage.save_guild_settings(GuildSettings(7, options=options))
    found = await house.manager.guild_settings(7)
    await house.manager.save_guild_settings(replace(found, clock=60))
    assert (await house.manager.guild_settings(7)).clock == 60


async def test_a_rematch_of_an_older_version_s_table_can_begin(house):
    table = await over(house)
    old = replace(table.record, options={**table.record.options, "rounds": 2, "gone": True})
    await house.storage.save(old)
    again = await house.manager.rematch(table.id, ANN, "Ann")
    await house.manager.begin(again.id, ANN)


async def test_a_rematch_keeps_to_the_allowed_channels(house):
    table = await over(house)
    await house.manager.save_guild_settings(GuildSettings(7, channels=frozenset({71})))
    with pytest.raises(ChannelNotAllowed):
        await house.manager.rematch(table.id, ANN, "Ann")
    await house.manager.rematch(table.id, ANN, "Ann", home_id=71)


async def test_two_computer_players_are_never_called_the_same(house):
    """Their name is looked up before the table's lane."""
    table = await house.lobby(ANN)
    house.storage.after = 3
    await together(
        house.manager.add_computer(table.id, ANN, "Cogwheel", "easy"),
        house.manager.add_computer(table.id, ANN, "Cogwheel", "hard"),
    )
    names = [sitter.name for sitter in table.record.sitters]
    assert len(set(names)) == len(names) == 3


async def test_two_changes_of_a_server_s_settings_at_one_moment_both_hold(house):
    await together(
        house.manager.change_guild_settings(7, lambda found: replace(found, clock=60)),
        house.manager.change_guild_settings(7, lambda found: replace(found, own_thread=True)),
    )
    assert await house.manager.guild_settings(7) == GuildSettings(7, clock=60, own_thread=True)
