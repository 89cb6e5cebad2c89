"""The local Discord page for people without a token: the real bot in a simulated Discord.

simcord is a test library: its clock stands still, one operation runs at a time, a page shows
only what was published to it, and everything that ever happened is kept. Here people play, so time
is real, presses queue, changes show by themselves and what nobody can see is dropped. That takes
private hooks of simcord. They are all in this file and tied to one version of it.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import os
import signal
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import discord
from discord.ext import commands

if TYPE_CHECKING:
    from aiohttp import web

Clock = Callable[[], float]
MakeBot = Callable[[Clock], commands.Bot | commands.AutoShardedBot]

SIMCORD = "3.2.1"
CURE = "pip install 'stitch-table[sandbox]'"
MISSING = f"The sandbox needs the extra `sandbox`: {CURE}"
IN_USE = "Port {port} is in use: end what runs there, or set SANDBOX_PORT (0 takes any free one)."
PEOPLE = ("Ann", "Bob", "Carol", "Dan", "Eve")
MOST_PEOPLE = 7
PLACES = ("card-table", "second-table")

EPHEMERAL = discord.MessageFlags(ephemeral=True).value
# Discord gives a bot three seconds for its first answer; a person's press waits no longer here.
ANSWER_SECONDS = 3.0
TIDY_EVERY = 5.0
TEXTS_KEPT = 2000
PRIVATE_KEPT = 10
# So many looks of a page are remembered, to know which button its person meant.
LOOKS_KEPT = 40


class SandboxUnavailable(Exception):
    """Why there is no sandbox here, as one sentence for the person who asked for it."""


async def serve(
    make_bot: MakeBot,
    *,
    people: Sequence[str] = PEOPLE,
    port: int,
    open_browser: bool,
    say: Callable[[str], None],
) -> None:
    """Serve the page until Ctrl-C, SIGTERM or the page's End button; closes the bot.

    Raises SandboxUnavailable.
    """
    if not 1 <= len(people) <= MOST_PEOPLE:
        raise SandboxUnavailable(f"The sandbox is for 1 to {MOST_PEOPLE} people.")
    simcord = _simcord()
    clock = _RealTime()
    bot = make_bot(lambda: clock.now().timestamp())
    shards = 1 if isinstance(bot, commands.AutoShardedBot) else None
    env = simcord.Env(bot, check_errors=False, shard_count=shards)
    world = _World(env, clock)
    with _stop_signals() as stopped:
        try:
            await env.start()
            await _show(simcord, world, people, port, open_browser, say, stopped)
        finally:
            await _end(env, bot)


def _simcord() -> Any:
    """The library, of the one version whose insides are known here. Raises SandboxUnavailable."""
    # To look at discord.py it makes a client without intents, which complains in our log.
    chatter = logging.getLogger("discord.state")
    chatter.disabled = True
    try:
        found = version("simcord")
        import simcord
    except (ImportError, PackageNotFoundError):
        raise SandboxUnavailable(MISSING) from None
    finally:
        chatter.disabled = False
    if found != SIMCORD:
        raise SandboxUnavailable(f"The sandbox needs simcord {SIMCORD}, here is {found}: {CURE}")
    try:
        preview: Any = import_module("simcord.preview")
        preview._require_preview_runtime()
    except (ImportError, simcord.SetupError):
        raise SandboxUnavailable(MISSING) from None
    return simcord


async def _show(
    simcord: Any,
    world: _World,
    people: Sequence[str],
    port: int,
    open_browser: bool,
    say: Callable[[str], None],
    stopped: asyncio.Event,
) -> None:
    members = world.furnish(people)
    channel = world.channels[0]
    preview = world.env.preview(
        channel, viewers=members, layout="channel", timezone=_timezone(), port=port
    )
    _Pages(world, preview)
    try:
        await preview.__aenter__()
    except simcord.SetupError as error:
        if "could not bind" in str(error):
            raise SandboxUnavailable(IN_USE.format(port=port)) from None
        raise SandboxUnavailable(f"The sandbox page can't be served: {error}.") from None
    try:
        _tell(preview.url, people, say, open_browser)
        with _parsing_once():
            await _until_over(world, stopped, preview)
    finally:
        await preview.close()


async def _until_over(world: _World, stopped: asyncio.Event, preview: Any) -> None:
    tasks = [
        asyncio.ensure_future(_wait(stopped.wait())),
        asyncio.ensure_future(_wait(preview.wait_closed())),
        asyncio.ensure_future(world.keep_tidy()),
    ]
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    world.end()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def _wait(something: Awaitable[object]) -> None:
    await something


def _tell(url: str, people: Sequence[str], say: Callable[[str], None], open_browser: bool) -> None:
    base, _, key = url.partition("#")
    say("A simulated Discord with the real bot. Open a tab for each person:")
    width = max(map(len, people))
    for name in people:
        say(f"  {name:<{width}}  {base}?as={name}#{key}")
    say("Ctrl-C ends it.")
    if open_browser and _has_screen():
        # Some browsers keep their caller waiting for seconds, and the page is served by this one.
        Thread(target=_open_browser, args=(f"{base}?as={people[0]}#{key}",), daemon=True).start()


def _has_screen() -> bool:
    """Without one, Python would start a browser for terminals in the middle of our lines."""
    graphical = sys.platform in ("win32", "darwin")
    return graphical or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _open_browser(url: str) -> None:
    # No browser here is no fault: the addresses have been told.
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(url)


async def _end(env: Any, bot: commands.Bot | commands.AutoShardedBot) -> None:
    """The bot first, while Discord still answers it, as in real life."""
    try:
        with env.time_context():
            await bot.close()
    finally:
        if env._started:
            await env.shutdown()


@contextmanager
def _stop_signals() -> Generator[asyncio.Event, None, None]:
    """An event that Ctrl-C or SIGTERM sets; a second one is not held up."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)}

    def stop(*_: object) -> None:
        for name, handler in before.items():
            signal.signal(name, handler)
        loop.call_soon_threadsafe(stopped.set)

    for name in before:
        signal.signal(name, stop)
    try:
        yield stopped
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def _timezone() -> str:
    """The zone of this machine as far as whole hours can say it."""
    offset = datetime.now(UTC).astimezone().utcoffset()  # noqa: TID251  # where we are, not when
    hours, rest = divmod(0 if offset is None else int(offset.total_seconds()), 3600)
    # POSIX counts westwards: Etc/GMT-2 is two hours ahead.
    name = f"Etc/GMT{-hours:+d}" if hours and not rest else "UTC"
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return "UTC"
    return name


class _RealTime:
    """Stands in for simcord's clock, which moves only when told to."""

    def __init__(self) -> None:
        self._latest = datetime.now(UTC)  # noqa: TID251  # this is the clock that is injected

    @property
    def elapsed(self) -> float:
        """The event loop's own time, so that virtual timers and real ones agree."""
        return monotonic()

    def now(self) -> datetime:
        """The time of day, which never goes back: ids are made of it."""
        self._latest = max(self._latest, datetime.now(UTC))  # noqa: TID251
        return self._latest

    def advance(self, seconds: float) -> None:
        """Time passes by itself."""


class _Log(list[Any]):
    """A log that keeps nothing and says that there was something."""

    def __init__(self, happened: Callable[[], None]) -> None:
        super().__init__()
        self._happened = happened

    def append(self, entry: Any, /) -> None:
        del entry
        self._happened()


class _World:
    """The simulated Discord, made to run in real time and to forget."""

    def __init__(self, env: Any, clock: _RealTime) -> None:
        self.env = env
        self.version = 0
        self._ending = False
        self._stirred = asyncio.Event()
        self.channels: list[Any] = []
        self.guild: Any = None
        self.before_waiting: Callable[[], None] = lambda: None
        env.backend.clock = clock
        env.backend.bot_user.name = "Stitch Table"
        # Whatever the bot does goes through this log, also what no gateway event tells of.
        env.backend.http_requests = _Log(self.stir)
        env.backend.transcript = _Log(lambda: None)
        env._schedule_timer = self._schedule
        env._settle_internal = self._settle

    def stir(self) -> None:
        """Something happened that pages may show."""
        self.version += 1
        self._stirred.set()

    def end(self) -> None:
        """Hold nobody up any more."""
        self._ending = True
        self.stir()

    def furnish(self, people: Sequence[str]) -> list[Any]:
        """A server with its channels and members; the first of them owns it."""
        users = [self.env.create_user(name.lower(), global_name=name) for name in people]
        self.guild = self.env.create_guild("Sandbox", owner=users[0])
        self.channels = [self.guild.create_text_channel(name) for name in PLACES]
        return [self.guild.add_member(user) for user in users]

    def places(self, person: Any) -> list[dict[str, str]]:
        """The channels and open threads that `person` may read."""
        from simcord.backend.access import can_access_channel

        found: list[dict[str, str]] = []
        for channel in self.env.backend.channels.values():
            if channel.guild_id != self.guild.id or not can_access_channel(
                self.env, channel.id, person, history=True
            ):
                continue
            mark = "↳ " if channel.parent_id is not None else "#"
            found.append({"id": str(channel.id), "name": mark + channel.name})
        return found

    def channel(self, channel_id: int) -> Any:
        """A handle to a channel or thread of the server, or to the first if that is gone."""
        from simcord.builders import ChannelHandle

        found = self.env.backend.channels.get(channel_id)
        return self.channels[0] if found is None else ChannelHandle(self.env, self.guild, found)

    def dismiss(self, channel_id: int, person: Any, message_id: str) -> None:
        """Take a private answer out of its person's sight, as Discord's own Dismiss does."""
        from simcord.backend.access import can_access_message

        messages = self.env.backend.messages.get(channel_id, {})
        message = messages.get(int(message_id)) if message_id.isdecimal() else None
        if (
            message is not None
            and message.flags & EPHEMERAL
            and can_access_message(self.env, channel_id, message, person, history=True)
        ):
            del messages[message.id]
            self.stir()

    def _schedule(self, record: Any, _callback: Any, _args: Any, _context: Any) -> None:
        """Let a timer of the bot go off in real time, whatever it is for."""

        def fire() -> None:
            if record.handle is not None and not record.handle.cancelled():
                record.handle._run()

        # The handle enters its own context; it can't do that from inside it.
        record.real_handle = self.env._runtime.call_at(
            record.when, fire, context=contextvars.Context()
        )

    async def _settle(self, **_: Any) -> None:
        """Wait for the answer to the press under way, not for the bot to come to rest.

        A bot with clocks and computer players is never at rest. simcord would wait for every sleep
        it thinks short, then report a failure of the press.
        """
        self.before_waiting()
        await asyncio.sleep(0)
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                while self._unanswered():
                    self._stirred.clear()
                    await self._stirred.wait()

    def _unanswered(self) -> bool:
        preview = self.env._preview
        action = None if preview is None else preview._active_action
        interaction = None if action is None else action.interaction
        return not (self._ending or interaction is None or interaction.responded)

    async def keep_tidy(self) -> None:
        """Drop what nobody can come back to, until cancelled; simcord keeps everything for ever."""
        while True:
            await asyncio.sleep(TIDY_EVERY)
            self.tidy()

    def tidy(self) -> None:
        """Drop dead timers and interactions, old private answers, pictures that nothing shows."""
        self._drop_private_answers()
        backend, work = self.env.backend, self.env._work
        work.callbacks[:] = [
            record
            for record in work.callbacks
            if record.handle is not None and not record.handle.cancelled()
        ]
        now = backend.now_iso()
        for record in [*backend.interactions.values()]:
            if record.expires_at is not None and record.expires_at <= now:
                del backend.interactions[record.id]
                backend.interaction_tokens.pop(record.token, None)
        shown = {
            attachment["url"]
            for channel in backend.messages.values()
            for message in channel.values()
            for attachment in message.attachments
        }
        blobs = backend.cdn._blobs
        for url in [url for url in blobs if "/attachments/" in url and url not in shown]:
            del blobs[url]

    def _drop_private_answers(self) -> None:
        """Keep each person's last few; Discord drops them all when its window is reloaded.

        A page shows the last fifty messages: without this, the board would scroll out of it.
        """
        for messages in self.env.backend.messages.values():
            private: dict[str, list[Any]] = {}
            for message in messages.values():
                if message.is_ephemeral:
                    metadata: dict[str, Any] = message.interaction_metadata or {}
                    owner = str(metadata.get("user"))
                    private.setdefault(owner, []).append(message)
            for mine in private.values():
                mine.sort(key=lambda one: one.edited_timestamp or one.timestamp)
                for message in mine[:-PRIVATE_KEPT]:
                    del messages[message.id]
                    self.stir()


@contextmanager
def _parsing_once() -> Generator[None, None, None]:
    """Remember parsed texts: simcord builds a new Markdown parser for every text of every look."""
    names = ("_component_projection", "_messages", "_queries", "_snapshot")
    modules: list[Any] = [import_module(f"simcord.preview.{name}") for name in names]
    parse: Any = modules[0].markdown_tokens
    known: dict[tuple[Any, str, str], Any] = {}

    def parsed(value: Any, profile: str = "message", *, context: Any = None) -> Any:
        key = (value, profile, repr(context))
        if key not in known:
            if len(known) >= TEXTS_KEPT:
                known.clear()
            known[key] = parse(value, profile, context=context)
        # The caller writes into it.
        return deepcopy(known[key])

    for module in modules:
        module.markdown_tokens = parsed
    try:
        yield
    finally:
        for module in modules:
            module.markdown_tokens = parse


class _Pages:
    """The browser pages: presses queue, and every page shows what is there now."""

    def __init__(self, world: _World, preview: Any) -> None:
        self._world = world
        self._preview = preview
        self._home = preview.channel
        self._pressing = asyncio.Lock()
        # page id -> revision -> message id -> its components, as the person there saw them
        self._looks: dict[str, dict[int, dict[int, Any]]] = {}
        self._shown: dict[str, int] = {}
        self._act, self._publish = preview._action, preview._publish
        self._open, self._payload = preview._open_page, preview._page_payload
        self._static = preview._server._static
        preview._action, preview._publish = self.act, self.publish
        preview._open_page, preview._page_payload = self.open_page, self.payload
        preview._publish_message_pages = self.publish_acting
        preview._server._static = self.static
        preview._server._STATIC_FILES = {
            **preview._server._STATIC_FILES,
            "/sandbox.js": "sandbox.js",
            "/sandbox/places": "places",
            "/sandbox/dismiss": "dismiss",
        }

    def publish(self, page: Any, **options: Any) -> None:
        """Publish, and remember what there was to press."""
        self._shown[page.id] = self._world.version
        self._publish(page, **options)
        messages = self._world.env.backend.messages.get(page.channel_id, {})
        shown = [int(key) for key in page.snapshot["timeline"]]
        looks = self._looks.setdefault(page.id, {})
        looks[page.revision] = {key: messages[key].components for key in shown if key in messages}
        looks.pop(page.revision - LOOKS_KEPT, None)
        for closed in self._looks.keys() - self._preview._pages.keys() - {page.id}:
            del self._looks[closed], self._shown[closed]

    def publish_acting(self, **options: Any) -> None:
        """Publish to the page that acted; the others get it when they ask next."""
        self._world.stir()
        self._preview._publish(self._preview._action_page, **options)

    def payload(self, page: Any) -> dict[str, Any]:
        """What a page is told when it asks, twice a second: the world as it is now."""
        if self._shown.get(page.id) != self._world.version:
            self._preview._advance_presentation_time()
            self._preview._publish(page, reason="refresh")
        told: dict[str, Any] = self._payload(page)
        return told

    def open_page(self, viewer: Any = None, place: Any = None) -> Any:
        """Open a page for a person named in its address, in the channel named there."""
        preview = self._preview
        person = next(
            (one for one in preview.viewers if str(viewer).lower() in (str(one.id), one.user.name)),
            preview.viewers[0],
        )
        with self._standing_in(self._find_place(place, person)):
            return self._open(person.id)

    def _find_place(self, place: Any, person: Any) -> Any:
        known = {found["id"] for found in self._world.places(person)}
        return self._world.channel(int(place)) if place in known else self._home

    @contextmanager
    def _standing_in(self, channel: Any) -> Generator[None, None, None]:
        # A preview has one channel; its pages have one each. Only this decides which is meant.
        before, self._preview.channel = self._preview.channel, channel
        try:
            yield
        finally:
            self._preview.channel = before

    async def act(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a person did on a page, after those who came before."""
        async with self._pressing:
            page = self._preview._get_page(context_id)
            wanted = {**body}
            with (
                self._standing_in(self._world.channel(page.channel_id)),
                self._as_seen(page, wanted),
            ):
                # Its page may be behind, by a move of somebody else; that is no reason to refuse.
                wanted["published_revision"] = page.revision
                receipt: dict[str, Any] = await self._act(context_id, wanted)
            if page.status == "stale":
                # A press that failed must not lock its page.
                self._preview._publish(page)
            return receipt

    @contextmanager
    def _as_seen(self, page: Any, body: Mapping[str, Any]) -> Generator[None, None, None]:
        """Let a press mean the button its person saw, until it is with the bot.

        Ids of components are places in a message. When somebody else's move has changed the board
        meanwhile, the same place may be another button, and the one that was pressed may be gone.
        The bot hears of the press as it was meant, and answers that itself.
        """
        message = self._pressed_message(page, body)
        if message is None:
            yield
            return
        now = message.components
        look = self._looks.get(page.id, {}).get(body.get("published_revision", 0), {})
        seen = look.get(message.id, now)

        def put_back() -> None:
            self._world.before_waiting = lambda: None
            if message.components is seen:
                message.components = now

        # Nothing else runs between here and the first wait, where the press has been sent.
        message.components = seen
        self._world.before_waiting = put_back
        try:
            yield
        finally:
            put_back()

    def _pressed_message(self, page: Any, body: Mapping[str, Any]) -> Any:
        if body.get("kind") not in ("click", "select"):
            return None
        messages = self._world.env.backend.messages.get(page.channel_id, {})
        target = str(body.get("target_id"))
        return messages.get(int(target)) if target.isdecimal() else None

    async def static(self, request: web.Request) -> web.Response:
        """Serve simcord's files, and beside them what this page adds to it."""
        from aiohttp import web

        server = self._preview._server
        if request.headers.get("Host", "") not in server._allowed_hosts():
            raise web.HTTPForbidden
        if request.path.startswith("/sandbox/"):
            if not server._authorized(request):
                raise web.HTTPUnauthorized
            page = self._preview._get_page(request.headers.get("X-Simcord-Context"))
            if request.path == "/sandbox/dismiss":
                self._world.dismiss(page.channel_id, page.viewer, request.query["message"])
            places = self._world.places(page.viewer)
            return web.json_response(places, headers=server._SECURITY_HEADERS)
        if request.path == "/sandbox.js":
            return web.Response(
                text=SCRIPT, content_type="text/javascript", headers=server._SECURITY_HEADERS
            )
        response: web.Response = await self._static(request)
        if request.path == "/" and response.text is not None:
            first = '<script type="module"'
            response.text = response.text.replace(
                first, f'<script src="/sandbox.js"></script>\n    {first}'
            )
        return response


# Runs before simcord's own script. The address says who sits at this tab and where, so that a
# reloaded tab is the same person; deadlines count down; the tools of a test author are put away.
SCRIPT = """\
"use strict";
(() => {
  const address = new URLSearchParams(location.search);
  const remember = (key, value) => {
    address.set(key, value);
    history.replaceState(null, "", `?${address}${location.hash}`);
  };
  let headers = null;
  const plain = window.fetch;
  window.fetch = (path, options = {}) => {
    if (options.headers?.["X-Simcord-Context"]) headers = options.headers;
    if (path === "/api/pages") {
      const body = { viewer_id: address.get("as"), target_id: address.get("in") };
      return plain(path, { ...options, body: JSON.stringify(body) });
    }
    if (path === "/api/action" && typeof options.body === "string") {
      const body = JSON.parse(options.body);
      if (body.kind === "viewer") remember("as", body.viewer_id);
    }
    return plain(path, options);
  };

  const relative = /^(in |now$|this |last |next |tomorrow$|yesterday$)|ago$/;
  const units = [["second", 60], ["minute", 3600], ["hour", 86400], ["day", 604800]];
  function countDown() {
    for (const time of document.querySelectorAll("time.discord-timestamp")) {
      if (!relative.test(time.textContent)) continue;
      const seconds = (new Date(time.dateTime) - Date.now()) / 1000;
      const index = units.findIndex(([, below]) => Math.abs(seconds) < below);
      if (index < 0) continue;
      const amount = Math.round(index ? seconds / units[index - 1][1] : seconds);
      const words = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
      const text = words.format(amount, units[index][0]);
      time.setAttribute("aria-live", "off");
      if (time.textContent !== text) time.textContent = text;
    }
  }

  function showPlaces(picker, places) {
    const key = JSON.stringify(places);
    if (picker.dataset.key === key) return;
    picker.dataset.key = key;
    picker.replaceChildren(...places.map(({ id, name }) => new Option(name, id)));
    const here = address.get("in");
    picker.value = places.some(({ id }) => id === here) ? here : places[0]?.id;
  }

  async function ask(path) {
    if (!headers) return null;
    const answer = await plain(path, { headers, cache: "no-store" }).catch(() => null);
    return answer?.ok ? answer.json() : null;
  }

  function offerDismissal() {
    for (const hint of document.querySelectorAll(".message-ephemeral-note")) {
      if (hint.querySelector("button")) continue;
      const id = hint.closest("[data-message-id]")?.dataset.messageId;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Dismiss message";
      button.addEventListener("click", () => ask(`/sandbox/dismiss?message=${id}`));
      if (id) hint.append(" · ", button);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const id of ["capture-open", "refresh"]) {
      document.getElementById(id).style.display = "none";
    }
    document.getElementById("channel-empty").textContent =
      "Type /fix626 start, pick it, and press the arrow to send it (Enter asks for its options). " +
      "The other people: “Viewing as”, at the top, or a tab for each.";
    const viewer = document.getElementById("viewer-picker");
    const label = document.createElement("label");
    label.className = "viewer-control";
    const picker = document.createElement("select");
    picker.id = "place-picker";
    picker.setAttribute("aria-label", "Channel");
    label.append("in ", picker);
    viewer.closest("label").after(label);
    picker.addEventListener("change", () => { remember("in", picker.value); location.reload(); });
    setInterval(() => {
      countDown();
      offerDismissal();
      const name = viewer.selectedOptions[0]?.textContent;
      if (name) document.title = `${name} · Stitch Table`;
    }, 1000);
    const refreshPlaces = async () => {
      const places = await ask("/sandbox/places");
      if (places) showPlaces(picker, places);
    };
    setInterval(refreshPlaces, 2000);
    setTimeout(refreshPlaces, 500);
  });
})();
"""
