"""Every press is answered once and in time, also when the disk or Discord is slow or refuses."""

from __future__ import annotations

import asyncio

import pytest

from tests.wire import errors
from tests.wire.table import House, Table, locked, offered

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_slow_disk_twenty_presses(house: House) -> None:
    """Acknowledged in time, one move, and everybody is told in the end."""
    table = await house.table(3)
    asked = table.asked()
    panel = await table.hand(asked)
    while True:  # go on to the last question before the move
        part = offered(panel)[0]
        if "options" not in part and "only" in panel.text.lower():
            break
        last = part
        before = table.moves_written()
        async with locked(table):
            press = asyncio.create_task(table.press_on(asked))
            done = await press
            slow = [asyncio.create_task(p.click(table.board, "t:*:hand")) for p in table.people]
            acked = await asyncio.gather(*slow)
        assert done.ack_ms is not None
        assert done.ack_ms < 3000
        assert all(i.ack_ms < 3000 for i in acked)
        await house.world.quiet()
        if table.moves_written() != before:
            break
    del last
    assert table.moves_written() == 1


async def test_a_disk_that_is_locked_for_three_seconds(house: House) -> None:
    """Joins wait for it, twenty at once; each is acknowledged in time and done exactly once."""
    table = await house.lobby(1)
    joiners = [house.world.person(f"Late{n}", table.guild) for n in range(10)]
    async with locked(table):
        presses = [asyncio.create_task(p.click(table.board, "t:*:join")) for p in joiners * 2]
        done = await asyncio.gather(*presses)
        assert all(i.ack_ms < 2500 for i in done)
        await asyncio.sleep(1.2)
    await house.world.quiet()
    assert len(table.seats()) == 5
    assert len({s["user_id"] for s in table.seats()}) == 5
    for person in joiners:
        mine = [i for i in done if i.person == person]
        seated = person.id in {s["user_id"] for s in table.seats()}
        told = [f.text for i in mine for f in i.followups]
        assert seated or (told and all("full" in t or "could not save" in t for t in told))


async def test_a_disk_that_stays_locked_refuses_with_a_sentence(house: House) -> None:
    table = await house.table(2)
    house.world.ack_seconds = 3.0
    asked = table.asked()
    await table.hand(asked)
    before = table.secrets()
    async with locked(table):
        told = ""
        for _ in range(6):
            done = await table.press_on(asked)
            if done.kind == 6:
                await house.world.until(lambda done=done: "save" in done.text, 9)
            told = done.text
            if "save" in told:
                break
        assert "nothing has changed" in told
    assert table.secrets() == before
    await table.move(asked)
    assert table.moves_written() == 1


async def test_an_acknowledgement_that_discord_refuses(house: House) -> None:
    """10062: the move was made and is on the board, and pressing again works."""
    table = await house.table(2)
    for _ in range(4):
        asked = table.asked()
        await table.hand(asked)
        house.world.fault("POST", r"/callback", errors.unknown_interaction())
        before = table.moves_written()
        part = offered(table.panels[asked])[0]
        values = None if "options" not in part else [part["options"][0]["value"]]
        house.unanswered = True
        await asked.forge(table.panels[asked], part["custom_id"], values, wait=False)
        await house.world.quiet()
        if table.moves_written() == before:
            await table.move()
        assert table.moves_written() == before + 1
        await house.world.until(lambda: "My hand" in table.board.labels)


@pytest.mark.parametrize("where", ["hand", "rules", "log", "more", "join", "begin", "opts", "add"])
async def test_any_answer_may_be_refused(house: House, where: str) -> None:
    table = await house.lobby(2) if where in ("join", "begin", "opts", "add") else None
    table = table or await house.table(2)
    house.unanswered = True
    for refusal in (errors.unknown_interaction(), errors.server_error(502), None):
        times = 1 if refusal and refusal.status == 404 else 6
        fault = house.world.fault("POST", r"/callback", refusal, times=times, drop=refusal is None)
        await table.host.forge(table.board, f"t:{table.id}:0:{where}", wait=False)
        if times > 1:
            await house.world.until(lambda fault=fault: fault.hits > 0)
            house.world.faults.clear()
        await house.world.quiet()
    house.world.faults.clear()
    await table.host.click(table.board, "Rules")


async def test_discord_is_slow_to_take_answers(house: House) -> None:
    """A callback that takes its time is not sent twice."""
    table = await house.table(2)
    house.world.fault("POST", r"/callback", delay=1.0, times=4)
    asked = table.asked()
    await asyncio.gather(
        table.hand(asked), *(p.click(table.board, "t:*:more") for p in table.people)
    )
    await table.move(asked)
    assert table.moves_written() == 1


async def test_answers_in_any_language_that_discord_sends(house: House) -> None:
    channel = await house.place(locale="xx")
    people = [
        house.world.person(f"P{n}", channel.guild, locale=locale)
        for n, locale in enumerate(("tlh", "zh-TW", "en-GB", "", "de-DE-x-klingon"))
    ]
    table = Table(house.bot, channel, people)
    await table.start()
    await table.join()
    await table.begin()
    for person in people:
        panel = await table.hand(person)
        assert "your hand" in panel.text
