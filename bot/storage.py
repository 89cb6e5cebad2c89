"""What the bot asks of its database: every write happens whole or not at all.

How a write is kept whole, also when who asked for it is cancelled, is said in bot/database.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot import rows
from bot.database import Database
from bot.records import (
    Damaged,
    Entry,
    GuildSettings,
    Loaded,
    Record,
    SavedMatch,
    StoredEvent,
    UserSettings,
)
from bot.refusals import TableBroken

_PRUNED_AT_ONCE = 50


class Storage(Database):
    """All that the bot remembers. Its coroutines raise StorageError, and change nothing then."""

    # --- tables ------------------------------------------------------------------------------

    async def create_table(self, record: Record) -> int:
        """Write a new table, whose own id is ignored, and return its id.

        Raises AlreadyFollowed for a second rematch of one table, and ChannelTaken with the id of
        the live table in the channel.
        """
        return await self._write(lambda con: rows.create(con, record))

    async def save(
        self,
        record: Record,
        *,
        match: SavedMatch | None = None,
        entries: Sequence[Entry] = (),
        events: Sequence[StoredEvent] = (),
    ) -> None:
        """Write a table as it is now and what happened to it since, all in one transaction.

        Its game, server, creation and what it follows stay as they were created. Raises SeqTaken,
        TableGone, and ChannelTaken for a table that moved to a held channel.
        """
        await self._write(lambda con: rows.save(con, record, match, entries, events))

    async def live(self) -> list[Loaded | Damaged]:
        """Every table that has not ended, oldest first; one that can't be read harms no other."""
        return await self._run(rows.live)

    async def take_up(self, records: Sequence[Record], alive_at: str) -> None:
        """Write tables as a bot that starts takes them up, and that it runs, all or nothing."""
        await self._write(lambda con: rows.take_up(con, records, alive_at))

    async def unsettled(self) -> list[Loaded]:
        """The tables that ended without their last board being drawn, oldest first."""
        return await self._run(rows.unsettled)

    async def load(self, table_id: int) -> Loaded | None:
        """A table, live or ended; None if there is none. Raises TableBroken."""
        found = await self._run(lambda con: rows.load(con, table_id))
        if isinstance(found, Damaged):
            raise TableBroken
        return found

    async def mark_broken(self, table_id: int, reason: str, at: float) -> None:
        """End a table that can't be read; its rows stay for whoever looks into it."""
        await self._write(lambda con: rows.mark_broken(con, table_id, reason, at))

    async def events(self, table_id: int) -> list[StoredEvent]:
        """Every event of a table, secrets of every seat included, oldest first."""
        return await self._run(lambda con: rows.events(con, table_id))

    async def journal(self, table_id: int) -> list[Entry]:
        """Every action of a table, in order."""
        return await self._run(lambda con: rows.journal(con, table_id))

    # --- settings ----------------------------------------------------------------------------

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        """What a server's managers decided; the defaults where they did not, or it is damaged."""
        return await self._run(lambda con: rows.guild_settings(con, guild_id))

    async def save_guild_settings(self, settings: GuildSettings) -> None:
        await self._write(lambda con: rows.save_guild_settings(con, settings))

    async def user_settings(self, user_id: int) -> UserSettings:
        """What a person decided; the defaults if nothing."""
        return await self._run(lambda con: rows.user_settings(con, user_id))

    async def save_user_settings(self, settings: UserSettings) -> None:
        await self._write(lambda con: rows.save_user_settings(con, settings))

    async def get_meta(self, key: str) -> str | None:
        """What set_meta last wrote for this key."""
        return await self._run(lambda con: rows.get_meta(con, key))

    async def set_meta(self, key: str, value: str) -> None:
        await self._write(lambda con: rows.set_meta(con, key, value))

    # --- care --------------------------------------------------------------------------------

    async def prune(self, before: float) -> int:
        """Delete the tables that ended before then, journals and all; how many there were."""
        pruned = 0
        # A few at a time, so that moves made meanwhile need not wait for all of them.
        while found := await self._write(lambda con: rows.prune(con, before, _PRUNED_AT_ONCE)):
            pruned += found
        return pruned
