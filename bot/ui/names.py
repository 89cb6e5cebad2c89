"""Display names made safe to show: nothing in them formats, mentions, hides or overflows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

COLUMNS = 20
"""How wide a name may be; wide characters and emoji count as two."""

_ELLIPSIS = "…"
_MARKS = 2  # combining marks that one letter may carry; Vietnamese and Thai need no more

# Kinds of characters that are never shown: controls, formats (bidirectional and zero-width ones
# among them), surrogates, private use, unassigned; enclosing marks; line and paragraph separators.
_DROPPED_KINDS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Me", "Zl", "Zp"})
# Letters and marks that show as nothing at all, whatever their kind says.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Single characters that are as wide as a sentence.
_GIANTS = frozenset("\u0bf5\ua9c5\ufdfd\U00012219\U0001242b")
# The mark of computer players: nobody else bears it, so nobody can be mistaken for one.
COMPUTER_MARK = "⚙"
_GAPS = frozenset("\t\n\r\v\f\x85\u2028\u2029")

# Every mention starts with one of these; lookalikes can't start any.
_NO_MENTION = str.maketrans({"@": "＠"})  # noqa: RUF001
_MENTION_BRACKET = re.compile(r"<(?=\s*[^\W\d_]|\s*[@#/:!?&])")

_MARKDOWN = re.compile(r"[\\`*_~|\[\]<>:]")
_LINE_START = re.compile(r"(?:[-#+=.]|\d+(?=[.)]))")

# What can't be told apart at a glance is one and the same here.
_LOOKALIKES = str.maketrans(
    dict(
        zip(
            "АВЕЅІЈКМНОРСТУХаеорсухіјѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρI1|0•∙⋅・",  # noqa: RUF001
            "ABESlJKMHOPCTYXaeopcyxijsdhqwABEZHlKMNOPTYXovplllO····",
            strict=True,
        )
    )
)


@dataclass(frozen=True, slots=True)
class Shown:
    """One name in its two spellings: for text, which is markdown, and for labels, which is not."""

    markdown: str
    plain: str


def present(names: Sequence[str]) -> tuple[Shown, ...]:
    """The names of one table in seat order: each safe, at most COLUMNS wide, no two alike."""
    taken: set[str] = set()
    shown: list[Shown] = []
    for seat, name in enumerate(names):
        base = clean(name) or f"№ {seat + 1}"
        plain = next(p for p in _spellings(base) if _look(p) not in taken)
        taken.add(_look(plain))
        shown.append(Shown(escape(plain), plain))
    return tuple(shown)


def clean(name: str) -> str:
    """`name` with nothing invisible, overflowing or mentioning in it; "" if nothing is left."""
    kept = "".join(" " if c in _GAPS else c for c in name if not _dropped(c))
    kept = unicodedata.normalize("NFC", kept).translate(_NO_MENTION)
    kept = _MENTION_BRACKET.sub("‹", kept)  # noqa: RUF001
    return " ".join("".join(_clusters(kept)).split())


def width(text: str) -> int:
    """How many columns `text` takes."""
    return sum(map(_width, text))


def escape(plain: str) -> str:
    """`plain` as markdown that shows just that."""
    text = _MARKDOWN.sub(r"\\\g<0>", plain)
    start = _LINE_START.match(text)
    if start is None:
        return text
    cut = start.end() if text[0].isdigit() else 0
    return f"{text[:cut]}\\{text[cut:]}"


def _dropped(char: str) -> bool:
    if char in _GAPS:
        return False
    return (
        char == COMPUTER_MARK
        or char in _BLANKS
        or char in _GIANTS
        or unicodedata.category(char) in _DROPPED_KINDS
        or "\ufe00" <= char <= "\ufe0f"  # variation selectors
        or "\U000e0100" <= char <= "\U000e01ef"
    )


def _clusters(text: str) -> Iterator[str]:
    """Each character with the marks on it, no more of them than a letter needs."""
    cluster, marks = "", 0
    for char in text:
        if not unicodedata.combining(char) and unicodedata.category(char) != "Mn":
            if cluster:
                yield cluster
            cluster, marks = char, 0
        elif cluster and not cluster.isspace() and marks < _MARKS:
            cluster, marks = cluster + char, marks + 1
    if cluster:
        yield cluster


def _width(char: str) -> int:
    category = unicodedata.category(char)
    if category == "Mn":
        return 0
    if unicodedata.east_asian_width(char) in "WF" or category == "So":
        return 2
    return 2 if char > "\U00012000" and category not in {"Lu", "Ll", "Nd"} else 1


def _cut(text: str, columns: int) -> str:
    if width(text) <= columns:
        return text
    left, kept = columns - width(_ELLIPSIS), ""
    for cluster in _clusters(text):
        left -= width(cluster)
        if left < 0:
            break
        kept += cluster
    return kept.rstrip() + _ELLIPSIS


def _spellings(base: str) -> Iterator[str]:
    """The name itself, then numbered ones, for when somebody at the table looks the same."""
    yield _cut(base, COLUMNS)
    number = 2
    while True:
        mark = f"·{number}"
        yield _cut(base, COLUMNS - width(mark)) + mark
        number += 1


def _look(plain: str) -> str:
    return unicodedata.normalize("NFKC", plain).translate(_LOOKALIKES).replace(" ", "")
