"""Whole games of The Fix for 626 in the simulated Discord, and what players read when refused."""

from __future__ import annotations

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.fix626.cards import Character
from engine.fix626.model import Asking
from tests.e2e.harness import MakeBot, Person, Stage
from tests.e2e.players import asked, board, bot_on, move, play_out, seat_all, table

GAME = "fix626"


@pytest.fixture
def make_bot(tmp_path) -> MakeBot:
    return lambda clock: bot_on(tmp_path / "tables.db", clock)


def held(stage: Stage, person: Person) -> tuple[Character, ...]:
    """What somebody really holds, from the bot's own memory."""
    live = table(stage)
    seat = live.record.seat_of(person.id)
    return live.begun.state.hands[seat]


def names_of(cards: tuple[Character, ...], stage: Stage) -> list[str]:
    words = stage.bot.texts.words("en")
    return [words(f"fix626-card-{card.name.lower()}") for card in cards]


async def test_a_whole_game_by_buttons(stage, ann, bob, carol):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol")
    await play_out(stage, Chance(b"a game by buttons", 0))
    end = board(stage)
    assert "Rematch" in end.labels
    assert "the end" in end.text
    loaded = await stage.bot.manager.look_up(1)
    assert loaded.record.stage == "over"
    assert loaded.match.seed.hex() in end.text
    assert max(loaded.match.state.tokens) == 4


async def test_hands_are_seen_by_their_owners_alone(stage, ann, bob, carol):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol")
    dice = Chance(b"secret hands", 0)
    for _ in range(6):
        people = (ann, bob, carol)
        panels = {person: await person.click("My hand") for person in people}
        for person in people:
            assert panels[person].ephemeral
            assert "your hand" in panels[person].text
            others = [p for p in (*people, stage.people["Eve"]) if p is not person]
            for other in others:
                assert panels[person].message.id not in [s.id for s in other.sees()]
        await move(asked(stage)[0], dice)


async def test_a_whole_game_typed(stage, ann, bob, carol):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol")
    dice = Chance(b"a game typed", 0)
    for _ in range(300):
        if stage.bot.manager.in_channel(stage.channel.id) is None:
            break
        person = asked(stage)[0]
        if table(stage).begun.view(None).asking is Asking.OFFER:
            await move(person, dice)
            continue
        typed: dict[str, str] = {}
        for field in ("card", "target", "guess"):
            offered = await person.suggestions(f"{GAME} play", field, "", **typed)
            if offered:
                typed[field] = dice.pick(list(offered.values()))
        answer = await person.slash(f"{GAME} play", **typed)
        assert answer.ephemeral
        assert "your hand" in answer.text, (typed, answer.text)
    assert "the end" in board(stage).text


@pytest.mark.parametrize("crash", [False, True], ids=["closed", "killed"])
async def test_a_restart_in_the_middle_of_a_turn(stage, ann, bob, carol, crash):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol")
    dice = Chance(b"restart", 0)
    for _ in range(4):
        await move(asked(stage)[0], dice)
    person = asked(stage)[0]
    panel = await person.click("My hand")
    before = table(stage)
    if crash:
        # What a killed process can't do any more: tick, and hold the file.
        stage.bot._tick.cancel()
        await stage.bot.storage.close()
    await stage.restart(crash=crash, downtime=100)
    after = table(stage)
    assert after.begun.state == before.begun.state
    assert after.begun.seed == before.begun.seed
    assert after.record.deadline >= before.record.deadline + 100 - 61
    assert asked(stage) == [person]
    # A button of the panel from before the restart still plays.
    controls = [c for c in panel.message.controls if ":do" in c["custom_id"]]
    await person.click(controls[0]["custom_id"], panel.message)
    await play_out(stage, dice)
    assert "the end" in board(stage).text


async def _until_an_offer(stage: Stage) -> tuple[Person, Person]:
    """Play until somebody's Pleakley asks the owner of Stitch: who asks, who is asked."""
    for number in range(60):
        dice = Chance(b"offers", number)
        for _ in range(40):
            if stage.bot.manager.in_channel(stage.channel.id) is None:
                await stage.people["Ann"].click("Rematch")
                await stage.people["Ann"].click("Begin")
            person = asked(stage)[0]
            view = table(stage).begun.view(table(stage).record.seat_of(person.id))
            if view.asking is Asking.OFFER:
                return _at(stage, view.turn), person
            if Character.PLEAKLEY in view.hand and view.stitch != view.you:
                name = stage.bot.texts.words("en")("fix626-card-pleakley")
                owner = _at(stage, view.stitch).name
                answer = await person.slash(f"{GAME} play", card=name, target=owner)
                if "your hand" in answer.text:
                    continue
            await move(person, dice)
    raise AssertionError("nobody ever played Pleakley on the owner of Stitch")


def _at(stage: Stage, seat: Seat) -> Person:
    user = table(stage).record.sitters[seat].user_id
    return next(p for p in stage.people.values() if p.id == user)


async def test_a_restart_in_the_middle_of_an_offer(stage, ann, bob, carol):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol")
    asker, owner = await _until_an_offer(stage)
    panel = await owner.click("My hand")
    state = table(stage).begun.state
    await stage.restart()
    assert table(stage).begun.state == state
    refused = await asker.click("My hand")
    assert not [c for c in refused.message.controls if ":do" in c["custom_id"]]
    give = next(c for c in panel.message.controls if ":do" in c["custom_id"])
    await owner.click(give["custom_id"], panel.message)
    assert table(stage).begun.epoch > 0
    assert table(stage).begun.view(None).asking is Asking.TURN


# Refusals, each with the sentence that a player reads.


async def test_not_your_turn(stage, ann, bob, carol):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol")
    idle = next(p for p in (ann, bob, carol) if p not in asked(stage))
    card = names_of(held(stage, idle), stage)[0]
    answer = await idle.slash(f"{GAME} play", card=card)
    assert answer.ephemeral
    assert "turn" in answer.text


async def test_not_seated(stage, ann, bob):
    eve = stage.people["Eve"]
    await seat_all(stage, GAME, "Ann", "Bob")
    for answer in (await eve.click("My hand"), await eve.slash(f"{GAME} hand")):
        assert answer.ephemeral
        assert "not playing at this table" in answer.text
    assert "turn" in board(stage).text


async def test_an_old_panel_is_out_of_date(stage, ann, bob):
    await seat_all(stage, GAME, "Ann", "Bob")
    person = asked(stage)[0]
    first = await person.click("My hand")
    old = next(c for c in first.message.controls if ":do" in c["custom_id"])
    second = await person.click("My hand")
    dice = Chance(b"old", 0)
    await move(person, dice)
    seq = table(stage).begun.seq
    answer = await person.click(old["custom_id"], first.message)
    assert table(stage).begun.seq == seq
    assert stage.bot.texts.words("en")("remark-stale") in answer.text
    assert "your hand" in answer.text
    assert second.message is not None


async def test_a_card_that_is_not_in_the_hand(stage, ann, bob):
    await seat_all(stage, GAME, "Ann", "Bob")
    person = asked(stage)[0]
    absent = next(c for c in (Character.JUMBA, Character.GANTU) if c not in held(stage, person))
    seq = table(stage).begun.seq
    answer = await person.slash(f"{GAME} play", card=names_of((absent,), stage)[0])
    assert table(stage).begun.seq == seq
    assert "You don't hold that card" in answer.text


async def test_a_second_table_in_the_channel(stage, ann, bob):
    await seat_all(stage, GAME, "Ann", "Bob")
    where = board(stage).id
    answer = await stage.people["Carol"].slash(f"{GAME} start")
    assert answer.ephemeral
    assert f"/{where}" in answer.text


async def test_the_lobby_is_full(stage, ann, bob, carol):
    dave = stage.guild.add_member(stage.env.create_user("zed", global_name="Zed"))
    sixth = Person(stage, "Zed", dave)
    await ann.slash(f"{GAME} start")
    for name in ("Bob", "Carol", "Dan", "Eve"):
        await stage.people[name].click("Join")
    lobby = board(stage)
    join = f"t:{table(stage).id}:0:join"
    assert lobby.button(join) is None, "a full table still offers a seat"
    with pytest.raises(AssertionError):
        await sixth.click("Join")
    answer = await sixth.slash(f"{GAME} start")
    assert "already" in answer.text


async def test_eleven_people_and_one_seat(stage, ann):
    """Row 12: one seat left, several join at the same moment."""
    await ann.slash(f"{GAME} start")
    for name in ("Bob", "Carol", "Dan"):
        await stage.people[name].click("Join")
    more = [
        Person(stage, f"P{i}", stage.guild.add_member(stage.env.create_user(f"p{i}")))
        for i in range(5)
    ]
    lobby = board(stage)
    await stage.simultaneously(*(p.click("Join", lobby) for p in more))
    sitters = table(stage).record.sitters
    assert len(sitters) == 5
    loaded = await stage.bot.storage.load(table(stage).id)
    assert loaded.record.sitters == sitters
    told = [p for p in more if "The table is full" in p.reads()]
    assert len(told) == 4


async def test_a_protected_player_is_no_target(stage, ann, bob, carol):
    await seat_all(stage, GAME, "Ann", "Bob", "Carol")
    words = stage.bot.texts.words("en")
    dice = Chance(b"david", 0)
    for _ in range(200):
        if stage.bot.manager.in_channel(stage.channel.id) is None:
            await ann.click("Rematch")
            await ann.click("Begin")
        person = asked(stage)[0]
        live = table(stage)
        view = live.begun.view(live.record.seat_of(person.id))
        shield = next((s for s, place in enumerate(view.places) if place.protected), None)
        aims = [c for c in view.hand if c in (Character.COBRA, Character.NANI, Character.PLEAKLEY)]
        if shield is not None and shield != view.you and aims and view.asking is Asking.TURN:
            card = names_of((aims[0],), stage)[0]
            name = _at(stage, Seat(shield)).name
            answer = await person.slash(f"{GAME} play", card=card, target=name)
            expected = words("error-fix626-target-protected", name=f"**{name}**")
            assert expected.split()[-1] in answer.text
            assert table(stage).begun.seq == live.begun.seq
            return
        david = names_of((Character.DAVID,), stage)[0]
        if Character.DAVID in view.hand and view.asking is Asking.TURN:
            await person.slash(f"{GAME} play", card=david)
        else:
            await move(person, dice)
    raise AssertionError("nobody was ever protected from a card")
