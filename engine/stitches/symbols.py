"""Who can beat what: the symbols of bodies and parts, for the screen and for computer players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.core import Seat
from engine.stitches.model import Monster, Part, View


@dataclass(frozen=True, slots=True)
class Symbols:
    """How many of each symbol."""

    rock: int
    paper: int
    scissors: int


@dataclass(frozen=True, slots=True)
class Prey:
    """A part that lies open: who has it (None: the Market, or the Abomination when `beast`)."""

    part: Part
    owner: Seat | None
    beast: bool = False


def totals(parts: Iterable[Part | None]) -> Symbols:
    """All symbols of some parts together; None is an empty slot."""
    rock = paper = scissors = 0
    for part in parts:
        if part is not None:
            rock += part.rock
            paper += part.paper
            scissors += part.scissors
    return Symbols(rock, paper, scissors)


def strength(monster: Monster) -> Symbols:
    """The symbols with which a player attacks: the whole body and the torso (C03)."""
    return totals((*monster.body, monster.torso))


def might(view: View) -> Symbols:
    """The symbols that the Abomination shows; before its first fight its head and torso do not
    count (C43).
    """
    return totals((*view.abomination.sides, view.abomination.torso))


def beats(own: Symbols, part: Part) -> bool:
    """Paper against its Rock, Scissors against its Paper, Rock against its Scissors (C01)."""
    return own.paper >= part.rock and own.scissors >= part.paper and own.rock >= part.scissors


def on_the_table(view: View, seat: Seat) -> tuple[Prey, ...]:
    """Every part that lies open and that `seat` could want: the others' and the Abomination's."""
    others = [
        Prey(part, monster.seat)
        for monster in view.monsters
        if monster.seat != seat
        for part in monster.body
        if part is not None
    ]
    beast = [Prey(part, None, beast=True) for part in view.abomination.sides if part is not None]
    return (*others, *beast)


def beatable(view: View, seat: Seat) -> tuple[Prey, ...]:
    """Those of `on_the_table` that `seat` beats now."""
    own = strength(view.monsters[seat])
    return tuple(prey for prey in on_the_table(view, seat) if beats(own, prey.part))


def team_of(view: View, seat: Seat) -> tuple[Seat, ...]:
    """Who would fight if `seat` attacked the Abomination now, clockwise from `seat` (C26)."""
    seats = len(view.monsters)
    known = set(view.monsters[seat].words)
    around = (Seat((seat + i) % seats) for i in range(seats))
    return tuple(s for s in around if s == seat or not known.isdisjoint(view.monsters[s].words))


def links(view: View, seat: Seat) -> tuple[str, ...]:
    """The Words that join `seat` to the team that is fighting, of which the first to retreat
    gives one up (C40); () outside a fight and for a solo fighter.
    """
    if view.battle is None or seat not in view.battle.team:
        return ()
    initiator, team = view.battle.initiator, view.battle.team
    others = [s for s in team if s != seat] if seat == initiator else [initiator]
    shared = {word for other in others for word in view.monsters[other].words}
    return tuple(word for word in view.monsters[seat].words if word in shared)


def counter_target(view: View, seat: Seat, without: Part | None = None) -> Part | None:
    """What the Abomination would take from `seat` after losing the part `without` (C33, C34)."""
    sides = list(view.abomination.sides)
    if without is not None:
        sides.remove(without)
    own = totals((*sides, view.abomination.torso))
    target: Part | None = None
    for part in view.monsters[seat].body:
        if part is not None and beats(own, part) and (target is None or part.cost > target.cost):
            target = part
    return target
