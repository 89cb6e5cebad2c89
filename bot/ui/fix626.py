"""How The Fix for 626 looks in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Final

from bot.texts import Words
from bot.ui.panel import Block, Divider, Text
from bot.ui.presenter import Label, Presenter, Scene
from bot.ui.typing import named
from engine.core import Event, Outcome, Seat
from engine.fix626.cards import TARGETED, TOKENS_TO_WIN, Character, full_deck
from engine.fix626.model import (
    Action,
    Answer,
    Asking,
    Compared,
    Ending,
    HandsTraded,
    KnockedOut,
    Looked,
    MatchEnded,
    News,
    Play,
    Played,
    PrivateNews,
    RoundEnded,
    RoundStarted,
    Saw,
    Side,
    Swapped,
    View,
)

_SIDES: Final = {Side.GOOD: "good", Side.EXPERIMENT: "experiment"}
_SEATS: Final = frozenset({"seat", "target", "by", "loser", "stitch", "first"})
"""The fields of events that are a seat; all other whole numbers are just numbers."""


class Fix626Presenter(Presenter[Action, View]):
    """The Fix for 626 in words."""

    def board(self, view: View, scene: Scene) -> tuple[Block, ...]:
        w = scene.words
        head = [f"**{w('fix626-round', number=view.round, goal=view.goal)}**"]
        if view.last is not None and not _begun(view):
            head.append(f"> {_result(view.last, scene)}")
        deck = w("list-joint").join((w("fix626-deck", count=view.deck), w("fix626-aside")))
        rows = [line for seat in range(len(view.places)) for line in _row(view, seat, scene)]
        return (Text("\n".join(head)), Text("\n".join(rows)), Text(f"-# {deck}"))

    def hand(self, view: View, scene: Scene) -> tuple[Block, ...]:
        parts = (
            _cards(view, scene),
            _standing(view, scene),
            _knowledge(view, scene),
            _news(view, scene),
            _unseen_line(view, scene),
        )
        return tuple(Text("\n".join(part)) for part in parts if part)

    def question(self, view: View, scene: Scene, asked: frozenset[Seat]) -> str:
        del asked
        if view.asked is None:
            return scene.words("fix626-question-over")
        name, other = scene.name(view.asked), scene.name(view.turn)
        return scene.words(f"fix626-question-{view.asking.value}", name=name, other=other)

    def prompt(self, field: str, view: View, scene: Scene) -> str:
        del view
        return scene.words(f"fix626-prompt-{field}")

    def label(self, field: str, value: object, view: View, scene: Scene) -> Label:
        w = scene.words
        match value:
            case Character():
                return Label(_card(value, w), _effect(value, w))
            case bool():
                key = "fix626-give-yes" if value else "fix626-give-no"
                return Label(w(key, name=scene.guests[view.turn].label))
            case int() if field == "guess":
                return _guess_label(value, view, w)
            case int():
                return Label(scene.guests[value].label, _target_hint(value, view, w))
            case _:
                return Label(w("fix626-target-nobody"))

    def action(self, action: Action, view: View, scene: Scene) -> str:
        if isinstance(action, Answer):
            return self.label("give", action.give, view, scene).text
        card = _card(action.card, scene.words)
        if action.target is None:
            return card
        name = scene.guests[action.target].label
        if action.guess is None:
            return scene.words("fix626-action-target", card=card, name=name)
        return scene.words("fix626-action-guess", card=card, name=name, guess=action.guess)

    def warning(self, action: Action, view: View, scene: Scene) -> str | None:
        if not isinstance(action, Play):
            return None
        if action.card is Character.LEROY and _has_experiment(view):
            return scene.words("fix626-warning-leroy")
        if action.card is Character.SPARKY and action.target is not None:
            return _hopeless(action.target, view, scene.words)
        return None

    def typed(self, words: Mapping[str, str], view: View, scene: Scene) -> Action | None:
        cards = list(Character)
        card = named(words.get("card", ""), (_card(card, scene.words) for card in cards))
        if card is None:
            return None
        aim, guess = words.get("target", ""), words.get("guess", "").split(" ")[0]
        target = named(aim, (guest.label for guest in scene.guests))
        if aim and target is None:
            return None
        number = int(guess) if guess.isascii() and guess.isdigit() else None
        return Play(cards[card], None if target is None else Seat(target), number)

    def line(self, event: Event, scene: Scene) -> str | None:
        assert isinstance(event, News)
        return _line(event, scene)

    def notice(self, events: Sequence[Event], scene: Scene) -> tuple[Block, ...]:
        ended = next((e for e in events if isinstance(e, RoundEnded)), None)
        if ended is None:
            return ()
        after = [e for e in events if isinstance(e, RoundStarted | MatchEnded)]
        blocks: list[Block] = [
            Text("\n".join(_revealed(ended, scene))),
            Divider(),
            Text("\n".join(_tokens(ended, scene))),
        ]
        blocks += [Text("\n".join(_next(event, scene) for event in after))] if after else []
        return tuple(blocks)

    def ending(self, outcome: Outcome, view: View, scene: Scene) -> tuple[Block, ...]:
        w = scene.words
        winners = sorted(outcome.winners)
        title = w("fix626-ending", winners=scene.names(winners), count=len(winners))
        rows = [
            w(
                "fix626-ending-row",
                place=1 + sum(other > tokens for other in outcome.scores.values()),
                name=scene.name(seat),
                dots=_dots(tokens, view.goal),
                have=tokens,
                goal=view.goal,
            )
            for seat, tokens in sorted(outcome.scores.items(), key=lambda pair: (-pair[1], pair[0]))
        ]
        head = [f"### {title}", w(outcome.reason, goal=view.goal)]
        if view.last is not None:
            head.append(f"> {_result(view.last, scene)}")
        return (Text("\n".join(head)), Text("\n".join(rows)))

    def rules(self, words: Words) -> tuple[tuple[Block, ...], ...]:
        cards: list[str] = []
        for card in Character:
            name = words("fix626-rules-card", card=_card(card, words), count=card.copies)
            cards += [f"**{name}**", f"> {_effect(card, words)}"]
        reference: tuple[Block, ...] = (
            Text("\n".join([f"### {words('fix626-rules-3-title')}", *cards])),
            Text(words("fix626-rules-notes")),
            Text(f"-# {words('fix626-rules-fan')}"),
        )
        first: tuple[Block, ...] = (Text(words("fix626-rules-1")),)
        return (first, (Text(words("fix626-rules-2")),), reference)


# Cards


def _card(card: Character, words: Words) -> str:
    return words("card", number=card.number, name=words(f"fix626-card-{card.value}"))


def _effect(card: Character, words: Words) -> str:
    return words(f"fix626-effect-{card.value}")


def _list(cards: Iterable[Character], words: Words) -> str:
    return words("list-joint").join(_card(card, words) for card in cards)


def _unseen(view: View) -> Counter[Character]:
    """How many of each character the reader has neither seen lying open nor knows to be held."""
    left = Counter(full_deck(len(view.places)))
    left.subtract(card for place in view.places for card in place.pile)
    left.subtract(view.hand)
    left.subtract(card for card in view.known if card is not None)
    return +left


# The public table


def _row(view: View, seat: int, scene: Scene) -> Iterator[str]:
    w, place = scene.words, view.places[seat]
    mark = "▶ " if seat == view.asked else ""
    parts = [
        w(
            "fix626-seat",
            name=scene.name(seat),
            dots=_dots(place.tokens, view.goal),
            have=place.tokens,
            goal=view.goal,
        )
    ]
    if seat == view.stitch:
        parts.append(w(f"fix626-seat-{_SIDES[view.side]}"))
    if place.protected:
        parts.append(w("fix626-seat-protected"))
    if place.out:
        parts.append(w("fix626-seat-out"))
    yield mark + " · ".join(parts)
    if place.pile:
        key = "fix626-pile-out" if place.out else "fix626-pile"
        yield f"-# {w(key, cards=_list(place.pile, w))}"


def _dots(tokens: int, goal: int) -> str:
    return "●" * tokens + "○" * (goal - tokens)


def _begun(view: View) -> bool:
    """Whether a card has been played in this round."""
    return any(isinstance(event, Played) for event in view.history)


def _result(ended: RoundEnded, scene: Scene) -> str:
    """A round's result in one line."""
    winners = scene.names(ended.winners)
    if ended.reason is Ending.LAST:
        return scene.words("fix626-result-last", number=ended.number, winners=winners)
    hows = dict.fromkeys(_sum(ended, seat, scene.words) for seat in ended.winners)
    return scene.words(
        "fix626-result-deck",
        number=ended.number,
        winners=winners,
        count=len(ended.winners),
        how=scene.words("list-joint").join(hows),
    )


def _sum(ended: RoundEnded, seat: int, words: Words) -> str:
    """The card that `seat` showed, and what Stitch made of it; "out" for those who were."""
    card, total = ended.hands[seat], ended.sums[seat]
    if card is None or total is None:
        return words("fix626-notice-out")
    how = _SIDES[ended.side] if seat == ended.stitch else "plain"
    return words(f"fix626-sum-{how}", card=_card(card, words), sum=f"**{total}**".replace("-", "−"))  # noqa: RUF001 - as in the text


# The hand


def _cards(view: View, scene: Scene) -> list[str]:
    w, mine = scene.words, _my_turn(view)
    lines: list[str] = []
    for place, card in enumerate(view.hand):
        drawn = f" · {w('fix626-hand-drawn')}" if mine and place == len(view.hand) - 1 else ""
        lines += [f"**{_card(card, w)}**{drawn}", f"> {_effect(card, w)}"]
        if mine and card in TARGETED and not _targets(view):
            lines.append(f"> {w('fix626-hand-useless')}")
    if not view.hand:
        lines.append(_how_out(view, scene))
    return lines


def _how_out(view: View, scene: Scene) -> str:
    w = scene.words
    for event in view.history:
        if isinstance(event, KnockedOut) and event.seat == view.you:
            key = "fix626-hand-out-self" if event.by == view.you else "fix626-hand-out"
            return w(key, by=scene.name(event.by), card=_card(event.card, w))
    return w("fix626-hand-none")


def _my_turn(view: View) -> bool:
    return view.asking is Asking.TURN and view.asked == view.you


def _targets(view: View) -> list[int]:
    """Whom the reader's cards may pick."""
    return [
        seat
        for seat, place in enumerate(view.places)
        if seat != view.you and not place.out and not place.protected
    ]


def _has_experiment(view: View) -> bool:
    return view.stitch == view.you and view.side is Side.EXPERIMENT


def _standing(view: View, scene: Scene) -> list[str]:
    """What the reader has to mind beside the cards: an open offer, Stitch, David."""
    w = scene.words
    lines: list[str] = []
    if view.asking is Asking.OFFER and view.asked is not None:
        if view.asked == view.you:
            lines.append(w("fix626-hand-offer", name=scene.name(view.turn)))
        elif view.turn == view.you:
            lines.append(w("fix626-hand-waiting", name=scene.name(view.asked)))
    if view.stitch == view.you:
        lines.append(w(f"fix626-hand-{_SIDES[view.side]}"))
    if view.you is not None and view.places[view.you].protected:
        lines.append(w("fix626-hand-protected"))
    return lines


def _knowledge(view: View, scene: Scene) -> list[str]:
    """Whose cards the reader knows, and how."""
    w = scene.words
    lines: list[str] = []
    for seat, card in enumerate(view.known):
        if card is not None:
            key = f"fix626-know-{_source(seat, card, view.told)}"
            lines.append(w(key, name=scene.name(seat), card=_card(card, w)))
    return [f"**{w('fix626-know-title')}**", *lines] if lines else []


def _source(seat: int, card: Character, told: Sequence[PrivateNews]) -> str:
    for event in reversed(told):
        match event:
            case Saw(_, other, seen) if (other, seen) == (seat, card):
                return "saw"
            case Swapped(_, other, gave, _) if (other, gave) == (seat, card):
                return "gave"
            case _:
                pass
    return "moved"


def _news(view: View, scene: Scene) -> list[str]:
    """What came of the reader's last card, and what cards showed the reader since."""
    begun = _begun(view)
    story = view.history if begun else view.before
    lines = [_line(event, scene) for event in _aftermath(story, view)]
    if begun:
        # What was seen stands under "You know" while it is true.
        lines += [_line(event, scene) for event in view.told if isinstance(event, Swapped)]
    elif _just_learned(view):
        lines += [_line(event, scene) for event in _learned(view.before_told)[-1:]]
    if not lines:
        return []
    title = scene.words("fix626-news" if begun else "fix626-news-before")
    return [f"**{title}**", *(f"-# {line}" for line in lines)]


def _aftermath(story: Sequence[News], view: View) -> Sequence[News]:
    """The reader's last card and what it did, while that is news: until the next own turn."""
    plays = [i for i, event in enumerate(story) if isinstance(event, Played)]
    owners: list[int | None] = [event.seat for event in story if isinstance(event, Played)]
    stale = _my_turn(view) or not _begun(view)
    if view.you not in owners or (stale and owners[-1] != view.you):
        return ()
    last = len(owners) - 1 - owners[::-1].index(view.you)
    after = (*plays, len(story))[last + 1]
    return story[plays[last] : after]


def _learned(told: Sequence[PrivateNews]) -> list[Saw | Swapped]:
    return [event for event in told if isinstance(event, Saw | Swapped)]


def _just_learned(view: View) -> bool:
    """Whether the last card of the last round showed the reader something."""
    for event in reversed(view.before):
        match event:
            case Played():
                return False
            case Looked(seat, _) if seat == view.you:
                return True
            case Compared(seat, target, _) | HandsTraded(seat, target):
                return view.you in (seat, target)
            case _:
                pass
    return False


def _unseen_line(view: View, scene: Scene) -> list[str]:
    if not view.hand:
        return []
    w = scene.words
    items = [
        w("fix626-unseen-item", card=_card(card, w), count=count)
        for card, count in _unseen(view).items()
    ]
    return [f"-# {w('fix626-unseen', cards=w('list-joint').join(items))}"]


# Choosing


def _guess_label(number: int, view: View, words: Words) -> Label:
    cards = [card for card in Character if card.number == number]
    names = words("list-joint").join(words(f"fix626-card-{card.value}") for card in cards)
    unseen = _unseen(view)
    left = sum(unseen[card] for card in cards)
    if not set(cards) & set(full_deck(len(view.places))):
        hint = words("fix626-guess-none")
    elif left:
        hint = words("fix626-guess-unseen", count=left)
    else:
        hint = words("fix626-guess-seen")
    return Label(words("fix626-guess", number=number, cards=names), hint)


def _target_hint(seat: int, view: View, words: Words) -> str:
    card = view.known[seat]
    if card is not None:
        return words("fix626-target-known", card=_card(card, words))
    return words(f"fix626-target-{_SIDES[view.side]}") if seat == view.stitch else ""


def _hopeless(target: Seat, view: View, words: Words) -> str | None:
    """Why a Sparky against `target` can't be won; None if it can, or can't be lost either."""
    rest = list(view.hand)
    rest.remove(Character.SPARKY)
    (mine,) = rest
    known = view.known[target]
    theirs = [known] if known is not None else list(_unseen(view))
    if any(card.number < mine.number for card in theirs):
        return None
    if all(card.number == mine.number for card in theirs):
        return None
    if known is None:
        return words("fix626-warning-sparky", card=_card(mine, words))
    return words("fix626-warning-sparky-lost", card=_card(mine, words), theirs=_card(known, words))


# What happened


def _line(event: News, scene: Scene) -> str:
    return scene.words(f"fix626-{_sentence(event)}", **_params(event, scene))


def _sentence(event: News) -> str:
    match event:
        case Played(_, _, target, guess) if target is not None:
            return "played-target" if guess is None else "played-guess"
        case Compared(loser=None):
            return "compared-tie"
        case KnockedOut(seat, by) if seat == by:
            return "knocked-out-self"
        case _:
            return event.kind


def _params(event: News, scene: Scene) -> dict[str, str | int]:
    """Every field of `event` that a sentence can name, by the field's name."""
    params: dict[str, str | int] = {}
    for field in fields(event):
        match getattr(event, field.name):
            case Character() as card:
                params[field.name] = _card(card, scene.words)
            case Side() as side:
                params[field.name] = _SIDES[side]
            case bool() as yes:
                params[field.name] = "yes" if yes else "no"
            case int() as number:
                params[field.name] = scene.name(number) if field.name in _SEATS else number
            case _:
                pass
    if isinstance(event, RoundEnded | MatchEnded):
        params |= {"winners": scene.names(event.winners), "count": len(event.winners)}
    return params


def _revealed(ended: RoundEnded, scene: Scene) -> Iterator[str]:
    w = scene.words
    winners = scene.names(ended.winners)
    title = w("fix626-notice-title", number=ended.number, winners=winners, count=len(ended.winners))
    yield f"### {title}"
    yield w(f"fix626-notice-{ended.reason.value}")
    if ended.reason is Ending.DECK:
        for seat in range(len(ended.hands)):
            what = _sum(ended, seat, w)
            yield w("fix626-notice-hand", name=scene.name(seat), what=what)
    yield f"-# {w('fix626-notice-aside', card=_card(ended.aside, w))}"


def _tokens(ended: RoundEnded, scene: Scene) -> Iterator[str]:
    w, goal = scene.words, TOKENS_TO_WIN[len(ended.tokens)]
    yield f"**{w('fix626-notice-tokens', goal=goal)}**"
    for seat, tokens in enumerate(ended.tokens):
        dots = _dots(tokens, goal)
        yield w("fix626-seat", name=scene.name(seat), dots=dots, have=tokens, goal=goal)


def _next(event: RoundStarted | MatchEnded, scene: Scene) -> str:
    if isinstance(event, MatchEnded):
        return f"### {_line(event, scene)}"
    names = {"stitch": scene.name(event.stitch), "first": scene.name(event.first)}
    return f"-# {scene.words('fix626-notice-next', **names)}"
