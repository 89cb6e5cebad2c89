"""Merry Mischief in words: what the panels say, that they fit, and that they keep secrets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import registry
from bot.__main__ import Failure, build
from bot.refusals import TypedTooLittle, TypedUnknown
from bot.settings import Misconfigured, Settings
from bot.texts import ENGLISH, shipped
from bot.ui.mischief import MischiefPresenter
from bot.ui.names import present
from bot.ui.panel import Block, Panel
from bot.ui.presenter import MOST_BEATS, Guest, Scene
from bot.ui.typing import MOST, pick_typed, suggestions
from engine.choosing import Pick, ask
from engine.core import Event, Outcome, PrivateEvent, PublicEvent, Seat
from engine.match import start
from engine.mischief import Mischief
from engine.mischief import model as m
from engine.mischief.deck import PROBLEMS, SHIPPED, shipped_deck
from engine.mischief.errors import (
    CardsNotInHand,
    NoCards,
    SameCardTwice,
    TooManyCards,
    TwoColours,
)
from tests.drawn import frame, table_of
from tests.playout import moves, positions

GAME = Mischief()
PRESENTER = MischiefPresenter()
ANN, BOB, CLEO = Seat(0), Seat(1), Seat(2)
WIDEST = "**_W" * 8  # every second character has to be escaped
seeds = st.binary(min_size=4, max_size=4)


def scene(*names: str, you: Seat | None = None) -> Scene:
    shown = present(names or ("Ann", "Bob", "Cleo"))
    guests = tuple(Guest(name.markdown, name.plain) for name in shown)
    return Scene(shipped().words(ENGLISH), guests, you)


def card(number: int, colour: m.Colour, *presents: m.Icon, symbol: m.Symbol = "none") -> m.Card:
    return m.Card(number, colour, presents, symbol)


RECORD = card(1, "red", "record", symbol="naughty")
UKULELE = card(2, "red", "ukulele")
UKULELE_AGAIN = card(3, "red", "ukulele")
WILD = card(4, "yellow", "candycane", "sunglasses", symbol="naughty")
PAIR = card(5, "yellow", "ukulele", "pineapple")
HIBISCUS = card(6, "green", "hibiscus", symbol="nice")
HAND = (RECORD, UKULELE, UKULELE_AGAIN, WILD, PAIR, HIBISCUS)
ELSEWHERE = (card(7, "green", "pineapple", symbol="nice"), card(8, "green", "pineapple"))


def place(seat: Seat, cards: int, stack: int = 0, **changes: object) -> m.Place:
    plain = m.Place(seat, cards, stack, False, cards > 0, False, None)
    return replace(plain, **changes)  # type: ignore[arg-type]


VIEW = m.View(
    seat=None,
    round=3,
    final=False,
    over=False,
    roller=BOB,
    places=(place(ANN, 6), place(BOB, 4, 2, locked=True), place(CLEO, 0, 7, bonus=True)),
    hand=(),
    locked=(),
    drew=(),
    stack=(),
    deck=28,
    discard=ELSEWHERE[1:],
    unseen=ELSEWHERE[:1],
    news=(),
    ending=None,
)
ROUND = (
    m.Revealed(2, False, (m.Laid(ANN, (WILD, PAIR)), m.Laid(BOB, (UKULELE,))), 0, 1, 3),
    m.Rolled(1, ANN, "hibiscus", ()),
    m.Rolled(2, BOB, "pineapple", (ANN,)),
    m.Discarded(ANN, (WILD, PAIR)),
    m.Rolled(3, CLEO, "record", ()),
    m.Saved(BOB, (UKULELE,), 1, 3),
)
ENDED = m.MatchEnded(
    (
        m.Stack(ANN, (RECORD, WILD), None, 3),
        m.Stack(BOB, (UKULELE,), PAIR, 3),
        m.Stack(CLEO, (), None, 0),
    ),
    (BOB,),
    "mischief-tie-roll",
)
TIE = m.TieRoll("ukulele", (m.Tied(ANN, 0), m.Tied(BOB, 2)))


def text(blocks: tuple[Block, ...]) -> list[str]:
    return Panel("", blocks).text().splitlines()


def hand(**changes: object) -> list[str]:
    """What Ann's panel says when her view is VIEW with `changes`."""
    view = replace(VIEW, **{"seat": ANN, "hand": HAND, **changes})  # type: ignore[arg-type]
    return text(PRESENTER.hand(view, scene(you=ANN)))


# --- the board -----------------------------------------------------------------------------------


def test_the_board_counts_cards_and_says_who_has_chosen():
    assert text(PRESENTER.board(VIEW, scene())) == [
        "**Round 3**",
        "**Ann** · 6 in hand · 0 saved · ⏳ still choosing",
        "**Bob** · 4 in hand · 2 saved · ✅ has chosen",
        "**Cleo** · no cards left · 6 saved · 1 bonus card",
        "-# 28 cards left in the deck, 1 discarded",
    ]


def test_the_board_shows_totals_where_they_are_public():
    places = (place(ANN, 6, presents=0), place(BOB, 5, 1, presents=1), VIEW.places[2])
    rows = text(PRESENTER.board(replace(VIEW, places=places), scene()))[1:3]
    assert rows == [
        "**Ann** · 6 in hand · 0 saved (0 presents) · ⏳ still choosing",
        "**Bob** · 5 in hand · 1 saved (1 present) · ⏳ still choosing",
    ]


@pytest.mark.parametrize(
    ("news", "line"),
    [
        (ROUND, "> Round 2 · 🎲 Hibiscus, Pineapple, Record · **Bob** saved 1 present"),
        (ROUND[:-1], "> Round 2 · 🎲 Hibiscus, Pineapple, Record · nothing was saved"),
    ],
)
def test_the_board_keeps_the_last_result(news, line):
    assert text(PRESENTER.board(replace(VIEW, news=news), scene()))[1] == line


def test_the_board_says_when_it_is_the_last_round():
    assert text(PRESENTER.board(replace(VIEW, final=True), scene()))[0] == "**The last round**"


@pytest.mark.parametrize(
    ("asked", "over", "said"),
    [
        ({ANN, BOB, CLEO}, False, "Everybody chooses cards"),
        ({BOB, ANN}, False, "**Ann**, **Bob** still have to choose"),
        ({CLEO}, False, "**Cleo** still has to choose"),
        (set(), True, "The game is over"),
    ],
)
def test_the_question_names_who_is_asked(asked, over, said):
    view = replace(VIEW, over=over)
    assert PRESENTER.question(view, scene(), frozenset(asked)) == said


# --- the hand ------------------------------------------------------------------------------------

CARDS = [
    "🔴 **Red**",
    "> Record (naughty)",
    "> Ukulele",
    "> Ukulele",
    "🟡 **Yellow**",
    "> Candy cane + Sunglasses (naughty)",
    "> Ukulele + Pineapple",
    "🟢 **Green**",
    "> Hibiscus (nice)",
]
UNSEEN = "-# Not seen by you: 1 card, 1 nice and 0 naughty"


def test_the_hand_shows_cards_by_colour_and_the_chances():
    assert hand() == [
        *CARDS,
        "-# **Chance to save them** with one · two · three rolls",
        "-# 1 present: 83% · 69% · 58%",
        "-# 2 different presents: 67% · 44% · 30%",
        "-# 4 different presents: 33% · 11% · 4%",
        UNSEEN,
    ]


def test_the_hand_repeats_what_was_chosen_with_its_chances():
    assert hand(locked=(UKULELE, UKULELE_AGAIN)) == [
        "**You chose** 🔴 Red: Ukulele, Ukulele",
        "Chance to save them: 83% with one roll, 69% with two, 58% with three.",
        *CARDS,
        UNSEEN,
    ]


def test_the_smallest_chance_is_not_called_none():
    five = (WILD, PAIR, card(9, "yellow", "record"))
    line = hand(locked=five)[1]
    assert line.startswith("Chance to save them: 17% with one roll, 3% with two, less than 1% ")
    six = (*five[:2], card(9, "yellow", "hibiscus", "record"))
    assert hand(locked=six)[1] == "They show all six presents, so the first roll takes them."


def test_the_hand_tells_what_came_of_the_last_choice():
    lines = hand(hand=(RECORD, HIBISCUS), drew=(HIBISCUS,), news=ROUND, stack=(UKULELE,))
    assert lines[:6] == [
        "🔴 **Red**",
        "> Record (naughty)",
        "🟢 **Green**",
        "> Hibiscus (nice) · just drawn",
        "-# Round 2 · 🎲 Hibiscus, Pineapple, Record · you lost "
        "Candy cane + Sunglasses (naughty), Ukulele + Pineapple",
        "🎁 You have saved 1 present: Ukulele",
    ]


def test_who_has_no_cards_left_is_told_what_counts():
    places = (place(ANN, 0, 2, bonus=True), *VIEW.places[1:])
    news = (ROUND[0], m.Rolled(1, ANN, "record", ()), m.Saved(ANN, (PAIR,), 2, 1))
    assert hand(hand=(), places=places, stack=(PAIR,), news=news) == [
        "You have no cards left. What you have saved counts when the last round is over.",
        "-# Round 2 · 🎲 Record · you saved 2 presents: Ukulele + Pineapple",
        "🎁 You have saved 2 presents: Ukulele + Pineapple, and a bonus card that nobody has seen",
    ]


# --- choosing ------------------------------------------------------------------------------------

MINE = replace(VIEW, seat=ANN, hand=HAND)


def plays(*cards: m.Card) -> m.Play:
    return m.Play(tuple(card.id for card in cards))


@pytest.mark.parametrize(
    ("value", "label", "hint"),
    [
        (RECORD.id, "Record (naughty)", "Alone: 5 of 6 rolls miss it"),
        (PAIR.id, "Ukulele + Pineapple", "Alone: 4 of 6 rolls miss it"),
        ((HIBISCUS.id,), "Green: Hibiscus nice", ""),
        ((WILD.id, PAIR.id), "Yellow: Candy cane+Sunglasses naughty, Ukulele+Pineapple", ""),
    ],
)
def test_a_value_reads(value, label, hint):
    shown = PRESENTER.label("cards", value, MINE, scene())
    assert (shown.text, shown.hint) == (label, hint)


def test_each_colour_has_a_menu():
    pick = ask(GAME._book.plays(tuple(card.id for card in shipped_deck().cards[14:20])))
    assert isinstance(pick, Pick)
    view = replace(MINE, hand=shipped_deck().cards[14:20])
    found = PRESENTER.groups(pick, view, scene())
    assert [(g.prompt, g.items) for g in found] == [
        ("Red: 1 to 3 cards", (0, 1, 2)),
        ("Yellow: 1 to 3 cards", (3, 4, 5)),
    ]
    two = Pick("cards", (PAIR.id, WILD.id, HIBISCUS.id), 1, 3, frozenset())
    prompts = [g.prompt for g in PRESENTER.groups(two, MINE, scene())]
    assert prompts == ["Yellow: 1 or 2 cards", "Green: this card"]


def test_the_last_card_takes_one_press():
    match, _ = start(GAME, 2, b"one card")
    table = replace(match.state.table, hands=(match.state.table.hands[0][:1], (50, 51)))
    match = replace(match, state=replace(match.state, table=table))
    shown = frame(table_of(match), 0).hand().text().splitlines()
    assert "There is one thing you can do:" in shown
    name = PRESENTER.action(match.choices(ANN)[0], match.view(ANN), scene())
    assert f"[{name}]" in shown


def test_a_warning_comes_before_a_play_that_no_roll_can_miss():
    six = card(9, "yellow", "hibiscus", "record")
    view = replace(MINE, hand=(*HAND, six))
    assert PRESENTER.warning(plays(WILD, PAIR, six), view, scene()) == (
        "These cards show all six presents, so the first roll is sure to take them."
    )
    assert PRESENTER.warning(plays(WILD, PAIR), view, scene()) is None


# --- typing --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("record", plays(RECORD)),
        ("Red: Ukulele, Record naughty", plays(RECORD, UKULELE)),
        ("red, ukulele", plays(UKULELE)),
        ("ukulele, ukulele", plays(UKULELE, UKULELE_AGAIN)),
        ("pineapple + ukulele; candy", plays(WILD, PAIR)),
        ("HIBI", plays(HIBISCUS)),
        ("naughty sunglasses", plays(WILD)),
        ("yellow ukulele", plays(PAIR)),
        ("uku, rec", plays(RECORD, UKULELE)),
        # what is no play still means something, so that it can be refused for its reason
        ("record, hibiscus", plays(RECORD, HIBISCUS)),
        ("hibiscus, hibiscus", plays(HIBISCUS, HIBISCUS)),
        ("record, ukulele, ukulele, ukulele", plays(RECORD, UKULELE, UKULELE_AGAIN, PAIR)),
        ("green pineapple", plays(ELSEWHERE[0])),
        (" , ", plays()),
        # and this means nothing, or too much
        ("naughty", None),
        ("banana", None),
        ("record, banana", None),
    ],
)
def test_what_is_typed_means(typed, meant):
    assert PRESENTER.typed({"cards": typed}, MINE, scene()) == meant


DEALT = (3, 4, 11, 29, 32, 36)  # Ukulele twice, once nice; one card of another colour than these


def typing(*cards: int):
    match, _ = start(GAME, 2, b"typing")
    table = replace(match.state.table, hands=(cards, match.state.table.hands[1]))
    return replace(match, state=replace(match.state, table=table))


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("Red: Ukulele nice, Ukulele, Hibiscus+Candy cane naughty", (3, 4, 11)),
        ("red: hibiscus candy, ukulele nice", (3, 11)),
        ("pineapple", (32,)),
    ],
)
def test_a_typed_play_is_found(typed, cards):
    found = pick_typed(typing(*DEALT), ANN, {"cards": typed}, PRESENTER, scene(you=ANN))
    assert found == m.Play(cards)


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("ukulele nice, pineapple", TwoColours),
        ("ukulele, ukulele, candy, green hibiscus", TooManyCards),
        ("green hibiscus, green hibiscus", SameCardTwice),
        ("record sunglasses", CardsNotInHand),
        (",", NoCards),
        ("banana", TypedUnknown),
        ("hibiscus candy, banana", TypedUnknown),
        ("", TypedTooLittle),
    ],
)
def test_a_typed_play_that_is_none_is_refused_for_its_reason(typed, error):
    with pytest.raises(error):
        pick_typed(typing(*DEALT), ANN, {"cards": typed}, PRESENTER, scene(you=ANN))


def test_two_cards_that_read_the_same_are_the_same_to_whoever_types():
    label = "Red: Candy cane"  # cards 5 and 6
    found = pick_typed(typing(5, 6), ANN, {"cards": label}, PRESENTER, scene(you=ANN))
    assert found == m.Play((5,))


def test_suggestions_are_whole_plays():
    match, people = typing(3, 11, 32), scene(you=ANN)

    def suggested(typed: str) -> list[str]:
        return suggestions(match, ANN, "cards", {}, typed, PRESENTER, people)

    whole = "Red: Ukulele nice, Hibiscus+Candy cane naughty"
    assert suggested("") == [
        "Red: Ukulele nice",
        "Red: Hibiscus+Candy cane naughty",
        whole,
        "Yellow: Ukulele+Pineapple",
    ]
    assert suggested("candy, uku") == [whole]
    one_colour = typing(1, 2, 3, 4, 5, 7)
    assert len(suggestions(one_colour, ANN, "cards", {}, "", PRESENTER, people)) == MOST


@pytest.mark.parametrize("locale", shipped().locales)
def test_the_longest_play_can_be_typed(locale):
    words = replace(scene(), words=shipped().words(locale))
    longest = 0
    for colour in m.COLOURS:
        for symbol in m.SYMBOLS:
            cards = tuple(
                m.Card(n, colour, (a, b), symbol)
                for n, (a, b) in enumerate((a, b) for a in m.ICONS for b in m.ICONS if a != b)
            )
            view = replace(MINE, hand=cards)
            single = {c: len(PRESENTER.action(plays(c), view, words)) for c in cards}
            three = sorted(cards, key=lambda c: single[c])[-3:]
            longest = max(longest, len(PRESENTER.action(plays(*three), view, words)))
    assert longest <= 100


# --- results -------------------------------------------------------------------------------------

CARDS_UP = [
    "### Round 2: cards up!",
    "**Ann** · 🟡 Yellow: Candy cane + Sunglasses (naughty), Ukulele + Pineapple",
    "**Bob** · 🔴 Red: Ukulele",
    "0 nice, 1 naughty: Stitch runs wild. Three rolls.",
]
ROLLS = [
    "🎲 Ann rolls **Hibiscus** · hits nobody",
    "🎲 Bob rolls **Pineapple** · hits **Ann**",
    "🎲 Cleo rolls **Record** · hits nobody",
]
RESULT = [
    "---",
    "🎁 **Bob** saves 1 present!",
    "**Ann** discards all cards played and draws as many.",
]


def test_a_round_is_told_beat_by_beat():
    assert [text(beat) for beat in PRESENTER.beats(ROUND, scene())] == [
        CARDS_UP,
        CARDS_UP + ROLLS[:1],
        CARDS_UP + ROLLS[:2],
        CARDS_UP + ROLLS + RESULT,
    ]
    assert text(PRESENTER.notice(ROUND, scene())) == CARDS_UP + ROLLS + RESULT


def test_rolling_stops_when_nothing_is_left_and_says_so():
    events = (*ROUND[:3], m.Discarded(ANN, (WILD, PAIR)), m.Discarded(BOB, (UKULELE,)))
    assert text(PRESENTER.notice(events, scene()))[-4:] == [
        "---",
        "-# No cards are left on the table, so the rolling stops.",
        "Stitch got everything: nobody saves a present.",
        "**Ann**, **Bob** discard all cards they played and draw as many.",
    ]


def test_the_result_says_who_is_out_and_what_comes_next():
    events = (*ROUND, m.WentOut(BOB), m.BonusTaken(BOB), m.FinalRound((ANN, CLEO)))
    assert text(PRESENTER.notice(events, scene()))[-3:] == [
        "-# **Bob** has no cards left.",
        "-# **Bob** gets a bonus card that nobody sees.",
        "The last round: **Ann**, **Cleo** play it.",
    ]


def test_the_result_of_the_last_round_ends_with_the_winner():
    events = (replace(ROUND[0], final=True), *ROUND[1:], TIE, ENDED)
    lines = text(PRESENTER.notice(events, scene()))
    assert lines[0] == "### The last round: cards up!"
    assert lines[-2:] == [
        "A tie for the most presents, and one roll for it: Ukulele. **Ann** has 0, **Bob** has 2.",
        "### **Bob** wins the game with 3 presents!",
    ]


def test_nothing_is_announced_within_a_round():
    assert PRESENTER.notice((m.Locked(ANN),), scene()) == ()
    assert PRESENTER.beats((m.Locked(ANN),), scene()) == ()


def test_the_end_shows_the_standing_and_what_was_saved():
    view = replace(VIEW, over=True, news=(*ROUND, TIE, ENDED), ending=ENDED)
    outcome = Outcome(frozenset({BOB}), {ANN: 3, BOB: 3, CLEO: 0}, ENDED.reason)
    assert text(PRESENTER.ending(outcome, view, scene())) == [
        "### ⭐ **Bob** wins the game!",
        "A tie for the most presents, decided by one roll.",
        "A tie for the most presents, and one roll for it: Ukulele. **Ann** has 0, **Bob** has 2.",
        "1 · **Bob** 🎁 3 presents",
        "-# Ukulele, bonus card: Ukulele + Pineapple",
        "2 · **Ann** 🎁 3 presents",
        "-# Record (naughty), Candy cane + Sunglasses (naughty)",
        "3 · **Cleo** 🎁 0 presents",
        "-# nothing saved",
    ]
    both = replace(outcome, winners=frozenset({ANN, BOB}), reason="mischief-shared")
    assert text(PRESENTER.ending(both, view, scene()))[0].endswith("win the game together!")


def test_the_rules_tell_the_odds():
    pages = [text(page) for page in PRESENTER.rules(shipped().words(ENGLISH))]
    assert len(pages) == 3
    assert pages[2][2:-1] == [
        "**1 present:** 83% with one roll, 69% with two, 58% with three",
        "**2 different:** 67% with one roll, 44% with two, 30% with three",
        "**3 different:** 50% with one roll, 25% with two, 13% with three",
        "**4 different:** 33% with one roll, 11% with two, 4% with three",
        "**5 different:** 17% with one roll, 3% with two, less than 1% with three",
        "**All six:** every roll hits",
    ]
    assert sum(len("\n".join(page)) for page in pages) <= 3900  # /mischief rules shows them all


# --- what happened -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (m.Locked(ANN), None),
        (
            m.Dealt(ANN, (UKULELE, HIBISCUS)),
            "You are dealt 🔴 Red: Ukulele · 🟢 Green: Hibiscus (nice).",
        ),
        (m.Chosen(ANN, (UKULELE,)), "You chose 🔴 Red: Ukulele."),
        (m.Drew(ANN, (PAIR,)), "You draw 🟡 Yellow: Ukulele + Pineapple."),
        (
            m.Revealed(1, False, (m.Laid(ANN, (HIBISCUS,)), m.Laid(BOB, (UKULELE,))), 1, 0, 1),
            "Round 1: **Ann** 🟢 Green: Hibiscus (nice); **Bob** 🔴 Red: Ukulele. "
            "1 nice, 0 naughty: Stitch behaves. One roll.",
        ),
        (
            m.Revealed(9, True, (m.Laid(ANN, (UKULELE,)),), 0, 0, 2),
            "Last round: **Ann** 🔴 Red: Ukulele. 0 nice, 0 naughty: even. Two rolls.",
        ),
        (
            m.Rolled(1, ANN, "record", (BOB, CLEO)),
            "🎲 Ann rolls **Record** · hits **Bob**, **Cleo**",
        ),
        (m.Discarded(BOB, (UKULELE,)), "**Bob** discards 1 card and draws a new one."),
        (m.Discarded(BOB, (WILD, PAIR)), "**Bob** discards 2 cards and draws as many."),
        (
            m.Reshuffled(20),
            "The deck is empty: 20 discarded cards are shuffled and become the new one.",
        ),
        (m.Saved(BOB, (WILD,), 2, 4), "**Bob** saves 2 presents. Saved cards: 4."),
        (m.FinalRound((ANN,)), "The last round: **Ann** plays it alone."),
        (
            replace(ENDED, winners=(ANN, BOB), reason="mischief-shared"),
            "**Ann**, **Bob** win the game together with 3 presents!",
        ),
    ],
)
def test_an_event_reads(event, said):
    assert PRESENTER.line(event, scene()) == said


def test_every_kind_of_event_has_a_line_or_is_on_the_board():
    kinds: set[type[Event]] = set()
    for number in range(60):
        for move in moves(GAME, f"lines {number}".encode()):
            people = scene(*"ABCDEF"[: move.after.seats])
            for event in move.events:
                kinds.add(type(event))
                you = event.to if isinstance(event, PrivateEvent) else None
                line = PRESENTER.line(event, replace(people, you=you))
                assert bool(line) != isinstance(event, m.Locked)
    known = {kind for kind in vars(m).values() if isinstance(kind, type)}
    news = {k for k in known if issubclass(k, PublicEvent | PrivateEvent)}
    assert kinds | {m.Dealt} == news - {PublicEvent, PrivateEvent}


# --- many games ----------------------------------------------------------------------------------


@settings(max_examples=6)
@given(seeds)
def test_everything_that_can_be_chosen_has_a_label_that_fits(seed):
    for match in positions(GAME, seed):
        people = scene(*[WIDEST] * match.seats)
        for seat in match.pending():
            view, own = match.view(seat), replace(people, you=seat)
            choices = match.choices(seat)
            assert all(0 < len(PRESENTER.action(action, view, own)) <= 100 for action in choices)
            question = ask(choices)
            if not isinstance(question, Pick):
                continue
            assert PRESENTER.prompt(question.field, view, own)
            groups = PRESENTER.groups(question, view, own)
            assert [i for g in groups for i in g.items] == list(range(len(question.items)))
            for item in question.items:
                label = PRESENTER.label(question.field, item, view, own)
                assert 0 < len(label.text) <= 80
                assert 0 < len(label.hint) <= 100
            # Whatever one of the menus can answer is a play.
            for group in groups:
                assert tuple(group.items[: question.most]) in question.combinations


@settings(max_examples=6)
@given(seeds)
def test_every_panel_fits_with_the_longest_names(seed):
    told: list[str] = []
    for move in moves(GAME, seed):
        match, people = move.after, scene(*[WIDEST] * move.after.seats)
        watcher = match.view(None)
        panels = [PRESENTER.board(watcher, people)]
        panels += [
            PRESENTER.hand(match.view(seat), replace(people, you=seat))
            for seat in match.all_seats()
        ]
        if (outcome := GAME.outcome(match.state)) is not None:
            panels.append(PRESENTER.ending(outcome, watcher, people))
        # Titles, what is asked and the last news of the frame need their room, too.
        assert all(len("\n".join(text(panel))) <= 2500 for panel in panels)
        beats = PRESENTER.beats(move.events, people)
        assert len(beats) <= MOST_BEATS
        assert all(len("\n".join(text(beat))) <= 3500 for beat in beats)
        assert PRESENTER.notice(move.events, people) == (beats[-1] if beats else ())
        public = [e for e in move.events if not isinstance(e, PrivateEvent)]
        told += [line for event in public if (line := PRESENTER.line(event, people))]
        assert len("\n".join(told[-20:])) <= 3800, "a page of the log"


def test_every_rules_page_fits():
    for page in PRESENTER.rules(shipped().words(ENGLISH)):
        assert len("\n".join(text(page))) <= 3500


def test_the_board_names_no_hidden_card():
    """Cards are named nowhere on the board, and presents only as what the die showed."""
    for number in range(8):
        for match in positions(GAME, f"board {number}".encode()):
            rows = text(PRESENTER.board(match.view(None), scene(*"ABCDEF"[: match.seats])))
            for row in (row for row in rows if row[:1] != ">"):
                assert not any(name in row for name in ("Ukulele", "Record", "naughty", "nice"))


# --- its options and an owner's deck -------------------------------------------------------------


def test_the_host_reads_what_the_options_do():
    match, _ = start(GAME, 3, b"options")
    shown = frame(table_of(match), 0).options().text()
    for option in GAME.info.options:
        key = option.key.replace("_", "-")
        words = shipped().words(ENGLISH)
        assert words(f"mischief-option-{key}") in shown
        assert words(f"mischief-option-{key}-about") in shown


def owner(path: Path) -> Settings:
    return Settings(_env_file=None, mischief_deck=path)


def test_an_owner_s_deck_is_played(tmp_path):
    file = tmp_path / "mine.csv"
    source = Path(registry.__file__).parents[1] / "engine" / "mischief" / SHIPPED
    file.write_text(source.read_text("utf-8").replace("1,red,hibiscus,none", "1,red,record,none"))
    assert registry.games(owner(file))["mischief"].edition != GAME.edition
    assert registry.GAMES["mischief"].edition == GAME.edition


def test_a_wrong_deck_file_is_one_sentence_with_its_line(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("id,colour,presents,symbol\n1,blue,record,none\n")
    with pytest.raises(Failure) as caught:
        build(owner(file), lambda: 0.0, tmp_path / "x.db")
    assert str(caught.value) == (
        f"The deck file {file} can't be used. Line 2: The colour must be red, yellow or green."
    )


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_problem_of_a_deck_file_has_a_sentence(problem):
    assert shipped().words(ENGLISH)(f"deck-problem-{problem.removeprefix('deck-')}")


def test_a_deck_file_that_is_no_text_is_one_sentence(tmp_path):
    with pytest.raises(Misconfigured, match=r"MISCHIEF_DECK can't be read: .*no\.csv"):
        registry.games(owner(tmp_path / "no.csv"))
    file = tmp_path / "mine.csv"
    file.write_bytes(b"\xff\xfe1")
    with pytest.raises(Misconfigured, match="MISCHIEF_DECK is not readable as UTF-8 text"):
        registry.games(owner(file))
