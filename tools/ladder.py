"""How strong the computer players are, measured against each other (`make ladder`).

    python -m tools.ladder                          every contest of every game
    python -m tools.ladder fix626                   those of one game
    python -m tools.ladder fix626 hard:normal:2     chosen ones: hero:foes:seats
    python -m tools.ladder fix626 hard@300:normal:4 --deals 50 --json out.json

A contest puts one hero among foes of another level. Every deal is played once with the hero at each
seat, so that nobody is lucky with the cards; among its own kind it is played once, for its length
and cost. The same numbers give the same deals and the same play each time. A win that k players
share counts 1/k for each. The interval is the 95 % one over deals.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import mean, median, quantiles, stdev
from typing import Any

from bot.registry import GAMES, PLAYERS
from bot.tables import AnyGame, AnyMatch
from bot.thinking import AnyPolicy
from engine.chance import Chance
from engine.core import Event, Seat
from engine.fix626.model import RoundEnded
from engine.fix626.search import searched
from engine.match import start
from engine.mischief.search import searched as searched_mischief
from engine.policy import at_random
from engine.stitches.search import searched as searched_stitches

clock = time.process_time

Won = Callable[[Sequence[Event]], Sequence[Seat] | None]
"""Who won what a contest counts, once the events tell; None until then."""


def round_won(events: Sequence[Event]) -> Sequence[Seat] | None:
    """The winners of the first round of The Fix for 626."""
    return next((e.winners for e in events if isinstance(e, RoundEnded)), None)


ROUNDS: Mapping[str, Won] = {"fix626": round_won}
"""Games of which the ladder counts rounds, as whole games would only blur the same measure."""

LENGTHS: Mapping[str, Callable[[Any], int]] = {"stitches": lambda state: state.round}
"""Games of which it matters how many rounds they last, and where their states say so."""

BUDGETED: Mapping[str, Callable[[int], AnyPolicy]] = {
    "fix626": lambda rollouts: partial(searched, rollouts=rollouts),
    "mischief": lambda games: partial(searched_mischief, games=games),
    "stitches": lambda steps: partial(searched_stitches, steps=steps),
}
"""Games whose hard player can be given another budget: hard@300."""


@dataclass(frozen=True, slots=True)
class Contest:
    """One `hero` among `foes`; `least` is the share that the project asks for."""

    game: str
    hero: str
    foes: str
    seats: int
    deals: int
    least: float | None = None

    @property
    def unit(self) -> str:
        return "round" if self.game in ROUNDS else "game"


CONTESTS: tuple[Contest, ...] = (
    Contest("fix626", "normal", "random", 2, 500, 0.64),
    Contest("fix626", "hard", "random", 2, 250, 0.75),
    Contest("fix626", "hard", "normal", 2, 500, 0.60),
    Contest("fix626", "normal", "random", 4, 250),
    Contest("fix626", "hard", "random", 4, 100, 0.45),
    Contest("fix626", "hard", "normal", 4, 200, 0.28),
    Contest("fix626", "hard", "normal", 5, 60),
    Contest("fix626", "normal", "easy", 2, 500),
    Contest("fix626", "normal", "easy", 4, 250),
    Contest("fix626", "hard@30", "normal", 2, 250),
    Contest("fix626", "hard@150", "normal", 2, 250),
    Contest("fix626", "hard@1200", "normal", 2, 250),
    Contest("mischief", "hard", "random", 2, 250, 0.60),
    Contest("mischief", "hard", "random", 4, 120, 0.36),
    Contest("mischief", "hard", "normal", 2, 250, 0.50),
    Contest("mischief", "hard", "normal", 4, 120, 0.25),
    Contest("mischief", "normal", "random", 2, 500),
    Contest("mischief", "normal", "random", 4, 250),
    Contest("mischief", "hard@50", "normal", 2, 250),
    Contest("mischief", "hard@3000", "normal", 2, 120),
    # Shares at which a hard player's is 1.25 times that of a normal one.
    Contest("stitches", "hard", "normal", 3, 80, 0.385),
    Contest("stitches", "hard", "normal", 5, 60, 0.238),
    Contest("stitches", "hard", "hard", 3, 60),
    Contest("stitches", "hard", "hard", 5, 40),
    Contest("stitches", "hard@600", "normal", 5, 60),
    Contest("stitches", "hard@6000", "normal", 5, 40),
    Contest("stitches", "normal", "easy", 3, 150),
    Contest("stitches", "normal", "easy", 5, 90),
)
"""What `make ladder` plays. Another game's contests go here, and nowhere else."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a contest went. `spread` is half of the 95 % interval, cost is in ms of one core;
    `rounds` is how long each game was, where that matters.
    """

    contest: Contest
    played: int
    share: float
    spread: float
    fair: float
    median_ms: float
    slow_ms: float
    most_ms: float
    by_seat: tuple[float, ...]
    rounds: tuple[int, ...]

    @property
    def verdict(self) -> str:
        least = self.contest.least
        if least is None:
            return ""
        return f"{'yes' if self.share >= least else 'NO'} (≥ {least:.0%})"


@dataclass(slots=True)
class Stopwatch:
    """A policy that notes what its decisions cost."""

    policy: AnyPolicy
    took: list[float] = field(default_factory=list)

    def __call__(self, view: object, legal: tuple[object, ...], chance: Chance) -> object:
        began = clock()
        action: object = self.policy(view, legal, chance)
        self.took.append((clock() - began) * 1000)
        return action


def player(game: str, level: str) -> AnyPolicy:
    """The policy of a level's name: random, one of the game's, or hard@<budget>."""
    if level == "random":
        return at_random
    name, _, budget = level.partition("@")
    return BUDGETED[game](int(budget)) if budget else PLAYERS[game][name]


def winners(
    game: AnyGame, players: Sequence[AnyPolicy], number: int, won: Won | None
) -> tuple[Sequence[Seat], AnyMatch]:
    """Who wins deal `number`, and where it ends: with its first round, or with no `won` whole."""
    seed = number.to_bytes(32, "big")
    match, events = start(game, len(players), seed)
    while not match.over:
        seat = min(match.pending())
        legal = match.choices(seat)
        chance = Chance(b"player %d" % seat + seed, match.seq)
        action = legal[0] if len(legal) == 1 else players[seat](match.view(seat), legal, chance)
        match, events = match.submit(seat, action, epoch=match.epoch)
        winning = None if won is None else won(events)
        if winning is not None:
            return winning, match
    outcome = game.outcome(match.state)
    assert outcome is not None
    return sorted(outcome.winners), match


def contest(given: Contest, first: int = 0) -> Result:
    """Play `given`, beginning with deal number `first`."""
    game, seats = GAMES[given.game], given.seats
    places = range(1 if given.hero == given.foes else seats)
    hero = Stopwatch(player(given.game, given.hero))
    foe = player(given.game, given.foes)
    won, length = ROUNDS.get(given.game), LENGTHS.get(given.game)
    by_seat = [0.0] * seats
    shares: list[float] = []
    rounds: list[int] = []
    for number in range(first, first + given.deals):
        share = 0.0
        for seat in places:
            players = [hero if place == seat else foe for place in range(seats)]
            winning, last = winners(game, players, number, won)
            if length is not None:
                rounds.append(length(last.state))
            if seat in winning:
                share += 1 / len(winning) / len(places)
                by_seat[seat] += 1 / len(winning) / given.deals
        shares.append(share)
    error = stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 0.0
    took = quantiles(hero.took, n=20) if len(hero.took) > 1 else [0.0] * 19
    return Result(
        given,
        given.deals * len(places),
        mean(shares),
        1.96 * error,
        1 / seats,
        took[9],
        took[18],
        max(hero.took, default=0.0),
        tuple(by_seat),
        tuple(sorted(rounds)),
    )


HEAD = """\
| game | hero | foes | seats | played | wins | 95 % | chance | asked | ms p50, p95, most | rounds |
|---|---|---|---|---|---|---|---|---|---|---|"""


def row(result: Result) -> str:
    """One line of the table in Markdown."""
    c = result.contest
    foes = c.foes if c.seats == 2 else f"{c.seats - 1} of {c.foes}"
    # Among its own kind the hero is who sits at the first seat, and nobody is stronger.
    share = "" if c.hero == c.foes else f"{result.share:.1%}"
    spread = "" if c.hero == c.foes else f"± {result.spread:.1%}"
    rounds = f"{median(result.rounds):.0f}, most {result.rounds[-1]}" if result.rounds else ""
    return (
        f"| {c.game} | {c.hero} | {foes} | {c.seats} | {result.played} {c.unit}s | "
        f"{share} | {spread} | {result.fair:.0%} | {result.verdict} | "
        f"{result.median_ms:.1f}, {result.slow_ms:.1f}, {result.most_ms:.0f} | {rounds} |"
    )


def _chosen(arguments: argparse.Namespace) -> list[Contest]:
    games = [arguments.game] if arguments.game else list(GAMES)
    found = [c for c in CONTESTS if c.game in games]
    if arguments.contests:
        found = []
        for written in arguments.contests:
            hero, foes, seats = written.split(":")
            found.append(Contest(arguments.game, hero, foes, int(seats), arguments.deals or 100))
    if arguments.deals:
        found = [Contest(c.game, c.hero, c.foes, c.seats, arguments.deals, c.least) for c in found]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the computer players.")
    parser.add_argument("game", nargs="?", choices=sorted(GAMES), help="one game; else all")
    parser.add_argument("contests", nargs="*", metavar="hero:foes:seats")
    parser.add_argument("--deals", type=int, help="how many deals each")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--json", type=Path, help="write the results to this file too")
    arguments = parser.parse_args()
    print(HEAD, flush=True)
    results: list[Result] = []
    for given in _chosen(arguments):
        result = contest(given, arguments.first)
        results.append(result)
        print(row(result), flush=True)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(result) for result in results], indent=2))


if __name__ == "__main__":
    main()
