"""The panels that all games share: they fit, keep secrets, and speak the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.journal import Note, readable
from bot.records import Presence, Record, Sitter, Stage
from bot.registry import GAMES, PRESENTERS
from bot.tables import Table
from bot.texts import Words, shipped
from bot.ui.frame import Frame, Reader, link_to
from bot.ui.panel import Button, Buttons, Menu, Panel
from bot.ui.presenter import Presenter
from bot.ui.verbs import Verb, read_path, write_path
from engine.errors import StaleAction
from tests.bot.pseudo import pseudo_words
from tests.contract.rendering import LONGEST_NAMES
from tests.drawn import rendered, table_of, user
from tests.limits import check_message
from tests.playout import moves, opening, positions

games = pytest.mark.parametrize("key", PRESENTERS)
SEED = b"frames"
FOREIGN = ("Ａ", "Ｂ", "Ｃ", "Ｄ", "Ｅ", "Ｆ", "Ｇ")  # noqa: RUF001 - names without ASCII
NOTES = tuple(
    Note(f"note-{code}", {"name": "Ａ", "old": "Ｂ"})  # noqa: RUF001
    for code in ("left", "removed", "away", "back", "took", "time")
)


def lobby(key: str, seats: int, names: tuple[str, ...] = FOREIGN) -> Table:
    info = GAMES[key].info
    sitters = [Sitter(user(s), names[s]) for s in range(seats - 1)]
    sitters.append(Sitter(None, names[seats - 1], Presence.COMPUTER, "hard"))
    record = Record(
        id=9, game=key, guild_id=1, channel_id=2, stage=Stage.LOBBY, host_id=user(0),
        sitters=tuple(sitters), options=info.settle({}), created_at=0.0, touched_at=0.0,
    )  # fmt: skip
    return Table(record, None)


def frame(table: Table, words: Words, seat: int | None = 0, *, moderator: bool = True) -> Frame:
    key = table.record.game
    reader = None if seat is None else Reader(user(seat), "", moderator, moderator)
    return Frame(table, PRESENTERS[key], GAMES[key].info, words, reader)


def panels(key: str, words: Words, names: tuple[str, ...]) -> Iterator[Panel]:
    """Every panel that the frame can draw for one game, with as much in it as there can be."""
    most = GAMES[key].info.max_seats
    waiting = frame(lobby(key, most, names), words)
    yield frame(lobby(key, most, names), words, None).public()
    yield waiting.options()
    yield waiting.levels()
    yield waiting.more()
    match, events = opening(GAMES[key], SEED)
    table = table_of(match, [*events, *NOTES], names=names)
    absent = (Presence.AWAY, Presence.LEFT, Presence.REMOVED)
    for number, presence in enumerate(absent[: match.seats - 1], 1):
        sitter = replace(table.record.sitters[number], presence=presence)
        table.record = table.record.with_sitter(number, sitter)
    yield frame(table, words, None).public(mention=[user(0)])
    for seat in range(match.seats):
        yield frame(table, words, seat).more(remark=words("done-back"))
        if table.record.sitters[seat].presence is not Presence.REMOVED:
            yield frame(table, words, seat).hand(remark=words("done-back"))
    yield frame(table, words, 99).more()
    yield frame(table, words).ask_quit()
    yield frame(table, words).ask_end()
    yield frame(table, words).ask_kick(1)
    yield frame(table, words).confirm(((0,),), words("quit-about"))
    yield frame(table, words).log([*events, *NOTES] * 9, 0)
    for page in range(4):
        yield frame(table, words).rules(page)
    table.record = replace(table.record, paused_at=1.0)
    yield frame(table, words, None).public()
    for reason in ("idle", "paused", "everyone-left", "ended", "channel-gone", "bot-removed"):
        table.record = replace(table.record, stage=Stage.CLOSED, reason=f"closed-{reason}")
        yield frame(table, words, None).public()
    *_, last = positions(GAMES[key], SEED)
    yield frame(table_of(last, names=names), words, None).public()


@games
async def test_every_panel_fits_discord_in_a_long_language(key, tmp_path):
    for words in (shipped().words("en"), pseudo_words(tmp_path)):
        for panel in panels(key, words, LONGEST_NAMES):
            check_message(rendered(panel))


@games
async def test_no_sentence_stands_in_the_code(key, tmp_path):
    words = pseudo_words(tmp_path)
    for panel in panels(key, words, FOREIGN):
        text = re.sub(r"<t:\d+:R>|<@\d+>|[0-9a-f]{64}|[0-9a-f]{12,}", "", panel.text())
        said = {line for line in text.splitlines() if re.search(r"[A-Za-z]{2,}", line)}
        ours = {w.casefold() for w in _data_words(key)}
        rest = {w for line in said for w in re.findall(r"[A-Za-z]{2,}", line)}
        assert {w for w in rest if w.casefold() not in ours} == set(), said


def _data_words(key: str) -> set[str]:
    """Words that come from a game's data files, which an owner may replace."""
    from pathlib import Path

    folder = Path(__file__).parents[2] / "engine" / key
    text = " ".join(f.read_text("utf-8") for f in folder.glob("*.csv"))
    return set(re.findall(r"[A-Za-z]{2,}", text))


@games
async def test_the_board_is_the_same_for_everybody(key):
    words = shipped().words("en")
    match, events = opening(GAMES[key], SEED)
    table = table_of(match, events)
    boards = [rendered(frame(table, words, seat).public()) for seat in (None, 0, 1)]
    assert boards[0] == boards[1] == boards[2]


@games
async def test_news_that_the_board_tells_itself_is_not_told_below_again(key):
    """What people did is: nothing else on the board says that somebody left."""
    left, presenter, words = NOTES[0], PRESENTERS[key], shipped().words("en")
    told = 0
    for move in moves(GAMES[key], SEED, most=60):
        if move.after.over:
            break
        drawn = frame(table_of(move.after, (*move.events, left)), words, None)
        below = [line for line in drawn.public().text().splitlines() if line.startswith("-# ")]
        assert any("left; the computer plays on" in line for line in below)
        view = move.after.game.view(move.after.state, None)
        for event in move.events:
            line = presenter.line(event, drawn.scene) if readable(event, None) else None
            if line and presenter.told(event, view):
                told += 1
                assert f"-# {line}" not in below
    assert told or type(presenter).told is Presenter.told


@games
async def test_what_is_pressed_on_the_board_is_neutral(key):
    match, _ = opening(GAMES[key], SEED)
    verbs = _verbs(frame(table_of(match), shipped().words("en"), None).public())
    assert verbs == {"hand", "rules", "log", "more"}


def _verbs(panel: Panel) -> set[str]:
    found: set[str] = set()
    for block in panel.blocks:
        if isinstance(block, Buttons):
            found |= {b.verb.split(":")[0] for b in block.buttons if isinstance(b, Button)}
        elif isinstance(block, Menu):
            found.add(block.verb.split(":")[0])
    return found


def test_a_stranger_and_a_player_manage_nothing():
    key = next(iter(PRESENTERS))
    match, _ = opening(GAMES[key], SEED)
    words = shipped().words("en")
    stranger = frame(table_of(match), words, 99, moderator=False).more()
    assert _verbs(stranger) == set()
    player = frame(table_of(match), words, 1, moderator=False).more()
    assert {"end", "kick", "host", "clock"}.isdisjoint(_verbs(player))
    host = frame(table_of(match), words, 0, moderator=False).more()
    assert {"end", "kick", "host", "clock"} <= _verbs(host)


@pytest.mark.parametrize("path", [(), ((0,),), ((3,), (0, 2), (11,))])
def test_a_path_survives_being_written(path):
    assert read_path(write_path(path)) == path


@pytest.mark.parametrize("written", ["x", "1..2", "+", "1+", "-1", "1.a", "²", "9999999"])
def test_what_is_no_path_is_out_of_date(written):
    with pytest.raises(StaleAction):
        read_path(written)


def test_verbs_are_told_apart():
    assert len({str(verb) for verb in Verb}) == len(Verb)


def test_a_link_leads_to_the_board():
    key = next(iter(PRESENTERS))
    match, _ = opening(GAMES[key], SEED)
    assert link_to(table_of(match)) == "https://discord.com/channels/1/2/5"
    assert link_to(lobby(key, 2)) == "https://discord.com/channels/1/2"
