"""Guilds and channels, and what moderators and accidents do to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.wire import permissions
from tests.wire.permissions import EVERY, NONE, Permission

if TYPE_CHECKING:
    from tests.wire.actors import Person
    from tests.wire.messages import Message
    from tests.wire.world import World

TEXT, DM, VOICE, GROUP_DM, NEWS_THREAD, THREAD, PRIVATE_THREAD, FORUM = 0, 1, 2, 3, 10, 11, 12, 15
THREADS = (NEWS_THREAD, THREAD, PRIVATE_THREAD)
JOINED = "2026-01-01T00:00:00+00:00"


class Guild:
    """A server: roles, members, channels."""

    def __init__(
        self, world: World, name: str, locale: str, *, present: bool, everyone: Permission
    ) -> None:
        self.world, self.name, self.locale, self.present = world, name, locale, present
        self.id = world.snowflake()
        self.unavailable = False
        self.owner = 0
        self.roles: dict[str, dict[str, Any]] = {}
        self.members: dict[int, list[str]] = {}  # user → roles held
        self.nicks: dict[int, str] = {}
        self.emojis: list[dict[str, Any]] = []
        self._taken: list[tuple[str, Permission]] = []
        self.add_role("@everyone", everyone, number=self.id)
        if present:
            role = self.add_role("Loopback", everyone, managed=True)
            self.members[world.app_id] = [role["id"]]

    # ------------------------------------------------------------------------ members
    def seat(self, person: Person, nick: str | None = None) -> None:
        """Make somebody a member, quietly; the first one owns the place."""
        self.owner = self.owner or person.id
        self.members[person.id] = []
        if nick:
            self.nicks[person.id] = nick

    async def join(self, person: Person) -> None:
        self.seat(person)
        data = self.member(person.id) | {"guild_id": str(self.id)}
        await self.world.emit("GUILD_MEMBER_ADD", data, self)

    async def leave(self, person: Person) -> None:
        """A member leaves; the bot hears of it only with the members intent."""
        del self.members[person.id]
        data = {"guild_id": str(self.id), "user": person.user}
        await self.world.emit("GUILD_MEMBER_REMOVE", data, self)

    async def rename(self, person: Person, nick: str) -> None:
        self.nicks[person.id] = nick
        data = self.member(person.id) | {"guild_id": str(self.id)}
        await self.world.emit("GUILD_MEMBER_UPDATE", data, self)

    def member(self, user: int) -> dict[str, Any]:
        return {
            "user": self.world.users[user],
            "nick": self.nicks.get(user),
            "avatar": None,
            "roles": list(self.members.get(user, [])),
            "joined_at": JOINED,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
            "premium_since": None,
            "communication_disabled_until": None,
        }

    # -------------------------------------------------------------------- permissions
    def add_role(
        self,
        name: str,
        granted: Permission,
        *,
        number: int | None = None,
        managed: bool = False,
    ) -> dict[str, Any]:
        role: dict[str, Any] = {
            "id": str(number or self.world.snowflake()),
            "name": name,
            "permissions": str(int(granted)),
            "position": len(self.roles),
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": managed,
            "mentionable": False,
            "flags": 0,
        }
        self.roles[role["id"]] = role
        return role

    def may(self, user: int, channel: Channel | None = None) -> Permission:
        if user not in self.members:
            return NONE
        place, speak = channel, Permission.SEND_MESSAGES
        if channel and channel.is_thread:
            place, speak = channel.parent, Permission.SEND_MESSAGES_IN_THREADS
        return permissions.compute(
            owner=user == self.owner,
            everyone=str(self.id),
            roles=self.roles,
            held=self.members[user],
            user=str(user),
            overwrites=place.data["permission_overwrites"] if place else (),
            speak=speak,
        )

    async def grant(self, person: Person, *names: str) -> None:
        """Give a member a role with these permissions."""
        granted = NONE
        for name in names:
            granted |= Permission[name]
        role = self.add_role("+".join(names).lower(), granted)
        self.members[person.id].append(role["id"])
        body = {"guild_id": str(self.id), "role": role}
        await self.world.emit("GUILD_ROLE_CREATE", body, self)
        data = self.member(person.id) | {"guild_id": str(self.id)}
        await self.world.emit("GUILD_MEMBER_UPDATE", data, self)

    async def take(self, *names: str) -> None:
        """Take permissions from the bot by role: from every role it has, @everyone included."""
        for key in (str(self.id), *self.members[self.world.app_id]):
            for name in names:
                bit = Permission[name]
                granted = int(self.roles[key]["permissions"])
                if granted & bit:
                    self._taken.append((key, bit))
                    await self._set_role(key, granted & ~bit)

    async def give(self, *names: str) -> None:
        """Give back what was taken by role."""
        wanted = [Permission[n] for n in names]
        for key, bit in [t for t in self._taken if t[1] in wanted]:
            self._taken.remove((key, bit))
            await self._set_role(key, int(self.roles[key]["permissions"]) | bit)

    async def _set_role(self, key: str, granted: int) -> None:
        self.roles[key]["permissions"] = str(int(granted))
        body = {"guild_id": str(self.id), "role": self.roles[key]}
        await self.world.emit("GUILD_ROLE_UPDATE", body, self)

    # ----------------------------------------------------------------------- channels
    def channel(self, name: str = "table", kind: int = TEXT) -> Channel:
        """A new channel, there before the bot connects."""
        data = {
            "type": kind,
            "name": name,
            "guild_id": str(self.id),
            "position": len(self.channels),
            "permission_overwrites": [],
            "parent_id": None,
            "nsfw": False,
            "topic": None,
            "rate_limit_per_user": 0,
            "last_message_id": None,
            "flags": 0,
        }
        if kind == VOICE:
            data |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
        if kind == FORUM:
            data |= {"available_tags": [], "default_reaction_emoji": None}
        return Channel(self.world, self, data)

    def voice(self, name: str = "lounge") -> Channel:
        return self.channel(name, VOICE)

    def forum(self, name: str = "posts") -> Channel:
        return self.channel(name, FORUM)

    @property
    def channels(self) -> list[Channel]:
        return [c for c in self.world.channels.values() if c.guild is self]

    # ------------------------------------------------------------------- coming and going
    async def remove_bot(self) -> None:
        """Somebody removes the bot from the guild."""
        self.present = False
        self.members.pop(self.world.app_id, None)
        await self.world.emit("GUILD_DELETE", {"id": str(self.id)}, self)

    async def add_bot(self) -> None:
        """The bot is invited (again)."""
        self.present = True
        role = self.add_role("Loopback", permissions.EVERYONE, managed=True)
        self.members[self.world.app_id] = [role["id"]]
        await self.world.emit("GUILD_CREATE", self.as_created(), self)

    async def outage(self) -> None:
        """Discord loses the guild for a while; the bot is still a member."""
        self.unavailable = True
        body = {"id": str(self.id), "unavailable": True}
        await self.world.emit("GUILD_DELETE", body, self)

    async def recover(self) -> None:
        self.unavailable = False
        await self.world.emit("GUILD_CREATE", self.as_created(), self)

    def as_created(self) -> dict[str, Any]:
        """The object of GUILD_CREATE."""
        seen = [c for c in self.channels if c.bot_may(Permission.VIEW_CHANNEL)]
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner),
            "roles": list(self.roles.values()),
            "emojis": self.emojis,
            "channels": [c.data for c in seen if not c.is_thread],
            "threads": [c.data for c in seen if c.is_thread and not c.archived],
            "members": [self.member(self.world.app_id)],
            "member_count": len(self.members),
            "preferred_locale": self.locale,
            "joined_at": JOINED,
            **{k: [] for k in EMPTY_LISTS},
            **dict.fromkeys(NOUGHTS, 0),
            **dict.fromkeys(ABSENT),
            **dict.fromkeys(("large", "unavailable", "premium_progress_bar_enabled"), False),
        }


EMPTY_LISTS = (
    "stickers", "features", "voice_states", "presences", "stage_instances",
    "guild_scheduled_events", "soundboard_sounds",
)  # fmt: skip
NOUGHTS = (
    "verification_level", "default_message_notifications", "explicit_content_filter",
    "mfa_level", "nsfw_level", "premium_tier", "premium_subscription_count",
    "system_channel_flags", "afk_timeout",
)  # fmt: skip
ABSENT = (
    "afk_channel_id", "icon", "splash", "banner", "description", "system_channel_id",
    "rules_channel_id", "public_updates_channel_id", "vanity_url_code", "application_id",
    "safety_alerts_channel_id", "discovery_splash",
)  # fmt: skip


class Channel:
    """A place for messages; `data` is the object as the API shows it."""

    def __init__(self, world: World, guild: Guild | None, data: dict[str, Any]) -> None:
        self.world, self.guild = world, guild
        self.id = world.snowflake()
        self.data: dict[str, Any] = {"id": str(self.id), "last_message_id": None, **data}
        self.active_at = world.now()
        world.channels[self.id] = self

    # ----------------------------------------------------------------------- questions
    @property
    def is_thread(self) -> bool:
        return self.data["type"] in THREADS

    @property
    def parent(self) -> Channel:
        return self.world.channels[int(self.data["parent_id"])]

    @property
    def archived(self) -> bool:
        """By hand or, as the world's clock says, by lying idle."""
        if not self.is_thread:
            return False
        meta = self.data["thread_metadata"]
        if self.world.now() - self.active_at > meta["auto_archive_duration"] * 60:
            meta["archived"] = True
        return bool(meta["archived"])

    @property
    def locked(self) -> bool:
        return self.is_thread and bool(self.data["thread_metadata"]["locked"])

    @property
    def messages(self) -> list[Message]:
        """What everybody sees here, oldest first."""
        return self.world.public(self)

    @property
    def threads(self) -> list[Channel]:
        every = self.world.channels.values()
        return [c for c in every if c.is_thread and c.data["parent_id"] == str(self.id)]

    def bot_may(self, wanted: Permission) -> bool:
        return wanted & self.world.may(self, self.world.app_id) == wanted

    # -------------------------------------------------------------------- what happens
    async def take(self, *names: str) -> None:
        """Take permissions from the bot here, by an overwrite for it alone."""
        await self._overwrite(deny=self._bits("deny") | _all(names))

    async def give(self, *names: str) -> None:
        """Give back what was taken by overwrite."""
        await self._overwrite(deny=self._bits("deny") & ~_all(names))

    def _bits(self, key: str) -> int:
        me = str(self.world.app_id)
        found = [o for o in self.data["permission_overwrites"] if o["id"] == me]
        return int(found[0][key]) if found else 0

    async def _overwrite(self, deny: int) -> None:
        me = str(self.world.app_id)
        others = [o for o in self.data["permission_overwrites"] if o["id"] != me]
        mine = {"id": me, "type": 1, "allow": "0", "deny": str(int(deny))}
        self.data["permission_overwrites"] = [*others, mine] if deny else others
        await self.changed()

    async def changed(self) -> None:
        event = "THREAD_UPDATE" if self.is_thread else "CHANNEL_UPDATE"
        await self.world.emit(event, self.data, self.guild)

    def thread(self, name: str = "thread", kind: int = THREAD, owner: int = 0) -> Channel:
        """A thread, or a post of a forum, there before the bot connects."""
        assert self.guild is not None
        now = self.world.iso()
        data = {
            "type": kind,
            "name": name,
            "guild_id": str(self.guild.id),
            "parent_id": str(self.id),
            "owner_id": str(owner or self.guild.owner),
            "message_count": 0,
            "member_count": 1,
            "total_message_sent": 0,
            "rate_limit_per_user": 0,
            "flags": 0,
            "thread_metadata": {
                "archived": False,
                "locked": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": now,
                "create_timestamp": now,
            },
        }
        return Channel(self.world, self.guild, data)

    async def archive(self, *, locked: bool = False) -> None:
        await self._set_thread(archived=True, locked=locked)

    async def lock(self) -> None:
        await self._set_thread(locked=True)

    async def reopen(self) -> None:
        await self._set_thread(archived=False, locked=False)

    async def _set_thread(self, **how: bool) -> None:
        self.active_at = self.world.now()
        self.data["thread_metadata"] |= how | {"archive_timestamp": self.world.iso()}
        await self.changed()

    async def delete(self) -> None:
        """Somebody deletes this place, its threads and messages with it."""
        for thread in self.threads:
            await thread.delete()
        for message in [m for m in self.world.messages.values() if m["channel_id"] == str(self.id)]:
            del self.world.messages[message.id]
        del self.world.channels[self.id]
        keys = ("id", "guild_id", "parent_id", "type")
        if self.is_thread:
            body = {k: self.data[k] for k in keys}
            await self.world.emit("THREAD_DELETE", body, self.guild)
        else:
            await self.world.emit("CHANNEL_DELETE", self.data, self.guild)

    async def delete_message(self, message: Message) -> None:
        self.world.messages.pop(message.id, None)
        if not message.ephemeral:
            body = {"id": message["id"], "channel_id": str(self.id), **self._guild_id()}
            await self.world.emit("MESSAGE_DELETE", body, self.guild, direct=self.guild is None)

    async def purge(self) -> None:
        """A moderator deletes every public message at once."""
        ids = [m["id"] for m in self.messages]
        for one in ids:
            del self.world.messages[int(one)]
        body = {"ids": ids, "channel_id": str(self.id), **self._guild_id()}
        await self.world.emit("MESSAGE_DELETE_BULK", body, self.guild)

    def _guild_id(self) -> dict[str, str]:
        return {"guild_id": str(self.guild.id)} if self.guild else {}


def _all(names: tuple[str, ...]) -> Permission:
    out = NONE
    for name in names:
        out |= Permission[name]
    return out & EVERY
