"""Everything the loopback Discord knows: people, places, messages, interactions, faults."""

from __future__ import annotations

import asyncio
import itertools
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from tests.wire.actors import Person
from tests.wire.errors import Refusal
from tests.wire.gateway import Gateway
from tests.wire.messages import Message
from tests.wire.permissions import EVERYONE, NONE, Permission
from tests.wire.places import Channel, Guild
from tests.wire.records import Call, Fault, Interaction

DISCORD_EPOCH = 1_420_070_400_000


class World:
    """The state, and what tests do to it. Ids are whole numbers here, strings on the wire."""

    def __init__(
        self,
        *,
        token: str = "loopback.bot.token",  # noqa: S107
        ack_seconds: float = 3.0,
        token_seconds: float = 900.0,
        heartbeat_ms: int = 41_250,
        rate_limits: bool = False,
        largest_file: int = 10 * 1024 * 1024,
        shards: int = 1,
    ) -> None:
        self.token = token
        self.ack_seconds = ack_seconds
        self.token_seconds = token_seconds
        self.rate_limits = rate_limits
        self.largest_file = largest_file
        self.offset = 0.0
        self.address = ""
        self._numbers = itertools.count(1)
        self.users: dict[int, dict[str, Any]] = {}
        self.app_id = self.snowflake()
        self.bot = self.add_user("Loopback", number=self.app_id, bot=True)
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.viewers: dict[int, int] = {}  # ephemeral message → the one who sees it
        self.dismissed: set[int] = set()
        self.closed_dms: set[int] = set()
        self.files: dict[str, bytes] = {}
        self.emojis: list[dict[str, Any]] = []
        self.commands: dict[int | None, list[dict[str, Any]]] = {None: []}  # by guild
        self.interactions: dict[str, Interaction] = {}
        self.log: list[Call] = []
        self.faults: list[Fault] = []
        self.violations: list[str] = []  # what the bot must never send
        self.gaps: list[str] = []  # what this loopback cannot do, or did wrong
        self.buckets: dict[str, tuple[float, int]] = {}
        self.under_way = 0
        self.gateway = Gateway(self, heartbeat_ms=heartbeat_ms, shards=shards)
        self._changed = asyncio.Condition()

    # ------------------------------------------------------------------ time and ids
    def now(self) -> float:
        return time.time_ns() / 1e9 + self.offset

    def advance(self, seconds: float) -> None:
        """Let the world's clock jump: tokens expire, threads and messages grow old."""
        self.offset += seconds

    def iso(self) -> str:
        return datetime.fromtimestamp(self.now(), UTC).isoformat()

    def snowflake(self) -> int:
        milliseconds = int(self.now() * 1000) - DISCORD_EPOCH
        return milliseconds << 22 | next(self._numbers) & 0x3FFFFF

    # -------------------------------------------------------------- people and places
    def add_user(self, name: str, *, number: int | None = None, bot: bool = False) -> Any:
        user: dict[str, Any] = {
            "id": str(number or self.snowflake()),
            "username": re.sub(r"[^a-z0-9._]", "", name.lower()) or "someone",
            "global_name": None if bot else name,
            "discriminator": "0",
            "avatar": None,
            "bot": bot,
            "public_flags": 0,
            "flags": 0,
            **dict.fromkeys(("banner", "accent_color", "primary_guild"), None),
        }
        self.users[int(user["id"])] = user
        return user

    def person(self, name: str, *guilds: Guild, locale: str = "en-US") -> Person:
        """A new person, a member of these guilds."""
        person = Person(self, self.add_user(name), locale)
        for guild in guilds:
            guild.seat(person)
        return person

    def guild(self, name: str = "Lab", *, locale: str = "en-US", present: bool = True) -> Guild:
        """A new guild with the bot in it, unless `present` is false (a user install)."""
        guild = Guild(self, name, locale, present=present, everyone=EVERYONE)
        self.guilds[guild.id] = guild
        return guild

    def dm(self, *people: Person) -> Channel:
        """The direct messages with the bot of one person, or a group's without it."""
        ids = {p.id for p in people}
        for channel in self.channels.values():
            if {int(u["id"]) for u in channel.data.get("recipients", [])} == ids:
                return channel
        kind = 1 if len(people) == 1 else 3
        recipients = [p.user for p in people]
        return Channel(self, None, {"type": kind, "recipients": recipients, "flags": 0})

    def person_of(self, user: int) -> Person:
        return Person(self, self.users[user])

    def may(self, channel: Channel, user: int) -> Permission:
        """What somebody, the bot included, may do in a place."""
        if channel.guild is None:
            return EVERYONE if channel.data["type"] == 1 or user != self.app_id else NONE
        return channel.guild.may(user, channel)

    def knows_emoji(self, number: str) -> bool:
        own = (g.emojis for g in self.guilds.values())
        return any(e["id"] == str(number) for e in itertools.chain(self.emojis, *own))

    # ------------------------------------------------------------------ what is seen
    def visible(self, person: Person, channel: Channel) -> list[Message]:
        """What one person sees in a channel, oldest first."""
        if person.id not in self._readers(channel, person):
            return []
        return [
            m
            for m in self.messages.values()
            if int(m["channel_id"]) == channel.id
            and self.viewers.get(m.id, person.id) == person.id
            and m.id not in self.dismissed
        ]

    def _readers(self, channel: Channel, person: Person) -> set[int]:
        if channel.guild is None:
            return {int(u["id"]) for u in channel.data["recipients"]}
        return {person.id} if self.may(channel, person.id) & Permission.VIEW_CHANNEL else set()

    def public(self, channel: Channel) -> list[Message]:
        """What everybody in a channel sees."""
        here = (m for m in self.messages.values() if int(m["channel_id"]) == channel.id)
        return [m for m in here if not m.ephemeral]

    # -------------------------------------------------------------------- what happened
    def calls(self, method: str = "*", pattern: str = "", *, since: int = 0) -> list[Call]:
        """The bot's REST calls, those from `since` on in the log that fit."""
        fits = Fault(method, pattern).fits
        return [c for c in self.log[since:] if fits(c.method, c.path)]

    def fault(self, method: str, pattern: str, refusal: Refusal | None = None, **how: Any) -> Fault:
        """Let the next call that fits go wrong; see `Fault` for how."""
        one = Fault(method, pattern, refusal, **how)
        self.faults.append(one)
        return one

    def fitting_fault(self, method: str, path: str) -> Fault | None:
        found = next((f for f in self.faults if f.fits(method, path)), None)
        if found:
            found.hits += 1
        return found

    async def notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def until(
        self, true: Callable[[], Any], within: float = 5.0, why: str = "it never came true"
    ) -> Any:
        """Wait until something is so; asked again when anything happens on the wire, and often."""
        try:
            async with asyncio.timeout(within):
                while not true():
                    await self._change(0.05)
        except TimeoutError:
            refused = [f"{c.method} {c.path}: {c.code}" for c in self.log if c.status >= 400]
            recent = "\n".join([*self.violations[-3:], *refused[-3:]])
            raise AssertionError(f"{why} ({within} s)\n{recent}") from None
        return true()

    async def _change(self, most: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(most), self._changed:
                await self._changed.wait()

    async def quiet(self, seconds: float = 0.2, within: float = 10.0) -> None:
        """Wait until the bot has made no call, and none is under way, for a while."""
        async with asyncio.timeout(within):
            calls = -1
            while calls != len(self.log) or self.under_way:
                calls = len(self.log)
                await asyncio.sleep(seconds)

    async def emit(
        self, event: str, data: Any, guild: Guild | None = None, *, direct: bool = False
    ) -> None:
        await self.gateway.emit(event, data, guild, direct=direct)
        await self.notify()

    async def announce(self, event: str, message: Message) -> None:
        """Tell the bot of a message that is new or changed, as far as it can see it."""
        channel = self.channels[int(message["channel_id"])]
        if message.ephemeral or not self.may(channel, self.app_id) & Permission.VIEW_CHANNEL:
            return
        place = {"guild_id": str(channel.guild.id)} if channel.guild else {}
        await self.emit(event, message | place, channel.guild, direct=channel.guild is None)

    def present_guilds(self) -> Iterator[Guild]:
        return (g for g in self.guilds.values() if g.present)
