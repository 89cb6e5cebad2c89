"""Fixtures of the end-to-end tests. A module says which bot it tests by a fixture `make_bot`."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.e2e.harness import MakeBot, Person, Stage, staged


@pytest_asyncio.fixture
async def stage(make_bot: MakeBot) -> AsyncIterator[Stage]:
    """A simulated Discord with the bot of `make_bot` and Ann, Bob, Carol, Dan and Eve."""
    async with staged(make_bot) as stage:
        yield stage


@pytest.fixture
def ann(stage: Stage) -> Person:
    return stage.people["Ann"]


@pytest.fixture
def bob(stage: Stage) -> Person:
    return stage.people["Bob"]


@pytest.fixture
def carol(stage: Stage) -> Person:
    return stage.people["Carol"]
