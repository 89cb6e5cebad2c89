"""For moderators: the tables of a server, ending one, and what the server's managers decide."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.records import GuildSettings, Stage
from bot.refusals import (
    ChannelNotListed,
    GuildOnly,
    LastChannel,
    ManagersOnly,
    NoTableInChannel,
    NotAllowed,
)
from bot.texts import Words
from bot.ui.frame import link_to
from bot.ui.options import changed_options
from bot.ui.panel import Panel, Text
from bot.ui.press import said_so
from cogs._game import Interaction, clock_choices
from cogs._words import said

if TYPE_CHECKING:
    from bot.client import StitchTable

MOST_SHOWN = 20

Allowable = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel
"""Where games can be allowed: in these channels and their threads."""


@app_commands.default_permissions(manage_messages=True)
class TablesCog(
    commands.GroupCog,
    group_name=said("tables-command"),
    group_description=said("tables-command-about"),
):
    def __init__(self, bot: StitchTable) -> None:
        self.bot = bot

    @app_commands.command(name=said("command-list"), description=said("command-list-about"))
    async def list(self, interaction: Interaction) -> None:
        await self.bot.desk.answer(interaction, self._list(interaction))

    @app_commands.command(name=said("command-end"), description=said("command-end-about"))
    async def end(self, interaction: Interaction) -> None:
        await self.bot.desk.answer(interaction, self._end(interaction))

    @app_commands.command(name=said("command-settings"), description=said("command-settings-about"))
    @app_commands.rename(
        clock=said("param-clock"),
        thread=said("param-thread"),
        allow=said("param-allow"),
        forbid=said("param-forbid"),
        everywhere=said("param-everywhere"),
        standard=said("param-standard"),
    )
    @app_commands.describe(
        clock=said("param-default-clock-about"),
        thread=said("param-default-thread-about"),
        allow=said("param-allow-about"),
        forbid=said("param-forbid-about"),
        everywhere=said("param-everywhere-about"),
        standard=said("param-standard-about"),
    )
    @app_commands.choices(clock=clock_choices)
    async def settings(
        self,
        interaction: Interaction,
        clock: int | None = None,
        thread: bool | None = None,
        allow: Allowable | None = None,
        forbid: Allowable | None = None,
        everywhere: bool = False,
        standard: bool = False,
    ) -> None:
        def change(settings: GuildSettings) -> GuildSettings:
            return replace(
                settings,
                channels=_channels(settings, allow, forbid, everywhere=everywhere),
                clock=settings.clock if clock is None else clock,
                own_thread=settings.own_thread if thread is None else thread,
                options={} if standard else settings.options,
            )

        async def work() -> Panel:
            settings = await self._own_settings(interaction)
            words = self.bot.desk.call(interaction).words
            changed = await self.bot.manager.change_guild_settings(settings.guild_id, change)
            panel = self._shown(changed, words)
            if changed != settings:
                panel = replace(panel, blocks=(Text(words("done-settings")), *panel.blocks))
            return panel

        await self.bot.desk.answer(interaction, work())

    async def _list(self, interaction: Interaction) -> Panel:
        if interaction.guild_id is None:
            raise GuildOnly
        words = self.bot.desk.call(interaction).words
        tables = self.bot.manager.of_guild(interaction.guild_id)
        lines: list[str] = []
        for table in tables[:MOST_SHOWN]:
            record = table.record
            stage = words("list-lobby" if record.stage is Stage.LOBBY else "list-playing")
            lines.append(
                words(
                    "list-line",
                    game=words(f"{record.game}-name"),
                    link=link_to(table),
                    stage=stage,
                    players=len(record.sitters),
                    touched=f"<t:{int(record.touched_at)}:R>",
                )
            )
        if len(tables) > MOST_SHOWN:
            lines.append(words("list-more", count=len(tables) - MOST_SHOWN))
        text = "\n".join(lines) or words("list-none")
        return Panel(words("list-title"), (Text(text),))

    async def _end(self, interaction: Interaction) -> Panel:
        call = self.bot.desk.call(interaction)
        if not call.moderator:
            raise NotAllowed
        table = self.bot.manager.in_channel(interaction.channel_id or 0)
        if table is None:
            raise NoTableInChannel
        await self.bot.manager.close_table(
            table.id, "closed-ended", user_id=call.user_id, moderator=True
        )
        return said_so(call.words("done-ended"))

    async def _own_settings(self, interaction: Interaction) -> GuildSettings:
        """The settings of the server that whoever types manages. Raises GuildOnly, ManagersOnly."""
        if interaction.guild_id is None:
            raise GuildOnly
        if not interaction.permissions.manage_guild:
            raise ManagersOnly
        return await self.bot.manager.guild_settings(interaction.guild_id)

    def _shown(self, settings: GuildSettings, words: Words) -> Panel:
        shown = " ".join(f"<#{c}>" for c in sorted(settings.channels))
        own_thread = words("option-on" if settings.own_thread else "option-off")
        lines = [
            words("settings-clock", clock=words(f"clock-{settings.clock}")),
            words("settings-thread", value=own_thread),
            words("settings-channels", channels=shown or words("settings-everywhere")),
        ]
        for key, game in self.bot.manager.games.items():
            if kept := game.info.still_offered(settings.options.get(key, {})):
                values = " · ".join(changed_options(game.info, kept, words))
                lines.append(words("settings-game", game=words(f"{key}-name"), options=values))
        lines.append(words("settings-about"))
        return Panel(words("settings-title"), (Text("\n".join(lines)),))


def _channels(
    settings: GuildSettings,
    allow: Allowable | None,
    forbid: Allowable | None,
    *,
    everywhere: bool,
) -> frozenset[int]:
    """Where games are played from now on. Raises ChannelNotListed, LastChannel."""
    channels = set[int]() if everywhere else set(settings.channels)
    if allow is not None:
        channels.add(allow.id)
    if forbid is not None:
        if forbid.id not in channels:
            raise ChannelNotListed
        channels.discard(forbid.id)
        if not channels:
            raise LastChannel
    return frozenset(channels)


async def setup(bot: StitchTable) -> None:
    await bot.add_cog(TablesCog(bot))
