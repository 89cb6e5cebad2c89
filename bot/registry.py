"""The one list that names the games: rules, words and commands of each."""

from __future__ import annotations

from pathlib import Path

from bot.settings import Misconfigured, Settings
from bot.tables import AnyGame
from bot.thinking import Levels
from bot.ui.fix626 import Fix626Presenter
from bot.ui.mischief import MischiefPresenter
from bot.ui.presenter import AnyPresenter
from bot.ui.stitches import StitchesPresenter
from engine.fix626 import Fix626
from engine.fix626 import policy as fix626_policy
from engine.mischief import Mischief
from engine.mischief import policy as mischief_policy
from engine.mischief.deck import read_deck
from engine.stitches import Stitches
from engine.stitches import policy as stitches_policy
from engine.stitches.parts import Box, read_abominations, read_parts, read_words, shipped_text

GAMES: dict[str, AnyGame] = {game.info.key: game for game in (Fix626(), Mischief(), Stitches())}

PRESENTERS: dict[str, AnyPresenter] = {
    "fix626": Fix626Presenter(),
    "mischief": MischiefPresenter(),
    "stitches": StitchesPresenter(),
}

PLAYERS: dict[str, Levels] = {
    "fix626": fix626_policy.LEVELS,
    "mischief": mischief_policy.LEVELS,
    "stitches": stitches_policy.LEVELS,
}


def games(settings: Settings) -> dict[str, AnyGame]:
    """The games as the operator wants them played.

    Raises BadDeck for a deck file that is wrong, Misconfigured for one that is no text at all.
    """
    chosen = dict(GAMES)
    if (path := settings.mischief_deck) is not None:
        chosen["mischief"] = Mischief(read_deck(_text("MISCHIEF_DECK", path), str(path)))
    if settings.stitches_parts or settings.stitches_words or settings.stitches_abominations:
        chosen["stitches"] = Stitches(_box(settings))
    return chosen


def _box(settings: Settings) -> Box:
    """The cards of Stitches: the owner's files, and the shipped ones for those that are not set."""

    def file(setting: str, path: Path | None, shipped: str) -> tuple[str, str]:
        return (
            (shipped_text(shipped), shipped) if path is None else (_text(setting, path), str(path))
        )

    return Box(
        read_parts(*file("STITCHES_PARTS", settings.stitches_parts, "parts.csv")),
        read_words(*file("STITCHES_WORDS", settings.stitches_words, "words.csv")),
        read_abominations(
            *file("STITCHES_ABOMINATIONS", settings.stitches_abominations, "abominations.csv")
        ),
    )


def _text(setting: str, path: Path) -> str:
    """What an owner's own file says. Raises Misconfigured."""
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise Misconfigured(f"{setting} can't be read: {path} ({error.strerror})") from None
    except UnicodeDecodeError:
        raise Misconfigured(f"{setting} is not readable as UTF-8 text: {path}") from None


EXTENSIONS = ("cogs.fix626", "cogs.mischief", "cogs.stitches", "cogs.tables")
