"""What people and Discord do at the edges: twice, too late, elsewhere, or while nobody can hear."""

from __future__ import annotations

import json

import pytest

from bot.records import UserSettings
from bot.refusals import NotSaved
from bot.ui.frame import Frame
from bot.ui.screen import Screen
from engine.chance import Chance
from tests.e2e.harness import MakeBot, Stage
from tests.e2e.players import asked, board, bot_on, move, play_out, seat_all, table

GAME = "fix626"
DAY = 86_400


@pytest.fixture
def make_bot(tmp_path) -> MakeBot:
    return lambda clock: bot_on(tmp_path / "tables.db", clock)


def pinged(stage: Stage) -> list[int]:
    """Whom messages to the channel mentioned."""
    path = f"/channels/{stage.channel.id}/messages"
    sent = [e.json for e in stage.env.http_requests if e.method == "POST" and e.path == path]
    return [int(u) for body in sent for u in (body.get("allowed_mentions") or {}).get("users", [])]


def threads_made(stage: Stage) -> list[str]:
    """The names of the threads that the bot made."""
    requests = stage.env.http_requests
    made = [e for e in requests if e.method == "POST" and e.path.endswith("/threads")]
    return [e.json["name"] for e in made]


async def at_the_table(stage: Stage, *names: str) -> None:
    """Everybody looks at their hand just now."""
    for name in names:
        await stage.people[name].click("My hand", board(stage))


# --- reminders -----------------------------------------------------------------------------------


async def test_a_reminder_pings_nobody_who_is_asked_later(stage, ann):
    names = ("Ann", "Bob", "Carol")
    await seat_all(stage, GAME, *names, clock=0)
    first = asked(stage)[0]
    await stage.bot.manager.save_user_settings(UserSettings(first.id, pings=False))
    other = next(stage.people[name] for name in names if stage.people[name] is not first)
    await at_the_table(stage, *names)
    await other.click("More", board(stage))
    await other.click("Remind")
    await at_the_table(stage, *names)
    await move(first, Chance(b"pings", 0))
    assert pinged(stage) == []


async def test_who_reminds_is_not_reminded(stage, ann, bob, carol):
    await seat_all(stage, "mischief", "Ann", "Bob", "Carol", clock=0)
    await ann.click("More", board(stage))
    await ann.click("Remind")
    assert set(pinged(stage)) == {bob.id, carol.id}


# --- hands ---------------------------------------------------------------------------------------


async def test_pressing_in_another_private_panel_leaves_the_hand_alive(stage):
    await seat_all(stage, GAME, "Ann", "Bob", clock=0)
    mover = asked(stage)[0]
    waits = next(stage.people[n] for n in ("Ann", "Bob") if stage.people[n] is not mover)
    hand = (await waits.click("My hand", board(stage))).message
    menu = await waits.click("More", board(stage))
    await waits.click("Stop mentioning me", menu.message)
    dice = Chance(b"alive", 0)
    while waits not in asked(stage):
        await move(asked(stage)[0], dice)
    assert [c for c in hand.controls if c["custom_id"].split(":")[3] in ("do", "pick")]


async def test_choices_that_are_over_are_offered_no_longer(stage, ann, bob, carol):
    """A hand that offered something is redrawn with the next question, whoever is asked."""
    await seat_all(stage, "stitches", "Ann", "Bob", "Carol", clock=0)
    hands = {}
    for person in (ann, bob, carol):
        hands[person] = (await person.click("My hand", board(stage))).message
    for person in (ann, bob, carol):
        await person.click("Attack", hands[person])
    (first,) = asked(stage)
    for person in (ann, bob, carol):
        offered = [c["custom_id"].split(":")[3] for c in hands[person].controls]
        assert bool(offered) == (person is first), hands[person].text


async def test_somebody_put_out_of_a_game_reads_no_more_of_its_hands(stage, ann, bob):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol", clock=0)
    menu = await ann.click("More", board(stage))
    sure = await ann.choose("Bob", on=menu.message)
    await ann.click("Remove", sure.message)
    answer = await bob.click("My hand", board(stage))
    assert "your hand" not in answer.text
    assert "can't come back to this game" in answer.text
    assert await bob.suggestions(f"{GAME} play", "card") == {}
    more = await bob.click("More", board(stage))
    assert "You were removed from this game" in more.text
    assert more.message.controls == []


async def test_hands_of_ended_tables_are_forgotten(stage):
    await seat_all(stage, GAME, "Ann", "Bob")
    await at_the_table(stage, "Ann", "Bob")
    assert len(stage.bot.screen._hands) == 2
    await play_out(stage, Chance(b"leak", 0))
    assert len(stage.bot.screen._hands) == 0


# --- pressed twice, too late, by others ----------------------------------------------------------


async def test_a_rematch_that_is_over_is_not_called_open(stage, ann):
    dice = Chance(b"again", 0)
    await seat_all(stage, GAME, "Ann", "Bob")
    await play_out(stage, dice)
    old = board(stage)
    await ann.click("Rematch", old)
    await ann.click("Begin")
    await play_out(stage, dice)
    answer = await ann.click("Rematch", old)
    assert "There was a rematch of this game already" in answer.text


async def test_leaving_twice_is_leaving(stage, bob):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol", clock=0)
    await bob.click("More", board(stage))
    sure = (await bob.click("Leave the game")).message
    leave = sure.button("Leave")["custom_id"]
    await stage.simultaneously(bob.click(leave, sure), bob.click(leave, sure))
    assert "You left the game" in bob.reads()
    assert "not playing" not in bob.reads()


async def test_who_removes_somebody_twice_reads_that_they_are_gone(stage, ann):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol", clock=0)
    menu = await ann.click("More", board(stage))
    sure = (await ann.choose("Bob", on=menu.message)).message
    remove = sure.button("Remove")["custom_id"]
    await stage.simultaneously(ann.click(remove, sure), ann.click(remove, sure))
    assert "not playing" not in ann.reads()
    assert table(stage).record.sitters[1].presence == "removed"


async def test_hosting_is_not_handed_to_somebody_away(stage, ann, bob):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol", clock=0)
    menu = (await ann.click("More", board(stage))).message
    await bob.click("More", board(stage))
    await bob.click("Let the computer play for me")
    part = next(c for c in menu.controls if c["custom_id"].endswith(":host"))
    answer = await ann.choose(str(bob.id), on=menu, custom_id=part["custom_id"])
    assert "They are not there any more" in answer.text
    assert table(stage).record.host_id == ann.id


async def test_a_removal_that_was_done_is_not_refused(stage, ann, bob, carol):
    """By a moderator who was the host when the panel was drawn."""
    await ann.slash(f"{GAME} start")
    for person in (bob, carol):
        await person.click("Join")
    options = await ann.click("Options")
    await ann.click("Leave")
    await ann.click("Join")  # Bob hosts now
    answer = await ann.choose("Carol", on=options.message)
    assert "Carol" not in [sitter.name for sitter in table(stage).record.sitters]
    assert "Removed." in answer.text


async def test_two_quick_presses_add_two_different_computers(stage, ann):
    await ann.slash("stitches start")
    panel = (await ann.click("Add computer")).message
    menu = panel.menu("Hard")["custom_id"]
    await stage.simultaneously(
        ann.choose("Hard", on=panel, custom_id=menu), ann.choose("Easy", on=panel, custom_id=menu)
    )
    names = [sitter.name for sitter in table(stage).record.sitters]
    assert len(set(names)) == len(names) == 3
    assert "Options" in (await ann.click("Options")).text


async def test_whoever_comes_back_by_a_press_reads_it(stage, ann, bob):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol", clock=0)
    await bob.click("More", board(stage))
    await bob.click("Let the computer play for me")
    answer = await bob.click("Rules", board(stage))
    assert answer.text.startswith("## The Fix for 626 · rules\nWelcome back")


# --- threads -------------------------------------------------------------------------------------


async def test_no_thread_is_made_where_games_are_not_allowed(stage, ann):
    await ann.slash("tables settings", allow=stage.guild.create_text_channel("elsewhere"))
    await ann.slash(f"{GAME} start", thread=True)
    assert threads_made(stage) == []


async def test_a_thread_is_named_after_a_clean_name(stage, ann):
    stage.env.backend.get_user(ann.id).global_name = "A\u202ennA\u200b"
    await ann.slash(f"{GAME} start", thread=True)
    assert threads_made(stage) == ["The Fix for 626 with AnnA"]


# --- time in which nobody could press ------------------------------------------------------------


async def test_a_sleep_of_the_machine_counts_for_nobody(stage):
    await seat_all(stage, GAME, "Ann", "Bob", clock=60)
    live = table(stage)
    stage.env.backend.clock.advance(8 * 3600)  # nothing ran meanwhile
    await stage.pass_time(3)
    assert live.begun.seq == 0
    assert live.record.deadline > stage.now()


async def test_a_lobby_survives_a_sleep_of_the_machine(stage, ann):
    await ann.slash(f"{GAME} start")
    live = table(stage)
    stage.env.backend.clock.advance(8 * 3600)
    await stage.pass_time(3)
    assert live.record.live


# --- what can't be shown or saved ----------------------------------------------------------------


async def test_ended_tables_that_can_not_be_shown_are_let_go(stage, monkeypatch, caplog):
    await seat_all(stage, GAME, "Ann", "Bob")
    live = table(stage)
    monkeypatch.setattr(Screen, "_missing", lambda *_: ("send_messages",))
    await stage.bot.manager.close_table(live.id, "closed-ended")
    await stage.rest()
    for _ in range(25):
        stage.env.backend.clock.advance(3600)
        await stage.pass_time(61)
    assert live.id not in stage.bot.screen._sheets
    caplog.clear()
    await stage.pass_time(20 * 60)
    assert not [record for record in caplog.records if record.levelname != "INFO"]


async def test_news_that_can_not_be_told_does_not_freeze_the_board(stage, monkeypatch):
    await seat_all(stage, GAME, "Ann", "Bob")
    shown = board(stage).text

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Frame, "beats", broken)
    await move(asked(stage)[0], Chance(b"frozen", 0))
    assert board(stage).text != shown


async def test_an_answer_that_discord_refuses_for_its_form_is_an_apology(stage, ann):
    stage.forgive("answers")  # the refused one counts as a second
    await seat_all(stage, GAME, "Ann", "Bob")
    stage.fail("POST", "/interactions/*/*/callback", status=400, code=50035)
    answer = await ann.click("Rules", board(stage))
    assert "Something went wrong" in answer.text


async def test_a_busy_disk_is_no_fault_of_the_clock(stage, monkeypatch, caplog):
    await seat_all(stage, GAME, "Ann", "Bob", clock=0)

    async def busy(_: int) -> None:
        raise NotSaved

    monkeypatch.setattr(stage.bot.manager, "user_settings", busy)
    await stage.pass_time(3 * 60)
    assert "the clock stumbled" not in caplog.text


async def test_a_development_server_that_the_bot_has_left_keeps_it_from_nothing(stage):
    stored = json.loads(await stage.bot.storage.get_meta("commands"))
    await stage.bot.storage.set_meta("commands", json.dumps({**stored, "999": "old"}))
    stage.fail("PUT", "/applications/*/guilds/999/commands", status=403, code=50001)
    await stage.restart()
    assert stage.bot.is_ready()
