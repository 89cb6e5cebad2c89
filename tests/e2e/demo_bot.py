"""A small bot with one of everything that ours uses, to test the harness and the sandbox with."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import aiosqlite
import discord
from discord import app_commands, ui
from discord.ext import commands, tasks

Interaction = discord.Interaction["DemoBot"]
NOBODY = discord.AllowedMentions.none()
CARDS = ("Stitch", "Reuben", "Sparky", "Slushy")


class DemoButton(
    ui.DynamicItem[ui.Button[Any]], template=r"demo:(?P<table>\d+):(?P<epoch>\d+):(?P<verb>\w+)"
):
    """A button of a board or a hand, alive across restarts."""

    def __init__(self, table: int, epoch: int, verb: str) -> None:
        super().__init__(ui.Button(label=verb.title(), custom_id=f"demo:{table}:{epoch}:{verb}"))
        self.table, self.epoch, self.verb = table, epoch, verb

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        del interaction, item
        return cls(int(match["table"]), int(match["epoch"]), match["verb"])

    async def callback(self, interaction: Interaction) -> None:
        await interaction.client.pressed(interaction, self)


class CardMenu(ui.DynamicItem[ui.Select[Any]], template=r"demo-card:(?P<table>\d+)"):
    """A choice of a card in the hand."""

    def __init__(self, table: int) -> None:
        options = [discord.SelectOption(label=card) for card in CARDS]
        super().__init__(ui.Select(custom_id=f"demo-card:{table}", options=options))
        self.table = table

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        del interaction, item
        return cls(int(match["table"]))

    async def callback(self, interaction: Interaction) -> None:
        chosen = self.item.values[0]
        await interaction.response.edit_message(view=_view(f"You hold {chosen}"))
        await interaction.client.note(self.table, f"{interaction.user.display_name} chose")


class Note(ui.Modal, title="A note"):
    """A form with one line."""

    line: ui.TextInput[Any] = ui.TextInput(label="Line", custom_id="line")

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        await interaction.response.send_message(
            f"Noted: {self.line.value}", ephemeral=True, allowed_mentions=NOBODY
        )


def _view(text: str, *items: ui.Item[Any]) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    box: ui.Container[Any] = ui.Container(ui.TextDisplay(text))
    if items:
        box.add_item(ui.ActionRow(*items))
    view.add_item(box)
    return view


class DemoBot(commands.AutoShardedBot):
    """Tables that count presses; the boards are redrawn in the background, the old clicks known."""

    def __init__(
        self, clock: Callable[[], float], database: Path | str = ":memory:", *, tick: float = 1.0
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = intents.guild_messages = True
        super().__init__(command_prefix=(), intents=intents, allowed_mentions=NOBODY)
        self.clock = clock
        self.database = database
        self.boards: dict[int, tuple[int, int]] = {}  # table -> channel, message
        self.counts: dict[int, int] = {}
        self.told: dict[int, str] = {}
        self.ticks = 0
        self.slept = 0
        self._redraws: dict[int, asyncio.Task[None]] = {}
        self._ticking.change_interval(seconds=tick)
        self.connection: aiosqlite.Connection | None = None

    async def setup_hook(self) -> None:
        self.connection = await aiosqlite.connect(self.database)
        await self.connection.execute(
            "CREATE TABLE IF NOT EXISTS boards (id INTEGER PRIMARY KEY, channel, message, presses)"
        )
        rows = await self.connection.execute_fetchall("SELECT * FROM boards")
        for table, channel, message, presses in rows:
            self.boards[table], self.counts[table] = (channel, message), presses
        self.add_dynamic_items(DemoButton, CardMenu)
        self.tree.add_command(DemoCommands())
        await self.tree.sync()
        self._ticking.start()

    async def close(self) -> None:
        if self.connection is not None:
            connection, self.connection = self.connection, None
            self._ticking.cancel()
            await connection.close()
        await super().close()

    @tasks.loop(seconds=1)
    async def _ticking(self) -> None:
        self.ticks += 1
        for table in self.boards:
            self.redraw(table)

    async def open_table(self, interaction: Interaction) -> None:
        assert self.connection is not None
        table = max(self.boards, default=0) + 1
        self.counts[table] = 0
        answer = await interaction.response.send_message(
            view=self.board(table), allowed_mentions=NOBODY
        )
        assert isinstance(answer.resource, discord.InteractionMessage)
        assert interaction.channel_id is not None
        self.boards[table] = (interaction.channel_id, answer.resource.id)
        await self.connection.execute(
            "INSERT INTO boards VALUES (?, ?, ?, 0)", (table, *self.boards[table])
        )
        await self.connection.commit()

    def board(self, table: int) -> ui.LayoutView:
        presses = self.counts[table]
        text = (
            f"Table {table}: {presses} presses, tick {self.ticks}, <t:{int(self.clock()) + 60}:R>"
        )
        # Every second press puts one more button first, so that places in the message shift.
        verbs = ["again", "count"] if presses % 2 else ["count"]
        items = [DemoButton(table, presses, verb) for verb in (*verbs, "hand", "note", "slow")]
        return _view(text + f"\n{self.told.get(table, '')}", *items)

    def redraw(self, table: int) -> None:
        task = self._redraws.get(table)
        if task is None or task.done():
            self._redraws[table] = asyncio.create_task(self._draw(table))

    async def _draw(self, table: int) -> None:
        channel, message = self.boards[table]
        place = self.get_partial_messageable(channel)
        await place.get_partial_message(message).edit(
            view=self.board(table), allowed_mentions=NOBODY
        )

    async def note(self, table: int, text: str) -> None:
        self.told[table] = text
        self.redraw(table)

    async def pressed(self, interaction: Interaction, button: DemoButton) -> None:
        match button.verb:
            case "count" | "again":
                assert self.connection is not None
                await interaction.response.defer()
                self.counts[button.table] += 1
                await self.connection.execute(
                    "UPDATE boards SET presses = presses + 1 WHERE id = ?", (button.table,)
                )
                await self.connection.commit()
                await self.note(button.table, f"{interaction.user.display_name}: {button.verb}")
            case "hand":
                await interaction.response.send_message(
                    view=_view("Your hand", CardMenu(button.table)),
                    ephemeral=True,
                    allowed_mentions=NOBODY,
                )
            case "note":
                await interaction.response.send_modal(Note())
            case "slow":
                await interaction.response.defer(ephemeral=True, thinking=True)
                await asyncio.sleep(0.6)
                self.slept += 1
                await interaction.edit_original_response(view=_view("That took a while"))
            case unknown:
                raise AssertionError(unknown)


class DemoCommands(app_commands.Group, name="demo", description="A demonstration"):
    """The commands of the demo bot."""

    @app_commands.command(description="Open a table")
    async def start(self, interaction: Interaction) -> None:
        await interaction.client.open_table(interaction)

    @app_commands.command(description="Say a card")
    @app_commands.describe(card="One of the cards")
    async def say(self, interaction: Interaction, card: str) -> None:
        words = "Du sagst" if interaction.locale is discord.Locale.german else "You said"
        await interaction.response.send_message(
            f"{words} {card}", ephemeral=True, allowed_mentions=NOBODY
        )

    @say.autocomplete("card")
    async def _cards(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        del interaction
        found = [card for card in CARDS if card.lower().startswith(current.lower())]
        return [app_commands.Choice(name=card, value=card) for card in found]

    @app_commands.command(description="Open a thread")
    async def thread(self, interaction: Interaction) -> None:
        assert isinstance(interaction.channel, discord.TextChannel)
        thread = await interaction.channel.create_thread(
            name="a thread", type=discord.ChannelType.public_thread
        )
        await thread.send("Here", allowed_mentions=NOBODY)
        await interaction.response.send_message("Opened", ephemeral=True, allowed_mentions=NOBODY)

    @app_commands.command(description="Forget to answer well")
    async def careless(self, interaction: Interaction) -> None:
        channel = interaction.channel
        assert isinstance(channel, discord.TextChannel)
        # The raw route: nothing says who may be pinged.
        await interaction.client.http.request(
            discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=channel.id),
            json={"content": "hello"},
        )
        await interaction.response.send_message("Said", ephemeral=True, allowed_mentions=NOBODY)

    @app_commands.command(description="Never answer")
    async def silent(self, interaction: Interaction) -> None:
        del interaction
