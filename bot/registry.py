"""The one list that names the games: rules, words and commands of each."""

from __future__ import annotations

from pathlib import Path

from bot.settings import Misconfigured, Settings
from bot.tables import AnyGame
from bot.ui.fix626 import Fix626Presenter
from bot.ui.mischief import MischiefPresenter
from bot.ui.presenter import AnyPresenter
from engine.fix626 import Fix626
from engine.mischief import Mischief
from engine.mischief.deck import read_deck
from engine.stitches import Stitches

GAMES: dict[str, AnyGame] = {game.info.key: game for game in (Fix626(), Mischief(), Stitches())}

PRESENTERS: dict[str, AnyPresenter] = {
    "fix626": Fix626Presenter(),
    "mischief": MischiefPresenter(),
}


def games(settings: Settings) -> dict[str, AnyGame]:
    """The games as the operator wants them played.

    Raises BadDeck for a deck file that is wrong, Misconfigured for one that is no text at all.
    """
    chosen = dict(GAMES)
    if (path := settings.mischief_deck) is not None:
        chosen["mischief"] = Mischief(read_deck(_text("MISCHIEF_DECK", path), str(path)))
    return chosen


def _text(setting: str, path: Path) -> str:
    """What an owner's own file says. Raises Misconfigured."""
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise Misconfigured(f"{setting} can't be read: {path} ({error.strerror})") from None
    except UnicodeDecodeError:
        raise Misconfigured(f"{setting} is not readable as UTF-8 text: {path}") from None


EXTENSIONS = ("cogs.fix626", "cogs.mischief", "cogs.tables")
