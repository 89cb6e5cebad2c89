"""The gateway: sessions, heartbeats, events, and the ways a connection is lost."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp import web

if TYPE_CHECKING:
    from tests.wire.places import Guild
    from tests.wire.world import World

GUILDS, MEMBERS, GUILD_MESSAGES, DIRECT_MESSAGES, CONTENT = 1 << 0, 1 << 1, 1 << 9, 1 << 12, 1 << 15
PRIVILEGED = MEMBERS | 1 << 8 | CONTENT
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT = 0, 1, 2, 6, 7
REQUEST_MEMBERS, INVALID_SESSION, HELLO, ACKNOWLEDGED = 8, 9, 10, 11


def needed_intent(event: str, *, direct: bool) -> int:
    """The intent without which a bot is not told; 0 for what everybody is told."""
    if event.startswith("GUILD_MEMBER_"):
        return MEMBERS
    if event.startswith("MESSAGE_"):
        return DIRECT_MESSAGES if direct else GUILD_MESSAGES
    return GUILDS if event.startswith(("GUILD_", "CHANNEL_", "THREAD_")) else 0


class Session:
    """What one identified client is owed; it outlives its connection until it resumes."""

    def __init__(self, name: str, intents: int, shard: int) -> None:
        self.name, self.intents, self.shard = name, intents, shard
        self.number = 0
        self.sent: deque[tuple[int, str]] = deque(maxlen=2000)
        self.socket: web.WebSocketResponse | None = None
        self.transport: asyncio.BaseTransport | None = None
        self.resumed = 0

    async def dispatch(self, event: str, data: Any) -> None:
        self.number += 1
        frame = json.dumps({"op": DISPATCH, "t": event, "s": self.number, "d": data})
        self.sent.append((self.number, frame))
        await self.send(frame)

    async def send(self, frame: str) -> None:
        if self.socket is not None and not self.socket.closed:
            with contextlib.suppress(ConnectionError):
                await self.socket.send_str(frame)


class Gateway:
    """All sessions, and what tests do to them."""

    def __init__(self, world: World, *, heartbeat_ms: int, shards: int) -> None:
        self.world, self.heartbeat_ms, self.shards = world, heartbeat_ms, shards
        self.refuses = False  # new connections, as in an outage of the whole gateway
        self.allowed_intents = -1  # take PRIVILEGED away to play a portal that refuses them
        self.sessions: dict[str, Session] = {}
        self.identified = 0  # how often a READY went out

    @property
    def connected(self) -> list[Session]:
        return [s for s in self.sessions.values() if s.socket is not None]

    async def emit(self, event: str, data: Any, guild: Guild | None, *, direct: bool) -> None:
        if guild and not guild.present and event != "GUILD_DELETE":
            return
        need = needed_intent(event, direct=direct)
        shard = (guild.id >> 22) % self.shards if guild else 0
        for session in list(self.sessions.values()):
            if session.intents & need == need and session.shard == shard:
                await session.dispatch(event, data)

    # ------------------------------------------------------------------ what goes wrong
    async def drop(self) -> None:
        """The connections break without a word; the sessions can be resumed."""
        for session in self.connected:
            if session.transport:
                session.transport.abort()  # type: ignore[attr-defined]

    async def ask_to_reconnect(self) -> None:
        for session in self.connected:
            await session.send(_frame(RECONNECT, None))

    async def forget_sessions(self) -> None:
        """The sessions are gone: the clients must identify again and get a second READY."""
        lost = list(self.sessions.values())
        self.sessions.clear()
        for session in lost:
            await session.send(_frame(INVALID_SESSION, False))

    async def close(self) -> None:
        for session in self.connected:
            if session.socket is not None:
                await session.socket.close(code=1001)
        self.sessions.clear()

    # ---------------------------------------------------------------------- connections
    async def connection(self, request: web.Request) -> web.WebSocketResponse:
        if self.refuses:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(max_msg_size=1 << 22, timeout=0.5)
        await socket.prepare(request)
        await socket.send_str(_frame(HELLO, {"heartbeat_interval": self.heartbeat_ms}))
        session: Session | None = None
        ended = False
        try:
            while (message := await self._receive(socket)) is not None:
                ended = message.type is aiohttp.WSMsgType.CLOSE and message.data in (1000, 1001)
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                session = await self._handle(json.loads(message.data), socket, session)
                if session is not None:
                    session.transport = request.transport
        finally:
            self._lost(session, socket, ended=ended)
            await self.world.notify()
        return socket

    async def _receive(self, socket: web.WebSocketResponse) -> aiohttp.WSMessage | None:
        try:
            async with asyncio.timeout(self.heartbeat_ms / 1000 * 1.5):
                return await socket.receive()
        except TimeoutError:
            await socket.close(code=4009, message=b"Session timed out.")
            return None

    def _lost(self, session: Session | None, socket: web.WebSocketResponse, *, ended: bool) -> None:
        if session is not None and session.socket is socket:
            session.socket = session.transport = None
            if ended:
                self.sessions.pop(session.name, None)

    async def _handle(
        self, frame: dict[str, Any], socket: web.WebSocketResponse, session: Session | None
    ) -> Session | None:
        data: Any = frame.get("d")
        match frame["op"]:
            case 1:
                # discord.py notes the time of sending late: an answer at once looks like the past.
                await asyncio.sleep(0.02)
                await socket.send_str(_frame(ACKNOWLEDGED, None))
            case 2:
                return await self._identify(data, socket)
            case 6:
                return await self._resume(data, socket)
            case 8 if session is not None:
                await self._send_members(data, session)
        return session

    async def _identify(
        self, data: dict[str, Any], socket: web.WebSocketResponse
    ) -> Session | None:
        if data["token"].removeprefix("Bot ") != self.world.token:
            await socket.close(code=4004, message=b"Authentication failed.")
            return None
        if data["intents"] & PRIVILEGED & ~self.allowed_intents:
            await socket.close(code=4014, message=b"Disallowed intent(s).")
            return None
        shard = (data.get("shard") or [0, 1])[0]
        for name in [n for n, s in self.sessions.items() if s.socket is None and s.shard == shard]:
            del self.sessions[name]
        session = Session(f"session-{self.world.snowflake()}", data["intents"], shard)
        session.socket = socket
        self.sessions[session.name] = session
        await self._greet(session)
        self.identified += 1
        await self.world.notify()
        return session

    async def _greet(self, session: Session) -> None:
        world = self.world
        here = [g for g in world.present_guilds() if (g.id >> 22) % self.shards == session.shard]
        ready = {
            "v": 10,
            "user": world.bot | {"mfa_enabled": False, "verified": True, "email": None},
            "session_id": session.name,
            "resume_gateway_url": world.address.replace("http", "ws") + "/gateway",
            "shard": [session.shard, self.shards],
            "guilds": [{"id": str(g.id), "unavailable": True} for g in here],
            "private_channels": [],
            "application": {"id": str(world.app_id), "flags": 0},
        }
        await session.dispatch("READY", ready)
        for guild in here:
            if not guild.unavailable:
                await session.dispatch("GUILD_CREATE", guild.as_created())

    async def _resume(self, data: dict[str, Any], socket: web.WebSocketResponse) -> Session | None:
        session = self.sessions.get(data["session_id"])
        if session is None:
            await socket.send_str(_frame(INVALID_SESSION, False))
            return None
        session.socket = socket
        for number, frame in list(session.sent):
            if number > data["seq"]:
                await socket.send_str(frame)
        await session.dispatch("RESUMED", {})
        session.resumed += 1
        await self.world.notify()
        return session

    async def _send_members(self, data: dict[str, Any], session: Session) -> None:
        wanted = data["guild_id"]
        guild = self.world.guilds[int(wanted[0] if isinstance(wanted, list) else wanted)]
        asked = data.get("user_ids") or []
        asked = asked if isinstance(asked, list) else [asked]
        ids = [u for u in guild.members if not asked or str(u) in map(str, asked)]
        body = {
            "guild_id": str(guild.id),
            "members": [guild.member(u) for u in ids],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [u for u in asked if int(u) not in guild.members],
            "nonce": data.get("nonce"),
        }
        await session.dispatch("GUILD_MEMBERS_CHUNK", body)


def _frame(op: int, data: Any) -> str:
    return json.dumps({"op": op, "d": data, "s": None, "t": None})
