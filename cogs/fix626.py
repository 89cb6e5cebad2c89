"""The Fix for 626, typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from cogs._game import GameCog, Interaction
from cogs._words import said

if TYPE_CHECKING:
    from bot.client import StitchTable


class Fix626Cog(
    GameCog,
    group_name=said("fix626-command"),
    group_description=said("fix626-command-about"),
):
    game = "fix626"

    @app_commands.command(name=said("command-play"), description=said("fix626-play-about"))
    @app_commands.rename(
        card=said("fix626-param-card"),
        target=said("fix626-param-target"),
        guess=said("fix626-param-guess"),
    )
    @app_commands.describe(
        card=said("fix626-param-card-about"),
        target=said("fix626-param-target-about"),
        guess=said("fix626-param-guess-about"),
    )
    async def play(
        self,
        interaction: Interaction,
        card: str,
        target: str | None = None,
        guess: str | None = None,
    ) -> None:
        typed = {"card": card, "target": target or "", "guess": guess or ""}
        await self.play_typed(interaction, typed)

    @play.autocomplete("card")
    async def _suggest_card(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "card", current)

    @play.autocomplete("target")
    async def _suggest_target(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "target", current)

    @play.autocomplete("guess")
    async def _suggest_guess(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "guess", current)


async def setup(bot: StitchTable) -> None:
    await bot.add_cog(Fix626Cog(bot))
