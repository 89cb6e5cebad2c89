"""People: what they type, press, pick, fill in, and see."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tests.wire import components
from tests.wire.permissions import Permission
from tests.wire.records import Interaction

if TYPE_CHECKING:
    from tests.wire.messages import Message
    from tests.wire.places import Channel
    from tests.wire.world import World

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
SUBCOMMAND, GROUP, USER = 1, 2, 6


class NotOffered(AssertionError):
    """Discord's app would not let this person do that here and now."""


class Person:
    """Somebody with a Discord app; two of them act at the same time under asyncio.gather.

    Every act takes `wait=False` to return before the answer, `deliveries=2` to reach the bot
    twice under one id, and `installed="user"` for a bot that only this person has installed.
    """

    def __init__(self, world: World, user: dict[str, Any], locale: str = "en-US") -> None:
        self.world, self.user, self.locale = world, user, locale
        self.id = int(user["id"])
        self.mention = f"<@{self.id}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Person) and other.id == self.id

    def __hash__(self) -> int:
        return self.id

    # -------------------------------------------------------------------------- seeing
    def sees(self, channel: Channel) -> list[Message]:
        return self.world.visible(self, channel)

    def dismiss(self, message: Message) -> None:
        """Put an ephemeral message away; the bot is not told."""
        assert message.ephemeral
        self.world.dismissed.add(message.id)

    # ------------------------------------------------------------------------ commands
    async def slash(
        self, channel: Channel, path: str, options: Mapping[str, Any] | None = None, **how: Any
    ) -> Interaction:
        """Type a command: `slash(channel, "game start", {"players": 3})`."""
        command, kinds, known = self._find(channel, path, how.get("installed", "guild"))
        given = dict(options or {})
        filled = [_filled(o, given.pop(o["name"])) for o in known if o["name"] in given]
        if given:
            raise NotOffered(f"/{path} has no options {sorted(given)}")
        missing = [o["name"] for o in known if o.get("required")]
        missing = [n for n in missing if n not in (options or {})]
        if missing:
            raise NotOffered(f"/{path} needs {missing}")
        data = _command_data(command, kinds, filled) | self._resolved(channel, filled)
        return await self._act(COMMAND, channel, data, **how)

    async def autocomplete(
        self,
        channel: Channel,
        path: str,
        focus: str,
        typed: str = "",
        options: dict[str, Any] | None = None,
        **how: Any,
    ) -> list[Any]:
        """The values offered while typing in the option `focus`, the others filled so far."""
        command, kinds, known = self._find(channel, path, "guild")
        filled = []
        for o in known:
            if o["name"] == focus:
                if not o.get("autocomplete"):
                    raise NotOffered(f"{focus} of /{path} completes nothing")
                filled.append({"name": focus, "type": o["type"], "value": typed, "focused": True})
            elif o["name"] in (options or {}):
                filled.append(_filled(o, (options or {})[o["name"]]))
        data = _command_data(command, kinds, filled)
        done = await self._act(AUTOCOMPLETE, channel, data, **how)
        return [c["value"] for c in done.choices]

    async def menu(
        self, channel: Channel, name: str, target: Person | Message, **how: Any
    ) -> Interaction:
        """Pick a command of the context menu of a person or a message."""
        kind = 2 if isinstance(target, Person) else 3
        command = self._root(channel, name, kind, how.get("installed", "guild"))
        data: dict[str, Any] = {
            "id": command["id"],
            "name": name,
            "type": kind,
            "target_id": str(target.id),
        }
        if isinstance(target, Person):
            data["resolved"] = self._people(channel, [target])
        else:
            data["resolved"] = {"messages": {str(target.id): target}}
        return await self._act(COMMAND, channel, data, **how)

    def offered(self, channel: Channel) -> list[str]:
        """The names of the slash commands that the app lists for this person here."""
        scopes = [channel.guild.id, None] if channel.guild else [None]
        every = [c for s in scopes for c in self.world.commands.get(s, []) if c["type"] == 1]
        return [c["name"] for c in every if self._hidden(c, channel, "guild") is None]

    def _root(self, channel: Channel, name: str, kind: int, installed: str) -> dict[str, Any]:
        scopes = [channel.guild.id, None] if channel.guild else [None]
        for scope in scopes:
            for command in self.world.commands.get(scope, []):
                if command["name"] == name and command["type"] == kind:
                    if why := self._hidden(command, channel, installed):
                        raise NotOffered(f"/{name}: {why}")
                    return command
        raise NotOffered(f"no command {name!r} is registered")

    def _hidden(self, command: dict[str, Any], channel: Channel, installed: str) -> str | None:
        """Why the app does not show a command here."""
        context = 0 if channel.guild else 1 if channel.data["type"] == 1 else 2
        if command["contexts"] is not None and context not in command["contexts"]:
            return f"not in context {context}"
        if (1 if installed == "user" else 0) not in command["integration_types"]:
            return f"not for a {installed} install"
        if not channel.guild:
            return "not in direct messages" if command.get("dm_permission") is False else None
        mine = self.world.may(channel, self.id)
        need = command["default_member_permissions"]
        if not mine & Permission.USE_APPLICATION_COMMANDS:
            return "may use no commands"
        return f"needs {need}" if need is not None and int(need) & ~mine else None

    def _find(
        self, channel: Channel, path: str, installed: str
    ) -> tuple[dict[str, Any], list[tuple[str, int]], list[dict[str, Any]]]:
        root, *rest = path.split()
        command = node = self._root(channel, root, 1, installed)
        kinds = []
        for name in rest:
            found = [o for o in node["options"] if o["name"] == name and o["type"] in (1, 2)]
            if not found:
                raise NotOffered(f"/{path}: no {name!r} below {node['name']!r}")
            node = found[0]
            kinds.append((name, node["type"]))
        known = node.get("options") or []
        if any(o["type"] in (SUBCOMMAND, GROUP) for o in known):
            raise NotOffered(f"/{path} is a group of {[o['name'] for o in known]}")
        return command, kinds, known

    # ------------------------------------------------------------------------ controls
    async def click(self, message: Message, what: str, **how: Any) -> Interaction:
        """Press the button with this custom id, label, or pattern of custom ids."""
        control = self._usable(message, what)
        assert control["type"] == components.BUTTON, f"{what!r} is no button"
        return await self._press(message, control, {}, **how)

    async def select(
        self, message: Message, what: str, values: list[Any], **how: Any
    ) -> Interaction:
        """Pick values, labels or people in a select menu."""
        control = self._usable(message, what)
        picked = _picked(control, values)
        channel = self.world.channels[int(message["channel_id"])]
        data: dict[str, Any] = {"values": picked}
        if control["type"] == components.USER_SELECT:
            data["resolved"] = self._people(channel, values)
        return await self._press(message, control, data, **how)

    async def forge(
        self, message: Message, custom_id: str, values: list[str] | None = None, **how: Any
    ) -> Interaction:
        """Press what is not there (any more): an old button, or one made up."""
        kind = components.BUTTON if values is None else components.STRING_SELECT
        data = {} if values is None else {"values": values}
        control = {"type": kind, "custom_id": custom_id, "id": 1}
        return await self._press(message, control, data, **how)

    async def submit(
        self, shown: Interaction, values: dict[str, Any] | None = None, **how: Any
    ) -> Interaction:
        """Fill in the modal that an interaction opened; the values go by custom id or label."""
        assert shown.modal is not None, "no modal was opened"
        filled = [_fill(part, values or {}) for part in shown.modal["components"]]
        data = {"custom_id": shown.modal["custom_id"], "components": filled}
        message = self.world.messages.get(shown.message_id or 0)
        return await self._act(MODAL, shown.channel, data, message=message, **how)

    def _usable(self, message: Message, what: str) -> dict[str, Any]:
        live = self.world.messages.get(message.id)
        if live is None:
            raise NotOffered("that message is gone; `forge` presses it all the same")
        if self.world.viewers.get(message.id, self.id) != self.id:
            raise NotOffered(f"{self.user['username']} cannot see this message")
        control = live.control(what)
        if control.get("disabled"):
            raise NotOffered(f"{what!r} is disabled")
        return control

    async def _press(
        self, message: Message, control: dict[str, Any], data: dict[str, Any], **how: Any
    ) -> Interaction:
        channel = self.world.channels[int(message["channel_id"])]
        kind = control["type"]
        pressed = {"custom_id": control["custom_id"], "component_type": kind, "id": control["id"]}
        now = self.world.messages.get(message.id, message)
        return await self._act(COMPONENT, channel, pressed | data, message=now, **how)

    # ------------------------------------------------------------------------- sending
    async def _act(
        self,
        kind: int,
        channel: Channel,
        data: dict[str, Any],
        *,
        message: Message | None = None,
        wait: bool = True,
        deliveries: int = 1,
        installed: str = "guild",
    ) -> Interaction:
        world = self.world
        if channel.guild and not world.may(channel, self.id) & Permission.VIEW_CHANNEL:
            raise NotOffered(f"{self.user['username']} cannot see this channel")
        number = world.snowflake()
        done = Interaction(
            world,
            number,
            f"aW50ZXJhY3Rpb24{number}",
            kind,
            self,
            channel,
            message_id=message.id if message else None,
            sent=data,
            deliveries=deliveries,
            born_at=world.now(),
        )
        world.interactions[done.token] = done
        payload = self._payload(done, message, installed)
        member = channel.guild if channel.guild and channel.guild.present else None
        for _ in range(deliveries):
            await world.gateway.emit("INTERACTION_CREATE", payload, member, direct=False)
        return await done.answered() if wait else done

    def _payload(
        self, done: Interaction, message: Message | None, installed: str
    ) -> dict[str, Any]:
        world, channel, guild = self.world, done.channel, done.channel.guild
        owners = {"1": str(self.id)} if installed == "user" else {"0": "0"}
        payload: dict[str, Any] = {
            "id": str(done.id),
            "application_id": str(world.app_id),
            "type": done.type,
            "token": done.token,
            "version": 1,
            "data": done.sent,
            "channel_id": str(channel.id),
            "channel": channel.data,
            "locale": self.locale,
            "entitlements": [],
            "attachment_size_limit": world.largest_file,
            "app_permissions": str(int(self._app_permissions(channel))),
        }
        if guild is None:
            context = 1 if channel.data["type"] == 1 else 2
            payload |= {"user": self.user, "context": context}
        else:
            if installed != "user":
                owners = {"0": str(guild.id)}
            mine = str(int(world.may(channel, self.id)))
            payload |= {
                "guild_id": str(guild.id),
                "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
                "guild_locale": guild.locale,
                "context": 0,
                "member": guild.member(self.id) | {"permissions": mine},
            }
        payload["authorizing_integration_owners"] = owners
        if message:
            payload["message"] = message
        return copy.deepcopy(payload)

    def _app_permissions(self, channel: Channel) -> Permission:
        """The bot's own; where it is no member, what every answer to a person may hold."""
        if channel.guild is None or channel.guild.present:
            return self.world.may(channel, self.world.app_id)
        return Permission.EMBED_LINKS | Permission.ATTACH_FILES | Permission.MENTION_EVERYONE

    def _resolved(self, channel: Channel, filled: list[dict[str, Any]]) -> dict[str, Any]:
        ids = [int(o["value"]) for o in filled if o["type"] == USER]
        if not ids:
            return {}
        return {"resolved": self._people(channel, [self.world.person_of(i) for i in ids])}

    def _people(self, channel: Channel, people: list[Any]) -> dict[str, Any]:
        out: dict[str, Any] = {"users": {str(p.id): p.user for p in people}}
        if guild := channel.guild:
            out["members"] = {}
            for p in people:
                if p.id in guild.members:
                    member = {k: v for k, v in guild.member(p.id).items() if k != "user"}
                    member["permissions"] = str(int(self.world.may(channel, p.id)))
                    out["members"][str(p.id)] = member
        return out


def _filled(option: dict[str, Any], value: Any) -> dict[str, Any]:
    """One option of a typed command, refused where the app would refuse it."""
    if isinstance(value, Person):
        value = str(value.id)
    for choice in option.get("choices") or []:
        if value in (choice["value"], choice["name"]):
            value = choice["value"]
            break
    else:
        if option.get("choices"):
            raise NotOffered(f"{value!r} is no choice of {option['name']}")
    low, high = option.get("min_value"), option.get("max_value")
    if (low is not None and value < low) or (high is not None and value > high):
        raise NotOffered(f"{option['name']}: {value} is not from {low} to {high}")
    if "max_length" in option and len(value) > option["max_length"]:
        raise NotOffered(f"{option['name']}: too long")
    return {"name": option["name"], "type": option["type"], "value": value}


def _command_data(
    command: dict[str, Any], kinds: list[tuple[str, int]], filled: list[dict[str, Any]]
) -> dict[str, Any]:
    for name, kind in reversed(kinds):
        filled = [{"name": name, "type": kind, "options": filled}]
    data = {"id": command["id"], "name": command["name"], "type": 1, "options": filled}
    if command.get("guild_id"):
        data["guild_id"] = command["guild_id"]
    return data


def _picked(control: dict[str, Any], values: list[Any]) -> list[str]:
    """The values behind what was picked, refused where the app would refuse it."""
    options = control.get("options") or []
    known, by_name = {o["value"] for o in options}, {o["label"]: o["value"] for o in options}
    picked = [str(v.id) if isinstance(v, Person) else v for v in values]
    picked = [v if v in known else by_name.get(v, v) for v in picked]
    if options and not set(picked) <= known:
        raise NotOffered(f"{values} are not all among {options}")
    low, high = control.get("min_values"), control.get("max_values")
    low, high = 1 if low is None else low, 1 if high is None else high
    if not low <= len(picked) <= high:
        raise NotOffered(f"{len(picked)} picked, not {low} to {high}")
    return picked


def _fill(part: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    if part["type"] == components.TEXT:
        return {"type": components.TEXT, "id": 1}
    old = part["type"] == components.ROW
    inner = part["components"][0] if old else part["component"]
    name = part.get("label") or inner.get("label")
    value = values.get(inner["custom_id"], values.get(name))
    done: dict[str, Any] = {"type": inner["type"], "custom_id": inner["custom_id"], "id": 2}
    if inner["type"] in components.SELECTS:
        done["values"] = _picked(inner, value or [])
    elif inner["type"] in (components.UPLOAD, components.CHECKBOX_GROUP):
        done["values"] = value or []
    else:
        done["value"] = value if value is not None else inner.get("value") or ""
        _fits(inner, done["value"])
    body = {"components": [done]} if old else {"component": done}
    return {"type": part["type"], "id": 1, **body}


def _fits(field: dict[str, Any], value: Any) -> None:
    if field["type"] != components.TEXT_INPUT:
        return
    low, high = field.get("min_length") or 0, field.get("max_length") or 4000
    needed = field.get("required", True)
    if (needed and not value) or (value and not low <= len(value) <= high):
        raise NotOffered(f"{field['custom_id']}: {len(value)} characters, not {low} to {high}")
