"""Run the bot, unmodified, against the loopback Discord: `python connect.py bot run`.

DISCORD_API and DISCORD_GATEWAY say where it listens. Nothing of the bot is changed but discord.py's
two addresses and, for tests that can't wait, the clock: the file BOT_CLOCK says by how many seconds
it is ahead, BOT_TICK how often the bot looks at it, and discord.py waits less for more servers to
arrive. On Linux the process dies with the tests that started it.
"""

import ctypes
import os
import runpy
import signal
import sys
import time
from pathlib import Path
from typing import Any

import discord.gateway
import discord.http
import discord.state
import yarl

PR_SET_PDEATHSIG = 1


def main() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    discord.http.Route.BASE = os.environ["DISCORD_API"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY"])
    sys.path[0] = str(Path(__file__).parents[2])
    module = sys.argv[1]
    sys.argv = sys.argv[1:]
    if module == "bot" and "BOT_CLOCK" in os.environ:
        run_ahead(Path(os.environ["BOT_CLOCK"]), float(os.environ["BOT_TICK"]))
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def run_ahead(clock: Path, tick: float) -> None:
    """The project's bot with a clock that tests can move."""
    from bot import __main__ as program
    from bot.client import StitchTable

    def moved() -> float:
        ahead = clock.read_text() if clock.exists() else ""
        return time.time() + float(ahead or 0)  # noqa: TID251

    program.wall_clock = moved
    from bot import client

    client.STANDSTILL = float("inf")  # a jump of this clock is no sleep
    StitchTable._tick.change_interval(seconds=tick)
    start = discord.state.ConnectionState.__init__

    def quick(self: discord.state.ConnectionState, **options: Any) -> None:
        start(self, guild_ready_timeout=0.3, **options)

    discord.state.ConnectionState.__init__ = quick
    sys.exit(program.main())


if __name__ == "__main__":  # not in the bot's own workers, which import this file
    main()
