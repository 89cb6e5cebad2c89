"""Games among computer players in bulk: how long they take, and who wins."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import mean

from bot.tables import AnyGame
from bot.thinking import Levels
from engine.chance import Chance
from engine.core import OptionValue, Seat
from engine.match import start


@dataclass(frozen=True, slots=True)
class Standing:
    """How the player at one seat did: `share` counts a win of k players as 1/k each."""

    seat: int
    level: str
    wins: int
    share: float
    mean_score: float


@dataclass(frozen=True, slots=True)
class Report:
    """What came out of `games` games; lengths are in actions of all players."""

    game: str
    games: int
    mean_length: float
    longest: int
    lost_by_all: int
    reasons: Mapping[str, int]
    standings: tuple[Standing, ...]

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

    def as_table(self) -> str:
        """The report in Markdown."""
        lines = [
            f"{self.game}: {self.games} games, {self.mean_length:.1f} actions on average, "
            f"{self.longest} at most, {self.lost_by_all} lost by all",
            "",
            "| seat | level | wins | share | score |",
            "|---|---|---|---|---|",
        ]
        lines += [
            f"| {s.seat} | {s.level} | {s.wins} | {s.share:.1%} | {s.mean_score:.2f} |"
            for s in self.standings
        ]
        return "\n".join(lines)


def simulate(
    game: AnyGame,
    levels: Levels,
    seats: Sequence[str],
    games: int,
    options: Mapping[str, OptionValue] | None = None,
) -> Report:
    """Play `games` games with a player of the named level at each seat.

    The seed of game k is the number k, so that a run can be repeated. Raises BadSetup, BadOption.
    """
    wins, share = [0] * len(seats), [0.0] * len(seats)
    scores: list[list[int]] = [[] for _ in seats]
    lengths: list[int] = []
    reasons: dict[str, int] = {}
    lost = 0
    for number in range(games):
        seed = number.to_bytes(32, "big")
        match, _ = start(game, len(seats), seed, options)
        while not match.over:
            seat = min(match.pending())
            chance = Chance(b"player %d" % seat + seed, match.seq)
            action = levels[seats[seat]](match.view(seat), match.choices(seat), chance)
            match, _ = match.submit(seat, action, epoch=match.epoch)
        outcome = game.outcome(match.state)
        assert outcome is not None
        lengths.append(match.seq)
        reasons[outcome.reason] = reasons.get(outcome.reason, 0) + 1
        lost += not outcome.winners
        for seat in outcome.winners:
            wins[seat] += 1
            share[seat] += 1 / len(outcome.winners) / games
        for i, scored in enumerate(scores):
            scored.append(outcome.scores[Seat(i)])
    standings = tuple(
        Standing(i, level, wins[i], share[i], mean(scores[i])) for i, level in enumerate(seats)
    )
    return Report(game.info.key, games, mean(lengths), max(lengths), lost, reasons, standings)
