"""The private panel of Stitches: a monster, and what its owner has to weigh now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.texts import Words
from bot.ui.panel import Block, Text
from bot.ui.presenter import Scene
from bot.ui.stitches_story import (
    event_line,
)
from bot.ui.stitches_words import (
    beaten,
    coin_count,
    empty_sides,
    full_part,
    half_of,
    joined,
    part_list,
    slot_name,
    symbol_totals,
    trophies_of,
    unpriced_part,
    valued_part,
    with_part,
    word_name,
    worn_part,
    worth_of,
)
from engine.core import Seat
from engine.stitches.model import (
    Began,
    MarketRefreshed,
    Monster,
    Part,
    View,
)
from engine.stitches.parts import (
    HUMAN,
    SLOTS,
)
from engine.stitches.symbols import (
    beats,
    counter_target,
    links,
    strength,
    team_of,
)

_RECENT: Final = 6
"""How much of what happened the hand tells again."""
_GROWLS: Final = 3
_MOST_FRIENDS: Final = 3
_LONGEST: Final = 3000
"""What a hand may take of Discord's 4000 characters; the frame around it needs the rest."""


def hand_blocks(view: View, scene: Scene) -> tuple[Block, ...]:
    """The reader's monster, what matters for the question that is asked, and the news."""
    if view.seat is None:
        return ()
    me = view.monsters[view.seat]
    parts = [_body(me, view, scene), *_matters(me, view, scene), _news(view, scene)]
    return _fitting([Text("\n".join(part)) for part in parts if part])


def _fitting(blocks: list[Text]) -> tuple[Block, ...]:
    """The first block, and as many of the others as there is room for."""
    shown, left = list[Block](), _LONGEST
    for block in blocks:
        left -= len(block.markdown)
        if left >= 0 or not shown:
            shown.append(block)
    return tuple(shown)


def _body(me: Monster, view: View, scene: Scene) -> list[str]:
    """The reader's monster: every part, what it is good for, what it can say."""
    w = scene.words
    lines = [f"**{w('stitches-hand-title')}** · {coin_count(me.coins, w)}"]
    for slot, part in enumerate(me.body):
        shown = w("stitches-hand-empty") if part is None else worn_part(part, w)
        lines.append(w("stitches-hand-body", slot=slot_name(slot, w), part=shown))
    if me.torso.monster != HUMAN:
        torso = worn_part(me.torso, w)
        lines.append(w("stitches-hand-body", slot=w("stitches-slot-torso"), part=torso))
    sums, worth = worth_of(strength(me), view, w)
    lines.append(w("stitches-hand-strength", totals=f"**{sums}**", beats=worth))
    return [*lines, *_speech(me, view, scene)]


def _speech(me: Monster, view: View, scene: Scene) -> Iterator[str]:
    w = scene.words
    if not me.words:
        yield w("stitches-hand-mute")
        return
    friends = {
        word: [m.seat for m in view.monsters if m.seat != me.seat and word in m.words]
        for word in me.words
    }
    yield w("stitches-hand-words", words=joined(_said(friends, view, scene), w))
    if view.stage == "declare":
        loudest = sorted(me.words, key=lambda word: -len(friends[word]))[:_GROWLS]
        growls = " ".join(w("stitches-growl", word=word_name(word, w)) for word in loudest)
        yield f"-# {w('stitches-hand-growl', words=growls)}"


def _said(friends: Mapping[str, Sequence[Seat]], view: View, scene: Scene) -> Iterator[str]:
    """The reader's Words, and who else can say each, while that matters."""
    w = scene.words
    for word, seats in friends.items():
        name = word_name(word, w)
        if not seats or view.stage not in ("declare", "attack"):
            yield name
        elif len(seats) > _MOST_FRIENDS:
            yield w("stitches-hand-word-many", word=name, count=len(seats))
        else:
            yield w("stitches-hand-word-shared", word=name, names=scene.names(seats))


def _matters(me: Monster, view: View, scene: Scene) -> Iterator[list[str]]:
    """What the reader has to weigh now, the most important first."""
    match view.stage:
        case "declare":
            if view.declaration is not None:
                choice = "attack" if view.declaration else "scavenge"
                yield [scene.words(f"stitches-hand-declared-{choice}")]
            yield [*_pot(view, scene.words), *_offers(me, view, scene.words)]
            yield _opponents(me, view, scene)
            yield _allies(me, view, scene)
        case "market" if me.seat in view.asked:
            yield _shop(me, view, scene.words)
        case "attack" if me.seat in view.asked:
            yield _opponents(me, view, scene)
            yield _allies(me, view, scene)
        case "fight" | "word":
            yield _own_fight(me, view, scene)
        case "attach" if me.seat in view.asked and view.battle is not None:
            title = scene.words("stitches-hand-won")
            won = trophies_of(view.battle)[me.seat]
            yield [f"**{title}**", *_prospects(won, me, view, scene.words)]
        case _:
            pass


def _pot(view: View, words: Words) -> Iterator[str]:
    seats, pot = len(view.monsters), view.pot
    yield f"**{words('stitches-hand-scavenge')}**"
    yield words(
        "stitches-hand-pot",
        pot=coin_count(pot, words),
        alone=pot,
        pair=pot // 2,
        seats=seats,
        each=pot // seats,
    )


def _offers(me: Monster, view: View, words: Words) -> Iterator[str]:
    """What the Market would do for the reader."""
    for part in view.market:
        choices = [with_part(me, part, slot) for slot in SLOTS[part.kind]]
        best = max(choices, key=lambda own: beaten(own, view))
        _, worth = worth_of(best, view, words)
        totals = symbol_totals(best, words)
        shown = full_part(part, words)
        yield f"-# {words('stitches-hand-would', part=shown, totals=totals, beats=worth)}"


def _opponents(me: Monster, view: View, scene: Scene) -> list[str]:
    """What every other player has that the reader could take."""
    w = scene.words
    lines = [f"**{w('stitches-hand-attack')}**"]
    for other in view.monsters:
        if other.seat == me.seat:
            continue
        beatable = [part for part in other.body if part is not None and beats(strength(me), part)]
        params: dict[str, str | int] = {
            "name": scene.name(other.seat),
            "coins": coin_count(other.coins, w),
            "half": half_of(other),
        }
        if len(beatable) == len(other.body):
            lines.append(w("stitches-hand-opponent-all", **params))
        elif beatable:
            lines.append(w("stitches-hand-opponent", parts=part_list(beatable, w), **params))
        else:
            lines.append(w("stitches-hand-opponent-none", **params))
    return lines


def _allies(me: Monster, view: View, scene: Scene) -> list[str]:
    """Who would join an attack on the Abomination, and who of them beats which part."""
    w, team = scene.words, team_of(view, me.seat)
    others = scene.names(team[1:])
    lines = [w("stitches-hand-team", names=others) if others else w("stitches-hand-alone")]
    lines += _coverage(team, view, scene)
    if not view.abomination.revealed:
        lines.append(f"-# {w('stitches-hand-unseen')}")
    elif empty := empty_sides(view):
        lines.append(f"-# {w('stitches-hand-refill', count=empty)}")
    return lines


def _coverage(team: Sequence[Seat], view: View, scene: Scene) -> Iterator[str]:
    w = scene.words
    for part in view.abomination.sides:
        if part is None:
            continue
        able = [seat for seat in team if beats(strength(view.monsters[seat]), part)]
        names = joined((w("stitches-you") if s == view.seat else scene.name(s) for s in able), w)
        key = "stitches-hand-cover" if able else "stitches-hand-cover-none"
        yield f"- {w(key, part=full_part(part, w), names=names)}"


def _shop(me: Monster, view: View, words: Words) -> list[str]:
    """The Market as the reader's purse and body see it."""
    lines = [f"**{words('stitches-hand-shop')}**"]
    for part in sorted(view.market, key=lambda part: part.cost > me.coins):
        price = coin_count(part.cost, words)
        if part.cost > me.coins:
            dear = words("stitches-hand-too-dear", part=unpriced_part(part, words), coins=price)
            lines.append(f"-# {dear}")
        else:
            lines.append(
                words("stitches-hand-price", part=f"**{unpriced_part(part, words)}**", coins=price)
            )
            lines += _swaps(part, me, view, words)
    return lines


def _prospects(parts: Sequence[Part], me: Monster, view: View, words: Words) -> Iterator[str]:
    for part in parts:
        yield f"**{full_part(part, words)}**"
        yield from _swaps(part, me, view, words)


def _swaps(part: Part, me: Monster, view: View, words: Words) -> Iterator[str]:
    """For every slot where a part fits: what it replaces, and what the reader would have then."""
    for slot in SLOTS[part.kind]:
        own, worth = worth_of(with_part(me, part, slot), view, words)
        old = me.body[slot]
        if old is None:
            text = words("stitches-hand-adds", slot=slot_name(slot, words), totals=own, beats=worth)
        else:
            shown = full_part(old, words)
            text = words("stitches-hand-replaces", old=shown, totals=own, beats=worth)
        yield f"-# {text}"


def _own_fight(me: Monster, view: View, scene: Scene) -> list[str]:
    """What the reader can do in the fight, and what it would cost."""
    w, battle = scene.words, view.battle
    if battle is None or me.seat not in battle.team:
        return []
    lines = [f"**{w('stitches-hand-fight')}**"]
    lines.append(w("stitches-hand-fighting", names=scene.names(battle.fighting)))
    lines += _coverage(battle.fighting, view, scene)
    if me.seat not in battle.fighting:
        return [*lines, w("stitches-hand-retreated")]
    if me.seat in view.asked and view.stage == "fight":
        lines += _strikes(me, view, w)
    if battle.retreat_paid:
        lines.append(w("stitches-hand-retreat-free"))
    elif len(battle.team) == 1:
        lines.append(w("stitches-hand-retreat-alone"))
    else:
        shared = joined((word_name(word, w) for word in links(view, me.seat)), w)
        lines.append(w("stitches-hand-first-retreat", words=shared))
    return lines


def _strikes(me: Monster, view: View, words: Words) -> list[str]:
    sides = [part for part in view.abomination.sides if part is not None]
    lines: list[str] = []
    for part in sides:
        if not beats(strength(me), part):
            continue
        shown, lost = valued_part(part, words), counter_target(view, me.seat, part)
        if len(sides) == 1:
            lines.append(words("stitches-hand-strike-last", part=shown))
        elif lost is None:
            lines.append(words("stitches-hand-strike-safe", part=shown))
        else:
            lines.append(words("stitches-hand-strike", part=shown, lost=valued_part(lost, words)))
    return lines or [words("stitches-hand-strike-none")]


def _news(view: View, scene: Scene) -> list[str]:
    told = [event for event in view.news if not isinstance(event, Began | MarketRefreshed)]
    lines = [f"-# {event_line(event, scene)}" for event in told[-_RECENT:]]
    return [f"**{scene.words('stitches-hand-news')}**", *lines] if lines else []
