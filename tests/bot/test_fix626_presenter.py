# ruff: noqa: RUF001
"""The Fix for 626 in words: what the panels say, that they fit, and that they keep secrets."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.texts import ENGLISH, shipped
from bot.ui.fix626 import Fix626Presenter
from bot.ui.names import present
from bot.ui.panel import Block, Panel
from bot.ui.presenter import Guest, Scene
from engine.choosing import Question, ask
from engine.core import Event, Outcome, PrivateEvent, PublicEvent, Seat
from engine.fix626 import Fix626
from engine.fix626 import model as m
from engine.fix626.cards import GUESSES, Character
from tests.playout import moves, positions

C = Character
GAME = Fix626()
PRESENTER = Fix626Presenter()
ANN, BOB, CLEO = Seat(0), Seat(1), Seat(2)
WIDEST = "**_W" * 8  # every second character has to be escaped
seeds = st.binary(min_size=4, max_size=4)


def scene(*names: str, you: Seat | None = None) -> Scene:
    shown = present(names or ("Ann", "Bob", "Cleo"))
    guests = tuple(Guest(name.markdown, name.plain) for name in shown)
    return Scene(shipped().words(ENGLISH), guests, you)


def place(*pile: Character, tokens: int = 0, out: bool = False, protected: bool = False) -> m.Place:
    return m.Place(tokens, 0 if out else 1, pile, out, protected)


VIEW = m.View(
    you=None,
    places=(
        place(C.COUNCILWOMAN, C.JUMBA, tokens=2),
        place(C.DAVID, tokens=1, protected=True),
        place(C.GANTU, C.LILO, out=True),
    ),
    stitch=ANN,
    side=m.Side.GOOD,
    deck=5,
    round=3,
    goal=4,
    turn=ANN,
    asking=m.Asking.TURN,
    asked=ANN,
    hand=(),
    known=(None, None, None),
    history=(m.RoundStarted(3, ANN, BOB), m.Played(BOB, C.DAVID, None, None)),
    told=(),
    before=(),
    before_told=(),
)
ENDED = m.RoundEnded(
    number=2,
    reason=m.Ending.DECK,
    winners=(BOB,),
    hands=(C.DAVID, C.LILO, None),
    sums=(8, 8, None),
    stitch=ANN,
    side=m.Side.GOOD,
    aside=C.NANI,
    tokens=(2, 2, 0),
)


def text(blocks: tuple[Block, ...]) -> list[str]:
    return Panel("", blocks).text().splitlines()


def hand(**changes: object) -> list[str]:
    """What Ann's panel says when her view is VIEW with `changes`."""
    view = replace(VIEW, you=ANN, **changes)  # type: ignore[arg-type]
    return text(PRESENTER.hand(view, scene(you=ANN)))


# --- the board -----------------------------------------------------------------------------------


def test_the_board_shows_seats_in_order():
    assert text(PRESENTER.board(VIEW, scene())) == [
        "**Round 3 · 4 tokens win**",
        "▶ **Ann** ●●○○ 2 of 4 · ⭐ has Good Stitch",
        "-# Played: 1 Grand Councilwoman, 4 Jumba",
        "**Bob** ●○○○ 1 of 4 · protected by David",
        "-# Played: 6 David",
        "**Cleo** ○○○○ 0 of 4 · out of this round",
        "-# Played and shown: 0 Gantu, 8 Lilo",
        "-# 5 cards left in the deck, one lies aside, face down",
    ]


def test_the_board_says_which_side_of_stitch_is_up():
    view = replace(VIEW, side=m.Side.EXPERIMENT, stitch=BOB)
    row = text(PRESENTER.board(view, scene()))[3]
    assert row == "**Bob** ●○○○ 1 of 4 · ⚡ has Experiment 626 · protected by David"


@pytest.mark.parametrize(
    ("deck", "line"),
    [
        (0, "-# The deck is empty, one lies aside, face down"),
        (1, "-# 1 card left in the deck, one lies aside, face down"),
    ],
)
def test_the_board_counts_the_deck(deck, line):
    assert text(PRESENTER.board(replace(VIEW, deck=deck), scene()))[-1] == line


@pytest.mark.parametrize(
    ("ended", "line"),
    [
        (ENDED, "> Round 2 went to **Bob** with 8 Lilo."),
        (
            replace(ENDED, winners=(ANN,)),
            "> Round 2 went to **Ann** with 6 David + 2 for Good Stitch = **8**.",
        ),
        (
            replace(ENDED, winners=(BOB, CLEO), hands=(C.DAVID, C.LEROY, C.ANGEL), sums=(4, 5, 5)),
            "> Round 2 was a tie: **Bob**, **Cleo** won together with 5 Leroy, 5 Angel.",
        ),
        (
            replace(ENDED, reason=m.Ending.LAST, hands=(None,) * 3, sums=(None,) * 3),
            "> Round 2 went to **Bob**, the last one standing.",
        ),
    ],
    ids=["plain", "with Good Stitch", "tie", "last"],
)
def test_the_last_result_stays_until_the_first_card(ended, line):
    fresh = replace(VIEW, before=(ended,), history=VIEW.history[:1])
    assert text(PRESENTER.board(fresh, scene()))[1] == line
    begun = replace(fresh, history=VIEW.history)
    assert line not in text(PRESENTER.board(begun, scene()))


def test_the_question_names_who_is_asked():
    offer = replace(VIEW, asking=m.Asking.OFFER, turn=BOB)
    over = replace(VIEW, asking=m.Asking.OVER, asked=None)
    said = [PRESENTER.question(v, scene(), frozenset()) for v in (VIEW, offer, over)]
    assert said == [
        "**Ann**'s turn",
        "**Ann**: give Stitch to **Bob**, or swap cards?",
        "The game is over",
    ]


# --- the hand ------------------------------------------------------------------------------------


def test_the_hand_shows_cards_and_what_the_reader_knows():
    assert hand(
        hand=(C.COBRA, C.SPARKY),
        known=(None, C.NANI, None),
        told=(m.Saw(ANN, BOB, C.NANI),),
        places=(VIEW.places[0], place(C.DAVID), VIEW.places[2]),
    ) == [
        "**2 Cobra Bubbles**",
        "> Peek at somebody's card. If it's Lilo or Nani, they're out.",
        "**3 Sparky** · just drawn",
        "> You and somebody else compare cards in secret. The lower number is out; ties are safe.",
        "⭐ You have Good Stitch: +2 when the deck runs out.",
        "**You know**",
        "**Bob** holds 7 Nani: you saw it.",
        "-# Not seen by you: 0 Gantu ×1, 1 Grand Councilwoman ×2, 2 Cobra Bubbles ×1, 4 Jumba ×1, "
        "5 Angel ×1, 5 Leroy ×1, 6 Pleakley ×1",
    ]


@pytest.mark.parametrize(
    ("told", "how"),
    [
        (m.Saw(ANN, CLEO, C.NANI), "you saw it"),
        (m.Swapped(ANN, CLEO, C.NANI, C.COBRA), "you swapped it there"),
        (m.Saw(ANN, BOB, C.NANI), "it was swapped there"),
    ],
)
def test_the_hand_says_how_a_card_is_known(told, how):
    lines = hand(hand=(C.COBRA,), known=(None, None, C.NANI), told=(told,))
    assert f"**Cleo** holds 7 Nani: {how}." in lines


def test_a_card_that_nobody_can_be_picked_for_says_so():
    assert "> Nobody can be picked right now, so it would do nothing." in hand(
        hand=(C.COBRA, C.LILO)
    )


def test_an_offer_is_explained_to_whom_it_is_made():
    lines = hand(hand=(C.COBRA,), asking=m.Asking.OFFER, asked=ANN, turn=BOB)
    assert (
        "**Bob** played Pleakley and wants to swap cards with you. "
        "You have Stitch: give him up and you keep your card."
    ) in lines
    assert not any("just drawn" in line for line in lines)


def test_who_is_out_is_told_why():
    out = replace(VIEW.places[0], out=True, cards=0)
    assert hand(
        places=(out, *VIEW.places[1:]),
        asked=BOB,
        turn=BOB,
        stitch=BOB,
        history=(*VIEW.history, m.KnockedOut(ANN, BOB, C.NANI)),
    ) == [
        "**Bob** put you out of this round, and you showed 7 Nani. "
        "You'll be dealt in again in the next one."
    ]


def test_the_hand_tells_what_came_of_the_last_card():
    played = (
        m.Played(ANN, C.COUNCILWOMAN, BOB, 5),
        m.GuessMissed(ANN, BOB, 5),
        m.Played(BOB, C.GANTU, None, None),
    )
    news = [
        "**What happened**",
        "-# **Ann** plays 1 Grand Councilwoman: does **Bob** hold number 5?",
        "-# No, **Bob** does not hold number 5.",
    ]
    lines = hand(hand=(C.COBRA,), history=(*VIEW.history, *played), turn=BOB, asked=BOB)
    assert lines[3:6] == news
    again = hand(hand=(C.COBRA, C.LILO), history=(*VIEW.history, *played))
    assert "**What happened**" not in again


def test_the_hand_tells_what_was_learned_by_the_last_card_of_the_round():
    lines = hand(
        hand=(C.COBRA,),
        history=VIEW.history[:1],
        before=(m.Played(BOB, C.SPARKY, ANN, None), m.Compared(BOB, ANN, None), ENDED),
        before_told=(m.Saw(ANN, BOB, C.LILO),),
    )
    assert lines[-3:-1] == [
        "**At the end of the last round**",
        "-# You saw 8 Lilo in the hand of **Bob**.",
    ]


# --- choosing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "label", "hint"),
    [
        ("card", C.NANI, "7 Nani", "Pick who gets Stitch. It can't be you."),
        ("target", BOB, "Bob", ""),
        ("target", ANN, "Ann", "has Good Stitch"),
        ("target", CLEO, "Cleo", "you know: 7 Nani"),
        ("target", None, "Nobody", ""),
        ("guess", 8, "8 · Lilo", "you have seen them all"),
        ("guess", 5, "5 · Angel, Leroy", "2 not seen by you"),
        ("guess", 3, "3 · Sparky", "not in this deck"),
        ("guess", 0, "0 · Gantu", "1 not seen by you"),
        ("give", True, "Give Stitch to Ann", ""),
        ("give", False, "Keep Stitch, swap cards", ""),
    ],
)
def test_a_value_reads(field, value, label, hint):
    view = replace(VIEW, known=(None, None, C.NANI))
    shown = PRESENTER.label(field, value, view, scene())
    assert (shown.text, shown.hint) == (label, hint)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (m.Play(C.JUMBA), "4 Jumba"),
        (m.Play(C.SPARKY, BOB), "3 Sparky on Bob"),
        (m.Play(C.COUNCILWOMAN, BOB, 5), "1 Grand Councilwoman on Bob: 5?"),
        (m.Answer(give=True), "Give Stitch to Ann"),
    ],
)
def test_an_action_reads(action, said):
    assert PRESENTER.action(action, VIEW, scene()) == said


def test_names_on_buttons_have_no_backslashes():
    people = scene("a_b", "c*d", "e|f")
    assert PRESENTER.label("target", BOB, VIEW, people).text == "c*d"
    assert PRESENTER.action(m.Play(C.NANI, CLEO), VIEW, people) == "7 Nani on e|f"
    assert r"**c\*d**" in "\n".join(text(PRESENTER.board(VIEW, people)))


MINE_626 = {"stitch": ANN, "side": m.Side.EXPERIMENT}


@pytest.mark.parametrize(
    ("changes", "action", "warned"),
    [
        ({"hand": (C.LEROY, C.NANI), **MINE_626}, m.Play(C.LEROY), True),
        ({"hand": (C.LEROY, C.NANI)}, m.Play(C.LEROY), False),
        ({"hand": (C.LEROY, C.NANI), **MINE_626}, m.Play(C.NANI, BOB), False),
        ({"hand": (C.SPARKY, C.GANTU)}, m.Play(C.SPARKY, BOB), True),
        ({"hand": (C.SPARKY, C.COBRA)}, m.Play(C.SPARKY, BOB), False),
        (
            {"hand": (C.SPARKY, C.DAVID), "known": (None, C.NANI, None)},
            m.Play(C.SPARKY, BOB),
            True,
        ),
        (
            {"hand": (C.SPARKY, C.DAVID), "known": (None, C.PLEAKLEY, None)},
            m.Play(C.SPARKY, BOB),
            False,
        ),
        ({"asking": m.Asking.OFFER, "turn": BOB}, m.Answer(give=True), False),
    ],
)
def test_a_warning_comes_before_moves_that_can_only_hurt(changes, action, warned):
    view = replace(VIEW, you=ANN, **changes)
    assert (PRESENTER.warning(action, view, scene(you=ANN)) is not None) == warned


# --- results -------------------------------------------------------------------------------------


def test_a_round_s_result_is_a_message_of_its_own():
    events = (m.Played(BOB, C.GANTU, None, None), ENDED, m.RoundStarted(3, BOB, CLEO))
    assert text(PRESENTER.notice(events, scene())) == [
        "### Round 2: **Bob** wins a token",
        "The deck ran out, so all hands are shown.",
        "**Ann** · 6 David + 2 for Good Stitch = **8**",
        "**Bob** · 8 Lilo",
        "**Cleo** · out",
        "-# The card that lay aside was 7 Nani.",
        "---",
        "**Tokens now (4 win)**",
        "**Ann** ●●○○ 2 of 4",
        "**Bob** ●●○○ 2 of 4",
        "**Cleo** ○○○○ 0 of 4",
        "-# Next round: **Bob** has Good Stitch, **Cleo** goes first.",
    ]


def test_a_result_by_knock_out_shows_no_hands():
    last = replace(ENDED, reason=m.Ending.LAST, hands=(None,) * 3, sums=(None,) * 3)
    assert text(PRESENTER.notice((last,), scene()))[:3] == [
        "### Round 2: **Bob** wins a token",
        "Everybody else is out of the round.",
        "-# The card that lay aside was 7 Nani.",
    ]


def test_nothing_is_announced_within_a_round():
    assert PRESENTER.notice((m.Played(BOB, C.GANTU, None, None),), scene()) == ()


def test_the_end_shows_the_standing():
    view = replace(VIEW, before=(ENDED,), asking=m.Asking.OVER, asked=None)
    scores = {ANN: 2, BOB: 4, CLEO: 2}
    outcome = Outcome(frozenset({BOB}), scores, "fix626-tokens")
    assert text(PRESENTER.ending(outcome, view, scene())) == [
        "### ⭐ **Bob** wins the game!",
        "The first to 4 tokens.",
        "> Round 2 went to **Bob** with 8 Lilo.",
        "1 · **Bob** ●●●● 4 of 4",
        "2 · **Ann** ●●○○ 2 of 4",
        "2 · **Cleo** ●●○○ 2 of 4",
    ]
    both = replace(outcome, winners=frozenset({ANN, BOB}))
    assert text(PRESENTER.ending(both, view, scene()))[0].endswith("win the game together!")


def test_the_rules_name_every_card_and_how_many_there_are():
    pages = [text(page) for page in PRESENTER.rules(shipped().words(ENGLISH))]
    assert len(pages) == 3
    for card in Character:
        name = shipped().words(ENGLISH)(f"fix626-card-{card.value}")
        assert f"**{card.number} {name} ×{card.copies}**" in pages[2]
    assert pages[2][-1].startswith("-# This is a free version made by fans")


# --- what happened -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (m.Played(ANN, C.JUMBA, None, None), "**Ann** plays 4 Jumba."),
        (m.Played(ANN, C.NANI, BOB, None), "**Ann** plays 7 Nani on **Bob**."),
        (m.Played(ANN, C.NANI, ANN, None), "**Ann** plays 7 Nani on **Ann**."),
        (
            m.Played(ANN, C.COUNCILWOMAN, BOB, 0),
            "**Ann** plays 1 Grand Councilwoman: does **Bob** hold number 0?",
        ),
        (m.KnockedOut(BOB, ANN, C.LILO), "**Bob** is out of the round and shows 8 Lilo."),
        (
            m.KnockedOut(ANN, ANN, C.LILO),
            "**Ann** is out by their own Leroy and shows 8 Lilo.",
        ),
        (
            m.Compared(ANN, BOB, None),
            "**Ann** and **Bob** compare cards: a tie, so nothing happens.",
        ),
        (
            m.Compared(ANN, BOB, ANN),
            "**Ann** and **Bob** compare cards: **Ann** has the lower number.",
        ),
        (
            m.StitchMoved(ANN, BOB, m.Side.EXPERIMENT),
            "Experiment 626 goes from **Ann** to **Bob**.",
        ),
        (m.Flipped(BOB, m.Side.GOOD), "Stitch turns over: **Bob** has Good Stitch now."),
        (m.OfferAnswered(BOB, ANN, gave=False), "**Bob** would rather keep Stitch."),
        (m.MatchEnded((ANN, BOB), (4, 4)), "**Ann**, **Bob** win the game together!"),
        (m.Swapped(ANN, BOB, C.NANI, C.LILO), "You gave 7 Nani to **Bob** and got 8 Lilo."),
    ],
)
def test_an_event_reads(event, said):
    assert PRESENTER.line(event, scene()) == said


def test_every_kind_of_event_has_a_line():
    kinds: set[type[Event]] = set()
    for number in range(150):
        for move in moves(GAME, f"lines {number}".encode()):
            people = scene(*"ABCDE"[: move.after.seats])
            for event in move.events:
                kinds.add(type(event))
                you = event.to if isinstance(event, PrivateEvent) else None
                assert PRESENTER.line(event, replace(people, you=you))
    assert kinds == {*PublicEvent.__subclasses__(), *PrivateEvent.__subclasses__()} & {
        kind for kind in vars(m).values() if isinstance(kind, type)
    } - {PublicEvent, PrivateEvent}


# --- many games ----------------------------------------------------------------------------------


def test_everything_that_can_be_chosen_has_a_label_that_fits():
    seen: set[object] = set()
    for number in range(100):
        for match in positions(GAME, f"labels {number}".encode()):
            people = scene(*[WIDEST] * match.seats)
            for seat in match.pending():
                view, own = match.view(seat), replace(people, you=seat)
                fresh = [a for a in match.choices(seat) if (a, match.seats) not in seen]
                for action in fresh:
                    seen.add((action, match.seats))
                    assert 0 < len(PRESENTER.action(action, view, own)) <= 80
                if fresh:
                    _check_questions(match.choices(seat), view, own)
    assert {a.guess for a, _ in seen if isinstance(a, m.Play)} == {None, *GUESSES}


def _check_questions(choices, view, own, path=()):
    question = ask(choices, path)
    if not isinstance(question, Question):
        return
    assert PRESENTER.prompt(question.field, view, own)
    labels = [PRESENTER.label(question.field, value, view, own) for value in question.values]
    assert len({label.text for label in labels}) == len(labels)
    for label in labels:
        assert 0 < len(label.text) <= 80
        assert len(label.hint) <= 100
    for i in range(len(labels)):
        if question.field != "target" or i == 0:
            _check_questions(choices, view, own, (*path, (i,)))


@settings(max_examples=8)
@given(seeds)
def test_every_panel_fits_with_the_longest_names(seed):
    for move in moves(GAME, seed):
        match, people = move.after, scene(*[WIDEST] * move.after.seats)
        watcher = match.view(None)
        panels = [PRESENTER.board(watcher, people), PRESENTER.notice(move.events, people)]
        panels += [
            PRESENTER.hand(match.view(seat), replace(people, you=seat))
            for seat in match.all_seats()
        ]
        if (outcome := GAME.outcome(match.state)) is not None:
            panels.append(PRESENTER.ending(outcome, watcher, people))
        # Titles, what is asked and the last news of the frame need their room, too.
        assert all(len("\n".join(text(panel))) <= 2500 for panel in panels)


def test_every_rules_page_fits():
    for page in PRESENTER.rules(shipped().words(ENGLISH)):
        assert len("\n".join(text(page))) <= 3500


def test_the_board_names_no_hidden_card():
    for number in range(20):
        for match in positions(GAME, f"board {number}".encode()):
            people = scene(*"ABCDE"[: match.seats])
            view = match.view(None)
            rows = [line for line in text(PRESENTER.board(view, people)) if line[:1] != ">"]
            piles = sum(len(p.pile) for p in view.places)
            named = sum(line.count(",") + 1 for line in rows if line.startswith("-# Played"))
            assert named == piles
