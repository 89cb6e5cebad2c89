"""The course of a round: declarations, everybody's action in turn, the end of the round."""

from __future__ import annotations

from engine.core import Seat
from engine.stitches import beast
from engine.stitches.bench import NOBODY, Bench, changed, without
from engine.stitches.model import (
    EMPTY,
    Bought,
    Declared,
    FirstMoved,
    MarketRefreshed,
    MatchEnded,
    Shared,
)

MARKET_SIZE = 3


def declare(bench: Bench, seat: Seat, attack: bool) -> None:
    """Declaration: what is declared stays secret, and may be changed, until the last one is in."""
    bench.declared = changed(bench.declared, seat, attack)
    if None in bench.declared:
        return
    bench.news = ()
    attacks = tuple(bool(attack) for attack in bench.declared)
    bench.say(Declared(attacks))
    _share(bench, attacks)
    next_turn(bench)


def _share(bench: Bench, attacks: tuple[bool, ...]) -> None:
    """Player Actions: the scavengers share the Pot evenly before anybody acts (C13, C15)."""
    scavengers = tuple(seat for seat in bench.clockwise(bench.first) if not attacks[seat])
    each = bench.pot // len(scavengers) if scavengers else 0
    bench.pot -= each * len(scavengers)
    bench.coins = tuple(
        coins if attack else coins + each
        for coins, attack in zip(bench.coins, attacks, strict=True)
    )
    bench.say(Shared(scavengers, each, bench.pot))


def next_turn(bench: Bench) -> None:
    """Go clockwise from the First player to the next one who has something to decide (C13)."""
    for seat in bench.clockwise(bench.first)[bench.acted :]:
        if bench.declared[seat]:
            bench.ask("attack", seat)
            return
        bench.draw_to_market(seat)
        if _can_buy(bench, seat):
            bench.ask("market", seat)
            return
        bench.acted += 1
    _end_round(bench)


def end_turn(bench: Bench) -> None:
    bench.acted += 1
    next_turn(bench)


def buy(bench: Bench, seat: Seat, part: int, into: int) -> None:
    """Action: Scavenge. The price goes into the Pot of the next round (C16)."""
    box = bench.box
    cost = box.cost[part]
    bench.pay(seat, -cost)
    bench.pot += cost
    bench.market = without(bench.market, part)
    replaced = bench.wear(seat, part, into)
    bench.say(Bought(seat, box.parts[part], into, replaced))
    bench.grow_torso(seat)
    if _can_buy(bench, seat):
        bench.ask("market", seat)
    else:
        end_turn(bench)


def _can_buy(bench: Bench, seat: Seat) -> bool:
    """A scavenger who can afford nothing isn't asked (C17)."""
    cost, coins = bench.box.cost, bench.coins[seat]
    for part in bench.market:  # noqa: SIM110 - twice as quick, and asked all the time
        if cost[part] <= coins:
            return True
    return False


def _end_round(bench: Bench) -> None:
    """End of Round: the Abomination's card, a new Market, the First player token (C53)."""
    step = beast.act(bench)
    if bench.round >= bench.rules.round_cap:
        bench.reason = "stitches-round-cap"
        bench.say(MatchEnded((), bench.reason))
        bench.ask("over", NOBODY)
        return
    _refresh_market(bench)
    seats = len(bench.coins)
    bench.round += 1
    bench.first = Seat((bench.first + step) % seats)
    bench.acted = 0
    bench.declared = (None,) * seats
    bench.say(FirstMoved(bench.round, bench.first))
    bench.ask("declare", NOBODY)


def _refresh_market(bench: Bench) -> None:
    """The rest of the Market is discarded; there are fewer new cards when all are in use (C21)."""
    old = bench.market
    bench.discard = (*bench.discard, *old)
    bench.market = ()
    drawn = [bench.draw_part() for _ in range(MARKET_SIZE)]
    bench.market = tuple(part for part in drawn if part != EMPTY)
    parts = bench.box.parts
    bench.say(
        MarketRefreshed(
            tuple([parts[part] for part in old]), tuple([parts[part] for part in bench.market])
        )
    )
