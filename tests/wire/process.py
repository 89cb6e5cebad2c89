"""The bot as its own process: started, stopped, killed, started again."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from tests.wire.world import World

CONNECT = Path(__file__).with_name("connect.py")
TICK = 0.02  # a process has nothing to wait on, it must be asked
READY, READY_LONGEST = "ready in", 1.5
BOT_TICK = 0.1  # seconds between two looks at the clock; the bot's own is a whole one
TROUBLE = (
    "Traceback (most recent call last)",
    "Task exception was never retrieved",
    "was never awaited",
)
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")


def obey_permissions() -> None:
    """Let what this process becomes read and write no more than permission bits allow, as root."""
    if os.geteuid() == 0 and sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


class BotProcess:
    """One bot against one world; what it prints goes to a file."""

    def __init__(
        self,
        world: World,
        folder: Path,
        *command: str,
        env: dict[str, str] | None = None,
    ) -> None:
        self.world, self.folder = world, folder
        self.command = command or ("bot", "run")
        self.database = folder / "table.db"
        self.extra = env or {}
        self.ahead = 0.0  # seconds by which its clock is ahead of ours
        self.clock = folder / "clock"
        self.printed = folder / "bot.log"
        self.plain = False  # whether it obeys what files permit, also when root runs the tests
        self.may_fail = False  # whether tracebacks are part of the test
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def returncode(self) -> int | None:
        return None if self._process is None else self._process.poll()

    @property
    def output(self) -> str:
        return self.printed.read_text(errors="replace") if self.printed.exists() else ""

    @property
    def troubles(self) -> list[str]:
        """The lines of the output that tell of an unhandled error."""
        return [line for line in self.output.splitlines() if any(t in line for t in TROUBLE)]

    def env(self) -> dict[str, str]:
        kept = {k: os.environ[k] for k in INHERITED if k in os.environ}
        return kept | {
            "DISCORD_API": f"{self.world.address}/api/v10",
            "DISCORD_GATEWAY": self.world.address.replace("http", "ws") + "/gateway",
            "DISCORD_TOKEN": self.world.token,
            "DATABASE": str(self.database),
            "BOT_CLOCK": str(self.clock),
            "BOT_TICK": str(BOT_TICK),
            "PYTHONUNBUFFERED": "1",
            **self.extra,
        }

    def advance(self, seconds: float) -> None:
        """Let the bot's clock jump, and the world's with it."""
        self.ahead += seconds
        self.world.advance(seconds)
        written = self.clock.with_suffix(".new")
        written.write_text(str(self.ahead))
        written.replace(self.clock)

    def launch(self) -> None:
        """Start the process without waiting for it."""
        assert not self.running, "it runs already"
        with self.printed.open("ab") as printed:
            self._process = subprocess.Popen(
                [sys.executable, str(CONNECT), *self.command],
                cwd=self.folder,  # where no .env of a developer lies
                env=self.env(),
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=obey_permissions if self.plain else None,
            )

    async def start(self, within: float = 20.0) -> None:
        """Start it and wait until it is connected and has done what it does at first."""
        before, ready = self.world.gateway.identified, self.output.count(READY)
        self.launch()
        async with asyncio.timeout(within):
            while self.world.gateway.identified == before:
                assert self.running, f"the bot ended:\n{self.output}"
                await asyncio.sleep(TICK)
        # In an outage it is never ready, and some tests let it log nothing.
        for _ in range(int(READY_LONGEST / TICK)):
            if self.output.count(READY) > ready:
                break
            await asyncio.sleep(TICK)
        await self.world.quiet(0.1)

    def kill(self) -> None:
        """kill -9, with everything it started."""
        if self._process is None:
            return
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(5)
        self._process = None

    async def restart(self) -> None:
        """kill -9 and start again on the same database."""
        self.kill()
        await self.start()

    async def stop(self, within: float = 10.0) -> int:
        """Ask it to end, as the host of a bot does; its exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return await self.ended(within)

    async def ended(self, within: float = 10.0) -> int:
        """Wait for it to end by itself; its exit code."""
        assert self._process is not None
        async with asyncio.timeout(within):
            while self._process.poll() is None:  # noqa: ASYNC110
                await asyncio.sleep(TICK)
        return self._process.returncode
