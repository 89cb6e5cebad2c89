"""What happened is written as it is read."""

from __future__ import annotations

import pytest

from bot.journal import Note, Scribe, readable
from bot.records import StoredEvent
from engine.codec import Unreadable
from engine.core import Seat
from tests.bot.toy import Answered, Told, Toy

NEWS = [
    Note("note-left", {"name": "Ann \"'\\ {}\n@everyone"}),
    Note("note-away"),
    Answered(Seat(1)),
    Told(Seat(2), 17),
]


@pytest.mark.parametrize("news", NEWS, ids=lambda news: type(news).__name__)
def test_news_are_read_as_they_were_written(news):
    scribe = Scribe(Toy())
    assert scribe.read(scribe.write(3, news)) == news


def test_only_private_events_have_a_single_reader():
    scribe = Scribe(Toy())
    assert [scribe.write(0, news).seat for news in NEWS] == [None, None, None, 2]


@pytest.mark.parametrize(
    ("news", "seat", "expected"),
    [
        (NEWS[0], None, True),
        (NEWS[2], None, True),
        (NEWS[3], None, False),
        (NEWS[3], Seat(1), False),
        (NEWS[3], Seat(2), True),
    ],
    ids=["note", "public", "watcher", "other", "own"],
)
def test_private_news_are_read_by_their_seat_alone(news, seat, expected):
    assert readable(news, seat) is expected


@pytest.mark.parametrize(
    "written",
    [
        '{"note": "left", "params": ["name"]}',
        '{"note": 4, "params": {}}',
        '{"note": "left"}',
        '{"note": "left"',
        '{"kind": "unheard-of"}',
        "[]",
    ],
)
def test_damaged_news_are_unreadable_and_not_quoted(written):
    with pytest.raises(Unreadable) as error:
        Scribe(Toy()).read(StoredEvent(0, None, written))
    assert "left" not in str(error.value)
