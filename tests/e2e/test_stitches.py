"""Stitches in the simulated Discord: kills at its long moments, a deserter, and what winners keep.

A table begins at a position laid by hand (tests/engine/stitches/scenarios.py), so that few presses
lead to the moment that a test is about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import SimpleNamespace

import pytest

from bot.records import Presence
from bot.registry import GAMES
from engine.chance import Chance
from engine.core import OptionValue, Step
from engine.stitches import Stitches
from engine.stitches.model import State
from tests.e2e.harness import Answer, MakeBot, Person, Stage
from tests.e2e.players import asked, board, bot_on, seat_all, table
from tests.engine.stitches.scenarios import Scene, lay

GAME = "stitches"
NAMES = ("Ann", "Bob", "Carol")

SHOP = lay(
    bodies={0: {"head": "Tiger 4"}},
    coins=(7, 2, 2),
    pot=1,
    market=("Robot 3", "Gorilla 2", "Lobster 5"),
    deck=("Mammoth 2", "Mammoth 3", "Mammoth 4", "Mammoth 5"),
)
TEAM = lay(
    bodies={
        0: {"head": "Tiger 4", "right": "Robot 3", "legs": "Lobster 4"},
        1: {"right": "Mantis 3", "legs": "Python 5"},
    },
    words=("Rock Kitty", "Rock Kitty Squishy", "Mama"),
    sides=("Robot 2", "Gorilla 2", "Tiger 3", "Python 3"),
    beast_torso=(1, 1, 1),
)
EASY = lay(
    bodies={0: {"legs": "Robot 4"}, 1: {"head": "Tiger 4"}},
    words=("Rock", "Rock", "Mama"),
    sides=((0, 0, 2), (0, 0, 1), (0, 1, 0), (0, 1, 1)),
)
"""An Abomination that Ann and Bob take apart with whatever is left to them."""


class Laid(Stitches):
    """Stitches whose first game begins at a position laid by hand, with the table's options."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene.cut.box)
        self._laid: State | None = scene.state

    def setup(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> Step[State]:
        step = super().setup(seats, options, chance)
        laid, self._laid = self._laid, None
        return step if laid is None else Step(laid._replace(rules=step.state.rules), ())


@pytest.fixture
def scene() -> Scene:
    """Where the first game begins; a test says otherwise with `begins_at`."""
    return lay()


def begins_at(scene: Scene) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("scene", [scene], ids=["laid"])


@pytest.fixture
def make_bot(tmp_path, scene, monkeypatch) -> MakeBot:
    fixed = SimpleNamespace(token_bytes=lambda length: bytes(range(length)))
    monkeypatch.setattr("bot.manager.secrets", fixed)
    games = {**GAMES, GAME: Laid(scene)}
    return lambda clock: bot_on(tmp_path / "tables.db", clock, games=games)


async def kill(stage: Stage) -> None:
    """End the bot as kill -9 would, and start another on its database."""
    # What a killed process can't do any more: tick, and hold the file.
    stage.bot._tick.cancel()
    await stage.bot.storage.close()
    before = stage.bot.manager.in_channel(stage.channel.id)
    await stage.restart(crash=True, downtime=30)
    assert table(stage).begun.state == before.begun.state
    assert table(stage).record.sitters == before.record.sitters


async def press(person: Person, *labels: str) -> Answer:
    """Open the hand and press what is on it, one after the other."""
    answer = await person.click("My hand")
    for label in labels:
        assert answer.message is not None
        choose = answer.message.button(label) is None and answer.message.menu(label) is not None
        act = person.choose if choose else person.click
        answer = await act(label, on=answer.message)
    return answer


async def declare(stage: Stage, plans: str) -> None:
    """Everyone's declaration in the order of the seats: A attacks, S scavenges."""
    for name, plan in zip(NAMES, plans, strict=True):
        await press(stage.people[name], "Attack" if plan == "A" else "Scavenge")


def row(stage: Stage, name: str) -> str:
    """What the board says of a player beside the body."""
    lines = board(stage).text.splitlines()
    return next(line for line in lines if line.removeprefix("▶ ").startswith(f"**{name}** · "))


def untimed(text: str) -> str:
    return re.sub(r"<t:\d+:R>", "", text)


async def test_a_kill_in_the_middle_of_the_declarations(stage, ann, bob, carol):
    await seat_all(stage, GAME, *NAMES)
    await press(ann, "Attack")
    await press(bob, "Scavenge")
    before = board(stage).text
    await kill(stage)
    assert asked(stage) == [carol]
    assert untimed(board(stage).text) == untimed(before)
    assert row(stage, "Ann").endswith("has declared")
    assert row(stage, "Bob").endswith("has declared")
    assert row(stage, "Carol").endswith("still thinks")
    # Nobody else can read what was declared, neither on the board nor in a hand.
    told = "You have declared"
    assert "You have declared **Attack**, in secret." in (await press(ann)).text
    assert told not in (await press(carol)).text
    assert told not in stage.people["Eve"].reads()
    # What was declared before the kill can be changed after it.
    assert "You have declared **Scavenge**, in secret." in (await press(ann, "Scavenge")).text
    assert asked(stage) == [carol]
    await press(carol, "Attack")
    assert table(stage).begun.state.declared == (False, False, True)
    shown = board(stage).text
    assert "Attack: **Carol**. Scavenge: **Ann**, **Bob**." in shown
    assert [row(stage, name).split(" · ")[-1] for name in NAMES] == [
        "scavenges",
        "scavenges",
        "attacks",
    ]


@begins_at(SHOP)
async def test_a_kill_in_the_middle_of_a_purchase(stage, ann, bob, carol):
    await seat_all(stage, GAME, *NAMES)
    await declare(stage, "SAA")
    robot_arm = "Robot arm (R2) for 3"
    panel = await press(ann, robot_arm, "Right arm, instead of Human arm (R1)")
    await kill(stage)
    assert asked(stage) == [ann]
    shown = board(stage).text
    assert "**Ann** buys Robot arm 3 and throws Human arm away." in shown
    assert "Pot: 3 Stitches" in shown
    assert "Robot arm 3" not in shown.split("**Market**")[1].split("\n-# R Rock")[0]
    assert row(stage, "Ann").startswith("▶ **Ann** · First · 5 Stitches")
    # The panel from before the kill goes on, and a new one offers the same.
    opened = await press(ann)
    assert opened.message.labels == panel.message.labels
    assert robot_arm not in opened.message.labels
    assert "**Your monster** · 5 Stitches" in opened.text
    await ann.click("Gorilla legs (R1 P1) for 2", panel.message)
    assert "**Your monster** · 3 Stitches" in (await press(ann)).text
    await press(ann, "Buy no more")
    assert row(stage, "Ann") == "**Ann** · First · 3 Stitches · R3 P3 S2 · has scavenged"
    assert "Tiger head 4, Robot arm 3, Gorilla legs 2, rest Human" in board(stage).text
    assert table(stage).begun.state.coins == (3, 2, 2)
    assert asked(stage) == [bob]


ROBOT, GORILLA = "Robot arm 2 (R1 S1)", "Gorilla legs 2 (R1 P1)"
"""Two of the parts of TEAM's Abomination, as buttons name them."""


async def fight(stage: Stage) -> None:
    """Ann leads Bob against TEAM's Abomination and strikes; then it is Bob's turn."""
    await seat_all(stage, GAME, *NAMES)
    await declare(stage, "ASS")
    await press(stage.people["Ann"], "Attack the Abomination")
    await press(stage.people["Ann"], ROBOT)


@begins_at(TEAM)
async def test_a_kill_in_the_middle_of_a_fight(stage, ann, bob, carol):
    await fight(stage)
    await kill(stage)
    assert asked(stage) == [bob]
    shown = board(stage).text
    assert "⚔ **Ann** leads the attack on the Abomination" in shown
    assert (
        "> **Ann** strikes off Robot arm 2. It strikes back: **Ann** loses Tiger head 4." in shown
    )
    assert shown.count("strikes off Robot arm 2") == 1
    assert "**Bob**: strike or retreat?" in shown
    assert [row(stage, name).split(" · ")[-1] for name in NAMES] == [
        "fights",
        "fights",
        "scavenges",
    ]
    assert row(stage, "Bob").startswith("▶ ")
    panel = await press(bob)
    assert panel.message.labels == [GORILLA, "Python arm 3 (P2)", "Retreat"]
    assert GORILLA not in (await press(carol)).message.labels
    await press(bob, GORILLA)
    assert "> **Bob** strikes off Gorilla legs 2." in board(stage).text
    assert [seat for seat, _ in table(stage).begun.state.fight.trophies] == [0, 1]
    assert asked(stage) == [ann]


@begins_at(TEAM)
async def test_a_kill_while_a_lost_word_is_chosen(stage, ann, bob, carol):
    await fight(stage)
    panel = await press(bob, "Retreat")
    assert panel.message.labels == ["Rock", "Kitty"]
    await kill(stage)
    assert asked(stage) == [bob]
    assert "**Bob** retreats. Which Word is lost?" in board(stage).text
    assert row(stage, "Bob").endswith("retreated")
    assert (await press(bob)).message.labels == ["Rock", "Kitty"]
    await bob.click("Kitty", panel.message)
    shown = board(stage).text
    assert "> **Bob** retreats. **Bob** gives up the Word Kitty." in shown
    assert "Mantis arm 3, Python legs 5, rest Human · says Rock, Squishy" in shown
    assert table(stage).begun.state.words[1] == ("Rock", "Squishy")
    # Bob has paid, so Ann does not.
    assert asked(stage) == [ann]
    assert "Retreating costs nothing now." in (await press(ann)).text


async def leave(person: Person) -> None:
    for button in ("More", "Leave the game", "Leave"):
        await person.click(button)


async def wait_for(stage: Stage, *people: Person) -> None:
    """Let the computer players move until these people are asked."""
    for _ in range(40):
        if asked(stage) == list(people):
            return
        await stage.pass_time(2)
    raise AssertionError(f"asked are {asked(stage)}")


@begins_at(EASY)
async def test_who_leaves_in_the_middle_of_a_fight_fights_on(stage, ann, bob, carol):
    await seat_all(stage, GAME, *NAMES)
    await declare(stage, "ASS")
    await press(ann, "Attack the Abomination")
    await press(ann, "Test head (S2)")
    assert asked(stage) == [bob]
    await leave(bob)
    assert table(stage).record.sitters[1].presence is Presence.LEFT
    shown = board(stage).text
    assert "**Bob** left; the computer plays on." in shown
    assert row(stage, "Bob").endswith("fights")
    await wait_for(stage, ann)
    assert "> **Bob** strikes off Test head." in board(stage).text
    panel = await press(ann)
    await ann.click(panel.message.labels[0], panel.message)
    while stage.bot.manager.in_channel(stage.channel.id) is not None:
        assert asked(stage) == []
        await stage.pass_time(2)
    end = board(stage)
    assert "⭐ **Ann**, **Bob** win the game together!" in end.text
    assert "Rematch" in end.labels
    over = await stage.bot.manager.look_up(1)
    assert over.record.stage == "over"
    assert over.match.state.winners == (0, 1)


LEGS = "Robot legs 4 (R2 S1)"


async def win(stage: Stage) -> None:
    """Ann and Bob win the game with the option that winners keep a part; nobody has kept one."""
    ann, bob = stage.people["Ann"], stage.people["Bob"]
    await ann.slash(f"{GAME} start")
    for name in NAMES[1:]:
        await stage.people[name].click("Join")
    await stage.bot.manager.choose(table(stage).id, ann.id, "keep", True)
    await ann.click("Begin")
    await declare(stage, "ASS")
    await press(ann, "Attack the Abomination")
    await press(ann, "Test head (S2)")
    for person in (bob, ann, bob):
        panel = await press(person)
        await person.click(panel.message.labels[0], panel.message)


@begins_at(EASY)
async def test_winners_keep_a_part_for_the_rematch(stage, ann, bob, carol):
    await win(stage)
    shown = board(stage).text
    assert "> Defeated by **Ann**, **Bob**!" in shown
    assert "Which part do you keep? Waiting for **Ann**, **Bob**" in shown
    assert LEGS not in (await press(carol)).message.labels
    await press(ann, LEGS)
    assert "Which part do you keep? Waiting for **Bob**" in board(stage).text
    await press(bob, "Keep nothing")
    assert "⭐ **Ann** · R2 P0 S2 · keeps Robot legs 4 for a rematch" in board(stage).text
    await ann.click("Rematch")
    assert "begin with the part they kept" in board(stage).text
    await ann.click("Begin")
    shown = board(stage).text
    assert "-# Robot legs 4, rest Human · says" in shown
    assert shown.count("all Human") == 2
    assert "Legs: Robot 4 (R2 S1)" in (await press(ann)).text
    state = table(stage).begun.state
    legs = EASY.cut.id("Robot 4")
    assert [legs in body for body in state.bodies] == [True, False, False]
    assert legs not in (*state.deck, *state.market, *state.sides)
    assert "First" in row(stage, "Bob")


@begins_at(EASY)
@pytest.mark.parametrize("goes", [None, "Carol"], ids=["one more", "another one"])
async def test_what_winners_kept_is_void_when_others_sit_down(stage, ann, bob, goes):
    await win(stage)
    await press(ann, LEGS)
    await press(bob, "Keep nothing")
    await ann.click("Rematch")
    if goes is not None:
        await stage.people[goes].click("Leave", board(stage))
    await stage.people["Dan"].click("Join")
    assert "begin with the part they kept" not in board(stage).text
    await ann.click("Begin")
    shown = board(stage).text
    assert "**Dan** · " in shown
    assert shown.count("all Human") == (4 if goes is None else 3)
    assert "Legs: Human (R1)" in (await press(ann)).text
    assert EASY.cut.id("Robot 4") not in table(stage).begun.state.bodies[0]
