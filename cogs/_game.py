"""The commands that every game has: start, hand, table, rules, log, leave."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.lobby import CLOCKS
from bot.manager import require_allowed
from bot.refusals import (
    ChannelTaken,
    GuildOnly,
    LobbyFull,
    MissingPermission,
    NoTableHere,
    NoThread,
    OtherGameHere,
    WrongPlace,
)
from bot.tables import Table
from bot.ui.frame import LEVELS
from bot.ui.names import present
from bot.ui.panel import Panel
from bot.ui.press import Call, said_so
from bot.ui.replies import UNREACHABLE
from bot.ui.screen import Place, missing
from bot.ui.typing import pick_typed, suggestions
from cogs._words import said
from engine.errors import GameError

if TYPE_CHECKING:
    from bot.client import StitchTable

log = logging.getLogger(__name__)

Interaction = discord.Interaction["StitchTable"]

clock_choices = [app_commands.Choice[int](name=said(f"clock-{s}"), value=s) for s in CLOCKS]
level_choices = [app_commands.Choice[str](name=said(f"level-{v}"), value=v) for v in LEVELS]


class GameCog(commands.GroupCog):
    """One game's commands. Subclasses name the game and add what is particular to it."""

    game: ClassVar[str]

    def __init__(self, bot: StitchTable) -> None:
        self.bot = bot

    # --- the commands ------------------------------------------------------------------------

    @app_commands.command(name=said("command-start"), description=said("command-start-about"))
    @app_commands.rename(
        clock=said("param-clock"),
        thread=said("param-thread"),
        computers=said("param-computers"),
        level=said("param-level"),
    )
    @app_commands.describe(
        clock=said("param-clock-about"),
        thread=said("param-thread-about"),
        computers=said("param-computers-about"),
        level=said("param-level-about"),
    )
    @app_commands.choices(clock=clock_choices)
    @app_commands.choices(level=level_choices)
    async def start(
        self,
        interaction: Interaction,
        clock: int | None = None,
        thread: bool | None = None,
        computers: app_commands.Range[int, 0, 6] = 0,
        level: str = "normal",
    ) -> None:
        call = self.bot.desk.call(interaction)
        work = self._start(interaction, call, clock, thread, computers, level)
        await self.bot.desk.answer(interaction, work)

    @app_commands.command(name=said("command-hand"), description=said("command-hand-about"))
    async def hand(self, interaction: Interaction) -> None:
        async def work() -> Panel:
            call, table = await self._mine(interaction)
            return self.bot.desk.hand(call, table)

        await self.bot.desk.answer(interaction, work())

    @app_commands.command(name=said("command-table"), description=said("command-table-about"))
    async def table(self, interaction: Interaction) -> None:
        async def work() -> Panel:
            table, words = self._here(interaction), self.bot.desk.call(interaction).words
            self.bot.screen.bring_down(table)
            return said_so(self.bot.screen.trouble(table, words) or words("done-table"))

        await self.bot.desk.answer(interaction, work())

    @app_commands.command(name=said("command-rules"), description=said("command-rules-about"))
    async def rules(self, interaction: Interaction) -> None:
        async def work() -> Panel:
            return self.bot.desk.rules(self.bot.desk.call(interaction), self.game)

        await self.bot.desk.answer(interaction, work())

    @app_commands.command(name=said("command-log"), description=said("command-log-about"))
    async def log(self, interaction: Interaction) -> None:
        async def work() -> Panel:
            table = self._here(interaction)
            return await self.bot.desk.log(self.bot.desk.call(interaction), table)

        await self.bot.desk.answer(interaction, work())

    @app_commands.command(name=said("command-leave"), description=said("command-leave-about"))
    async def leave(self, interaction: Interaction) -> None:
        async def work() -> Panel:
            call, table = self.bot.desk.call(interaction), self._here(interaction)
            await self.bot.manager.leave(table.id, call.user_id)
            return said_so(call.words("done-left" if table.match is None else "done-left-game"))

        await self.bot.desk.answer(interaction, work())

    # --- what they share ---------------------------------------------------------------------

    async def _start(
        self,
        interaction: Interaction,
        call: Call,
        clock: int | None,
        thread: bool | None,
        computers: int,
        level: str,
    ) -> Panel:
        desk, manager = self.bot.desk, self.bot.manager
        guild_id, place = self._place(interaction)
        settings = await manager.guild_settings(guild_id)
        # What a server allows in a channel it allows in the channel's threads.
        home_id = place.parent_id if isinstance(place, discord.Thread) else place.id
        require_allowed(settings, home_id)  # before a thread is made that nobody may use
        own_thread = settings.own_thread if thread is None else thread
        own_thread = own_thread and isinstance(place, discord.TextChannel)
        if not own_thread and (live := manager.in_channel(place.id)) is not None:
            raise ChannelTaken(table=live.id)
        stands = await self._new_thread(interaction, place, call) if own_thread else place
        try:
            table = await manager.open(
                self.game,
                guild_id=guild_id,
                channel_id=stands.id,
                user_id=call.user_id,
                name=call.name,
                settings=settings,
                clock=clock,
                own_thread=own_thread,
                home_id=home_id,
            )
        except GameError:
            if own_thread:
                await self._drop(stands)
            raise
        try:
            for _ in range(computers):
                name = desk.computer_name(table, call.words)
                await manager.add_computer(table.id, call.user_id, name, level)
        except LobbyFull:
            log.debug("table %d: full before every computer player sat", table.id)
        return said_so(call.words("done-opened", channel=f"<#{stands.id}>"))

    async def _drop(self, thread: Place) -> None:
        """Put away a thread in which no table stands after all; deleting it takes more rights."""
        assert isinstance(thread, discord.Thread)
        try:
            await thread.edit(archived=True)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("an empty thread stays (%s)", error)

    def _place(self, interaction: Interaction) -> tuple[int, Place]:
        """Where a table could stand here. Raises GuildOnly, WrongPlace, MissingPermission."""
        channel = interaction.channel
        if interaction.guild_id is None:
            raise GuildOnly
        if not isinstance(channel, Place):
            raise WrongPlace
        in_thread = isinstance(channel, discord.Thread)
        if lacking := missing(interaction.app_permissions, in_thread=in_thread):
            raise self._lacking(interaction, *lacking)
        return interaction.guild_id, channel

    def _lacking(self, interaction: Interaction, *names: str) -> MissingPermission:
        words = self.bot.desk.call(interaction).words
        shown = [words(f"permission-{name.replace('_', '-')}") for name in names]
        return MissingPermission(permissions=words("list-joint").join(shown))

    async def _new_thread(self, interaction: Interaction, place: Place, call: Call) -> Place:
        assert isinstance(place, discord.TextChannel)
        may = interaction.app_permissions
        needed = ("create_public_threads", "send_messages_in_threads")
        if lacking := [name for name in needed if not getattr(may, name)]:
            raise self._lacking(interaction, *lacking)
        host = present([call.name])[0].plain
        name = call.words("thread-name", game=call.words(f"{self.game}-name"), host=host)
        try:
            kinds = discord.ChannelType
            return await place.create_thread(
                name=name[:100],
                type=kinds.news_thread if place.is_news() else kinds.public_thread,
                auto_archive_duration=1440,
            )
        except discord.Forbidden:
            raise self._lacking(interaction, "create_public_threads") from None
        except discord.HTTPException as error:
            log.warning("no thread was made (%s %s)", error.status, error.code)
            raise NoThread from None

    def _here(self, interaction: Interaction) -> Table:
        """The live table of this game in this channel. Raises NoTableHere, OtherGameHere."""
        table = self.bot.manager.in_channel(interaction.channel_id or 0)
        words = self.bot.desk.call(interaction).words
        if table is None:
            raise NoTableHere(command=words(f"{self.game}-command"))
        if (other := table.record.game) != self.game:
            raise OtherGameHere(game=words(f"{other}-name"), command=words(f"{other}-command"))
        return table

    async def _mine(self, interaction: Interaction) -> tuple[Call, Table]:
        """Who asks, and their table here; somebody who was away is back by asking."""
        call, table = self.bot.desk.call(interaction), self._here(interaction)
        await self.bot.desk.wake(call, table.id)
        return call, table

    async def play_typed(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Make the move that somebody typed field by field."""

        async def work() -> Panel:
            call, table = await self._mine(interaction)
            desk = self.bot.desk
            seat, match = desk.seat(table, call), table.begun
            frame = desk.frame(table, call)
            action = pick_typed(match, seat, typed, frame.presenter, frame.scene)
            return await desk.play(call, table, action, match.epoch)

        await self.bot.desk.answer(interaction, work())

    async def suggest(
        self, interaction: Interaction, field: str, typed: str
    ) -> list[app_commands.Choice[str]]:
        """What may be typed for `field` now, from the legal moves of whoever types."""
        table = self.bot.manager.in_channel(interaction.channel_id or 0)
        if table is None or table.match is None or table.record.game != self.game:
            return []
        call = self.bot.desk.call(interaction)
        frame = self.bot.desk.frame(table, call)
        seat = frame.seat
        if seat is None:
            return []
        given = {key: str(value) for key, value in interaction.namespace if value is not None}
        found = suggestions(table.match, seat, field, given, typed, frame.presenter, frame.scene)
        return [app_commands.Choice(name=text, value=text) for text in found]
