"""The bot as Discord sees it: what it wires at the start, hears, and closes at the end."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.manager import Manager
from bot.records import Damaged
from bot.refusals import NotSaved
from bot.storage import Storage
from bot.tables import AnyGame
from bot.texts import Texts
from bot.thinking import Thinker
from bot.ui.layout import PressButton, PressMenu, lost
from bot.ui.presenter import AnyPresenter
from bot.ui.press import Desk
from bot.ui.replies import NOBODY, UNREACHABLE
from bot.ui.screen import NEEDED, Screen
from bot.ui.verbs import Pressed

log = logging.getLogger(__name__)

# The bot has no voice; what discord.py says of its missing parts would worry the operator.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False

HEARTBEAT = 60
STANDSTILL = 60
"""Seconds between two ticks from which on the time between them counts for nobody."""
DAY = 24 * 60 * 60


def intents() -> discord.Intents:
    """Servers and the places of messages; no privileged intent, no message texts."""
    wanted = discord.Intents.none()
    wanted.guilds = True
    wanted.guild_messages = True
    return wanted


def permissions() -> discord.Permissions:
    """Exactly what an invitation must grant."""
    wanted = dict.fromkeys((*NEEDED, "send_messages", "send_messages_in_threads"), True)
    return discord.Permissions(**wanted, create_public_threads=True, manage_threads=True)


class Translator(app_commands.Translator):
    """Names and descriptions of commands in Discord's languages, from bot/texts."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        del context
        words = self._texts.words(str(locale))
        key = string.extras.get("key")
        return (
            words(key) if isinstance(key, str) and words.locale != "en" and words.own(key) else None
        )


class StitchTable(commands.AutoShardedBot):
    """The client. Opened by `setup_hook`, closed by `close`, which may be called at any moment."""

    def __init__(
        self,
        *,
        open_storage: Callable[[], Awaitable[Storage]],
        games: Mapping[str, AnyGame],
        presenters: Mapping[str, AnyPresenter],
        extensions: Sequence[str],
        texts: Texts,
        thinker: Thinker,
        now: Callable[[], float],
        think_seconds: float = 1.5,
        beat_seconds: float = 0.0,
        development_server: int | None = None,
        keep_days: int = 90,
        shard_count: int | None = None,
    ) -> None:
        super().__init__(
            command_prefix=(),
            help_command=None,
            intents=intents(),
            allowed_mentions=NOBODY,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=False, private_channel=False
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            shard_count=shard_count,
        )
        self._open_storage = open_storage
        self._games = games
        self._presenters = presenters
        self._extensions = extensions
        self._think_seconds = think_seconds
        self._beat_seconds = beat_seconds
        self._thinker = thinker
        self._development_server = development_server
        self._keep_days = keep_days
        self.texts = texts
        self.now = now
        self.storage: Storage | None = None
        self.manager: Manager
        self.screen: Screen
        self.desk: Desk
        self._broken: list[Damaged] = []
        self._closing: asyncio.Task[None] | None = None
        self._alive_at = 0.0
        self._ticked_at = 0.0
        self._pruned_at = 0.0

    # --- start and end -----------------------------------------------------------------------

    async def setup_hook(self) -> None:
        storage = self.storage = await self._open_storage()
        self.manager = Manager(
            storage,
            self._games,
            now=self.now,
            thinker=self._thinker,
            think_seconds=self._think_seconds,
        )
        self.screen = Screen(
            self,
            self.manager,
            self.texts,
            self._presenters,
            self.now,
            beat_seconds=self._beat_seconds,
        )
        self.desk = Desk(self.manager, self.screen, self.texts, self._presenters)
        self.add_dynamic_items(PressButton, PressMenu)
        self.tree.on_error = self._command_failed  # type: ignore[method-assign]
        for extension in self._extensions:
            await self.load_extension(extension)
        await self.tree.set_translator(Translator(self.texts))
        self._broken = await self.manager.restore()
        self._ticked_at = self.now()
        await self.sync_commands()
        self._tick.start()

    async def close(self) -> None:
        """Stop in an order that loses nothing: the clock, moves, drawings, the database.

        Whoever calls it may be cancelled: it goes on, and every caller waits for the same end.
        """
        if self._closing is None:
            self._closing = asyncio.create_task(self._close_all())
        await asyncio.shield(self._closing)

    async def _close_all(self) -> None:
        if self.storage is not None:
            storage, self.storage = self.storage, None
            self._tick.cancel()
            await self.manager.close()
            await self._thinker.close()
            await self.screen.close()
            await storage.close()
        await super().close()

    async def on_ready(self) -> None:
        """Connected, for the first time or again: show every table as it is."""
        link = discord.utils.oauth_url(
            self.application_id or 0,
            permissions=permissions(),
            scopes=("bot", "applications.commands"),
        )
        log.info("ready in %d servers; invite: %s", len(self.guilds), link)
        for table in list(self.manager.tables.values()):
            if self.get_guild(table.record.guild_id) is None:
                await self.manager.give_up(table.id, "closed-bot-removed")
            else:
                self.screen.restored(table)
        try:
            for table in await self.manager.unsettled():
                self.screen.restored(table)
        except NotSaved:
            log.warning("tables that ended are shown at the next connection")
        await self._tell_broken()

    async def _tell_broken(self) -> None:
        broken, self._broken = self._broken, []
        for damaged in broken:
            channel = self.get_channel(damaged.channel_id)
            if not isinstance(channel, discord.abc.Messageable):
                continue
            guild = self.get_guild(damaged.guild_id)
            words = self.texts.words(None if guild is None else str(guild.preferred_locale))
            try:
                await channel.send(words("error-table-broken"), allowed_mentions=NOBODY)
            except (discord.HTTPException, *UNREACHABLE) as error:
                log.warning("table %d: broken, and not told (%s)", damaged.id, error)

    @tasks.loop(seconds=1)
    async def _tick(self) -> None:
        """The one clock of all tables."""
        try:
            await self._every_second()
        except Exception:
            # An outermost edge: whatever went wrong, the clock goes on, a second later.
            log.exception("the clock stumbled")

    async def _every_second(self) -> None:
        if not self._hears():
            return  # no press can arrive: the time until one can is made up for like downtime
        now = self.now()
        before, self._ticked_at = self._ticked_at, now
        if now - before > STANDSTILL:
            # The machine slept, or Discord could not be heard: that counts for nobody, like the
            # time between two processes.
            await self.manager.skip(now - before)
            for table in list(self.manager.tables.values()):
                self.screen.redraw(table)
        due = self.manager.next_due()
        if due is not None and due <= now:
            await self.manager.tick()
        if now - self._alive_at >= HEARTBEAT:
            self._alive_at = now
            await self.manager.heartbeat()
            self.screen.retry()
            await self.screen.nudge()
        if now - self._pruned_at >= DAY:
            self._pruned_at = now
            await self.manager.prune(now - self._keep_days * DAY)

    def _hears(self) -> bool:
        """Whether everybody's presses can arrive now."""
        return self.is_ready() and not any(shard.is_closed() for shard in self.shards.values())

    # --- commands ----------------------------------------------------------------------------

    async def sync_commands(self) -> None:
        """Tell Discord of the commands where they changed, so that each shows exactly once.

        With a development server they stand there alone, without one for every server.
        """
        translator = self.tree.translator
        assert translator is not None
        payload = [
            await command.get_translated_payload(self.tree, translator)
            for command in self.tree.get_commands()
        ]
        fingerprint = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        wanted = {"": fingerprint}
        if self._development_server is not None:
            wanted = {"": "", str(self._development_server): fingerprint}
        assert self.storage is not None
        stored: dict[str, str] = json.loads(await self.storage.get_meta("commands") or "{}")
        for scope in sorted({*stored, *wanted}):
            if stored.get(scope, "") != wanted.get(scope, ""):
                try:
                    await self._upsert(scope, payload if wanted.get(scope) else [])
                except (discord.Forbidden, discord.NotFound):
                    if wanted.get(scope):
                        raise
                    # A development server of old that the bot has left: nothing shows there.
                stored[scope] = wanted.get(scope, "")
                await self.storage.set_meta("commands", json.dumps(stored))
                log.info("commands told to %s", f"server {scope}" if scope else "all servers")
        if self._development_server is not None:
            # Commands of one server are looked up among that server's own.
            self.tree.copy_global_to(guild=discord.Object(self._development_server))

    async def _upsert(self, scope: str, payload: list[dict[str, Any]]) -> None:
        assert self.application_id is not None
        if scope:
            await self.http.bulk_upsert_guild_commands(self.application_id, int(scope), payload)
        else:
            await self.http.bulk_upsert_global_commands(self.application_id, payload)

    async def _command_failed(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError
    ) -> None:
        """The outermost edge of commands: whoever typed is told, and the log has the fault."""
        words = self.texts.words(str(interaction.locale))
        # What Discord still shows of commands that this version has changed or dropped.
        old = isinstance(
            error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch
        )
        if not old:
            log.error("a command failed", exc_info=getattr(error, "original", error))
        if interaction.type is discord.InteractionType.autocomplete:
            return
        text = words("error-old-command" if old else "sorry")
        try:
            if interaction.response.is_done():
                await interaction.followup.send(text, ephemeral=True, allowed_mentions=NOBODY)
            else:
                await interaction.response.send_message(
                    text, ephemeral=True, allowed_mentions=NOBODY
                )
        except (discord.HTTPException, *UNREACHABLE) as refused:
            log.info("a refusal was not shown (%s)", refused)

    async def pressed(self, interaction: discord.Interaction[Any], pressed: Pressed) -> None:
        """A button or menu of ours was pressed."""
        await self.desk.pressed(interaction, pressed)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Presses that cross an edit of their message are answered like all others."""
        if (pressed := lost(interaction)) is not None:
            await self.desk.pressed(interaction, pressed)

    # --- what happens in Discord -------------------------------------------------------------

    async def on_message(self, message: discord.Message) -> None:
        """Nothing: the bot reads no messages; it only knows which one is a channel's last."""

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        self._board_gone(event.channel_id, {event.message_id})

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        self._board_gone(event.channel_id, event.message_ids)

    def _board_gone(self, channel_id: int, messages: set[int]) -> None:
        table = self.manager.in_channel(channel_id)
        if table is None or table.record.board is None:
            return
        if table.record.board.message_id in messages:
            self.screen.redraw(table, fresh=True)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self._channel_gone(channel.id)

    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        await self._channel_gone(event.thread_id)

    async def _channel_gone(self, channel_id: int) -> None:
        table = self.manager.in_channel(channel_id)
        if table is not None:
            await self.manager.give_up(table.id, "closed-channel-gone")

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed; an outage (unavailable) is something else and harms nothing."""
        for table in self.manager.of_guild(guild.id):
            await self.manager.give_up(table.id, "closed-bot-removed")

    async def on_guild_channel_update(self, *_: object) -> None:
        self.screen.retry()

    async def on_guild_role_update(self, *_: object) -> None:
        self.screen.retry()

    async def on_member_update(self, *_: object) -> None:
        """Without the members intent this is about the bot's own roles."""
        self.screen.retry()

    async def on_raw_thread_update(self, _: discord.RawThreadUpdateEvent) -> None:
        self.screen.retry()

    async def on_guild_available(self, _: discord.Guild) -> None:
        self.screen.retry()
