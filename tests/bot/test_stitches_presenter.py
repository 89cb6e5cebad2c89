# ruff: noqa: RUF001
"""Stitches in words: what the panels say, that they fit, and that they keep secrets."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.registry import games
from bot.settings import Misconfigured, Settings
from bot.texts import ENGLISH, shipped
from bot.ui.names import present
from bot.ui.panel import Block, Panel
from bot.ui.presenter import MOST_BEATS, Guest, Scene
from bot.ui.stitches import StitchesPresenter
from bot.ui.stitches_story import event_line
from bot.ui.stitches_words import valued_part
from bot.ui.typing import MOVE, pick_typed, suggestions
from engine.chance import Chance
from engine.choosing import Question, ask
from engine.core import Outcome, PublicEvent, Seat
from engine.errors import BadDeck
from engine.match import start
from engine.stitches import Stitches
from engine.stitches import errors as refusals
from engine.stitches import model as m
from engine.stitches.parts import PROBLEMS, shipped_text
from engine.stitches.policy import casual
from tests.engine.stitches.scenarios import Scene as Table
from tests.engine.stitches.scenarios import lay
from tests.playout import moves

GAME = Stitches()
PRESENTER = StitchesPresenter()
ANN, BOB, CLEO = Seat(0), Seat(1), Seat(2)
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus")
WIDEST = "**_W" * 8  # every second character has to be escaped
seeds = st.binary(min_size=4, max_size=4)
WORDS = shipped().words(ENGLISH)
PARTS = {f"{p.monster} {p.kind} {p.cost}": p for p in GAME.box.parts}
TIGER_HEAD, TIGER_ARM = PARTS["Tiger head 4"], PARTS["Tiger arm 2"]
HUMAN_HEAD = PARTS["Human head 0"]


DEFEATED: m.Reason = "stitches-abomination-defeated"


def scene(*names: str, you: int | None = None) -> Scene:
    guests = tuple(Guest(name.markdown, name.plain) for name in present(names or NAMES))
    return Scene(WORDS, guests, None if you is None else Seat(you))


def text(blocks: tuple[Block, ...]) -> list[str]:
    return Panel("", blocks).text().splitlines()


def board(table: Table) -> list[str]:
    return text(PRESENTER.board(table.view(), scene()))


def hand(table: Table, seat: int) -> list[str]:
    return text(PRESENTER.hand(table.view(seat), scene(you=seat)))


def played(seats: int, seed: str = "played", options=None):
    """The moves of a game between computer players: match, seat, action, match after it."""
    match, _ = start(GAME, seats, seed.encode(), options)
    dice = Chance(seed.encode(), 0)
    while not match.over:
        seat = min(match.pending())
        action = casual(match.view(seat), match.choices(seat), dice)
        after, _ = match.submit(seat, action, epoch=match.epoch)
        yield match, seat, action, after
        match = after


def question(table: Table) -> str:
    return PRESENTER.question(table.view(), scene(), table.match.pending())


def under(title: str, lines: list[str]) -> list[str]:
    """The lines below a title, up to the next one."""
    start = lines.index(f"**{title}**") + 1
    titles = [line.startswith("**") and line.endswith("**") for line in lines]
    ends = [i for i in range(start, len(lines)) if titles[i]]
    return lines[start : ends[0] if ends else None]


MONSTERS = lay(
    bodies={
        0: {"head": "Tiger 4", "right": "Robot 3", "legs": "Lobster 4"},
        1: {"legs": "Python 5", "left": ""},
    },
    coins=(5, 4, 1),
    words=("Rock Kitty", "Rock Squishy", "Mama"),
    market=("Robot 5", "Tiger 5", "Gorilla 2"),
    sides=("Gorilla 5", "Robot 2", "", ""),
    card_discard=("grows", "grows", "behind"),
)
FIGHT = (
    lay(
        bodies={
            0: {"head": "Tiger 4", "right": "Robot 3", "legs": "Lobster 4"},
            1: {"right": "Mantis 3", "legs": "Python 5"},
        },
        words=("Rock Kitty", "Rock Kitty Squishy", "Mama"),
        sides=("Robot 2", "Gorilla 2", "Tiger 3", "Python 3"),
        beast_torso=(1, 1, 1),
    )
    .declare("ASS")
    .provoke(0)
)


# --- the board -----------------------------------------------------------------------------------


def test_the_board_shows_everything_that_is_public():
    assert board(MONSTERS) == [
        "**Round 1 · Pot: 8 Stitches**",
        "**Ann** · First · 5 Stitches · R3 P2 S4 · still thinks",
        "-# Tiger head 4, Robot arm 3, Lobster legs 4, rest Human · says Rock, Kitty",
        "**Bob** · 4 Stitches · R2 P2 S2 · still thinks",
        "-# Python legs 5, no arm, rest Human · says Rock, Squishy",
        "**Cleo** · 1 Stitch · R2 P1 S1 · still thinks",
        "-# all Human · says Mama",
        "**The Abomination** · R2 P3 S1",
        "-# Gorilla head 5 (R1 P3), Robot arm 2 (R1 S1), Test head (no symbols), 2 sides empty",
        "**Market**",
        "-# Robot head 5 (R3 S1), Tiger arm 5 (P1 S3), Gorilla legs 2 (R1 P1)",
        "-# R Rock beats Scissors, S Scissors beats Paper, P Paper beats Rock. "
        "A part's number is its price and value.",
        "-# Parts deck: 4, discarded: 0. The Abomination's cards to come: "
        "It Attacks ×2, It Rampages ×2, It's Behind You ×1",
    ]


def test_the_board_says_who_has_declared_but_not_what():
    for attack in (True, False):
        rows = board(MONSTERS.do(1, m.Declare(attack)))
        assert rows[1].endswith("still thinks")
        assert rows[3] == "**Bob** · 4 Stitches · R2 P2 S2 · has declared"


def test_the_board_says_what_everybody_does_once_all_have_declared():
    rows = board(MONSTERS.declare("ASA").rob(0, 1))
    assert [row.split(" · ")[-1] for row in rows[1:7:2]] == ["has attacked", "scavenges", "attacks"]
    assert rows[3].startswith("▶ **Bob**")


def test_a_hidden_abomination_shows_only_its_sides():
    rows = board(lay(revealed=False, sides=((1, 1, 1), "Robot 2", "", "")))
    assert rows[7:9] == [
        "**The Abomination** · R1 P0 S1",
        "-# head and torso face down, Robot arm 2 (R1 S1), 2 sides empty",
    ]


def test_a_fight_is_told_blow_by_blow():
    fight = FIGHT.strike(0, 0).retreat(1).lose(1, "Kitty")
    rows = board(fight)
    assert rows[9:12] == [
        "⚔ **Ann** leads the attack on the Abomination",
        "> **Ann** strikes off Robot arm 2. It strikes back: **Ann** loses Tiger head 4.",
        "> **Bob** retreats. **Bob** gives up the Word Kitty.",
    ]
    assert [rows[i].split(" · ")[-1] for i in (1, 3)] == ["fights", "retreated"]
    after = board(fight.retreat(0))
    assert (
        "> Everybody has retreated: the Abomination still stands. It puts on Tiger head 4." in after
    )
    assert "Won in the fight: **Ann** has Robot arm 2" in after


def test_the_latest_fight_is_told_until_somebody_acts():
    fight = FIGHT.strike(0, 0).retreat(1).lose(1, "Kitty").retreat(0)
    after = fight.discard(0, PARTS["Robot arm 2"].id)
    assert after.asked == ("market", 1)
    assert "**Latest fight**" in board(after)
    assert "**Latest fight**" not in board(after.do(1, m.Done()))


def test_an_owner_s_long_words_are_counted_when_the_line_is_full():
    table = lay()
    words = tuple(f"Hippopotamus {number}" for number in range(6))
    view = table.view()
    loud = replace(view, monsters=(replace(view.monsters[0], words=words), *view.monsters[1:]))
    row = text(PRESENTER.board(loud, scene()))[2]
    assert row.endswith(
        "says Hippopotamus 0, Hippopotamus 1, Hippopotamus 2, Hippopotamus 3, 2 more"
    )


def test_a_body_that_grew_a_torso_shows_it():
    table = lay(bodies={0: {"left": "", "right": ""}}, torsos={0: "Tiger"})
    assert board(table)[2] == "-# no arm, no arm, rest Human, Tiger torso · says Rock"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (MONSTERS, "Everybody: attack or scavenge?"),
        (MONSTERS.do(1, m.Declare(True)), "Attack or scavenge? Waiting for **Ann**, **Cleo**"),
        (
            lay(seats=7).do(2, m.Declare(True)),
            "Attack or scavenge? 6 players still have to declare",
        ),
        (MONSTERS.declare("SAA"), "**Ann** goes shopping"),
        (MONSTERS.declare("ASS"), "**Ann** attacks. But whom?"),
        (FIGHT, "**Ann** strikes first"),
        (FIGHT.strike(0, 0), "**Bob**: strike or retreat?"),
        (FIGHT.strike(0, 0).retreat(1), "**Bob** retreats. Which Word is lost?"),
    ],
)
def test_the_question_says_who_is_asked_what(table, said):
    assert question(table) == said


# --- the hand ------------------------------------------------------------------------------------


def test_the_hand_shows_the_monster_and_what_it_is_good_for():
    assert hand(MONSTERS, 0) == [
        "**Your monster** · 5 Stitches",
        "-# Head: Tiger 4 (P1 S2) · Right arm: Robot 3 (R2) · "
        "Legs: Lobster 4 (R1 S2) · Left arm: Human (P1)",
        "**Rock 3, Paper 2, Scissors 4**: beats 9 of 9 parts on the table.",
        "-# It can say Rock, Kitty.",
        "**Scavenge:** share the Pot of 8 (two get 4 each, all 3 get 2).",
        "-# What the Market would make of you:",
        "-# Robot head 5: R6 P1 S3",
        "-# Tiger arm 5: R1 P3 S7",
        "-# Gorilla legs 2: R3 P3 S2, beats 8 of 9",
        "**Attack:** half the Stitches, or a part:",
        "-# **Bob** · 2 of 4 Stitches · Python legs 5, 2 Human parts",
        "-# **Cleo** · 1 of 1 Stitch · any part",
        "**The Abomination:** **Bob** would join you.",
        "-# Gorilla head 5: beaten by you",
        "-# Robot arm 2: beaten by all of you",
        "-# 2 empty sides will be filled.",
    ]


def test_grunts_are_suggested_where_the_host_wants_them():
    """The Word that most others know comes first; it is about what everybody sees."""
    view = lay(words=("Mama Rock Kitty", "Rock Squishy", "Rock Kitty")).view(0)
    suggested = "📣 Call it into the channel: **Rock! Kitty! Mama!**"
    loud = replace(scene(you=0), options={"grunts": True})
    assert suggested in text(PRESENTER.hand(view, loud))
    assert suggested not in text(PRESENTER.hand(view, scene(you=0)))


def test_a_declaration_is_shown_to_its_owner_alone():
    table = MONSTERS.do(0, m.Declare(True))
    line = "You have declared **Attack**, in secret."
    assert line in hand(table, 0)
    assert line not in hand(table, 1)


def test_who_has_declared_still_reads_what_an_attack_and_the_pot_bring():
    lines = hand(MONSTERS, 0)
    after = hand(MONSTERS.do(0, m.Declare(True)), 0)
    assert [line for line in lines if line not in after] == lines[5:9]


def test_what_nobody_could_ever_pay_is_not_weighed():
    lines = hand(lay(coins=(1, 2, 2), pot=2, market=("Robot 5", "Python 3")), 0)
    assert any(line.startswith("-# Python arm 3:") for line in lines)
    assert not any(line.startswith("-# Robot head 5: R") for line in lines)


def test_the_market_says_what_a_part_replaces_and_what_one_would_have():
    table = MONSTERS.declare("ASA").rob(0, 2)
    assert under("What a part would make you", hand(table, 1))[:3] == [
        "**Robot head 5** instead of Human head (S1): R5 P2 S2",
        "**Tiger arm 5** instead of Human arm (R1): R1 P3 S5, beats 8 of 10",
        "-# **Tiger arm 5**, where you have nothing: R2 P3 S5, beats 10 of 10",
    ]


def test_what_is_too_dear_comes_last():
    table = lay(coins=(2, 2, 2), pot=1, market=("Robot 5", "Gorilla 2")).declare("SAA")
    lines = hand(table, 0)
    assert under("What a part would make you", lines)[0].startswith("**Gorilla legs 2** instead of")
    assert "-# Too dear for you now: Robot head 5 (R3 S1)" in lines


def test_the_fight_says_who_beats_what_and_what_comes_back():
    assert hand(FIGHT.strike(0, 0), 1)[4:] == [
        "**The fight** · still in it: **Bob**, **Ann**",
        "-# Gorilla legs 2, Python arm 3: beaten by all of you",
        "-# Tiger legs 3: beaten by **Ann**",
        "Whatever you strike off, it takes your Python legs 5.",
        "The first to retreat gives up a Word that joins the team. Yours: Rock, Kitty.",
    ]
    retreated = FIGHT.strike(0, 0).retreat(1).lose(1, "Kitty")
    assert "Retreating costs nothing now." in hand(retreated, 0)
    assert "You are out of this fight." in hand(retreated, 1)
    assert not any("The fight" in line for line in hand(retreated, 2))


def test_strikes_that_cost_different_parts_are_told_apart():
    table = lay(
        bodies={0: {"head": "Robot 5", "legs": "Tiger 3"}},
        sides=("Gorilla 5", "Robot 2", "Robot 3", "Mammoth 3"),
    )
    lines = hand(table.declare("ASS").provoke(0), 0)
    assert "Strike off Gorilla head 5, and it takes your Tiger legs 3." in lines
    assert "Strike off Robot arm 2, and it takes your Robot head 5." in lines


def test_who_has_to_choose_reads_only_what_hurt_them():
    table = MONSTERS.declare("ASS").rob(0, 1)
    robbed = "-# **Ann** takes 4 Stitches from **Bob**."
    assert table.asked == ("market", 1)
    assert [line for line in hand(table, 1) if line == robbed or "learns" in line] == [robbed]
    assert any("learns to say" in line for line in hand(table, 0))


def test_the_board_names_the_blows_that_need_not_be_told_again():
    fight = FIGHT.strike(0, 0).retreat(1)
    view = fight.view()
    assert all(PRESENTER.told(event, view) for event in view.news)
    calm = MONSTERS.declare("ASS").rob(0, 1).view()
    assert not any(PRESENTER.told(event, calm) for event in calm.news)


def test_the_counterattack_that_is_foretold_comes():
    """What the menu says that a strike costs is what the rules then take."""
    told = 0
    for number in range(4):
        for match, seat, action, after in played(4, f"blows {number}"):
            if not isinstance(action, m.Strike) or after.state.winners:
                continue
            label = PRESENTER.label("part", action.part, match.view(seat), scene(you=seat))
            news = after.state.news[len(match.state.news) :]
            lost = next(event.part for event in news if isinstance(event, m.Countered))
            shown = (
                f"it takes your {valued_part(lost, WORDS)}" if lost else "it can't take anything"
            )
            assert label.hint.startswith(f"then {shown}")
            told += 1
    assert told > 10


def test_without_a_word_nobody_joins():
    lines = hand(lay(words=("", "Kitty", "Mama")), 0)
    assert "-# It knows no Word, so nobody joins it against the Abomination." in lines
    assert "**The Abomination:** you'd be alone, nobody shares a Word with you." in lines


# --- choosing ------------------------------------------------------------------------------------


SHOP = MONSTERS.declare("SAA")
ATTACK = MONSTERS.declare("ASS")
SLOT = {"head": 0, "right": 1, "legs": 2, "left": 3}


@pytest.mark.parametrize(
    ("table", "field", "value", "label", "hint"),
    [
        (MONSTERS, "attack", True, "Attack", ""),
        (MONSTERS, "attack", False, "Scavenge", ""),
        (
            SHOP,
            "part",
            PARTS["Tiger arm 5"].id,
            "Tiger arm (P1 S3) for 5",
            "instead of Robot arm 3, Human arm",
        ),
        (SHOP, "part", None, "Buy no more", ""),
        (SHOP, "kind", "buy", "Buy a part", ""),
        (SHOP, "into", 1, "Right arm, instead of Robot arm 3 (R2)", ""),
        (ATTACK, "target", BOB, "Bob", "8 Stitches, you'd take 4; you beat 3 parts"),
        (ATTACK, "target", None, "Attack the Abomination", "1 player would join you"),
        (ATTACK, "kind", "provoke", "Attack the Abomination", "1 player would join you"),
        (ATTACK, "part", None, "Take half of the Stitches", ""),
        (
            ATTACK,
            "part",
            PARTS["Python legs 5"].id,
            "Python legs 5 (R1 P2 S1)",
            "instead of Lobster legs 4",
        ),
        (
            FIGHT,
            "part",
            PARTS["Robot arm 2"].id,
            "Robot arm 2 (R1 S1)",
            "then it takes your Tiger head 4",
        ),
        (FIGHT, "part", None, "Retreat", ""),
        (FIGHT, "word", "Kitty", "Kitty", ""),
    ],
)
def test_a_value_reads(table, field, value, label, hint):
    shown = PRESENTER.label(field, value, table.view(0), scene(you=0))
    assert (shown.text, shown.hint) == (label, hint)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (m.Declare(True), "Attack"),
        (m.Declare(False), "Scavenge"),
        (m.Buy(TIGER_HEAD.id, 0), "Buy Tiger head (P1 S2) for 4 Stitches"),
        (m.Buy(TIGER_ARM.id, 3), "Buy Tiger arm (P1 S1) for 2 Stitches: Left arm"),
        (m.Done(), "Buy no more"),
        (m.Rob(BOB), "Take 2 Stitches from Bob"),
        (m.Tear(BOB, TIGER_HEAD.id, 0), "Tear Tiger head 4 (P1 S2) off Bob"),
        (m.Tear(BOB, TIGER_ARM.id, 1), "Tear Tiger arm 2 (P1 S1) off Bob: Right arm"),
        (m.Provoke(), "Attack the Abomination"),
        (m.Strike(HUMAN_HEAD.id), "Strike off Human head (S1)"),
        (m.Retreat(), "Retreat"),
        (m.LoseWord("Rock"), "Give up the Word Rock"),
        (m.Attach(TIGER_HEAD.id, 0), "Put on Tiger head 4 (P1 S2)"),
        (m.Attach(TIGER_ARM.id, 1), "Put on Tiger arm 2 (P1 S1): Right arm"),
        (m.Discard(TIGER_HEAD.id), "Throw away Tiger head 4 (P1 S2)"),
        (m.Keep(TIGER_HEAD.id), "Keep Tiger head 4 (P1 S2)"),
        (m.KeepNothing(), "Keep nothing"),
    ],
)
def test_an_action_reads(action, said):
    view = replace(MONSTERS.view(0), parts=GAME.box.parts)
    assert PRESENTER.action(action, view, scene(you=0)) == said


def test_names_on_buttons_have_no_backslashes():
    people = scene("a_b", "c*d", "e|f", you=0)
    view = ATTACK.view(0)
    assert PRESENTER.label("target", BOB, view, people).text == "c*d"
    assert PRESENTER.action(m.Rob(CLEO), view, people) == "Take 3 Stitches from e|f"
    assert r"**c\*d**" in "\n".join(text(PRESENTER.board(view, people)))


def warned(table: Table, seat: int, action: m.Action) -> str | None:
    assert action in table.legal(seat)
    return PRESENTER.warning(action, table.view(seat), scene(you=seat))


def test_a_part_bought_a_moment_ago_is_not_thrown_away_unwarned():
    table = lay(coins=(9, 2, 2), market=("Tiger 4", "Robot 5")).declare("SAA")
    bought = table.buy(0, "Robot 5", "head")
    assert warned(table, 0, m.Buy(TIGER_HEAD.id, 0)) is None
    assert warned(bought, 0, m.Buy(TIGER_HEAD.id, 0)) == (
        "That throws away Robot head 5 (R3 S1), which you have just bought."
    )


def test_paying_for_nothing_is_warned_of():
    table = lay(bodies={0: {"head": "Mantis 5"}}, market=("Mammoth 2",)).declare("SAA")
    assert warned(table, 0, m.Buy(PARTS["Mammoth head 2"].id, 0)) == (
        "You'd pay 2 Stitches and be no stronger: R3 P2 S2 before, R2 P2 S1 after."
    )


def test_a_part_that_makes_one_weaker_is_warned_of():
    table = ATTACK
    human = table.cut.box.human[0]
    assert warned(table, 0, m.Tear(CLEO, human, 0)) == (
        "A part you take has to be put on, and Tiger head 4 (P1 S2) would go. "
        "You'd be weaker: R3 P2 S4 before, R3 P1 S3 after."
    )
    assert warned(table, 0, m.Rob(BOB)) is None
    legless = lay(bodies={0: {"legs": ""}}).declare("ASS")
    assert warned(legless, 0, m.Tear(BOB, legless.cut.box.human[2], 2)) is None


def test_a_hopeless_attack_is_warned_of():
    table = lay(sides=("Robot 5", "Robot 5", "Robot 5", "Robot 5")).declare("ASS")
    assert warned(table, 0, m.Provoke()) is not None
    filled = lay(sides=("Robot 5", "Robot 5", "Robot 5", "")).declare("ASS")
    assert warned(filled, 0, m.Provoke()) is None
    helped = lay(
        sides=("Robot 5",) * 4,
        bodies={1: {"legs": "Gorilla 5", "head": "Tiger 4", "right": "Gorilla 4"}},
        words=("Rock", "Rock", "Mama"),
    ).declare("ASS")
    assert warned(helped, 0, m.Provoke()) is None


def test_leaving_a_won_fight_is_warned_of():
    strong = {"head": "Robot 5", "legs": "Cephalopod 5", "right": "Tiger 5"}
    table = lay(
        bodies={0: strong, 1: strong},
        sides=("Tiger 3", "Gorilla 3", "Robot 3", "Gorilla 2"),
        words=("Rock", "Rock", "Mama"),
    )
    table = table.declare("ASS").provoke(0)
    for seat in (0, 1, 0):
        assert m.Retreat() not in table.legal(seat) or warned(table, seat, m.Retreat()) is None
        side = next(i for i, part in enumerate(table.state.sides) if part)
        table = table.strike(seat, side)
    assert warned(table, 1, m.Retreat()) == (
        "One part is left on it and you beat it: strike, and the game is won."
    )


def test_what_one_won_is_weighed_against_what_it_replaces():
    arm, legs = PARTS["Python arm 3"].id, PARTS["Tiger legs 3"].id
    won_arm = FIGHT.strike(0, 3).retreat(1).lose(1, "Rock").retreat(0)
    assert warned(won_arm, 0, m.Attach(arm, SLOT["left"])) is None
    assert warned(won_arm, 0, m.Discard(arm)) == (
        "You'd be stronger with it: R3 P1 S2 now, R3 P2 S2 with it."
    )
    won_legs = FIGHT.strike(0, 2).retreat(1).lose(1, "Rock").retreat(0)
    assert warned(won_legs, 0, m.Discard(legs)) is None
    assert warned(won_legs, 0, m.Attach(legs, SLOT["legs"])) == (
        "Lobster legs 4 (R1 S2) would go, and you'd be weaker: R3 P1 S2 before, R2 P1 S2 after."
    )
    assert "**Tiger legs 3** instead of Lobster legs 4: R2 P1 S2" in hand(won_legs, 0)


def test_winners_are_asked_what_they_keep():
    weak = lay(bodies={0: {"legs": "Robot 4"}}, sides=((0, 0, 1),) * 4, keep=True)
    table = weak.declare("ASS").provoke(0)
    assert "Whatever you strike off, it takes your Human arm (P1)." in hand(table, 0)
    table = table.strike(0, 0)
    assert "Whatever you strike off, it can't take anything from you." in hand(table, 0)
    assert "You are alone, so retreating costs nothing." in hand(table, 0)
    table = table.strike(0, 1).strike(0, 2)
    assert "Strike off Test head, its last one, and the game is won!" in hand(table, 0)
    table = table.strike(0, 3)
    assert table.state.stage == "keep"
    assert board(table)[1] == "> Defeated by **Ann**!"
    assert question(table) == "Which part do you keep? Waiting for **Ann**"
    view, legs = table.view(0), PARTS["Robot legs 4"].id
    labels = [PRESENTER.label("part", value, view, scene(you=0)).text for value in (legs, None)]
    assert labels == ["Robot legs 4 (R2 S1)", "Keep nothing"]


# --- typing --------------------------------------------------------------------------------------


def typed(table: Table, seat: int, words: str) -> object:
    people = scene(you=seat)
    return pick_typed(table.match, Seat(seat), {MOVE: words}, PRESENTER, people)


def test_whatever_can_be_pressed_can_be_typed():
    for table, seat in ((SHOP, 0), (ATTACK, 0), (FIGHT, 0), (MONSTERS, 1)):
        people = scene(you=seat)
        for action in table.legal(seat):
            said = PRESENTER.action(action, table.view(seat), people)
            assert typed(table, seat, said) == action
            found = suggestions(table.match, Seat(seat), MOVE, {}, said, PRESENTER, people)
            assert said in found


def test_some_words_of_a_move_will_do():
    assert typed(SHOP, 0, "robot head") == m.Buy(PARTS["Robot head 5"].id, 0)
    assert typed(SHOP, 0, "tiger 5 left") == m.Buy(PARTS["Tiger arm 5"].id, 3)
    assert typed(ATTACK, 0, "take 4 bob") == m.Rob(BOB)
    assert typed(FIGHT, 0, "strike robot") == m.Strike(PARTS["Robot arm 2"].id)


@pytest.mark.parametrize(
    ("table", "seat", "words", "refusal"),
    [
        (lay(market=("Robot 5", "Robot 2"), pot=0).declare("SAA"), 0, "buy robot head",
         refusals.CannotAfford),
        (SHOP, 0, "attack the abomination", refusals.YouScavenge),
        (ATTACK, 0, "buy no more", refusals.YouAttack),
        (FIGHT, 0, "retreat", refusals.MustAttackFirst),
        (lay(bodies={1: {"legs": "Python 5"}}).declare("ASS"), 0, "tear python off bob",
         refusals.CannotBeat),
        (FIGHT.strike(0, 0).retreat(1), 1, "give up squishy", refusals.NotALink),
        (MONSTERS, 0, "retreat", refusals.NotNow),
    ],
)  # fmt: skip
def test_a_typed_move_that_is_not_legal_is_refused_with_its_reason(table, seat, words, refusal):
    with pytest.raises(refusal) as caught:
        typed(table, seat, words)
    assert WORDS(f"error-{caught.value.code}", **caught.value.params)


# --- results -------------------------------------------------------------------------------------


def test_a_round_s_end_is_a_message_that_unfolds():
    events = (
        m.Bought(ANN, TIGER_HEAD, 0, HUMAN_HEAD),
        m.CardDrawn("rampages"),
        m.Snatched(BOB, TIGER_ARM, 2),
        m.Snatched(CLEO, HUMAN_HEAD, None),
        m.MarketRefreshed((), (TIGER_HEAD, TIGER_ARM)),
        m.FirstMoved(3, BOB),
    )
    first, whole = PRESENTER.beats(events, scene())
    assert text(first) == ["### The end of the round: It Rampages"]
    assert text(whole) == [
        "### The end of the round: It Rampages",
        "It takes Tiger arm 2 from **Bob** and puts it on.",
        "It takes Human head from **Cleo** and throws it away.",
        "A new Market: Tiger head 4, Tiger arm 2.",
        "Round 3 begins, and **Bob** is First.",
    ]


def test_an_attack_on_the_abomination_is_a_message_of_its_own():
    head = PARTS["Abomination head 0"]
    events = (
        m.Provoked(ANN, (ANN, CLEO)),
        m.Revealed(head, PARTS["Abomination torso 0"]),
        m.Filled((2,), (TIGER_ARM,)),
    )
    assert text(PRESENTER.notice(events, scene())) == [
        "### **Ann** attacks the Abomination, together with **Cleo**.",
        "The Abomination is turned up: Abomination head (R3 P3 S2) and Abomination torso (R2 P2).",
        "Its empty sides are filled with Tiger arm 2.",
    ]


def test_nothing_is_announced_within_a_round():
    assert PRESENTER.notice((m.Robbed(ANN, BOB, 2),), scene()) == ()
    assert PRESENTER.beats((m.Robbed(ANN, BOB, 2),), scene()) == ()


def test_the_end_shows_the_winners_first():
    view = replace(MONSTERS.view(), kept=(TIGER_HEAD, None, None))
    outcome = Outcome(frozenset({BOB, ANN}), {ANN: 1, BOB: 1, CLEO: 0}, DEFEATED)
    assert text(PRESENTER.ending(outcome, view, scene())) == [
        "### ⭐ **Ann**, **Bob** win the game together!",
        "All four parts were struck off it in one fight.",
        "⭐ **Ann** · R3 P2 S4 · keeps Tiger head 4 for a rematch",
        "-# Tiger head 4, Robot arm 3, Lobster legs 4, rest Human",
        "⭐ **Bob** · R2 P2 S2",
        "-# Python legs 5, no arm, rest Human",
        "**Cleo** · R2 P1 S1",
        "-# all Human",
    ]


def test_a_lost_game_says_so():
    lost = Outcome(frozenset(), dict.fromkeys((ANN, BOB, CLEO), 0), "stitches-round-cap")
    shown = text(PRESENTER.ending(lost, MONSTERS.view(), scene()))
    assert shown[:2] == [
        "### The Abomination wins",
        "The last round is over and the Abomination still stands, so everybody loses.",
    ]
    assert not any("⭐" in line for line in shown)


def test_the_rules_fit_on_their_pages_and_all_together():
    pages = ["\n".join(text(page)) for page in PRESENTER.rules(WORDS)]
    assert len(pages) == 3
    assert sum(map(len, pages)) <= 3800  # the command shows them in one message
    for card in ("grows", "attacks", "rampages", "behind"):
        assert f"**{WORDS(f'stitches-card-{card}')}:**" in pages[2]


# --- what happened -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (m.Declared((True, False, True)), "Attack: **Ann**, **Cleo**. Scavenge: **Bob**."),
        (m.Declared((True, True, True)), "All declared Attack."),
        (
            m.Shared((ANN,), 4, 1),
            "Every scavenger takes 4 Stitches from the Pot; 1 stays in it.",
        ),
        (m.Shared((ANN, BOB), 0, 1), "The Pot is too small to be shared and keeps 1."),
        (m.Shared((), 0, 8), "Nobody scavenges, so the Pot keeps 8."),
        (m.MarketDrew(ANN, None), "**Ann** finds no part for the Market: all are in use."),
        (m.Bought(ANN, TIGER_HEAD, 0, None), "**Ann** buys Tiger head 4."),
        (
            m.Bought(ANN, TIGER_HEAD, 0, HUMAN_HEAD),
            "**Ann** buys Tiger head 4 and throws Human head away.",
        ),
        (m.Robbed(ANN, BOB, 1), "**Ann** takes 1 Stitch from **Bob**."),
        (m.Robbed(ANN, BOB, 0), "**Ann** searches **Bob** for Stitches and finds none."),
        (m.Torn(ANN, BOB, TIGER_ARM, 1, None), "**Ann** tears Tiger arm 2 off **Bob**."),
        (m.WordLearned(ANN, "Rock", ("Kitty",)), "**Ann** learns to say Rock."),
        (m.Provoked(ANN, (ANN,)), "**Ann** attacks the Abomination alone."),
        (m.Struck(ANN, TIGER_ARM, 0, 0), "**Ann** strikes off Tiger arm 2, its last one."),
        (m.Countered(ANN, None), "It strikes back, but can't take anything."),
        (m.Placed((), (), (TIGER_ARM,)), "It has no room for Tiger arm 2."),
        (
            m.Placed((1,), (TIGER_HEAD,), (TIGER_ARM,)),
            "It puts on Tiger head 4 and has no room for Tiger arm 2.",
        ),
        (m.Kept(ANN, None), "**Ann** keeps nothing for the next game."),
        (m.MatchEnded((ANN,), DEFEATED), "**Ann** defeats the Abomination!"),
        (m.MatchEnded((), "stitches-round-cap"), "The Abomination has outlasted everybody."),
    ],
)
def test_an_event_reads(event, said):
    assert PRESENTER.line(event, scene()) == said


def test_every_kind_of_event_has_a_line():
    kinds: set[type] = set()
    for number in range(12):
        for move in moves(GAME, f"events {number}".encode(), most=500):
            kinds |= {type(event) for event in move.events}
            if number < 3:
                assert all(PRESENTER.line(event, scene()) for event in move.events)
        for _, _, _, after in played(3, f"kinds {number}", {"keep": True, "torso": True}):
            kinds |= {type(event) for event in after.state.news}
    every = {k for k in vars(m).values() if isinstance(k, type) and issubclass(k, PublicEvent)}
    assert kinds == every - {PublicEvent}


# --- an owner's cards ----------------------------------------------------------------------------


def test_names_that_the_texts_do_not_know_are_said_as_they_are_written(tmp_path):
    parts, words = tmp_path / "parts.csv", tmp_path / "words.csv"
    parts.write_text(shipped_text("parts.csv").replace("Tiger", "Hippo Ümläut"), "utf-8")
    words.write_text(shipped_text("words.csv").replace("Rock", "Grumpf"), "utf-8")
    game = games(Settings(stitches_parts=parts, stitches_words=words))["stitches"]
    part = next(p for p in game.box.parts if p.monster == "Hippo Ümläut" and p.cost == 4)
    drew = event_line(m.MarketDrew(ANN, part), scene())
    assert drew == "**Ann** turns up Hippo Ümläut head 4 for the Market."
    learned = event_line(m.WordLearned(ANN, "Grumpf", ()), scene())
    assert learned == "**Ann** learns to say Grumpf."


def test_a_wrong_file_is_refused_with_its_name_and_line(tmp_path):
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("level,piece,rock,paper,scissors\nmiddling,head,1,2,3\n", "utf-8")
    with pytest.raises(BadDeck) as caught:
        games(Settings(stitches_abominations=wrong))
    assert caught.value.params == {"file": str(wrong), "line": 2, "problem": "deck-level"}
    with pytest.raises(Misconfigured):
        games(Settings(stitches_words=tmp_path / "missing.csv"))


def test_every_problem_of_a_file_has_a_sentence():
    for problem in PROBLEMS:
        assert WORDS(f"deck-problem-{problem.removeprefix('deck-')}")


# --- many games ----------------------------------------------------------------------------------


def test_everything_that_can_be_chosen_has_a_label_that_fits():
    fields: set[tuple[str, str]] = set()
    for seats, number in ((4, 1), (6, 2), (7, 0)):
        for match, _, _, _ in played(seats, f"labels {number}", {"keep": True}):
            people = scene(*[WIDEST] * match.seats)
            for seat in match.pending():
                view, own = match.view(seat), replace(people, you=seat)
                choices = match.choices(seat)
                said = [PRESENTER.action(action, view, own) for action in choices]
                assert all(0 < len(line) <= 100 for line in said)
                assert len(set(said)) == len(said)
                fields |= {(view.stage, field) for field in _questions(choices, view, own)}
    assert {stage for stage, _ in fields} == {
        "declare", "market", "attack", "fight", "word", "attach", "keep",
    }  # fmt: skip


def _questions(choices, view, own, path=()):
    """Walk through all menus; the fields that they ask for."""
    question = ask(choices, path)
    if not isinstance(question, Question):
        return
    yield question.field
    assert PRESENTER.prompt(question.field, view, own)
    labels = [PRESENTER.label(question.field, value, view, own) for value in question.values]
    assert len({label.text for label in labels}) == len(labels)
    assert all(0 < len(label.text) <= 80 and len(label.hint) <= 100 for label in labels)
    for i in range(len(labels)):
        yield from _questions(choices, view, own, (*path, (i,)))


@settings(max_examples=3)
@given(seeds)
def test_every_panel_fits_with_the_longest_names(seed):
    for number, move in enumerate(moves(GAME, seed, most=200)):
        match, people = move.after, scene(*[WIDEST] * move.after.seats)
        seat = Seat(number % match.seats)
        beats = PRESENTER.beats(move.events, people)
        assert len(beats) <= MOST_BEATS
        panels = [PRESENTER.board(match.view(None), people), *beats]
        panels.append(PRESENTER.hand(match.view(seat), replace(people, you=seat)))
        if (outcome := GAME.outcome(match.state)) is not None:
            panels.append(PRESENTER.ending(outcome, match.view(None), people))
        # Titles, what is asked and the last news of the frame need their room, too.
        assert all(len("\n".join(text(panel))) <= 3010 for panel in panels)
