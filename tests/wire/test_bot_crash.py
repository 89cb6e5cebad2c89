"""kill -9 at the worst moments: nothing is lost, nothing is half made, every table goes on."""

from __future__ import annotations

import asyncio
import json
import os
import random  # noqa: TID251
import resource
import signal
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing, suppress
from typing import Any

import pytest

from bot.journal import Scribe
from bot.registry import GAMES
from engine.match import replay
from tests.wire.actors import Person
from tests.wire.process import BotProcess
from tests.wire.records import Fault
from tests.wire.table import House, Table, offered
from tests.wire.world import World

NewBot = Callable[..., BotProcess]
HELD = 60.0  # seconds, longer than the process lives


@pytest.fixture
async def killed(world: World, new_bot: NewBot) -> House:
    """A bot of this test alone, to be killed."""
    bot = new_bot(env={"THINK_SECONDS": "0", "BEAT_SECONDS": "0"})
    await bot.start()
    return House(bot)


def hold(table: Table, method: str, tail: str = r"/messages", *, after: bool = False) -> Fault:
    """The next such call at this table is not answered any more; `after`: but it takes effect."""
    path = rf"^/channels/{table.channel.id}{tail}"
    return table.world.fault(method, path, delay=HELD, after=after)


# --- one kill, many tables, each at an instant of its own --------------------------------------


async def before_the_board_is_sent(house: House) -> Table:
    channel = await house.place()
    table = Table(house.bot, channel, house.people(channel, 3))
    fault = hold(table, "POST")
    await table.host.slash(channel, "fix626 start")
    await house.world.until(lambda: fault.hits)
    return table


async def before_the_board_is_noted(house: House) -> Table:
    channel = await house.place()
    table = Table(house.bot, channel, house.people(channel, 3))
    fault = hold(table, "POST", after=True)
    await table.host.slash(channel, "fix626 start")
    await house.world.until(lambda: fault.hits and table.boards)
    return table


async def before_a_join_is_answered(house: House) -> Table:
    table = await house.lobby(2)
    house.world.fault("POST", "/callback", delay=HELD)
    person = house.world.person("Late", table.guild)
    table.people.append(person)
    await person.click(table.board, "t:*:join", wait=False)
    await house.world.until(lambda: len(table.seats()) == 3)
    return table


async def before_the_first_board_is_sent(house: House) -> Table:
    table = await house.lobby(3)
    fault = hold(table, "POST")
    await table.host.click(table.board, "t:*:begin")
    await house.world.until(lambda: fault.hits)
    return table


async def before_the_first_board_is_noted(house: House) -> Table:
    table = await house.lobby(3)
    fault = hold(table, "POST", after=True)
    await table.host.click(table.board, "t:*:begin")
    await house.world.until(lambda: fault.hits and len(table.boards) == 2)
    return table


async def before_the_old_board_is_removed(house: House) -> Table:
    table = await house.lobby(3)
    fault = hold(table, "DELETE")
    await table.host.click(table.board, "t:*:begin")
    await house.world.until(lambda: fault.hits)
    return table


async def before_the_edit_of_the_board(house: House) -> Table:
    table = await house.table(3)
    fault = hold(table, "PATCH")
    await table.move()
    await house.world.until(lambda: fault.hits)
    return table


async def before_a_move_is_answered(house: House) -> Table:
    table = await house.table(2)
    asked = table.asked()
    await table.hand(asked)
    while True:
        fault = house.world.fault("POST", "/callback", delay=HELD)
        before = table.moves_written()
        part = offered(table.panels[asked])[0]
        values = None if "options" not in part else [part["options"][0]["value"]]
        await asked.forge(table.panels[asked], part["custom_id"], values, wait=False)
        await house.world.until(lambda f=fault: f.hits)
        if table.moves_written() != before:
            return table
        house.world.faults.remove(fault)
        table.panels[asked] = (await asked.click(table.board, "t:*:hand")).message
        await table.press_on(asked)
        if table.moves_written() != before:
            return table


async def before_a_round_is_over_on_the_board(house: House) -> Table:
    """Its result was sent, the new board was not."""
    table = await house.table(2)
    fault = hold(table, "POST", after=True)
    for _ in range(60):
        if fault.hits:
            break
        await table.move()
        await asyncio.sleep(0.02)
    return table


async def before_the_end_is_shown(house: House) -> Table:
    table = await house.table(2)
    fault = hold(table, "PATCH")
    await table.host.forge(table.board, f"t:{table.id}:0:endsure")
    await house.world.until(lambda: fault.hits)
    return table


async def before_a_mention_is_sent(house: House) -> Table:
    table = await house.table(2)
    fault = hold(table, "POST")
    house.world.log.clear()
    table.bot.advance(100)
    await house.world.until(lambda: fault.hits)
    assert table.row()["pinged"]
    return table


async def before_a_thread_has_its_table(house: House) -> Table:
    channel = await house.place()
    table = Table(house.bot, channel, house.people(channel, 3))
    fault = hold(table, "POST", "/threads", after=True)
    await table.host.slash(channel, "fix626 start", {"thread": True}, wait=False)
    await house.world.until(lambda: fault.hits and channel.threads)
    return table


INSTANTS: list[Callable[[House], Coroutine[Any, Any, Table]]] = [
    before_a_mention_is_sent,  # first, because it moves the clock of all
    before_the_board_is_sent,
    before_the_board_is_noted,
    before_the_first_board_is_sent,
    before_the_first_board_is_noted,
    before_the_old_board_is_removed,
    before_the_edit_of_the_board,
    before_a_round_is_over_on_the_board,
    before_the_end_is_shown,
    before_a_thread_has_its_table,
    before_a_join_is_answered,  # last, because they hold the answers of all
    before_a_move_is_answered,
]


async def test_every_table_goes_on_after_a_kill_at_its_worst_instant(killed: House) -> None:
    house, world = killed, killed.world
    tables = {instant.__name__: await instant(house) for instant in INSTANTS}
    panels = {name: dict(table.panels) for name, table in tables.items()}
    old = {name: [(m, m.custom_ids) for m in t.boards] for name, t in tables.items()}
    house.bot.kill()
    world.faults.clear()
    before = {name: state(t) for name, t in tables.items()}
    await house.bot.start()
    await world.quiet(0.6)
    assert {name: state(t) for name, t in tables.items()} == before
    wrong: dict[str, str] = {}
    for name, table in tables.items():
        try:
            await still_works(table, old[name], panels[name])
        except AssertionError as error:
            wrong[name] = f"{type(error).__name__}: {error}"[:600]
    assert not wrong, "\n".join(f"{k}: {v}" for k, v in wrong.items())
    mentions = world.calls("POST", f"/channels/{tables['before_a_mention_is_sent'].channel.id}/")
    assert sum(bool(c.body["allowed_mentions"].get("users")) for c in mentions) <= 1


def state(table: Table) -> Any:
    """What must be the same after a restart, deadlines but for the time it took."""
    rows = table.rows("SELECT * FROM tables WHERE channel_id = ?", table.channel.id)
    kept = ("id", "stage", "host_id", "options", "clock", "reminded", "pinged", "reason")
    matches = [
        table.rows("SELECT seed, seq, state FROM matches WHERE table_id = ?", row["id"])
        for row in rows
    ]
    seats = [
        table.rows("SELECT * FROM seats WHERE table_id = ? ORDER BY seat", row["id"])
        for row in rows
    ]
    return [{k: row[k] for k in kept} for row in rows], matches, seats


async def still_works(table: Table, old: list[Any], panels: dict[Person, Any]) -> None:
    """One live board in the channel, every old button answers, and people play on."""
    rows = table.rows("SELECT * FROM tables WHERE channel_id = ?", table.channel.id)
    live = [r for r in rows if r["stage"] in ("lobby", "playing")]
    await table.world.until(lambda: len(table.boards) == len(live) or not live, 3, "boards")
    if live:
        assert table.board.id == table.row()["board_id"]
    for message, ids in old:
        if message.id not in table.world.messages:
            continue  # it was taken away
        for custom_id in ids:
            verb = custom_id.split(":")[3]
            if verb in ("begin", "leave", "end"):
                continue  # they would do what they say
            done = await table.people[-1].forge(message, custom_id)
            assert done.kind == 6 or done.text, custom_id
    before = table.moves_written() if rows else 0
    for person, panel in panels.items():
        for part in offered(panel):
            values = [part["options"][0]["value"]] if "options" in part else None
            await person.forge(panel, part["custom_id"], values)
    if not live:
        await table.host.slash(table.channel, "fix626 start")
        await table.world.until(lambda: table.boards and "Join" in table.board.labels)
        return
    if live[0]["stage"] == "lobby":
        for person in table.people[1:]:
            await person.click(table.board, "t:*:join")
        host = next(p for p in table.people if p.id == table.row()["host_id"])
        await host.click(table.board, "t:*:begin")
        await table.world.until(lambda: "My hand" in table.board.labels)
        before = 0
    table.panels.clear()
    await table.move()
    assert table.moves_written() > before


async def test_a_kill_before_the_commit_means_it_never_happened(killed: House) -> None:
    """The disk is locked, the move waits, the process dies: it can be made again, once."""
    table = await killed.table(2)
    before, asked = table.secrets(), table.asked()
    await table.hand(asked)
    with closing(sqlite3.connect(table.bot.database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for _ in range(4):
            part = offered(table.panels[asked])[0]
            values = None if "options" not in part else [part["options"][0]["value"]]
            done = await asked.forge(table.panels[asked], part["custom_id"], values, wait=False)
            with suppress(AssertionError):
                await killed.world.until(lambda d=done: d.acked, 0.4)
            if not done.acked:
                break
        killed.bot.kill()
    await killed.bot.start()
    assert table.secrets() == before
    table.panels.clear()
    await table.move()
    assert table.moves_written() == 1


async def test_a_full_disk_refuses_and_recovers(killed: House) -> None:
    """Nothing is half made, whoever presses is told, and the log names the cause once."""
    table = await killed.table(2)
    process, asked = killed.bot._process, table.asked()
    assert process is not None
    await table.hand(asked)
    before = table.secrets()
    full = table.bot.database.with_name("table.db-wal").stat().st_size
    kept = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (full, kept[1]))
    for _ in range(6):
        done = await table.press_on(asked)
        if "save" in done.text:
            break
    assert "nothing has changed" in done.text
    late = killed.world.person("Late", table.guild)
    for verb in ("hand", "rules", "more"):
        assert (await late.click(table.board, f"t:*:{verb}")).text
    menu = await table.host.click(table.board, "t:*:more")
    refused = await table.host.click(menu.message, "t:*:auto")
    assert "save" in refused.text
    assert table.secrets() == before
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, kept)
    table.panels.clear()
    await table.move()
    assert table.moves_written() == 1
    assert sum("not saved" in line for line in killed.bot.output.splitlines()) == 1


async def test_only_the_process_itself_is_killed(killed: House) -> None:
    """What it started holds neither the database nor the next start."""
    channel = await killed.place()
    (ann,) = killed.people(channel, 1)
    table = Table(killed.bot, channel, [ann])
    await table.start(computers=2, level="hard")
    await table.begin()
    await table.move(ann)
    process = killed.bot._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait(5)
    await killed.bot.start()
    await table.move(ann)


# --- random presses, random kills --------------------------------------------------------------

KILLS = 200 if os.environ.get("SOAK") else 6
TABLES = 4


class Player:
    """Presses at random, and remembers what it was told was written."""

    def __init__(self, table: Table, chance: random.Random) -> None:
        self.table, self.chance = table, chance
        self.acknowledged = 0  # moves that were in the database when a press was answered

    async def run(self) -> None:
        while True:
            with suppress(AssertionError, KeyError, StopIteration, IndexError):
                await self.once()
            await asyncio.sleep(0.005)

    async def once(self) -> None:
        table, chance = self.table, self.chance
        if not table.boards:
            await asyncio.sleep(0.05)
            return
        person = chance.choice(table.people)
        if table.stage in ("over", "closed") or chance.random() < 0.05:
            await self.rest(person)
        elif table.stage == "lobby":
            await self.sit(person)
        else:
            await self.play(person)
        self.acknowledged = max(self.acknowledged, len(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        query = (
            "SELECT table_id, seq FROM entries JOIN tables ON id = table_id WHERE channel_id = ?"
        )
        return self.table.rows(query, self.table.channel.id)

    async def rest(self, person: Person) -> None:
        what = self.chance.choice(["again", "log", "rules", "more", "leave", "back", "auto"])
        if self.table.stage == "closed":
            await person.slash(self.table.channel, "fix626 start")
            return
        await person.forge(self.table.board, f"t:{self.table.id}:0:{what}")

    async def sit(self, person: Person) -> None:
        if len(self.table.seats()) < len(self.table.people):
            await person.click(self.table.board, "t:*:join")
        else:
            await person.click(self.table.board, "t:*:begin")

    async def play(self, person: Person) -> None:
        table = self.table
        if table.waits():
            person = table.asked()
        if person not in table.panels or not offered(table.panels[person]):
            await table.hand(person)
        await table.press_on(person, self.chance.choice)


def whole(table: Table) -> None:
    """Every match here is exactly what its journal leads to."""
    for row in table.rows("SELECT * FROM tables WHERE channel_id = ?", table.channel.id):
        found = table.rows("SELECT * FROM matches WHERE table_id = ?", row["id"])
        if not found:
            continue
        (match,) = found
        rules = GAMES[row["game"]]
        codec = Scribe(rules).codec
        entries = table.rows("SELECT * FROM entries WHERE table_id = ? ORDER BY seq", row["id"])
        journal = [(e["seat"], codec.load_action(e["action"])) for e in entries]
        again = replay(rules, match["seats"], match["seed"], json.loads(row["options"]), journal)
        assert again.seq == match["seq"] == len(entries)
        assert codec.dump_state(again.state) == match["state"]
        live = row["stage"] in ("lobby", "playing")
        assert (again.game.outcome(again.state) is None) or not live


async def worked(world: World, chance: random.Random) -> None:
    """Until the bot has made some calls, however fast it is here, and a little longer."""
    calls = len(world.log) + chance.randint(4, 40)
    with suppress(AssertionError):
        await world.until(lambda: len(world.log) >= calls, 3)
    await asyncio.sleep(0.03 * chance.random())


async def test_random_presses_and_random_kills(killed: House) -> None:
    house, world = killed, killed.world
    chance = random.Random(int(os.environ.get("SEED", "626")))  # noqa: S311
    tables = [await house.lobby(2 + n % 2) for n in range(TABLES)]
    players = [Player(table, chance) for table in tables]
    for kill in range(KILLS):
        work = [asyncio.ensure_future(p.run()) for p in players]
        await worked(world, chance)
        house.bot.kill()
        told = [p.acknowledged for p in players]
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        for table, player, count in zip(tables, players, told, strict=True):
            assert len(player.rows()) >= count, f"kill {kill}"
            whole(table)
            table.panels.clear()
        await house.bot.start()
    assert sum(p.acknowledged for p in players) > 0
    await world.quiet(0.5)
    for table in tables:
        if table.stage not in ("lobby", "playing"):
            await table.host.slash(table.channel, "fix626 start")
            await world.until(lambda t=table: t.stage == "lobby")
        await world.until(lambda t=table: t.boards and t.board.id == t.row()["board_id"])
        live = [m for m in table.boards if m.custom_ids[0].split(":")[1] == str(table.id)]
        assert len(live) == 1
        if table.stage == "playing" and table.waits():
            before = table.moves_written()
            await table.move()
            assert table.moves_written() > before
