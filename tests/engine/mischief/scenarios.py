"""Rounds in a few words: hands, deck and rolls in; plays in words; facts out in words.

A card is written as its colour's letter, its presents' letters and its symbol: `rH` is red with a
hibiscus, `yUC+` yellow with ukulele and candy cane and Nice, `gS-` green with sunglasses, Naughty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.chance import Chance
from engine.core import Event, Seat, visible
from engine.mischief import Mischief
from engine.mischief.deck import Deck
from engine.mischief.model import COLOURS, ICONS, Card, Play, State, Table, View

_COLOURS = {colour[0]: colour for colour in COLOURS}
_ICONS = {icon[0].upper(): icon for icon in ICONS}
_SYMBOLS = {"+": "nice", "-": "naughty"}


def card(text: str, number: int) -> Card:
    symbol = _SYMBOLS.get(text[-1], "none")
    presents = tuple(_ICONS[letter] for letter in text[1:].rstrip("+-"))
    return Card(number, _COLOURS[text[0]], presents, symbol)


def spell(card: Card) -> str:
    letters = "".join(icon[0].upper() for icon in card.presents)
    return card.colour[0] + letters + {"nice": "+", "naughty": "-", "none": ""}[card.symbol]


class Script(Chance):
    """Shows the given faces, in order; a shuffle leaves the order as it was."""

    def __init__(self, faces: str) -> None:
        super().__init__(b"script", 0)
        self.faces = list(faces)

    def below(self, n: int) -> int:
        assert n == len(ICONS), "only rolls are scripted"
        assert self.faces, "one roll more than the script has"
        return ICONS.index(_ICONS[self.faces.pop(0)])

    def shuffle(self, items: Iterable[int]) -> tuple[int, ...]:
        return tuple(items)


class Scene:
    """One match in the middle of it; `events` are those of the last play."""

    def __init__(self, game: Mischief, cards: Sequence[Card], state: State, rolls: str) -> None:
        self.game, self.state = game, state
        self.chance = Script(rolls)
        self.events: tuple[Event, ...] = ()
        self._cards = {card.id: card for card in cards}

    # --- doing

    def action(self, seat: int, cards: str) -> Play:
        """The play of these cards of the seat's hand, in the order in which they are named."""
        held = list(self.state.table.hands[seat])
        chosen = []
        for text in cards.split():
            found = next(i for i in held if spell(self._cards[i]) == text)
            held.remove(found)
            chosen.append(found)
        return Play(tuple(chosen))

    def submit(self, seat: int, action: Play) -> tuple[Event, ...]:
        at = Seat(seat)
        choices = self.game.legal(self.state, at) or self.game.revisions(self.state, at)
        if action not in choices:
            raise self.game.why_not(self.view(seat), action)
        step = self.game.apply(self.state, at, action, self.chance)
        self.state, self.events = step.state, step.events
        return step.events

    def play(self, seat: int, cards: str) -> tuple[Event, ...]:
        return self.submit(seat, self.action(seat, cards))

    def all_play(self, *plays: str) -> Scene:
        """A whole round: a play for each seat, "" for one that is out."""
        for seat, cards in enumerate(plays):
            if cards:
                self.play(seat, cards)
        return self

    # --- asking

    @property
    def table(self) -> Table:
        return self.state.table

    def view(self, seat: int | None) -> View:
        return self.game.view(self.state, None if seat is None else Seat(seat))

    def words(self, ids: Iterable[int]) -> str:
        return " ".join(spell(self._cards[number]) for number in ids)

    def hand(self, seat: int) -> str:
        return self.words(self.table.hands[seat])

    def stack(self, seat: int) -> str:
        return self.words(self.table.stacks[seat])

    def bonus(self, seat: int) -> str:
        bonus = self.table.bonuses[seat]
        return "" if bonus is None else self.words([bonus])

    @property
    def deck(self) -> str:
        return self.words(self.table.deck)

    @property
    def discard(self) -> str:
        return self.words(self.table.discard)

    @property
    def asked(self) -> set[int]:
        return set(self.game.pending(self.state))

    def told(self, kind: str, *, to: int | None = None) -> list[Event]:
        """The events of a kind in the last play, as a seat (or a watcher) saw them."""
        seen = visible(self.events, None if to is None else Seat(to))
        return [event for event in seen if event.kind == kind]

    @property
    def winners(self) -> set[int]:
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        return set(outcome.winners)

    @property
    def scores(self) -> list[int]:
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        return [outcome.scores[Seat(seat)] for seat in range(len(self.table.hands))]


def deal(
    *hands: str,
    deck: str = "",
    discard: str = "",
    stacks: Sequence[str] = (),
    rolls: str = "",
    final: bool = False,
    roller: int = 0,
    totals: bool = False,
    final_bonus: bool = False,
) -> Scene:
    """A round that begins with these hands; the deck's top card is named first."""
    cards: list[Card] = []

    def new(text: str) -> tuple[int, ...]:
        first = len(cards) + 1
        cards.extend(card(word, first + i) for i, word in enumerate(text.split()))
        return tuple(range(first, len(cards) + 1))

    table = Table(
        round=1,
        final=final,
        roller=Seat(roller),
        hands=tuple(map(new, hands)),
        stacks=tuple(map(new, stacks)) if stacks else ((),) * len(hands),
        bonuses=(None,) * len(hands),
        deck=new(deck),
        discard=new(discard),
        reshuffles=(),
        news=(),
        ending=None,
        totals=totals,
        final_bonus=final_bonus,
    )
    game = Mischief(Deck(tuple(cards)))
    asked = frozenset(Seat(seat) for seat, hand in enumerate(hands) if hand)
    return Scene(game, cards, State(table, ((),) * len(hands), asked), rolls)
