"""What happens in Stitches, told: an event's line, a fight blow by blow, what all should notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Final

from bot.ui.panel import Block, Text
from bot.ui.presenter import Scene
from bot.ui.stitches_words import (
    card_name,
    coin_count,
    full_part,
    part_list,
    valued_part,
    word_name,
)
from engine.stitches.model import (
    Attached,
    Bought,
    CardDrawn,
    Countered,
    Declared,
    FightEnded,
    Grew,
    Happened,
    Kept,
    MarketDrew,
    MarketRefreshed,
    MatchEnded,
    Missed,
    Part,
    Placed,
    Provoked,
    Reshuffled,
    Retreated,
    Revealed,
    Robbed,
    Shared,
    Snatched,
    Struck,
    Torn,
    View,
    WordLearned,
    WordLost,
)

_SEATS: Final = frozenset({"seat", "target", "first"})
"""The fields of events that are a seat; all other whole numbers are just numbers."""
_BLOWS: Final = (Struck, Missed, Countered, Retreated, WordLost, FightEnded, Placed)
_HEADINGS: Final = (Provoked, CardDrawn, MatchEnded)


def event_line(event: Happened, scene: Scene) -> str:
    return scene.words(f"stitches-{_sentence(event)}", **_params(event, scene))


def _sentence(event: Happened) -> str:
    name = event.kind.replace("_", "-")
    match event:
        case Declared(attack):
            return name if len(set(attack)) > 1 else f"{name}-{_declared(attack[0])}"
        case Shared(seats=()):
            return f"{name}-nobody"
        case Shared(each=0):
            return f"{name}-nothing"
        case Bought(replaced=Part()) | Torn(replaced=Part()):
            return f"{name}-instead"
        case Attached(replaced=Part()) | Grew(replaced=Part()):
            return f"{name}-instead"
        case MarketDrew(part=None) | Countered(part=None) | Kept(part=None):
            return f"{name}-nothing"
        case WordLearned(word=None) | MarketRefreshed(market=()):
            return f"{name}-nothing"
        case Reshuffled(pile):
            return f"{name}-{pile}"
        case Provoked(team=(_,)):
            return f"{name}-alone"
        case FightEnded(stalemate=True):
            return f"{name}-stalemate"
        case Placed(parts=()):
            return f"{name}-discarded"
        case Placed(discarded=(_, *_)):
            return f"{name}-some"
        case Snatched(side=None):
            return f"{name}-discarded"
        case MatchEnded(winners=()):
            return f"{name}-lost"
        case _:
            return name


def _declared(attack: bool) -> str:
    return "attack" if attack else "scavenge"


def _params(event: Happened, scene: Scene) -> dict[str, str | int]:
    """Every field of `event` that a sentence can name, by the field's name."""
    w = scene.words
    params: dict[str, str | int] = {}
    for field in fields(event):
        match getattr(event, field.name):
            case Part() as part:
                params[field.name] = valued_part(part, w)
            case int() as number if field.name in _SEATS:
                params[field.name] = scene.name(number)
            case int() as number:
                params[field.name] = number
            case (Part(), *_) as parts:
                params[field.name] = part_list(parts, w)
            case _:
                pass
    match event:
        case Declared(attack):
            for how in (True, False):
                names = scene.names([seat for seat, chose in enumerate(attack) if chose == how])
                params["attackers" if how else "scavengers"] = names
        case Shared(_, each, _):
            params["coins"] = coin_count(each, w)
        case Robbed(_, _, coins):
            params |= {"coins": coin_count(coins, w), "count": coins}
        case WordLearned(_, str(word), _) | WordLost(_, word):
            params["word"] = word_name(word, w)
        case Provoked(_, team):
            params["others"] = scene.names(team[1:])
        case Revealed(head, torso):
            params |= {"head": full_part(head, w), "torso": full_part(torso, w)}
        case CardDrawn(card):
            params["card"] = card_name(card, w)
        case MatchEnded(winners):
            params |= {"winners": scene.names(winners), "count": len(winners)}
        case _:
            pass
    return params


def latest_fight(view: View) -> tuple[Happened, ...]:
    """The fight with the Abomination that is going on, or was a moment ago: how it began, then
    every blow; () when somebody has done something else since.
    """
    begun = [i for i, event in enumerate(view.news) if isinstance(event, Provoked)]
    if not begun:
        return ()
    start, *later = view.news[begun[-1] :]
    return (start, *(event for event in later if isinstance(event, _BLOWS)))


def exchanges(blows: Sequence[Happened], scene: Scene) -> list[str]:
    """A fight blow by blow: one line for what a player does and what comes of it."""
    lines: list[list[str]] = []
    for blow in blows:
        if not isinstance(blow, Countered | WordLost | Placed):
            lines.append([])
        lines[-1].append(event_line(blow, scene))
    return [" ".join(line) for line in lines]


def notice_blocks(events: Sequence[Happened], scene: Scene) -> tuple[Block, ...]:
    """What everybody should notice: a fight begins, a round ends, the Abomination falls."""
    start = next((i for i, event in enumerate(events) if isinstance(event, _HEADINGS)), None)
    if start is None:
        return ()
    blocks = list[Block]()
    lines = list[str]()
    for event in events[start:]:
        if not isinstance(event, _HEADINGS):
            lines.append(event_line(event, scene))
            continue
        if lines:
            blocks.append(Text("\n".join(lines)))
            lines = []
        blocks.append(Text(f"### {_heading(event, scene)}"))
    return (*blocks, Text("\n".join(lines))) if lines else tuple(blocks)


def _heading(event: Happened, scene: Scene) -> str:
    if isinstance(event, CardDrawn):
        card = card_name(event.card, scene.words)
        return scene.words("stitches-notice-round", card=card)
    return event_line(event, scene)
