"""What a seat sees of Stitches, and which other states would look the same to it."""

from __future__ import annotations

from engine.chance import Chance
from engine.core import Seat
from engine.stitches.bench import changed
from engine.stitches.model import HEAD, Abomination, Battle, Fight, Monster, Part, State, View
from engine.stitches.parts import Box


def view(box: Box, state: State, seat: Seat | None, asked: tuple[Seat, ...]) -> View:
    """Everything public, and the seat's own declaration."""
    parts = box.parts
    secret = state.stage == "declare"
    return View(
        seat=seat,
        rules=state.rules,
        parts=parts,
        stage=state.stage,
        asked=asked,
        round=state.round,
        first=state.first,
        monsters=tuple([_monster(box, state, s) for s in range(len(state.coins))]),
        declaration=state.declared[seat] if secret and seat is not None else None,
        pot=state.pot,
        market=tuple([parts[part] for part in state.market]),
        deck=len(state.deck),
        discard=tuple([parts[part] for part in state.discard]),
        word_deck=len(state.word_deck),
        word_discard=state.word_discard,
        card_deck=len(state.card_deck),
        card_discard=state.card_discard,
        abomination=_abomination(box, state),
        battle=_battle(box, state.fight) if state.fight else None,
        news=state.news,
        winners=state.winners,
        reason=state.reason,
        kept=tuple([parts[part] if part else None for part in state.kept]),
    )


def _cards(box: Box, numbers: tuple[int, ...]) -> tuple[Part | None, ...]:
    return tuple([box.parts[part] if part else None for part in numbers])


def _monster(box: Box, state: State, seat: int) -> Monster:
    seats = len(state.coins)
    declared = state.declared[seat]
    open_ = state.stage != "declare"
    return Monster(
        seat=Seat(seat),
        coins=state.coins[seat],
        body=_cards(box, state.bodies[seat]),
        torso=box.parts[state.torsos[seat]],
        words=state.words[seat],
        declared=declared is not None,
        attacks=declared if open_ else None,
        acted=open_ and (seat - state.first) % seats < state.acted,
    )


def _abomination(box: Box, state: State) -> Abomination:
    sides = _cards(box, state.sides)
    if not state.revealed:
        return Abomination(False, changed(sides, HEAD, None), None)
    return Abomination(True, sides, box.parts[state.torso])


def _battle(box: Box, fight: Fight) -> Battle:
    return Battle(
        initiator=fight.initiator,
        team=fight.team,
        fighting=fight.fighting,
        opened=fight.opened,
        retreat_paid=fight.retreat_paid,
        trophies=tuple([(seat, box.parts[part]) for seat, part in fight.trophies]),
        captured=tuple([box.parts[part] for part in fight.captured]),
    )


def resample(box: Box, state: State, seat: Seat | None, chance: Chance) -> State:
    """Shuffle what nobody has seen: the decks, a hidden Abomination, the others' declarations.

    What a deck holds is known to everyone who has watched, its order to nobody.
    """
    declared = state.declared
    if state.stage == "declare":
        declared = tuple(
            known if s == seat or known is None else chance.below(2) == 1
            for s, known in enumerate(declared)
        )
    sides, torso = state.sides, state.torso
    if not state.revealed:
        level = int(state.rules.hard)
        sides = changed(sides, HEAD, chance.pick(box.heads[level]))
        torso = chance.pick(box.torsos[level])
    return state._replace(
        declared=declared,
        deck=chance.shuffle(state.deck),
        word_deck=chance.shuffle(state.word_deck),
        card_deck=chance.shuffle(state.card_deck),
        sides=sides,
        torso=torso,
    )
