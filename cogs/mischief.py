"""Merry Mischief, typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from cogs._game import GameCog, Interaction
from cogs._words import said

if TYPE_CHECKING:
    from bot.client import StitchTable


class MischiefCog(
    GameCog,
    group_name=said("mischief-command"),
    group_description=said("mischief-command-about"),
):
    game = "mischief"

    @app_commands.command(name=said("command-play"), description=said("mischief-play-about"))
    @app_commands.rename(cards=said("mischief-param-cards"))
    @app_commands.describe(cards=said("mischief-param-cards-about"))
    async def play(self, interaction: Interaction, cards: str) -> None:
        await self.play_typed(interaction, {"cards": cards})

    @play.autocomplete("cards")
    async def _suggest_cards(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "cards", current)


async def setup(bot: StitchTable) -> None:
    await bot.add_cog(MischiefCog(bot))
