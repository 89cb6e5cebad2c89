"""How Stitches looks in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import groupby
from typing import Final

from bot.texts import Words
from bot.ui.panel import Block, Divider, Text
from bot.ui.presenter import Label, Presenter, Scene
from engine.core import Event, Outcome, Seat
from engine.stitches.model import (
    HEAD,
    LEFT,
    LEGS,
    RIGHT,
    Action,
    Attach,
    Attached,
    Battle,
    Bought,
    Buy,
    Card,
    CardDrawn,
    Countered,
    Declare,
    Declared,
    Discard,
    Done,
    FightEnded,
    Grew,
    Happened,
    Keep,
    KeepNothing,
    Kept,
    LoseWord,
    MarketDrew,
    MarketRefreshed,
    MatchEnded,
    Missed,
    Monster,
    Part,
    Placed,
    Provoke,
    Provoked,
    Reshuffled,
    Retreat,
    Retreated,
    Rob,
    Robbed,
    Shared,
    Snatched,
    Strike,
    Struck,
    Tear,
    Torn,
    View,
    WordLearned,
    WordLost,
)
from engine.stitches.parts import HUMAN, SLOTS
from engine.stitches.symbols import (
    Symbols,
    beats,
    counter_target,
    links,
    might,
    on_the_table,
    strength,
    team_of,
    totals,
)

_SLOTS: Final = {HEAD: "head", RIGHT: "right", LEGS: "legs", LEFT: "left"}
_KINDS: Final = {HEAD: "head", RIGHT: "arm", LEGS: "legs", LEFT: "arm"}
_CARDS: Final[tuple[Card, ...]] = ("grows", "attacks", "rampages", "behind")
_CARD_COPIES: Final = 2
_SEATS: Final = frozenset({"seat", "target", "first"})
"""The fields of events that are a seat; all other whole numbers are just numbers."""
_REFUSALS: Final = {
    "market": "done", "attack": "rob", "fight": "retreat", "attach": "discard",
    "keep": "keep_nothing",
}  # fmt: skip
"""The action that takes no part, where the others do."""
_BLOWS: Final = (Struck, Missed, Countered, Retreated, WordLost, FightEnded, Placed)

_RECENT: Final = 6
"""How much of what happened the hand tells again."""
_MOST_WORDS: Final = 9
"""How many Words of a monster the board names: all that the shipped cards have."""
_GROWLS: Final = 3
_HAND_LONGEST: Final = 3000
"""What a hand may take of Discord's 4000 characters; the frame around it needs the rest."""


class StitchesPresenter(Presenter[Action, View]):
    """Stitches in words."""

    def board(self, view: View, scene: Scene) -> tuple[Block, ...]:
        parts = (
            _head(view, scene),
            [line for monster in view.monsters for line in _row(monster, view, scene)],
            [*_beast(view, scene.words), *_fight(view, scene), *_market(view, scene.words)],
            [f"-# {line}" for line in (scene.words("stitches-legend"), _decks(view, scene.words))],
        )
        return tuple(Text("\n".join(part)) for part in parts)

    def hand(self, view: View, scene: Scene) -> tuple[Block, ...]:
        if view.seat is None:
            return ()
        me = view.monsters[view.seat]
        parts = [_body(me, view, scene), *_matters(me, view, scene), _news(view, scene)]
        return _fitting([Text("\n".join(part)) for part in parts if part])

    def question(self, view: View, scene: Scene, asked: frozenset[Seat]) -> str:
        w, waiting = scene.words, sorted(asked)
        names = scene.names(waiting)
        match view.stage:
            case "declare" if len(asked) == len(view.monsters):
                return w("stitches-question-declare-all")
            case "declare" if len(asked) > 3:
                return w("stitches-question-declare-many", count=len(asked))
            case "fight" if view.battle and not view.battle.opened:
                return w("stitches-question-strike", name=names)
            case "declare" | "keep":
                return w(f"stitches-question-{view.stage}", names=names)
            case _:
                return w(f"stitches-question-{view.stage}", name=names)

    def prompt(self, field: str, view: View, scene: Scene) -> str:
        return scene.words(f"stitches-prompt-{view.stage}-{field}")

    def label(self, field: str, value: object, view: View, scene: Scene) -> Label:
        w = scene.words
        match field, value:
            case "attack", bool():
                return Label(w("stitches-attack" if value else "stitches-scavenge"))
            case "target", int():
                return _target_label(value, view, scene)
            case ("target", None) | ("kind", "provoke"):
                count = len(team_of(view, _own(view).seat)) - 1
                return Label(_kind("provoke", w), w("stitches-team-about", count=count))
            case "part", int():
                return _part_label(view.parts[value], view, w)
            case "into", int():
                return Label(_into(value, view, w))
            case "word", str():
                return Label(_word(value, w))
            case "kind", str():
                return Label(_kind(value, w))
            case _:
                return Label(_kind(_REFUSALS[view.stage], w))

    def action(self, action: Action, view: View, scene: Scene) -> str:
        w = scene.words
        match action:
            case Declare(attack):
                return self.label("attack", attack, view, scene).text
            case Buy(number, into) | Attach(number, into) | Tear(_, number, into):
                part = view.parts[number]
                params = {"part": _full(part, w), "coins": _coins(part.cost, w)}
                if isinstance(action, Tear):
                    params["name"] = scene.guests[action.target].label
                if len(SLOTS[part.kind]) == 1:
                    return w(f"stitches-action-{action.kind}", **params)
                return w(f"stitches-action-{action.kind}-into", slot=_slot(into, w), **params)
            case Strike(number) | Discard(number) | Keep(number):
                part = view.parts[number]
                return w(f"stitches-action-{action.kind}", part=_full(part, w))
            case Rob(target):
                coins = _coins(_half(view.monsters[target]), w)
                return w("stitches-action-rob", coins=coins, name=scene.guests[target].label)
            case LoseWord(word):
                return w("stitches-action-word", word=_word(word, w))
            case Done() | Provoke() | Retreat() | KeepNothing():
                return _kind(action.kind, w)

    def warning(self, action: Action, view: View, scene: Scene) -> str | None:
        return _warning(action, _own(view), view, scene.words)

    def typed(self, words: Mapping[str, str], view: View, scene: Scene) -> Action | None:
        """A whole move by some of its words; one that the rules refuse, so that they can say why.

        Moves that differ only in the arm they are for mean the first of them.
        """
        wanted = _plain(words.get("move", "")).split()
        texts = ((action, _plain(self.action(action, view, scene))) for action in _moves(view))
        meant = [action for action, text in texts if all(word in text for word in wanted)]
        alike = {(action.kind, getattr(action, "part", None)) for action in meant}
        return meant[0] if wanted and len(alike) == 1 else None

    def line(self, event: Event, scene: Scene) -> str | None:
        assert isinstance(event, Happened)
        return _line(event, scene)

    def notice(self, events: Sequence[Event], scene: Scene) -> tuple[Block, ...]:
        """What everybody should notice: a fight begins, a round ends, the Abomination falls."""
        told = [event for event in events if isinstance(event, Happened)]
        turns = (Provoked, CardDrawn, MatchEnded)
        start = next((i for i, event in enumerate(told) if isinstance(event, turns)), None)
        if start is None:
            return ()
        # A strike that wins is told with the win.
        start -= int(isinstance(told[start], MatchEnded))
        sections: list[Block] = []
        for event in told[start:]:
            line = _line(event, scene)
            if isinstance(event, turns):
                heading = f"### {_heading(event, scene)}"
                sections += [Divider()] * bool(sections) + [Text(heading)]
                continue
            last = sections[-1] if sections else None
            if isinstance(last, Text):
                sections[-1] = Text(f"{last.markdown}\n{line}")
            else:
                sections.append(Text(line))
        return tuple(sections)

    def ending(self, outcome: Outcome, view: View, scene: Scene) -> tuple[Block, ...]:
        w, winners = scene.words, sorted(outcome.winners)
        key = "stitches-ending-won" if winners else "stitches-ending-lost"
        title = w(key, names=scene.names(winners), count=len(winners))
        rows: list[str] = []
        for monster in sorted(view.monsters, key=lambda m: m.seat not in outcome.winners):
            row = f"{scene.name(monster.seat)} · {_sum(strength(monster), w)}"
            if kept := view.kept[monster.seat] if view.kept else None:
                row += f" · {w('stitches-ending-kept', part=_valued(kept, w))}"
            won = monster.seat in outcome.winners
            rows.append(w("stitches-ending-winner", row=row) if won else row)
            rows.append(f"-# {_anatomy(monster, w)}")
        head = [f"### {title}", w(outcome.reason)]
        return (Text("\n".join(head)), Text("\n".join(rows)))

    def rules(self, words: Words) -> tuple[tuple[Block, ...], ...]:
        pages = [(Text(words(f"stitches-rules-{page}")),) for page in (1, 2)]
        last = (Text(words("stitches-rules-3")), Text(f"-# {words('stitches-rules-fan')}"))
        return (*pages, last)


# Parts and symbols


def _named(kind: str, name: str, words: Words) -> str:
    """A monster's name or a Word: as the texts say it, or as an owner's file does."""
    key = f"stitches-{kind}-{name.lower().replace(' ', '-')}"
    return words(key) if words.has(key) else name


def _word(word: str, words: Words) -> str:
    return _named("word", word, words)


def _kind(kind: str, words: Words) -> str:
    return words(f"stitches-kind-{kind.replace('_', '-')}")


def _slot(slot: int, words: Words) -> str:
    return words(f"stitches-slot-{_SLOTS[slot]}")


def _part(part: Part, words: Words) -> str:
    """Tiger head."""
    return words(f"stitches-part-{part.kind}", monster=_named("monster", part.monster, words))


def _valued(part: Part, words: Words) -> str:
    """Tiger head 4."""
    return words("stitches-part-value", part=_part(part, words), value=part.cost)


def _full(part: Part, words: Words) -> str:
    """Tiger head 4 (P1 S2)."""
    return words("stitches-part-full", part=_valued(part, words), symbols=_symbols(part, words))


def _symbols(part: Part, words: Words) -> str:
    found = [("rock", part.rock), ("paper", part.paper), ("scissors", part.scissors)]
    shown = [words(f"stitches-{symbol}", count=count) for symbol, count in found if count]
    return " ".join(shown) or words("stitches-no-symbols")


def _sum(own: Symbols, words: Words) -> str:
    """R4 P1 S2."""
    return words("stitches-totals", rock=own.rock, paper=own.paper, scissors=own.scissors)


def _list(items: Iterable[str], words: Words) -> str:
    return words("list-joint").join(items)


def _parts(parts: Iterable[Part], words: Words) -> str:
    return _list((_valued(part, words) for part in parts), words)


def _coins(count: int, words: Words) -> str:
    return words("stitches-coins", count=count)


def _half(monster: Monster) -> int:
    return (monster.coins + 1) // 2


def _own(view: View) -> Monster:
    assert view.seat is not None
    return view.monsters[view.seat]


def _with(monster: Monster, part: Part, slot: int) -> Symbols:
    """The symbols of a monster once `part` is in that slot."""
    worn = [part if place == slot else old for place, old in enumerate(monster.body)]
    return totals((*worn, monster.torso))


def _covers(own: Symbols, other: Symbols) -> bool:
    """Whether `own` has at least as much of everything."""
    return own.rock >= other.rock and own.paper >= other.paper and own.scissors >= other.scissors


def _worth(own: Symbols, view: View, words: Words) -> tuple[str, str]:
    """Totals in words, and how many of the parts on the table they beat."""
    params = {"rock": own.rock, "paper": own.paper, "scissors": own.scissors}
    preys = on_the_table(view, _own(view).seat)
    count = sum(beats(own, prey.part) for prey in preys)
    return (
        words("stitches-totals-words", **params),
        words("stitches-beats-parts", count=count, all=len(preys)),
    )


# The public table


def _head(view: View, scene: Scene) -> list[str]:
    w = scene.words
    lines = [f"**{w('stitches-round', number=view.round, coins=_coins(view.pot, w))}**"]
    if view.winners:
        lines.append(f"> {w('stitches-beast-defeated', names=scene.names(view.winners))}")
    return lines


def _row(monster: Monster, view: View, scene: Scene) -> Iterator[str]:
    w = scene.words
    mark = "▶ " if monster.seat in view.asked and view.stage != "declare" else ""
    parts = [scene.name(monster.seat), _coins(monster.coins, w), _sum(strength(monster), w)]
    if monster.seat == view.first:
        parts.insert(1, w("stitches-seat-first"))
    if doing := _doing(monster, view):
        parts.append(w(f"stitches-seat-{doing}"))
    yield mark + " · ".join(parts)
    said = [_word(word, w) for word in monster.words[:_MOST_WORDS]]
    if more := len(monster.words) - len(said):
        said.append(w("stitches-more", count=more))
    key = "stitches-seat-body" if said else "stitches-seat-mute"
    yield f"-# {w(key, body=_anatomy(monster, w), words=_list(said, w))}"


def _doing(monster: Monster, view: View) -> str:
    """What a player is about in this round, as far as it is open."""
    seat, battle = monster.seat, view.battle
    if view.stage == "declare":
        return "declared" if monster.declared else "thinks"
    if battle is not None and seat in battle.team:
        return "fights" if seat in battle.fighting else "retreated"
    if monster.attacks is None:
        return ""
    if monster.acted:
        return "attacked" if monster.attacks else "scavenged"
    return "attacks" if monster.attacks else "scavenges"


def _anatomy(monster: Monster, words: Words) -> str:
    """A body in a few words: monster parts by name, what is missing, and that the rest is Human."""
    worn = [(slot, part) for slot, part in enumerate(monster.body)]
    shown = [_valued(part, words) for _, part in worn if part and part.monster != HUMAN]
    shown += [words(f"stitches-body-no-{_KINDS[slot]}") for slot, part in worn if part is None]
    if any(part and part.monster == HUMAN for _, part in worn):
        shown.append(words("stitches-body-rest" if shown else "stitches-body-human"))
    if monster.torso.monster != HUMAN:
        shown.append(_valued(monster.torso, words))
    return _list(shown, words)


def _beast(view: View, words: Words) -> Iterator[str]:
    beast = view.abomination
    yield f"**{words('stitches-beast')}** · {_sum(might(view), words)}"
    shown = [] if beast.revealed else [words("stitches-beast-hidden")]
    shown += [_full(part, words) for part in (*beast.sides, beast.torso) if part is not None]
    if empty := _empty_sides(view):
        shown.append(words("stitches-beast-empty", count=empty))
    yield f"-# {_list(shown, words)}"


def _empty_sides(view: View) -> int:
    return view.abomination.sides.count(None) - (not view.abomination.revealed)


def _fight(view: View, scene: Scene) -> Iterator[str]:
    """The fight blow by blow, until somebody does something else."""
    w, battle = scene.words, view.battle
    begun = [i for i, event in enumerate(view.news) if isinstance(event, Provoked)]
    if not begun:
        return
    if battle is not None:
        yield f"**{w('stitches-fight', name=scene.name(battle.initiator))}**"
    else:
        yield f"**{w('stitches-fight-over')}**"
    blows = [event for event in view.news[begun[-1] :] if isinstance(event, _BLOWS)]
    yield from (f"> {line}" for line in _exchanges(blows, scene))
    if battle is not None and view.stage == "attach":
        for seat, parts in _trophies(battle).items():
            shown = _parts(parts, w)
            yield w("stitches-trophies", name=scene.name(seat), parts=shown)


def _exchanges(blows: Sequence[Happened], scene: Scene) -> Iterator[str]:
    """One line for what a player does in a fight and what comes of it."""
    for _, events in groupby(blows, lambda event: getattr(event, "seat", None)):
        told = list(events)
        # Somebody who fights alone strikes again and again.
        while told:
            more = [i for i, e in enumerate(told) if i and isinstance(e, Struck | Retreated)]
            cut = more[0] if more else len(told)
            yield " ".join(_line(event, scene) for event in told[:cut])
            told = told[cut:]


def _trophies(battle: Battle) -> dict[Seat, list[Part]]:
    """The parts that each of a team has won and not yet put on or thrown away."""
    found: dict[Seat, list[Part]] = {}
    for seat, part in battle.trophies:
        found.setdefault(seat, []).append(part)
    return found


def _market(view: View, words: Words) -> Iterator[str]:
    yield f"**{words('stitches-market')}**"
    shown = [_full(part, words) for part in view.market]
    yield f"-# {_list(shown, words) or words('stitches-market-empty')}"


def _decks(view: View, words: Words) -> str:
    """How much is left, and what the Abomination Deck can still bring: both are public."""
    # When all have been drawn they are shuffled anew.
    gone = view.card_discard if view.card_deck else ()
    left = [(card, _CARD_COPIES - gone.count(card)) for card in _CARDS]
    cards = [
        words("stitches-card-count", card=_card(card, words), count=count)
        for card, count in left
        if count
    ]
    discard = len(view.discard)
    return words("stitches-decks", deck=view.deck, discard=discard, cards=_list(cards, words))


def _card(card: Card, words: Words) -> str:
    return words(f"stitches-card-{card}")


# The hand


def _fitting(blocks: list[Text]) -> tuple[Block, ...]:
    """The first block, and as many of the others as there is room for."""
    shown, left = list[Block](), _HAND_LONGEST
    for block in blocks:
        left -= len(block.markdown)
        if left >= 0 or not shown:
            shown.append(block)
    return tuple(shown)


def _body(me: Monster, view: View, scene: Scene) -> list[str]:
    """The reader's monster: every part, what it is good for, what it can say."""
    w = scene.words
    lines = [f"**{w('stitches-hand-title')}** · {_coins(me.coins, w)}"]
    for slot, part in enumerate(me.body):
        shown = w("stitches-hand-empty") if part is None else _full(part, w)
        lines.append(w("stitches-hand-body", slot=_slot(slot, w), part=shown))
    if me.torso.monster != HUMAN:
        slot = w("stitches-slot-torso")
        lines.append(w("stitches-hand-body", slot=slot, part=_full(me.torso, w)))
    sums, worth = _worth(strength(me), view, w)
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
    said = [
        w("stitches-hand-word-shared", word=_word(word, w), names=scene.names(seats))
        if seats
        else w("stitches-hand-word", word=_word(word, w))
        for word, seats in friends.items()
    ]
    yield w("stitches-hand-words", words=_list(said, w))
    if view.stage == "declare":
        loudest = sorted(me.words, key=lambda word: -len(friends[word]))[:_GROWLS]
        growls = " ".join(w("stitches-growl", word=_word(word, w)) for word in loudest)
        yield f"-# {w('stitches-hand-growl', words=growls)}"


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
            won = _trophies(view.battle)[me.seat]
            yield [f"**{title}**", *_prospects(won, me, view, scene.words)]
        case _:
            pass


def _pot(view: View, words: Words) -> Iterator[str]:
    seats, pot = len(view.monsters), view.pot
    yield f"**{words('stitches-hand-scavenge')}**"
    yield words(
        "stitches-hand-pot",
        pot=_coins(pot, words),
        alone=pot,
        pair=pot // 2,
        seats=seats,
        each=pot // seats,
    )


def _offers(me: Monster, view: View, words: Words) -> Iterator[str]:
    """What the Market would do for the reader."""
    for part in view.market:
        slot = max(SLOTS[part.kind], key=lambda slot: _gain(me, part, slot, view))
        own, worth = _worth(_with(me, part, slot), view, words)
        would = words("stitches-hand-would", totals=own, beats=worth)
        yield f"-# {_full(part, words)}: {would}"


def _gain(me: Monster, part: Part, slot: int, view: View) -> int:
    own = _with(me, part, slot)
    return sum(beats(own, prey.part) for prey in on_the_table(view, me.seat))


def _opponents(me: Monster, view: View, scene: Scene) -> list[str]:
    """What every other player has that the reader could take."""
    w = scene.words
    lines = [f"**{w('stitches-hand-attack')}**"]
    for other in view.monsters:
        if other.seat == me.seat:
            continue
        beaten = [part for part in other.body if part is not None and beats(strength(me), part)]
        params = {
            "name": scene.name(other.seat),
            "coins": _coins(other.coins, w),
            "half": _half(other),
        }
        if beaten:
            lines.append(w("stitches-hand-opponent", parts=_parts(beaten, w), **params))
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
    elif empty := _empty_sides(view):
        lines.append(f"-# {w('stitches-hand-refill', count=empty)}")
    return lines


def _coverage(team: Sequence[Seat], view: View, scene: Scene) -> Iterator[str]:
    w = scene.words
    for part in view.abomination.sides:
        if part is None:
            continue
        able = [seat for seat in team if beats(strength(view.monsters[seat]), part)]
        names = _list((w("stitches-you") if s == view.seat else scene.name(s) for s in able), w)
        key = "stitches-hand-cover" if able else "stitches-hand-cover-none"
        yield f"- {w(key, part=_full(part, w), names=names)}"


def _shop(me: Monster, view: View, words: Words) -> list[str]:
    """The Market as the reader's purse and body see it."""
    lines = [f"**{words('stitches-hand-shop')}**"]
    for part in sorted(view.market, key=lambda part: part.cost > me.coins):
        price = _coins(part.cost, words)
        if part.cost > me.coins:
            dear = words("stitches-hand-too-dear", part=_full(part, words), coins=price)
            lines.append(f"-# {dear}")
        else:
            lines.append(
                words("stitches-hand-price", part=f"**{_full(part, words)}**", coins=price)
            )
            lines += _swaps(part, me, view, words)
    return lines


def _prospects(parts: Sequence[Part], me: Monster, view: View, words: Words) -> Iterator[str]:
    for part in parts:
        yield f"**{_full(part, words)}**"
        yield from _swaps(part, me, view, words)


def _swaps(part: Part, me: Monster, view: View, words: Words) -> Iterator[str]:
    """For every slot where a part fits: what it replaces, and what the reader would have then."""
    for slot in SLOTS[part.kind]:
        own, worth = _worth(_with(me, part, slot), view, words)
        old = me.body[slot]
        if old is None:
            text = words("stitches-hand-adds", slot=_slot(slot, words), totals=own, beats=worth)
        else:
            shown = _full(old, words)
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
        shared = _list((_word(word, w) for word in links(view, me.seat)), w)
        lines.append(w("stitches-hand-first-retreat", words=shared))
    return lines


def _strikes(me: Monster, view: View, words: Words) -> list[str]:
    sides = [part for part in view.abomination.sides if part is not None]
    lines: list[str] = []
    for part in sides:
        if not beats(strength(me), part):
            continue
        shown, lost = _valued(part, words), counter_target(view, me.seat, part)
        if len(sides) == 1:
            lines.append(words("stitches-hand-strike-last", part=shown))
        elif lost is None:
            lines.append(words("stitches-hand-strike-safe", part=shown))
        else:
            lines.append(words("stitches-hand-strike", part=shown, lost=_valued(lost, words)))
    return lines or [words("stitches-hand-strike-none")]


def _news(view: View, scene: Scene) -> list[str]:
    lines = [f"-# {_line(event, scene)}" for event in view.news[-_RECENT:]]
    return [f"**{scene.words('stitches-hand-news')}**", *lines] if lines else []


# Choosing


def _target_label(seat: int, view: View, scene: Scene) -> Label:
    w, other = scene.words, view.monsters[seat]
    own = strength(_own(view))
    hint = w(
        "stitches-target-about",
        coins=_coins(other.coins, w),
        half=_half(other),
        parts=sum(part is not None and beats(own, part) for part in other.body),
    )
    return Label(scene.guests[seat].label, hint)


def _part_label(part: Part, view: View, words: Words) -> Label:
    me, shown = _own(view), _full(part, words)
    if view.stage == "market":
        return Label(
            words("stitches-market-part", part=shown, coins=_coins(part.cost, words)),
            _instead(part, me, words),
        )
    if view.stage == "fight":
        lost = counter_target(view, me.seat, part)
        if len(view.abomination.sides) - view.abomination.sides.count(None) == 1:
            return Label(shown, words("stitches-strike-last"))
        if lost is None:
            return Label(shown, words("stitches-strike-safe"))
        return Label(shown, words("stitches-strike-about", lost=_valued(lost, words)))
    return Label(shown, "" if view.stage == "keep" else _instead(part, me, words))


def _instead(part: Part, me: Monster, words: Words) -> str:
    """What a part would replace; nothing where there is an empty slot for it."""
    old = [me.body[slot] for slot in SLOTS[part.kind]]
    if None in old:
        return ""
    names = dict.fromkeys(_valued(part, words) for part in old if part is not None)
    return words("stitches-part-instead", old=_list(names, words))


def _into(slot: int, view: View, words: Words) -> str:
    old = _own(view).body[slot]
    if old is None:
        return words("stitches-into-empty", slot=_slot(slot, words))
    return words("stitches-into", slot=_slot(slot, words), old=_full(old, words))


def _moves(view: View) -> Iterator[Action]:
    """Everything that the reader could mean, whether the rules allow it or not."""
    me, beast = _own(view), view.abomination
    won = [] if view.battle is None else _trophies(view.battle).get(me.seat, [])
    yield from (Declare(False), Declare(True))
    yield from _fitted(Buy, view.market)
    yield Done()
    for other in view.monsters:
        yield Rob(other.seat)
        for part in other.body:
            for slot in () if part is None else SLOTS[part.kind]:
                yield Tear(other.seat, part.id, slot)
    yield Provoke()
    yield from (Strike(part.id) for part in beast.sides if part is not None)
    yield Retreat()
    yield from map(LoseWord, me.words)
    yield from _fitted(Attach, won)
    yield from (Discard(part.id) for part in won)
    yield from (Keep(part.id) for part in me.body if part is not None)
    yield KeepNothing()


def _fitted(kind: type[Buy | Attach], parts: Iterable[Part]) -> Iterator[Action]:
    return (kind(part.id, slot) for part in parts for slot in SLOTS[part.kind])


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _warning(action: Action, me: Monster, view: View, words: Words) -> str | None:
    """Why a move can only hurt the one who makes it."""
    match action:
        case Buy(number, into):
            return _bad_buy(view.parts[number], into, me, view, words)
        case Tear(_, number, into):
            return _weaker("weaker", view.parts[number], into, me, words)
        case Attach(number, into):
            return _weaker("attach", view.parts[number], into, me, words)
        case Discard(number):
            return _wasteful(view.parts[number], me, words)
        case Provoke():
            return words("stitches-warning-hopeless") if _hopeless(view, me.seat) else None
        case Retreat():
            left = [part for part in view.abomination.sides if part is not None]
            wins = len(left) == 1 and beats(strength(me), left[0])
            return words("stitches-warning-retreat") if wins else None
        case _:
            return None


def _bad_buy(part: Part, into: int, me: Monster, view: View, words: Words) -> str | None:
    old = me.body[into]
    bought = [event.part for event in view.news if isinstance(event, Bought)]
    if old is not None and old in bought:
        return words("stitches-warning-bought", part=_full(old, words))
    before, after = strength(me), _with(me, part, into)
    if not _covers(before, after):
        return None
    return words(
        "stitches-warning-no-gain",
        coins=_coins(part.cost, words),
        before=_sum(before, words),
        after=_sum(after, words),
    )


def _weaker(how: str, part: Part, into: int, me: Monster, words: Words) -> str | None:
    """The warning when a part makes its new owner weaker and in nothing stronger."""
    old, before, after = me.body[into], strength(me), _with(me, part, into)
    if old is None or before == after or not _covers(before, after):
        return None
    return words(
        f"stitches-warning-{how}",
        old=_full(old, words),
        before=_sum(before, words),
        after=_sum(after, words),
    )


def _wasteful(part: Part, me: Monster, words: Words) -> str | None:
    """The warning when a part is thrown away that would only make its owner stronger."""
    before = strength(me)
    for slot in SLOTS[part.kind]:
        after = _with(me, part, slot)
        if after != before and _covers(after, before):
            return words(
                "stitches-warning-discard", before=_sum(before, words), after=_sum(after, words)
            )
    return None


def _hopeless(view: View, seat: Seat) -> bool:
    """Whether an attack on the Abomination is known to fail."""
    if not view.abomination.revealed or _empty_sides(view):
        return False
    reach = [strength(view.monsters[member]) for member in team_of(view, seat)]
    sides = [part for part in view.abomination.sides if part is not None]
    return not any(beats(own, part) for own in reach for part in sides)


# What happened


def _line(event: Happened, scene: Scene) -> str:
    return scene.words(f"stitches-{_sentence(event)}", **_params(event, scene))


def _sentence(event: Happened) -> str:
    name = event.kind.replace("_", "-")
    match event:
        case Declared(attack):
            return name if len(set(attack)) > 1 else f"{name}-{_declared(attack[0])}"
        case Shared(seats=()):
            return f"{name}-nobody"
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
                params[field.name] = _valued(part, w)
            case int() as number if field.name in _SEATS:
                params[field.name] = scene.name(number)
            case int() as number:
                params[field.name] = number
            case (Part(), *_) as parts:
                params[field.name] = _parts(parts, w)
            case _:
                pass
    match event:
        case Declared(attack):
            for how in (True, False):
                names = scene.names([seat for seat, chose in enumerate(attack) if chose == how])
                params["attackers" if how else "scavengers"] = names
        case Shared(_, each, _):
            params["coins"] = _coins(each, w)
        case Robbed(_, _, coins):
            params |= {"coins": _coins(coins, w), "count": coins}
        case WordLearned(_, str(word), _) | WordLost(_, word):
            params["word"] = _word(word, w)
        case Provoked(_, team):
            params["others"] = scene.names(team[1:])
        case CardDrawn(card):
            params["card"] = _card(card, w)
        case MatchEnded(winners):
            params |= {"winners": scene.names(winners), "count": len(winners)}
        case _:
            pass
    return params


def _heading(event: Provoked | CardDrawn | MatchEnded, scene: Scene) -> str:
    w = scene.words
    match event:
        case Provoked():
            return _line(event, scene)
        case CardDrawn(card):
            return w("stitches-notice-round", card=_card(card, w))
        case MatchEnded():
            return _line(event, scene)
