"""What the loopback remembers: calls of the bot, faults to come, interactions and their answers."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.wire.errors import Refusal

if TYPE_CHECKING:
    from tests.wire.actors import Person
    from tests.wire.messages import Message
    from tests.wire.places import Channel
    from tests.wire.world import World


@dataclass
class Call:
    """One REST call of the bot."""

    at: float  # the world's clock
    method: str
    path: str
    body: Any
    files: tuple[str, ...] = ()
    status: int = 0  # 0 while it is under way or when its connection was dropped
    code: int = 0  # Discord's own error code
    seconds: float = 0.0


@dataclass
class Fault:
    """What goes wrong with the next calls that fit."""

    method: str
    pattern: str
    refusal: Refusal | None = None
    delay: float = 0.0
    drop: bool = False  # cut the connection instead of answering
    after: bool = False  # let the call take effect first, then go wrong
    times: int = 1
    hits: int = 0

    def fits(self, method: str, path: str) -> bool:
        suits = self.method in ("*", method) and re.search(self.pattern, path)
        return bool(suits) and self.hits < self.times


@dataclass
class Interaction:
    """Something that a person did, and how the bot answered it."""

    world: World
    id: int
    token: str
    type: int
    person: Person
    channel: Channel
    message_id: int | None = None  # where the button sat
    sent: dict[str, Any] = field(default_factory=dict)
    deliveries: int = 1
    born: float = field(default_factory=time.monotonic)
    born_at: float = 0.0  # the world's clock, which tests can move
    acked: float | None = None
    kind: int | None = None  # the type of the first answer
    ephemeral: bool = False
    modal: dict[str, Any] | None = None
    choices: list[dict[str, Any]] = field(default_factory=list)
    original_id: int | None = None
    followup_ids: list[int] = field(default_factory=list)

    @property
    def ack_ms(self) -> float | None:
        return None if self.acked is None else (self.acked - self.born) * 1000

    @property
    def message(self) -> Message:
        """The first answer; for a deferred or updating press, the message it sat on."""
        assert self.original_id is not None, "the first answer was no message"
        return self.world.messages[self.original_id]

    @property
    def followups(self) -> list[Message]:
        return [self.world.messages[m] for m in self.followup_ids if m in self.world.messages]

    @property
    def text(self) -> str:
        """All that the bot said in answer."""
        first = [self.message] if self.original_id in self.world.messages else []
        return "\n".join(m.text for m in (*first, *self.followups))

    async def answered(self) -> Interaction:
        """Wait for the first answer; fail as the person sees it: "interaction failed"."""
        left = self.world.ack_seconds + 0.3
        await self.world.until(lambda: self.acked, left, f"no answer to {self.sent}")
        return self

    async def settled(self, within: float = 5.0) -> Interaction:
        """Wait until the answer no longer says that the bot is thinking."""
        await self.answered()
        await self.world.until(lambda: not self.message.loading, within, "still thinking")
        return self
