"""For moderators: the tables of a server, ending one, and what the server's managers decide."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.records import Stage
from bot.refusals import GuildOnly, ManagersOnly, NoTableInChannel, NotAllowed
from bot.ui.frame import link_to
from bot.ui.panel import Panel, Text
from cogs._game import Interaction, clock_choices
from cogs._words import said

if TYPE_CHECKING:
    from bot.client import StitchTable

MOST_SHOWN = 20


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
    )
    @app_commands.describe(
        clock=said("param-default-clock-about"),
        thread=said("param-default-thread-about"),
        allow=said("param-allow-about"),
        forbid=said("param-forbid-about"),
        everywhere=said("param-everywhere-about"),
    )
    @app_commands.choices(clock=clock_choices)
    async def settings(
        self,
        interaction: Interaction,
        clock: int | None = None,
        thread: bool | None = None,
        allow: discord.TextChannel | None = None,
        forbid: discord.TextChannel | None = None,
        everywhere: bool = False,
    ) -> None:
        work = self._settings(interaction, clock, thread, allow, forbid, everywhere=everywhere)
        await self.bot.desk.answer(interaction, work)

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
        return Panel(call.words("done-ended"))

    async def _settings(
        self,
        interaction: Interaction,
        clock: int | None,
        thread: bool | None,
        allow: discord.TextChannel | None,
        forbid: discord.TextChannel | None,
        *,
        everywhere: bool,
    ) -> Panel:
        if interaction.guild_id is None:
            raise GuildOnly
        if not interaction.permissions.manage_guild:
            raise ManagersOnly
        manager, words = self.bot.manager, self.bot.desk.call(interaction).words
        settings = await manager.guild_settings(interaction.guild_id)
        channels = set[int]() if everywhere else set(settings.channels)
        if allow is not None:
            channels.add(allow.id)
        if forbid is not None:
            channels.discard(forbid.id)
        changed = replace(
            settings,
            channels=frozenset(channels),
            clock=settings.clock if clock is None else clock,
            own_thread=settings.own_thread if thread is None else thread,
        )
        if changed != settings:
            await manager.save_guild_settings(changed)
        shown = " ".join(f"<#{c}>" for c in sorted(channels)) or words("settings-everywhere")
        own_thread = words("option-on" if changed.own_thread else "option-off")
        lines = (
            words("settings-clock", clock=words(f"clock-{changed.clock}")),
            words("settings-thread", value=own_thread),
            words("settings-channels", channels=shown),
        )
        return Panel(words("settings-title"), (Text("\n".join(lines)),))


async def setup(bot: StitchTable) -> None:
    await bot.add_cog(TablesCog(bot))
