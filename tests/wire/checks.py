"""The rules of message, interaction and thread bodies, as Discord publishes them."""

from __future__ import annotations

from typing import Any

from tests.wire import components
from tests.wire.errors import empty_message
from tests.wire.shapes import (
    Form,
    Path,
    Shape,
    also,
    anything,
    boolean,
    many,
    number,
    one_of,
    record,
    snowflake,
    text,
)

SUPPRESS_EMBEDS, EPHEMERAL, LOADING, SILENT, V2 = 1 << 2, 1 << 6, 1 << 7, 1 << 12, 1 << 15
MOST_FILES = 10


def check(shape: Shape, body: Any) -> None:
    """Refuse the body as Discord would if it is not of this shape."""
    form = Form()
    shape(form, (), body)
    form.refuse()


# ------------------------------------------------------------------------- messages
def mentions_agree(form: Form, path: Path, value: Any) -> None:
    for key in ("users", "roles"):
        if key in (value.get("parse") or []) and value.get(key):
            code = "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"
            form.wrong((*path, key), code, f"parse:[{key!r}] and {key} are mutually exclusive")


allowed_mentions = also(
    record(
        {},
        {
            "parse": many(one_of("users", "roles", "everyone"), 0, 3),
            "users": many(snowflake, 0, 100),
            "roles": many(snowflake, 0, 100),
            "replied_user": boolean,
        },
    ),
    mentions_agree,
)
_picture = record({"url": text(1, 2048, r"(https?|attachment)://\S+")})
embed = record(
    {},
    {
        "type": text(0, 32),
        "flags": number(0, 2**31 - 1),
        "url": text(1, 2048, r"https?://\S+"),
        "title": text(0, 256),
        "description": text(0, 4096),
        "color": number(0, 0xFFFFFF),
        "timestamp": text(1, 64),
        "author": anything,
        "footer": anything,
        "image": _picture,
        "thumbnail": _picture,
        "fields": many(
            record({"name": text(1, 256), "value": text(1, 1024)}, {"inline": boolean}), 0, 25
        ),
    },
)
attachment = record(
    {"id": snowflake},
    {"filename": text(1, 1024), "description": text(0, 1024), "title": text(0, 1024)},
)
_message: dict[str, Shape] = {
    "content": text(0, 2000),
    "embeds": many(embed, 0, 10),
    "allowed_mentions": allowed_mentions,
    "components": anything,  # checked by `check_message`, which knows the flags
    "flags": number(0, 2**31 - 1),
    "attachments": many(attachment, 0, MOST_FILES),
    "tts": boolean,
}
_sent: dict[str, Shape] = {
    "nonce": text(1, 25),
    "enforce_nonce": boolean,
    "sticker_ids": many(snowflake, 0, 3),
    "message_reference": record(
        {"message_id": snowflake},
        {
            "channel_id": snowflake,
            "guild_id": snowflake,
            "fail_if_not_exists": boolean,
            "type": one_of(0, 1),
        },
    ),
    "poll": anything,
}
send = record({}, _message | _sent)
edit = record({}, _message)
reply = record({}, _message | {"poll": anything})


def check_message(
    body: dict[str, Any], *, flags: int, old: dict[str, Any] | None, files: int
) -> None:
    """What a message's parts say about each other; `flags` are the ones it will have."""
    form = Form()
    parts = body.get("components")
    shape = components.message_v2 if flags & V2 else components.message_v1
    if parts is not None:
        shape(form, ("components",), parts)
    elif old and flags & V2 and not old["flags"] & V2:
        form.wrong(("components",), "BASE_TYPE_REQUIRED", "the V2 flag needs components")
    legacy = [k for k in ("content", "embeds", "poll", "sticker_ids") if body.get(k)]
    if old and flags & V2 and not old["flags"] & V2:
        legacy += [k for k in ("content", "embeds") if k not in body and old[k]]
    for key in legacy if flags & V2 else ():
        code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
        form.wrong((key,), code, f"{key} cannot be used with Components V2")
    if body.get("embeds") and not all(e.keys() - {"type", "color"} for e in body["embeds"]):
        form.wrong(("embeds",), "BASE_TYPE_REQUIRED", "an embed shows nothing")
    form.refuse()
    kept = old or {}
    shown = ("content", "embeds", "components", "attachments", "sticker_ids", "poll")
    if not files and not any(body[k] if k in body else kept.get(k) for k in shown):
        raise empty_message()


def carries_text(body: dict[str, Any]) -> bool:
    """Whether the body holds text in which a mention could ping somebody."""
    texts = (p.get("content") for _, p in components.walk(body.get("components")))
    return bool(body.get("content")) or any(texts)


# --------------------------------------------------------------------- interactions
def choice(value: Shape) -> Shape:
    return record({"name": text(1, 100), "value": value}, {"name_localizations": anything})


def _choice_value(form: Form, path: Path, value: Any) -> None:
    (text(1, 100) if isinstance(value, str) else number(-(2**53), 2**53, whole=False))(
        form, path, value
    )


choices = record({}, {"choices": many(choice(_choice_value), 0, 25)})
callback_data: dict[int, Shape] = {
    4: reply,
    5: record({}, {"flags": one_of(0, EPHEMERAL)}),
    6: anything,
    7: edit,
    8: choices,
    9: components.modal,
}
# Which answers suit a command (2), a component (3), an autocomplete (4), a modal (5).
SUITABLE = {2: {4, 5, 9}, 3: {4, 5, 6, 7, 9}, 4: {8}, 5: {4, 5, 6, 7}}
callback = record({"type": one_of(*callback_data)}, {"data": anything})


def check_callback(body: Any, interaction_type: int, *, on_message: bool) -> None:
    check(callback, body)
    kind = body["type"]
    form = Form()
    if kind not in SUITABLE[interaction_type] or (kind in (6, 7) and not on_message):
        message = f"type {kind} does not answer an interaction of type {interaction_type}"
        form.wrong(("type",), "BASE_TYPE_CHOICES", message)
    elif kind in (4, 7, 8, 9) or body.get("data") is not None:
        callback_data[kind](form, ("data",), body.get("data"))
    form.refuse()


# ------------------------------------------------------------------------- channels
_duration = one_of(60, 1440, 4320, 10080)
_new_thread: dict[str, Shape] = {
    "auto_archive_duration": _duration,
    "rate_limit_per_user": number(0, 21600),
    "type": one_of(10, 11, 12),
    "invitable": boolean,
}
_name: dict[str, Shape] = {"name": text(1, 100)}
new_thread = record(_name, _new_thread)
new_post = record(_name | {"message": send}, _new_thread | {"applied_tags": many(snowflake, 0, 5)})
edit_channel = record(
    {},
    _name
    | _new_thread
    | {
        "archived": boolean,
        "locked": boolean,
        "topic": text(0, 1024),
        "applied_tags": many(snowflake, 0, 5),
        "flags": number(0, 2**31 - 1),
        "nsfw": boolean,
        "position": number(0, 1000),
        "parent_id": snowflake,
        "permission_overwrites": anything,
    },
)
bulk_delete = record({"messages": many(snowflake, 2, 100)})
open_dm = record({"recipient_id": snowflake})
new_emoji = record({"name": text(2, 32, r"\w+"), "image": text(1, 400_000, r"data:image/.*")})
rename_emoji = record({"name": text(2, 32, r"\w+")})
nothing = record({})
