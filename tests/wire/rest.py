"""The REST side: finds the route, checks the body, counts against the limits, logs the call."""

from __future__ import annotations

import asyncio
import json
import re
import time
import traceback
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import BodyPartReader, web

from tests.wire import checks, errors
from tests.wire.errors import BadRequest, Refusal
from tests.wire.messages import Files, Message
from tests.wire.permissions import Permission
from tests.wire.places import Channel
from tests.wire.records import Call, Fault, Interaction
from tests.wire.shapes import Shape
from tests.wire.world import World

Answer = Any  # JSON, or (status, JSON)
HELD = 30.0
WORLD: web.AppKey[World] = web.AppKey("world", World)


@dataclass
class Request:
    """One call, its body already checked against the route's shape."""

    world: World
    method: str
    args: dict[str, str]
    query: dict[str, str]
    body: Any
    files: Files

    def number(self, name: str) -> int:
        return int(self.args[name])

    def channel(self, *needed: Permission) -> Channel:
        """The channel named in the path, if the bot can see it and may do this there."""
        channel = self.world.channels.get(self.number("channel"))
        if channel is None:
            raise errors.unknown_channel()
        mine = self.world.may(channel, self.world.app_id)
        if not mine & Permission.VIEW_CHANNEL:
            raise errors.missing_access()
        for permission in needed:
            if not mine & permission:
                raise errors.missing_permissions()
        return channel

    def message(self, channel: Channel) -> Message:
        message = self.world.messages.get(self.number("message"))
        if message is None or int(message["channel_id"]) != channel.id or message.ephemeral:
            raise errors.unknown_message()
        return message

    def interaction(self) -> Interaction:
        """The one whose token is in the path, once it is acknowledged and while it lives."""
        found = self.world.interactions.get(self.args["token"])
        if found is None or found.acked is None:
            raise errors.unknown_webhook()
        if self.world.now() - found.born_at > self.world.token_seconds:
            raise errors.invalid_webhook_token()
        return found


@dataclass
class Route:
    method: str
    pattern: re.Pattern[str]
    handle: Callable[[Request], Awaitable[Answer]]
    body: Shape | None
    limit: tuple[int, float] | None

    @property
    def bucket(self) -> str:
        return f"{zlib.crc32(f'{self.method} {self.pattern.pattern}'.encode()):08x}"


routes: list[Route] = []


def route(
    method: str, template: str, *, body: Shape | None = None, limit: tuple[int, float] | None = None
) -> Callable[[Callable[[Request], Awaitable[Answer]]], Callable[[Request], Awaitable[Answer]]]:
    """Serve a path; `limit` is (calls, seconds) for each channel or token."""
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template))

    def register(
        handle: Callable[[Request], Awaitable[Answer]],
    ) -> Callable[[Request], Awaitable[Answer]]:
        routes.append(Route(method, pattern, handle, body, limit))
        return handle

    return register


def find(method: str, path: str) -> tuple[Route, dict[str, str]]:
    for one in routes:
        if one.method == method and (hit := one.pattern.fullmatch(path)):
            return one, {k: v for k, v in hit.groupdict().items() if v is not None}
    raise LookupError(f"{method} {path}")


# ------------------------------------------------------------------------ one request
async def endpoint(request: web.Request) -> web.StreamResponse:
    world = request.app[WORLD]
    path = "/" + request.match_info["tail"]
    body, files = await read(request)
    call = Call(world.now(), request.method, path, body, tuple(f[0] for f in files.values()))
    world.log.append(call)
    started = time.monotonic()
    world.under_way += 1
    try:
        fault = world.fitting_fault(request.method, path)
        status, out, headers = await answer(world, request, call, files, fault)
        if fault and fault.drop:
            call.status = 0
            if request.transport:
                request.transport.abort()
    finally:
        world.under_way -= 1
        call.seconds = time.monotonic() - started
    await world.notify()
    if out is None:
        return web.Response(status=status, headers=headers)
    # discord.py compares this header with exactly these words.
    headers["Content-Type"] = "application/json"
    return web.Response(body=json.dumps(out).encode(), status=status, headers=headers)


async def read(request: web.Request) -> tuple[Any, Files]:
    if request.content_type != "multipart/form-data":
        return (await request.json() if request.can_read_body else None), {}
    body, files = None, {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = bytes(await part.read())
        if part.name == "payload_json":
            body = json.loads(data)
        elif found := re.fullmatch(r"files\[(\d+)\]", part.name or ""):
            kind = part.headers.get("Content-Type", "application/octet-stream")
            files[int(found[1])] = (part.filename or "file", data, kind)
    return body, files


async def answer(
    world: World, request: web.Request, call: Call, files: Files, fault: Fault | None
) -> tuple[int, Any, dict[str, str]]:
    headers: dict[str, str] = {}
    try:
        if fault and not fault.after:
            await go_wrong(world, fault)
        out = await serve_call(world, request, call, files, headers)
        if fault and fault.after:
            await go_wrong(world, fault)
    except Refusal as refusal:
        if isinstance(refusal, BadRequest):
            words = json.dumps(refusal.body.get("errors", refusal.body["message"]))
            world.violations.append(f"{call.method} {call.path}: {words}")
        call.code = refusal.code
        out = refusal.status, refusal.body
        if refusal.status == 429:
            headers |= limited(refusal.body["retry_after"])
    except Exception:
        traceback.print_exc()
        world.gaps.append(f"the loopback crashed on {call.method} {call.path}")
        out = 500, {"message": "the loopback crashed", "code": 0}
    status, body = out if isinstance(out, tuple) else (200, out)
    call.status = status
    return status, body, headers


async def go_wrong(world: World, fault: Fault) -> None:
    held = fault.delay >= HELD  # for good: nobody waits until this call is over
    world.under_way -= held
    try:
        await asyncio.sleep(fault.delay)
    finally:
        world.under_way += held
    if fault.refusal:
        raise fault.refusal
    if fault.drop and not fault.after:
        raise errors.server_error(502)  # never seen: the connection is cut


def limited(retry_after: float) -> dict[str, str]:
    """Headers of a 429; without Via, discord.py takes it for a ban and gives up at once."""
    return {
        "Retry-After": str(int(retry_after) + 1),
        "Via": "1.1 google",
        "X-RateLimit-Scope": "user",
    }


async def serve_call(
    world: World, request: web.Request, call: Call, files: Files, headers: dict[str, str]
) -> Answer:
    try:
        found, args = find(call.method, call.path)
    except LookupError as error:
        world.gaps.append(f"no route for {error}")
        raise Refusal(404, 0, f"404: Not Found, the loopback has no {error}") from None
    by_token = call.path.startswith(("/interactions/", "/webhooks/"))
    if not by_token and request.headers.get("Authorization") != f"Bot {world.token}":
        raise Refusal(401, 0, "401: Unauthorized")
    count(world, found, args, headers)
    body = call.body if call.body is not None or not files else {}
    if found.body is not None:
        checks.check(found.body, {} if body is None else body)
    elif body:
        raise BadRequest(400, 50035, f"{call.method} {call.path} takes no body")
    query = dict(request.query)
    return await found.handle(Request(world, call.method, args, query, body or {}, files))


def count(world: World, found: Route, args: dict[str, str], headers: dict[str, str]) -> None:
    """Windows begin with their first call and end after a fixed time, as Discord's do."""
    if not world.rate_limits or not found.limit:
        return
    most, seconds = found.limit
    key = f"{found.bucket}:{args.get('channel') or args.get('token') or args.get('guild')}"
    now = time.monotonic()
    began, used = world.buckets.get(key, (now, 0))
    if now - began >= seconds:
        began, used = now, 0
    left = began + seconds - now
    world.buckets[key] = began, used + 1
    headers |= {
        "X-RateLimit-Limit": str(most),
        "X-RateLimit-Remaining": str(max(0, most - used - 1)),
        "X-RateLimit-Reset-After": f"{left:.3f}",
        "X-RateLimit-Reset": f"{time.time_ns() / 1e9 + left:.3f}",
        "X-RateLimit-Bucket": found.bucket,
    }
    if used >= most:
        raise errors.too_many_requests(round(left, 3))


async def attachment(request: web.Request) -> web.Response:
    world = request.app[WORLD]
    data = world.files.get(world.address + request.path)
    return web.Response(body=data) if data is not None else web.Response(status=404)


@asynccontextmanager
async def serve(world: World, port: int = 0) -> AsyncIterator[World]:
    """The world on a port of 127.0.0.1 for as long as the block runs."""
    from tests.wire import routes_channels, routes_interactions  # noqa: F401

    app = web.Application(client_max_size=128 << 20)
    app[WORLD] = world
    app.router.add_get("/gateway", world.gateway.connection)
    app.router.add_get("/gateway/", world.gateway.connection)
    app.router.add_get("/attachments/{tail:.*}", attachment)
    app.router.add_route("*", "/api/v10/{tail:.*}", endpoint)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    host, bound = runner.addresses[0][:2]
    world.address = f"http://{host}:{bound}"
    try:
        yield world
    finally:
        await world.gateway.close()
        await runner.cleanup()
