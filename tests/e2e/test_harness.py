"""The harness itself, with the demo bot."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import perf_counter

import pytest

from tests.e2e.demo_bot import DemoBot
from tests.e2e.harness import MakeBot, Person, Stage, staged


@pytest.fixture
def make_bot(tmp_path: Path) -> MakeBot:
    return lambda clock: DemoBot(clock, tmp_path / "demo.db", tick=30)


async def test_people_press_and_see_the_same_board(stage: Stage, ann: Person, bob: Person) -> None:
    board = (await ann.slash("demo start")).message
    assert board is not None
    await bob.click("Count")
    assert "Table 1: 1 presses" in board.text
    assert "Bob: count" in ann.reads()
    assert board.labels == ["Again", "Count", "Hand", "Note", "Slow"]
    await ann.click("demo:1:1:again", board)
    assert "2 presses" in bob.finds("Table 1").text
    assert stage.env.http_requests


async def test_a_private_answer_is_seen_by_its_person_alone(ann: Person, bob: Person) -> None:
    await ann.slash("demo start")
    hand = await bob.click("Hand")
    assert hand.ephemeral
    assert "Your hand" in bob.reads()
    assert "Your hand" not in ann.reads()
    chosen = await bob.choose("Sparky")
    assert chosen.text == "You hold Sparky"


async def test_commands_and_their_suggestions(ann: Person) -> None:
    assert list(await ann.suggestions("demo say", "card", "s")) == ["Stitch", "Sparky", "Slushy"]
    assert (await ann.slash("demo say", card="Reuben")).text == "You said Reuben"


async def test_people_have_a_language(ann: Person, bob: Person) -> None:
    bob.locale = "de"
    assert (await bob.slash("demo say", card="Reuben")).text == "Du sagst Reuben"
    assert (await ann.slash("demo say", card="Reuben")).text == "You said Reuben"


async def test_forms(ann: Person) -> None:
    await ann.slash("demo start")
    form = await ann.click("Note")
    assert form.modal is not None
    assert (await ann.submit(form, line="hello")).text == "Noted: hello"


async def test_messages_in_a_thread(stage: Stage, ann: Person, bob: Person) -> None:
    await ann.slash("demo thread")
    thread = stage.channel.threads[0]
    assert bob.reads(thread) == "Here"


async def test_unknown_buttons_say_what_there_is(ann: Person) -> None:
    await ann.slash("demo start")
    with pytest.raises(AssertionError, match="Count"):
        await ann.click("Dance")


async def test_time_passes_only_when_told(stage: Stage, ann: Person) -> None:
    await ann.slash("demo start")
    began, ticks = stage.now(), stage.bot.ticks
    await asyncio.sleep(0.05)
    assert (stage.now(), stage.bot.ticks) == (began, ticks)
    await stage.pass_time(65)
    assert stage.now() == began + 65
    assert stage.bot.ticks == ticks + 2
    assert f"tick {ticks + 2}" in ann.reads()


async def test_no_test_waits_for_a_short_sleep(stage: Stage, ann: Person) -> None:
    await ann.slash("demo start")
    start = perf_counter()
    answer = await ann.click("Slow")
    assert perf_counter() - start < 0.5
    assert "took a while" not in answer.text
    await stage.pass_time(0.6)
    assert "took a while" in answer.text


async def test_private_answers_are_quick(ann: Person) -> None:
    await ann.slash("demo start")
    times = []
    for _ in range(10):
        start = perf_counter()
        await ann.click("Hand")
        times.append(perf_counter() - start)
    assert sorted(times)[5] < 0.04


@pytest.mark.parametrize("crash", [False, True])
async def test_a_new_bot_in_the_old_world(
    stage: Stage, ann: Person, bob: Person, crash: bool
) -> None:
    await ann.slash("demo start")
    await bob.click("Count")
    before, began = stage.bot, stage.now()
    after = await stage.restart(crash=crash, downtime=600)
    assert after is not before
    assert stage.now() == pytest.approx(began + 600, abs=1)
    await bob.click("Count")
    assert "2 presses" in ann.reads()


async def test_all_press_before_the_bot_takes_a_step(stage: Stage) -> None:
    people = list(stage.people.values())
    await people[0].slash("demo start")
    answers = await stage.simultaneously(*(one.click("Count") for one in people))
    assert all(answer.acknowledged for answer in answers)
    assert "5 presses" in people[0].reads()


async def test_refused_requests_reach_the_bot(stage: Stage, ann: Person, bob: Person) -> None:
    board = (await ann.slash("demo start")).message
    assert board is not None
    stage.fail("PATCH", "/channels/*/messages/*", status=403, code=50001)
    await bob.click("Count")
    assert "0 presses" in board.text
    assert len(stage.errors) == 1


async def test_the_bot_is_given_the_simulated_clock() -> None:
    async with staged(lambda clock: DemoBot(clock), people=("Ann",)) as stage:
        began = stage.bot.clock()
        await stage.pass_time(5)
        assert stage.bot.clock() == began + 5


@pytest.mark.parametrize(
    ("command", "kind", "words"),
    [
        ("demo careless", "mentions", "no allowed_mentions: POST /channels"),
        ("demo silent", "answers", "0 answers to demo by ann"),
    ],
)
async def test_broken_rules_are_found(
    stage: Stage, ann: Person, command: str, kind: str, words: str
) -> None:
    await ann.slash(command)
    assert len(stage.faults()) == 1
    assert words in stage.faults()[0]
    stage.forgive(kind)
    assert stage.faults() == []
