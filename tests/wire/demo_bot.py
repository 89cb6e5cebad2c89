"""A tiny bot with which the loopback Discord is tested: `python connect.py tests.wire.demo_bot`.

It has no database: all it must remember stands in its custom ids, so it survives kill -9.
"""

from __future__ import annotations

import io
import os
import re
import zlib
from typing import Any

import discord
from discord import app_commands, ui

CARDS = ["Sparky", "Slushy", "Reuben", "Stitch"]
NOBODY = discord.AllowedMentions.none()


def png(side: int = 2) -> bytes:
    """A black square."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        sum_ = zlib.crc32(kind + data)
        return len(data).to_bytes(4, "big") + kind + data + sum_.to_bytes(4, "big")

    head = side.to_bytes(4, "big") * 2 + bytes([8, 0, 0, 0, 0])
    rows = zlib.compress((b"\0" + b"\0" * side) * side)
    signature = b"\x89PNG\r\n\x1a\n"
    return signature + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def picture() -> discord.File:
    return discord.File(io.BytesIO(png()), "table.png", description="an empty table")


class Count(ui.DynamicItem[ui.Button[Any]], template=r"count:(?P<n>\d+)"):
    """A counter that lives in its own custom id."""

    def __init__(self, n: int) -> None:
        self.n = n
        super().__init__(ui.Button(label=f"Count {n}", custom_id=f"count:{n}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str]
    ) -> Count:
        return cls(int(match["n"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=board(self.n + 1))


class Hand(ui.DynamicItem[ui.Button[Any]], template=r"hand"):
    def __init__(self) -> None:
        super().__init__(ui.Button(label="My hand", custom_id="hand", emoji="🃏"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str]
    ) -> Hand:
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        text = f"Only {interaction.user.display_name} reads this in {interaction.locale.value}"
        await interaction.response.send_message(view=hand(text), ephemeral=True)


class Pick(ui.DynamicItem[ui.Select[Any]], template=r"pick"):
    def __init__(self) -> None:
        options = [discord.SelectOption(label=c, value=c.lower()) for c in CARDS]
        super().__init__(ui.Select(custom_id="pick", options=options))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str]
    ) -> Pick:
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        values = interaction.data["values"]  # type: ignore[index,typeddict-item]
        await interaction.response.edit_message(view=hand(f"picked {values[0]}"))


def board(n: int) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    media: ui.MediaGallery[Any] = ui.MediaGallery(
        discord.MediaGalleryItem("attachment://table.png")
    )
    row: ui.ActionRow[Any] = ui.ActionRow(Count(n), Hand())
    view.add_item(ui.Container(ui.TextDisplay(f"# Table\nat {n}"), media, ui.Separator(), row))
    return view


def hand(text: str) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(text))
    view.add_item(ui.ActionRow(Pick()))
    return view


class Note(ui.Modal, title="A note"):
    words: ui.Label[Any] = ui.Label(
        text="Words", component=ui.TextInput(custom_id="words", max_length=20)
    )
    card: ui.Label[Any] = ui.Label(
        text="Card",
        component=ui.Select(custom_id="card", options=[discord.SelectOption(label="Sparky")]),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        words, card = self.words.component, self.card.component
        assert isinstance(words, ui.TextInput)
        assert isinstance(card, ui.Select)
        text = f"{words.value} on {card.values[0]}"
        await interaction.response.send_message(text, ephemeral=True)


class DemoBot(discord.AutoShardedClient):
    def __init__(self) -> None:
        intents = discord.Intents.default()
        intents.members = True
        super().__init__(intents=intents, allowed_mentions=NOBODY)
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(demo)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Without the five seconds that discord.py waits before it identifies again."""

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Count, Hand, Pick)
        await self.tree.sync()

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        await self.say(event.channel_id, "a message was deleted")

    async def on_raw_member_remove(self, event: discord.RawMemberRemoveEvent) -> None:
        guild = self.get_guild(event.guild_id)
        assert guild is not None
        await self.say(guild.text_channels[0].id, f"{event.user.display_name} left")

    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        words = "archived" if event.data["thread_metadata"]["archived"] else "open"
        await self.say(int(event.data["parent_id"]), f"the thread is {words}")

    async def say(self, channel: int, text: str) -> None:
        target = self.get_channel(channel)
        assert isinstance(target, discord.TextChannel)
        if target.permissions_for(target.guild.me).send_messages:
            await target.send(text)


demo = app_commands.Group(name="demo", description="A demonstration")


@demo.command(description="Put a board here")
async def start(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=board(0), file=picture())


@demo.command(description="Say something later")
@app_commands.describe(card="which card", again="say it twice")
async def later(interaction: discord.Interaction, card: str, again: bool = False) -> None:
    await interaction.response.defer(ephemeral=True)
    await interaction.followup.send(card)
    if again:
        await interaction.followup.send(card, ephemeral=True)


@later.autocomplete("card")
async def cards(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    fits = [c for c in CARDS if c.lower().startswith(typed.lower())]
    return [app_commands.Choice(name=c, value=c) for c in fits]


@demo.command(description="Write a note")
async def note(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Note())


@demo.command(description="Where am I?")
async def where(interaction: discord.Interaction) -> None:
    kind = interaction.channel.type.name if interaction.channel else "nowhere"
    owner = "user" if interaction.is_user_integration() else "guild"
    may = "attach" if interaction.app_permissions.attach_files else "plain"
    text = f"{kind} {owner} {interaction.locale.value} {interaction.guild_locale} {may}"
    await interaction.response.send_message(text, ephemeral=True)


@demo.command(description="Send to the channel, with a file and a thread")
@app_commands.describe(what="what to try")
async def attempt(interaction: discord.Interaction, what: str) -> None:
    await interaction.response.defer(ephemeral=True)
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel | discord.Thread)
    try:
        if what == "thread":
            assert isinstance(channel, discord.TextChannel)
            kind = discord.ChannelType.public_thread
            thread = await channel.create_thread(name="a thread", type=kind)
            await thread.send("first")
        elif what == "embed":
            await channel.send(embed=discord.Embed(title="Title"))
        elif what == "burst":
            message = await channel.send("0")
            for n in range(1, 8):
                await message.edit(content=str(n))
        else:
            await channel.send(what, file=picture() if what == "file" else discord.utils.MISSING)
        text = "done"
    except discord.HTTPException as error:
        text = f"refused: {error.code}"
    await interaction.edit_original_response(content=text)


def main() -> None:
    DemoBot().run(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    main()
