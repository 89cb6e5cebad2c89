"""What the log of a table is made of: the game's events, and notes about its people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from bot.records import StoredEvent
from engine.codec import Codec, Unreadable
from engine.core import Event, Game, PrivateEvent, PublicEvent, Seat

FEED = 60
"""How many of the last news a live table keeps in memory."""


@dataclass(frozen=True, slots=True)
class Note(PublicEvent):
    """Something that happened to the table rather than in the game: a sentence of bot/texts."""

    code: str
    params: Mapping[str, str] = field(default_factory=dict[str, str])


News = Event | Note


class Scribe:
    """Writes and reads the news of one game."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.codec: Codec[Any, Any, Any] = Codec(game)

    def write(self, seq: int, news: News) -> StoredEvent:
        if isinstance(news, Note):
            raw = json.dumps({"note": news.code, "params": dict(news.params)})
            return StoredEvent(seq, None, raw)
        reader = news.to if isinstance(news, PrivateEvent) else None
        return StoredEvent(seq, reader, self.codec.dump_event(news))

    def read(self, stored: StoredEvent) -> News:
        """Raises Unreadable."""
        if not stored.event.startswith('{"note"'):
            return self.codec.load_event(stored.event)
        try:
            raw: Mapping[str, object] = json.loads(stored.event)
            code, params = raw["note"], cast("Mapping[str, object]", raw["params"])
            if isinstance(code, str):
                return Note(code, {key: str(value) for key, value in params.items()})
        except (ValueError, KeyError, TypeError, AttributeError):
            pass
        raise Unreadable("a note is damaged")


def readable(news: News, seat: Seat | None) -> bool:
    """Whether whoever sits at `seat` (None: anybody) may read it."""
    return not isinstance(news, PrivateEvent) or news.to == seat
