"""Any value comes back from its rows as it was."""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot import rows
from bot.records import Board, GuildSettings, Loaded, Presence, Record, SavedMatch, Sitter, Stage
from tests.bot.stored import SCRIPTS

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
ids = st.integers(0, 2**63 - 1)
times = st.floats(allow_nan=False, allow_infinity=False)
options = st.dictionaries(texts, st.booleans() | st.integers() | texts, max_size=4)
sitters = st.lists(
    st.builds(Sitter, ids | st.none(), texts, st.sampled_from(Presence), texts, st.integers(0, 9)),
    max_size=8,
    unique_by=lambda sitter: sitter.user_id if sitter.user_id is not None else object(),
)
RECORD_FIELDS = {
    "id": ids,
    "game": texts,
    "guild_id": ids,
    "channel_id": ids,
    "stage": st.sampled_from(Stage),
    "host_id": ids,
    "sitters": sitters.map(tuple),
    "options": options,
    "created_at": times,
    "touched_at": times,
    "clock": st.integers(0, 10**6),
    "own_thread": st.booleans(),
    "board": st.none() | st.builds(Board, ids, times),
    "asked_at": st.none() | times,
    "deadline": st.none() | times,
    "reminded": st.booleans(),
    "pinged": st.booleans(),
    "paused_at": st.none() | times,
    "ended_at": st.none() | times,
    "reason": texts,
    "follows": st.none() | ids,
    "former": st.frozensets(ids, max_size=3),
    "settled": st.booleans(),
}
records = st.fixed_dictionaries(RECORD_FIELDS).map(lambda values: Record(**values))
matches = st.builds(
    SavedMatch,
    st.integers(0, 99),
    texts,
    st.binary(max_size=32),
    st.integers(1, 9),
    st.integers(0, 999),
    st.sampled_from(['{"a": 1}', "[]", '"é\\u0000"']),
)


@contextlib.contextmanager
def fresh() -> Iterator[sqlite3.Connection]:
    """A database in memory, as the last migration leaves it."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as con:
        con.row_factory = sqlite3.Row
        for script in SCRIPTS:
            con.executescript(script.read_text())
        yield con


def with_types(record: Record) -> tuple[Record, list[tuple[str, type, object]]]:
    """Equality that tells True from 1."""
    return record, [(key, type(value), value) for key, value in sorted(record.options.items())]


@given(first=records, then=records, match=matches)
def test_every_field_of_a_record_comes_back(first: Record, then: Record, match: SavedMatch) -> None:
    assert set(RECORD_FIELDS) == {field.name for field in dataclasses.fields(Record)}
    with fresh() as con:
        table_id = rows.create(con, first)
        loaded = rows.load(con, table_id)
        assert isinstance(loaded, Loaded)
        assert with_types(loaded.record) == with_types(replace(first, id=table_id))
        assert loaded.match is None

        fixed = {name: getattr(first, name) for name in ("game", "guild_id", "created_at")}
        then = replace(then, id=table_id, follows=first.follows, **fixed)
        rows.save(con, then, match, (), ())
        loaded = rows.load(con, table_id)
        assert isinstance(loaded, Loaded)
        assert with_types(loaded.record) == with_types(then)
        assert loaded.match == match
        assert rows.live(con) == ([Loaded(then, match)] if then.live else [])


@given(
    channels=st.frozensets(ids, max_size=3),
    clock=st.integers(0, 10**6),
    own_thread=st.booleans(),
    chosen=st.dictionaries(texts, options, max_size=3),
)
def test_settings_come_back(
    channels: frozenset[int], clock: int, own_thread: bool, chosen: dict[str, dict[str, int]]
) -> None:
    settings = GuildSettings(5, channels, clock, own_thread, chosen)
    with fresh() as con:
        assert rows.guild_settings(con, 5) == GuildSettings(5)
        rows.save_guild_settings(con, GuildSettings(5, clock=1))
        rows.save_guild_settings(con, settings)
        assert rows.guild_settings(con, 5) == settings
        assert rows.guild_settings(con, 6) == GuildSettings(6)
