from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.house import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A bot that runs; whatever the test did, memory and database agree afterwards."""
    house = House(tmp_path / "bot.db")
    await house.open()
    try:
        yield house
        await house.agree()
    finally:
        await house.close()
