"""What an operator types, and the one sentence that each mistake gets."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sqlite3
from contextlib import closing, suppress
from types import SimpleNamespace

import aiohttp
import discord
import pytest

from bot import __main__ as program
from bot.__main__ import main
from bot.registry import GAMES
from bot.settings import Misconfigured, read_settings
from bot.storage import Storage

TOKEN = ".".join(["part", "of", "three"])
SEED = "ab" * 32


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """An empty folder, and none of the settings of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "DATABASE", "THINK_SECONDS", "MISCHIEF_DECK", "LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture(autouse=True)
def levels():
    """A command sets how much is logged; other tests shall not notice."""
    loggers = [logging.getLogger(name) for name in (None, "bot", "cogs")]
    before = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)


@pytest.mark.parametrize(
    ("command", "environment", "said"),
    [
        (["run"], {}, "DISCORD_TOKEN is not set"),
        (["check"], {}, "DISCORD_TOKEN is not set"),
        (["run"], {"DISCORD_TOKEN": "nonsense"}, "does not look like a bot token"),
        (["check"], {"THINK_SECONDS": "soon"}, "THINK_SECONDS is wrong"),
        (["check"], {"THINK_SECONDS": "-1"}, "THINK_SECONDS is wrong"),
        (["check"], {"LOG_LEVEL": "LOUD"}, "LOG_LEVEL is wrong"),
        (["check"], {"DISCORD_TOKEN": TOKEN, "MISCHIEF_DECK": "none.csv"}, "MISCHIEF_DECK"),
        (["run"], {"DISCORD_TOKEN": TOKEN, "MISCHIEF_DECK": "none.csv"}, "MISCHIEF_DECK"),
        (["run"], {"DISCORD_TOKEN": TOKEN, "DATABASE": "/dev/null/x.db"}, "can't be written"),
        (["check"], {"DISCORD_TOKEN": TOKEN, "DATABASE": "/dev/null/x.db"}, "can't be written"),
        (["check"], {"DISCORD_TOKEN": TOKEN, "DATABASE": "/dev/null/x/y.db"}, "can't be written"),
        (["check"], {"DISCORD_TOKEN": TOKEN, "DATABASE": "."}, "can't be written"),
        (["backup", "copy.db"], {}, "no database to copy yet"),
        (["simulate", "fix626", "easy"], {}, "takes 2 to 5 players, not 1"),
        (["simulate", "fix626", "easy", "easy", "--option", "x=1"], {}, "no option x=1"),
        (["simulate", "fix626", "easy", "easy", "--games", "0"], {}, "At least one game"),
        (["verify", "fix626", "xyz", "--seats", "2"], {}, "64 hexadecimal digits"),
        (["verify", "fix626", "ab", "--seats", "2"], {}, "64 hexadecimal digits"),
        (["verify", "fix626", SEED + "ab", "--seats", "2"], {}, "64 hexadecimal digits"),
        (["verify", "fix626", f"{SEED[:62]} a", "--seats", "2"], {}, "64 hexadecimal digits"),
        (["verify", "fix626", SEED, "--seats", "9"], {}, "takes 2 to 5 players, not 9"),
        (["verify", "fix626", SEED, "--seats", "2", "--option", "x=1"], {}, "no options at all"),
        (["verify", "stitches", SEED, "--seats", "3", "--option", "torso"], {}, "torso=False|True"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_mistake_gets_one_sentence(command, environment, said, monkeypatch, capsys):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main(command) == 1
    printed = capsys.readouterr().err
    assert said in printed
    assert len(printed.strip().splitlines()) == 1
    assert "Traceback" not in printed


def test_check_says_that_all_is_well_and_leaves_nothing(elsewhere, monkeypatch, capsys):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DATABASE", "new/folder/table.db")
    assert main(["check"]) == 0
    printed = capsys.readouterr().out
    assert "in order" in printed
    assert "Discord was not asked" in printed
    assert list(elsewhere.iterdir()) == []


def test_check_finds_a_file_that_is_no_database(elsewhere, monkeypatch, capsys):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    (elsewhere / "stitch-table.db").write_text("a shopping list " * 100)
    assert main(["check"]) == 1
    assert "not a database" in capsys.readouterr().err


def test_a_backup_is_a_copy_and_never_overwrites(elsewhere, monkeypatch, capsys):
    storage = asyncio.run(_made(elsewhere / "stitch-table.db"))
    assert storage is not None
    assert main(["backup", "copy.db"]) == 0
    with closing(sqlite3.connect(elsewhere / "copy.db")) as copy:
        assert copy.execute("SELECT value FROM meta WHERE key = 'mark'").fetchone() == ("kept",)
    for taken in ("copy.db", "stitch-table.db", ".", "/"):
        assert main(["backup", taken]) == 1
        assert "never overwrites" in capsys.readouterr().err
    for nowhere in ("none/copy.db", "copy.db/copy.db"):
        assert main(["backup", nowhere]) == 1
        assert "The backup can't be written" in capsys.readouterr().err
    assert sorted(elsewhere.glob("*.db")) == [elsewhere / "copy.db", elsewhere / "stitch-table.db"]


async def _made(path):
    storage = await Storage.open(path)
    await storage.set_meta("mark", "kept")
    await storage.close()
    return storage


def test_empty_values_count_as_not_set(elsewhere):
    (elsewhere / ".env").write_text("DISCORD_TOKEN=\nDATABASE=\nTHINK_SECONDS=\n")
    assert read_settings().think_seconds == 1.5


def test_an_env_file_that_is_no_text(elsewhere):
    (elsewhere / ".env").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Misconfigured):
        read_settings()


def test_the_token_is_never_shown(monkeypatch):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert TOKEN not in repr(read_settings())


def test_simulating_prints_a_table_or_json(capsys):
    command = ["simulate", "fix626", "easy", "normal", "--games", "3"]
    assert main(command) == 0
    assert "| 1 | normal |" in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 3
    assert sum(s["share"] for s in report["standings"]) == pytest.approx(1)


@pytest.mark.parametrize("key", GAMES)
def test_a_seed_deals_the_same_again(key, capsys):
    command = ["verify", key, SEED, "--seats", "3"]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert main(["verify", key, SEED.upper(), "--seats", "3"]) == 0
    assert capsys.readouterr().out == first
    for said in ("# Seat 1 saw", "# Seat 3 saw", "# All that lay there then", "deck: ["):
        assert said in first
    assert main(["verify", key, "cd" * 32, "--seats", "3"]) == 0
    assert capsys.readouterr().out != first


def test_what_a_seed_dealt_is_said_in_words_and_in_whole(capsys):
    """docs/fairness.md says what stands where."""
    assert main(["verify", "fix626", SEED, "--seats", "3"]) == 0
    first, second, third, everything = capsys.readouterr().out.split("\n# ")[1:]
    assert "**2 Cobra Bubbles**" in first
    assert "**0 Gantu** · just drawn" in second
    assert "**5 Leroy**" in third
    assert 'hands: [["cobra"], ["councilwoman", "gantu"], ["leroy"]]' in everything
    assert main(["verify", "mischief", SEED, "--seats", "2"]) == 0
    assert "  deck: [" in capsys.readouterr().out
    rematch = ["--option", "first=1", "--option", "kept=0:20:2"]
    assert main(["verify", "stitches", SEED, "--seats", "3", *rematch]) == 0
    dealt = capsys.readouterr().out
    assert "bodies: [[46, 47, 20, 48], [46, 47, 49, 48], [46, 47, 49, 48]]" in dealt
    assert "opener: 1" in dealt


def test_whoever_reads_may_stop_reading(monkeypatch):
    """As in `python -m bot verify ... | head -1`."""
    read, write = os.pipe()
    os.close(read)
    with suppress(BrokenPipeError), os.fdopen(write, "w") as gone:
        monkeypatch.setattr("sys.stdout", gone)
        assert main(["verify", "stitches", SEED, "--seats", "3"]) == 1


def test_only_our_own_lines_are_logged_in_full(monkeypatch):
    """discord.py's DEBUG lines show what is sent: hands, and the keys of answers."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    assert main(["check"]) == 0
    for ours in ("bot.manager", "cogs.tables"):
        assert logging.getLogger(ours).isEnabledFor(logging.DEBUG)
    for theirs in ("discord.http", "discord.gateway", "aiosqlite"):
        assert logging.getLogger(theirs).isEnabledFor(logging.INFO)
        assert not logging.getLogger(theirs).isEnabledFor(logging.DEBUG)


# --- connecting ----------------------------------------------------------------------------------


class FakeBot:
    """A bot that meets, when it starts and when it closes, what the test wants."""

    def __init__(self, starts, closes=None):
        self.starts, self.closes = starts, closes
        self.closed = False

    async def start(self, token):
        await self.starts()

    async def close(self):
        if self.closes is not None:
            await self.closes()
        self.closed = True


@pytest.fixture
def connect(monkeypatch):
    """`run` with a fake bot; afterwards its database must be closed."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)

    def run(bot):
        monkeypatch.setattr(program, "build", lambda *_: bot)
        code = main(["run"])
        assert bot.closed
        storage = asyncio.run(Storage.open(read_settings().database))
        asyncio.run(storage.close())
        return code

    return run


def _ended(code):
    return discord.ConnectionClosed(SimpleNamespace(close_code=code), shard_id=0)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (discord.GatewayNotFound(), "names no gateway"),
        (_ended(4000), "ended the connection (code 4000)"),
        (_ended(4004), "refused DISCORD_TOKEN"),
        (discord.LoginFailure("no"), "refused DISCORD_TOKEN"),
        (discord.PrivilegedIntentsRequired(0), "an intent is not granted"),
        (aiohttp.ServerDisconnectedError(), "can't be reached"),
        (OSError("no route"), "can't be reached: no route"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_why_there_is_no_connection_is_one_sentence(error, said, connect, capsys):
    async def starts():
        raise error

    assert connect(FakeBot(starts)) == 1
    printed = capsys.readouterr().err
    assert said in printed
    assert len(printed.strip().splitlines()) == 1


def test_a_second_signal_interrupts_nothing(connect):
    """Neither what still ends inside, nor the closing after it."""
    went: list[str] = []

    async def signalled():
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(20):
            await asyncio.sleep(0)

    async def starts():
        os.kill(os.getpid(), signal.SIGTERM)
        try:
            await asyncio.Event().wait()
        finally:
            await signalled()
            went.append("ended")

    async def closes():
        await signalled()
        went.append("closed")

    assert connect(FakeBot(starts, closes)) == 0
    assert went == ["ended", "closed"]


def test_the_database_is_closed_whatever_happens(monkeypatch, connect):
    async def fails():
        raise ZeroDivisionError

    bot = FakeBot(fails, fails)
    with pytest.raises(ZeroDivisionError):
        connect(bot)
    bot.closes = None
    assert connect(FakeBot(lambda: asyncio.sleep(0))) == 0
