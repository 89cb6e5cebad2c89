"""What an operator types, and the one sentence that each mistake gets."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing

import pytest

from bot.__main__ import main
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
        (["run"], {"DISCORD_TOKEN": TOKEN, "DATABASE": "/dev/null/x.db"}, "can't be written"),
        (["simulate", "fix626", "easy"], {}, "2 to 5 players"),
        (["simulate", "fix626", "easy", "easy", "--games", "0"], {}, "At least one game"),
        (["verify", "fix626", "xyz", "--seats", "2"], {}, "not hexadecimal"),
        (["verify", "fix626", SEED, "--seats", "9"], {}, "2 to 5 players"),
        (["verify", "fix626", SEED, "--seats", "2", "--option", "x=1"], {}, "x"),
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


def test_check_says_that_all_is_well(monkeypatch, capsys):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert main(["check"]) == 0
    assert "in order" in capsys.readouterr().out


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
    assert main(["backup", "copy.db"]) == 1
    assert "never overwrites" in capsys.readouterr().err


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


def test_a_seed_deals_the_same_again(capsys):
    command = ["verify", "fix626", SEED, "--seats", "3"]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert main(command) == 0
    assert capsys.readouterr().out == first
    assert "deck" in first
