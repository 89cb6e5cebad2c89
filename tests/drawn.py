"""Any match as a table and any panel as Discord's JSON, for tests of what people see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bot.journal import News
from bot.records import Board, Record, Sitter, Stage
from bot.registry import GAMES, PRESENTERS
from bot.tables import Table
from bot.texts import Texts, shipped
from bot.ui.frame import Frame, Reader
from bot.ui.layout import draw
from bot.ui.panel import Panel
from engine.choosing import Pick, Question, ask
from engine.core import Seat
from tests.playout import AnyMatch

NAMES = ("Ann", "Bob", "Carol", "Dan", "Eve", "Fay", "Gus")


def user(seat: int) -> int:
    """The user id of whoever sits at `seat` in `table_of`."""
    return 1000 + seat


def table_of(match: AnyMatch, news: Sequence[News] = (), *, names: Sequence[str] = NAMES) -> Table:
    """A table at which `match` is played by one person a seat."""
    outcome = match.game.outcome(match.state)
    record = Record(
        id=7,
        game=match.game.info.key,
        guild_id=1,
        channel_id=2,
        stage=Stage.PLAYING if outcome is None else Stage.OVER,
        host_id=user(0),
        sitters=tuple(Sitter(user(s), names[s]) for s in range(match.seats)),
        options=match.game.info.settle({}),
        created_at=0.0,
        touched_at=0.0,
        deadline=300.0,
        board=Board(5, 0.0),
        reason="" if outcome is None else outcome.reason,
    )
    table = Table(record, match)
    table.feed.extend(news)
    return table


def frame(
    table: Table, seat: int | None = None, *, locale: str = "en", texts: Texts | None = None
) -> Frame:
    """The table as `seat` sees it; None is a watcher."""
    game = table.record.game
    reader = None if seat is None else Reader(user(seat), NAMES[seat])
    words = (texts or shipped()).words(locale)
    return Frame(table, PRESENTERS[game], GAMES[game].info, words, reader)


def rendered(panel: Panel) -> list[Any]:
    """The components of the message that leaves for Discord."""
    return draw(panel).to_components()


def private_panels(table: Table, seat: Seat, *, most: int = 12) -> Iterator[Panel]:
    """The hand of `seat` and every step of its menus, at most `most` steps of them."""
    match = table.begun
    yield frame(table, seat).hand()
    choices = match.choices(seat)
    todo: list[tuple[tuple[int, ...], ...]] = [()] if choices else []
    while todo and most:
        path = todo.pop()
        question = ask(choices, path)
        most -= 1
        if isinstance(question, Question):
            todo += [(*path, (i,)) for i in range(len(question.values))]
        elif isinstance(question, Pick):
            todo += [(*path, answer) for answer in sorted(question.combinations)]
        if isinstance(question, Question | Pick):
            yield frame(table, seat).hand(path)
        elif warning := frame(table, seat).warning(question):
            yield frame(table, seat).confirm(path, warning)
