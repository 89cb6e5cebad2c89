"""How Stitches looks in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.texts import Words
from bot.ui.panel import Block, Text
from bot.ui.presenter import Label, Presenter, Scene
from bot.ui.stitches_hand import hand_blocks
from bot.ui.stitches_story import event_line, exchanges, latest_fight, notice_blocks
from bot.ui.stitches_words import (
    card_name,
    coin_count,
    covers,
    cut_list,
    empty_sides,
    full_part,
    half_of,
    joined,
    kind_name,
    own_monster,
    part_list,
    slot_name,
    symbol_totals,
    trophies_of,
    unpriced_part,
    valued_part,
    with_part,
    word_name,
)
from engine.core import Event, Outcome, Seat
from engine.stitches.model import (
    HEAD,
    LEFT,
    LEGS,
    RIGHT,
    Action,
    Attach,
    Bought,
    Buy,
    Card,
    Declare,
    Discard,
    Done,
    Happened,
    Keep,
    KeepNothing,
    LoseWord,
    Monster,
    Part,
    Provoke,
    Retreat,
    Rob,
    Strike,
    Tear,
    View,
)
from engine.stitches.parts import (
    HUMAN,
    SLOTS,
)
from engine.stitches.symbols import (
    beats,
    counter_target,
    might,
    strength,
    team_of,
)

_KINDS: Final = {HEAD: "head", RIGHT: "arm", LEGS: "legs", LEFT: "arm"}
_CARDS: Final[tuple[Card, ...]] = ("grows", "attacks", "rampages", "behind")
_CARD_COPIES: Final = 2
_REFUSALS: Final = {
    "market": "done", "attack": "rob", "fight": "retreat", "attach": "discard",
    "keep": "keep_nothing",
}  # fmt: skip
"""The action that takes no part, where the others do."""


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

    def told(self, event: Event, view: View) -> bool:
        """While a fight is shown blow by blow, older news below it would be out of order."""
        del event
        return bool(latest_fight(view))

    def hand(self, view: View, scene: Scene) -> tuple[Block, ...]:
        return hand_blocks(view, scene)

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
                count = len(team_of(view, own_monster(view).seat)) - 1
                return Label(kind_name("provoke", w), w("stitches-team-about", count=count))
            case "part", int():
                return _part_label(view.parts[value], view, w)
            case "into", int():
                return Label(_into(value, view, w))
            case "word", str():
                return Label(word_name(value, w))
            case "kind", str():
                return Label(kind_name(value, w))
            case _:
                return Label(kind_name(_REFUSALS[view.stage], w))

    def action(self, action: Action, view: View, scene: Scene) -> str:
        w = scene.words
        match action:
            case Declare(attack):
                return self.label("attack", attack, view, scene).text
            case Buy(number, into) | Attach(number, into) | Tear(_, number, into):
                part = view.parts[number]
                shown = unpriced_part if isinstance(action, Buy) else full_part
                params = {"part": shown(part, w), "coins": coin_count(part.cost, w)}
                if isinstance(action, Tear):
                    params["name"] = scene.guests[action.target].label
                if len(SLOTS[part.kind]) == 1:
                    return w(f"stitches-action-{action.kind}", **params)
                return w(f"stitches-action-{action.kind}-into", slot=slot_name(into, w), **params)
            case Strike(number) | Discard(number) | Keep(number):
                part = view.parts[number]
                return w(f"stitches-action-{action.kind}", part=full_part(part, w))
            case Rob(target):
                coins = coin_count(half_of(view.monsters[target]), w)
                return w("stitches-action-rob", coins=coins, name=scene.guests[target].label)
            case LoseWord(word):
                return w("stitches-action-word", word=word_name(word, w))
            case Done() | Provoke() | Retreat() | KeepNothing():
                return kind_name(action.kind, w)

    def warning(self, action: Action, view: View, scene: Scene) -> str | None:
        return _warning(action, own_monster(view), view, scene.words)

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
        return event_line(event, scene)

    def notice(self, events: Sequence[Event], scene: Scene) -> tuple[Block, ...]:
        return notice_blocks([event for event in events if isinstance(event, Happened)], scene)

    def beats(self, events: Sequence[Event], scene: Scene) -> tuple[tuple[Block, ...], ...]:
        """What begins, and then what comes of it."""
        whole = self.notice(events, scene)
        return (whole[:1], whole) if len(whole) > 1 else (whole,) if whole else ()

    def ending(self, outcome: Outcome, view: View, scene: Scene) -> tuple[Block, ...]:
        w, winners = scene.words, sorted(outcome.winners)
        key = "stitches-ending-won" if winners else "stitches-ending-lost"
        title = w(key, names=scene.names(winners), count=len(winners))
        rows: list[str] = []
        for monster in sorted(view.monsters, key=lambda m: m.seat not in outcome.winners):
            row = f"{scene.name(monster.seat)} · {symbol_totals(strength(monster), w)}"
            if kept := view.kept[monster.seat] if view.kept else None:
                row += f" · {w('stitches-ending-kept', part=valued_part(kept, w))}"
            won = monster.seat in outcome.winners
            rows.append(w("stitches-ending-winner", row=row) if won else row)
            rows.append(f"-# {_anatomy(monster, w)}")
        head = [f"### {title}", w(outcome.reason)]
        return (Text("\n".join(head)), Text("\n".join(rows)))

    def rules(self, words: Words) -> tuple[tuple[Block, ...], ...]:
        pages = [(Text(words(f"stitches-rules-{page}")),) for page in (1, 2)]
        last = (Text(words("stitches-rules-3")), Text(f"-# {words('stitches-rules-fan')}"))
        return (*pages, last)


# The public table


def _head(view: View, scene: Scene) -> list[str]:
    w = scene.words
    lines = [f"**{w('stitches-round', number=view.round, coins=coin_count(view.pot, w))}**"]
    if view.winners:
        lines.append(f"> {w('stitches-beast-defeated', names=scene.names(view.winners))}")
    return lines


def _row(monster: Monster, view: View, scene: Scene) -> Iterator[str]:
    w = scene.words
    mark = "▶ " if monster.seat in view.asked and view.stage != "declare" else ""
    parts = [
        scene.name(monster.seat),
        coin_count(monster.coins, w),
        symbol_totals(strength(monster), w),
    ]
    if monster.seat == view.first:
        parts.insert(1, w("stitches-seat-first"))
    if doing := _doing(monster, view):
        parts.append(w(f"stitches-seat-{doing}"))
    yield mark + " · ".join(parts)
    key = "stitches-seat-body" if monster.words else "stitches-seat-mute"
    said = cut_list([word_name(word, w) for word in monster.words], w)
    yield f"-# {w(key, body=_anatomy(monster, w), words=said)}"


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
    shown = [valued_part(part, words) for _, part in worn if part and part.monster != HUMAN]
    shown += [words(f"stitches-body-no-{_KINDS[slot]}") for slot, part in worn if part is None]
    if any(part and part.monster == HUMAN for _, part in worn):
        shown.append(words("stitches-body-rest" if shown else "stitches-body-human"))
    if monster.torso.monster != HUMAN:
        shown.append(valued_part(monster.torso, words))
    return joined(shown, words)


def _beast(view: View, words: Words) -> Iterator[str]:
    beast = view.abomination
    yield f"**{words('stitches-beast')}** · {symbol_totals(might(view), words)}"
    shown = [] if beast.revealed else [words("stitches-beast-hidden")]
    shown += [full_part(part, words) for part in (*beast.sides, beast.torso) if part is not None]
    if empty := empty_sides(view):
        shown.append(words("stitches-beast-empty", count=empty))
    yield f"-# {joined(shown, words)}"


def _fight(view: View, scene: Scene) -> Iterator[str]:
    """The fight blow by blow, until somebody does something else."""
    w, battle, fight = scene.words, view.battle, latest_fight(view)
    if not fight:
        return
    if battle is not None:
        yield w("stitches-fight", name=scene.name(battle.initiator))
    else:
        yield f"**{w('stitches-fight-over')}**"
    yield from (f"> {line}" for line in exchanges(fight[1:], scene))
    if battle is not None and view.stage == "attach":
        for seat, parts in trophies_of(battle).items():
            shown = part_list(parts, w)
            yield w("stitches-trophies", name=scene.name(seat), parts=shown)


def _market(view: View, words: Words) -> Iterator[str]:
    if view.battle is not None:
        return
    yield f"**{words('stitches-market')}**"
    shown = [full_part(part, words) for part in view.market]
    yield f"-# {joined(shown, words) or words('stitches-market-empty')}"


def _decks(view: View, words: Words) -> str:
    """How much is left, and what the Abomination Deck can still bring: both are public."""
    # When all have been drawn they are shuffled anew.
    gone = view.card_discard if view.card_deck else ()
    cards = [
        words("stitches-card-count", card=card_name(card, words), count=left)
        for card in _CARDS
        if (left := _CARD_COPIES - gone.count(card))
    ]
    discard = len(view.discard)
    return words("stitches-decks", deck=view.deck, discard=discard, cards=joined(cards, words))


# Choosing


def _target_label(seat: int, view: View, scene: Scene) -> Label:
    w, other = scene.words, view.monsters[seat]
    own = strength(own_monster(view))
    hint = w(
        "stitches-target-about",
        coins=coin_count(other.coins, w),
        half=half_of(other),
        parts=sum(part is not None and beats(own, part) for part in other.body),
    )
    return Label(scene.guests[seat].label, hint)


def _part_label(part: Part, view: View, words: Words) -> Label:
    me, shown = own_monster(view), full_part(part, words)
    if view.stage == "market":
        return Label(
            words(
                "stitches-market-part",
                part=unpriced_part(part, words),
                coins=part.cost,
            ),
            _instead(part, me, words),
        )
    if view.stage == "fight":
        lost = counter_target(view, me.seat, part)
        if len(view.abomination.sides) - view.abomination.sides.count(None) == 1:
            return Label(shown, words("stitches-strike-last"))
        if lost is None:
            return Label(shown, words("stitches-strike-safe"))
        return Label(shown, words("stitches-strike-about", lost=valued_part(lost, words)))
    return Label(shown, "" if view.stage == "keep" else _instead(part, me, words))


def _instead(part: Part, me: Monster, words: Words) -> str:
    """What a part would replace; nothing where there is an empty slot for it."""
    old = [me.body[slot] for slot in SLOTS[part.kind]]
    if None in old:
        return ""
    names = dict.fromkeys(valued_part(part, words) for part in old if part is not None)
    return words("stitches-part-instead", old=joined(names, words))


def _into(slot: int, view: View, words: Words) -> str:
    old = own_monster(view).body[slot]
    if old is None:
        return words("stitches-into-empty", slot=slot_name(slot, words))
    return words("stitches-into", slot=slot_name(slot, words), old=full_part(old, words))


def _moves(view: View) -> Iterator[Action]:
    """Everything that the reader could mean, whether the rules allow it or not."""
    me, beast = own_monster(view), view.abomination
    won = [] if view.battle is None else trophies_of(view.battle).get(me.seat, [])
    yield from (Declare(False), Declare(True))
    yield from _fitted(Buy, view.market)
    yield Done()
    for other in view.monsters:
        yield Rob(other.seat)
        for part in filter(None, other.body):
            yield from (Tear(other.seat, part.id, slot) for slot in SLOTS[part.kind])
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
        return words("stitches-warning-bought", part=full_part(old, words))
    before, after = strength(me), with_part(me, part, into)
    if not covers(before, after):
        return None
    return words(
        "stitches-warning-no-gain",
        coins=coin_count(part.cost, words),
        before=symbol_totals(before, words),
        after=symbol_totals(after, words),
    )


def _weaker(how: str, part: Part, into: int, me: Monster, words: Words) -> str | None:
    """The warning when a part makes its new owner weaker and in nothing stronger."""
    old, before, after = me.body[into], strength(me), with_part(me, part, into)
    if old is None or before == after or not covers(before, after):
        return None
    return words(
        f"stitches-warning-{how}",
        old=full_part(old, words),
        before=symbol_totals(before, words),
        after=symbol_totals(after, words),
    )


def _wasteful(part: Part, me: Monster, words: Words) -> str | None:
    """The warning when a part is thrown away that would only make its owner stronger."""
    before = strength(me)
    for slot in SLOTS[part.kind]:
        after = with_part(me, part, slot)
        if after != before and covers(after, before):
            return words(
                "stitches-warning-discard",
                before=symbol_totals(before, words),
                after=symbol_totals(after, words),
            )
    return None


def _hopeless(view: View, seat: Seat) -> bool:
    """Whether an attack on the Abomination is known to fail."""
    if not view.abomination.revealed or empty_sides(view):
        return False
    reach = [strength(view.monsters[member]) for member in team_of(view, seat)]
    sides = [part for part in view.abomination.sides if part is not None]
    return not any(beats(own, part) for own in reach for part in sides)
