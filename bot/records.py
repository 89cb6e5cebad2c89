"""What is kept of a table: plain frozen values that storage writes and the manager swaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from engine.core import OptionValue, Seat

NO_DEFAULTS: Mapping[str, Mapping[str, OptionValue]] = MappingProxyType({})


class Stage(StrEnum):
    """How far a table is. LOBBY and PLAYING are live: they hold their channel."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"  # ended by the rules
    CLOSED = "closed"  # ended by people, by neglect or by Discord
    BROKEN = "broken"  # its rows can't be read by this version


LIVE = frozenset({Stage.LOBBY, Stage.PLAYING})


class Presence(StrEnum):
    """Who answers for a seat. Only HERE waits for a person."""

    HERE = "here"
    AWAY = "away"  # missed two deadlines, or asked the computer to play; any press brings back
    LEFT = "left"  # left the table; may come back while nobody else has the seat
    REMOVED = "removed"  # put out by the host or a moderator; may not come back to this game
    COMPUTER = "computer"  # a computer player from the start


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in a seat. Computer players have no `user_id`; `name` is as Discord showed it."""

    user_id: int | None
    name: str
    presence: Presence = Presence.HERE
    level: str = ""  # a computer player's; "" for people
    missed: int = 0  # deadlines missed in a row

    @property
    def waits(self) -> bool:
        """Whether the table waits for this person's answer."""
        return self.presence is Presence.HERE


@dataclass(frozen=True, slots=True)
class Board:
    """The public message of a table: where it is and when it was sent (Unix seconds)."""

    message_id: int
    sent_at: float


@dataclass(frozen=True, slots=True)
class Record:
    """All that is kept of one table beside its match. Times are Unix seconds.

    `sitters` are in seat order; in the lobby that is the order of joining.
    """

    id: int
    game: str
    guild_id: int
    channel_id: int  # the channel or thread that shows the board
    stage: Stage
    host_id: int
    sitters: tuple[Sitter, ...]
    options: Mapping[str, OptionValue]
    created_at: float
    touched_at: float  # the last time that a person did something here
    clock: int = 300  # seconds an answer may take; 0 is no clock
    own_thread: bool = False  # the bot made the thread for this table and archives it at the end
    board: Board | None = None
    asked_at: float | None = None  # when the question now asked was put
    deadline: float | None = None  # when it is answered for those who have not
    reminded: bool = False  # the one reminder at half of the time has been sent
    pinged: bool = False  # somebody has been mentioned for the question now asked
    paused_at: float | None = None  # since when no person is present
    ended_at: float | None = None
    reason: str = ""  # why a table ended, as a code of bot/texts
    follows: int | None = None  # the table that this one is a rematch of
    former: frozenset[int] = frozenset()  # users who gave up a seat that somebody else took
    settled: bool = False  # an ended table's last board has been drawn

    @property
    def live(self) -> bool:
        return self.stage in LIVE

    def seat_of(self, user_id: int) -> Seat | None:
        """The seat that a user owns, whoever answers for it now; None if none."""
        for seat, sitter in enumerate(self.sitters):
            if sitter.user_id == user_id:
                return Seat(seat)
        return None

    def with_sitter(self, seat: int, sitter: Sitter) -> Record:
        sitters = list(self.sitters)
        sitters[seat] = sitter
        return replace(self, sitters=tuple(sitters))


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match as it is stored: what rules it follows, its seed, and its last state as JSON."""

    rules_version: int
    edition: str
    seed: bytes
    seats: int
    seq: int
    state: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One action of the journal: number `seq` of its table, taken for `seat` at `at`."""

    seq: int
    seat: int
    action: str
    at: float
    automatic: bool = False  # the clock or the computer answered, not the person


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event of the journal; `seat` is its only reader, None for public ones."""

    seq: int
    seat: int | None
    event: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as it was last written."""

    record: Record
    match: SavedMatch | None


@dataclass(frozen=True, slots=True)
class Damaged:
    """A table whose rows can't be read; `why` tells which part of them."""

    id: int
    channel_id: int
    guild_id: int
    why: str


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a server's managers decided: `options` by game; no `channels` allow every channel."""

    guild_id: int
    channels: frozenset[int] = frozenset()
    clock: int = 300
    own_thread: bool = False
    options: Mapping[str, Mapping[str, OptionValue]] = field(default_factory=lambda: NO_DEFAULTS)


@dataclass(frozen=True, slots=True)
class UserSettings:
    """What a person decided for every table; `pings` are mentions when it is their turn."""

    user_id: int
    pings: bool = True
