from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.wire.process import BotProcess
from tests.wire.rest import serve
from tests.wire.world import World


@pytest.fixture
def world_options() -> dict[str, Any]:
    """What `World` is made with; override it in a module or by indirect parameters."""
    return {}


@pytest.fixture
async def world(world_options: dict[str, Any]) -> AsyncIterator[World]:
    """A Discord on loopback; fails the test if the bot ever sent what Discord refuses."""
    async with serve(World(**world_options)) as world:
        yield world
    assert not world.violations
    assert not world.gaps


@pytest.fixture
def new_bot(world: World, tmp_path: Path) -> Iterator[Callable[..., BotProcess]]:
    """Makes bot processes, not yet started; none of them outlives the test."""
    made: list[BotProcess] = []

    def make(*command: str, **how: Any) -> BotProcess:
        folder = tmp_path / f"bot{len(made)}"
        folder.mkdir()
        made.append(BotProcess(world, folder, *command, **how))
        return made[-1]

    try:
        yield make
    finally:
        for bot in made:
            bot.kill()
    for bot in made:
        assert bot.may_fail or not bot.troubles, bot.output


@pytest.fixture
async def bot(new_bot: Callable[..., BotProcess]) -> BotProcess:
    """The project's own bot, connected; `world` shows what it did so far."""
    bot = new_bot()
    await bot.start()
    return bot
