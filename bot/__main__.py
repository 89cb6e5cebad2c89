"""The command line, and the only place that wires things together."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import discord

from bot import registry
from bot.client import StitchTable, permissions
from bot.sandbox import PEOPLE, SandboxUnavailable, serve
from bot.settings import Misconfigured, Settings, read_settings
from bot.storage import Storage, StorageError, backup, check
from bot.texts import ENGLISH, shipped
from bot.thinking import Players
from engine.errors import BadDeck

log = logging.getLogger("bot")

# The one place where the time is read; everybody else is handed this function.
wall_clock = time.time  # noqa: TID251


class Failure(Exception):
    """Why the command could not be carried out, as one sentence for the operator."""


def build(settings: Settings, now: Callable[[], float], database: Path) -> StitchTable:
    """The whole bot, not yet connected. Raises Failure."""
    try:
        games = registry.games(settings)
    except BadDeck as error:
        problem = str(error.params["problem"])
        sentence = shipped().words(ENGLISH)(f"deck-problem-{problem.removeprefix('deck-')}")
        raise Failure(_sentence(error.code, **{**error.params, "problem": sentence})) from None
    return StitchTable(
        open_storage=lambda: Storage.open(database),
        games=games,
        presenters=registry.PRESENTERS,
        extensions=registry.EXTENSIONS,
        texts=shipped(),
        thinker=Players(registry.PLAYERS, workers=settings.computer_workers),
        now=now,
        think_seconds=settings.think_seconds,
        development_server=settings.development_server,
        keep_days=settings.keep_days,
    )


def _sentence(code: str, **params: str | int) -> str:
    return shipped().words(ENGLISH)(f"error-{code}", **params)


async def _run(settings: Settings) -> None:
    """Connect and play until SIGTERM or SIGINT. Raises Failure."""
    token = settings.token()
    bot = build(settings, wall_clock, settings.database)
    task = asyncio.ensure_future(bot.start(token))
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        log.info("stopping")
    except discord.LoginFailure:
        raise Failure("Discord refused DISCORD_TOKEN: copy it again from the Bot page") from None
    except discord.PrivilegedIntentsRequired:
        raise Failure("Discord refused the connection: an intent is not granted") from None
    except (discord.HTTPException, OSError) as error:
        raise Failure(f"Discord can't be reached: {error}") from None
    finally:
        await bot.close()


async def _sandbox(settings: Settings, *, browser: bool) -> None:
    """The real bot on a local page. Its world is new every time, and so is its database."""
    with tempfile.TemporaryDirectory(prefix="stitch-table-") as folder:
        await serve(
            lambda clock: build(settings, clock, Path(folder) / "sandbox.db"),
            people=PEOPLE,
            port=settings.sandbox_port,
            open_browser=browser,
            say=lambda line: print(line, flush=True),
        )


async def _check(settings: Settings) -> None:
    """Everything that can be wrong before the start, without connecting."""
    settings.token()
    build(settings, wall_clock, settings.database)
    if problems := await check(settings.database):
        raise Failure(f"The database is damaged: {problems[0]} (restore a backup)")
    print(f"Settings and database are in order: {settings.database}")
    print(f"The bot needs these permissions: {permissions().value}")


async def _backup(settings: Settings, target: Path) -> None:
    await backup(settings.database, target)
    print(f"Saved {settings.database} to {target}")


def _log_to_stderr(level: str, *, quiet: bool) -> None:
    """Log as the operator set it; the sandbox's terminal shows its addresses and what is wrong."""
    logging.basicConfig(
        level=max("WARNING", level, key=logging.getLevelName) if quiet else level,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description="Stitch Table")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("run", help="connect to Discord and play")
    sandbox = commands.add_parser("sandbox", help="play on a local page, without a token")
    sandbox.add_argument("--no-browser", action="store_true", help="only print the address")
    commands.add_parser("check", help="say what is wrong before the start")
    backup = commands.add_parser("backup", help="copy the database, also while the bot runs")
    backup.add_argument("target", type=Path)
    return parser


def _work(arguments: argparse.Namespace, settings: Settings) -> None:
    match arguments.command:
        case "run":
            asyncio.run(_run(settings))
        case "sandbox":
            asyncio.run(_sandbox(settings, browser=not arguments.no_browser))
        case "check":
            asyncio.run(_check(settings))
        case "backup":
            asyncio.run(_backup(settings, arguments.target))
        case unknown:
            raise AssertionError(unknown)


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out one command; 0 when it went well, 1 with one sentence when it did not."""
    arguments = _parser().parse_args(argv)
    try:
        settings = read_settings()
        _log_to_stderr(settings.log_level, quiet=arguments.command == "sandbox")
        _work(arguments, settings)
    except (Misconfigured, Failure, SandboxUnavailable) as error:
        print(error, file=sys.stderr)
        return 1
    except StorageError as error:
        print(_sentence(error.code, **error.params), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
