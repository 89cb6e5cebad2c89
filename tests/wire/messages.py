"""Messages: what a person reads on them, and how a request body becomes one."""

from __future__ import annotations

import copy
import fnmatch
import re
from typing import TYPE_CHECKING, Any

from tests.wire import checks, components
from tests.wire.errors import BadRequest, too_large
from tests.wire.shapes import Form

if TYPE_CHECKING:
    from tests.wire.world import World

Files = dict[int, tuple[str, bytes, str]]  # number → name, bytes, content type


class Message(dict[str, Any]):
    """A message object as the API shows it, with the questions a test asks of it."""

    @property
    def id(self) -> int:
        return int(self["id"])

    @property
    def ephemeral(self) -> bool:
        return bool(self["flags"] & checks.EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether it still says that the bot is thinking."""
        return bool(self["flags"] & checks.LOADING)

    @property
    def parts(self) -> list[dict[str, Any]]:
        """All components, however deep."""
        return [part for _, part in components.walk(self["components"])]

    @property
    def text(self) -> str:
        """Everything there is to read, from top to bottom, the controls' words included."""
        lines = [self["content"], *(str(e.get("description", "")) for e in self["embeds"])]
        for part in self.parts:
            lines += [str(part[k]) for k in ("content", "label", "placeholder") if part.get(k)]
            lines += [o["label"] for o in part.get("options") or []]
        return "\n".join(filter(None, lines))

    @property
    def custom_ids(self) -> list[str]:
        return [part["custom_id"] for part in self.parts if part.get("custom_id")]

    @property
    def labels(self) -> list[str]:
        """The words on the buttons that can be pressed."""
        buttons = (p for p in self.parts if p["type"] == components.BUTTON)
        return [p.get("label") or p["emoji"]["name"] for p in buttons if not p.get("disabled")]

    def control(self, what: str) -> dict[str, Any]:
        """The one control with this custom id, this label, or a custom id like this pattern."""
        controls = [p for p in self.parts if p.get("custom_id")]
        for fits in (
            lambda p: p["custom_id"] == what,
            lambda p: p.get("label") == what,
            lambda p: fnmatch.fnmatchcase(p["custom_id"], what),
        ):
            if found := [p for p in controls if fits(p)]:
                assert len(found) == 1, f"{what!r} fits {[p['custom_id'] for p in found]}"
                return found[0]
        raise AssertionError(f"no {what!r} among {[p['custom_id'] for p in controls]}")


def blank(world: World, channel: str) -> Message:
    return Message(
        id=str(world.snowflake()),
        channel_id=channel,
        type=0,
        content="",
        author=world.bot,
        timestamp=world.iso(),
        edited_timestamp=None,
        embeds=[],
        attachments=[],
        components=[],
        mentions=[],
        mention_roles=[],
        mention_everyone=False,
        pinned=False,
        tts=False,
        flags=0,
    )


def build(
    world: World,
    channel: str,
    body: dict[str, Any],
    files: Files,
    *,
    old: Message | None = None,
    flags: int = 0,
) -> Message:
    """Make a message of a checked body, or change `old` in place; all of it or nothing."""
    given = body.get("flags") or 0
    if old:
        flags |= old["flags"] & ~checks.LOADING | given & (checks.V2 | checks.SUPPRESS_EMBEDS)
    else:
        flags |= given
    checks.check_message(body, flags=flags, old=old, files=len(files))
    message = Message(old) if old else blank(world, channel)
    message["flags"] = flags
    message["attachments"] = attach(world, channel, body, files, message["attachments"])
    if body.get("components") is not None:
        message["components"] = copy.deepcopy(body["components"])
        _finish_components(world, message)
    if "content" in body:
        message["content"] = (body["content"] or "").strip()
    if "embeds" in body:
        message["embeds"] = [{"type": "rich", **e} for e in body["embeds"] or []]
    if checks.carries_text(body):
        if "allowed_mentions" not in body:
            world.violations.append(f"no allowed_mentions with the text of {message.text[:80]!r}")
        message.update(mentioned(world, message, body.get("allowed_mentions")))
    if old is None:
        world.messages[message.id] = message
        return message
    message["edited_timestamp"] = world.iso()
    old.update(message)
    return old


def attach(
    world: World,
    channel: str,
    body: dict[str, Any],
    files: Files,
    old: list[dict[str, Any]],
) -> list[dict[str, Any]]:
    """The attachments that the message has from now on: kept ones and uploads, in order."""
    if len(files) > checks.MOST_FILES:
        raise too_large()
    if any(len(data) > world.largest_file for _, data, _ in files.values()):
        raise too_large()
    declared = body.get("attachments")
    if declared is None:
        return old + [store(world, channel, f, {}) for f in files.values()]
    kept = {a["id"]: a for a in old}
    form, out = Form(), []
    for at, one in enumerate(declared):
        if str(one["id"]) in kept:
            out.append(kept[str(one["id"])])
        elif int(one["id"]) in files:
            out.append(store(world, channel, files[int(one["id"])], one))
        else:
            path = ("attachments", at, "id")
            form.wrong(path, "MESSAGE_ATTACHMENT_NOT_FOUND", f"no file {one['id']}")
    form.refuse()
    return out


def store(
    world: World, channel: str, file: tuple[str, bytes, str], declared: dict[str, Any]
) -> dict[str, Any]:
    name, data, kind = file
    number = world.snowflake()
    url = f"{world.address}/attachments/{channel}/{number}/{name}"
    world.files[url] = data
    out: dict[str, Any] = {
        "id": str(number),
        "filename": name,
        "size": len(data),
        "url": url,
        "proxy_url": url,
        "content_type": kind,
        "flags": 0,
    }
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
        out |= {"width": width, "height": height, "content_type": "image/png"}
    if declared.get("description"):
        out["description"] = declared["description"]
    return out


def _finish_components(world: World, message: Message) -> None:
    """Number the components and point attachment:// at what was uploaded."""
    named = {a["filename"]: a for a in message["attachments"]}
    form = Form()
    taken = {part.get("id") for part in message.parts}
    free = (n for n in range(1, 1000) if n not in taken)
    for path, part in components.walk(message["components"]):
        for key in [k for k, v in part.items() if v is None]:
            del part[key]
        part.setdefault("id", next(free))
        if part["type"] == components.CONTAINER:
            part |= {"accent_color": None, "spoiler": False} | part
        for item in part.get("items") or []:
            item |= {"description": None, "spoiler": False} | item
        if (emoji := part.get("emoji")) and emoji.get("id") and not world.knows_emoji(emoji["id"]):
            form.wrong((*path, "emoji"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
        for media in (part.get("media"), part.get("file"), *_items(part)):
            if media and media["url"].startswith("attachment://"):
                media["id"] = str(world.snowflake())
                _resolve(form, ("components", *path), media, named)
    form.refuse()


def _items(part: dict[str, Any]) -> list[dict[str, Any]]:
    return [item["media"] for item in part.get("items") or []]


def _resolve(
    form: Form, path: tuple[str | int, ...], media: dict[str, Any], named: dict[str, Any]
) -> None:
    name = media["url"].removeprefix("attachment://")
    if name not in named:
        code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
        form.wrong(path, code, f"The referenced attachment, {name!r}, does not exist.")
        return
    one = named[name]
    media |= {
        "url": one["url"],
        "proxy_url": one["url"],
        "width": one.get("width"),
        "height": one.get("height"),
        "content_type": one["content_type"],
        "attachment_id": one["id"],
    }


def mentioned(world: World, message: Message, allowed: dict[str, Any] | None) -> dict[str, Any]:
    """Who is really pinged by the text, after `allowed_mentions` had its say."""
    told = {"parse": ["users", "roles", "everyone"]} if allowed is None else allowed
    parse = told.get("parse") or []
    words = [message["content"]] + [p.get("content", "") for p in message.parts]
    found = "\n".join(map(str, words))
    users = set(re.findall(r"<@!?(\d+)>", found))
    roles = set(re.findall(r"<@&(\d+)>", found))
    if "users" not in parse:
        users &= {str(u) for u in told.get("users") or []}
    if "roles" not in parse:
        roles &= {str(r) for r in told.get("roles") or []}
    return {
        "mentions": [world.users[int(u)] for u in sorted(users) if int(u) in world.users],
        "mention_roles": sorted(roles),
        "mention_everyone": "everyone" in parse and bool(re.search("@(everyone|here)", found)),
    }


def foreign(body: dict[str, Any]) -> None:
    """Refuse a body that would make a message ephemeral where nothing can be."""
    if (body.get("flags") or 0) & checks.EPHEMERAL:
        raise BadRequest(400, 50035, "Invalid Form Body: only interactions answer ephemerally")
