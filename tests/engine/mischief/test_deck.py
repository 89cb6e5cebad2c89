"""The deck file: the shipped one, and every way in which an owner's can be wrong."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import factorial, prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import mischief
from engine.chance import Chance
from engine.errors import BadDeck
from engine.mischief import Mischief
from engine.mischief.deck import CARDS, PROBLEMS, read_deck, shipped_deck, shuffled
from engine.mischief.model import COLOURS, ICONS

TEXT = (Path(mischief.__file__).parent / "deck.csv").read_text("utf-8")
LINES = TEXT.splitlines()


def test_the_shipped_deck_is_balanced():
    cards = shipped_deck().cards
    assert len(cards) == CARDS
    for colour in COLOURS:
        own = [card for card in cards if card.colour == colour]
        assert Counter(len(card.presents) for card in own) == {1: 10, 2: 7}
        assert Counter(card.symbol for card in own) == {"none": 11, "nice": 3, "naughty": 3}
        assert Counter(i for card in own for i in card.presents) == dict.fromkeys(ICONS, 4)
    pairs = {frozenset(card.presents) for card in cards if len(card.presents) == 2}
    assert pairs == {frozenset(pair) for pair in combinations(ICONS, 2)}


def problem(text: str) -> tuple[int, str]:
    with pytest.raises(BadDeck) as caught:
        read_deck(text, "mine.csv")
    assert caught.value.params["file"] == "mine.csv"
    assert set(caught.value.params) == {"file", "line", "problem"}
    return caught.value.params["line"], caught.value.params["problem"]


BAD = [
    ("5,red,ukulele", "deck-columns"),
    ("5,red,ukulele,none,more", "deck-columns"),
    ("no card at all", "deck-columns"),
    ("five,red,ukulele,none", "deck-id"),
    ("-5,red,ukulele,none", "deck-id"),
    (",red,ukulele,none", "deck-id"),
    ("²,red,ukulele,none", "deck-id"),
    ("99999999999999999999,red,ukulele,none", "deck-id"),
    ("3,red,ukulele,none", "deck-id-twice"),
    ("5,blue,ukulele,none", "deck-colour"),
    ("5,red,,none", "deck-presents-count"),
    ("5,red,ukulele+record+pineapple,none", "deck-presents-count"),
    ("5,red,ukulele+,none", "deck-presents-unknown"),
    ("5,red,guitar,none", "deck-presents-unknown"),
    ("5,red,ukulele+ukulele,none", "deck-presents-twice"),
    ("5,red,ukulele,angry", "deck-symbol"),
    ("5,red,ukulele,", "deck-symbol"),
]


@pytest.mark.parametrize(("line", "code"), BAD)
def test_a_wrong_line_is_named(line, code):
    lines = [*LINES]
    lines[5] = line
    assert problem("\n".join(lines)) == (6, code)


def test_too_few_and_too_many_cards():
    assert problem("\n".join(LINES[:-1])) == (51, "deck-too-few")
    assert problem(TEXT + "52,red,ukulele,none\n") == (53, "deck-too-many")
    assert problem("") == (1, "deck-too-few")
    assert problem(LINES[0]) == (1, "deck-too-few")


def test_every_problem_has_a_case():
    assert {code for _, code in BAD} | {"deck-too-few", "deck-too-many"} == set(PROBLEMS)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(LINES[1:]),
        "\ufeff" + TEXT.replace("\n", "\r\n"),
        TEXT.replace(",", " , ").upper(),
        "# mine\n\n" + TEXT.replace("\n", "\n\n"),
        "\n".join(reversed(LINES[1:])),
    ],
    ids=["no header", "from a spreadsheet", "spaces and capitals", "comments", "another order"],
)
def test_the_layout_of_the_file_does_not_matter(text):
    assert read_deck(text, "mine.csv") == shipped_deck()
    assert read_deck(text, "mine.csv").edition == shipped_deck().edition


def test_another_print_is_another_edition():
    other = read_deck(TEXT.replace("7,red,sunglasses,none", "7,red,sunglasses,nice"), "mine.csv")
    assert Mischief(other).edition != Mischief().edition
    assert Mischief().edition == Mischief().edition != ""


@given(text=st.text() | st.lists(st.sampled_from([*LINES, "1,red", "x,,,", "#"])).map("\n".join))
def test_no_text_gets_a_traceback(text):
    _, code = problem(text)
    assert code in PROBLEMS


class Numbers(Chance):
    """Gives `number`, digit by digit, to whoever asks for several."""

    def __init__(self, number: int) -> None:
        super().__init__(b"", 0)
        self.number = number

    def below(self, n: int) -> int:
        self.number, drawn = divmod(self.number, n)
        return drawn


@pytest.mark.parametrize("cards", range(6))
def test_every_order_comes_from_one_number(cards):
    orders = {shuffled(tuple(range(cards)), Numbers(n)) for n in range(factorial(cards))}
    assert orders == set(permutations(range(cards)))


def test_a_whole_deck_is_shuffled_by_a_few_numbers_that_make_every_order():
    asked: list[int] = []

    class Asking(Chance):
        def below(self, n: int) -> int:
            asked.append(n)
            return super().below(n)

    deck = tuple(range(CARDS))
    order = shuffled(deck, Asking(b"deck", 0))
    assert sorted(order) == list(deck)
    assert order == shuffled(deck, Chance(b"deck", 0)) != shuffled(deck, Chance(b"deck", 1))
    assert prod(asked) == factorial(CARDS)
    assert len(asked) < 5
