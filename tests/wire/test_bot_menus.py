"""Menus of any length: what leaves the bot never holds an empty select, or one of more than 25."""

from __future__ import annotations

import random  # noqa: TID251
from typing import Any

import pytest

from bot.registry import GAMES
from bot.ui.layout import draw
from bot.ui.panel import Item, Menu, Panel, Text
from tests.wire import checks, components
from tests.wire.errors import BadRequest
from tests.wire.table import House

pytestmark = pytest.mark.asyncio(loop_scope="session")


def selects(parts: Any) -> list[dict[str, Any]]:
    return [part for _, part in components.walk(parts) if "options" in part]


@pytest.mark.parametrize("count", [0, 1, 24, 25, 26, 50, 51])
async def test_a_menu_becomes_as_many_selects_as_it_needs(count: int) -> None:
    items = tuple(Item(f"option {n}", str(n), chosen=n == 0) for n in range(count))
    menus = (Menu("one", "pick", items), Menu("some", "pick:1", items, 1, max(1, count)))
    body = {"components": draw(Panel("title", (Text("text"), *menus))).to_components()}
    checks.check_message(body, flags=checks.V2, old=None, files=0)
    shown = selects(body["components"])
    assert len(shown) == 2 * -(-count // 25)
    assert sum(len(part["options"]) for part in shown) == 2 * count
    assert all(part["max_values"] <= len(part["options"]) for part in shown)


@pytest.mark.parametrize("count", [0, 26])
async def test_such_a_select_would_have_been_refused(count: int) -> None:
    """So that the other tests here mean something."""
    options = [{"label": str(n), "value": str(n)} for n in range(count)]
    row = {"type": 1, "components": [{"type": 3, "custom_id": "a", "options": options}]}
    with pytest.raises(BadRequest):
        checks.check_message({"components": [row]}, flags=checks.V2, old=None, files=0)


@pytest.mark.parametrize("game", GAMES)
async def test_the_fullest_table_with_every_hand_open(house: House, game: str) -> None:
    """Whatever is asked, in whatever step: Discord takes it."""
    info, chance = GAMES[game].info, random.Random(29)  # noqa: S311
    table = await house.table(info.max_seats, game)
    mark = len(house.world.log)
    for person in table.people:
        await table.hand(person)
        await person.click(table.board, "t:*:more")
    for _ in range(12):
        if table.stage != "playing":
            break
        await table.move(choose=chance.choice)
    await house.world.quiet()
    bodies = [c.body for c in house.world.calls(since=mark) if c.body]
    sent = [p for b in bodies for p in selects((b.get("data") or b).get("components"))]
    assert sent
    assert all(1 <= len(part["options"]) <= 25 for part in sent)
