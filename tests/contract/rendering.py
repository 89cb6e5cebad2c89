"""What must be true of everything that people see, of any game, as checks of a game and a seed."""

from __future__ import annotations

import dataclasses

from bot.journal import News
from engine.chance import Chance
from engine.core import PrivateEvent, Seat
from tests.contract.rules import thinned
from tests.drawn import frame, private_panels, rendered, table_of, user
from tests.limits import check_message
from tests.playout import AnyGame, moves, opening, positions

LONGEST_NAMES = tuple("ＷＭ"[i % 2] * 31 + chr(0x41 + i) for i in range(7))  # noqa: RUF001
MARKDOWN_NAMES = ("**a**", "`b`", "@everyone", "<@1>", "[x](http://y)", "||z||", "# h")


def fits_discord(game: AnyGame, seed: bytes, *, names: tuple[str, ...] = LONGEST_NAMES) -> None:
    """Every panel of a whole game is a message that Discord accepts."""
    _, events = opening(game, seed)
    feed: list[News] = list(events)
    for number, match in enumerate(thinned(positions(game, seed), seed)):
        table = table_of(match, feed[-8:], names=names)
        check_message(rendered(frame(table).public(mention=[user(0)])))
        seat = Seat(number % match.seats)
        for panel in private_panels(table, seat, most=4):
            check_message(rendered(panel))
    for move in thinned(moves(game, seed), seed):
        for beat in frame(table_of(move.after, names=names)).beats(move.events):
            check_message(rendered(beat))


def public_shows_no_secret(game: AnyGame, seed: bytes) -> None:
    """The public message is the same, to the byte, whatever the hidden cards are."""
    for number, match in enumerate(thinned(positions(game, seed), seed)):
        state = game.resample(match.state, None, Chance(seed, 3_000_000 + number))
        other = dataclasses.replace(match, state=state)
        shown = rendered(frame(table_of(match)).public())
        assert shown == rendered(frame(table_of(other)).public()), "the board tells a secret"


def private_shows_only_ones_own(game: AnyGame, seed: bytes) -> None:
    """A hand and its menus are the same, to the byte, whatever the others hold."""
    for number, match in enumerate(thinned(positions(game, seed), seed)):
        seat = Seat(number % match.seats)
        state = game.resample(match.state, seat, Chance(seed, 4_000_000 + number))
        other = dataclasses.replace(match, state=state)
        shown = [rendered(panel) for panel in private_panels(table_of(match), seat, most=3)]
        again = [rendered(panel) for panel in private_panels(table_of(other), seat, most=3)]
        assert shown == again, "a hand tells a secret"


def the_log_keeps_private_news(game: AnyGame, seed: bytes) -> None:
    """Nobody's log has a line that was told to somebody else."""
    for move in thinned(moves(game, seed), seed):
        table = table_of(move.after)
        public = [e for e in move.events if not isinstance(e, PrivateEvent)]
        assert frame(table).log(move.events) == frame(table).log(public)
        for seat in move.after.all_seats():
            own = [e for e in move.events if not isinstance(e, PrivateEvent) or e.to == seat]
            assert frame(table, seat).log(move.events) == frame(table, seat).log(own)


def every_action_has_a_name(game: AnyGame, seed: bytes) -> None:
    for match in thinned(positions(game, seed), seed):
        table = table_of(match)
        for seat in match.all_seats():
            shown = frame(table, seat)
            view = match.view(seat)
            for action in match.choices(seat)[:40]:
                text = shown.presenter.action(action, view, shown.scene)
                assert 1 <= len(text.strip()) <= 100, text


def what_is_said_of_an_action_tells_no_secret(game: AnyGame, seed: bytes) -> None:
    """Nor does whether it is warned of."""
    for number, match in enumerate(thinned(positions(game, seed), seed)):
        for seat in match.all_seats():
            state = game.resample(match.state, seat, Chance(seed, 5_000_000 + number))
            shown, view = frame(table_of(match), seat), match.view(seat)
            other = game.view(state, seat)
            for action in match.choices(seat)[:40]:
                for said in (shown.presenter.action, shown.presenter.warning):
                    assert said(action, view, shown.scene) == said(action, other, shown.scene)


PER_SEED = (
    fits_discord,
    public_shows_no_secret,
    private_shows_only_ones_own,
    the_log_keeps_private_news,
    every_action_has_a_name,
    what_is_said_of_an_action_tells_no_secret,
)
