"""Attacking: other players, and the Abomination as a team."""

from __future__ import annotations

from engine.core import Seat
from engine.stitches import beast
from engine.stitches.bench import NOBODY, Bench, changed, without
from engine.stitches.model import (
    EMPTY,
    HEAD,
    Attached,
    Countered,
    Discarded,
    Fight,
    FightEnded,
    Filled,
    MatchEnded,
    Missed,
    Part,
    Placed,
    Provoked,
    Retreated,
    Revealed,
    Robbed,
    Stage,
    Struck,
    Torn,
    WordLost,
)
from engine.stitches.parts import GUARD, Box
from engine.stitches.turns import end_turn


def power(box: Box, body: tuple[int, ...], torso: int) -> int:
    """The packed symbols of a whole body (C03), with the guard bits set for comparing."""
    strength = box.strength
    head, right, legs, left = body
    total = strength[head] + strength[right] + strength[legs] + strength[left]
    return total + strength[torso] + GUARD


def can_beat_any(box: Box, reach: int, parts: tuple[int, ...]) -> bool:
    armour = box.armour
    for part in parts:  # noqa: SIM110 - twice as quick, and asked all the time
        if part and (reach - armour[part]) & GUARD == GUARD:
            return True
    return False


def links(words: tuple[tuple[str, ...], ...], fight: Fight, seat: Seat) -> tuple[str, ...]:
    """The Words of `seat` that join it to the team, of which it may lose one (C40)."""
    others = fight.team if seat == fight.initiator else (fight.initiator,)
    shared = {word for other in others if other != seat for word in words[other]}
    return tuple(word for word in words[seat] if word in shared)


def rob(bench: Bench, seat: Seat, target: Seat) -> None:
    """Attacking Another Player: half of the Stitches, rounded up, be it none (C08-C10)."""
    taken = (bench.coins[target] + 1) // 2
    bench.pay(target, -taken)
    bench.pay(seat, taken)
    bench.say(Robbed(seat, target, taken))
    _learn_words(bench, seat, target)


def tear(bench: Bench, seat: Seat, target: Seat, part: int, into: int) -> None:
    """Attacking Another Player: the part goes on the attacker's body at once (C05, C06)."""
    bench.lose(target, bench.bodies[target].index(part))
    replaced = bench.wear(seat, part, into)
    bench.say(Torn(seat, target, bench.box.parts[part], into, replaced))
    bench.grow_torso(seat)
    _learn_words(bench, seat, target)


def _learn_words(bench: Bench, seat: Seat, target: Seat) -> None:
    """A brawl teaches both a Word, the attacker first (C24)."""
    bench.learn_word(seat)
    bench.learn_word(target)
    end_turn(bench)


def provoke(bench: Bench, seat: Seat) -> None:
    """Attacking the Abomination: who shares a Word with `seat` fights along (C26, C27)."""
    words = bench.words
    known = set(words[seat])
    team = tuple(
        other
        for other in bench.clockwise(seat)
        if other == seat or not known.isdisjoint(words[other])
    )
    bench.say(Provoked(seat, team))
    if not bench.revealed:
        bench.revealed = True
        parts = bench.box.parts
        bench.say(Revealed(parts[bench.sides[HEAD]], parts[bench.torso]))
    _fill(bench)
    bench.fight = Fight(seat, team, team)
    if can_beat_any(bench.box, _reach(bench, seat), bench.sides):
        bench.ask("fight", seat)
    else:  # C31
        bench.say(Missed(seat))
        _after_attack(bench, bench.fight, ())


def _reach(bench: Bench, seat: Seat) -> int:
    return power(bench.box, bench.bodies[seat], bench.torsos[seat])


def _fill(bench: Bench) -> None:
    """Empty sides are filled from the shuffled discard pile, Human cards too, and then from the
    Parts deck (C28, C29).
    """
    sides = [side for side, part in enumerate(bench.sides) if part == EMPTY]
    filled: list[int] = []
    for side in sides:
        if bench.discard:
            part = bench.chance.pick(bench.discard)
            bench.discard = without(bench.discard, part)
        else:
            part = bench.draw_part()
        if not part:
            break
        filled.append(part)
        bench.sides = changed(bench.sides, side, part)
    if filled:
        parts = _shown(bench, filled)
        bench.say(Filled(tuple(sides[: len(filled)]), parts))


def _shown(bench: Bench, parts: list[int]) -> tuple[Part, ...]:
    return tuple([bench.box.parts[part] for part in parts])


def strike(bench: Bench, fight: Fight, part: int) -> None:
    """Each Abomination Attack Round: a part comes off; the last one wins at once (C35)."""
    seat = fight.fighting[0]
    side = bench.sides.index(part)
    bench.sides = changed(bench.sides, side, EMPTY)
    left = 4 - bench.sides.count(EMPTY)
    bench.say(Struck(seat, bench.box.parts[part], side, left))
    trophies = (*fight.trophies, (seat, part))
    if left:
        _after_attack(bench, fight, trophies)
        return
    bench.fight = Fight(
        fight.initiator, fight.team, fight.fighting, True, fight.retreat_paid, trophies,
        fight.captured,
    )  # fmt: skip
    _win(bench, fight)


def _after_attack(bench: Bench, fight: Fight, trophies: tuple[tuple[Seat, int], ...]) -> None:
    """The Abomination strikes back, and the next of those still fighting acts (C30)."""
    taken = _counter(bench, fight.fighting[0])
    captured = fight.captured
    if taken and bench.rules.attach_captured:
        captured = (*captured, taken)
    else:
        bench.toss(taken)
    fighting = (*fight.fighting[1:], fight.fighting[0])
    bench.fight = Fight(
        fight.initiator, fight.team, fighting, True, fight.retreat_paid, trophies, captured
    )
    _go_on(bench, bench.fight)


def _counter(bench: Bench, seat: Seat) -> int:
    """The counterattack: the part of the highest value that it beats on the body of the one who
    attacked, with the symbols left to it; among equals the first clockwise (C33, C34).
    """
    box = bench.box
    reach = beast.might(bench) + GUARD
    highest, target = -1, -1
    for slot, part in enumerate(bench.bodies[seat]):
        if part and box.cost[part] > highest and (reach - box.armour[part]) & GUARD == GUARD:
            highest, target = box.cost[part], slot
    taken = bench.lose(seat, target) if target >= 0 else EMPTY
    bench.say(Countered(seat, bench.part(taken)))
    return taken


def _go_on(bench: Bench, fight: Fight) -> None:
    """Ask the next one in the fight, unless it is over: all retreated, or a stalemate (C39)."""
    if not fight.fighting:
        _end_fight(bench, fight, stalemate=False)
        return
    for seat in fight.fighting:
        if can_beat_any(bench.box, _reach(bench, seat), bench.sides):
            bench.ask("fight", fight.fighting[0])
            return
    _end_fight(bench, fight, stalemate=True)


def retreat(bench: Bench, fight: Fight) -> None:
    """Only the first of a team to retreat loses a Word, of its choice where there is one (C40)."""
    seat = fight.fighting[0]
    pays = len(fight.team) > 1 and not fight.retreat_paid
    bench.say(Retreated(seat, pays))
    left = Fight(
        fight.initiator, fight.team, fight.fighting[1:], fight.opened, True, fight.trophies,
        fight.captured,
    )  # fmt: skip
    bench.fight = left
    if not pays:
        _go_on(bench, left)
        return
    choice = links(bench.words, left, seat)
    if len(choice) == 1:
        lose_word(bench, left, seat, choice[0])
    else:
        bench.ask("word", seat)


def lose_word(bench: Bench, fight: Fight, seat: Seat, word: str) -> None:
    bench.words = changed(bench.words, seat, without(bench.words[seat], word))
    bench.word_discard = (*bench.word_discard, word)
    bench.say(WordLost(seat, word))
    _go_on(bench, fight)


def _end_fight(bench: Bench, fight: Fight, *, stalemate: bool) -> None:
    """The Abomination attaches what it took, as far as there is room (C38)."""
    bench.say(FightEnded(stalemate))
    if fight.captured:
        sides, placed, tossed = list[int](), list[int](), list[int]()
        for part in fight.captured:
            side = beast.attach(bench, part)
            if side is None:
                tossed.append(part)
            else:
                sides.append(side)
                placed.append(part)
        bench.say(Placed(tuple(sides), _shown(bench, placed), _shown(bench, tossed)))
    _hand_out(bench, fight, fight.trophies)


def _hand_out(bench: Bench, fight: Fight, trophies: tuple[tuple[Seat, int], ...]) -> None:
    """Whoever removed parts may attach or discard each, one player after the other (C36)."""
    holders = {seat for seat, _ in trophies}
    for seat in fight.team:
        if seat in holders:
            bench.fight = Fight(
                fight.initiator, fight.team, fight.fighting, True, fight.retreat_paid, trophies
            )
            bench.ask("attach", seat)
            return
    bench.fight = None
    end_turn(bench)


def attach(bench: Bench, fight: Fight, seat: Seat, part: int, into: int) -> None:
    replaced = bench.wear(seat, part, into)
    bench.say(Attached(seat, bench.box.parts[part], into, replaced))
    bench.grow_torso(seat)
    _hand_out(bench, fight, without(fight.trophies, (seat, part)))


def discard(bench: Bench, fight: Fight, seat: Seat, part: int) -> None:
    bench.toss(part)
    bench.say(Discarded(seat, bench.box.parts[part]))
    _hand_out(bench, fight, without(fight.trophies, (seat, part)))


def _win(bench: Bench, fight: Fight) -> None:
    """Winning the Game: who has not retreated, or the whole team (C41)."""
    winners = fight.team if bench.rules.whole_team_wins else fight.fighting
    bench.winners = tuple(sorted(winners))
    bench.reason = "stitches-abomination-defeated"
    bench.say(MatchEnded(bench.winners, bench.reason))
    stage: Stage = "over"
    if bench.rules.keep:
        bench.kept = (None,) * len(bench.coins)
        if any(keepable(bench.box, bench.bodies[seat]) for seat in bench.winners):
            stage = "keep"
    bench.ask(stage, NOBODY)


def keepable(box: Box, body: tuple[int, ...]) -> tuple[int, ...]:
    """The Monster parts of a body, one of which a winner may keep (C51)."""
    return tuple(part for part in body if box.priced[part])
