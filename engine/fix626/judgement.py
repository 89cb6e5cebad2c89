"""What a play is worth, by the rules of thumb of a good player: the chance to win the round.

It works on a Sight, which is made from a view (policy.py) or, in a search, from an imagined world
(search.py), and holds nothing that the seat could not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.core import Seat
from engine.fix626.cards import GUESSES, TARGETED, Character
from engine.fix626.model import Action, Play

NUMBERS: Final = len(GUESSES)

DUEL: Final[dict[Character, float]] = {
    Character.GANTU: 0.92,
    Character.COUNCILWOMAN: 1.20,
    Character.COBRA: 1.10,
    Character.SPARKY: 1.00,
    Character.JUMBA: 0.90,
    Character.ANGEL: 0.86,
    Character.LEROY: 1.22,
    Character.DAVID: 0.92,
    Character.PLEAKLEY: 0.88,
    Character.NANI: 0.92,
    Character.LILO: 1.12,
}
"""What it is worth to keep a card for later, against the average, with one foe.

These were found by counting who won in thousands of rounds, then by trying others.
"""

CROWD: Final[dict[Character, float]] = {
    Character.GANTU: 0.70,
    Character.COUNCILWOMAN: 0.95,
    Character.COBRA: 0.90,
    Character.SPARKY: 0.65,
    Character.JUMBA: 0.75,
    Character.ANGEL: 0.94,
    Character.LEROY: 1.00,
    Character.DAVID: 1.22,
    Character.PLEAKLEY: 1.20,
    Character.NANI: 1.27,
    Character.LILO: 1.45,
}
"""What it is worth to keep a card for later, against the average, with three foes or more."""

FADING: Final = 0.64
"""How much less, with each card in the deck, the hands of now tell of the hands at the end."""

CURSED: Final = 0.93
"""What is left of one's chances with Experiment 626, besides the fear of Leroy."""

ANOTHER_TURN: Final = 0.08
"""What a second turn is worth."""

INSIGHT: Final = 0.06
"""What it is worth to know another player's card."""

_REST: Final = tuple(1.0 - FADING**deck for deck in range(20))

SHARES: Final = (0.0, 0.0, 0.5, 1.0, 1.0)
"""By the number of foes, how much of CROWD there is between DUEL and CROWD."""


_COUNCILWOMAN: Final = Character.COUNCILWOMAN
_COBRA: Final = Character.COBRA
_SPARKY: Final = Character.SPARKY
_PLEAKLEY: Final = Character.PLEAKLEY
_NANI: Final = Character.NANI
_LEROY: Final = Character.LEROY


def _tables() -> tuple[tuple[dict[Character, float], ...], tuple[tuple[float, ...], ...]]:
    """HOLDING by the number of foes, and the same by the card's number."""
    cards = tuple(
        {card: share * CROWD[card] + (1 - share) * DUEL[card] for card in Character}
        for share in SHARES
    )
    numbers = tuple(
        tuple(max(table[c] for c in Character if c.number == n) for n in range(NUMBERS))
        for table in cards
    )
    return cards, numbers


_BY_CARD, _BY_NUMBER = _tables()

play_of = cache(Play)


@dataclass(slots=True)
class Sight:
    """What a seat on its turn goes by.

    `foes` are the others still in, clockwise. `odds` has, for each of them by seat, how likely its
    card has each number. `left` counts the unseen cards by number, `hidden` in all; `leroy` tells
    whether Leroy is among them. `knowers` counts the foes who know the held card.
    """

    me: Seat
    hand: tuple[Character, ...]
    foes: tuple[Seat, ...]
    stitch: Seat
    good: bool
    protected: Seat | None
    deck: int
    odds: Sequence[Sequence[float]]
    left: Sequence[int]
    hidden: int
    leroy: bool
    knowers: int


Worth = tuple[float, Action]


def the_best(plays: Sequence[Worth]) -> list[Action]:
    """All that are worth as much as the best."""
    most = max([worth for worth, _ in plays]) - 1e-9
    return [action for worth, action in plays if worth > most]


def judged(sight: Sight) -> list[Worth]:
    """The best plays of either card by target, with the chance to win that each promises."""
    held, drawn = sight.hand
    found = _plays(sight, held, drawn, 0)
    if held is not drawn:
        found += _plays(sight, drawn, held, sight.knowers)
    return found


def _plays(sight: Sight, card: Character, kept: Character, knowers: int) -> list[Worth]:
    """`card` is played and `kept` stays, which `knowers` foes know."""
    if card not in TARGETED:
        return [(_untargeted(sight, card, kept, knowers), play_of(card))]
    targets = [foe for foe in sight.foes if foe != sight.protected]
    if not targets:
        return [(_stays(sight, kept, knowers, sight.stitch, sight.good), play_of(card))]
    if card is _NANI:
        return [
            (_stays(sight, kept, knowers, target, sight.good), play_of(card, target))
            for target in targets
        ]
    if card is _PLEAKLEY:
        return [(_traded(sight, kept, target), play_of(card, target)) for target in targets]
    stays = _stays(sight, kept, knowers, sight.stitch, sight.good)
    found: list[Worth] = []
    for target in targets:
        odds = sight.odds[target]
        out = _without(sight, kept, knowers, target)
        if card is _COUNCILWOMAN:
            best = max(odds)
            guesses = [guess for guess in range(NUMBERS) if odds[guess] == best]
            worth = best * out + (1.0 - best) * stays
            found += [(worth, play_of(card, target, guess)) for guess in guesses]
            continue
        if card is _COBRA:
            hit = odds[7] + odds[8]
            known = max(odds) > 0.999
            worth = hit * out + (1.0 - hit) * (
                stays if known else min(1.0, stays * (1.0 + INSIGHT))
            )
        else:
            hit = sum(odds[: kept.number])
            worth = hit * out + odds[kept.number] * stays
        found.append((worth, play_of(card, target)))
    return found


def _untargeted(sight: Sight, card: Character, kept: Character, knowers: int) -> float:
    me, stitch, good = sight.me, sight.stitch, sight.good
    match card:
        case Character.GANTU:
            ring = sorted((me, *sight.foes))
            return _stays(sight, kept, knowers, ring[(ring.index(stitch) + 1) % len(ring)], good)
        case Character.JUMBA:
            return _stays(sight, kept, knowers, stitch, not good)
        case Character.ANGEL:
            worth = _stays(sight, kept, knowers, me, good)
            return worth + ANOTHER_TURN * (1.0 - worth) if good and sight.deck else worth
        case Character.LEROY:
            if good:
                return _stays(sight, kept, knowers, me, good)
            return -1.0 if stitch == me else _without(sight, kept, knowers, stitch)
        case Character.DAVID:
            return _stays(sight, kept, knowers, stitch, good, shielded=True)
        case _:  # Lilo
            return _stays(sight, kept, knowers, me, True)


def _traded(sight: Sight, kept: Character, target: Seat) -> float:
    """Pleakley: whoever has Stitch gives him instead, about every second time."""
    odds = sight.odds[target]
    trade = 0.0
    for number, chance in enumerate(odds):
        if chance:
            # The target knows the card, but holds `kept` itself: half as bad.
            trade += chance * _worth(
                sight, number, None, 0.5, sight.stitch, sight.good, sight.foes,
                (target, kept.number),
            )  # fmt: skip
    if target != sight.stitch:
        return trade
    return 0.5 * trade + 0.5 * _stays(sight, kept, 0, sight.me, sight.good)


def _without(sight: Sight, kept: Character, knowers: int, target: Seat) -> float:
    """The chance to win once `target` is out."""
    if len(sight.foes) == 1:
        return 1.0
    foes = tuple([foe for foe in sight.foes if foe != target])
    stitch = sight.me if sight.stitch == target else sight.stitch
    return _worth(sight, kept.number, kept, min(knowers, len(foes)), stitch, sight.good, foes, None)


def _stays(
    sight: Sight,
    kept: Character,
    knowers: float,
    stitch: Seat,
    good: bool,
    *,
    shielded: bool = False,
) -> float:
    """The chance to win if nobody is out, with Stitch at `stitch`."""
    return _worth(sight, kept.number, kept, knowers, stitch, good, sight.foes, None, shielded)


def _worth(
    sight: Sight,
    number: int,
    holding: Character | None,
    knowers: float,
    stitch: Seat,
    good: bool,
    foes: tuple[Seat, ...],
    given: tuple[Seat, int] | None,
    shielded: bool = False,
) -> float:
    deck = sight.deck
    now = _compared(sight, number, stitch, good, foes, given)
    if not deck:
        return now
    mine = stitch == sight.me
    others = len(foes)
    later = _BY_NUMBER[others][number] if holding is None else _BY_CARD[others][holding]
    later /= others + 1
    if mine and not good:
        later *= CURSED
    rest = _REST[deck]
    worth = rest * later + (1.0 - rest) * now
    danger = _danger(sight, number, knowers, mine and not good, foes, shielded)
    return worth * (1.0 - danger) ** min(deck, len(foes))


def _compared(
    sight: Sight,
    number: int,
    stitch: Seat,
    good: bool,
    foes: tuple[Seat, ...],
    given: tuple[Seat, int] | None,
) -> float:
    """The chance that `number` wins against the foes' hands as they are (The Deck Runs Out)."""
    mine = stitch == sight.me
    if mine:
        number += 2 if good else -2
    wins = 1.0
    for foe in foes:
        # A foe with a number below `bar` loses; at `bar` it is a tie that both win.
        bar, tie = number, 0.5
        if mine:
            tie = 1.0 if good else 0.0
        elif foe == stitch:
            bar, tie = (number - 2, 0.0) if good else (number + 2, 1.0)
        if given is not None and foe == given[0]:
            wins *= 1.0 if given[1] < bar else tie if given[1] == bar else 0.0
            continue
        odds = sight.odds[foe]
        if bar >= NUMBERS:
            continue
        if bar < 0:
            return 0.0
        wins *= sum(odds[:bar]) + tie * odds[bar]
    return wins


def _danger(
    sight: Sight,
    number: int,
    knowers: float,
    has_626: bool,
    foes: tuple[Seat, ...],
    shielded: bool,
) -> float:
    """The chance to be knocked out in one turn of a foe, roughly."""
    hidden = sight.hidden or 1
    left = sight.left
    leroy = _in_hand(1, hidden) if has_626 and sight.leroy else 0.0
    if shielded:
        return leroy
    guess = _in_hand(left[1], hidden)
    cobra = _in_hand(left[2], hidden) if number >= 7 else 0.0
    sparky = 0.0
    if left[3]:
        sparky = _in_hand(left[3], hidden) * sum(left[number + 1 :]) / hidden
    chance = (guess * (left[number] + 1) / (hidden + 1) + cobra + sparky) / len(foes)
    if knowers:
        sure = min(1.0, guess + cobra)
        chance += (sure - chance) * knowers / len(foes) if sure > chance else 0.0
    return min(0.95, chance + leroy)


def gives_stitch(sight: Sight, actor: Seat) -> bool:
    """Whether Stitch is better given to `actor`, whose Pleakley asks, than the hand traded."""
    (held,) = sight.hand
    gives = _stays(sight, held, sight.knowers, actor, sight.good)
    trades = 0.0
    for number, chance in enumerate(sight.odds[actor]):
        if chance:
            trades += chance * _worth(
                sight, number, None, 0.5, sight.stitch, sight.good, sight.foes,
                (actor, held.number),
            )  # fmt: skip
    return gives >= trades


SHARPNESS: Final = 0.03
"""The lead by which a player sees that one of two plays is the better one half of the time."""

SLIPS: Final = 0.12
"""How often a player takes the worse card even if much is at stake."""


def preference(sight: Sight, card: Character) -> float:
    """How likely a player who sees this plays `card`, one of its two: the better one mostly."""
    held, drawn = sight.hand
    other = drawn if card is held else held
    this = max([worth for worth, _ in _plays(sight, card, other, sight.knowers)])
    that = max([worth for worth, _ in _plays(sight, other, card, 0)])
    lead = (this - that) * (len(sight.foes) + 1) / 2
    return 0.5 + (0.5 - SLIPS) * lead / (abs(lead) + SHARPNESS)


def less(left: Sequence[int], barred: int, plain: Sequence[float]) -> Sequence[float]:
    counts = [0 if barred >> number & 1 else count for number, count in enumerate(left)]
    hidden = sum(counts)
    return [count / hidden for count in counts] if hidden else plain


def _in_hand(copies: int, hidden: int) -> float:
    """The chance that one of two cards is one of so many."""
    share = copies / hidden
    return share * (2.0 - share)
