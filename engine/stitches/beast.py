"""The Abomination by itself: its symbols, its sides, and the cards of its deck."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core import Seat
from engine.stitches.bench import Bench, changed
from engine.stitches.model import EMPTY, HEAD, CardDrawn, Grew, Reshuffled, Snatched, Spared
from engine.stitches.parts import GUARD


def act(bench: Bench) -> int:
    """Draw and follow a card of the Abomination Deck; how far the First player token then moves."""
    if not bench.card_deck:  # C49
        bench.card_deck = bench.chance.shuffle(bench.card_discard)
        bench.card_discard = ()
        bench.say(Reshuffled("abomination"))
    card = bench.card_deck[-1]
    bench.card_deck = bench.card_deck[:-1]
    bench.card_discard = (*bench.card_discard, card)
    bench.say(CardDrawn(card))
    if card == "behind":
        return 2  # instead of the usual step, C48
    around = bench.clockwise(bench.first)
    if card == "grows":
        effect = _grow(bench)
    elif card == "attacks":
        effect = _snatch(bench, around[:2])
    else:
        # Everyone is visited, and what was attached before counts for the next (C45).
        effect = sum(_snatch(bench, [seat]) for seat in around) > 0
    if not effect:
        bench.say(Spared(card))
    return 1


def might(bench: Bench) -> int:
    """The packed symbols of all its parts that lie face up (C33, C43)."""
    strength = bench.box.strength
    head, right, legs, left = bench.sides
    total = strength[right] + strength[legs] + strength[left]
    if bench.revealed:
        total += strength[head] + strength[bench.torso]
    return total


def attach(bench: Bench, part: int) -> int | None:
    """Put a part on its first empty side, clockwise from the head, or else discard it (C46)."""
    if EMPTY not in bench.sides:
        bench.toss(part)
        return None
    side = bench.sides.index(EMPTY)
    bench.sides = changed(bench.sides, side, part)
    return side


def _grow(bench: Bench) -> bool:
    """It Grows: onto an empty side, else in place of a Human part, else not at all (C47)."""
    is_human = bench.box.is_human
    side = next((i for i, part in enumerate(bench.sides) if part == EMPTY), None)
    if side is None:
        side = next((i for i, part in enumerate(bench.sides) if is_human[part]), None)
    if side is None:
        return False
    part = bench.draw_part()
    if not part:
        return False
    old = bench.sides[side]
    bench.toss(old)
    bench.sides = changed(bench.sides, side, part)
    bench.say(Grew(bench.box.parts[part], side, bench.part(old)))
    return True


def _snatch(bench: Bench, seats: Iterable[Seat]) -> bool:
    """It Attacks, It Rampages: the part of the lowest value that it beats on these bodies.

    Among equals the first seat's, then clockwise from the head (C44).
    """
    cost, armour = bench.box.cost, bench.box.armour
    reach = might(bench) + GUARD
    lowest = 99
    target: tuple[Seat, int] | None = None
    for seat in seats:
        for slot, part in enumerate(bench.bodies[seat], HEAD):
            if part and cost[part] < lowest and (reach - armour[part]) & GUARD == GUARD:
                lowest = cost[part]
                target = seat, slot
    if target is None:
        return False
    seat, slot = target
    part = bench.lose(seat, slot)
    bench.say(Snatched(seat, bench.box.parts[part], attach(bench, part)))
    return True
