from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.wire.process import BotProcess
from tests.wire.rest import serve
from tests.wire.table import House
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


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    async with serve(World()) as world:
        env = {"THINK_SECONDS": "0", "BEAT_SECONDS": "0"}
        bot = BotProcess(world, tmp_path_factory.mktemp("house"), env=env)
        try:
            yield House(bot)
        finally:
            bot.kill()


@pytest_asyncio.fixture(loop_scope="session")
async def house(shared_house: House) -> AsyncIterator[House]:
    """The project's own bot, running, with nothing of another test in sight.

    Whatever a test does with it: every press is answered, only the person who pressed sees the
    answer, Discord refuses nothing for its form, and no traceback is printed.
    """
    house, world, bot = shared_house, shared_house.world, shared_house.bot
    if not bot.running:
        await bot.start()
    printed, pressed = len(bot.troubles), set(world.interactions)
    world.violations.clear()
    world.gaps.clear()
    yield house
    unanswered = house.unanswered
    await house.tidy()
    answers = [i for token, i in world.interactions.items() if token not in pressed]
    assert unanswered or all(i.acked for i in answers)
    assert all(i.ephemeral for i in answers if i.kind in (4, 5)), "everybody could read an answer"
    assert not world.violations
    assert not world.gaps
    assert bot.running, bot.output
    assert len(bot.troubles) == printed, bot.output
