"""The values of Stitches: parts, the state, what a seat sees, what it may do, what happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from engine.core import PublicEvent, Seat

Kind = Literal["head", "arm", "legs", "torso"]
Stage = Literal["declare", "market", "attack", "fight", "word", "attach", "keep", "over"]
Card = Literal["grows", "attacks", "rampages", "behind"]
Pile = Literal["parts", "words", "abomination"]
Reason = Literal["stitches-abomination-defeated", "stitches-round-cap"]

HEAD, RIGHT, LEGS, LEFT = 0, 1, 2, 3
"""Slots of a body, clockwise from the head as the table sees it (C34).

The four sides of the Abomination are numbered alike, and any part may lie on any of them (C29).
"""

EMPTY = 0
"""The part id of an empty slot or side."""


@dataclass(frozen=True, slots=True)
class Part:
    """One card of a body. `id` is its place in the box; like Human cards share one id.

    `monster` is "Human" or "Abomination" for theirs. Human and Abomination cards cost 0.
    """

    id: int
    monster: str
    kind: Kind
    cost: int
    rock: int
    paper: int
    scissors: int


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of a table, once it has begun."""

    hard: bool = False
    whole_team_wins: bool = False
    attach_captured: bool = True
    torso: bool = False
    round_cap: int = 40
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Fight:
    """A fight with the Abomination while it lasts, and until its parts are handed out."""

    initiator: Seat
    # Clockwise from the initiator.
    team: tuple[Seat, ...]
    # Who has not retreated; the first of them is next to act.
    fighting: tuple[Seat, ...]
    # Whether the initiator's first attack has been made.
    opened: bool = False
    # Whether somebody has retreated: who comes later pays no Word.
    retreat_paid: bool = False
    # What each seat has removed and not yet attached or discarded, in order.
    trophies: tuple[tuple[Seat, int], ...] = ()
    # What the Abomination took in this fight and has not yet attached, in order (C38).
    captured: tuple[int, ...] = ()


class State(NamedTuple):
    """A whole match. Parts are ids; what belongs to seats stands in seat order.

    A NamedTuple, because one is made for every action and a frozen dataclass of this size takes
    four times as long to make: that decides how far a computer player can look ahead.
    """

    rules: Rules
    epoch: int
    stage: Stage
    # Who is asked, or -1 in the simultaneous stages "declare" and "keep" and when all is over.
    asked: int
    round: int
    # The First player of this round, and of the first one.
    first: Seat
    opener: Seat
    # How many have finished their action in this round.
    acted: int
    # True attacks, False scavenges, None is still thinking.
    declared: tuple[bool | None, ...]
    pot: int
    coins: tuple[int, ...]
    bodies: tuple[tuple[int, ...], ...]
    torsos: tuple[int, ...]
    words: tuple[tuple[str, ...], ...]
    market: tuple[int, ...]
    # The last card of a deck is its top.
    deck: tuple[int, ...]
    discard: tuple[int, ...]
    word_deck: tuple[str, ...]
    word_discard: tuple[str, ...]
    card_deck: tuple[Card, ...]
    card_discard: tuple[Card, ...]
    # The Abomination: until it is revealed, its head lies face down on side HEAD.
    revealed: bool
    sides: tuple[int, ...]
    torso: int
    fight: Fight | None = None
    news: tuple[Happened, ...] = ()
    winners: tuple[Seat, ...] = ()
    reason: Reason | None = None
    # In the stage "keep": a part id, EMPTY for "nothing", None while the seat owes an answer or
    # has none to give.
    kept: tuple[int | None, ...] = ()


# Actions. A part is named by its id in `View.parts`, a place on one's own body by its slot.


@dataclass(frozen=True, slots=True)
class Declare:
    """Attack or Scavenge this round, kept secret until everyone has declared."""

    attack: bool
    kind: Literal["declare"] = "declare"


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy a part of the Market; `into` is its slot, a choice only for an arm."""

    part: int
    into: int
    kind: Literal["buy"] = "buy"


@dataclass(frozen=True, slots=True)
class Done:
    """Buy no more this round."""

    kind: Literal["done"] = "done"


@dataclass(frozen=True, slots=True)
class Rob:
    """Attack a player: take half of their Stitches, rounded up."""

    target: Seat
    kind: Literal["rob"] = "rob"


@dataclass(frozen=True, slots=True)
class Tear:
    """Attack a player: take a part one can beat; `into` is its slot, a choice only for an arm."""

    target: Seat
    part: int
    into: int
    kind: Literal["tear"] = "tear"


@dataclass(frozen=True, slots=True)
class Provoke:
    """Attack the Abomination, with everyone who shares a Word with you."""

    kind: Literal["provoke"] = "provoke"


@dataclass(frozen=True, slots=True)
class Strike:
    """Remove this part of the Abomination."""

    part: int
    kind: Literal["strike"] = "strike"


@dataclass(frozen=True, slots=True)
class Retreat:
    """Leave the fight."""

    kind: Literal["retreat"] = "retreat"


@dataclass(frozen=True, slots=True)
class LoseWord:
    """The Word that the first to retreat gives up."""

    word: str
    kind: Literal["lose_word"] = "lose_word"


@dataclass(frozen=True, slots=True)
class Attach:
    """After a fight: put a part that one removed on one's own body."""

    part: int
    into: int
    kind: Literal["attach"] = "attach"


@dataclass(frozen=True, slots=True)
class Discard:
    """After a fight: do without a part that one removed."""

    part: int
    kind: Literal["discard"] = "discard"


@dataclass(frozen=True, slots=True)
class Keep:
    """After a win: take this part into the next game."""

    part: int
    kind: Literal["keep"] = "keep"


@dataclass(frozen=True, slots=True)
class KeepNothing:
    """After a win: start the next game as a human."""

    kind: Literal["keep_nothing"] = "keep_nothing"


Action = (
    Declare
    | Buy
    | Done
    | Rob
    | Tear
    | Provoke
    | Strike
    | Retreat
    | LoseWord
    | Attach
    | Discard
    | Keep
    | KeepNothing
)


# Events, in the order in which a round brings them. All are public: what is secret in Stitches is
# only what nobody has turned over yet.


@dataclass(frozen=True, slots=True)
class Began(PublicEvent):
    """The table is laid: who is First, everyone's first Word, the Market, the part on a side."""

    first: Seat
    words: tuple[str, ...]
    market: tuple[Part, ...]
    side: int
    part: Part
    kind: Literal["began"] = "began"


@dataclass(frozen=True, slots=True)
class Declared(PublicEvent):
    """All declarations at once, in seat order; True attacks."""

    attack: tuple[bool, ...]
    kind: Literal["declared"] = "declared"


@dataclass(frozen=True, slots=True)
class Shared(PublicEvent):
    """The scavengers took `each` out of the Pot and `left` stays; without any it all stays."""

    seats: tuple[Seat, ...]
    each: int
    left: int
    kind: Literal["shared"] = "shared"


@dataclass(frozen=True, slots=True)
class MarketDrew(PublicEvent):
    """A scavenger turned up a part for the Market; None when there was none left to draw."""

    seat: Seat
    part: Part | None
    kind: Literal["market_drew"] = "market_drew"


@dataclass(frozen=True, slots=True)
class Bought(PublicEvent):
    """A part was bought for its cost; `replaced` was discarded."""

    seat: Seat
    part: Part
    into: int
    replaced: Part | None
    kind: Literal["bought"] = "bought"


@dataclass(frozen=True, slots=True)
class Robbed(PublicEvent):
    """`seat` took `coins` Stitches from `target`."""

    seat: Seat
    target: Seat
    coins: int
    kind: Literal["robbed"] = "robbed"


@dataclass(frozen=True, slots=True)
class Torn(PublicEvent):
    """`seat` tore a part off `target`; `replaced` was discarded."""

    seat: Seat
    target: Seat
    part: Part
    into: int
    replaced: Part | None
    kind: Literal["torn"] = "torn"


@dataclass(frozen=True, slots=True)
class WordLearned(PublicEvent):
    """`word` was drawn after the known ones in `passed`; None: there is no Word left to learn."""

    seat: Seat
    word: str | None
    passed: tuple[str, ...]
    kind: Literal["word_learned"] = "word_learned"


@dataclass(frozen=True, slots=True)
class TorsoGrown(PublicEvent):
    """Three parts of one monster: its torso replaces the Human one (torso variant)."""

    seat: Seat
    torso: Part
    kind: Literal["torso_grown"] = "torso_grown"


@dataclass(frozen=True, slots=True)
class Reshuffled(PublicEvent):
    """A deck had run out; its discard pile became the new one."""

    pile: Pile
    kind: Literal["reshuffled"] = "reshuffled"


@dataclass(frozen=True, slots=True)
class Provoked(PublicEvent):
    """`seat` attacks the Abomination; `team` is everyone who fights, clockwise from `seat`."""

    seat: Seat
    team: tuple[Seat, ...]
    kind: Literal["provoked"] = "provoked"


@dataclass(frozen=True, slots=True)
class Revealed(PublicEvent):
    """The Abomination's head and torso are turned up."""

    head: Part
    torso: Part
    kind: Literal["revealed"] = "revealed"


@dataclass(frozen=True, slots=True)
class Filled(PublicEvent):
    """The Abomination's empty `sides` got `parts` before the attack, side by side."""

    sides: tuple[int, ...]
    parts: tuple[Part, ...]
    kind: Literal["filled"] = "filled"


@dataclass(frozen=True, slots=True)
class Struck(PublicEvent):
    """`seat` removed a part of the Abomination; `left` are still on it."""

    seat: Seat
    part: Part
    side: int
    left: int
    kind: Literal["struck"] = "struck"


@dataclass(frozen=True, slots=True)
class Missed(PublicEvent):
    """The initiator can't beat any part: the first attack fails (C31)."""

    seat: Seat
    kind: Literal["missed"] = "missed"


@dataclass(frozen=True, slots=True)
class Countered(PublicEvent):
    """The Abomination struck back and removed `part`; None: it can't beat any part of `seat`."""

    seat: Seat
    part: Part | None
    kind: Literal["countered"] = "countered"


@dataclass(frozen=True, slots=True)
class Retreated(PublicEvent):
    """`seat` left the fight; the first of a team pays a Word for it."""

    seat: Seat
    pays: bool
    kind: Literal["retreated"] = "retreated"


@dataclass(frozen=True, slots=True)
class WordLost(PublicEvent):
    """The first to retreat gave up this Word."""

    seat: Seat
    word: str
    kind: Literal["word_lost"] = "word_lost"


@dataclass(frozen=True, slots=True)
class FightEnded(PublicEvent):
    """The Abomination stands: all have retreated, or nobody fighting can beat a part (C39)."""

    stalemate: bool
    kind: Literal["fight_ended"] = "fight_ended"


@dataclass(frozen=True, slots=True)
class Placed(PublicEvent):
    """After the fight the Abomination put `parts` on `sides`; `discarded` found no room (C38)."""

    sides: tuple[int, ...]
    parts: tuple[Part, ...]
    discarded: tuple[Part, ...]
    kind: Literal["placed"] = "placed"


@dataclass(frozen=True, slots=True)
class Attached(PublicEvent):
    """A part won in the fight went on the winner's body; `replaced` was discarded."""

    seat: Seat
    part: Part
    into: int
    replaced: Part | None
    kind: Literal["attached"] = "attached"


@dataclass(frozen=True, slots=True)
class Discarded(PublicEvent):
    """A part won in the fight was discarded."""

    seat: Seat
    part: Part
    kind: Literal["discarded"] = "discarded"


@dataclass(frozen=True, slots=True)
class CardDrawn(PublicEvent):
    """The Abomination Deck's card of this round."""

    card: Card
    kind: Literal["card_drawn"] = "card_drawn"


@dataclass(frozen=True, slots=True)
class Grew(PublicEvent):
    """It Grows: `part` went on `side`; a Human part there was discarded."""

    part: Part
    side: int
    replaced: Part | None
    kind: Literal["grew"] = "grew"


@dataclass(frozen=True, slots=True)
class Snatched(PublicEvent):
    """It Attacks or It Rampages: `part` was taken from `seat`; side None: it was discarded."""

    seat: Seat
    part: Part
    side: int | None
    kind: Literal["snatched"] = "snatched"


@dataclass(frozen=True, slots=True)
class Spared(PublicEvent):
    """The Abomination's card had no effect at all."""

    card: Card
    kind: Literal["spared"] = "spared"


@dataclass(frozen=True, slots=True)
class MarketRefreshed(PublicEvent):
    """The rest of the Market was discarded for a new one."""

    discarded: tuple[Part, ...]
    market: tuple[Part, ...]
    kind: Literal["market_refreshed"] = "market_refreshed"


@dataclass(frozen=True, slots=True)
class FirstMoved(PublicEvent):
    """Round number `round` begins, and `first` is its First player."""

    round: int
    first: Seat
    kind: Literal["first_moved"] = "first_moved"


@dataclass(frozen=True, slots=True)
class Kept(PublicEvent):
    """A winner takes this part into the next game; None: nothing."""

    seat: Seat
    part: Part | None
    kind: Literal["kept"] = "kept"


@dataclass(frozen=True, slots=True)
class MatchEnded(PublicEvent):
    """The Abomination is defeated by `winners`, or has outlasted everybody: no winners."""

    winners: tuple[Seat, ...]
    reason: Reason
    kind: Literal["match_ended"] = "match_ended"


Happened = (
    Began
    | Declared
    | Shared
    | MarketDrew
    | Bought
    | Robbed
    | Torn
    | WordLearned
    | TorsoGrown
    | Reshuffled
    | Provoked
    | Revealed
    | Filled
    | Struck
    | Missed
    | Countered
    | Retreated
    | WordLost
    | FightEnded
    | Placed
    | Attached
    | Discarded
    | CardDrawn
    | Grew
    | Snatched
    | Spared
    | MarketRefreshed
    | FirstMoved
    | Kept
    | MatchEnded
)


@dataclass(frozen=True, slots=True)
class Monster:
    """A player's place on the table; all of it is public."""

    seat: Seat
    coins: int
    # By slot: HEAD, RIGHT, LEGS, LEFT; None is empty.
    body: tuple[Part | None, ...]
    torso: Part
    words: tuple[str, ...]
    # Whether a declaration lies on the table; `attacks` is it, once all are turned up.
    declared: bool
    attacks: bool | None
    # Whether this round's action is over.
    acted: bool


@dataclass(frozen=True, slots=True)
class Abomination:
    """The Abomination as it lies on the table.

    Until it is `revealed` the head lies face down on side HEAD: that side is None here, yet not
    empty, and `torso` is None.
    """

    revealed: bool
    sides: tuple[Part | None, ...]
    torso: Part | None


@dataclass(frozen=True, slots=True)
class Battle:
    """The fight going on: who, who is still in, what each has removed, what it has taken."""

    initiator: Seat
    team: tuple[Seat, ...]
    # The first of them is next to act.
    fighting: tuple[Seat, ...]
    # Whether the initiator's first attack has been made.
    opened: bool
    # Whether somebody has already retreated, so that it costs no Word any more.
    retreat_paid: bool
    # Removed and not yet attached or discarded, with the seat that did it.
    trophies: tuple[tuple[Seat, Part], ...]
    captured: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What `seat` sees; None is a watcher."""

    seat: Seat | None
    rules: Rules
    # Every card of the box by its id, to name the parts of actions; parts[0] is no card.
    parts: tuple[Part, ...]
    stage: Stage
    # Who owes an answer.
    asked: tuple[Seat, ...]
    round: int
    first: Seat
    monsters: tuple[Monster, ...]
    # The reader's own declaration, also while it is still secret.
    declaration: bool | None
    pot: int
    market: tuple[Part, ...]
    # How many cards each deck has, and what lies on its discard pile.
    deck: int
    discard: tuple[Part, ...]
    word_deck: int
    word_discard: tuple[str, ...]
    card_deck: int
    card_discard: tuple[Card, ...]
    abomination: Abomination
    battle: Battle | None
    # What has happened since the last decisive answer, oldest first.
    news: tuple[Happened, ...]
    winners: tuple[Seat, ...]
    reason: Reason | None
    # In the stage "keep": what each seat keeps; () before.
    kept: tuple[Part | None, ...]
