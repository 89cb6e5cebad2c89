"""Rights end at a server's border, whatever ids somebody makes up."""

from __future__ import annotations

import pytest

from tests.wire.table import House, moderator

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("what", ["endsure", "join", "log", "hand", "kicksure:{user}"])
async def test_a_moderator_of_another_server_has_no_rights_here(house: House, what: str) -> None:
    table, other = await house.table(2), await house.table(2)
    mod = await moderator(other)
    made_up = what.format(user=table.people[1].id)
    done = await mod.forge(other.board, f"t:{table.id}:0:{made_up}")
    assert "This table has ended" in done.text
    assert table.stage == "playing"
    assert table.seat(table.people[1])["presence"] == "here"


async def test_another_server_s_moderator_sets_no_clock(house: House) -> None:
    table, other = await house.table(2), await house.table(2)
    mod = await moderator(other)
    await mod.forge(other.board, f"s:{table.id}:0:clock", ["60"])
    assert table.row()["clock"] == 300


async def test_another_server_s_manager_keeps_no_defaults_here(house: House) -> None:
    lobby, other = await house.lobby(2, clock=86400), await house.lobby(2)
    mod = await moderator(other)
    await other.guild.grant(mod, "MANAGE_GUILD")
    await mod.forge(other.board, f"t:{lobby.id}:0:keep")
    assert not lobby.rows("SELECT * FROM guild_settings WHERE guild_id = ?", lobby.guild.id)
