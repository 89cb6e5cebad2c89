"""Every sentence a person reads, by locale: Project Fluent files in folders beside this file.

A folder is a locale (`en`, `de`, `pt-BR`); all its `.ftl` files together are that language. English
is the one that must be complete, and what another language lacks is said in English.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from fluent.runtime import FluentBundle, FluentResource

SHIPPED = Path(__file__).parent
ENGLISH = "en"


class UnknownText(LookupError):
    """No sentence has this id, not even in English: a mistake of ours."""


class Words:
    """The sentences of one language, with English behind it."""

    def __init__(self, locale: str, bundles: Sequence[FluentBundle]) -> None:
        self.locale = locale
        self._bundles = bundles

    def __call__(self, key: str, /, **params: str | int) -> str:
        """The sentence `key` with its params filled in. Raises UnknownText."""
        for bundle in self._bundles:
            if bundle.has_message(key):
                pattern = bundle.get_message(key).value
                if pattern is None:
                    break
                text, errors = bundle.format_pattern(pattern, params)
                if errors:
                    raise UnknownText(f"{key} in {self.locale}: {errors[0]}")
                return str(text)
        raise UnknownText(key)

    def has(self, key: str) -> bool:
        """Whether this language or English has the sentence."""
        return any(bundle.has_message(key) for bundle in self._bundles)

    def own(self, key: str) -> bool:
        """Whether this language itself has the sentence."""
        return self._bundles[0].has_message(key)


class Texts:
    """All languages found in `folders`; a later folder adds to or replaces an earlier one."""

    def __init__(self, folders: Sequence[Path] = (SHIPPED,)) -> None:
        found = sorted({p.name for f in folders for p in f.iterdir() if any(p.glob("*.ftl"))})
        bundles = {locale: _bundle(locale, folders) for locale in found}
        english = bundles[ENGLISH]
        self._words = {
            locale: Words(locale, [bundle] if bundle is english else [bundle, english])
            for locale, bundle in bundles.items()
        }

    @property
    def locales(self) -> tuple[str, ...]:
        return tuple(self._words)

    def words(self, locale: str | None) -> Words:
        """The closest language: `pt-BR`, then `pt`, then English. Takes Discord's locale codes."""
        wanted = locale or ENGLISH
        for code in (wanted, wanted.split("-")[0]):
            if code in self._words:
                return self._words[code]
        return self._words[ENGLISH]


def _bundle(locale: str, folders: Sequence[Path]) -> FluentBundle:
    # Some phones show isolating marks around names as boxes; names are escaped instead.
    bundle = FluentBundle([locale], use_isolating=False)
    for folder in folders:
        for file in sorted((folder / locale).glob("*.ftl")):
            bundle.add_resource(FluentResource(file.read_text("utf-8")), allow_overrides=True)
    return bundle


@cache
def shipped() -> Texts:
    """The languages in this folder, read once."""
    return Texts()
