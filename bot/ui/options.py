"""What the options of a game and their values are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.texts import Words
from engine.core import GameInfo, Option, OptionValue


def option_id(info: GameInfo, option: Option) -> str:
    """What the texts about an option are filed under."""
    return f"{info.key}-option-{option.key.replace('_', '-')}"


def option_name(info: GameInfo, option: Option, words: Words) -> str:
    return words(option_id(info, option))


def value_name(info: GameInfo, option: Option, value: OptionValue, words: Words) -> str:
    if isinstance(value, bool):
        return words("option-on" if value else "option-off")
    key = f"{option_id(info, option)}-{value}"
    return words(key) if words.has(key) else str(value)


def carried_over(info: GameInfo, chosen: Mapping[str, OptionValue], words: Words) -> Iterator[str]:
    """What the last game hands on to this one and people should know, a sentence each."""
    for option in info.options:
        key = f"{option_id(info, option)}-carried"
        if option.carried and chosen.get(option.key) != option.default and words.has(key):
            yield words(key)


def changed_options(
    info: GameInfo, chosen: Mapping[str, OptionValue], words: Words
) -> Iterator[str]:
    """The options that are not as usual, and their values, in words."""
    for option in info.options:
        value = chosen.get(option.key, option.default)
        if not option.carried and value != option.default:
            name = option_name(info, option, words)
            yield f"{name}: {value_name(info, option, value, words)}"
