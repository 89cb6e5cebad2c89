"""The command line, and the only place that wires things together."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import discord

from bot import registry
from bot.care import backup, check
from bot.client import StitchTable, permissions
from bot.database import StorageError
from bot.sandbox import PEOPLE, SandboxUnavailable, serve
from bot.settings import Misconfigured, Settings, read_settings
from bot.simulate import simulate
from bot.storage import Storage
from bot.tables import AnyGame
from bot.texts import ENGLISH, shipped
from bot.thinking import Players
from bot.ui.frame import LEVELS
from bot.ui.replies import UNREACHABLE
from bot.verify import dealt
from engine.core import Option, OptionValue
from engine.errors import BadDeck, BadOption, BadSetup
from engine.match import start

log = logging.getLogger("bot")

# The one place where the time is read; everybody else is handed this function.
wall_clock = time.time  # noqa: TID251


REFUSED = "Discord refused DISCORD_TOKEN: copy it again from the Bot page"
NOT_AUTHENTICATED = 4004
"""The code with which the gateway ends a connection whose token is not valid (any more)."""


class Failure(Exception):
    """Why the command could not be carried out, as one sentence for the operator."""


def build(
    settings: Settings,
    now: Callable[[], float],
    open_storage: Callable[[], Awaitable[Storage]],
) -> StitchTable:
    """The whole bot, not yet connected. Raises Failure."""
    return StitchTable(
        open_storage=open_storage,
        games=_games(settings),
        presenters=registry.PRESENTERS,
        extensions=registry.EXTENSIONS,
        texts=shipped(),
        thinker=Players(registry.PLAYERS, workers=settings.computer_workers),
        now=now,
        think_seconds=settings.think_seconds,
        beat_seconds=settings.beat_seconds,
        development_server=settings.development_server,
        keep_days=settings.keep_days,
    )


def _games(settings: Settings) -> dict[str, AnyGame]:
    """The games with the decks that the operator set. Raises Failure."""
    try:
        return registry.games(settings)
    except BadDeck as error:
        problem = str(error.params["problem"])
        sentence = shipped().words(ENGLISH)(f"deck-problem-{problem.removeprefix('deck-')}")
        raise Failure(_sentence(error.code, **{**error.params, "problem": sentence})) from None


def _sentence(code: str, **params: str | int) -> str:
    return shipped().words(ENGLISH)(f"error-{code}", **params)


async def _run(settings: Settings) -> None:
    """Connect and play until SIGTERM or SIGINT. Raises Failure."""
    token = settings.token()
    # Before connecting: what is wrong with the file is told without Discord.
    storage = await Storage.open(settings.database)

    async def opened() -> Storage:
        return storage

    try:
        await _connect(build(settings, wall_clock, opened), token)
    finally:
        await storage.close()


async def _connect(bot: StitchTable, token: str) -> None:
    """Play until a signal ends it, and close. Raises Failure."""
    playing = asyncio.ensure_future(bot.start(token))

    def stop() -> None:
        # Only once: what ends because of the first signal is not interrupted by another.
        if not playing.cancelling():
            playing.cancel()

    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop)
    try:
        await playing
    except asyncio.CancelledError:
        log.info("stopping")
    except discord.LoginFailure:
        raise Failure(REFUSED) from None
    except discord.PrivilegedIntentsRequired:
        raise Failure("Discord refused the connection: an intent is not granted") from None
    except discord.ConnectionClosed as error:
        if error.code == NOT_AUTHENTICATED:
            raise Failure(REFUSED) from None
        raise Failure(f"Discord ended the connection (code {error.code})") from None
    except discord.GatewayNotFound:
        raise Failure("Discord can't be reached: it names no gateway to connect to") from None
    except (discord.HTTPException, *UNREACHABLE) as error:
        raise Failure(f"Discord can't be reached: {str(error) or type(error).__name__}") from None
    finally:
        await bot.close()


async def _sandbox(settings: Settings, *, browser: bool) -> None:
    """The real bot on a local page. Its world is new every time, and so is its database."""
    with tempfile.TemporaryDirectory(prefix="stitch-table-") as folder:
        database = Path(folder) / "sandbox.db"
        await serve(
            lambda clock: build(settings, clock, lambda: Storage.open(database)),
            people=PEOPLE,
            port=settings.sandbox_port,
            open_browser=browser,
            say=lambda line: print(line, flush=True),
        )


async def _check(settings: Settings) -> None:
    """Everything that can be wrong before the start; connects to nothing, leaves nothing behind."""
    settings.token()
    build(settings, wall_clock, lambda: Storage.open(settings.database))
    if problems := await check(settings.database):
        raise Failure(f"The database is damaged: {problems[0]} (restore a backup)")
    print(f"Settings, decks and database are in order: {settings.database}")
    print("Discord was not asked: whether it takes the token shows when the bot runs.")
    needed = sorted(name.replace("_", " ") for name, wanted in permissions() if wanted)
    print(f"The bot needs these permissions: {', '.join(needed)}")


async def _backup(settings: Settings, target: Path) -> None:
    await backup(settings.database, target)
    print(f"Saved {settings.database} to {target}")


def _log_to_stderr(level: str, *, quiet: bool) -> None:
    """Log as the operator set it; the sandbox's terminal shows its addresses and what is wrong."""
    own = max("WARNING", level, key=logging.getLevelName) if quiet else level
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    # Libraries at DEBUG write what they send and get, hands and tokens too; our own lines do not.
    logging.getLogger().setLevel(max("INFO", own, key=logging.getLevelName))
    for name in ("bot", "cogs"):
        logging.getLogger(name).setLevel(own)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description="Stitch Table")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("run", help="connect to Discord and play")
    sandbox = commands.add_parser("sandbox", help="play on a local page, without a token")
    sandbox.add_argument("--no-browser", action="store_true", help="only print the address")
    simulate = commands.add_parser("simulate", help="let computer players play in bulk")
    simulate.add_argument("game", choices=sorted(registry.GAMES))
    simulate.add_argument("levels", nargs="+", choices=LEVELS, help="one for each seat")
    simulate.add_argument("--games", type=int, default=100, help="how many (100)")
    simulate.add_argument("--json", action="store_true", help="print JSON instead of a table")
    verify = commands.add_parser("verify", help="deal again from a game's published seed")
    verify.add_argument("game", choices=sorted(registry.GAMES))
    verify.add_argument("seed", help="64 hexadecimal digits")
    offered = "; ".join(
        f"{key}: {names}" for key, game in registry.GAMES.items() if (names := _offered(game))
    )
    for command in (simulate, verify):
        command.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help=f"an option of the game, as often as needed ({offered})",
        )
    verify.add_argument("--seats", type=int, required=True, help="how many played")
    commands.add_parser("check", help="say what is wrong before the start")
    backup = commands.add_parser("backup", help="copy the database, also while the bot runs")
    backup.add_argument("target", type=Path, help="the new file")
    return parser


def _simulate(settings: Settings, arguments: argparse.Namespace) -> None:
    """Raises Failure."""
    key: str = arguments.game
    game = _games(settings)[key]
    if arguments.games < 1:
        raise Failure("At least one game must be played")
    with _told(game):
        options = _options(game, arguments.option)
        report = simulate(game, registry.PLAYERS[key], arguments.levels, arguments.games, options)
    print(report.as_json() if arguments.json else report.as_table())


def _verify(settings: Settings, arguments: argparse.Namespace) -> None:
    """Show what a seed dealt. Raises Failure."""
    key: str = arguments.game
    game = _games(settings)[key]
    words = shipped().words(ENGLISH)
    if re.fullmatch("[0-9a-fA-F]{64}", arguments.seed) is None:
        raise Failure(words("operator-bad-seed"))
    seed = bytes.fromhex(arguments.seed)
    with _told(game):
        match, _ = start(game, arguments.seats, seed, _options(game, arguments.option))
    print(dealt(match, registry.PRESENTERS[key], words))


@contextmanager
def _told(game: AnyGame) -> Generator[None]:
    """What the rules refuse is told to the operator, who sits at no table. Raises Failure."""
    words = shipped().words(ENGLISH)
    try:
        yield
    except BadSetup as error:
        raise Failure(words("operator-bad-setup", **error.params)) from None
    except BadOption as error:
        offered = _offered(game) or words("operator-no-options")
        raise Failure(words("operator-bad-option", **error.params, offered=offered)) from None


def _offered(game: AnyGame) -> str:
    """The options that a table can have, and their values."""
    return ", ".join(
        f"{option.key}={'|'.join(map(str, option.values))}"
        for option in game.info.options
        if not option.carried
    )


def _options(game: AnyGame, written: Sequence[str]) -> dict[str, OptionValue]:
    """Options as typed, KEY=VALUE each. Raises BadOption."""
    chosen: dict[str, OptionValue] = {}
    for item in written:
        key, _, value = item.partition("=")
        option = next((o for o in game.info.options if o.key == key), None)
        meant = None if option is None else _value(option, value)
        if meant is None:
            raise BadOption(option=key, value=value)
        chosen[key] = meant
    return chosen


def _value(option: Option, written: str) -> OptionValue | None:
    """The option's value that was typed; a carried one may be anything of its type."""
    if option.carried:
        digits = written.removeprefix("-").isdecimal()
        if isinstance(option.default, int):
            return int(written) if digits else None
        return written
    return next((v for v in option.values if str(v).casefold() == written.casefold()), None)


def _work(arguments: argparse.Namespace, settings: Settings) -> None:
    match arguments.command:
        case "run":
            asyncio.run(_run(settings))
        case "sandbox":
            asyncio.run(_sandbox(settings, browser=not arguments.no_browser))
        case "check":
            asyncio.run(_check(settings))
        case "simulate":
            _simulate(settings, arguments)
        case "verify":
            _verify(settings, arguments)
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
        sys.stdout.flush()
    except (Misconfigured, Failure, SandboxUnavailable) as error:
        print(error, file=sys.stderr)
        return 1
    except StorageError as error:
        print(_sentence(error.code, **error.params), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever reads what is printed has enough; at its end Python would complain once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
