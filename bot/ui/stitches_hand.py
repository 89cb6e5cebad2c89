"""The private panel of Stitches: a monster, and what its owner has to weigh now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    slot_name,
    symbol_totals,
    trophies_of,
    valued_part,
    with_part,
    word_name,
    worn_part,
)
from engine.core import Seat
from engine.stitches.model import (
    Began,
    Countered,
    Happened,
    MarketRefreshed,
    Monster,
    Part,
    Robbed,
    Snatched,
    Torn,
    View,
)
from engine.stitches.parts import (
    HUMAN,
    SLOTS,
)
from engine.stitches.symbols import (
    Symbols,
    beats,
    counter_target,
    links,
    on_the_table,
    strength,
    team_of,
)

_RECENT: Final = 4
"""How much of what happened the hand tells again; who has to choose reads only what hurt them."""
_LONGEST: Final = 3000
"""What a hand may take of Discord's 4000 characters; the frame around it needs the rest."""
_GRUNTS: Final = 3
_JOINT: Final = " · "


def hand_blocks(view: View, scene: Scene) -> tuple[Block, ...]:
    """The reader's monster, what matters for the question that is asked, and the news.

    Every line counts: on a phone the buttons below should be in sight.
    """
    if view.seat is None:
        return ()
    me = view.monsters[view.seat]
    parts = [_body(me, view, scene), *_matters(me, view, scene), _news(me, view, scene)]
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
    lines = [f"**{w('stitches-hand-title')}**{_JOINT}{coin_count(me.coins, w)}"]
    worn = [
        w(
            "stitches-hand-body",
            slot=slot_name(slot, w),
            part=w("stitches-hand-empty") if part is None else worn_part(part, w),
        )
        for slot, part in enumerate(me.body)
    ]
    if me.torso.monster != HUMAN:
        torso = worn_part(me.torso, w)
        worn.append(w("stitches-hand-body", slot=w("stitches-slot-torso"), part=torso))
    lines.append(f"-# {_JOINT.join(worn)}")
    own = strength(me)
    preys = len(on_the_table(view, me.seat))
    sums = w("stitches-totals-words", rock=own.rock, paper=own.paper, scissors=own.scissors)
    count = beaten(own, view)
    lines.append(w("stitches-hand-strength", totals=f"**{sums}**", count=count, all=preys))
    said = joined((word_name(word, w) for word in me.words), w)
    lines.append(f"-# {w('stitches-hand-words', words=said) if said else w('stitches-hand-mute')}")
    return lines


def _matters(me: Monster, view: View, scene: Scene) -> Iterator[list[str]]:
    """What the reader has to weigh now, the most important first."""
    w, asked = scene.words, me.seat in view.asked
    match view.stage:
        case "declare":
            if view.declaration is not None:
                choice = "attack" if view.declaration else "scavenge"
                yield [w(f"stitches-hand-declared-{choice}")]
            if scene.options.get("grunts") and me.words:
                yield [_grunt(me, view, w)]
            yield [_pot(view, w), *(_offers(me, view, w) if asked else ())]
            yield _prey(me, view, scene)
        case "market" if asked:
            yield _shop(me, view, w)
        case "attack" if asked:
            yield _prey(me, view, scene)
        case "fight" | "word":
            yield _own_fight(me, view, scene)
        case "attach" if asked and view.battle is not None:
            won = trophies_of(view.battle)[me.seat]
            swaps = (line for part in won for line in _swaps(part, me, view, w))
            yield [f"**{w('stitches-hand-won')}**", *swaps]
        case _:
            pass


def _grunt(me: Monster, view: View, words: Words) -> str:
    """What to call into the channel: the Words that most others know, one of them first."""

    def heard(word: str) -> int:
        return sum(word in monster.words for monster in view.monsters)

    loudest = sorted(me.words, key=lambda word: -heard(word))[:_GRUNTS]
    shouts = " ".join(words("stitches-grunt", word=word_name(word, words)) for word in loudest)
    return words("stitches-hand-grunt", shouts=shouts)


def _pot(view: View, words: Words) -> str:
    seats, pot = len(view.monsters), view.pot
    return words(
        "stitches-hand-pot",
        pot=pot,
        pair=pot // 2,
        seats=seats,
        each=pot // seats,
    )


def _offers(me: Monster, view: View, words: Words) -> Iterator[str]:
    """What the Market would make of the reader, as far as the Pot could ever pay for it."""
    parts = [part for part in view.market if part.cost <= me.coins + view.pot]
    if parts:
        yield f"-# {words('stitches-hand-offers')}"
    for part in parts:
        choices = [with_part(me, part, slot) for slot in SLOTS[part.kind]]
        best = max(choices, key=lambda own: beaten(own, view))
        gain = _gain(best, me, view, words)
        yield f"-# {words('stitches-hand-offer', part=valued_part(part, words), gain=gain)}"


def _gain(own: Symbols, me: Monster, view: View, words: Words) -> str:
    """Totals, and how many parts they would beat where that is another number than now."""
    totals, count = symbol_totals(own, words), beaten(own, view)
    if count == beaten(strength(me), view):
        return totals
    preys = len(on_the_table(view, me.seat))
    return words("stitches-hand-gain", totals=totals, count=count, all=preys)


def _prey(me: Monster, view: View, scene: Scene) -> list[str]:
    """What an attack could bring: from every other player, and from the Abomination."""
    w, own = scene.words, strength(me)
    lines = [w("stitches-hand-attack")]
    for other in view.monsters:
        if other.seat == me.seat:
            continue
        purse = w(
            "stitches-hand-purse",
            count=other.coins,
            coins=coin_count(other.coins, w),
            half=half_of(other),
        )
        able = [part for part in other.body if part is not None and beats(own, part)]
        whole = len(able) == len(other.body)
        takes = w("stitches-hand-any-part") if whole else _loot(able, w)
        lines.append(f"-# {_JOINT.join((scene.name(other.seat), purse, takes))}")
    return [*lines, *_allies(me, view, scene)]


def _loot(parts: Sequence[Part], words: Words) -> str:
    """Parts by name; Human ones, which are worth nothing, by their number."""
    dear = [valued_part(part, words) for part in parts if part.monster != HUMAN]
    if human := len(parts) - len(dear):
        dear.append(words("stitches-hand-human-parts", count=human))
    return joined(dear, words) or words("stitches-hand-no-part")


def _allies(me: Monster, view: View, scene: Scene) -> list[str]:
    """Who would join an attack on the Abomination, and what of it they could strike off."""
    w, team = scene.words, team_of(view, me.seat)
    others = scene.names(team[1:])
    known: list[str] = []
    if not view.abomination.revealed:
        known.append(w("stitches-hand-unseen"))
    elif empty := empty_sides(view):
        known.append(w("stitches-hand-refill", count=empty))
    joins = w("stitches-hand-team", names=others) if others else w("stitches-hand-alone")
    lines = [joins, *_coverage(team, view, scene), *known]
    return [lines[0], *(f"-# {line}" for line in lines[1:])]


def _coverage(team: Sequence[Seat], view: View, scene: Scene) -> list[str]:
    """Who in the team beats which parts of the Abomination: parts that fall to the same people
    share a line.
    """
    w, found = scene.words, dict[tuple[Seat, ...], list[Part]]()
    for part in filter(None, view.abomination.sides):
        able = tuple(seat for seat in team if beats(strength(view.monsters[seat]), part))
        found.setdefault(able, []).append(part)
    lines: list[str] = []
    for able, parts in found.items():
        others = [scene.name(seat) for seat in able if seat != view.seat]
        if len(able) == len(team) > 1:
            who = w("stitches-hand-all-of-you")
        else:
            you = [w("stitches-hand-you")] if view.seat in able else []
            who = joined((*you, *others), w) or w("stitches-hand-nobody")
        lines.append(w("stitches-hand-beats", parts=_loot(parts, w), who=who))
    return lines


def _shop(me: Monster, view: View, words: Words) -> list[str]:
    """The Market as the reader's purse and body see it."""
    lines = [f"**{words('stitches-hand-shop')}**"]
    for part in view.market:
        if part.cost <= me.coins:
            lines += _swaps(part, me, view, words)
    if dear := [full_part(part, words) for part in view.market if part.cost > me.coins]:
        lines.append(f"-# {words('stitches-hand-too-dear', parts=joined(dear, words))}")
    return lines


def _swaps(part: Part, me: Monster, view: View, words: Words) -> Iterator[str]:
    """A line for every slot where a part fits: what it replaces, and what the reader has then."""
    for number, slot in enumerate(SLOTS[part.kind]):
        gain = _gain(with_part(me, part, slot), me, view, words)
        old = me.body[slot]
        text = words(
            "stitches-hand-adds" if old is None else "stitches-hand-replaces",
            part=f"**{valued_part(part, words)}**",
            old="" if old is None else _told_apart(old, words),
            gain=gain,
        )
        yield text if number == 0 else f"-# {text}"


def _told_apart(part: Part, words: Words) -> str:
    """Human arms, which are worth the same, by their symbols; others by name and value."""
    return valued_part(part, words) if part.cost else full_part(part, words)


def _own_fight(me: Monster, view: View, scene: Scene) -> list[str]:
    """What the reader can do in the fight, and what it would cost."""
    w, battle = scene.words, view.battle
    if battle is None or me.seat not in battle.team:
        return []
    lines = [w("stitches-hand-fight", names=scene.names(battle.fighting))]
    left = [part for part in view.abomination.sides if part is not None]
    able = [part for part in left if beats(strength(me), part)]
    mine = me.seat in view.asked and view.stage == "fight"
    if mine and able == left and len(left) == 1:
        return [*lines, w("stitches-hand-strike-last", part=valued_part(left[0], w))]
    if len(battle.fighting) > 1:
        lines += [f"-# {line}" for line in _coverage(battle.fighting, view, scene)]
    if me.seat not in battle.fighting:
        return [*lines, w("stitches-hand-retreated")]
    if mine:
        lines += _strikes(able, me, view, w)
    if battle.retreat_paid:
        lines.append(w("stitches-hand-retreat-free"))
    elif len(battle.team) == 1:
        lines.append(w("stitches-hand-retreat-alone"))
    else:
        shared = joined((word_name(word, w) for word in links(view, me.seat)), w)
        lines.append(w("stitches-hand-first-retreat", words=shared))
    return lines


def _strikes(able: Sequence[Part], me: Monster, view: View, words: Words) -> list[str]:
    """What each strike costs; in one sentence where all cost the same."""
    if not able:
        return [words("stitches-hand-strike-none")]
    costs = [counter_target(view, me.seat, part) for part in able]
    if len(able) > 1 and len(set(costs)) == 1:
        return [_cost("stitches-hand-strike-any", costs[0], words)]
    return [
        _cost("stitches-hand-strike", lost, words, part=valued_part(part, words))
        for part, lost in zip(able, costs, strict=True)
    ]


def _cost(key: str, lost: Part | None, words: Words, **params: str) -> str:
    if lost is None:
        return words(f"{key}-safe", **params)
    return words(key, lost=_told_apart(lost, words), **params)


def _news(me: Monster, view: View, scene: Scene) -> list[str]:
    told = [event for event in view.news if not isinstance(event, Began | MarketRefreshed)]
    if me.seat in view.asked or view.stage == "declare":
        told = [event for event in told if _hurts(event, me.seat)]
    return [f"-# {event_line(event, scene)}" for event in told[-_RECENT:]]


def _hurts(event: Happened, seat: Seat) -> bool:
    match event:
        case Robbed(_, target) | Torn(_, target):
            return target == seat
        case Snatched(loser) | Countered(loser):
            return loser == seat
        case _:
            return False
