"""Before the cards are dealt: who sits, who hosts, and that refusals change nothing."""

from __future__ import annotations

import asyncio

import pytest

from bot.clock import LOBBY_IDLE
from bot.records import GuildSettings, Presence, Stage
from bot.refusals import (
    AlreadyBegun,
    AlreadySeated,
    ChannelNotAllowed,
    ChannelTaken,
    ComputersOnly,
    LobbyFull,
    NoTable,
    NotAllowed,
    NotHost,
    NotSaved,
    NotSeated,
    TooFewSeats,
)
from engine.errors import BadOption
from tests.bot.house import ANN, BOB, CLEO, DAN, EVE, NAMES, codes, together


async def test_seats_fill_to_the_maximum_however_many_join_at_once(house):
    table = await house.lobby(ANN)
    joins = [house.manager.join(table.id, user, f"P{user}") for user in range(10, 40)]
    answers = await together(*joins)
    assert answers.done == 3
    assert codes(answers.refused) == ["lobby-full"] * 27
    assert len(table.record.sitters) == 4


async def test_joining_twice_at_once_takes_one_seat(house):
    table = await house.lobby(ANN)
    answers = await together(*(house.manager.join(table.id, BOB, "Bob") for _ in range(5)))
    assert answers.done == 1
    assert codes(answers.refused) == ["already-seated"] * 4


async def test_joins_and_the_beginning_at_once_agree_about_who_plays(house):
    table = await house.lobby(ANN, BOB)
    await together(
        house.manager.join(table.id, CLEO, "Cleo"),
        house.manager.begin(table.id, ANN),
        house.manager.join(table.id, DAN, "Dan"),
    )
    assert table.record.stage is Stage.PLAYING
    assert table.begun.seats == len(table.record.sitters) == 3


async def test_beginning_twice_deals_once(house):
    table = await house.lobby(ANN, BOB)
    answers = await together(house.manager.begin(table.id, ANN), house.manager.begin(table.id, ANN))
    assert codes(answers.refused) == ["already-begun"]
    assert [change.new_question for change in house.heard].count(True) == 1


async def test_leaving_and_beginning_at_once_never_begins_too_small(house):
    table = await house.lobby(ANN, BOB)
    answers = await together(house.manager.leave(table.id, BOB), house.manager.begin(table.id, ANN))
    assert codes(answers.refused) == ["too-few-seats"]


async def test_a_host_who_leaves_names_one_who_can(house):
    table = await house.lobby(ANN, BOB, CLEO)
    await house.manager.add_computer(table.id, ANN, "Chip", "easy")
    await house.manager.leave(table.id, ANN)
    assert table.record.host_id == BOB
    with pytest.raises(NotHost) as refusal:
        await house.manager.begin(table.id, CLEO)
    assert refusal.value.params == {"host": "Bob"}
    await house.manager.choose(table.id, BOB, "rounds", 1)
    await house.manager.begin(table.id, BOB)


async def test_the_last_person_who_leaves_closes_the_lobby(house):
    table = await house.lobby(ANN)
    await house.manager.add_computer(table.id, ANN, "Chip", "easy")
    await house.manager.leave(table.id, ANN)
    assert (table.record.stage, table.record.reason) == (Stage.CLOSED, "closed-empty")
    assert house.manager.in_channel(70) is None
    await house.lobby(BOB)


async def test_a_lobby_idle_for_half_an_hour_closes(house):
    table = await house.lobby(ANN)
    await house.pass_time(LOBBY_IDLE - 1)
    await house.manager.join(table.id, BOB, "Bob")
    await house.pass_time(LOBBY_IDLE - 1)
    assert table.record.live
    await house.pass_time(1)
    assert (table.record.stage, table.record.reason) == (Stage.CLOSED, "closed-idle")
    await house.lobby(BOB)


async def test_a_channel_has_one_table(house):
    table = await house.lobby(ANN)
    with pytest.raises(ChannelTaken) as refusal:
        await house.lobby(BOB)
    assert refusal.value.params == {"table": table.id}
    await house.lobby(BOB, channel=71)


async def test_two_who_start_at_once_open_one_table(house):
    answers = await together(house.lobby(ANN), house.lobby(BOB), house.lobby(CLEO))
    assert codes(answers.refused) == ["channel-taken"] * 2
    assert len(house.manager.tables) == 1


async def test_a_server_may_keep_games_to_some_channels(house):
    settings = GuildSettings(7, channels=frozenset({70}), clock=60)
    with pytest.raises(ChannelNotAllowed):
        await house.lobby(ANN, channel=71, settings=settings)
    table = await house.lobby(ANN, channel=71, settings=settings, home_id=70)
    assert table.record.clock == 60


@pytest.mark.parametrize(
    ("user", "refusal"), [(BOB, NotHost), (EVE, NotHost)], ids=["seated", "stranger"]
)
async def test_only_the_host_sets_options_and_adds_computers(house, user, refusal):
    table = await house.lobby(ANN, BOB)
    before = await house.snapshot()
    with pytest.raises(refusal):
        await house.manager.choose(table.id, user, "rounds", 1)
    with pytest.raises(refusal):
        await house.manager.add_computer(table.id, user, "Chip", "easy")
    with pytest.raises(NotAllowed):
        await house.manager.set_clock(table.id, user, 60)
    with pytest.raises(NotAllowed):
        await house.manager.close_table(table.id, "closed-ended", user_id=user)
    with pytest.raises(NotAllowed):
        await house.manager.remove(table.id, 0, by=user)
    assert await house.snapshot() == before


async def test_the_host_chooses_and_it_counts(house):
    table = await house.lobby(ANN, BOB)
    await house.manager.choose(table.id, ANN, "rounds", 1)
    await house.manager.set_clock(table.id, ANN, 60)
    await house.manager.begin(table.id, ANN)
    assert table.begun.state.rounds == 1
    assert table.record.deadline == house.clock.time + 60


async def test_refusals_change_nothing(house):
    table = await house.lobby(ANN, BOB)
    manager, heard = house.manager, len(house.heard)
    before = await house.snapshot()
    for refusal, work in [
        (AlreadySeated, manager.join(table.id, BOB, "Bob")),
        (BadOption, manager.choose(table.id, ANN, "rounds", 2)),
        (BadOption, manager.choose(table.id, ANN, "colour", 2)),
        (BadOption, manager.choose(table.id, ANN, "first", 1)),
        (BadOption, manager.set_clock(table.id, ANN, 61)),
        (NotSeated, manager.begin(table.id, EVE)),
        (NotSeated, manager.leave(table.id, EVE)),
        (NotSeated, manager.remove(table.id, 9, by=ANN)),
        (NotSeated, manager.remove(table.id, -1, by=ANN)),
        (NotSeated, manager.hand_over(table.id, ANN, EVE)),
        (NoTable, manager.join(99, BOB, "Bob")),
    ]:
        with pytest.raises(refusal):
            await work
    assert await house.snapshot() == before
    assert len(house.heard) == heard


async def test_too_few_and_only_computers_do_not_begin(house):
    table = await house.lobby(ANN)
    with pytest.raises(TooFewSeats) as refusal:
        await house.manager.begin(table.id, ANN)
    assert refusal.value.params == {"least": 2, "seats": 1}
    await house.manager.add_computer(table.id, ANN, "Chip", "hard")
    await house.manager.begin(table.id, ANN)
    assert table.record.sitters[1].presence is Presence.COMPUTER
    assert ComputersOnly.code  # unreachable by presses: the last person who goes closes the lobby


async def test_the_host_takes_people_and_computers_off_the_table(house):
    table = await house.lobby(ANN, BOB)
    for name in ("Chip", "Chop"):
        await house.manager.add_computer(table.id, ANN, name, "easy")
    with pytest.raises(LobbyFull):
        await house.manager.join(table.id, CLEO, "Cleo")
    await house.manager.remove(table.id, 2, by=ANN)
    await house.manager.remove(table.id, 1, by=EVE, moderator=True)
    assert [s.name for s in table.record.sitters] == ["Ann", "Chop"]
    await house.manager.join(table.id, BOB, "Bob")  # from the lobby one is not banned


async def test_who_is_meant_goes_although_seats_moved_up_meanwhile(house):
    table = await house.lobby(ANN, BOB, CLEO, DAN)
    await together(house.manager.leave(table.id, BOB), house.manager.remove(table.id, 2, by=ANN))
    assert [s.name for s in table.record.sitters] == ["Ann", "Dan"]


async def test_removing_is_decided_by_who_hosts_when_it_happens(house):
    table = await house.lobby(ANN, BOB, CLEO)
    answers = await together(
        house.manager.hand_over(table.id, ANN, BOB), house.manager.remove(table.id, 2, by=ANN)
    )
    assert codes(answers.refused) == ["not-allowed"]


async def test_hosting_is_handed_over(house):
    table = await house.lobby(ANN, BOB)
    with pytest.raises(NotAllowed):
        await house.manager.hand_over(table.id, BOB, BOB)
    await house.manager.hand_over(table.id, ANN, BOB)
    assert table.record.host_id == BOB
    await house.manager.hand_over(table.id, EVE, ANN, moderator=True)
    assert table.record.host_id == ANN


async def test_what_can_not_be_saved_did_not_happen(house):
    house.storage.refuses = 1
    with pytest.raises(NotSaved):
        await house.lobby(ANN)
    assert not house.manager.tables
    table = await house.lobby(ANN)
    before, heard = await house.snapshot(), len(house.heard)
    for work in (
        house.manager.join(table.id, BOB, "Bob"),
        house.manager.leave(table.id, ANN),
        house.manager.set_clock(table.id, ANN, 60),
        house.manager.close_table(table.id, "closed-ended"),
    ):
        house.storage.refuses = 1
        with pytest.raises(NotSaved):
            await work
    assert await house.snapshot() == before
    assert len(house.heard) == heard


async def test_a_lobby_that_closes_while_others_wait_for_it(house):
    table = await house.lobby(ANN)
    house.storage.before = 3
    answers = await together(
        house.manager.leave(table.id, ANN),
        *(house.manager.join(table.id, user, NAMES[user]) for user in (BOB, CLEO)),
    )
    assert codes(answers.refused) == ["no-table", "no-table"]


async def test_everything_after_the_beginning_is_refused(house):
    table = await house.game(ANN, BOB)
    for work in (
        house.manager.join(table.id, CLEO, "Cleo"),
        house.manager.add_computer(table.id, ANN, "Chip", "easy"),
        house.manager.choose(table.id, ANN, "rounds", 1),
        house.manager.begin(table.id, ANN),
    ):
        with pytest.raises(AlreadyBegun):
            await work


@pytest.mark.parametrize("steps", range(12))
async def test_joining_given_up_at_any_moment_counts_or_does_not(house, steps):
    table = await house.lobby(ANN)
    house.storage.before = house.storage.after = 2
    task = asyncio.create_task(house.manager.join(table.id, BOB, "Bob"))
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    async with table.lock:
        pass  # whatever was under way is done; the fixture compares memory with the database
