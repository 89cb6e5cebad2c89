"""A made-up language: English with accents on every letter, in brackets, and half as long again.

What is still readable in it did not come from the files, and what breaks in it is too narrow.
"""

from __future__ import annotations

from pathlib import Path

from fluent.syntax import FluentParser, FluentSerializer
from fluent.syntax import ast as ftl
from fluent.syntax.visitor import Transformer

from bot.texts import ENGLISH, SHIPPED, Texts, Words

LOCALE = "xx"

_ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçðéƒĝĥîĵķļɱñöþǫŕšŧüṽŵẋÿžÁƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŦÜṼŴẊŸŽ",
)


class _Accents(Transformer):
    """Accents all text, wherever in a sentence it stands."""

    def __init__(self) -> None:
        self.letters = 0

    def visit_TextElement(self, node: ftl.TextElement) -> ftl.TextElement:  # noqa: N802
        self.letters += len(node.value)
        return ftl.TextElement(node.value.translate(_ACCENTS))


def pseudo(source: str) -> str:
    """The file `source` in the made-up language."""
    resource = FluentParser(with_spans=False).parse(source)
    for entry in resource.body:
        if isinstance(entry, ftl.Message) and entry.value is not None:
            accents = _Accents()
            pattern = accents.visit(entry.value)
            more = "·" * (accents.letters * 2 // 5)
            pattern.elements = [
                ftl.TextElement("⟦"),
                *pattern.elements,
                ftl.TextElement(f"{more}⟧"),
            ]
    return FluentSerializer().serialize(resource)


def pseudo_words(folder: Path) -> Words:
    """The made-up language, written into `folder` and read back like any other."""
    (folder / LOCALE).mkdir()
    for file in sorted((SHIPPED / ENGLISH).glob("*.ftl")):
        (folder / LOCALE / file.name).write_text(pseudo(file.read_text("utf-8")), "utf-8")
    return Texts((SHIPPED, folder)).words(LOCALE)
