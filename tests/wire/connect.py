"""Run the bot, unmodified, against the loopback Discord: `python connect.py bot run`.

DISCORD_API and DISCORD_GATEWAY say where it listens. Nothing of the bot is changed, only the two
addresses of discord.py; and on Linux the process dies with the tests that started it.
"""

import ctypes
import os
import runpy
import signal
import sys
from pathlib import Path

import discord.gateway
import discord.http
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
    runpy.run_module(module, run_name="__main__", alter_sys=True)


main()
