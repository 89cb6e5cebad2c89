"""What every registered game must do in the simulated Discord; no game is named here."""

from __future__ import annotations

import pytest

from bot.records import Stage as TableStage
from bot.registry import GAMES
from engine.chance import Chance
from tests.e2e.harness import MakeBot
from tests.e2e.players import asked, board, bot_on, move, seat_all, table

games = pytest.mark.parametrize("key", GAMES)
NAMES = ("Ann", "Bob", "Carol")
MOVES = 60


@pytest.fixture
def make_bot(tmp_path) -> MakeBot:
    return lambda clock: bot_on(tmp_path / "tables.db", clock)


@games
async def test_many_moves_by_buttons_with_restarts_between(stage, key):
    await seat_all(stage, key, *NAMES)
    dice = Chance(b"every game", 0)
    for number in range(MOVES):
        if stage.bot.manager.in_channel(stage.channel.id) is None:
            await stage.people["Bob"].click("Rematch")
            await stage.people["Bob"].click("Begin")
        if number % 13 == 7:
            before = table(stage)
            await stage.restart(downtime=5)
            after = table(stage)
            assert after.begun.state == before.begun.state
            assert after.record.sitters == before.record.sitters
        person = dice.pick(asked(stage))
        played = table(stage)
        seq = played.begun.seq
        await move(person, dice)
        assert played.begun.seq > seq
        if not played.record.live:
            assert "Rematch" in board(stage).labels


@games
async def test_an_answer_that_waits_for_others_survives_a_restart(stage, key):
    """In the middle of a question to several people: who answered has answered."""
    await seat_all(stage, key, *NAMES)
    dice = Chance(b"half answered", 0)
    for _ in range(12):
        waiting = asked(stage)
        await move(waiting[0], dice)
        left = asked(stage)
        if 0 < len(left) < len(waiting):
            await stage.restart()
            assert asked(stage) == left
            again = await waiting[0].click("My hand")
            assert again.ephemeral
            await move(left[0], dice)
            return
    pytest.skip("this game asks one person at a time")


@games
async def test_a_private_panel_can_always_be_opened_again(stage, key):
    await seat_all(stage, key, *NAMES)
    dice = Chance(b"panels", 0)
    for _ in range(5):
        for name in NAMES:
            first = await stage.people[name].click("My hand")
            again = await stage.people[name].slash(f"{key} hand")
            assert first.text == again.text
            assert first.ephemeral
            assert again.ephemeral
        await move(dice.pick(asked(stage)), dice)


@games
async def test_private_answers_are_seen_by_their_reader_alone(stage, key):
    """Row 9: from the first response on, whatever was pressed."""
    await seat_all(stage, key, *NAMES)
    dice = Chance(b"private", 0)
    people = [stage.people[name] for name in (*NAMES, "Eve")]
    for _ in range(2):
        for person in people:
            answers = [await person.click(b, board(stage)) for b in ("My hand", "Log", "More")]
            answers.append(await person.slash(f"{key} hand"))
            private = {answer.message.id for answer in answers}
            for other in people:
                seen = {shown.id for shown in other.sees()}
                assert private & seen == (private if other is person else set())
        await move(dice.pick(asked(stage)), dice)


@games
async def test_rules_log_and_more_answer_everybody(stage, key):
    await seat_all(stage, key, *NAMES)
    for name in ("Ann", "Eve"):
        for button in ("Rules", "Log", "More"):
            answer = await stage.people[name].click(button, board(stage))
            assert answer.ephemeral
            assert answer.text
    rules = await stage.people["Eve"].slash(f"{key} rules")
    assert rules.ephemeral


@games
async def test_people_leave_one_after_the_other(stage, key):
    """Row 18: three, two, one, nobody; the channel is free and the next start works."""
    await seat_all(stage, key, *NAMES)
    dice = Chance(b"leaving", 0)
    for number, name in enumerate(NAMES):
        if number:
            seq = table(stage).begun.seq
            while not asked(stage):
                await stage.pass_time(2)
            await move(asked(stage)[0], dice)
            assert table(stage).begun.seq > seq
            assert table(stage).record.host_id == stage.people[name].id
        await stage.people[name].click("More", board(stage))
        await stage.people[name].click("Leave the game")
        await stage.people[name].click("Leave")
        assert f"**{name}** left; the computer plays on." in board(stage).text or name == NAMES[-1]
    assert stage.bot.manager.in_channel(stage.channel.id) is None
    assert "Everybody left" in stage.people["Eve"].reads()
    again = await stage.people["Dan"].slash(f"{key} start")
    assert "open in" in again.text


@games
async def test_a_game_with_computer_players_plays_by_itself(stage, key):
    """One person alone, and everybody else a computer: it always comes back to the person."""
    fewest = GAMES[key].info.min_seats
    ann = stage.people["Ann"]
    await ann.slash(f"{key} start", computers=max(2, fewest - 1))
    await ann.click("Begin")
    played, dice, answers = table(stage), Chance(b"alone", 0), 0
    for _ in range(300):
        if not played.record.live or answers == 4:
            break
        if asked(stage):
            assert asked(stage) == [ann]
            await move(ann, dice)
            answers += 1
        else:
            await stage.pass_time(2)
    assert answers
    assert answers == 4 or not played.record.live
    entries = await stage.bot.storage.journal(played.id)
    by = {entry.seat for entry in entries}
    assert len(by) > 1, "no computer player ever answered"
    assert all(entry.automatic == (entry.seat != 0) for entry in entries)


@games
async def test_somebody_who_falls_asleep_stops_nobody(stage, key):
    """Row 15: a reminder, then the answer; twice, and the computer plays on at once."""
    await seat_all(stage, key, *NAMES, clock=60)
    dice = Chance(b"asleep", 0)
    for _ in range(60):
        live = stage.bot.manager.in_channel(stage.channel.id)
        if live is None:
            break
        sleeper = stage.people["Ann"]
        awake = [p for p in asked(stage) if p is not sleeper]
        if awake:
            await move(awake[0], dice)
            continue
        if not asked(stage):
            await stage.pass_time(3)
        else:
            await stage.pass_time(61)
        if live.record.stage is not TableStage.PLAYING:
            break
        seat = live.record.seat_of(sleeper.id)
        if live.record.sitters[seat].presence == "away":
            back = await sleeper.click("My hand", board(stage))
            assert "your hand" in back.text
            assert table(stage).record.sitters[seat].presence == "here"
            return
    raise AssertionError("nobody was ever away")


@games
async def test_the_last_answers_arrive_together(stage, key):
    """Row 14: everybody answers at one moment, one of them twice; it is resolved exactly once."""
    await seat_all(stage, key, *NAMES)
    if len(asked(stage)) < 2:
        pytest.skip("this game asks one person at a time")
    presses = []
    for person in asked(stage):
        panel = (await person.click("My hand")).message
        part = next(c for c in panel.controls if c["custom_id"].split(":")[3] in ("do", "pick"))
        if part["type"] == 2:
            presses += [person.click(part["custom_id"], panel)]
        else:
            value = part["options"][0]["value"]
            presses += [person.choose(value, on=panel, custom_id=part["custom_id"])]
    before = table(stage).begun
    await stage.simultaneously(*presses)
    after = table(stage).begun
    assert after.seq == before.seq + len(presses)
    assert after.epoch > before.epoch
    entries = await stage.bot.storage.journal(table(stage).id)
    assert [entry.seq for entry in entries] == list(range(1, after.seq + 1))
