"""Whole games on the wire, and presses that come twice, too late, or from the wrong person."""

from __future__ import annotations

import asyncio

import pytest

from tests.wire.table import House, Table, offered

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_game_from_lobby_to_rematch(house: House) -> None:
    table = await house.table(2)
    await table.play()
    assert table.stage == "over"
    await house.world.until(lambda: "Rematch" in table.board.labels)
    first = table.id
    both = [p.click(table.board, "Rematch") for p in table.people]
    await asyncio.gather(*both)
    await house.world.until(lambda: "Begin" in table.board.labels)
    assert [r["id"] for r in table.rows("SELECT * FROM tables WHERE follows = ?", first)] == [
        table.id
    ]
    host = next(p for p in table.people if p.id == table.row()["host_id"])
    await host.click(table.board, "Begin")
    await house.world.until(lambda: "My hand" in table.board.labels)


async def test_a_panel_opened_twice_plays_once(house: House) -> None:
    """The move is made from the first panel; the second is out of date and says so."""
    table = await house.table(2)
    asked = table.asked()
    second = await table.hand(asked)
    stale = [part["custom_id"] for part in offered(second)]
    await table.hand(asked)
    await table.move(asked)
    before = table.secrets()
    for custom_id in stale:
        refused = await asked.forge(second, custom_id)
        assert refused.ephemeral
    assert table.secrets() == before
    assert len(table.entries()) == 1


async def test_a_dismissed_panel_comes_back_and_is_no_move(house: House) -> None:
    table = await house.table(3)
    before = table.secrets()
    for person in table.people:
        texts = set()
        for _ in range(5):
            panel = await table.hand(person)
            texts.add(panel.text)
            person.dismiss(panel)
        assert len(texts) == 1
        assert bool(offered(panel)) == (person == table.asked())
    assert table.secrets() == before


async def test_one_press_delivered_twice_is_one_move(house: House) -> None:
    table = await house.table(2)
    for _ in range(3):
        asked = table.asked()
        await table.hand(asked)
        before = table.moves_written()
        while table.moves_written() == before:
            part = offered(table.panels[asked])[0]
            if "options" in part:
                value = part["options"][0]["value"]
                await asked.select(table.panels[asked], part["custom_id"], [value], deliveries=2)
            else:
                await asked.click(table.panels[asked], part["custom_id"], deliveries=2)
            await house.world.quiet(0.1)
        assert table.moves_written() == before + 1


async def test_everything_on_a_panel_pressed_at_once_is_one_move(house: House) -> None:
    table = await house.table(2)
    asked = table.asked()
    panel = await table.hand(asked)
    ids = [part["custom_id"] for part in offered(panel)]
    await asyncio.gather(*(asked.forge(panel, one) for one in ids * 5))
    await house.world.quiet()
    assert table.moves_written() <= 1
    await table.move()
    assert table.moves_written() >= 1


FORGED = (
    "t:{id}:0:begin", "t:{id}:0:add", "t:{id}:0:opts", "t:{id}:{epoch}:do", "t:{id}:{epoch}:do:0",
    "t:{id}:{epoch}:sure:0.0", "t:{id}:0:hand", "t:{id}:0:quitsure", "t:{id}:0:auto",
    "t:{id}:0:back", "t:{id}:0:remind", "t:{id}:0:endsure", "t:{id}:0:again", "t:{id}:0:leave",
    "t:{id}:0:gone", "t:{id}:0:no", "t:999:0:hand", "t:999999999999999999:0:hand",
    "t:9999999999999999999999:0:hand", "t:{id}:999999999:do:99999", "t:{id}:{epoch}:do:1.2.3.4.5",
    "t:{id}:{epoch}:do:..", "t:{id}:{epoch}:do:1+1", "t:{id}:0:log:99999999999999999999999",
    "t:{id}:0:rules:zz", "t:{id}:0:keep", "anything at all", "t:", "s:{id}:0:kick",
)  # fmt: skip
FORGED_MENUS = (
    "s:{id}:0:clock", "s:{id}:0:kick", "s:{id}:0:host", "s:{id}:0:sit", "s:{id}:0:opt:first",
    "s:{id}:0:opt:_", "s:{id}:0:add", "s:{id}:{epoch}:pick", "s:{id}:{epoch}:pick:0",
)  # fmt: skip
VALUES = (["0"], ["7"], ["-1"], ["99999999"], ["x"], [], ["0", "1"])


async def test_a_stranger_changes_nothing_with_any_id(house: House) -> None:
    """Neither what the board offers to others, nor what nobody was ever offered."""
    table = await house.table(2)
    stranger = house.world.person("Mallory", table.guild)
    before, row, seats = table.secrets(), table.row(), table.seats()
    epoch = table.seq
    for template in FORGED:
        custom_id = template.format(id=table.id, epoch=epoch)
        done = await stranger.forge(table.board, custom_id)
        assert done.ephemeral, custom_id
        assert done.text, custom_id
    for template in FORGED_MENUS:
        for values in VALUES:
            custom_id = template.format(id=table.id, epoch=epoch)
            if "sit" in template and values == ["0"]:
                continue  # that is a fair question: somebody sits there
            done = await stranger.forge(table.board, custom_id, values)
            assert done.ephemeral, custom_id
    assert (table.secrets(), table.seats()) == (before, seats)
    kept = ("stage", "host_id", "options", "clock", "deadline", "reminded")
    assert {k: table.row()[k] for k in kept} == {k: row[k] for k in kept}


async def test_a_player_who_is_not_asked_makes_no_move(house: House) -> None:
    table = await house.table(3)
    before, epoch = table.secrets(), table.seq
    for other in table.others():
        for template in FORGED[3:6]:
            await other.forge(table.board, template.format(id=table.id, epoch=epoch))
        for template in FORGED_MENUS[-2:]:
            custom_id = template.format(id=table.id, epoch=epoch)
            await other.forge(table.board, custom_id, ["0"])
    assert table.secrets() == before


async def test_the_last_seats_go_to_exactly_as_many_as_fit(house: House) -> None:
    table = await house.lobby(4)
    guild = table.guild
    late = [house.world.person(f"Late{n}", guild) for n in range(5)]
    done = await asyncio.gather(*(p.click(table.board, "t:*:join", deliveries=2) for p in late))
    await house.world.quiet()
    seated = [s["user_id"] for s in table.seats()]
    assert len(seated) == 5
    assert len(set(seated)) == 5
    refused = [i for i in done if i.kind == 4]
    assert len(refused) == 4
    assert all("full" in i.text for i in refused)
    assert "Late" in table.board.text


async def test_two_starts_at_one_moment_are_one_table(house: House) -> None:
    channel = await house.place()
    ann, bob, *_ = house.people(channel, 3)
    done = await asyncio.gather(*(p.slash(channel, "fix626 start") for p in (ann, bob) * 2))
    await house.world.quiet()
    assert len([m for m in channel.messages if m.custom_ids]) == 1
    assert sum("There is a table" in i.text for i in done) == 3
    again = await ann.slash(channel, "fix626 start")
    assert f"/{channel.id}/{channel.messages[-1].id}" in again.text


async def test_typed_moves_and_what_they_complete(house: House) -> None:
    """Commands do all that buttons do; the suggestions are the typer's own legal moves."""
    table = await house.table(2)
    asked = table.asked()
    (other,) = table.others()
    assert await other.autocomplete(table.channel, "fix626 play", "card") == []
    cards = await asked.autocomplete(table.channel, "fix626 play", "card")
    assert 1 <= len(cards) <= 2
    stranger = house.world.person("Mallory", table.guild)
    assert await stranger.autocomplete(table.channel, "fix626 play", "card") == []
    for person in (stranger, other):
        done = await person.slash(table.channel, "fix626 play", {"card": cards[0]})
        assert done.ephemeral
        assert table.moves_written() == 0
    await asked.slash(table.channel, "fix626 play", {"card": "the ace of spades"})
    assert table.moves_written() == 0
    for field in ("card", "target", "guess"):
        given = {} if field == "card" else {"card": cards[0]}
        await asked.autocomplete(table.channel, "fix626 play", field, options=given)


async def test_every_command_answers_before_during_and_after_a_game(house: House) -> None:
    channel = await house.place()
    people = house.people(channel, 2)
    stranger = house.world.person("Mallory", channel.guild)
    moderator = house.world.person("Mod", channel.guild)
    await channel.guild.grant(moderator, "MANAGE_MESSAGES", "MANAGE_GUILD")
    table = Table(house.bot, channel, people)
    paths = ["hand", "table", "rules", "log"]

    async def all_of_them() -> None:
        for person in (people[1], stranger):
            for path in paths:
                done = await person.slash(channel, f"fix626 {path}")
                assert done.text
        for path in ("list", "settings"):
            assert (await moderator.slash(channel, f"tables {path}")).text

    await all_of_them()
    await table.start()
    await table.join()
    await all_of_them()
    await table.begin()
    await all_of_them()
    ended = await moderator.slash(channel, "tables end")
    assert ended.ephemeral
    await house.world.until(lambda: "closed" in table.board.text)
    await all_of_them()
    assert (await moderator.slash(channel, "tables end")).ephemeral
