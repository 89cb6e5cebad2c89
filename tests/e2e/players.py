"""People at a table of the real bot: they press what is offered, or type what is suggested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot import registry
from bot.client import StitchTable
from bot.storage import Storage
from bot.tables import Table
from bot.texts import Texts, shipped
from bot.thinking import Players
from engine.chance import Chance
from tests.e2e.harness import Answer, Clock, Person, Shown, Stage


def bot_on(
    database: Path, clock: Clock, *, texts: Texts | None = None, **changed: Any
) -> StitchTable:
    """The real bot on a real file, as bot/__main__.py wires it."""
    wired: dict[str, Any] = {
        "open_storage": lambda: Storage.open(database),
        "games": dict(registry.GAMES),
        "presenters": registry.PRESENTERS,
        "extensions": registry.EXTENSIONS,
        "texts": texts or shipped(),
        "thinker": Players(registry.PLAYERS, workers=0),
        "now": clock,
    }
    return StitchTable(**{**wired, **changed})


def table(stage: Stage, channel: Any = None) -> Table:
    """The live table of the channel, as the bot has it in memory."""
    found = stage.bot.manager.in_channel((channel or stage.channel).id)
    assert found is not None, "no table is live here"
    return found


def board(stage: Stage, person: Person | None = None) -> Shown:
    """The public message of the table, as anybody sees it."""
    watcher = person or stage.people["Eve"]
    public = [shown for shown in watcher.sees() if not shown.ephemeral]
    return next(s for s in reversed(public) if s.controls)


def asked(stage: Stage) -> list[Person]:
    """Who is asked something now."""
    live = table(stage)
    users = {live.record.sitters[seat].user_id for seat in live.waiting_for()}
    return [person for person in stage.people.values() if person.id in users]


async def seat_all(stage: Stage, game: str, *names: str, **options: Any) -> None:
    """The first of `names` opens a table, the others join, the first begins."""
    host, *others = (stage.people[name] for name in names)
    await host.slash(f"{game} start", **options)
    for person in others:
        await person.click("Join")
    await host.click("Begin")


async def move(person: Person, dice: Chance) -> Answer:
    """Open the hand from the board, and choose at random among what is offered until it is done."""
    answer = await person.click("My hand")
    for _ in range(8):
        panel = answer.message
        assert panel is not None
        assert panel.ephemeral
        choices = [c for c in panel.controls if _verb(c["custom_id"]) in ("do", "pick", "sure")]
        choices = [c for c in choices if c.get("label") != "Back"]
        if not choices:
            return answer
        part = dice.pick(choices)
        if part["type"] == 2:
            answer = await person.click(part["custom_id"], panel)
        else:
            count = part["min_values"] + dice.below(part["max_values"] - part["min_values"] + 1)
            values = dice.shuffle([o["value"] for o in part["options"]])[:count]
            answer = await person.choose(*values, on=panel, custom_id=part["custom_id"])
    return answer


def _verb(custom_id: str) -> str:
    return custom_id.split(":")[3].rstrip("-")


async def play_out(stage: Stage, dice: Chance, *, most: int = 400) -> None:
    """Everybody who is asked moves, until the table is over."""
    for _ in range(most):
        if stage.bot.manager.in_channel(stage.channel.id) is None:
            return
        before = table(stage).begun.seq
        await move(dice.pick(asked(stage)), dice)
        live = stage.bot.manager.in_channel(stage.channel.id)
        assert live is None or live.begun.seq >= before
    raise AssertionError("the game does not end")
