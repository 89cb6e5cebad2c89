"""Commands are named and described by bot/texts too; other languages come from the translator."""

from __future__ import annotations

from discord.app_commands import locale_str

from bot.texts import ENGLISH, shipped


def said(key: str) -> locale_str:
    """The English sentence `key`, which Discord gets in its other languages as well."""
    return locale_str(shipped().words(ENGLISH)(key), key=key)
