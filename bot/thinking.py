"""Where computer players think."""

from __future__ import annotations

from bot.tables import AnyMatch
from engine.core import Seat


class Inline:
    """Decides at once, by what the rules call harmless."""

    async def decide(self, match: AnyMatch, seat: Seat, level: str) -> object:
        del level
        return match.game.fallback(match.state, seat)
