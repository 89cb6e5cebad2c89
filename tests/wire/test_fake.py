"""The loopback Discord itself, tested with the demo bot in its own process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.wire import errors
from tests.wire.actors import NotOffered, Person
from tests.wire.messages import Message
from tests.wire.places import Channel, Guild
from tests.wire.process import BotProcess
from tests.wire.world import World


@dataclass
class Lab:
    """A guild with a channel, two members and the demo bot."""

    world: World
    guild: Guild
    table: Channel
    ann: Person
    bob: Person
    bot: BotProcess

    async def board(self) -> Message:
        return (await self.ann.slash(self.table, "demo start")).message


@pytest.fixture
async def lab(world: World, new_bot: Callable[..., BotProcess]) -> Lab:
    guild = world.guild()
    ann, bob = world.person("Ann", guild), world.person("Bob", guild, locale="de")
    lab = Lab(world, guild, guild.channel(), ann, bob, new_bot("tests.wire.demo_bot"))
    await lab.bot.start()
    return lab


async def test_a_play_through(lab: Lab) -> None:
    """A board, a private hand, a select, autocomplete, a modal; and what each person sees."""
    world, ann, bob, table = lab.world, lab.ann, lab.bob, lab.table
    board = await lab.board()
    assert board.labels == ["Count 0", "My hand"]
    assert world.files[board["attachments"][0]["url"]].startswith(b"\x89PNG")

    await bob.click(board, "Count 0")
    assert "at 1" in board.text
    hand = await bob.click(board, "My hand")
    assert hand.ephemeral
    assert "Only Bob reads this in de" in hand.text
    assert (len(ann.sees(table)), len(bob.sees(table))) == (1, 2)
    with pytest.raises(NotOffered, match="cannot see"):
        await ann.select(hand.message, "pick", ["Sparky"])
    await bob.select(hand.message, "pick", ["Sparky"])
    assert "picked sparky" in hand.text
    bob.dismiss(hand.message)
    assert bob.sees(table) == [board]

    assert await ann.autocomplete(table, "demo later", "card", "s") == [
        "Sparky",
        "Slushy",
        "Stitch",
    ]
    later = await ann.slash(table, "demo later", {"card": "Reuben", "again": True})
    await world.until(lambda: later.followups)
    assert [later.message.text, later.followups[0].text] == ["Reuben", "Reuben"]
    assert later.message.ephemeral

    shown = await ann.slash(table, "demo note")
    said = await ann.submit(shown, {"words": "hello", "Card": ["Sparky"]})
    assert said.text == "hello on Sparky"
    assert all(i.ack_ms is not None and i.ack_ms < 1000 for i in world.interactions.values())


async def test_presses_at_one_moment_and_one_press_delivered_twice(lab: Lab) -> None:
    board = await lab.board()
    mark = len(lab.world.log)
    hands = await asyncio.gather(*(p.click(board, "hand") for p in (lab.ann, lab.bob) * 3))
    assert {h.person.id for h in hands} == {lab.ann.id, lab.bob.id}
    assert len(lab.world.calls("POST", "/callback", since=mark)) == 6

    mark = len(lab.world.log)
    lab.bot.may_fail = True  # the demo bot does not expect it
    await lab.ann.click(board, "hand", deliveries=2)
    await lab.world.until(lambda: len(lab.world.calls("POST", "/callback", since=mark)) == 2)
    await lab.world.quiet()
    assert sorted(c.code for c in lab.world.calls(since=mark)) == [0, 40060]


async def test_kill_and_press_again(lab: Lab) -> None:
    board = await lab.board()
    await lab.ann.click(board, "Count 0")
    lab.bot.kill()
    lost = await lab.ann.click(board, "Count 1", wait=False)
    await lab.bot.start()
    assert lost.acked is None
    await lab.ann.click(board, "Count 1")
    assert board.labels[0] == "Count 2"


async def test_the_gateway_drops_and_sessions_end(lab: Lab) -> None:
    gateway, board = lab.world.gateway, await lab.board()
    (session,) = gateway.connected
    await gateway.drop()
    await lab.world.until(lambda: not gateway.connected)
    pressed = await lab.bob.click(board, "Count 0", wait=False)  # kept for the resume
    await pressed.answered()
    assert (session.resumed, gateway.identified) == (1, 1)

    await gateway.ask_to_reconnect()
    await lab.world.until(lambda: session.resumed == 2)
    await gateway.forget_sessions()
    await lab.world.until(lambda: gateway.identified == 2)
    await lab.bob.click(board, "Count 1")


@pytest.mark.parametrize("world_options", [{"ack_seconds": 0.4}])
async def test_late_answers_and_old_tokens(lab: Lab) -> None:
    board = await lab.board()
    lab.bot.may_fail = True
    fault = lab.world.fault("POST", "/callback", delay=0.6)
    with pytest.raises(AssertionError, match="no answer"):
        await lab.ann.click(board, "Count 0")
    await lab.world.until(lambda: lab.world.log[-1].code == 10062)
    assert fault.hits == 1

    slow = lab.world.fault("POST", "/webhooks/", delay=0.3)
    asked = await lab.ann.slash(lab.table, "demo later", {"card": "Reuben"})
    assert asked.message.loading
    lab.world.advance(901)
    await lab.world.until(lambda: lab.world.log[-1].code == 50027)
    assert slow.hits == 1
    await lab.ann.click(board, "hand")  # a new press has a new token


async def test_permissions_by_overwrite_and_by_role(lab: Lab) -> None:
    async def attempt(what: str, place: Channel = lab.table) -> str:
        return (await (await lab.ann.slash(place, "demo attempt", {"what": what})).settled()).text

    assert await attempt("plain") == "done"
    for name, what, code in (
        ("SEND_MESSAGES", "plain", 50013),
        ("VIEW_CHANNEL", "plain", 50001),
        ("ATTACH_FILES", "file", 50013),
        ("EMBED_LINKS", "embed", 50013),
        ("CREATE_PUBLIC_THREADS", "thread", 50013),
        ("SEND_MESSAGES_IN_THREADS", "thread", 50013),
    ):
        await lab.table.take(name)
        assert await attempt(what) == f"refused: {code}", name
        await lab.table.give(name)
        assert await attempt(what) == "done", name
    await lab.guild.take("ATTACH_FILES")
    assert "plain" in (await lab.bob.slash(lab.table, "demo where")).text
    assert await attempt("file") == "refused: 50013"
    await lab.guild.give("ATTACH_FILES")
    assert "attach" in (await lab.bob.slash(lab.table, "demo where")).text


async def test_threads(lab: Lab) -> None:
    async def attempt(what: str) -> str:
        asked = await lab.ann.slash(thread, "demo attempt", {"what": what})
        return (await asked.settled()).text

    thread = lab.table.thread()
    await thread.archive()
    await lab.world.until(lambda: lab.table.messages)
    assert lab.table.messages[-1].text == "the thread is archived"
    assert await attempt("plain") == "done"
    assert not thread.archived
    first = thread.messages[0]
    await thread.archive(locked=True)
    assert await attempt("plain") == "refused: 50013"
    path = f"/channels/{thread.id}/messages/{first.id}"
    assert not lab.world.calls("PATCH", path)
    await thread.reopen()
    lab.world.advance(1441 * 60)
    assert thread.archived  # by lying idle
    await thread.delete()
    assert first.id not in lab.world.messages


async def test_every_place(lab: Lab) -> None:
    guild, ann = lab.guild, lab.ann
    elsewhere = lab.world.guild("Away", present=False, locale="fr")
    elsewhere.seat(ann)
    away = elsewhere.channel()
    for command in lab.world.commands[None]:
        command["integration_types"] = [0, 1]
    places: list[tuple[Channel, dict[str, Any], str]] = [
        (guild.channel("plain"), {}, "text guild en-US en-US attach"),
        (guild.voice(), {}, "voice guild en-US en-US attach"),
        (lab.table.thread(), {}, "public_thread guild en-US en-US attach"),
        (guild.forum().thread("post"), {}, "public_thread guild en-US en-US attach"),
        (lab.world.dm(ann), {}, "private guild en-US None attach"),
        (lab.world.dm(ann, lab.bob), {"installed": "user"}, "group user en-US None plain"),
        (away, {"installed": "user"}, "text user en-US fr attach"),
    ]
    for place, how, told in places:
        assert (await ann.slash(place, "demo where", **how)).text == told


async def test_what_happens_to_guilds_members_and_messages(lab: Lab) -> None:
    def last() -> str:
        return lab.table.messages[-1].text if lab.table.messages else ""

    board = await lab.board()
    await lab.table.delete_message(board)
    await lab.world.until(lambda: last() == "a message was deleted")
    await lab.guild.leave(lab.bob)
    await lab.world.until(lambda: last() == "Bob left")
    await lab.table.purge()
    await lab.guild.outage()
    await lab.guild.recover()
    await lab.guild.remove_bot()
    await lab.guild.add_bot()
    assert (await lab.ann.slash(lab.table, "demo where")).text.startswith("text guild")


@pytest.mark.parametrize("world_options", [{"rate_limits": True}])
async def test_limits_and_server_errors(lab: Lab) -> None:
    lab.world.fault("POST", r"/channels/\d+/messages", errors.too_many_requests(0.05))
    lab.world.fault("PATCH", r"/messages/\d+$", errors.too_many_old_edits(0.05))
    asked = await lab.ann.slash(lab.table, "demo attempt", {"what": "burst"})
    await lab.world.until(lambda: len(lab.world.calls("PATCH", r"/messages/\d+$")) == 6)
    sent, edits = lab.world.calls("POST", r"/channels/"), lab.world.calls("PATCH", "/channels/")
    assert [c.status for c in sent] == [429, 200]
    assert [c.code for c in edits[:2]] == [30046, 0]
    await asyncio.sleep(0.3)
    assert len(lab.world.calls("PATCH", "/channels/")) == 6  # the sixth used up the window
    assert asked.message.loading


async def test_a_dropped_connection_after_the_effect(lab: Lab) -> None:
    board = await lab.board()
    lab.bot.may_fail = True
    lab.world.fault("POST", "/callback", drop=True, after=True)
    pressed = await lab.ann.click(board, "Count 0")
    assert (pressed.kind, board.labels[0]) == (7, "Count 1")
    assert lab.world.calls("POST", "/callback")[-1].status == 0


async def test_a_wrong_token_and_refused_intents(
    world: World, new_bot: Callable[..., BotProcess]
) -> None:
    wrong = new_bot("tests.wire.demo_bot", env={"DISCORD_TOKEN": "wrong"})
    refused = new_bot("tests.wire.demo_bot")
    world.gateway.allowed_intents = 0
    for bot in (wrong, refused):
        bot.may_fail = True
        bot.launch()
    assert await wrong.ended() == 1
    assert await refused.ended() == 1
    assert "Improper token" in wrong.output
    assert "privileged intents" in refused.output
