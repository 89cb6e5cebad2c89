"""Permissions as Discord computes them: roles, then overwrites, then what one implies."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag
from typing import Any


class Permission(IntFlag):
    """The bits a table bot can meet."""

    KICK_MEMBERS = 1 << 1
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    USE_EXTERNAL_APPS = 1 << 50


P = Permission
NONE = Permission(0)
EVERY = Permission((1 << 53) - 1)
ALL = EVERY & ~P.ADMINISTRATOR
EVERYONE = (
    P.ADD_REACTIONS
    | P.VIEW_CHANNEL
    | P.SEND_MESSAGES
    | P.EMBED_LINKS
    | P.ATTACH_FILES
    | P.READ_MESSAGE_HISTORY
    | P.USE_EXTERNAL_EMOJIS
    | P.CONNECT
    | P.USE_APPLICATION_COMMANDS
    | P.CREATE_PUBLIC_THREADS
    | P.SEND_MESSAGES_IN_THREADS
    | P.USE_EXTERNAL_APPS
)


def compute(
    *,
    owner: bool,
    everyone: str,
    roles: dict[str, dict[str, Any]],
    held: Iterable[str],
    user: str,
    overwrites: Iterable[dict[str, Any]] = (),
    speak: Permission = P.SEND_MESSAGES,
) -> Permission:
    """What one member may do; `everyone` is the role that all have, `speak` what talking needs."""
    held = set(held)
    base = int(roles[everyone]["permissions"])
    for role in held:
        base |= int(roles[role]["permissions"])
    if owner or base & P.ADMINISTRATOR:
        return EVERY
    by_id = {o["id"]: o for o in overwrites}
    for group in ({everyone}, held, {user}):
        deny = allow = 0
        for key in group & by_id.keys():
            deny |= int(by_id[key]["deny"])
            allow |= int(by_id[key]["allow"])
        base = base & ~deny | allow
    return implied(Permission(base), speak)


def implied(granted: Permission, speak: Permission) -> Permission:
    """Without sight there is nothing; without speech there is nothing to attach to."""
    if not granted & P.VIEW_CHANNEL:
        return NONE
    if not granted & speak:
        granted &= ~(P.MENTION_EVERYONE | P.ATTACH_FILES | P.EMBED_LINKS)
    return granted
