"""The one list that names the games: rules, words and commands of each."""

from __future__ import annotations

from bot.settings import Settings
from bot.tables import AnyGame
from bot.ui.fix626 import Fix626Presenter
from bot.ui.presenter import AnyPresenter
from engine.fix626 import Fix626

GAMES: dict[str, AnyGame] = {game.info.key: game for game in (Fix626(),)}

PRESENTERS: dict[str, AnyPresenter] = {
    "fix626": Fix626Presenter(),
}


def games(settings: Settings) -> dict[str, AnyGame]:
    """The games as the operator wants them played. Raises BadDeck for a wrong deck file."""
    del settings
    return dict(GAMES)


EXTENSIONS = ("cogs.fix626", "cogs.tables")
