"""Routes of interactions, commands, the application and the bot's own user."""

from __future__ import annotations

import base64
import time
from typing import Any

from tests.wire import checks, command_checks, errors
from tests.wire.messages import Message, blank, build
from tests.wire.records import Interaction
from tests.wire.rest import Answer, Request, route
from tests.wire.shapes import anything
from tests.wire.world import World


# ---------------------------------------------------------------------- first answers
@route("POST", "/interactions/{interaction}/{token}/callback", body=anything)
async def callback(r: Request) -> Answer:
    found = r.world.interactions.get(r.args["token"])
    late = found and time.monotonic() - found.born > r.world.ack_seconds
    if found is None or found.id != r.number("interaction") or (late and found.acked is None):
        raise errors.unknown_interaction()
    if found.acked is not None:
        if found.deliveries == 1:
            r.world.violations.append(f"a second first answer to {found.sent}")
        raise errors.already_acknowledged()
    checks.check_callback(r.body, found.type, on_message=found.message_id is not None)
    kind, data = r.body["type"], r.body.get("data") or {}
    message = await ANSWERS[kind](r, found, data)
    found.acked, found.kind = time.monotonic(), kind
    if r.query.get("with_response", "").lower() not in ("true", "1"):
        return 204, None
    return _described(found, kind, message)


def _described(found: Interaction, kind: int, message: Message | None) -> dict[str, Any]:
    about: dict[str, Any] = {
        "id": str(found.id),
        "type": found.type,
        "response_message_loading": kind == 5,
        "response_message_ephemeral": found.ephemeral,
    }
    if found.original_id:
        about["response_message_id"] = str(found.original_id)
    out: dict[str, Any] = {"interaction": about}
    if message is not None:
        out["resource"] = {"type": kind, "message": message}
    return out


async def _say(r: Request, found: Interaction, data: dict[str, Any]) -> Message:
    message = build(r.world, str(found.channel.id), data, r.files)
    await _place(r.world, found, message)
    found.original_id, found.ephemeral = message.id, message.ephemeral
    return message


async def _think(r: Request, found: Interaction, data: dict[str, Any]) -> None:
    flags = checks.LOADING | (data.get("flags") or 0)
    message = placeholder(r.world, found, flags)
    await _place(r.world, found, message)
    found.original_id, found.ephemeral = message.id, message.ephemeral


def placeholder(world: World, found: Interaction, flags: int) -> Message:
    """The message that says that the bot is thinking."""
    message = blank(world, str(found.channel.id))
    message["flags"] = flags
    world.messages[message.id] = message
    return message


async def _place(world: World, found: Interaction, message: Message) -> None:
    """Sign a new answer, show it to whom it is for, and wake an archived thread."""
    about: dict[str, Any] = {
        "id": str(found.id),
        "type": found.type,
        "user": found.person.user,
        "authorizing_integration_owners": {},
    }
    if found.message_id:
        about["interacted_message_id"] = str(found.message_id)
    message |= {"interaction_metadata": about, "application_id": str(world.app_id)}
    message |= {"webhook_id": str(world.app_id), "type": 20 if found.type == 2 else 0}
    if message.ephemeral:
        world.viewers[message.id] = found.person.id
    elif found.channel.archived and not found.channel.locked:
        await found.channel.reopen()
    await world.announce("MESSAGE_CREATE", message)


async def _later(r: Request, found: Interaction, data: dict[str, Any]) -> None:
    found.original_id = found.message_id
    found.ephemeral = found.message_id in r.world.viewers


async def _change(r: Request, found: Interaction, data: dict[str, Any]) -> Message:
    assert found.message_id is not None
    old = r.world.messages.get(found.message_id)
    if old is None:  # deleted since it was pressed
        raise errors.unknown_message()
    await _later(r, found, data)
    message = build(r.world, str(found.channel.id), data, r.files, old=old)
    await r.world.announce("MESSAGE_UPDATE", message)
    return message


async def _offer(r: Request, found: Interaction, data: dict[str, Any]) -> None:
    found.choices = data.get("choices") or []


async def _ask(r: Request, found: Interaction, data: dict[str, Any]) -> None:
    found.modal = data


ANSWERS = {4: _say, 5: _think, 6: _later, 7: _change, 8: _offer, 9: _ask}


# ---------------------------------------------------------------------- later answers
@route("POST", "/webhooks/{app}/{token}", body=checks.reply, limit=(5, 2.0))
async def follow_up(r: Request) -> Answer:
    found, world = r.interaction(), r.world
    first = world.messages.get(found.original_id or 0)
    if first is not None and first.loading:  # it becomes the answer; its visibility stays
        body = r.body | {"flags": (r.body.get("flags") or 0) & ~checks.EPHEMERAL}
        message = build(world, str(found.channel.id), body, r.files, old=first)
        await world.announce("MESSAGE_UPDATE", message)
        return message
    message = build(world, str(found.channel.id), r.body, r.files)
    found.followup_ids.append(message.id)
    await _place(world, found, message)
    return message


def answer_of(r: Request) -> tuple[Interaction, Message]:
    found = r.interaction()
    name = r.args["message"]
    number = found.original_id if name == "@original" else int(name)
    message = r.world.messages.get(number or 0)
    if message is None or number not in (found.original_id, *found.followup_ids):
        raise errors.unknown_message()
    return found, message


@route("GET", "/webhooks/{app}/{token}/messages/{message}")
async def get_answer(r: Request) -> Answer:
    return answer_of(r)[1]


@route("PATCH", "/webhooks/{app}/{token}/messages/{message}", body=checks.edit, limit=(5, 2.0))
async def edit_answer(r: Request) -> Answer:
    found, old = answer_of(r)
    if found.channel.archived and not old.ephemeral:
        raise errors.thread_archived()
    message = build(r.world, str(found.channel.id), r.body, r.files, old=old)
    await r.world.announce("MESSAGE_UPDATE", message)
    return message


@route("DELETE", "/webhooks/{app}/{token}/messages/{message}", limit=(5, 2.0))
async def delete_answer(r: Request) -> Answer:
    found, message = answer_of(r)
    await found.channel.delete_message(message)
    return 204, None


# --------------------------------------------------------------------------- commands
COMMANDS = "/applications/{app}/(?:guilds/{guild}/)?commands"


def scope(r: Request) -> int | None:
    guild = int(r.args["guild"]) if "guild" in r.args else None
    if guild is not None and (guild not in r.world.guilds or not r.world.guilds[guild].present):
        raise errors.missing_access()
    return guild


def registered(r: Request, body: dict[str, Any], old: dict[str, Any] | None) -> dict[str, Any]:
    """A command as the API shows it after it was taken."""
    guild = scope(r)
    command: dict[str, Any] = {
        "id": old["id"] if old else str(r.world.snowflake()),
        "application_id": str(r.world.app_id),
        "version": str(r.world.snowflake()),
        "type": 1,
        "description": "",
        "default_member_permissions": None,
        "dm_permission": True,
        "contexts": None,
        "integration_types": [0],
        "nsfw": False,
        **(old or {}),
        **{k: v for k, v in body.items() if v is not None or k == "contexts"},
    }
    if guild is not None:
        command["guild_id"] = str(guild)
    if command["default_member_permissions"] is not None:
        command["default_member_permissions"] = str(command["default_member_permissions"])
    return command


@route("PUT", COMMANDS, body=command_checks.all_commands)
async def put_commands(r: Request) -> Answer:
    old = {(c["type"], c["name"]): c for c in r.world.commands.get(scope(r), [])}
    r.world.commands[scope(r)] = [
        registered(r, c, _same(old.get((c.get("type") or 1, c["name"])))) for c in r.body
    ]
    return r.world.commands[scope(r)]


def _same(old: dict[str, Any] | None) -> dict[str, Any] | None:
    return {"id": old["id"]} if old else None


@route("GET", COMMANDS)
async def get_commands(r: Request) -> Answer:
    return r.world.commands.get(scope(r), [])


@route("POST", COMMANDS, body=command_checks.command)
async def post_command(r: Request) -> Answer:
    here = r.world.commands.setdefault(scope(r), [])
    kind = r.body.get("type") or 1
    old = next((c for c in here if (c["type"], c["name"]) == (kind, r.body["name"])), None)
    command = registered(r, r.body, _same(old))
    r.world.commands[scope(r)] = [c for c in here if c is not old] + [command]
    return (200 if old else 201), command


def one_command(r: Request) -> dict[str, Any]:
    for command in r.world.commands.get(scope(r), []):
        if command["id"] == r.args["command"]:
            return command
    raise errors.unknown_command()


@route("GET", COMMANDS + "/{command}")
async def get_command(r: Request) -> Answer:
    return one_command(r)


@route("PATCH", COMMANDS + "/{command}", body=command_checks.partial)
async def patch_command(r: Request) -> Answer:
    old = one_command(r)
    old |= registered(r, r.body, old)
    return old


@route("DELETE", COMMANDS + "/{command}")
async def delete_command(r: Request) -> Answer:
    r.world.commands[scope(r)].remove(one_command(r))
    return 204, None


# ----------------------------------------------------------------- application and bot
@route("GET", "/gateway(?:/bot)?")
async def gateway(r: Request) -> Answer:
    return {
        "url": r.world.address.replace("http", "ws") + "/gateway",
        "shards": r.world.gateway.shards,
        "session_start_limit": {
            "total": 1000,
            "remaining": 999,
            "reset_after": 0,
            "max_concurrency": 1,
        },
    }


@route("GET", "/users/@me")
async def me(r: Request) -> Answer:
    return r.world.bot | {"mfa_enabled": False, "verified": True, "email": None, "locale": "en-US"}


@route("GET", "/(?:oauth2/)?applications/@me")
async def application(r: Request) -> Answer:
    return {
        "id": str(r.world.app_id),
        "name": r.world.bot["username"],
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": r.world.bot,
        "team": None,
        "flags": 0,
        "summary": "",
        "bot": r.world.bot,
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "approximate_guild_count": len(list(r.world.present_guilds())),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "flags_new": "0",
        "type": None,
        "integration_types_config": {"0": {}, "1": {}},
    }


@route("GET", "/applications/{app}/emojis")
async def get_emojis(r: Request) -> Answer:
    return {"items": r.world.emojis}


@route("POST", "/applications/{app}/emojis", body=checks.new_emoji)
async def post_emoji(r: Request) -> Answer:
    data = base64.b64decode(r.body["image"].split(",", 1)[1])
    if len(data) > 256 * 1024:
        raise errors.BadRequest(400, 50138, "Failed to resize asset below the minimum size")
    emoji = {
        "id": str(r.world.snowflake()),
        "name": r.body["name"],
        "roles": [],
        "user": r.world.bot,
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
    r.world.emojis.append(emoji)
    return 201, emoji


@route("DELETE", "/applications/{app}/emojis/{emoji}")
async def delete_emoji(r: Request) -> Answer:
    kept = [e for e in r.world.emojis if e["id"] != r.args["emoji"]]
    if len(kept) == len(r.world.emojis):
        raise errors.unknown_emoji()
    r.world.emojis = kept
    return 204, None


@route("GET", "/users/{user}")
async def get_user(r: Request) -> Answer:
    if r.number("user") not in r.world.users:
        raise errors.unknown_user()
    return r.world.users[r.number("user")]


@route("POST", "/users/@me/channels", body=checks.open_dm)
async def open_dm(r: Request) -> Answer:
    user = int(r.body["recipient_id"])
    if user not in r.world.users:
        raise errors.unknown_user()
    return r.world.dm(r.world.person_of(user)).data
