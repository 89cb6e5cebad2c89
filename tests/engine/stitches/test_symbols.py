"""What screen and computer players are told about strength, against the rules themselves."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import Seat
from engine.stitches import Stitches
from engine.stitches.model import Countered, Provoke, Strike, Struck, Tear
from engine.stitches.symbols import (
    Symbols,
    beatable,
    counter_target,
    links,
    might,
    on_the_table,
    strength,
    team_of,
    totals,
)
from tests.engine.stitches.scenarios import lay
from tests.playout import moves, positions

GAME = Stitches()
seeds = st.binary(min_size=4, max_size=4)
few = settings(max_examples=8)


def test_totals_skip_empty_slots():
    assert totals([GAME.box.parts[1], None, GAME.box.parts[2]]) == Symbols(4, 0, 2)


def test_on_the_table_is_what_others_and_the_abomination_show():
    view = lay(bodies={1: {"legs": ""}}, sides=((1, 1, 1), "Robot 5", "", "")).view()
    prey = on_the_table(view, Seat(0))
    assert [p.owner for p in prey] == [1, 1, 1, 2, 2, 2, 2, None, None]
    assert [p.beast for p in prey] == [False] * 7 + [True] * 2


def test_a_hidden_abomination_shows_neither_head_nor_torso():
    sides = ((9, 9, 9), "Robot 5", "", "")
    hidden = lay(sides=sides, beast_torso=(5, 5, 5), revealed=False).view()
    assert might(hidden) == Symbols(3, 0, 1)
    assert might(lay(sides=sides, beast_torso=(5, 5, 5)).view()) == Symbols(17, 14, 15)


@few
@given(seed=seeds)
def test_beatable_is_what_may_be_torn_or_struck(seed):
    for match in positions(GAME, seed, most=150):
        for seat in match.pending():
            view, legal = match.view(seat), match.choices(seat)
            prey = beatable(view, seat)
            if view.stage == "attack":
                torn = {(a.target, a.part) for a in legal if isinstance(a, Tear)}
                assert torn == {(p.owner, p.part.id) for p in prey if not p.beast}
            if view.stage == "fight":
                struck = {a.part for a in legal if isinstance(a, Strike)}
                assert struck == {p.part.id for p in prey if p.beast}


@few
@given(seed=seeds)
def test_team_links_and_counterattack_are_what_then_happens(seed):
    for move in moves(GAME, seed, most=250):
        view = move.before.view(move.seat)
        if isinstance(move.action, Provoke):
            assert move.events[0].team == team_of(view, move.seat)
        if view.stage == "word":
            words = [action.word for action in move.before.choices(move.seat)]
            assert list(links(view, move.seat)) == words
        if isinstance(move.events[0] if move.events else None, Struck) and move.events[0].left:
            expected = counter_target(view, move.seat, move.events[0].part)
            (countered,) = (e for e in move.events if isinstance(e, Countered))
            assert countered.part == expected


def test_strength_counts_body_and_torso():
    view = lay(bodies={0: {"head": "Tiger 4"}}, torsos={0: "Tiger"}).view()
    assert strength(view.monsters[0]) == Symbols(2, 2, 3)
