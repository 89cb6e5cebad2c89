"""The deck: a data file, read and checked, so that owners of the printed game can bring theirs.

One card a line: id, colour, presents joined by "+", symbol. Empty lines, lines that begin with "#"
and the header line are skipped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.chance import Chance
from engine.errors import BadDeck
from engine.mischief.model import COLOURS, ICONS, SYMBOLS, Card, Colour, Icon, Ids, Symbol

CARDS = 51
"""Components. Six hands and six bonus cards leave nine, so no draw can fail (rulings 2.1)."""

SHIPPED = "deck.csv"
HEADER = ("id", "colour", "presents", "symbol")

_LONGEST_ID = 4

PROBLEMS = (
    "deck-columns", "deck-id", "deck-id-twice", "deck-colour", "deck-presents-unknown",
    "deck-presents-count", "deck-presents-twice", "deck-symbol", "deck-too-few", "deck-too-many",
)  # fmt: skip
"""Every `problem` that a BadDeck of this game can name."""

_COLOURS: dict[str, Colour] = {colour: colour for colour in COLOURS}
_SYMBOLS: dict[str, Symbol] = {symbol: symbol for symbol in SYMBOLS}


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards, by rising id."""

    cards: tuple[Card, ...]

    @property
    def edition(self) -> str:
        """A short hash of what is printed on the cards: the same however the file is laid out."""
        lines = (f"{c.id},{c.colour},{'+'.join(c.presents)},{c.symbol}" for c in self.cards)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def shipped_deck() -> Deck:
    """The deck beside this file, a reconstruction (rulings 2.2)."""
    return read_deck(Path(__file__).with_name(SHIPPED).read_text("utf-8"), SHIPPED)


def shuffled(cards: Ids, chance: Chance) -> Ids:
    """`cards` in a random order.

    One number decides for several cards: drawing one for each would take a fifth of the time of a
    whole random game.
    """
    deck = list(cards)
    for orders, places in _draws(len(deck)):
        order = chance.below(orders)
        for place in places:
            order, other = divmod(order, place + 1)
            deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


@cache
def _draws(cards: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The places of a Fisher-Yates shuffle, from the end, and the number of orders of each lot.

    The numbers stay far enough below those that Chance draws that hardly one is drawn again.
    """
    draws: list[tuple[int, tuple[int, ...]]] = []
    orders = 1
    places: tuple[int, ...] = ()
    for place in range(cards - 1, 0, -1):
        if orders * (place + 1) >= 1 << 60:
            draws.append((orders, places))
            orders, places = 1, ()
        orders, places = orders * (place + 1), (*places, place)
    return (*draws, (orders, places))


def read_deck(text: str, name: str) -> Deck:
    """The deck that `text` describes. Raises BadDeck with the first line that is wrong.

    `name` is what the error calls the file; its `problem` is one of PROBLEMS.
    """
    cards: dict[int, Card] = {}
    number = 1
    for number, line in _lines(text):
        problem = ""
        card = _card(line)
        if isinstance(card, str):
            problem = card
        elif card.id in cards:
            problem = "deck-id-twice"
        elif len(cards) == CARDS:
            problem = "deck-too-many"
        else:
            cards[card.id] = card
        if problem:
            raise BadDeck(file=name, line=number, problem=problem)
    if len(cards) < CARDS:
        raise BadDeck(file=name, line=number, problem="deck-too-few")
    return Deck(tuple(cards[key] for key in sorted(cards)))


def _lines(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The lines that should be cards, with their numbers, cut at the commas."""
    first = True
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        columns = tuple(column.strip().lower() for column in bare.split(","))
        if not (first and columns == HEADER):
            yield number, columns
        first = False


def _card(columns: tuple[str, ...]) -> Card | str:
    """The card in a line, or the problem with it."""
    if len(columns) != len(HEADER):
        return "deck-columns"
    number, colour_word, present_words, symbol_word = columns
    if not (number.isascii() and number.isdigit() and len(number) <= _LONGEST_ID):
        return "deck-id"
    colour, symbol = _COLOURS.get(colour_word), _SYMBOLS.get(symbol_word)
    if colour is None:
        return "deck-colour"
    words = [word.strip() for word in present_words.split("+")] if present_words else []
    if not 1 <= len(words) <= 2:
        return "deck-presents-count"
    presents: tuple[Icon, ...] = tuple(icon for icon in ICONS if words.count(icon))
    if not set(words) <= set(ICONS):
        return "deck-presents-unknown"
    if len(presents) < len(words):
        return "deck-presents-twice"
    if symbol is None:
        return "deck-symbol"
    return Card(int(number), colour, presents, symbol)
