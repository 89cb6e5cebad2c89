"""What hosts, moderators and a server's managers decide, as they see it; no game is named here."""

from __future__ import annotations

import discord
import pytest

from bot.registry import GAMES
from bot.tables import Table
from engine.chance import Chance
from tests.e2e.harness import MakeBot, Stage
from tests.e2e.players import asked, board, bot_on, move, seat_all, table

KEY = "stitches"
"""A game with options of its own and enough seats."""
KEEP = "Make these the server's defaults"


@pytest.fixture
def make_bot(tmp_path) -> MakeBot:
    return lambda clock: bot_on(tmp_path / "tables.db", clock)


async def lobby(stage: Stage, *names: str, **options: object) -> Table:
    """The first of `names` opens a table and the others join."""
    host, *others = (stage.people[name] for name in names)
    await host.slash(f"{KEY} start", **options)
    for person in others:
        await person.click("Join")
    return table(stage)


def people_at(stage: Stage) -> list[str]:
    return [sitter.name for sitter in table(stage).record.sitters]


async def test_an_outdated_menu_removes_nobody_else(stage, ann, bob, carol):
    await lobby(stage, "Ann", "Bob", "Carol", "Dan")
    options = await ann.click("Options")
    await bob.click("Leave")
    answer = await ann.choose("Bob", on=options.message)
    assert people_at(stage) == ["Ann", "Carol", "Dan"]
    assert "They are not there any more" in answer.text
    await ann.choose("Carol", on=answer.message)
    assert people_at(stage) == ["Ann", "Dan"]


async def test_several_computer_players_from_one_panel(stage, ann):
    live = await lobby(stage, "Ann")
    panel = await ann.click("Add computer")
    for level in ("Hard", "Easy", "Normal"):
        panel = await ann.choose(level, on=panel.message)
    assert [sitter.level for sitter in live.record.sitters] == ["", "hard", "easy", "normal"]
    names = people_at(stage)[1:]
    assert f"**{names[0]} ⚙** · computer player, hard" in board(stage).text
    for _ in range(GAMES[KEY].info.max_seats - 4):
        panel = await ann.choose("Hard", on=panel.message)
    assert panel.message.menu("Hard") is None
    await ann.click("Begin")
    assert f"Computer players: **{names[0]} ⚙** hard, " in board(stage).text


async def test_a_manager_keeps_what_the_server_s_tables_begin_with(stage, ann, bob):
    live = await lobby(stage, "Ann", "Bob")
    option = next(o for o in GAMES[KEY].info.options if not o.carried and len(o.values) > 1)
    other = next(value for value in option.values if value != option.default)
    options = await ann.click("Options")
    chosen = await ann.choose(
        str(option.values.index(other)),
        on=options.message,
        custom_id=f"s:{live.id}:0:opt:{option.key}",
    )
    chosen = await ann.choose("24 hours", on=chosen.message)
    kept = await ann.click(KEEP, chosen.message)
    assert "Saved" in kept.text
    await ann.click("Leave")
    await bob.click("Leave")
    live = await lobby(stage, "Bob")
    assert live.record.options[option.key] == other
    assert live.record.clock == 86_400
    options = await bob.click("Options")
    assert KEEP not in options.message.labels
    shown = await ann.slash("tables settings")
    assert "begins with" in shown.text
    cleared = await ann.slash("tables settings", standard=True)
    assert "begins with" not in cleared.text.split("To change")[0]


async def test_only_managers_keep_defaults(stage, bob):
    boss = stage.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    await lobby(stage, "Bob")
    stage.env.backend.add_member_role(stage.guild.id, bob.id, boss.id)
    options = await bob.click("Options")
    assert KEEP in options.message.labels
    stage.env.backend.remove_member_role(stage.guild.id, bob.id, boss.id)
    refused = await bob.click(KEEP, options.message)
    assert "Manage Server" in refused.text


async def test_taking_channels_off_the_list_never_opens_all(stage, ann):
    here = stage.channel
    other = stage.guild.create_text_channel("elsewhere")
    refused = await ann.slash("tables settings", forbid=here)
    assert "not on the list" in refused.text
    await ann.slash("tables settings", allow=other)
    refused = await ann.slash("tables settings", forbid=other)
    assert "only channel" in refused.text
    start = await ann.slash(f"{KEY} start")
    assert f"<#{other.id}>" in start.text
    both = await ann.slash("tables settings", allow=here, forbid=other)
    assert f"<#{here.id}>" in both.text
    assert f"<#{other.id}>" not in both.text
    await ann.slash(f"{KEY} start")
    assert people_at(stage) == ["Ann"]


async def test_a_board_at_the_bottom_stays_where_it_is(stage, ann, bob):
    await lobby(stage, "Ann", "Bob")
    first = board(stage).id
    await bob.slash(f"{KEY} table")
    assert board(stage).id == first
    await bob.says("where was it?")
    await bob.slash(f"{KEY} table")
    assert board(stage).id > first


async def test_a_host_who_left_the_server_keeps_nobody_waiting(stage, ann, bob, carol):
    await lobby(stage, "Bob", "Carol", "Dan", "Eve")
    refused = await carol.click("Begin")
    assert "Only the host" in refused.text
    stage.guild.remove_member(bob.member)
    await carol.click("Begin")
    live = table(stage)
    assert live.match is not None
    assert live.record.host_id == carol.id
    assert people_at(stage) == ["Carol", "Dan", "Eve"]


async def test_a_member_who_left_the_server_is_noticed_before_a_mention(stage, ann, bob, carol):
    await seat_all(stage, "fix626", "Ann", "Bob", "Carol", clock=0)
    person, dice = asked(stage)[0], Chance(b"gone", 0)
    stage.guild.remove_member(person.member)
    await stage.pass_time(130)
    live = table(stage)
    assert live.record.sitters[live.record.seat_of(person.id)].presence == "left"
    shown = stage.people["Eve"].reads()
    assert "left; the computer plays on" in shown
    assert person.mention not in shown
    await stage.pass_time(5)
    await move(asked(stage)[0], dice)


async def test_the_clock_of_all_tables_goes_on_after_a_fault(stage, ann, monkeypatch, caplog):
    live = await lobby(stage, "Ann", "Bob")

    async def broken() -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(stage.bot.manager, "heartbeat", broken)
        await stage.pass_time(90)
    assert "the clock stumbled" in caplog.text
    await stage.pass_time(31 * 60)
    assert live.record.reason == "closed-idle"


async def test_a_channel_s_threads_are_allowed_with_it(stage, ann):
    other = stage.guild.create_text_channel("elsewhere")
    await ann.slash("tables settings", allow=stage.channel)
    await ann.slash(f"{KEY} start", thread=True)
    thread = next(t for t in stage.bot.guilds[0].threads if t.parent_id == stage.channel.id)
    live = stage.bot.manager.in_channel(thread.id)
    assert live is not None
    await stage.bot.manager.close_table(live.id, "closed-ended")
    await stage.rest()
    refused = await ann.slash(f"{KEY} start", channel=other)
    assert f"<#{stage.channel.id}>" in refused.text


async def test_a_table_with_computer_players_is_opened_in_one_step(stage, ann):
    await ann.slash("fix626 start", computers=2, level="hard")
    sitters = table(stage).record.sitters
    assert [sitter.level for sitter in sitters] == ["", "hard", "hard"]
    await ann.click("Begin")
    assert table(stage).match is not None


async def test_more_computer_players_than_seats_fill_the_table(stage, ann):
    await ann.slash("fix626 start", computers=6)
    assert len(table(stage).record.sitters) == GAMES["fix626"].info.max_seats
    assert "Your table is open" in ann.reads()
