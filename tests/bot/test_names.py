# ruff: noqa: RUF001
"""Names of people are shown as they are and do nothing else."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.ui.names import COLUMNS, COMPUTER_MARK, clean, escape, present, width

MENTION = re.compile(r"@(?:everyone|here)|<[@#/:ait][^>]*>|<@|@")
HOSTILE = (
    "@everyone", "@here", "<@1>", "<@!1>", "<@&1>", "<#1>", "<t:1:R>", "<:x:1>", "<a:x:1>",
    "</fix626:1>", "<id:customize>", "<https://a.b>", "https://a.b", "[a](https://a.b)", "**", "__",
    "~~", "||", "`", "```\n", "> ", ">>> ", "# ", "### ", "-# ", "- ", "* ", "1. ", "12) ", "\\",
    "\u202e", "\u2066", "\u200f", "\u200b", "\u200d", "\u2060", "\ufeff", "\u3164", "\u2800",
    "\n", "\r", "\t", "\x00", "\x1b", "\u2028", "e\u0301\u0302\u0303\u0304", "\u0489", "\u20dd",
    "日本", "ｗ", "😀", "👩‍👩‍👧", "🇩🇪", "\ufdfd", "\U0001242b", "Bob", "Воb", "Ann…", "·2", " ", "",
)  # fmt: skip
names = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=12)), max_size=6).map("".join)
tables = st.lists(names, min_size=1, max_size=7)


def one(name: str) -> str:
    (shown,) = present([name])
    return shown.plain


def unescaped(markdown: str) -> str:
    """What Discord still reads as markdown: everything but the escaped characters."""
    return re.sub(r"\\[^0-9A-Za-z\s]", "", markdown)


def read(markdown: str) -> str:
    """What a person sees of escaped markdown."""
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", markdown)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Ann", "Ann"),
        ("  Ann \n Lee ", "Ann Lee"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("Nguyễn Văn", "Nguyễn Văn"),
        ("Анна", "Анна"),
        ("דוד", "דוד"),
        ("<3 Ann", "<3 Ann"),
        ("@everyone", "＠everyone"),
        ("<@123>", "<＠123>"),
        ("<#123>", "‹#123>"),
        ("<t:1:R>", "‹t:1:R>"),
        ("<:x:1>", "‹:x:1>"),
        ("Z\u0300\u0301\u0302\u0303\u0304algo", "Z\u0300\u0301algo"),
        ("A\u20dd", "A"),
        ("\u202eevil\u202c", "evil"),
        ("a\u200bb\u3164c", "abc"),
        ("\x00\x1b[31mred", "[31mred"),
        ("x" * 32, "x" * 19 + "…"),
        ("日" * 32, "日" * 9 + "…"),
        ("x" * 20, "x" * 20),
        ("abcdefghijklmnopqr stuvw", "abcdefghijklmnopqr…"),
    ],
)
def test_a_name_is_shown_as(name: str, plain: str) -> None:
    assert one(name) == plain


@pytest.mark.parametrize(
    ("plain", "markdown"),
    [
        ("snake_case", r"snake\_case"),
        ("**Ann**", r"\*\*Ann\*\*"),
        ("||Ann||", r"\|\|Ann\|\|"),
        ("`x`", r"\`x\`"),
        ("```", r"\`\`\`"),
        ("~~x~~", r"\~\~x\~\~"),
        ("[a](b)", r"\[a\](b)"),
        ("https://a.b", r"https\://a.b"),
        ("# Ann", r"\# Ann"),
        ("-# Ann", r"\-# Ann"),
        ("- Ann", r"\- Ann"),
        ("> Ann", r"\> Ann"),
        ("1. Ann", r"1\. Ann"),
        ("Anna-Maria 2.", "Anna-Maria 2."),
        ("a\\", r"a\\"),
    ],
)
def test_markdown_is_escaped(plain: str, markdown: str) -> None:
    assert escape(plain) == markdown
    assert read(markdown) == plain


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u3164\u3164", "\u0301", "\u202e", "\n"])
def test_a_name_of_nothing_says_the_seat(name: str) -> None:
    assert [s.plain for s in present(["Ann", name])] == ["Ann", "№ 2"]


@pytest.mark.parametrize(
    ("table", "plain"),
    [
        (["Bob", "Bob", "Bob"], ["Bob", "Bob·2", "Bob·3"]),
        (["Bob", "Bob", "Bob·2"], ["Bob", "Bob·2", "Bob·2·2"]),
        (["Bob", "Воb"], ["Bob", "Воb·2"]),
        (["Il", "lI"], ["Il", "lI·2"]),
        (["Bob", "B\u200bob"], ["Bob", "Bob·2"]),
        (["Bob", "Ｂｏｂ"], ["Bob", "Ｂｏｂ·2"]),
        (["x" * 25, "x" * 26], ["x" * 19 + "…", "x" * 17 + "…·2"]),
        (["", "№ 1"], ["№ 1", "№ 1·2"]),
        (["Ann", "ann"], ["Ann", "ann"]),
    ],
)
def test_no_two_names_of_a_table_look_the_same(table: list[str], plain: list[str]) -> None:
    assert [s.plain for s in present(table)] == plain


@given(tables)
@example(list(HOSTILE))
def test_no_mention_survives(table: list[str]) -> None:
    for shown in present(table):
        assert not MENTION.search(shown.markdown)
        assert not MENTION.search(shown.plain)
        assert not re.search(r"<\S*[a-z]*:", shown.plain)


@given(tables)
@example(list(HOSTILE))
def test_no_markdown_is_left(table: list[str]) -> None:
    for shown in present(table):
        rest = unescaped(shown.markdown)
        assert not set(rest) & set("\\*_`~|[]<>")
        assert "://" not in rest
        assert not re.match(r"#|-|\+|>|\d+[.)]", shown.markdown)
        assert read(shown.markdown) == shown.plain


@given(tables)
@example(list(HOSTILE))
def test_nothing_invisible_survives(table: list[str]) -> None:
    for shown in present(table):
        assert shown.plain.strip() == shown.plain != ""
        for char in shown.plain:
            assert char == " " or unicodedata.category(char) not in {
                "Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs", "Me",
            }  # fmt: skip
        assert not re.search(r"[\u0300-\u036f]{3}", shown.plain)


@given(tables)
@example(list(HOSTILE))
@example(["x" * 40] * 7)
@example(["日" * 40] * 7)
def test_every_name_fits_and_none_is_twice(table: list[str]) -> None:
    shown = [s.plain for s in present(table)]
    assert len(set(shown)) == len(shown) == len(table)
    for plain in shown:
        assert width(plain) <= COLUMNS
        wide = sum(unicodedata.east_asian_width(c) in "WF" for c in plain)
        assert wide + sum(not unicodedata.combining(c) for c in plain) <= COLUMNS


@given(names)
@example("".join(HOSTILE))
def test_cleaning_twice_changes_nothing(name: str) -> None:
    assert clean(clean(name)) == clean(name)


def test_nobody_bears_the_mark_of_a_computer_player():
    (shown,) = present([f"Cogwheel {COMPUTER_MARK} hard"])
    assert COMPUTER_MARK not in shown.plain + shown.markdown
