"""Hard thinking: every sensible play is tried in many imagined games, played on to their end.

Plays compete in stages (sequential halving): after each the worse half is dropped, so that most of
the work goes into telling the good ones apart. All meet the same worlds and the same luck. What a
look one round ahead says of a play counts like some games, so that a few lucky ones decide nothing.
"""

from __future__ import annotations

from itertools import cycle, islice
from typing import Final

from engine.chance import Chance
from engine.mischief.deck import shuffled
from engine.mischief.imagine import Imagination
from engine.mischief.model import MOST_CARDS, Play, View
from engine.mischief.sense import EQUALS, Sense, Throw

GAMES: Final = 1000
"""How many imagined games a decision may cost, between two players; more players, fewer games."""

PLAYS: Final = 8
"""Only so many plays are tried: those that look best one round ahead."""

DRAWS: Final = 12
"""How many draws stand for all that may follow a lost play."""

A_PRESENT: Final = 0.04
"""How much of the win a present is worth, about."""

TRUST: Final = 150
"""How many imagined games the look ahead counts for."""


WORLDS: Final = 100
"""How many worlds are compared where nothing but one's own cards is left to be played."""


def searched(view: View, legal: tuple[Play, ...], chance: Chance, games: int = GAMES) -> Play:
    """The play that did best in about `games` imagined games."""
    sense = Sense(view)
    plays = _different(view, legal)
    throws = [sense.throw(play.cards) for play in plays]
    mind = Imagination(view, sense)
    if not view.final:
        hopes = _hopes(view, sense, throws, chance)
        best = sorted(range(len(plays)), key=lambda n: -hopes[n])[:PLAYS]
        games = 2 * games // len(view.places)
        return plays[_halved(mind, throws, [(n, hopes[n]) for n in best], TRUST, games, chance)]
    if any(place.playing for place in view.places if place.seat != view.seat):
        every = [(n, 0.0) for n in range(len(plays))]
        return plays[_halved(mind, throws, every, 0, 2 * games, chance)]
    return plays[_surest(sense, mind, throws, chance)]


def _different(view: View, legal: tuple[Play, ...]) -> tuple[Play, ...]:
    """One of all plays that look the same but for the numbers of their cards."""
    looks: dict[tuple[object, ...], Play] = {}
    look = {card.id: (card.colour, card.presents, card.symbol) for card in view.hand}
    for play in legal:
        looks.setdefault(tuple(sorted(look[n] for n in play.cards)), play)
    return tuple(looks.values())


def _hopes(view: View, sense: Sense, throws: list[Throw], chance: Chance) -> list[float]:
    """About how much of the win each play is worth more than another, looking one round ahead."""
    unseen, gone = (tuple(card.id for card in cards) for cards in (view.unseen, view.discard))
    cards = tuple(islice(cycle((*shuffled(unseen, chance), *gone)), DRAWS * MOST_CARDS))
    draws = [cards[n : n + MOST_CARDS] for n in range(0, len(cards), MOST_CARDS)]

    def hope(throw: Throw) -> float:
        kept = tuple(card for card in sense.hand if card not in throw.cards)
        lost = [sense.most(kept + draw[: len(throw.cards)]) for draw in draws]
        then = sum(lost) / len(lost) if lost else 0.0
        return throw.worth + throw.chance * sense.most(kept) + (1 - throw.chance) * then

    return [A_PRESENT * hope(throw) for throw in throws]


def _halved(
    mind: Imagination,
    throws: list[Throw],
    hopes: list[tuple[int, float]],
    trust: int,
    games: int,
    chance: Chance,
) -> int:
    """Which throw is left, if after each stage the worse half of them is dropped."""
    left = [n for n, _ in hopes]
    sums = {n: trust * hope for n, hope in hopes}
    stages = (len(left) - 1).bit_length()
    while len(left) > 1:
        for _ in range(max(2, games // stages // len(left))):
            world = mind.world(chance)
            for n in left:
                sums[n] += mind.play_on(world, throws[n])
        left.sort(key=lambda n: (-sums[n], n))
        del left[(len(left) + 1) // 2 :]
    return left[0]


def _surest(sense: Sense, mind: Imagination, throws: list[Throw], chance: Chance) -> int:
    """Which throw wins most often, if nobody else plays any more."""
    worlds = [mind.world(chance) for _ in range(WORLDS)]

    def wins(throw: Throw) -> float:
        gain = sense.gain(throw, sense.hand)
        saved = sum(mind.share(world, gain) for world in worlds)
        lost = sum(mind.share(world, 0) for world in worlds)
        return throw.chance * saved + (1 - throw.chance) * lost + EQUALS * throw.worth

    worths = [wins(throw) for throw in throws]
    return worths.index(max(worths))
