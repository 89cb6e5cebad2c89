"""Every sentence that can be needed is there, in whole, and comes from the files."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as ftl
from fluent.syntax.visitor import Visitor

import bot
import engine
from bot.registry import GAMES, PRESENTERS
from bot.texts import ENGLISH, SHIPPED, Texts, UnknownText, shipped
from bot.ui.panel import Panel
from bot.ui.presenter import Guest, Scene
from engine.choosing import Pick, Question, ask
from engine.core import PrivateEvent
from engine.errors import GameError, all_errors
from tests.bot.pseudo import pseudo, pseudo_words
from tests.playout import moves

ROOT = SHIPPED.parent.parent
FILES = sorted(SHIPPED.glob("*/*.ftl"))
LOCALES = sorted({file.parent.name for file in FILES})

each_file = pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}/{f.name}")
each_locale = pytest.mark.parametrize("locale", LOCALES)
each_game = pytest.mark.parametrize("key", PRESENTERS)


@cache
def entries(file: Path) -> tuple[ftl.EntryType, ...]:
    return tuple(FluentParser(with_spans=False).parse(file.read_text("utf-8")).body)


@cache
def messages(locale: str) -> dict[str, ftl.Message]:
    return {
        entry.id.name: entry
        for file in sorted((SHIPPED / locale).glob("*.ftl"))
        for entry in entries(file)
        if isinstance(entry, ftl.Message)
    }


class _Variables(Visitor):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: ftl.VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)


def variables(message: ftl.Message) -> set[str]:
    found = _Variables()
    found.visit(message)
    return found.names


# --- the files -----------------------------------------------------------------------------------


@each_file
def test_a_file_has_no_junk(file):
    assert [e.content for e in entries(file) if isinstance(e, ftl.Junk)] == []


@each_file
def test_every_message_says_something(file):
    for entry in entries(file):
        if isinstance(entry, ftl.Message):
            assert entry.value is not None, entry.id.name
            assert not entry.attributes, entry.id.name
            assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", entry.id.name), entry.id.name


@each_locale
def test_no_message_is_there_twice(locale):
    names = Counter(
        entry.id.name
        for file in (SHIPPED / locale).glob("*.ftl")
        for entry in entries(file)
        if isinstance(entry, ftl.Message)
    )
    assert [name for name, times in names.items() if times > 1] == []


@each_locale
def test_a_language_has_just_what_english_has(locale):
    english = messages(ENGLISH)
    assert set(messages(locale)) == set(english)
    for name, message in messages(locale).items():
        assert variables(message) <= variables(english[name]), name


@each_locale
def test_every_choice_of_a_sentence_is_well_made(locale):
    """With every param a word and with every param a number, a sentence can be said."""
    words = Texts().words(locale)
    for name, message in messages(locale).items():
        for value in ("word", 0, 1, 2, 5):
            assert words(name, **dict.fromkeys(variables(message), value)), name


# --- what the code asks for ----------------------------------------------------------------------


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for folder in ("engine", "bot", "cogs"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            yield file, ast.parse(file.read_text("utf-8"))


@cache
def refusals() -> dict[str, type[GameError]]:
    """Every GameError of ours by its class's name."""
    for package in (engine, bot):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.rpartition(".")[2] not in {"__main__", "sandbox"}:
                importlib.import_module(found.name)
    ours = ("engine.", "bot.", "cogs.")
    return {e.__name__: e for e in all_errors() if f"{e.__module__}.".startswith(ours)}


def test_every_refusal_has_a_sentence():
    missing = {e.code for e in refusals().values() if f"error-{e.code}" not in messages(ENGLISH)}
    assert missing == set()


def test_every_refusal_has_a_code_of_its_own():
    codes = Counter(error.code for error in refusals().values())
    assert [code for code, times in codes.items() if times > 1] == []


def test_every_refusal_gives_what_its_sentence_names():
    for file, tree in sources():
        for node in ast.walk(tree):
            name, given = _made(node)
            error = refusals().get(name)
            if error is None or given is None or "__init__" in vars(error):
                continue
            if "table" in given:
                given.add("link")  # found out by whoever shows it
            message = messages(ENGLISH).get(f"error-{error.code}")
            assert message is None or variables(message) <= given, f"{file.name}: {name}"


def _made(node: ast.AST) -> tuple[str, set[str] | None]:
    """The class that this makes or raises and the names of its keyword arguments."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name | ast.Attribute):
        return _name(node.exc), set()
    if not isinstance(node, ast.Call):
        return "", None
    names = {keyword.arg for keyword in node.keywords}
    return _name(node.func), None if None in names else {name for name in names if name}


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def test_every_sentence_that_the_code_names_is_there():
    named = {
        (file.name, arg.value)
        for file, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _name(node.func) in {"w", "words", "said", "_words"}
        for arg in node.args[:1]
        if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
    }
    known = {*messages(ENGLISH), *LOCALES}
    assert {(file, key) for file, key in named if key not in known} == set()


# --- the made-up language ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made_up(tmp_path_factory):
    return pseudo_words(tmp_path_factory.mktemp("locale"))


def test_the_made_up_language_is_unlike_english():
    choice = "{ $n ->\n        [one] card\n       *[other] cards\n    }"
    assert pseudo(f"a-b = Hello {{ $name }}\nc = {choice}\n").splitlines() == [
        "a-b = ⟦Ĥéļļö { $name }··⟧",
        "c =",
        "    ⟦{ $n ->",
        "        [one] çáŕð",
        "       *[other] çáŕðš",
        "    }···⟧",
    ]


@each_game
def test_every_word_comes_from_the_files(key, made_up):
    """In the made-up language no English is left but what the game's data files name."""
    data = " ".join(f.read_text("utf-8") for f in (ROOT / "engine" / key).rglob("*.csv"))
    allowed = set(re.findall(r"[A-Za-z]+", data))
    for text in everything(key, made_up):
        assert set(re.findall(r"[A-Za-z]+", text)) <= allowed, text


@each_game
def test_the_longest_words_still_fit(key, made_up):
    for text in everything(key, made_up):
        assert len(text) <= 4000


def everything(key: str, words) -> Iterator[str]:
    """All that the presenter of a game says in two random games."""
    game, presenter = GAMES[key], PRESENTERS[key]
    for page in presenter.rules(words):
        yield Panel("", page).text()
    for seed in (b"one", b"two"):
        for number, move in enumerate(moves(game, seed)):
            match = move.after
            guests = tuple(Guest(f"{s}", f"{s}") for s in range(match.seats))
            scene = Scene(words, guests)
            for event in move.events:
                you = event.to if isinstance(event, PrivateEvent) else None
                yield presenter.line(event, replace(scene, you=you)) or ""
            yield Panel("", presenter.notice(move.events, scene)).text()
            if number % 5 and not match.over:
                continue
            watcher = match.view(None)
            yield Panel("", presenter.board(watcher, scene)).text()
            yield presenter.question(watcher, scene, match.pending())
            if (outcome := game.outcome(match.state)) is not None:
                yield Panel("", presenter.ending(outcome, watcher, scene)).text()
            for seat in match.all_seats():
                view, own = match.view(seat), replace(scene, you=seat)
                yield Panel("", presenter.hand(view, own)).text()
                choices = match.choices(seat)
                yield from _choosing(presenter, choices, view, own)
                for action in choices:
                    yield presenter.action(action, view, own)
                    yield presenter.warning(action, view, own) or ""


def _choosing(presenter, choices, view, scene) -> Iterator[str]:
    question = ask(choices) if choices else None
    if isinstance(question, Question | Pick):
        yield presenter.prompt(question.field, view, scene)
        values = question.values if isinstance(question, Question) else question.items
        for value in values:
            label = presenter.label(question.field, value, view, scene)
            yield f"{label.text} {label.hint}"


# --- the loader ----------------------------------------------------------------------------------


def test_a_language_falls_back_to_its_root_and_then_to_english(tmp_path):
    for locale, said in (("en", "a = A\nb = B"), ("pt", "a = Á")):
        (tmp_path / locale).mkdir()
        (tmp_path / locale / "x.ftl").write_text(said, "utf-8")
    texts = Texts((tmp_path,))
    assert texts.locales == ("en", "pt")
    assert texts.words("pt-BR")("a") == "Á"
    assert texts.words("pt-BR")("b") == "B"
    assert texts.words("ja")("a") == "A"
    assert texts.words(None)("a") == "A"


def test_what_no_language_says_is_our_mistake():
    with pytest.raises(UnknownText):
        shipped().words(ENGLISH)("no-such-sentence")
