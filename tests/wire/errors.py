"""The refusals of the API: a status, Discord's code for it, and the JSON that carries both."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """One error answer of the REST API."""

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        *,
        errors: dict[str, Any] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(f"{status} (code {code}): {message}")
        self.status = status
        self.code = code
        self.body: dict[str, Any] = {"message": message, "code": code, **extra}
        if errors:
            self.body["errors"] = errors


class BadRequest(Refusal):
    """A body that Discord would not take: never the world's fault, always the bot's."""


def unknown_channel() -> Refusal:
    return Refusal(404, 10003, "Unknown Channel")


def unknown_guild() -> Refusal:
    return Refusal(404, 10004, "Unknown Guild")


def unknown_member() -> Refusal:
    return Refusal(404, 10007, "Unknown Member")


def unknown_message() -> Refusal:
    return Refusal(404, 10008, "Unknown Message")


def unknown_user() -> Refusal:
    return Refusal(404, 10013, "Unknown User")


def unknown_emoji() -> Refusal:
    return Refusal(404, 10014, "Unknown Emoji")


def unknown_webhook() -> Refusal:
    return Refusal(404, 10015, "Unknown Webhook")


def unknown_interaction() -> Refusal:
    return Refusal(404, 10062, "Unknown interaction")


def unknown_command() -> Refusal:
    return Refusal(404, 10063, "Unknown application command")


def too_large() -> Refusal:
    return BadRequest(413, 40005, "Request entity too large")


def already_acknowledged() -> Refusal:
    return Refusal(400, 40060, "Interaction has already been acknowledged.")


def missing_access() -> Refusal:
    return Refusal(403, 50001, "Missing Access")


def not_the_author() -> Refusal:
    return Refusal(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> Refusal:
    return BadRequest(400, 50006, "Cannot send an empty message")


def closed_to_messages() -> Refusal:
    return Refusal(403, 50007, "Cannot send messages to this user")


def missing_permissions() -> Refusal:
    return Refusal(403, 50013, "Missing Permissions")


def invalid_webhook_token() -> Refusal:
    return Refusal(401, 50027, "Invalid Webhook Token")


def thread_archived() -> Refusal:
    return Refusal(400, 50083, "Thread is archived")


def too_many_requests(retry_after: float = 0.3, *, everywhere: bool = False) -> Refusal:
    more: dict[str, Any] = {"retry_after": retry_after, "global": everywhere}
    return Refusal(429, 0, "You are being rate limited.", **more)


def too_many_old_edits(retry_after: float = 0.3) -> Refusal:
    more: dict[str, Any] = {"global": False}
    return Refusal(
        429,
        30046,
        "Maximum number of edits to messages older than 1 hour reached. Try again later.",
        retry_after=retry_after,
        **more,
    )


def server_error(status: int = 500) -> Refusal:
    return Refusal(status, 0, f"{status}: Server Error")
