"""The private panels that are open: a hand is kept up to date for as long as Discord lets us."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import discord

from bot.tables import Change, Table
from bot.texts import Words
from bot.ui.frame import Frame, Reader
from bot.ui.layout import draw
from bot.ui.panel import Panel
from bot.ui.replies import NOBODY, UNREACHABLE
from engine.core import PrivateEvent, Seat
from engine.errors import GameError

log = logging.getLogger(__name__)

HAND_LIVES = 14 * 60
"""Seconds for which a private panel can be edited; Discord's token dies after fifteen minutes."""


@dataclass(slots=True)
class _Hand:
    """A private panel that can still be edited, and how."""

    interaction: discord.Interaction[Any]
    message_id: int
    reader: Reader
    words: Words
    until: float
    asks: bool = False  # shows choices, which are out of date with the next question


class Hands:
    """The newest open hand of every user at every table, by table and user."""

    def __init__(
        self,
        frame: Callable[[Table, Words, Reader], Frame],
        now: Callable[[], float],
    ) -> None:
        self._frame = frame
        self._now = now
        self._open: dict[tuple[int, int], _Hand] = {}

    def __len__(self) -> int:
        return len(self._open)

    def shown(self, message_id: int, user_id: int) -> None:
        """A private message shows something new: no hand that it showed is redrawn there."""
        for key, hand in list(self._open.items()):
            if key[1] == user_id and hand.message_id == message_id:
                del self._open[key]

    def remember(
        self,
        interaction: discord.Interaction[Any],
        panel: Panel,
        message_id: int,
        reader: Reader,
        words: Words,
    ) -> None:
        """`panel`, the hand of `reader`, stands in a private message: keep it up to date."""
        until = self._now() + HAND_LIVES
        hand = _Hand(interaction, message_id, reader, words, until, panel.asks)
        self._open[panel.table, reader.user_id] = hand

    def forget(self, table_id: int) -> None:
        """Nothing changes any more at a table."""
        for key in [key for key in self._open if key[0] == table_id]:
            del self._open[key]

    def concerned(self, change: Change) -> set[int]:
        """Users with an open hand who are asked or told something new by somebody else."""
        record = change.table.record
        seats = {event.to for event in change.news if isinstance(event, PrivateEvent)}
        if change.new_question:
            seats.update(change.table.waiting_for())
            seats.update(
                Seat(seat)
                for seat, sitter in enumerate(record.sitters)
                if sitter.user_id is not None
                and (hand := self._open.get((record.id, sitter.user_id))) is not None
                and hand.asks
            )
        return {
            user_id
            for seat in seats
            if (user_id := record.sitters[seat].user_id) is not None
            and user_id != change.actor
            and (record.id, user_id) in self._open
        }

    async def draw(self, table: Table, users: Iterable[int]) -> set[int]:
        """Redraw open hands side by side, as Discord may hold up any; whose it did not reach."""
        ordered = sorted(users)
        drawn = await asyncio.gather(*(self._draw_one(table, user) for user in ordered))
        return {user for user, done in zip(ordered, drawn, strict=True) if not done}

    async def _draw_one(self, table: Table, user_id: int) -> bool:
        """Whether a user's open hand shows what is now, as far as it ever can."""
        hand = self._open.get((table.id, user_id))
        if hand is None or hand.until < self._now():
            self._open.pop((table.id, user_id), None)
            return True
        try:
            panel = self._frame(table, hand.words, hand.reader).hand()
            hand.asks = panel.asks
            await hand.interaction.edit_original_response(view=draw(panel), allowed_mentions=NOBODY)
        except UNREACHABLE as error:
            log.info("table %d: a hand is not drawn (%r)", table.id, error)
            return False
        except (discord.HTTPException, GameError) as error:
            # Dismissed, its token died early, or its person has no seat any more: the board's
            # button opens a new one.
            log.debug("table %d: a hand stays as it is (%r)", table.id, error)
            if self._open.get((table.id, user_id)) is hand:
                del self._open[table.id, user_id]
        return True
