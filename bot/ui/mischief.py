"""How Merry Mischief looks in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import Final, assert_never, cast

from bot.texts import Words
from bot.ui.panel import Block, Divider, Text
from bot.ui.presenter import Group, Label, Presenter, Scene
from engine.choosing import Pick
from engine.core import Event, Outcome, Seat
from engine.mischief.model import (
    COLOURS,
    ICONS,
    MOST_CARDS,
    BonusTaken,
    Card,
    Chosen,
    Colour,
    Dealt,
    Discarded,
    Drew,
    FinalRound,
    Icon,
    Ids,
    Locked,
    MatchEnded,
    MischiefEvent,
    Place,
    Play,
    Reshuffled,
    Revealed,
    Rolled,
    Saved,
    Stack,
    TieRoll,
    View,
    WentOut,
)
from engine.mischief.odds import icons, saving, symbols

_MARKS: Final = {"red": "🔴", "yellow": "🟡", "green": "🟢"}
_FACES: Final = len(ICONS)


class MischiefPresenter(Presenter[Play, View]):
    """Merry Mischief in words."""

    def board(self, view: View, scene: Scene) -> tuple[Block, ...]:
        w = scene.words
        title = "mischief-round-final" if view.final else "mischief-round"
        head = [f"**{w(title, number=view.round)}**"]
        if last := _last_round(view, scene):
            head.append(f"> {last}")
        rows = [_row(place, scene) for place in view.places]
        piles = w("mischief-piles", deck=view.deck, discard=len(view.discard))
        return (Text("\n".join(head)), Text("\n".join(rows)), Text(f"-# {piles}"))

    def hand(self, view: View, scene: Scene) -> tuple[Block, ...]:
        w = scene.words
        parts = (
            _choice(view, w),
            _hand(view, w),
            _own_cards(view, w),
            [f"-# {line}" for line in (*_chances(view, w), *_unseen(view, w))],
        )
        return tuple(Text("\n".join(part)) for part in parts if part)

    def question(self, view: View, scene: Scene, asked: frozenset[Seat]) -> str:
        if view.over:
            return scene.words("mischief-question-over")
        if all(place.seat in asked for place in view.places):
            return scene.words("mischief-question-all")
        names = scene.names(sorted(asked))
        return scene.words("mischief-question-some", names=names, count=len(asked))

    def prompt(self, field: str, view: View, scene: Scene) -> str:
        del view
        return scene.words(f"mischief-prompt-{field}")

    def label(self, field: str, value: object, view: View, scene: Scene) -> Label:
        """A card to pick, by its id; a whole play, where somebody types one."""
        del field
        if not isinstance(value, int):
            numbers = cast("Ids", value)
            return Label(_move([view.card(number) for number in numbers], scene.words))
        card = view.card(value)
        hint = scene.words("mischief-card-about", safe=_FACES - icons([card]))
        return Label(_card(card, scene.words), hint)

    def groups(self, pick: Pick, view: View, scene: Scene) -> tuple[Group, ...]:
        """A menu for each colour."""
        cards = [view.card(item) for item in pick.items if isinstance(item, int)]
        return tuple(
            _group(colour, tuple(i for i, c in enumerate(cards) if c.colour == colour), scene.words)
            for colour in COLOURS
            if any(card.colour == colour for card in cards)
        )

    def action(self, action: Play, view: View, scene: Scene) -> str:
        return _move([view.card(number) for number in action.cards], scene.words)

    def warning(self, action: Play, view: View, scene: Scene) -> str | None:
        if icons([view.card(number) for number in action.cards]) < _FACES:
            return None
        return scene.words("mischief-warning-hopeless")

    def typed(self, words: Mapping[str, str], view: View, scene: Scene) -> Play | None:
        """Cards named by some of their words, with commas between: "ukulele, pineapple naughty"."""
        parts = [_plain(part) for part in re.split("[:,;]", words.get("cards", ""))]
        colours: dict[str, Colour] = {
            _plain(_colour(colour, scene.words)): colour for colour in COLOURS
        }
        asked: list[Colour] = [colours[part] for part in parts if part in colours]
        wanted = _Wanted([part.split() for part in parts if part not in ("", *colours)], asked)
        plays = _meant(wanted, view, scene.words)
        if len({_move(cards, scene.words) for cards in plays}) > 1:
            return None
        cards = plays[0] if plays else _as_named(wanted, view, scene.words)
        return None if cards is None else Play(tuple(card.id for card in cards))

    def line(self, event: Event, scene: Scene) -> str | None:
        assert isinstance(event, MischiefEvent)
        return _line(event, scene)

    def told(self, event: Event, view: View) -> bool:
        """The rows say who has chosen, the line above them how the last round went."""
        del event, view
        return True

    def notice(self, events: Sequence[Event], scene: Scene) -> tuple[Block, ...]:
        beats = self.beats(events, scene)
        return beats[-1] if beats else ()

    def beats(self, events: Sequence[Event], scene: Scene) -> tuple[tuple[Block, ...], ...]:
        """Cards up, then a roll at a time; what was saved is told with the last roll."""
        revealed = next((e for e in events if isinstance(e, Revealed)), None)
        if revealed is None:
            return ()
        up: tuple[Block, ...] = (Text("\n".join(_cards_up(revealed, scene))),)
        rolls = [_roll(event, scene) for event in events if isinstance(event, Rolled)]
        result = list(_result(revealed, events, scene))
        rolled = [(*up, Text("\n".join(rolls[:n]))) for n in range(1, len(rolls) + 1)]
        whole = (*rolled[-1], Divider(), Text("\n".join(result)))
        return (up, *rolled[:-1], whole)

    def ending(self, outcome: Outcome, view: View, scene: Scene) -> tuple[Block, ...]:
        w = scene.words
        winners = sorted(outcome.winners)
        title = w("mischief-ending", names=scene.names(winners), count=len(winners))
        head = [f"### {title}", w(outcome.reason)]
        head += [_line(event, scene) or "" for event in view.news if isinstance(event, TieRoll)]
        rows: list[str] = []
        # Of those who tied, the roll puts the others behind the winners.
        standing = {s: (-n, s not in outcome.winners) for s, n in outcome.scores.items()}
        for seat in sorted(standing, key=lambda seat: (standing[seat], seat)):
            place = 1 + sum(other < standing[seat] for other in standing.values())
            name, presents = scene.name(seat), outcome.scores[seat]
            rows.append(w("mischief-ending-row", place=place, name=name, presents=presents))
            if view.ending is not None:
                rows.append(f"-# {_turned_over(view.ending.stacks[seat], w)}")
        return (Text("\n".join(head)), Text("\n".join(rows)))

    def rules(self, words: Words) -> tuple[tuple[Block, ...], ...]:
        rows = [
            words("mischief-rules-row", different=number, **_in_100(number, words))
            for number in range(1, _FACES)
        ]
        chances = "\n".join([words("mischief-rules-3"), *rows, words("mischief-rules-none")])
        first: tuple[Block, ...] = (Text(words("mischief-rules-1")),)
        fan = Text(f"-# {words('mischief-rules-fan')}")
        return (first, (Text(words("mischief-rules-2")),), (Text(chances), fan))


# Cards


def _present(icon: Icon, words: Words) -> str:
    return words(f"mischief-present-{icon}")


def _colour(colour: Colour, words: Words) -> str:
    return words(f"mischief-colour-{colour}")


def _card(card: Card, words: Words) -> str:
    presents = words("mischief-and").join(_present(icon, words) for icon in card.presents)
    if card.symbol == "none":
        return presents
    symbol = words(f"mischief-symbol-{card.symbol}")
    return words("mischief-card", presents=presents, symbol=symbol)


def _short(card: Card, words: Words) -> str:
    presents = words("mischief-and-short").join(_present(icon, words) for icon in card.presents)
    if card.symbol == "none":
        return presents
    symbol = words(f"mischief-symbol-{card.symbol}")
    return words("mischief-card-short", presents=presents, symbol=symbol)


def _list(cards: Sequence[Card], words: Words) -> str:
    return words("list-joint").join(_card(card, words) for card in cards)


def _move(cards: Sequence[Card], words: Words) -> str:
    """Cards of one colour as a move is named: on a button, or typed."""
    shown = words("list-joint").join(_short(card, words) for card in cards)
    return words("mischief-cards", colour=_colour(cards[0].colour, words), cards=shown)


def _by_colour(cards: Sequence[Card], words: Words) -> str:
    """Any cards, colour by colour."""
    return " · ".join(
        f"{_MARKS[colour]} "
        + words("mischief-cards", colour=_colour(colour, words), cards=_list(own, words))
        for colour in COLOURS
        if (own := [card for card in cards if card.colour == colour])
    )


# The public table


def _row(place: Place, scene: Scene) -> str:
    w, saved = scene.words, place.stack - place.bonus
    parts = [w("mischief-seat", name=scene.name(place.seat), cards=place.cards)]
    if place.presents is None:
        parts.append(w("mischief-seat-saved", count=saved))
    else:
        parts.append(w("mischief-seat-presents", count=saved, presents=place.presents))
    if place.bonus:
        parts.append(w("mischief-seat-bonus"))
    if place.playing:
        parts.append(w("mischief-seat-chosen" if place.locked else "mischief-seat-choosing"))
    return " · ".join(parts)


def _last_round(view: View, scene: Scene) -> str:
    """What the last round brought, in one line; "" in the first one."""
    revealed = next((e for e in view.news if isinstance(e, Revealed)), None)
    if revealed is None:
        return ""
    w = scene.words
    saved = [
        w("mischief-last-saved", name=scene.name(event.seat), presents=event.presents)
        for event in view.news
        if isinstance(event, Saved)
    ]
    return w(
        "mischief-last",
        number=revealed.round,
        faces=_faces(view, w),
        saved=w("list-joint").join(saved) if saved else w("mischief-last-nothing"),
    )


def _faces(view: View, words: Words) -> str:
    faces = [_present(event.face, words) for event in view.news if isinstance(event, Rolled)]
    return words("list-joint").join(faces)


# The hand


def _choice(view: View, words: Words) -> list[str]:
    """What the reader has chosen, and how likely it is to be saved."""
    if not view.locked:
        return []
    chosen = f"**{words('mischief-hand-chosen')}** {_by_colour(view.locked, words)}"
    different = icons(view.locked)
    if different == _FACES:
        return [chosen, words("mischief-hand-odds-none")]
    return [chosen, words("mischief-hand-odds", **_in_100(different, words))]


def _hand(view: View, words: Words) -> list[str]:
    if not view.hand:
        return [] if view.over else [words("mischief-hand-none")]
    lines: list[str] = []
    for colour in COLOURS:
        cards = [card for card in view.hand if card.colour == colour]
        lines += [f"{_MARKS[colour]} **{_colour(colour, words)}**"] if cards else []
        for card in cards:
            drawn = f" · {words('mischief-hand-drawn')}" if card in view.drew else ""
            lines.append(f"> {_card(card, words)}{drawn}")
    return lines


def _own_cards(view: View, words: Words) -> list[str]:
    """What became of the reader's own cards in the last round, and what is saved by now."""
    told: list[str] = []
    for event in view.news:
        match event:
            case Revealed(round=number):
                told.append(words("mischief-hand-last", number=number, faces=_faces(view, words)))
            case Saved(seat, cards, presents) if seat == view.seat:
                shown = _list(cards, words)
                told.append(words("mischief-hand-last-saved", presents=presents, cards=shown))
            case Discarded(seat, cards) if seat == view.seat:
                told.append(words("mischief-hand-last-lost", cards=_list(cards, words)))
            case _:
                pass
    lines = [f"-# {' · '.join(told)}"] if told else []
    if view.seat is not None and view.stack:
        saved = [_list(view.stack, words)]
        if view.places[view.seat].bonus:
            saved.append(words("mischief-hand-bonus"))
        presents = sum(len(card.presents) for card in view.stack)
        shown = words("list-joint").join(saved)
        lines.append(words("mischief-hand-saved", presents=presents, cards=shown))
    return lines


def _unseen(view: View, words: Words) -> list[str]:
    """What may still come, for those who want to guess how often the die will be rolled."""
    if not view.hand or view.over:
        return []
    nice, naughty = symbols(view.unseen)
    count = len(view.unseen)
    return [words("mischief-hand-unseen", count=count, nice=nice, naughty=naughty)]


# Chances


def _in_100(different: int, words: Words) -> dict[str, str | int]:
    """The chance to save so many different presents with one, two and three rolls, in words."""
    names = ("one", "two", "three")
    return {name: _share(saving(different, n), words) for n, name in enumerate(names, 1)}


def _share(chance: Fraction, words: Words) -> str | int:
    return int(chance * 100 + Fraction(1, 2)) or words("mischief-odds-hardly")


def _chances(view: View, words: Words) -> list[str]:
    """The chances of what the reader could choose, until that is done."""
    if not view.hand or view.locked or view.over:
        return []
    rows = [
        words("mischief-hand-chance", different=number, **_in_100(number, words))
        for number in sorted(_reachable(view.hand) - {_FACES})
    ]
    return [words("mischief-hand-chances"), *rows]


def _reachable(hand: Sequence[Card]) -> set[int]:
    """How many different presents a play from this hand can show."""
    return {
        icons(cards)
        for colour in COLOURS
        for size in range(1, MOST_CARDS + 1)
        for cards in combinations([card for card in hand if card.colour == colour], size)
    }


# Choosing


def _group(colour: Colour, items: tuple[int, ...], words: Words) -> Group:
    most = min(MOST_CARDS, len(items))
    name = _colour(colour, words)
    return Group(words("mischief-prompt-colour", colour=name, most=most), items)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What somebody typed: the words for each card, and the colours named for them all."""

    names: Sequence[Sequence[str]]
    colours: Sequence[Colour]

    def unsaid(self, name: Sequence[str], card: Card, words: Words) -> int | None:
        """How many of the card's words were left out; None where the name is not this card's."""
        colour, own = (
            _plain(_colour(card.colour, words)).split(),
            _plain(_card(card, words)).split(),
        )
        if not all(any(word.startswith(part) for word in (*colour, *own)) for part in name):
            return None
        return sum(not any(word.startswith(part) for part in name) for word in own)


def _meant(wanted: _Wanted, view: View, words: Words) -> list[tuple[Card, ...]]:
    """The plays from the hand that the words name in full, or else all that they could mean."""
    if not 1 <= len(wanted.names) <= MOST_CARDS:
        return []
    hand = [card for card in view.hand if not wanted.colours or card.colour in wanted.colours]
    found: list[tuple[bool, tuple[Card, ...]]] = []
    for cards in permutations(hand, len(wanted.names)):
        unsaid = [wanted.unsaid(*pair, words) for pair in zip(wanted.names, cards, strict=True)]
        if None not in unsaid and len({card.colour for card in cards}) == 1:
            found.append((not any(unsaid), tuple(card for card in view.hand if card in cards)))
    return [cards for whole, cards in found if whole] or [cards for _, cards in found]


def _as_named(wanted: _Wanted, view: View, words: Words) -> tuple[Card, ...] | None:
    """Cards that fit the words though they are no play, so that the rules can say why not."""
    found: list[Card] = []
    for name in wanted.names:
        left = [card for card in view.hand if card not in found]
        others = (*left, *found, *view.unseen, *view.discard)
        card = next((c for c in others if wanted.unsaid(name, c, words) is not None), None)
        if card is None:
            return None
        found.append(card)
    return tuple(found)


def _plain(text: str) -> str:
    """The words alone, in lower case."""
    return " ".join(re.findall(r"\w+", text.casefold()))


# What happened


def _line(event: MischiefEvent, scene: Scene) -> str | None:
    w = scene.words
    key = f"mischief-news-{event.kind}"
    match event:
        case Locked():
            return None  # the board shows who has chosen
        case Dealt(_, cards) | Chosen(_, cards) | Drew(_, cards):
            return w(key, cards=_by_colour(cards, w))
        case Revealed():
            return _revealed(event, scene)
        case Rolled():
            return _roll(event, scene)
        case Discarded():
            return w(key, name=scene.name(event.seat), count=len(event.cards))
        case Reshuffled():
            return w(key, count=event.cards)
        case Saved(seat, _, presents, saved):
            return w(key, name=scene.name(seat), presents=presents, stack=saved)
        case WentOut(seat) | BonusTaken(seat):
            return w(key, name=scene.name(seat))
        case FinalRound(seats):
            return w(key, names=scene.names(seats), count=len(seats))
        case TieRoll(face, tied):
            counts = [
                w("mischief-news-tied", name=scene.name(t.seat), count=t.matches) for t in tied
            ]
            return w(key, face=_present(face, w), counts=w("list-joint").join(counts))
        case MatchEnded(stacks, winners):
            most = max(stack.presents for stack in stacks)
            return w(key, names=scene.names(winners), count=len(winners), presents=most)
        case _:
            assert_never(event)


def _revealed(event: Revealed, scene: Scene) -> str:
    w = scene.words
    plays = [
        w("mischief-news-play", name=scene.name(laid.seat), cards=_by_colour(laid.cards, w))
        for laid in event.plays
    ]
    key = "mischief-news-revealed-final" if event.final else "mischief-news-revealed"
    return w(key, number=event.round, plays="; ".join(plays), why=_symbols(event, w))


def _symbols(event: Revealed, words: Words) -> str:
    counts = {"nice": event.nice, "naughty": event.naughty, "rolls": event.rolls}
    return words("mischief-notice-symbols", **counts)


def _roll(event: Rolled, scene: Scene) -> str:
    told = scene.words(
        "mischief-news-rolled",
        roller=scene.guests[event.roller].name,
        face=_present(event.face, scene.words),
        hit=scene.names(event.hit),
        count=len(event.hit),
    )
    return f"🎲 {told}"


# The reveal and the end


def _cards_up(event: Revealed, scene: Scene) -> Iterator[str]:
    w = scene.words
    key = "mischief-notice-title-final" if event.final else "mischief-notice-title"
    yield f"### {w(key, number=event.round)}"
    for laid in event.plays:
        cards = _by_colour(laid.cards, w)
        yield w("mischief-notice-play", name=scene.name(laid.seat), cards=cards)
    yield _symbols(event, w)


def _result(revealed: Revealed, events: Sequence[Event], scene: Scene) -> Iterator[str]:
    """What the rolls left, and what comes next."""
    w = scene.words
    if sum(isinstance(event, Rolled) for event in events) < revealed.rolls:
        yield f"-# {w('mischief-notice-over')}"
    saves = [event for event in events if isinstance(event, Saved)]
    for save in saves:
        yield w("mischief-notice-saved", name=scene.name(save.seat), presents=save.presents)
    if not saves:
        yield w("mischief-notice-nothing")
    if lost := [event.seat for event in events if isinstance(event, Discarded)]:
        yield w("mischief-notice-lost", names=scene.names(lost), count=len(lost))
    for event in events:
        match event:
            case Reshuffled() | WentOut() | BonusTaken():
                yield f"-# {_line(event, scene)}"
            case FinalRound() | TieRoll():
                yield _line(event, scene) or ""
            case MatchEnded():
                yield f"### {_line(event, scene)}"
            case _:
                pass


def _turned_over(stack: Stack, words: Words) -> str:
    cards = [_card(card, words) for card in stack.cards]
    if stack.bonus is not None:
        cards.append(words("mischief-ending-bonus", card=_card(stack.bonus, words)))
    return words("list-joint").join(cards) or words("mischief-ending-empty")
