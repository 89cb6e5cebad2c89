"""A table from its rows. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.journal import FEED, Scribe
from bot.records import Loaded, Record, SavedMatch, Stage, StoredEvent
from bot.tables import AnyGame, AnyMatch, Table
from engine.codec import Unreadable
from engine.errors import BadOption
from engine.match import Match


def revived(
    row: Loaded,
    stored: Sequence[StoredEvent],
    games: Mapping[str, AnyGame],
    scribes: Mapping[str, Scribe],
) -> Table:
    """The table as it was in memory when it was last written. Raises Unreadable."""
    record = row.record
    if record.game not in games:
        raise Unreadable(f"no game {record.game!r} in this version")
    game, scribe = games[record.game], scribes[record.game]
    match = _match(record, row.match, game, scribe)
    table = Table(record, match)
    table.feed.extend(scribe.read(event) for event in stored[-FEED:])
    return table


def _match(
    record: Record, saved: SavedMatch | None, game: AnyGame, scribe: Scribe
) -> AnyMatch | None:
    if saved is None:
        if record.stage is Stage.PLAYING:
            raise Unreadable("its match is missing")
        if record.stage is Stage.LOBBY:
            _require_known(record, game)
        return None
    if (saved.rules_version, saved.edition) != (game.info.rules_version, game.edition):
        raise Unreadable("its cards or rules are another edition's")
    if saved.seats != len(record.sitters):
        raise Unreadable("its seats do not fit its match")
    match = Match(game, saved.seed, saved.seats, saved.seq, scribe.codec.load_state(saved.state))
    _require_sense(match, live=record.live)
    return match


def _require_sense(match: AnyMatch, *, live: bool) -> None:
    """What is asked at every tick must be answered, or one table would harm the others."""
    try:
        over, pending = match.over, match.pending()
        answered = all(seat in range(match.seats) and match.choices(seat) for seat in pending)
    except Exception as error:
        # The rules never made this state, so they may fail at it in any way.
        raise Unreadable(f"its state makes no sense ({type(error).__name__})") from None
    if live and (over or not pending or not answered):
        raise Unreadable("its state asks nobody anything")


def _require_known(record: Record, game: AnyGame) -> None:
    """A lobby could never begin with options that this version does not have."""
    try:
        game.info.settle(record.options)
    except BadOption as error:
        raise Unreadable(f"its option {error.params['option']} is unknown") from None
