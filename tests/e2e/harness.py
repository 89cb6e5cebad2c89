"""The one module through which our end-to-end tests use simcord.

A `Stage` is a simulated Discord server with a bot in it; a `Person` does there what people can.
simcord's clock stands still between the lines of a test: `pass_time` moves it. Unlike simcord's own
way, short sleeps of the bot are virtual too, so that no test waits for one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary, ref

import discord
import simcord
from discord.ext import commands
from simcord.backend.access import can_access_message

from bot.sandbox import SIMCORD

Clock = Callable[[], float]
AnyBot = commands.Bot | commands.AutoShardedBot
MakeBot = Callable[[Clock], AnyBot]

BUTTON, SELECTS, TEXT = 2, (3, 5, 6, 7, 8), 10
CHANNEL_MESSAGE, UPDATE_MESSAGE = 4, 7
# simcord's world begins here.
DAWN = datetime(2026, 1, 1, tzinfo=UTC).timestamp()

assert simcord.__version__ == SIMCORD, "this module uses private hooks: read them again"


def _rest_quickly() -> None:
    """Spare simcord from asking for every sleeping task again and again what may wake it.

    It compares every task with every timer, several times an action, and each private panel leaves
    a task that sleeps until the panel expires: whole games took minutes.
    """
    inside: Any = import_module("simcord.env")
    is_parked = inside._is_parked
    asleep: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()

    def known_parked(state: Any, task: Any, deadline: float) -> bool:
        waiter = getattr(task, "_fut_waiter", None)
        if waiter is None or waiter.done():
            return bool(is_parked(state, task, deadline))
        if task in asleep and asleep[task]() is waiter:
            return True
        if not is_parked(state, task, deadline):
            return False
        asleep[task] = ref(waiter)
        return True

    inside._is_parked = known_parked
    # A stage has no timers in real time that this would have to take away.
    inside._virtualize_recognized_waits = lambda state, pending: None


_rest_quickly()


def walk(components: Any) -> Iterator[dict[str, Any]]:
    """Every component of a message as Discord reads them, nested ones too."""
    for component in components or ():
        yield component
        yield from walk(component.get("components"))
        for key in ("accessory", "component"):
            if isinstance(component.get(key), dict):
                yield from walk([component[key]])


def text_of(body: Mapping[str, Any]) -> str:
    """All a person reads in a message: content, embeds, every TextDisplay."""
    parts = [body.get("content") or ""]
    for embed in body.get("embeds") or ():
        parts += [embed.get("title") or "", embed.get("description") or ""]
        for field in embed.get("fields") or ():
            parts += [field["name"], field["value"]]
    parts += [part["content"] for part in walk(body.get("components")) if part.get("type") == TEXT]
    return "\n".join(filter(None, parts))


class Shown:
    """A message as one person sees it now."""

    def __init__(self, stage: Stage, channel: Any, message_id: int) -> None:
        self._stage = stage
        self.channel = channel
        self.id = message_id

    @property
    def raw(self) -> Any:
        """simcord's own record; raises when the message is gone."""
        return self._stage.env.backend.get_message(self.channel.id, self.id)

    @property
    def text(self) -> str:
        raw = self.raw
        return text_of({"content": raw.content, "embeds": raw.embeds, "components": raw.components})

    @property
    def ephemeral(self) -> bool:
        return bool(self.raw.flags & discord.MessageFlags(ephemeral=True).value)

    @property
    def controls(self) -> list[dict[str, Any]]:
        """The enabled buttons and selects, in order."""
        return [
            part
            for part in walk(self.raw.components)
            if part.get("type") in (BUTTON, *SELECTS) and not part.get("disabled")
        ]

    @property
    def labels(self) -> list[str]:
        """What stands on the enabled buttons."""
        return [part.get("label") or "" for part in self.controls if part["type"] == BUTTON]

    @property
    def files(self) -> list[str]:
        return [attachment["filename"] for attachment in self.raw.attachments]

    def button(self, name: str) -> dict[str, Any] | None:
        """The enabled button of that label or custom_id, if there is one."""
        return next(
            (
                part
                for part in self.controls
                if part["type"] == BUTTON and name in (part.get("label"), part.get("custom_id"))
            ),
            None,
        )

    def menu(self, value: str | None = None, custom_id: str | None = None) -> dict[str, Any] | None:
        """The first enabled select of that custom_id, or that offers that value or label."""
        for part in self.controls:
            offered = {word for option in part.get("options") or () for word in _words(option)}
            if part["type"] in SELECTS and (
                part["custom_id"] == custom_id if custom_id else value is None or value in offered
            ):
                return part
        return None

    def __repr__(self) -> str:
        return f"<{'private ' if self.ephemeral else ''}{self.text!r} {self.labels}>"


def _words(option: Mapping[str, Any]) -> tuple[str, str]:
    return option["value"], option["label"]


class Answer:
    """What the bot said to a press or a command; it stays up to date."""

    def __init__(self, stage: Stage, channel: Any, result: Any) -> None:
        self._stage = stage
        self.channel = channel
        self.result = result

    @property
    def message(self) -> Shown | None:
        """The answer, or the message that the answer changed."""
        found = self.result.response
        return None if found is None else Shown(self._stage, self.channel, found.id)

    @property
    def text(self) -> str:
        """The answer's text and that of the messages after it."""
        later = [Shown(self._stage, self.channel, one.id) for one in self.result.followups]
        first = self.message
        return "\n".join(shown.text for shown in ([first] if first else []) + later)

    @property
    def ephemeral(self) -> bool:
        return self.result.ephemeral

    @property
    def acknowledged(self) -> bool:
        return self.result.acknowledged

    @property
    def modal(self) -> dict[str, Any] | None:
        return self.result.modal


class Person:
    """A member of the server. Everything is done in `stage.channel` unless said otherwise."""

    def __init__(self, stage: Stage, name: str, member: Any) -> None:
        self._stage = stage
        self.name = name
        self.member = member
        self.locale = "en-US"
        self.id: int = member.id
        self.mention: str = member.mention

    def sees(self, channel: Any = None) -> list[Shown]:
        """The messages of a channel that this person can see, oldest first."""
        place = channel or self._stage.channel
        env = self._stage.env
        # Not place.history(): it builds a discord.Message for each.
        return [
            Shown(self._stage, place, message.id)
            for message in sorted(
                env.backend.messages.get(place.id, {}).values(), key=lambda one: one.id
            )
            if can_access_message(env, place.id, message, self.member, history=True)
        ]

    def reads(self, channel: Any = None) -> str:
        """The text of all of them."""
        return "\n".join(shown.text for shown in self.sees(channel))

    def finds(self, words: str, channel: Any = None) -> Shown:
        """The newest message with these words."""
        for shown in reversed(self.sees(channel)):
            if words in shown.text:
                return shown
        raise AssertionError(f"{self.name} sees no {words!r} in:\n{self.reads(channel)}")

    async def slash(self, command: str, /, *, channel: Any = None, **options: Any) -> Answer:
        """Run a slash command, e.g. `slash("stitches start", table="Two")`."""
        place = channel or self._stage.channel
        return Answer(self._stage, place, await self.member.slash(place, command, **options))

    async def suggestions(
        self, command: str, option: str, typed: str = "", /, *, channel: Any = None, **filled: Any
    ) -> dict[str, Any]:
        """What is offered while typing an option: name → value."""
        place = channel or self._stage.channel
        offered = await self.member.autocomplete(place, command, option, typed, **filled)
        return {choice["name"]: choice["value"] for choice in offered}

    async def click(self, name: str, on: Shown | None = None, *, channel: Any = None) -> Answer:
        """Press the enabled button of that label or custom_id, on the newest message with it."""
        shown, part = self._find(lambda one: one.button(name), name, on, channel)
        result = await self.member.click(self._target(shown), custom_id=part["custom_id"])
        return Answer(self._stage, shown.channel, result)

    async def choose(
        self,
        *values: Any,
        on: Shown | None = None,
        custom_id: str | None = None,
        channel: Any = None,
    ) -> Answer:
        """Choose in a select, by value, by label or by Person, on the newest message that can."""
        first = values[0] if values and isinstance(values[0], str) else None
        shown, part = self._find(lambda one: one.menu(first, custom_id), values, on, channel)
        by_label = {option["label"]: option["value"] for option in part.get("options") or ()}
        meant = [
            value.member if isinstance(value, Person) else by_label.get(value, value)
            for value in values
        ]
        result = await self.member.select(self._target(shown), meant, custom_id=part["custom_id"])
        return Answer(self._stage, shown.channel, result)

    async def submit(self, form: Answer, /, **values: Any) -> Answer:
        """Fill in a modal, by custom_id, and send it."""
        return Answer(
            self._stage, form.channel, await self.member.submit_modal(form.result, values)
        )

    async def says(self, words: str, channel: Any = None) -> None:
        """Write an ordinary message."""
        await self.member.send(channel or self._stage.channel, words)

    def _find(
        self,
        pick: Callable[[Shown], dict[str, Any] | None],
        wanted: object,
        on: Shown | None,
        channel: Any,
    ) -> tuple[Shown, dict[str, Any]]:
        seen = [on] if on is not None else self.sees(channel)[::-1]
        for shown in seen:
            part = pick(shown)
            if part is not None:
                return shown, part
        raise AssertionError(f"{self.name} finds no {wanted!r} in:\n{seen}")

    def _target(self, shown: Shown) -> Any:
        return simcord.ResponseMessage(self._stage.env, shown.raw)


class Stage:
    """A simulated Discord with a server, a channel, people, and one bot at a time."""

    def __init__(self, make_bot: MakeBot, *, settle_timeout: float = 5.0) -> None:
        self._make_bot = make_bot
        self._settle_timeout = settle_timeout
        self._bots: list[AnyBot] = []
        self._forgiven: set[str] = set()
        self._errors_seen = 0
        self.locale = "en-US"  # the server's
        self.people: dict[str, Person] = {}
        self.env: Any = None
        self.guild: Any = None
        self.channel: Any = None

    # --- start and end -----------------------------------------------------------------------

    async def start(self, people: Sequence[str], channel: str, **overwrites: Any) -> None:
        """Build the world, then connect the bot to it. The first person owns the server."""
        bot = self._new_bot()
        shards = 1 if isinstance(bot, commands.AutoShardedBot) else None
        self.env = simcord.Env(
            bot, check_errors=False, settle_timeout=self._settle_timeout, shard_count=shards
        )
        self._make_quick()
        self._speak_languages()
        users = [self.env.create_user(name.lower(), global_name=name) for name in people]
        self.guild = self.env.create_guild("Lab", owner=users[0])
        self.channel = self.guild.create_text_channel(channel, **overwrites)
        for name, user in zip(people, users, strict=True):
            self.people[name] = Person(self, name, self.guild.add_member(user))
        await self.env.start()

    async def close(self) -> None:
        """Close every bot that was made; simcord itself closes none, and pytest would hang."""
        try:
            for bot in self._bots[::-1]:
                with self.env.time_context():
                    await bot.close()
        finally:
            if self.env._started:
                await self.env.shutdown()

    def _new_bot(self) -> AnyBot:
        bot = self._make_bot(self.now)
        self._bots.append(bot)
        return bot

    def _make_quick(self) -> None:
        env = self.env
        # An ephemeral answer leaves simcord looking every 50 ms whether the bot has come to rest.
        env._settle_internal = functools.partial(env._settle_internal, idle=0.002)
        schedule = env._schedule_timer

        def only_virtual(record: Any, callback: Any, args: Any, context: Any) -> None:
            # What is due at once must go off by itself; everything else waits for pass_time.
            if record.when - env._virtual_time < 0.001:
                schedule(record, callback, args, context)

        env._schedule_timer = only_virtual

    def _speak_languages(self) -> None:
        """simcord's people all speak American English; ours say what they speak."""
        emit = self.env.backend.emit

        def in_language(event: str, payload: Mapping[str, Any]) -> None:
            if event == "INTERACTION_CREATE":
                user_id = int(payload["member"]["user"]["id"])
                speaks = {one.id: one.locale for one in self.people.values()}
                payload = {
                    **payload,
                    "locale": speaks.get(user_id, self.locale),
                    "guild_locale": self.locale,
                }
            emit(event, payload)

        self.env.backend.emit = in_language

    # --- the bot and its time ----------------------------------------------------------------

    @property
    def bot(self) -> Any:
        """The bot that is connected now."""
        return self._bots[-1]

    def now(self) -> float:
        """The simulated time, as the bot's own clock tells it."""
        return DAWN if self.env is None else self.env.now().timestamp()

    async def pass_time(self, seconds: float) -> None:
        """Let time go by; every timer of the bot that falls into it goes off in order."""
        before, self.env.settle_timeout = self.env.settle_timeout, max(60.0, self._settle_timeout)
        try:
            await self.env.advance_time(seconds)
        finally:
            self.env.settle_timeout = before

    async def rest(self) -> None:
        """Wait until the bot has nothing to do before time passes."""
        await self.env.settle()

    async def restart(self, *, crash: bool = False, downtime: float = 0.0) -> Any:
        """A new bot in the same world, after the old one was closed or (crash) just dropped."""
        if not crash:
            with self.env.time_context():
                await self.bot.close()
        self.env.backend.clock.advance(downtime)
        await self.env.restart_bot(self._new_bot())
        return self.bot

    async def simultaneously(self, *doings: Awaitable[Answer]) -> list[Answer]:
        """Let all of these reach the bot before it takes a step: `ann.click(…), bob.click(…)`."""

        async def not_yet(**_: Any) -> None:
            """Without a wait here nothing else runs, so all are sent in one go."""

        settle, self.env._settle_internal = self.env._settle_internal, not_yet
        try:
            answers = [await doing for doing in doings]
        finally:
            self.env._settle_internal = settle
        await self.rest()
        return answers

    def fail(self, method: str, path: str, *, status: int, code: int = 0, times: int = 1) -> None:
        """Let the next requests to a route (`"/channels/*/messages"`) be refused by Discord."""
        self.env.inject_error(method, path, status=status, code=code, times=times)

    # --- what must hold for every test -------------------------------------------------------

    @property
    def errors(self) -> list[BaseException]:
        """What the bot raised up to now; a test that looks has dealt with it."""
        found: list[BaseException] = self.env.errors
        self._errors_seen = len(found)
        return found

    def forgive(self, *kinds: str) -> None:
        """This test breaks a rule on purpose: "mentions", "answers" or "errors"."""
        self._forgiven.update(kinds)

    def faults(self) -> list[str]:
        """The broken rules: pings not ruled out, presses answered not once, errors nobody saw."""
        found: list[str] = []
        if "mentions" not in self._forgiven:
            found += self._careless_messages()
        if "answers" not in self._forgiven:
            found += self._wrong_answers()
        if "errors" not in self._forgiven:
            found += [f"error: {error!r}" for error in self.env.errors[self._errors_seen :]]
        return found

    def _careless_messages(self) -> list[str]:
        return [
            f"no allowed_mentions: {entry.method} {entry.path} {text_of(body)!r}"
            for entry in self.env.http_requests
            if (body := _message(entry)) is not None
            and text_of(body)
            and body.get("allowed_mentions") is None
        ]

    def _wrong_answers(self) -> list[str]:
        said: dict[int, int] = {}
        for entry in self.env.http_requests:
            match = _CALLBACK.fullmatch(entry.path)
            if match:
                said[int(match[1])] = said.get(int(match[1]), 0) + 1
        return [
            f"{said.get(record.id, 0)} answers to {record.command_name or 'a press'} "
            f"by {self.env.backend.get_user(record.user_id).name}"
            for record in self.env.backend.interactions.values()
            if not record.responded or said.get(record.id, 0) != 1
        ]


_CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback")
_SENDS = re.compile(
    r"POST /channels/\d+/messages|PATCH /channels/\d+/messages/\d+"
    r"|POST /webhooks/\d+/[^/]+|PATCH /webhooks/\d+/[^/]+/messages/[^/]+"
)


def _message(entry: Any) -> Mapping[str, Any] | None:
    """The body of a request that writes a message."""
    body = entry.json if isinstance(entry.json, dict) else {}
    if _CALLBACK.fullmatch(entry.path):
        shows = body.get("type") in (CHANNEL_MESSAGE, UPDATE_MESSAGE)
        return body.get("data") or {} if shows else None
    return body if _SENDS.fullmatch(f"{entry.method} {entry.path}") else None


@asynccontextmanager
async def staged(
    make_bot: MakeBot,
    *,
    people: Sequence[str] = ("Ann", "Bob", "Carol", "Dan", "Eve"),
    channel: str = "card-table",
    settle_timeout: float = 5.0,
    **channel_options: Any,
) -> AsyncIterator[Stage]:
    """A started Stage; closes every bot, then fails if a rule was broken."""
    stage = Stage(make_bot, settle_timeout=settle_timeout)
    try:
        await stage.start(people, channel, **channel_options)
        yield stage
    finally:
        await stage.close()
    assert stage.faults() == []
