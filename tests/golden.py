"""Golden playthroughs: one seeded game of every kind, all that everyone sees of it, as text.

`python -m tests.golden --write` writes tests/contract/golden/<game>.txt anew; a test compares. What
did not change since the step before is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bot.registry import GAMES, PLAYERS, PRESENTERS
from bot.texts import ENGLISH, shipped
from bot.ui.panel import Block, Panel, Text
from bot.ui.presenter import AnyPresenter, Guest, Scene
from engine.chance import Chance
from engine.choosing import Pick, Question, ask
from engine.core import Event, PrivateEvent, Seat
from engine.match import start
from engine.policy import at_random
from tests.playout import AnyMatch

FOLDER = Path(__file__).parent / "contract" / "golden"
PEOPLE = ("Ann", "Bob", "Cleo")
AT_RANDOM = 45
SOONER = {"stitches": 9}
"""After so many moves the easy computer player takes over: some games never end at random."""
SEED = b"golden 22"  # ties, offers, second turns


def written(key: str) -> Path:
    """Where the playthrough of a game is kept."""
    return FOLDER / f"{key}.txt"


def playthrough(key: str) -> str:
    """One game of three, from the deal to the end: first at random, then so that it ends."""
    game = GAMES[key]
    match, events = start(game, len(PEOPLE), SEED)
    telling = _Telling(PRESENTERS[key])
    lines = [f"# {key}: {len(PEOPLE)} seats, seed {SEED.decode()}", *telling.step(match, events)]
    dice = Chance(b"players" + SEED, 0)
    while not match.over:
        seat = min(match.pending())
        wild = match.seq < SOONER.get(key, AT_RANDOM)
        player = at_random if wild else PLAYERS[key]["easy"]
        action = player(match.view(seat), match.choices(seat), dice)
        title = f"## {match.seq + 1}. {PEOPLE[seat]}: {telling.action(match, seat, action)}"
        match, events = match.submit(seat, action, epoch=match.epoch)
        lines += ["", title, *telling.step(match, events)]
    return "\n".join(lines) + "\n"


class _Telling:
    """Writes down what is new to each reader."""

    def __init__(self, presenter: AnyPresenter) -> None:
        self._presenter = presenter
        guests = tuple(Guest(name, name) for name in PEOPLE)
        self._scene = Scene(shipped().words(ENGLISH), guests)
        self._shown: dict[str, str] = {}

    def action(self, match: AnyMatch, seat: Seat, action: object) -> str:
        return self._presenter.action(action, match.view(seat), replace(self._scene, you=seat))

    def step(self, match: AnyMatch, events: Sequence[Event]) -> Iterator[str]:
        presenter, scene, watcher = self._presenter, self._scene, match.view(None)
        for event in events:
            to = event.to if isinstance(event, PrivateEvent) else None
            line = presenter.line(event, replace(scene, you=to))
            if line is not None:
                yield f"* {line}" if to is None else f"* (to {PEOPLE[to]}) {line}"
        yield from self._part("message", presenter.notice(events, scene))
        outcome = match.game.outcome(match.state)
        if outcome is not None:
            yield from self._part("end", presenter.ending(outcome, watcher, scene))
            return
        yield from self._part("board", presenter.board(watcher, scene))
        yield f"? {presenter.question(watcher, scene, match.pending())}"
        for seat in match.all_seats():
            yield from self._hand(match, seat)

    def _hand(self, match: AnyMatch, seat: Seat) -> Iterator[str]:
        view, scene = match.view(seat), replace(self._scene, you=seat)
        blocks = list(self._presenter.hand(view, scene))
        choices = match.choices(seat)
        question = ask(choices) if choices else None
        if isinstance(question, Question | Pick):
            values = question.values if isinstance(question, Question) else question.items
            labels = [self._presenter.label(question.field, v, view, scene).text for v in values]
            prompt = self._presenter.prompt(question.field, view, scene)
            blocks.append(Text(f"{prompt} [{'] ['.join(labels)}]"))
        yield from self._part(f"hand of {PEOPLE[seat]}", tuple(blocks))

    def _part(self, name: str, blocks: tuple[Block, ...]) -> Iterator[str]:
        text = Panel("", blocks).text()
        if text and self._shown.get(name) != text:
            yield f"[{name}]"
            yield from (f"  {line}" for line in text.splitlines())
        self._shown[name] = text


def main(arguments: Sequence[str]) -> int:
    """Compare, or with --write write; how many playthroughs are not as they were."""
    changed = 0
    FOLDER.mkdir(exist_ok=True)
    for key in PRESENTERS:
        text, file = playthrough(key), written(key)
        if file.exists() and file.read_text("utf-8") == text:
            continue
        changed += 1
        if "--write" in arguments:
            file.write_text(text, "utf-8")
    sys.stdout.write(f"{changed} of {len(PRESENTERS)} playthroughs changed\n")
    return 0 if "--write" in arguments else changed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
