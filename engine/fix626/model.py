"""The values of The Fix for 626: actions, events, the state and what a seat sees of it.

In every event `seat` is the one whom the sentence is about and `target` the other one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from engine.core import PrivateEvent, PublicEvent, Seat
from engine.fix626.cards import Character


class Side(StrEnum):
    """Which side of the Stitch token is up."""

    GOOD = "good"
    EXPERIMENT = "626"


class Asking(StrEnum):
    """What is being asked: a turn, the answer to a Pleakley (A35), or nothing any more."""

    TURN = "turn"
    OFFER = "offer"
    OVER = "over"


class Ending(StrEnum):
    """Why a round ended: the deck ran out, or one player was left."""

    DECK = "deck"
    LAST = "last"


# Actions


@dataclass(frozen=True, slots=True)
class Play:
    """Play one of the two cards. `target` is None for cards that need none or find none (A33)."""

    card: Character
    target: Seat | None = None
    guess: int | None = None
    kind: Literal["play"] = "play"


@dataclass(frozen=True, slots=True)
class Answer:
    """To somebody's Pleakley: give Stitch and keep the hand, or let the hands be traded (A35)."""

    give: bool
    kind: Literal["answer"] = "answer"


Action = Play | Answer


# What everyone may know


@dataclass(frozen=True, slots=True)
class RoundStarted(PublicEvent):
    """Cards are dealt; `stitch` has Good Stitch and `first` takes the first turn."""

    number: int
    stitch: Seat
    first: Seat
    kind: Literal["round-started"] = "round-started"


@dataclass(frozen=True, slots=True)
class Played(PublicEvent):
    """A card was played, with the choices that were made for it; what it did follows."""

    seat: Seat
    card: Character
    target: Seat | None
    guess: int | None
    kind: Literal["played"] = "played"


@dataclass(frozen=True, slots=True)
class NoEffect(PublicEvent):
    """The card needed another player, but David protects everybody else (A33)."""

    seat: Seat
    card: Character
    kind: Literal["no-effect"] = "no-effect"


@dataclass(frozen=True, slots=True)
class StitchMoved(PublicEvent):
    """Stitch went from `seat` to `target` without being flipped; never to where he was."""

    seat: Seat
    target: Seat
    side: Side
    kind: Literal["stitch-moved"] = "stitch-moved"


@dataclass(frozen=True, slots=True)
class Flipped(PublicEvent):
    """Stitch, in front of `seat`, was flipped; `side` is up now."""

    seat: Seat
    side: Side
    kind: Literal["flipped"] = "flipped"


@dataclass(frozen=True, slots=True)
class KnockedOut(PublicEvent):
    """`seat` is out of the round and shows `card`; `by` did it (a Leroy can do it to its owner)."""

    seat: Seat
    by: Seat
    card: Character
    kind: Literal["knocked-out"] = "knocked-out"


@dataclass(frozen=True, slots=True)
class GuessMissed(PublicEvent):
    """`seat` guessed a number that `target` does not hold (A10: no more is said)."""

    seat: Seat
    target: Seat
    guess: int
    kind: Literal["guess-missed"] = "guess-missed"


@dataclass(frozen=True, slots=True)
class Looked(PublicEvent):
    """`seat` looked at the hand of `target`; if it was Lilo or Nani, KnockedOut follows."""

    seat: Seat
    target: Seat
    kind: Literal["looked"] = "looked"


@dataclass(frozen=True, slots=True)
class Compared(PublicEvent):
    """`seat` and `target` compared hands; `loser` is None in a tie, else KnockedOut follows."""

    seat: Seat
    target: Seat
    loser: Seat | None
    kind: Literal["compared"] = "compared"


@dataclass(frozen=True, slots=True)
class OfferMade(PublicEvent):
    """`seat` wants to trade hands; `target` has Stitch and may give him instead."""

    seat: Seat
    target: Seat
    kind: Literal["offer-made"] = "offer-made"


@dataclass(frozen=True, slots=True)
class OfferAnswered(PublicEvent):
    """`seat` gave Stitch to `target` to keep the hand, or did not; what it led to follows."""

    seat: Seat
    target: Seat
    gave: bool
    kind: Literal["offer-answered"] = "offer-answered"


@dataclass(frozen=True, slots=True)
class HandsTraded(PublicEvent):
    """`seat` and `target` traded hands."""

    seat: Seat
    target: Seat
    kind: Literal["hands-traded"] = "hands-traded"


@dataclass(frozen=True, slots=True)
class Protected(PublicEvent):
    """David protects `seat` until the start of its next turn (A30)."""

    seat: Seat
    kind: Literal["protected"] = "protected"


@dataclass(frozen=True, slots=True)
class ProtectionEnded(PublicEvent):
    """The next turn of `seat` begins, so David protects it no longer."""

    seat: Seat
    kind: Literal["protection-ended"] = "protection-ended"


@dataclass(frozen=True, slots=True)
class ExtraTurn(PublicEvent):
    """Angel brought Good Stitch: `seat` draws and plays again (A21)."""

    seat: Seat
    kind: Literal["extra-turn"] = "extra-turn"


@dataclass(frozen=True, slots=True)
class RoundEnded(PublicEvent):
    """A round's result.

    `hands` and `sums` (with Stitch's +2 or -2) have an entry for each seat: None for those who are
    out, and for everyone when one player was left, as nothing is revealed then. `stitch` and
    `side` are as the round ended, `tokens` already count this round, `aside` is the card set aside
    (A45).
    """

    number: int
    reason: Ending
    winners: tuple[Seat, ...]
    hands: tuple[Character | None, ...]
    sums: tuple[int | None, ...]
    stitch: Seat
    side: Side
    aside: Character
    tokens: tuple[int, ...]
    kind: Literal["round-ended"] = "round-ended"


@dataclass(frozen=True, slots=True)
class MatchEnded(PublicEvent):
    """Somebody has tokens enough; several can win together (A44)."""

    winners: tuple[Seat, ...]
    tokens: tuple[int, ...]
    kind: Literal["match-ended"] = "match-ended"


PublicNews = (
    RoundStarted
    | Played
    | NoEffect
    | StitchMoved
    | Flipped
    | KnockedOut
    | GuessMissed
    | Looked
    | Compared
    | OfferMade
    | OfferAnswered
    | HandsTraded
    | Protected
    | ProtectionEnded
    | ExtraTurn
    | RoundEnded
    | MatchEnded
)


# What one seat alone may know


@dataclass(frozen=True, slots=True)
class Dealt(PrivateEvent):
    """The card that `to` starts the round with."""

    card: Character
    kind: Literal["dealt"] = "dealt"


@dataclass(frozen=True, slots=True)
class Drew(PrivateEvent):
    """The card that `to` drew at the start of its turn."""

    card: Character
    kind: Literal["drew"] = "drew"


@dataclass(frozen=True, slots=True)
class Saw(PrivateEvent):
    """What `to` saw in the hand of `seat`, by Cobra Bubbles or in a Sparky's comparison (A15)."""

    seat: Seat
    card: Character
    kind: Literal["saw"] = "saw"


@dataclass(frozen=True, slots=True)
class Swapped(PrivateEvent):
    """Hands were traded: `to` gave `gave` to `seat` and holds `got` now."""

    seat: Seat
    gave: Character
    got: Character
    kind: Literal["swapped"] = "swapped"


PrivateNews = Dealt | Drew | Saw | Swapped
News = PublicNews | PrivateNews


@dataclass(slots=True)
class State:
    """Everything about a match, secrets included. Never changed once it is made.

    (Declaring that to Python makes each of them seven times as slow to make, and a search makes
    one a move.)

    A hand is () when its seat is out, and (held, drawn) on its turn. `deck` is drawn from its end.
    `asked` is the seat whose answer is awaited: `turn`'s own, or that of the owner of Stitch whom
    `turn`'s Pleakley has chosen; None when the match is over. `history` and `told` are the public
    and the private events of this round in order, `before` and `before_told` those of the round
    before, RoundEnded included; what a seat remembers follows from them (see memory.py).
    """

    hands: tuple[tuple[Character, ...], ...]
    piles: tuple[tuple[Character, ...], ...]
    deck: tuple[Character, ...]
    aside: Character
    stitch: Seat
    side: Side
    protected: Seat | None
    turn: Seat
    asked: Seat | None
    tokens: tuple[int, ...]
    round: int
    epoch: int
    history: tuple[PublicNews, ...]
    told: tuple[PrivateNews, ...]
    before: tuple[PublicNews, ...]
    before_told: tuple[PrivateNews, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """What everyone sees of one seat: `pile` lies face up in the order in which it came there."""

    tokens: int
    cards: int
    pile: tuple[Character, ...]
    out: bool
    protected: bool


@dataclass(frozen=True, slots=True)
class View:
    """A match as `you` see it; None is a watcher, who has no hand and was told nothing.

    `hand` is (held,) or, on your turn, (held, drawn). `known` has an entry for each seat: the card
    that you lawfully know it to hold (A46), else None. `turn` is whose turn it is and `asked` who
    has to answer `asking` (another seat than `turn` when it is an offer; None when it is over).
    `history` and `told` are this round's events, `before` and `before_told` those of the round
    before; after the end of the match the last round stands in `before`.
    """

    you: Seat | None
    places: tuple[Place, ...]
    stitch: Seat
    side: Side
    deck: int
    round: int
    goal: int
    turn: Seat
    asking: Asking
    asked: Seat | None
    hand: tuple[Character, ...]
    known: tuple[Character | None, ...]
    history: tuple[PublicNews, ...]
    told: tuple[PrivateNews, ...]
    before: tuple[PublicNews, ...]
    before_told: tuple[PrivateNews, ...]

    @property
    def last(self) -> RoundEnded | None:
        """How the round before this one ended."""
        ends = (event for event in reversed(self.before) if isinstance(event, RoundEnded))
        return next(ends, None)
