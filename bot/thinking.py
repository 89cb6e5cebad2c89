"""Where computer players think."""

from __future__ import annotations

from typing import Protocol

from bot.tables import AnyMatch
from engine.core import Seat


class Thinker(Protocol):
    """Decides for a seat that no person answers for."""

    async def decide(self, match: AnyMatch, seat: Seat, level: str) -> object:
        """A legal action; may take a while, and is cancelled when the table moves on."""
        ...


class Inline:
    """Decides at once, by what the rules call harmless."""

    async def decide(self, match: AnyMatch, seat: Seat, level: str) -> object:
        del level
        return match.game.fallback(match.state, seat)
