"""Values to rows and back: plain functions on a connection, in whatever transaction it is in.

What each promises is said by bot/storage.py, which offers it. A row that can't be read is told by
the part that can't, never by what that holds.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bot.database import StorageError, T
from bot.records import (
    Board,
    Damaged,
    Entry,
    GuildSettings,
    Loaded,
    Presence,
    Record,
    SavedMatch,
    Sitter,
    Stage,
    StoredEvent,
    UserSettings,
)
from bot.refusals import AlreadyFollowed, ChannelTaken
from engine.core import OptionValue


class SeqTaken(StorageError):
    """The journal already has an action with this number; params: table."""

    code = "seq-taken"


class TableGone(StorageError):
    """There is no such table to write, it may have been pruned; params: table."""

    code = "table-gone"


# --- values to rows ------------------------------------------------------------------------------

_INSERT = """
    INSERT INTO tables (
        game, guild_id, channel_id, stage, host_id, options, created_at, touched_at, clock,
        own_thread, board_id, board_at, asked_at, deadline, reminded, pinged, paused_at, ended_at,
        reason, follows, former, settled
    ) VALUES (
        :game, :guild_id, :channel_id, :stage, :host_id, :options, :created_at, :touched_at, :clock,
        :own_thread, :board_id, :board_at, :asked_at, :deadline, :reminded, :pinged, :paused_at,
        :ended_at, :reason, :follows, :former, :settled
    )
"""
_UPDATE = """
    UPDATE tables SET
        host_id = :host_id, options = :options, touched_at = :touched_at, clock = :clock,
        own_thread = :own_thread, board_id = :board_id, board_at = :board_at, asked_at = :asked_at,
        deadline = :deadline, reminded = :reminded, pinged = :pinged, paused_at = :paused_at,
        reason = :reason, former = :former, settled = :settled
    WHERE id = :id
"""
# Apart from the rest because indices hold these: written in every move, they would double its cost.
_UPDATE_PLACE = """
    UPDATE tables SET channel_id = :channel_id, stage = :stage, ended_at = :ended_at WHERE id = :id
"""
_SAVE_MATCH = """
    INSERT INTO matches (table_id, rules_version, edition, seed, seats, seq, state)
    VALUES (:table_id, :rules_version, :edition, :seed, :seats, :seq, :state)
    ON CONFLICT (table_id) DO UPDATE SET
        rules_version = excluded.rules_version, edition = excluded.edition, seed = excluded.seed,
        seats = excluded.seats, seq = excluded.seq, state = excluded.state
"""
_SEATS = """
    SELECT seat, user_id, name, presence, level, missed FROM seats WHERE table_id = ? ORDER BY seat
"""


def _values(record: Record) -> dict[str, object]:
    board = record.board
    return {
        "id": record.id,
        "game": record.game,
        "guild_id": record.guild_id,
        "channel_id": record.channel_id,
        "stage": record.stage,
        "host_id": record.host_id,
        "options": json.dumps(dict(record.options)),
        "created_at": record.created_at,
        "touched_at": record.touched_at,
        "clock": record.clock,
        "own_thread": record.own_thread,
        "board_id": None if board is None else board.message_id,
        "board_at": None if board is None else board.sent_at,
        "asked_at": record.asked_at,
        "deadline": record.deadline,
        "reminded": record.reminded,
        "pinged": record.pinged,
        "paused_at": record.paused_at,
        "ended_at": record.ended_at,
        "reason": record.reason,
        "follows": record.follows,
        "former": json.dumps(sorted(record.former)),
        "settled": record.settled,
    }


def create(con: sqlite3.Connection, record: Record) -> int:
    try:
        table_id = con.execute(_INSERT, _values(record)).lastrowid
    except sqlite3.IntegrityError:
        _refuse(con, record, None)
        raise
    assert table_id is not None
    _save_seats(con, table_id, record.sitters)
    return table_id


def save(
    con: sqlite3.Connection,
    record: Record,
    match: SavedMatch | None,
    entries: Sequence[Entry],
    events: Sequence[StoredEvent],
) -> None:
    values = _values(record)
    if con.execute(_UPDATE, values).rowcount == 0:
        raise TableGone(table=record.id)
    place = con.execute(
        "SELECT channel_id, stage, ended_at FROM tables WHERE id = ?", (record.id,)
    ).fetchone()
    if tuple(place) != (record.channel_id, record.stage, record.ended_at):
        try:
            con.execute(_UPDATE_PLACE, values)
        except sqlite3.IntegrityError:
            _refuse(con, record, record.id)
            raise
    _save_seats(con, record.id, record.sitters)
    if match is not None:
        con.execute(_SAVE_MATCH, {"table_id": record.id, **asdict(match)})
    _add_entries(con, record.id, entries)
    _add_events(con, record.id, events)


def take_up(con: sqlite3.Connection, records: Sequence[Record], alive_at: str) -> None:
    """Write tables as a bot that starts takes them up, and since when it runs."""
    for record in records:
        save(con, record, None, (), ())
    set_meta(con, "alive_at", alive_at)


def _refuse(con: sqlite3.Connection, record: Record, own: int | None) -> None:
    """Raise the refusal that a violated index stands for, if it was one of these."""
    row = con.execute(
        "SELECT id FROM tables WHERE follows = ? AND stage IN ('lobby', 'playing', 'over')"
        " AND id IS NOT ?",
        (record.follows, own),
    ).fetchone()
    if row is not None:
        raise AlreadyFollowed(table=row[0])
    row = con.execute(
        "SELECT id FROM tables WHERE channel_id = ? AND stage IN ('lobby', 'playing')"
        " AND id IS NOT ?",
        (record.channel_id, own),
    ).fetchone()
    if row is not None:
        raise ChannelTaken(table=row[0])


def _save_seats(con: sqlite3.Connection, table_id: int, sitters: Sequence[Sitter]) -> None:
    rows = [
        (seat, sitter.user_id, sitter.name, sitter.presence, sitter.level, sitter.missed)
        for seat, sitter in enumerate(sitters)
    ]
    if [tuple(row) for row in con.execute(_SEATS, (table_id,))] == rows:
        return  # as in most moves
    con.execute("DELETE FROM seats WHERE table_id = ?", (table_id,))
    con.executemany(
        "INSERT INTO seats (table_id, seat, user_id, name, presence, level, missed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(table_id, *row) for row in rows],
    )


def _add_entries(con: sqlite3.Connection, table_id: int, entries: Sequence[Entry]) -> None:
    for entry in entries:
        taken = con.execute(
            "SELECT 1 FROM entries WHERE table_id = ? AND seq = ?", (table_id, entry.seq)
        ).fetchone()
        if taken is not None:
            raise SeqTaken(table=table_id)
        con.execute(
            "INSERT INTO entries (table_id, seq, seat, action, at, automatic)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (table_id, entry.seq, entry.seat, entry.action, entry.at, entry.automatic),
        )


def _add_events(con: sqlite3.Connection, table_id: int, events: Sequence[StoredEvent]) -> None:
    if not events:
        return
    (last,) = con.execute(
        "SELECT coalesce(max(number), 0) FROM events WHERE table_id = ?", (table_id,)
    ).fetchone()
    con.executemany(
        "INSERT INTO events (table_id, number, seq, seat, event) VALUES (?, ?, ?, ?, ?)",
        [
            (table_id, number, event.seq, event.seat, event.event)
            for number, event in enumerate(events, last + 1)
        ],
    )


def mark_broken(con: sqlite3.Connection, table_id: int, reason: str, at: float) -> None:
    con.execute(
        "UPDATE tables SET stage = 'broken', reason = ?, ended_at = ? WHERE id = ?",
        (reason, at, table_id),
    )


def prune(con: sqlite3.Connection, before: float, at_most: int) -> int:
    return con.execute(
        "DELETE FROM tables WHERE id IN (SELECT id FROM tables WHERE ended_at < ?"
        " AND stage NOT IN ('lobby', 'playing') LIMIT ?)",
        (before, at_most),
    ).rowcount


# --- rows to values ------------------------------------------------------------------------------


class _UnreadableRow(Exception):
    """A row does not describe a value; the text names the part that does not."""


def live(con: sqlite3.Connection) -> list[Loaded | Damaged]:
    rows = con.execute(
        "SELECT * FROM tables WHERE stage NOT IN ('over', 'closed', 'broken') ORDER BY id"
    )
    return [_loaded(con, row) for row in rows]


def unsettled(con: sqlite3.Connection) -> list[Loaded]:
    rows = con.execute(
        "SELECT * FROM tables WHERE stage IN ('over', 'closed') AND settled = 0 ORDER BY id"
    )
    loaded = (_loaded(con, row) for row in rows)
    return [table for table in loaded if isinstance(table, Loaded)]


def load(con: sqlite3.Connection, table_id: int) -> Loaded | Damaged | None:
    row = con.execute("SELECT * FROM tables WHERE id = ?", (table_id,)).fetchone()
    return None if row is None else _loaded(con, row)


def _loaded(con: sqlite3.Connection, row: sqlite3.Row) -> Loaded | Damaged:
    try:
        return Loaded(_record(con, row), _match(con, row["id"]))
    except _UnreadableRow as error:
        return Damaged(row["id"], row["channel_id"], row["guild_id"], str(error))


def _record(con: sqlite3.Connection, row: sqlite3.Row) -> Record:
    has_board = row["board_id"] is not None and row["board_at"] is not None
    return Record(
        id=row["id"],
        game=row["game"],
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        stage=_parsed("stage", Stage, row["stage"]),
        host_id=row["host_id"],
        sitters=_sitters(con, row["id"]),
        options=_parsed("options", _options, row["options"]),
        created_at=row["created_at"],
        touched_at=row["touched_at"],
        clock=row["clock"],
        own_thread=bool(row["own_thread"]),
        board=Board(row["board_id"], row["board_at"]) if has_board else None,
        asked_at=row["asked_at"],
        deadline=row["deadline"],
        reminded=bool(row["reminded"]),
        pinged=bool(row["pinged"]),
        paused_at=row["paused_at"],
        ended_at=row["ended_at"],
        reason=row["reason"],
        follows=row["follows"],
        former=_parsed("former players", _ids, row["former"]),
        settled=bool(row["settled"]),
    )


def _sitters(con: sqlite3.Connection, table_id: int) -> tuple[Sitter, ...]:
    rows = con.execute(_SEATS, (table_id,)).fetchall()
    if [row["seat"] for row in rows] != list(range(len(rows))):
        raise _UnreadableRow("a seat is missing")
    return tuple(
        Sitter(
            row["user_id"],
            row["name"],
            _parsed("presence", Presence, row["presence"]),
            row["level"],
            row["missed"],
        )
        for row in rows
    )


def _match(con: sqlite3.Connection, table_id: int) -> SavedMatch | None:
    row = con.execute(
        "SELECT rules_version, edition, seed, seats, seq, state FROM matches WHERE table_id = ?",
        (table_id,),
    ).fetchone()
    return None if row is None else SavedMatch(*row)


def events(con: sqlite3.Connection, table_id: int) -> list[StoredEvent]:
    rows = con.execute(
        "SELECT seq, seat, event FROM events WHERE table_id = ? ORDER BY number", (table_id,)
    )
    return [StoredEvent(*row) for row in rows]


def journal(con: sqlite3.Connection, table_id: int) -> list[Entry]:
    rows = con.execute(
        "SELECT seq, seat, action, at, automatic FROM entries WHERE table_id = ? ORDER BY seq",
        (table_id,),
    )
    return [
        Entry(seq, seat, action, at, bool(automatic)) for seq, seat, action, at, automatic in rows
    ]


# --- settings ------------------------------------------------------------------------------------


def guild_settings(con: sqlite3.Connection, guild_id: int) -> GuildSettings:
    row = con.execute("SELECT * FROM guild_settings WHERE guild_id = ?", (guild_id,)).fetchone()
    try:
        return GuildSettings(guild_id) if row is None else _guild_settings(row)
    except _UnreadableRow:
        return GuildSettings(guild_id)


def _guild_settings(row: sqlite3.Row) -> GuildSettings:
    return GuildSettings(
        guild_id=row["guild_id"],
        channels=_parsed("channels", _ids, row["channels"]),
        clock=row["clock"],
        own_thread=bool(row["own_thread"]),
        options=_parsed("options", _options_by_game, row["options"]),
    )


def save_guild_settings(con: sqlite3.Connection, settings: GuildSettings) -> None:
    con.execute(
        "INSERT OR REPLACE INTO guild_settings (guild_id, channels, clock, own_thread, options)"
        " VALUES (?, ?, ?, ?, ?)",
        (
            settings.guild_id,
            json.dumps(sorted(settings.channels)),
            settings.clock,
            settings.own_thread,
            json.dumps({game: dict(options) for game, options in settings.options.items()}),
        ),
    )


def user_settings(con: sqlite3.Connection, user_id: int) -> UserSettings:
    row = con.execute("SELECT pings FROM user_settings WHERE user_id = ?", (user_id,)).fetchone()
    return UserSettings(user_id) if row is None else UserSettings(user_id, bool(row["pings"]))


def save_user_settings(con: sqlite3.Connection, settings: UserSettings) -> None:
    con.execute(
        "INSERT OR REPLACE INTO user_settings (user_id, pings) VALUES (?, ?)",
        (settings.user_id, settings.pings),
    )


def get_meta(con: sqlite3.Connection, key: str) -> str | None:
    row = con.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else row["value"]


def set_meta(con: sqlite3.Connection, key: str, value: str) -> None:
    con.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))


# --- what a column holds -------------------------------------------------------------------------


def _parsed(part: str, parse: Callable[[str], T], raw: str) -> T:
    try:
        return parse(raw)
    except (ValueError, TypeError, AttributeError, RecursionError):
        # From None: the message of a parser may quote what it read.
        raise _UnreadableRow(f"its {part} can't be read") from None


def _options(raw: str) -> dict[str, OptionValue]:
    return _checked_options(json.loads(raw))


def _options_by_game(raw: str) -> dict[str, Mapping[str, OptionValue]]:
    loaded: dict[str, Any] = json.loads(raw)
    return {game: _checked_options(options) for game, options in loaded.items()}


def _checked_options(loaded: Any) -> dict[str, OptionValue]:
    options: dict[str, OptionValue] = {}
    for key, value in loaded.items():
        if not isinstance(value, bool | int | str):
            raise TypeError
        options[key] = value
    return options


def _ids(raw: str) -> frozenset[int]:
    loaded: list[Any] = json.loads(raw)
    if not all(type(item) is int for item in loaded):
        raise TypeError
    return frozenset(loaded)
