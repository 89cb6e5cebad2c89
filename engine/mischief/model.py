"""The values of Merry Mischief: cards, the state, what a seat sees, the action and the events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.core import PrivateEvent, PublicEvent, Seat

Colour = Literal["red", "yellow", "green"]
Icon = Literal["hibiscus", "record", "ukulele", "candycane", "sunglasses", "pineapple"]
Symbol = Literal["nice", "naughty", "none"]

COLOURS: tuple[Colour, ...] = ("red", "yellow", "green")
ICONS: tuple[Icon, ...] = (
    "hibiscus", "record", "ukulele", "candycane", "sunglasses", "pineapple",
)  # fmt: skip
"""The presents, and so the faces of the Present die."""
SYMBOLS: tuple[Symbol, ...] = ("nice", "naughty", "none")

SEATS = tuple(map(Seat, range(6)))
"""Every seat that a table can have."""
HAND = 6
MOST_CARDS = 3
"""How many cards a seat may play in a round (B01)."""

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card as printed; `presents` are one or two different icons (B03, B04)."""

    id: int
    colour: Colour
    presents: tuple[Icon, ...]
    symbol: Symbol


# --- the action


@dataclass(frozen=True, slots=True)
class Play:
    """One to three cards of one colour, by id, in the order in which the hand holds them (B01)."""

    cards: Ids
    kind: Literal["play"] = "play"


# --- events: a round as it is told, in the order of the rulebook's steps


@dataclass(frozen=True, slots=True)
class Dealt(PrivateEvent):
    """Set Up: the reader's first hand."""

    cards: tuple[Card, ...]
    kind: Literal["dealt"] = "dealt"


@dataclass(frozen=True, slots=True)
class Locked(PublicEvent):
    """A seat has chosen. What, and whether it changes its mind, stays face down (B02)."""

    seat: Seat
    kind: Literal["locked"] = "locked"


@dataclass(frozen=True, slots=True)
class Chosen(PrivateEvent):
    """The reader's choice, or changed choice, for this round."""

    cards: tuple[Card, ...]
    kind: Literal["chosen"] = "chosen"


@dataclass(frozen=True, slots=True)
class Laid:
    """What one seat played face up."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Revealed(PublicEvent):
    """Flip Cards Face Up: every play in seat order, the cards with each symbol, the rolls (B05)."""

    round: int
    final: bool
    plays: tuple[Laid, ...]
    nice: int
    naughty: int
    rolls: int
    kind: Literal["revealed"] = "revealed"


@dataclass(frozen=True, slots=True)
class Rolled(PublicEvent):
    """Roll `number` (from 1) of the round; `hit` lose their face-up cards, from the roller on."""

    number: int
    roller: Seat
    face: Icon
    hit: tuple[Seat, ...]
    kind: Literal["rolled"] = "rolled"


@dataclass(frozen=True, slots=True)
class Discarded(PublicEvent):
    """A seat lost all the cards it played, and draws as many (B08)."""

    seat: Seat
    cards: tuple[Card, ...]
    kind: Literal["discarded"] = "discarded"


@dataclass(frozen=True, slots=True)
class Reshuffled(PublicEvent):
    """The deck was empty: the discard pile, this many cards, became the new one (B12)."""

    cards: int
    kind: Literal["reshuffled"] = "reshuffled"


@dataclass(frozen=True, slots=True)
class Drew(PrivateEvent):
    """The cards that the reader drew for lost ones; they are not played this round (B10)."""

    cards: tuple[Card, ...]
    kind: Literal["drew"] = "drew"


@dataclass(frozen=True, slots=True)
class Saved(PublicEvent):
    """A seat's face-up cards survived every roll; `stack` is how many cards it has saved now."""

    seat: Seat
    cards: tuple[Card, ...]
    presents: int
    stack: int
    kind: Literal["saved"] = "saved"


@dataclass(frozen=True, slots=True)
class WentOut(PublicEvent):
    """A seat has no cards left."""

    seat: Seat
    kind: Literal["went-out"] = "went-out"


@dataclass(frozen=True, slots=True)
class BonusTaken(PublicEvent):
    """A seat that went out put a card from the deck on its stack, seen by nobody (B15)."""

    seat: Seat
    kind: Literal["bonus-taken"] = "bonus-taken"


@dataclass(frozen=True, slots=True)
class FinalRound(PublicEvent):
    """Somebody is out, so the next round is the last; `seats` have cards and play it (B17)."""

    seats: tuple[Seat, ...]
    kind: Literal["final-round"] = "final-round"


@dataclass(frozen=True, slots=True)
class Tied:
    """A seat that shared the most presents, and how many of them show the face of the tie roll."""

    seat: Seat
    matches: int


@dataclass(frozen=True, slots=True)
class TieRoll(PublicEvent):
    """The one roll that breaks a tie for the most presents (B20)."""

    face: Icon
    tied: tuple[Tied, ...]
    kind: Literal["tie-roll"] = "tie-roll"


@dataclass(frozen=True, slots=True)
class Stack:
    """One seat's stack turned over: `presents` counts the bonus card too."""

    seat: Seat
    cards: tuple[Card, ...]
    bonus: Card | None
    presents: int


Reason = Literal["mischief-most-presents", "mischief-tie-roll", "mischief-shared"]


@dataclass(frozen=True, slots=True)
class MatchEnded(PublicEvent):
    """End of the Game: every stack in seat order, who won and by what."""

    stacks: tuple[Stack, ...]
    winners: tuple[Seat, ...]
    reason: Reason
    kind: Literal["match-ended"] = "match-ended"


News = (
    Revealed | Rolled | Discarded | Reshuffled | Saved
    | WentOut | BonusTaken | FinalRound | TieRoll | MatchEnded
)  # fmt: skip
"""What the resolving of a round can tell everybody."""

MischiefEvent = (
    Dealt | Locked | Chosen | Revealed | Rolled | Discarded | Reshuffled | Drew | Saved
    | WentOut | BonusTaken | FinalRound | TieRoll | MatchEnded
)  # fmt: skip


# --- the state and what is seen of it


@dataclass(slots=True)
class Table:
    """Everything but the choices being made. Cards are ids; plural names are tuples by seat.

    Never changed once it is made, like State. (Declaring that to Python makes each of them several
    times as slow to make.) Cards that a seat has chosen stay in its hand until all have chosen.
    The deck's top is first.
    """

    round: int
    final: bool
    roller: Seat  # who makes the next roll; it goes clockwise (B07)
    hands: tuple[Ids, ...]
    stacks: tuple[Ids, ...]  # saved cards, without the bonus card
    bonuses: tuple[int | None, ...]
    deck: Ids
    discard: Ids
    reshuffles: tuple[Ids, ...]  # what went into each new deck, sorted: it was seen by all
    news: tuple[News, ...]  # what the last round told everybody
    ending: MatchEnded | None
    totals: bool
    final_bonus: bool


@dataclass(slots=True)
class State:
    """A match: the table, and what each seat has chosen this round; () is no choice yet.

    `waiting` are the seats with cards and no choice; none of them when the match is over.
    """

    table: Table
    locked: tuple[Ids, ...]
    waiting: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class Place:
    """One seat as the reader sees it.

    `presents` are those in its stack: None where they are hidden (B21), and without the bonus card
    until the end. They are shown for the reader's own stack, to all under the option "totals", and
    to all at the end.
    """

    seat: Seat
    cards: int  # in the hand, locked ones too
    stack: int  # cards in the stack, the bonus card too
    bonus: bool
    playing: bool  # has a choice to make this round
    locked: bool
    presents: int | None


@dataclass(frozen=True, slots=True)
class View:
    """What the reader may know; `seat` None is a watcher, whose own things are all ().

    `unseen` are the cards that lie neither in the reader's hand nor face up nor saved, by id: the
    other hands, the deck and the bonus cards; `saved` are those that others have saved. Whoever
    counts cards knows as much. In whose stack a saved card lies is not told; `news` names only the
    last round's.
    """

    seat: Seat | None
    round: int
    final: bool
    over: bool
    roller: Seat
    places: tuple[Place, ...]
    hand: tuple[Card, ...]
    locked: tuple[Card, ...]  # the reader's own choice
    drew: tuple[Card, ...]  # what the reader drew in the last round; they are in the hand too
    stack: tuple[Card, ...]  # the reader's own saved cards, without the bonus card
    deck: int
    discard: tuple[Card, ...]  # face up, the latest last
    unseen: tuple[Card, ...]
    news: tuple[News, ...]
    ending: MatchEnded | None
    saved: tuple[Card, ...] = ()
    final_bonus: bool = False  # the option (B18)

    def card(self, number: int) -> Card:
        """The card of the reader's hand with this id; it must be there."""
        return next(card for card in self.hand if card.id == number)
