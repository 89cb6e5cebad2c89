"""The shipped cards, and everything that can be wrong with an owner's own files."""

from __future__ import annotations

import contextlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Chance
from engine.errors import BadDeck
from engine.stitches import Stitches
from engine.stitches.model import Part
from engine.stitches.parts import (
    PROBLEMS,
    Box,
    read_abominations,
    read_parts,
    read_words,
    shipped,
    shipped_text,
)

READERS = {
    "parts.csv": read_parts,
    "words.csv": read_words,
    "abominations.csv": read_abominations,
}


def test_the_monster_parts_are_balanced():
    parts = [shipped().parts[number] for number in shipped().monster_parts]
    assert Counter(part.cost for part in parts) == {2: 9, 3: 9, 4: 9, 5: 9}
    assert sum(part.rock for part in parts) == 33
    assert sum(part.paper for part in parts) == 33
    assert sum(part.scissors for part in parts) == 33
    for monster in {part.monster for part in parts}:
        kinds = [part.kind for part in parts if part.monster == monster]
        assert Counter(kinds) == {"head": 1, "arm": 2, "legs": 1}


def test_a_human_beats_half_of_them():
    box = shipped()
    human = [box.parts[number] for number in box.human]
    rock, paper, scissors = (
        sum(getattr(part, symbol) for part in human) for symbol in ("rock", "paper", "scissors")
    )
    assert (rock, paper, scissors) == (2, 1, 1)
    beaten = [
        part.cost
        for part in (box.parts[number] for number in box.monster_parts)
        if paper >= part.rock and scissors >= part.paper and rock >= part.scissors
    ]
    assert Counter(beaten) == {2: 9, 3: 3, 4: 5, 5: 1}


def test_the_words_and_the_abominations():
    assert len(shipped().words) == 36
    assert set(Counter(shipped().words).values()) == {4}
    for level in (0, 1):
        assert len(shipped().heads[level]) == len(shipped().torsos[level]) == 4
    assert [part.id for part in shipped().parts] == list(range(len(shipped().parts)))


def test_torsos_and_humans_may_be_left_out():
    lines = shipped_text("parts.csv").splitlines()
    short = read_parts("\n".join(lines[:37]), "parts.csv")
    whole = read_parts("\n".join(lines), "parts.csv")

    def symbols(parts: tuple[Part, ...]) -> list[tuple[str, int, int, int]]:
        return [(p.monster, p.rock, p.paper, p.scissors) for p in parts]

    assert short.parts == whole.parts
    assert symbols(short.torsos) == symbols(whole.torsos)
    assert symbols(short.humans.arms) == symbols(whole.humans.arms)


def test_an_owners_file_may_have_a_mark_comments_blank_lines_and_other_names():
    text = "\ufeff# my own\n\n" + shipped_text("parts.csv").replace("Mantis", "Bogey Man")
    box = Box(
        read_parts(text, "mine.csv"),
        read_words(shipped_text("words.csv"), "words.csv"),
        read_abominations(shipped_text("abominations.csv"), "abominations.csv"),
    )
    assert box.parts[33].monster == "Bogey Man"
    game = Stitches(box)
    assert game.edition != Stitches().edition
    assert game.setup(3, game.info.settle({}), Chance(b"x", 0)).state.pot == 8


def test_without_hard_abominations_the_normal_ones_serve():
    lines = shipped_text("abominations.csv").splitlines()
    normal, hard = read_abominations("\n".join(lines[:9]), "abominations.csv")
    assert normal == hard


def changed(name, line, old, new):
    """A shipped file with something else in one of its lines (1 is the header)."""
    lines = shipped_text(name).splitlines()
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    return "\n".join(lines)


def cut(name, lines):
    return "\n".join(shipped_text(name).splitlines()[:lines])


BAD = [
    ("parts.csv", "", 1, "deck-empty"),
    ("parts.csv", "\n# nothing\n", 1, "deck-empty"),
    ("parts.csv", cut("parts.csv", 1), 1, "deck-empty"),
    ("parts.csv", changed("parts.csv", 1, "slot", "place"), 1, "deck-header"),
    ("parts.csv", changed("parts.csv", 3, ",0,1", ",0"), 3, "deck-columns"),
    ("parts.csv", changed("parts.csv", 3, "Robot", '"Robot'), 3, "deck-columns"),
    ("parts.csv", changed("parts.csv", 4, "3,Robot", "three,Robot"), 4, "deck-number"),
    ("parts.csv", changed("parts.csv", 4, "3,Robot", "\u0663,Robot"), 4, "deck-number"),
    ("parts.csv", changed("parts.csv", 4, "3,Robot", "9" * 5000 + ",R"), 4, "deck-number"),
    ("parts.csv", changed("parts.csv", 4, "3,Robot", "-3,Robot"), 4, "deck-number"),
    ("parts.csv", changed("parts.csv", 4, "3,Robot", "2,Robot"), 4, "deck-id-twice"),
    ("parts.csv", changed("parts.csv", 4, "3,Robot", "0,Robot"), 4, "deck-id"),
    ("parts.csv", changed("parts.csv", 4, "3,Robot", "77,Robot"), 4, "deck-id"),
    ("parts.csv", changed("parts.csv", 2, "Head", "Tail"), 2, "deck-slot"),
    ("parts.csv", changed("parts.csv", 2, "Head", "Arm"), 5, "deck-monster"),
    ("parts.csv", changed("parts.csv", 2, "Robot", "Abomination"), 2, "deck-name"),
    ("parts.csv", changed("parts.csv", 38, "Robot", "Rowboat"), 38, "deck-torso"),
    ("parts.csv", changed("parts.csv", 39, "Polar Bear", "Robot"), 39, "deck-torso"),
    ("parts.csv", changed("parts.csv", 2, "Robot", "Ro\u202ebot"), 2, "deck-name"),
    ("parts.csv", changed("parts.csv", 2, "Robot", "@everyone"), 2, "deck-name"),
    ("parts.csv", changed("parts.csv", 2, "Robot", ""), 2, "deck-name"),
    ("parts.csv", changed("parts.csv", 2, "Robot", "R" * 21), 2, "deck-name"),
    ("parts.csv", changed("parts.csv", 2, "5,3,0,1", "6,3,0,1"), 2, "deck-cost"),
    ("parts.csv", changed("parts.csv", 2, "5,3,0,1", "1,3,0,1"), 2, "deck-cost"),
    ("parts.csv", changed("parts.csv", 2, "5,3,0,1", "5,10,0,1"), 2, "deck-symbols"),
    ("parts.csv", changed("parts.csv", 2, "5,3,0,1", "5,0,0,0"), 2, "deck-symbols"),
    ("parts.csv", changed("parts.csv", 51, "0,0,0,0", "0,1,0,0"), 51, "deck-humans"),
    ("parts.csv", changed("parts.csv", 51, "0,0,0,0", "2,0,0,0"), 51, "deck-cost"),
    ("parts.csv", cut("parts.csv", 33), 33, "deck-monsters"),
    ("parts.csv", cut("parts.csv", 40), 40, "deck-torsos"),
    ("parts.csv", cut("parts.csv", 48), 48, "deck-humans"),
    ("words.csv", changed("words.csv", 3, "Kitty", "Rock"), 3, "deck-word-twice"),
    ("words.csv", changed("words.csv", 3, "4", "5"), 10, "deck-words"),
    ("words.csv", changed("words.csv", 3, "4", "0"), 3, "deck-copies"),
    ("words.csv", "word,copies\nRock,36", 2, "deck-words"),
    ("words.csv", changed("words.csv", 3, "Kitty", "*Kitty*"), 3, "deck-name"),
    (
        "abominations.csv",
        changed("abominations.csv", 2, "normal", "easy"),
        2,
        "deck-level",
    ),
    ("abominations.csv", changed("abominations.csv", 2, "head", "legs"), 2, "deck-piece"),
    ("abominations.csv", cut("abominations.csv", 8), 8, "deck-abominations"),
    ("abominations.csv", cut("abominations.csv", 16), 16, "deck-abominations"),
]


@pytest.mark.parametrize(("name", "text", "line", "problem"), BAD)
def test_a_bad_file_is_named_with_its_line_and_problem(name, text, line, problem):
    with pytest.raises(BadDeck) as refused:
        READERS[name](text, "mine.csv")
    assert refused.value.params == {"file": "mine.csv", "line": line, "problem": problem}


def test_every_problem_is_among_them():
    assert {problem for *_, problem in BAD} == set(PROBLEMS)


def read_or_refused(name, text):
    """Reading either works or ends in BadDeck; any other exception fails the test."""
    with contextlib.suppress(BadDeck):
        READERS[name](text, name)


@pytest.mark.parametrize("name", READERS)
@given(text=st.text(max_size=80))
def test_any_text_is_read_or_refused(name, text):
    header = shipped_text(name).splitlines()[0]
    for trial in (text, f"{header}\n{text}", shipped_text(name) + text):
        read_or_refused(name, trial)


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
def test_any_damage_is_read_or_refused(name, data):
    text = shipped_text(name)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    read_or_refused(name, text[:start] + data.draw(st.text(max_size=4)) + text[end:])
