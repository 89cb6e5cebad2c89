"""Stitches, typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.ui.typing import MOVE
from cogs._game import GameCog, Interaction
from cogs._words import said

if TYPE_CHECKING:
    from bot.client import StitchTable


class StitchesCog(
    GameCog,
    group_name=said("stitches-command"),
    group_description=said("stitches-command-about"),
):
    game = "stitches"

    @app_commands.command(name=said("command-play"), description=said("stitches-play-about"))
    @app_commands.rename(move=said("stitches-param-move"))
    @app_commands.describe(move=said("stitches-param-move-about"))
    async def play(self, interaction: Interaction, move: str) -> None:
        await self.play_typed(interaction, {MOVE: move})

    @play.autocomplete("move")
    async def _suggest_move(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, MOVE, current)


async def setup(bot: StitchTable) -> None:
    await bot.add_cog(StitchesCog(bot))
