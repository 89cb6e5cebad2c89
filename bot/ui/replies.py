"""Exactly one answer to every interaction, within Discord's three seconds."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
from discord import ui

log = logging.getLogger(__name__)

GRACE = 1.5
"""Seconds that work may take before the interaction is acknowledged without its result."""

NOBODY = discord.AllowedMentions.none()

UNREACHABLE = (aiohttp.ClientError, OSError)
"""What a call raises when the connection to Discord breaks; whether it took effect is unknown."""

Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the person who pressed sees. No message means that the board says it all."""

    message: ui.LayoutView | None = None
    beside: bool = False  # a message of its own, even when a private panel was pressed


async def reply(
    interaction: Interaction,
    work: Coroutine[Any, Any, Answer],
    *,
    silent: bool = False,
    sorry: str = "",
) -> int | None:
    """Do `work` and show its answer; the message that shows it, None if none does.

    `silent` says that the work usually has nothing to show (Join), so that a slow one is
    acknowledged without "thinking". A private panel that was pressed is redrawn in place, anything
    else gets a new private message. The work is done even when Discord refuses the answer.
    """
    task = asyncio.create_task(work)
    done, _ = await asyncio.wait({task}, timeout=GRACE)
    try:
        if not done:
            await _acknowledge(interaction, silent=silent)
        answer = await task
        return await _show(interaction, answer, silent=silent)
    except discord.NotFound as error:
        # 10062: too late, or Discord lost it. What was done is on the board; pressing again works.
        log.info("an answer came too late (%s)", error.code)
        await task
    except discord.HTTPException as error:
        log.warning("an answer was refused (%s %s)", error.status, error.code)
        await task
        await _apologise(interaction, sorry)
    except UNREACHABLE as error:
        log.warning("an answer did not reach Discord (%r)", error)
        await task
    return None


async def _apologise(interaction: Interaction, sorry: str) -> None:
    """A plain sentence where Discord refused the whole answer: nobody is left without one."""
    if interaction.response.is_done():
        return
    try:
        await interaction.response.send_message(sorry, ephemeral=True, allowed_mentions=NOBODY)
    except (discord.HTTPException, *UNREACHABLE) as error:
        log.warning("an apology was refused (%r)", error)


def in_private_panel(interaction: Interaction) -> bool:
    """Whether what was pressed is in a message that only this person sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def _acknowledge(interaction: Interaction, *, silent: bool) -> None:
    component = interaction.type is discord.InteractionType.component
    if component and (silent or in_private_panel(interaction)):
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)


async def _show(interaction: Interaction, answer: Answer, *, silent: bool) -> int | None:
    message, response = answer.message, interaction.response
    if message is None:
        if not response.is_done():
            await response.defer()
        return None
    in_place = in_private_panel(interaction) and not answer.beside
    if not response.is_done():
        if in_place:
            await response.edit_message(view=message, allowed_mentions=NOBODY)
            return None if interaction.message is None else interaction.message.id
        sent = await response.send_message(view=message, ephemeral=True, allowed_mentions=NOBODY)
        return sent.message_id
    if in_place or not silent:
        shown: discord.Message = await interaction.edit_original_response(
            view=message, allowed_mentions=NOBODY
        )
    else:
        shown = await interaction.followup.send(
            view=message,
            ephemeral=True,
            allowed_mentions=NOBODY,
            wait=True,
        )
    return shown.id
