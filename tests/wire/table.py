"""A table of the project's own bot, played by pressing what its panels offer.

Nothing here knows the game's rules: who is asked is read from the database, what they may do from
their private panel.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from typing import Any

from bot.journal import Scribe
from bot.registry import GAMES
from tests.wire.actors import Person
from tests.wire.components import BUTTON
from tests.wire.messages import Message, blank
from tests.wire.places import Channel, Guild
from tests.wire.process import BotProcess
from tests.wire.records import Call, Interaction
from tests.wire.world import World

NAMES = ("Ann", "Bob", "Carol", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo", "Kim", "Lu")
MOVES = ("do", "pick", "sure")
Choose = Callable[[Sequence[Any]], Any]


def first(offered: Sequence[Any]) -> Any:
    return offered[0]


def last(offered: Sequence[Any]) -> Any:
    return offered[-1]


def verb(custom_id: str) -> str:
    """What a custom id of the bot does: `t:<table>:<epoch>:<verb>`."""
    return custom_id.rstrip("-").split(":")[3]


class Table:
    """One channel with its people and the table that is open in it."""

    def __init__(
        self, bot: BotProcess, channel: Channel, people: Sequence[Person], game: str = "fix626"
    ) -> None:
        assert channel.guild is not None
        self.bot, self.channel, self.people, self.game = bot, channel, list(people), game
        self.world: World = bot.world
        self.guild: Guild = channel.guild
        self.host = self.people[0]
        self.panels: dict[Person, Message] = {}  # the private panel that each of them looks at

    # --- what there is to see ----------------------------------------------------------------

    @property
    def boards(self) -> list[Message]:
        """The public messages here that can be pressed, oldest first."""
        return [m for m in self.channel.messages if m.custom_ids]

    @property
    def board(self) -> Message:
        return self.boards[-1]

    @property
    def id(self) -> int:
        return int(self.row()["id"])

    def row(self) -> dict[str, Any]:
        """What the database knows of the newest table here."""
        rows = self.rows("SELECT * FROM tables WHERE channel_id = ? ORDER BY id", self.channel.id)
        assert rows, "no table was ever written"
        return rows[-1]

    def rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        uri = f"file:{self.bot.database}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query, values)]

    def seats(self) -> list[dict[str, Any]]:
        return self.rows("SELECT * FROM seats WHERE table_id = ? ORDER BY seat", self.id)

    def seat(self, person: Person) -> dict[str, Any]:
        return next(s for s in self.seats() if s["user_id"] == person.id)

    def match(self) -> dict[str, Any]:
        return self.rows("SELECT * FROM matches WHERE table_id = ?", self.id)[0]

    def entries(self) -> list[dict[str, Any]]:
        """The moves that were made, in order."""
        return self.rows("SELECT * FROM entries WHERE table_id = ? ORDER BY seq", self.id)

    @property
    def seq(self) -> int:
        return int(self.match()["seq"])

    @property
    def stage(self) -> str:
        return str(self.row()["stage"])

    def secrets(self) -> tuple[Any, ...]:
        """Everything that must survive whatever happens to the process."""
        match = self.match()
        return match["seed"], match["seq"], json.loads(match["state"])

    def pending(self) -> list[dict[str, Any]]:
        """The seats that owe an answer."""
        match = self.match()
        rules = GAMES[self.row()["game"]]
        state = Scribe(rules).codec.load_state(match["state"])
        seats = self.seats()
        return [seats[seat] for seat in sorted(rules.pending(state))]

    def waits(self) -> bool:
        """Whether the table waits for a person now."""
        return any(s["presence"] == "here" for s in self.pending())

    def asked(self) -> Person:
        """The person whose answer the table waits for."""
        users = [s["user_id"] for s in self.pending() if s["presence"] == "here"]
        assert users, "nobody who is here is asked"
        return next(p for p in self.people if p.id == users[0])

    def others(self) -> list[Person]:
        asked = self.asked()
        return [p for p in self.people if p != asked]

    # --- what people do ----------------------------------------------------------------------

    async def start(self, **options: Any) -> Interaction:
        done = await self.host.slash(self.channel, f"{self.game} start", options)
        if options.get("thread"):
            await self.world.until(lambda: self.channel.threads)
            self.channel = self.channel.threads[-1]
        await self.world.until(lambda: self.boards)
        return done

    async def join(self) -> None:
        for person in self.people[1:]:
            await person.click(self.board, "t:*:join")

    async def begin(self) -> None:
        lobby = self.board
        await self.host.click(lobby, "t:*:begin")
        await self.world.until(lambda: "My hand" in self.board.labels)
        await self.world.until(lambda: lobby.id not in self.world.messages)

    async def hand(self, person: Person) -> Message:
        """A new private panel."""
        shown = await person.click(self.board, "t:*:hand")
        self.panels[person] = shown.message
        return shown.message

    async def press_on(self, person: Person, choose: Choose = first, **how: Any) -> Interaction:
        """One step towards a move on the panel that this person looks at."""
        panel = self.panels[person]
        options = offered(panel)
        assert options, f"{person.user['username']} is offered nothing:\n{panel.text}"
        part = choose(options)
        if part["type"] == BUTTON:
            return await person.click(panel, part["custom_id"], **how)
        least = max(1, part.get("min_values", 1))
        rest = [o["value"] for o in part["options"]]
        picked = [rest.pop(rest.index(choose(rest))) for _ in range(least)]
        return await person.select(panel, part["custom_id"], sorted(picked, key=int), **how)

    async def move(self, person: Person | None = None, choose: Choose = first) -> Interaction:
        """A whole move of whoever is asked; the press that made it."""
        await self.world.until(self.waits, 8, "no person is asked")
        person = person or self.asked()
        if person not in self.panels or not offered(self.panels[person]):
            await self.hand(person)
        before = self.moves_written()
        for _ in range(8):
            done = await self.press_on(person, choose)
            if self.moves_written() != before:
                return done
        raise AssertionError(f"no move after eight presses:\n{self.panels[person].text}")

    def moves_written(self) -> int:
        return len(self.entries())

    async def play(self, most: int = 200, choose: Choose = first) -> None:
        """Play until the table has ended."""
        for _ in range(most):
            if self.stage != "playing":
                return
            await self.move(choose=choose)
        raise AssertionError("it never ends")


def offered(panel: Message) -> list[dict[str, Any]]:
    """The controls of a panel that lead towards a move."""
    return [
        part
        for part in panel.parts
        if part.get("custom_id")
        and verb(part["custom_id"]) in MOVES
        and not part.get("disabled")
        and part.get("label") != "Back"
    ]


def pinged(channel: Channel) -> list[int]:
    """Everybody who was mentioned here, in order; deleted messages counted."""
    sends = channel.world.calls("POST", f"/channels/{channel.id}/messages")
    return [user for call in sends for user in mentioned(call)]


def mentioned(call: Call) -> list[int]:
    allowed = call.body.get("allowed_mentions", {})
    assert not allowed.get("parse")
    return [int(user) for user in allowed.get("users") or []]


async def chat(table: Table, person: Person) -> Message:
    """Somebody writes in the channel."""
    world = table.world
    message = blank(world, str(table.channel.id))
    message |= {"author": person.user, "content": "hello"}
    world.messages[message.id] = message
    table.channel.data["last_message_id"] = message["id"]
    await world.announce("MESSAGE_CREATE", message)
    await asyncio.sleep(0.02)
    return message


def revealed(table: Table) -> list[dict[str, Any]]:
    """The rounds of Merry Mischief that were told to everybody; `rolls` are those really made."""
    rows = table.rows("SELECT seq, event FROM events WHERE table_id = ? ORDER BY number", table.id)
    events = [json.loads(row["event"]) | {"seq": row["seq"]} for row in rows]
    told = [e for e in events if e.get("kind") == "revealed"]
    rolled = [e["seq"] for e in events if e.get("kind") == "rolled"]
    return [e | {"rolls": rolled.count(e["seq"])} for e in told]


async def moderator(table: Table) -> Person:
    person = table.world.person("Mod", table.guild)
    await table.guild.grant(person, "MANAGE_MESSAGES")
    return person


@asynccontextmanager
async def locked(place: Table | House) -> AsyncIterator[None]:
    """The database as another program holds it: nobody else can write."""
    with closing(sqlite3.connect(place.bot.database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")


class House:
    """A running bot that many tests share: each has servers of its own."""

    def __init__(self, bot: BotProcess) -> None:
        self.bot, self.world = bot, bot.world
        self.guilds: list[Guild] = []
        self.unanswered = False  # whether presses may stay without an answer in this test

    async def place(self, **how: Any) -> Channel:
        """A channel of a new server, which the bot has just been invited to."""
        guild = self.world.guild(**how)
        self.guilds.append(guild)
        self.world.person("Owner", guild)  # who may do anything, so nobody else does by accident
        channel = guild.channel()
        await self.world.emit("GUILD_CREATE", guild.as_created(), guild)
        return channel

    def people(self, channel: Channel, count: int, **how: Any) -> list[Person]:
        assert channel.guild is not None
        return [self.world.person(name, channel.guild, **how) for name in NAMES[:count]]

    async def lobby(self, count: int = 3, game: str = "fix626", **options: Any) -> Table:
        """A table at which `count` people sit; the game has not begun."""
        channel = await self.place()
        table = Table(self.bot, channel, self.people(channel, count), game)
        await table.start(**options)
        await table.join()
        return table

    async def table(self, count: int = 3, game: str = "fix626", **options: Any) -> Table:
        """A table at which `count` people have begun to play."""
        table = await self.lobby(count, game, **options)
        await table.begin()
        return table

    async def tidy(self) -> None:
        """Take the bot out of this test's servers; nothing of them is left to disturb others."""
        self.world.faults.clear()
        self.world.rate_limits, self.world.ack_seconds = False, 3.0
        for guild in self.guilds:
            guild.unavailable = False
            if guild.present and self.bot.running:
                await guild.remove_bot()
        self.guilds.clear()
        self.unanswered = False
