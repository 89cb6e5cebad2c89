"""Questions that several people answer at once: each round is resolved once, with the last answers.

Merry Mischief asks everybody in every round, and lets them change their minds until the last one
has answered.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.wire.table import House, Table, last, pinged, revealed

pytestmark = pytest.mark.asyncio(loop_scope="session")


def resolved_once(table: Table, rounds: int = 1) -> None:
    """Every round so far was told once, with what each seat had answered last."""
    told = revealed(table)
    assert [event["round"] for event in told] == list(range(1, rounds + 1))
    entries, began = table.entries(), 0
    for event in told:
        mine = {e["seat"]: e for e in entries if began < e["seq"] <= event["seq"]}
        answers = {seat: json.loads(e["action"])["cards"] for seat, e in mine.items()}
        assert answers == {p["seat"]: [c["id"] for c in p["cards"]] for p in event["plays"]}
        began = event["seq"]
    assert [e["seq"] for e in entries] == list(range(1, len(entries) + 1))


async def all_have_panels(table: Table) -> None:
    for person in table.people:
        await table.hand(person)


async def test_the_last_two_answers_arrive_together(house: House) -> None:
    """One of the three has changed their answer before."""
    table = await house.table(3, "mischief")
    ann, bob, carol = table.people
    await all_have_panels(table)
    await table.press_on(ann)
    await table.press_on(ann, last)
    await asyncio.gather(table.press_on(bob), table.press_on(carol, last))
    await house.world.until(lambda: revealed(table))
    assert table.moves_written() == 4
    resolved_once(table)
    await table.move(carol)


async def test_everybody_answers_and_changes_their_mind_at_one_moment(house: House) -> None:
    """Every press is delivered twice; what came after the end of the round was refused."""
    table = await house.table(4, "mischief")
    await all_have_panels(table)
    answers = [table.press_on(p, deliveries=2) for p in table.people]
    changes = [table.press_on(p, last, deliveries=2) for p in table.people]
    await asyncio.gather(*answers, *changes)
    await house.world.quiet()
    assert 4 <= table.moves_written() <= 8
    resolved_once(table)
    await house.world.until(lambda: len(table.boards) == 1)


@pytest.mark.parametrize("late", ["answer", "clock"])
async def test_the_time_is_up_just_when_the_last_answers_arrive(house: House, late: str) -> None:
    table = await house.table(3, "mischief", clock=60)
    await all_have_panels(table)
    await table.press_on(table.host)
    house.bot.advance(31)
    await house.world.until(lambda: table.row()["reminded"])
    answers = [asyncio.create_task(table.press_on(p, last)) for p in table.people[1:]]
    if late == "clock":
        await asyncio.gather(*answers)
    house.bot.advance(30)
    await asyncio.gather(*answers)
    await house.world.until(lambda: revealed(table))
    await house.world.quiet()
    resolved_once(table)
    if late == "clock":
        assert not any(e["automatic"] for e in table.entries())
        assert not any(s["missed"] for s in table.seats())


@pytest.mark.parametrize("how", ["leaves", "stands in", "is removed"])
async def test_the_last_one_waited_for_is_gone(house: House, how: str) -> None:
    """The round is resolved at once; nobody waits for the clock."""
    table = await house.table(3, "mischief")
    *here, gone = table.people
    for person in here:
        await table.move(person)
    panel = await table.hand(gone)
    match how:
        case "leaves":
            await gone.slash(table.channel, "mischief leave")
        case "stands in":
            menu = await gone.click(table.board, "t:*:more")
            await gone.click(menu.message, "t:*:auto")
        case "is removed":
            await table.host.forge(table.board, f"t:{table.id}:0:kicksure:{gone.id}")
    await house.world.until(lambda: revealed(table), 3)
    resolved_once(table)
    await house.world.quiet()
    before = table.secrets()
    if how != "stands in":
        done = await gone.forge(panel, f"s:{table.id}:1:pick", ["0"])
        assert done.ephemeral
        assert table.secrets() == before
    await table.move(here[0])


async def test_only_who_still_owes_an_answer_is_mentioned(house: House) -> None:
    table = await house.table(3, "mischief")
    ann, bob, carol = table.people
    await table.move(ann)
    house.bot.advance(61)
    await house.world.until(lambda: sorted(pinged(table.channel)) == sorted([bob.id, carol.id]))
    await table.move(bob)
    house.bot.advance(100)  # the reminder
    await house.world.until(lambda: len(pinged(table.channel)) == 3)
    await house.world.quiet()
    assert pinged(table.channel)[-1] == carol.id
    assert ann.id not in pinged(table.channel)
