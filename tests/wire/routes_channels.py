"""Routes of channels, messages, threads and guilds."""

from __future__ import annotations

from typing import Any

from tests.wire import checks, errors
from tests.wire.messages import Message, build, foreign
from tests.wire.permissions import P
from tests.wire.places import FORUM, PRIVATE_THREAD, THREAD, Channel, Guild
from tests.wire.rest import Answer, Request, route
from tests.wire.shapes import anything

MESSAGES = "/channels/{channel}/messages"
BURST = (5, 5.0)


# -------------------------------------------------------------------------- messages
def may_speak(r: Request, body: dict[str, Any]) -> Channel:
    """The channel of a send, with everything that this send needs in it."""
    channel = r.channel()
    needed = [P.SEND_MESSAGES_IN_THREADS if channel.is_thread else P.SEND_MESSAGES]
    if r.files:
        needed.append(P.ATTACH_FILES)
    if body.get("embeds"):
        needed.append(P.EMBED_LINKS)
    if body.get("message_reference"):
        needed.append(P.READ_MESSAGE_HISTORY)
    return r.channel(*needed)


@route("POST", MESSAGES, body=checks.send, limit=BURST)
async def send(r: Request) -> Answer:
    channel = may_speak(r, r.body)
    foreign(r.body)
    if channel.data["type"] == 1:
        person = int(channel.data["recipients"][0]["id"])
        if person in r.world.closed_dms:
            raise errors.closed_to_messages()
    if channel.locked and not channel.bot_may(P.MANAGE_THREADS):
        raise errors.missing_permissions()
    if again := _sent_before(r, channel):
        return again
    message = build(r.world, str(channel.id), r.body, r.files)
    if "nonce" in r.body:
        message["nonce"] = r.body["nonce"]
    if channel.archived:
        await channel.reopen()
    channel.active_at = r.world.now()
    channel.data["last_message_id"] = message["id"]
    await r.world.announce("MESSAGE_CREATE", message)
    return message


def _sent_before(r: Request, channel: Channel) -> Message | None:
    """The message that a repeated send with an enforced nonce means; "in the past few minutes"."""
    if not r.body.get("enforce_nonce"):
        return None
    same = (m for m in channel.messages if m.get("nonce") == r.body["nonce"])
    return next(same, None)


@route("GET", MESSAGES)
async def history(r: Request) -> Answer:
    """Without the right to read the history Discord shows none, and says nothing."""
    channel = r.channel()
    if not channel.bot_may(P.READ_MESSAGE_HISTORY):
        return []
    before = int(r.query.get("before") or 2**63)
    after = int(r.query.get("after") or 0)
    found = [m for m in channel.messages if after < m.id < before]
    limit = int(r.query.get("limit") or 50)
    return found[:limit][::-1] if "after" in r.query else found[::-1][:limit]


@route("GET", MESSAGES + "/{message}")
async def get_message(r: Request) -> Answer:
    return r.message(r.channel(P.READ_MESSAGE_HISTORY))


@route("PATCH", MESSAGES + "/{message}", body=checks.edit, limit=BURST)
async def edit(r: Request) -> Answer:
    channel = r.channel(*([P.ATTACH_FILES] if r.files else []))
    old = r.message(channel)
    if int(old["author"]["id"]) != r.world.app_id:
        raise errors.not_the_author()
    if channel.archived:
        raise errors.thread_archived()
    if channel.locked and not channel.bot_may(P.MANAGE_THREADS):
        raise errors.missing_permissions()
    message = build(r.world, str(channel.id), r.body, r.files, old=old)
    await r.world.announce("MESSAGE_UPDATE", message)
    return message


@route("DELETE", MESSAGES + "/{message}", limit=(5, 1.0))
async def delete(r: Request) -> Answer:
    channel = r.channel()
    message = r.message(channel)
    if int(message["author"]["id"]) != r.world.app_id:
        r.channel(P.MANAGE_MESSAGES)
    await channel.delete_message(message)
    return 204, None


@route("POST", MESSAGES + "/bulk-delete", body=checks.bulk_delete)
async def bulk_delete(r: Request) -> Answer:
    channel = r.channel(P.MANAGE_MESSAGES)
    for one in r.body["messages"]:
        if message := r.world.messages.get(int(one)):
            await channel.delete_message(message)
    return 204, None


@route("POST", "/channels/{channel}/typing")
async def typing(r: Request) -> Answer:
    r.channel(P.SEND_MESSAGES)
    return 204, None


PINS = "/channels/{channel}/(?:messages/)?pins"


@route("GET", PINS)
async def pins(r: Request) -> Answer:
    kept = [m for m in r.channel(P.READ_MESSAGE_HISTORY).messages if m["pinned"]]
    return {"items": [{"message": m, "pinned_at": m["timestamp"]} for m in kept], "has_more": False}


@route("PUT", PINS + "/{message}")
async def pin(r: Request) -> Answer:
    r.message(r.channel(P.MANAGE_MESSAGES))["pinned"] = True
    return 204, None


@route("DELETE", PINS + "/{message}")
async def unpin(r: Request) -> Answer:
    r.message(r.channel(P.MANAGE_MESSAGES))["pinned"] = False
    return 204, None


@route("PUT", MESSAGES + "/{message}/reactions/{emoji}/@me", limit=(1, 0.25))
async def react(r: Request) -> Answer:
    r.message(r.channel(P.ADD_REACTIONS, P.READ_MESSAGE_HISTORY))
    return 204, None


# -------------------------------------------------------------------------- channels
@route("GET", "/channels/{channel}")
async def get_channel(r: Request) -> Answer:
    return r.channel().data


@route("PATCH", "/channels/{channel}", body=checks.edit_channel, limit=BURST)
async def edit_channel(r: Request) -> Answer:
    channel = r.channel()
    if channel.is_thread:
        _may_edit_thread(r, channel)
    else:
        r.channel(P.MANAGE_CHANNELS)
    for key, value in r.body.items():
        held = channel.data.get("thread_metadata", {})
        (held if key in held else channel.data)[key] = value
    channel.active_at = r.world.now()
    await channel.changed()
    return channel.data


def _may_edit_thread(r: Request, channel: Channel) -> None:
    """Its owner may rename and archive it, anybody wake it; the rest is for moderators."""
    waking = r.body.get("archived") is False
    if channel.archived and not waking:
        raise errors.thread_archived()
    if channel.bot_may(P.MANAGE_THREADS):
        return
    mine = channel.data["owner_id"] == str(r.world.app_id)
    allowed = {"archived", "name", "auto_archive_duration"} if mine else set()
    if waking and channel.bot_may(P.SEND_MESSAGES_IN_THREADS):
        allowed.add("archived")
    if channel.locked or not r.body.keys() <= allowed:
        raise errors.missing_permissions()


@route("DELETE", "/channels/{channel}")
async def delete_channel(r: Request) -> Answer:
    channel = r.channel()
    r.channel(P.MANAGE_THREADS if channel.is_thread else P.MANAGE_CHANNELS)
    await channel.delete()
    return channel.data


@route("POST", MESSAGES + "/{message}/threads", body=checks.new_thread, limit=BURST)
async def thread_from_message(r: Request) -> Answer:
    channel = r.channel(P.CREATE_PUBLIC_THREADS)
    return await _new_thread(r, channel, THREAD, start=r.message(channel))


async def _new_thread(
    r: Request, channel: Channel, kind: int, *, start: Message | None = None
) -> Answer:
    thread = channel.thread(r.body["name"], kind, owner=r.world.app_id)
    if start:  # such a thread has its first message's id
        del r.world.channels[thread.id]
        thread.id = start.id
        thread.data["id"] = start["id"]
        r.world.channels[thread.id] = thread
    if duration := r.body.get("auto_archive_duration"):
        thread.data["thread_metadata"]["auto_archive_duration"] = duration
    await r.world.emit("THREAD_CREATE", thread.data | {"newly_created": True}, channel.guild)
    joined = {"id": str(thread.id), "user_id": str(r.world.app_id), "flags": 0}
    joined["join_timestamp"] = r.world.iso()
    return 201, thread.data | {"member": joined}


@route("POST", "/channels/{channel}/threads", body=anything, limit=BURST)
async def new_thread(r: Request) -> Answer:
    channel = r.channel()
    if channel.data["type"] == FORUM:
        checks.check(checks.new_post, r.body)
        r.channel(P.SEND_MESSAGES)
        status, thread = await _new_thread(r, channel, THREAD)
        message = build(r.world, thread["id"], r.body["message"], r.files)
        await r.world.announce("MESSAGE_CREATE", message)
        return status, thread | {"message": message}
    checks.check(checks.new_thread, r.body)
    kind = r.body.get("type") or PRIVATE_THREAD
    private = kind == PRIVATE_THREAD
    r.channel(P.CREATE_PRIVATE_THREADS if private else P.CREATE_PUBLIC_THREADS)
    return await _new_thread(r, channel, kind)


@route("PUT", "/channels/{channel}/thread-members/{user}")
@route("DELETE", "/channels/{channel}/thread-members/{user}")
async def thread_member(r: Request) -> Answer:
    channel = r.channel()
    if channel.archived:
        raise errors.thread_archived()
    return 204, None


# ---------------------------------------------------------------------------- guilds
def guild_of(r: Request) -> Guild:
    guild = r.world.guilds.get(r.number("guild"))
    if guild is None:
        raise errors.unknown_guild()
    if not guild.present:
        raise errors.missing_access()
    return guild


@route("GET", "/guilds/{guild}")
async def get_guild(r: Request) -> Answer:
    return guild_of(r).as_created()


@route("GET", "/guilds/{guild}/channels")
async def get_channels(r: Request) -> Answer:
    return [c.data for c in guild_of(r).channels if not c.is_thread]


@route("GET", "/guilds/{guild}/members/{user}")
async def get_member(r: Request) -> Answer:
    guild = guild_of(r)
    if r.number("user") not in r.world.users:
        raise errors.unknown_user()
    if r.number("user") not in guild.members:
        raise errors.unknown_member()
    return guild.member(r.number("user"))


@route("GET", "/guilds/{guild}/threads/active")
async def active_threads(r: Request) -> Answer:
    open_ones = [c.data for c in guild_of(r).channels if c.is_thread and not c.archived]
    return {"threads": open_ones, "members": []}
