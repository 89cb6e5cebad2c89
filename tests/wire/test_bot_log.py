"""What the log says, and what it never says, with everything turned on."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.wire.process import BotProcess
from tests.wire.table import House
from tests.wire.world import World


async def test_the_fullest_log_holds_no_secret(
    world: World, new_bot: Callable[..., BotProcess]
) -> None:
    """Neither the token, nor the keys of answers, nor a hand, nor a seed."""
    bot = new_bot(env={"LOG_LEVEL": "DEBUG", "THINK_SECONDS": "0", "BEAT_SECONDS": "0"})
    await bot.start()
    table = await House(bot).table(2)
    seed, _, _ = table.secrets()
    hidden = {world.token, seed.hex(), repr(seed)}
    for _ in range(3):
        asked = table.asked()
        panel = await table.hand(asked)
        hidden |= {line for line in panel.text.splitlines() if line.startswith("**")}
        done = await table.move()
        hidden.add(done.token)
        hidden |= {json.dumps(entry["action"]) for entry in table.entries()}
    assert await bot.stop() == 0
    assert " INFO bot" in bot.output
    assert len(hidden) > 6
    assert {secret for secret in hidden if secret in bot.output} == set()
