"""Every ruling and every case of the table of rulings, by its id."""

from __future__ import annotations

import pytest

from engine.chance import Chance
from engine.core import Seat
from engine.errors import GameError
from engine.match import start
from engine.stitches import Stitches, errors
from engine.stitches.model import (
    Attach,
    Bought,
    Buy,
    CardDrawn,
    Countered,
    Declare,
    Declared,
    Discard,
    Done,
    FightEnded,
    Filled,
    FirstMoved,
    Keep,
    KeepNothing,
    MarketDrew,
    MarketRefreshed,
    MatchEnded,
    Missed,
    Placed,
    Provoke,
    Provoked,
    Reshuffled,
    Retreat,
    Revealed,
    Rob,
    Robbed,
    Shared,
    Snatched,
    Spared,
    Strike,
    Struck,
    Tear,
    TorsoGrown,
    WordLearned,
    WordLost,
)
from engine.stitches.symbols import Symbols, beats, counter_target, links, strength, team_of
from tests.engine.stitches.scenarios import SLOTS, lay

RULINGS = {f"C{number:02}" for number in range(1, 55)}
UNUSED = {15, 20, 22, 26, 35, 38, 40, 44}
CASES = {f"T{number:02}" for number in range(1, 46) if number not in UNUSED}
CITED: set[str] = {"T43"}  # in test_invariants.py
NOTHING = dict.fromkeys(SLOTS, "")
GIANT = {"head": (9, 9, 9)}
WEAK = {**NOTHING, "head": (1, 1, 1)}
HARD = (0, 0, 9)
GAME = Stitches()


def cites(*ids):
    """The test that follows stands for these rulings and cases."""
    CITED.update(ids)
    return lambda test: test


def opened(seats=3, **options):
    match, _ = start(GAME, seats, b"seed", options)
    return match.state


def giants(*seats):
    return dict.fromkeys(seats, GIANT)


# Setup


@cites("T07", "C52", "C04")
@pytest.mark.parametrize(("seats", "pot"), [(3, 8), (4, 10), (5, 12), (6, 14), (7, 16)])
def test_setup(seats, pot):
    state = opened(seats)
    assert (state.pot, state.coins) == (pot, (2,) * seats)
    assert state.pot + sum(state.coins) == 4 * seats + 2
    assert len({known for (known,) in state.words}) == seats
    assert len(state.word_deck) == 36 - seats
    assert (len(state.market), len(state.deck), len(state.card_deck)) == (3, 36 - 4, 8)
    assert [side != 0 for side in state.sides] == [True, True, False, False]
    view = GAME.view(state, None)
    assert all(strength(monster) == Symbols(2, 1, 1) for monster in view.monsters)


@cites("C52")
def test_the_first_player_is_random_unless_carried():
    firsts = {start(GAME, 3, bytes([i]))[0].state.first for i in range(30)}
    assert firsts == {0, 1, 2}
    assert opened(3, first=2).first == 2
    assert opened(3, first=7).first in range(3)


@pytest.mark.parametrize(("abomination", "level"), [("normal", 0), ("hard", 1)])
def test_the_level_decides_which_abomination(abomination, level):
    state = opened(abomination=abomination)
    assert state.sides[0] in GAME.box.heads[level]
    assert state.torso in GAME.box.torsos[level]


# What beats what


@cites("C01", "T01", "T02", "T03", "T04", "T05", "T06")
@pytest.mark.parametrize(
    ("attacker", "part", "expected"),
    [
        ((1, 2, 1), (2, 1, 0), True),
        ((2, 0, 1), (1, 0, 0), False),
        ((2, 1, 1), (1, 0, 0), True),
        ((2, 1, 1), (0, 0, 2), True),
        ((2, 1, 1), (2, 0, 0), False),
        ((2, 1, 1), (0, 2, 0), False),
        ((2, 1, 1), (0, 1, 1), True),
        ((9, 1, 9), (2, 0, 0), False),
    ],
)
def test_what_beats_what(attacker, part, expected):
    bodies = {0: {**NOTHING, "head": attacker}, 1: {**NOTHING, "legs": part}}
    scene = lay(bodies=bodies, sides=((0, 0, 0), part, "", ""), deck=[], word_deck=[])
    scene = scene.declare("AAA")
    legs = scene.state.bodies[1][2]
    assert (Tear(Seat(1), legs, 2) in scene.legal(0)) == expected
    assert beats(Symbols(*attacker), scene.cut.box.parts[legs]) == expected
    fight = scene.provoke(0)
    assert (Strike(fight.state.sides[1]) in fight.legal(0)) == expected


def test_a_refusal_names_the_symbol_that_is_short():
    scene = lay(bodies={0: {**NOTHING, "head": (2, 0, 1)}, 1: {"legs": (1, 0, 0)}}).declare("AAA")
    with pytest.raises(errors.CannotBeat) as refused:
        scene.tear(0, 1, "legs")
    assert refused.value.params == {"symbol": "paper", "have": 0, "need": 1}


@cites("C02")
def test_symbols_are_not_used_up():
    scene = lay(
        bodies={0: {**NOTHING, "head": (1, 1, 1)}},
        sides=((1, 1, 1), (1, 1, 1, 2), (0, 0, 1), (0, 0, 9)),
    )
    scene = scene.declare("ASS").provoke(0)
    # It can't take a head of (1, 1, 1, 0) from the striker with what is left: (0, 0, 9) + ...
    assert {type(action) for action in scene.legal(0)} == {Strike}
    assert len(scene.legal(0)) == 3


@cites("C03")
def test_the_part_that_will_be_replaced_counts():
    bodies = {0: {**NOTHING, "legs": (0, 2, 0)}, 1: {"legs": (2, 0, 0)}}
    scene = lay(bodies=bodies).declare("ASS").tear(0, 1, "legs")
    assert scene.body(0)[2] == "200"


@cites("C03", "C50")
def test_a_monster_torso_counts():
    bodies = {0: {**NOTHING}, 1: {"legs": (1, 0, 0)}}
    assert "tear" in lay(bodies=bodies, torsos={0: "Gorilla"}).declare("ASS").kinds(0)
    assert "tear" not in lay(bodies=bodies).declare("ASS").kinds(0)


# Declaration


@cites("C11")
def test_only_the_kind_of_action_is_declared():
    scene = lay()
    assert scene.legal(0) == (Declare(False), Declare(True))
    scene = scene.declare("ASS")
    assert {action.target for action in scene.legal(0) if isinstance(action, Rob)} == {1, 2}
    assert "provoke" in scene.kinds(0)


def test_a_declaration_is_secret_and_may_change_until_the_last_one_is_in():
    scene = lay().do(0, Declare(True))
    assert scene.view(0).declaration is True
    assert scene.view(1).declaration is None
    assert [m.declared for m in scene.view(1).monsters] == [True, False, False]
    assert [m.attacks for m in scene.view(0).monsters] == [None] * 3
    assert scene.match.epoch == lay().match.epoch
    scene = scene.do(0, Declare(False)).do(1, Declare(True)).do(2, Declare(False))
    assert scene.happened(Declared) == [Declared((False, True, False))]


@cites("C12")
def test_an_attacker_must_attack():
    alone = {0: NOTHING, 1: NOTHING, 2: NOTHING}
    scene = lay(bodies=alone, coins=[9, 0, 0], market=["Tiger 3"]).declare("AAA")
    assert scene.legal(0) == (Rob(Seat(1)), Rob(Seat(2)), Provoke())
    with pytest.raises(errors.YouAttack):
        scene.buy(0, "Tiger 3", "legs")
    with pytest.raises(errors.YouScavenge):
        lay(coins=[9, 0, 0], market=["Tiger 3"]).declare("SSS").rob(0, 1)


# The Pot


@cites("T08")
def test_three_scavengers_share_a_pot_of_eight():
    scene = lay(coins=[0, 0, 0], deck=["Robot 5"]).declare("SSS")
    assert scene.events[1] == Shared((0, 1, 2), 2, 2)
    assert scene.state.coins == (2, 2, 2)
    assert scene.state.pot == 2


@cites("C15", "T09")
def test_without_scavengers_the_pot_stays():
    scene = lay().declare("AAA")
    assert scene.state.pot == 8
    assert scene.happened(Shared) == [Shared((), 0, 8)]


@cites("C13")
def test_all_share_before_anybody_acts_then_clockwise_from_the_first_player():
    scene = lay(4, pot=10, coins=[0] * 4, first=2, market=["Tiger 3"]).declare("SASA")
    assert scene.state.coins == (5, 0, 5, 0)
    assert scene.asked == ("market", 2)
    scene = scene.do(2, Done())
    assert scene.asked == ("attack", 3)
    scene = scene.rob(3, 1)
    assert scene.asked == ("market", 0)
    assert scene.do(0, Done()).asked == ("attack", 1)


@cites("C14")
def test_a_share_can_be_robbed_before_its_owner_acts():
    scene = lay(coins=[0, 0, 0]).declare("ASS").rob(0, 1)
    assert scene.state.coins == (2, 2, 4)


@cites("C16")
def test_payments_are_shared_next_round():
    scene = lay(coins=[5, 0, 0], pot=0, market=["Robot 5"]).declare("SAA")
    scene = scene.buy(0, "Robot 5", "head")
    assert scene.state.pot == 5
    scene = scene.rob(1, 0).rob(2, 0)
    assert (scene.state.stage, scene.state.pot) == ("declare", 5)
    assert scene.declare("ASA").state.coins[1] == 5


# Scavenging


@cites("T10", "C19")
def test_mary_buys_two_parts():
    scene = lay(coins=[7, 0, 0], pot=0, market=["Robot 5", "Tiger 3"], deck=["Mammoth 3"]).declare(
        "SAA"
    )
    scene = scene.buy(0, "Mammoth 3", "left").buy(0, "Tiger 3", "legs")
    assert (scene.state.coins[0], scene.state.pot) == (1, 6)
    assert scene.body(0) == ["Human head", "Human right", "Tiger 3", "Mammoth 3"]
    assert scene.discard_pile() == ["Human left", "Human legs"]
    assert [scene.name(part) for part in scene.state.market] == ["Robot 5"]


@cites("C17", "T11")
def test_without_money_a_scavenger_turns_up_a_card_and_is_not_asked():
    scene = lay(coins=[0, 0, 0], pot=0, deck=["Tiger 3"]).declare("SAA")
    assert scene.happened(MarketDrew)[0].part.monster == "Tiger"
    assert len(scene.state.market) == 1
    assert scene.asked == ("attack", 1)


@cites("C18")
def test_buying_twice_for_a_slot_discards_the_first_purchase():
    scene = lay(coins=[9, 0, 0], pot=0, market=["Tiger 3", "Python 5"]).declare("SAA")
    scene = scene.buy(0, "Tiger 3", "legs").buy(0, "Python 5", "legs")
    assert scene.body(0)[2] == "Python 5"
    assert scene.discard_pile() == ["Human legs", "Tiger 3"]


def test_a_purchase_needs_the_card_the_money_and_the_slot():
    scene = lay(coins=[4, 0, 0], pot=0, market=["Tiger 3", "Python 5"]).declare("SAA")
    with pytest.raises(errors.CannotAfford) as refused:
        scene.buy(0, "Python 5", "legs")
    assert refused.value.params == {"cost": 5, "coins": 4}
    with pytest.raises(errors.NotOnMarket):
        scene.buy(0, "Robot 5", "head")
    with pytest.raises(errors.WrongSlot):
        scene.buy(0, "Tiger 3", "head")


@cites("C20")
def test_an_empty_parts_deck_is_made_of_the_discarded_monster_parts():
    scene = lay(coins=[0] * 3, deck=[], discard=["Human head", "Tiger 3", (3, 2, 1)], pot=0)
    scene = scene.declare("SAA")
    assert [scene.name(part) for part in scene.state.market] == ["Tiger 3"]
    assert scene.discard_pile() == ["Human head", "321"]
    assert scene.happened(Reshuffled) == [Reshuffled("parts")]


@cites("C21")
def test_a_new_market_with_too_few_cards_is_smaller():
    scene = lay(deck=["Tiger 2"], discard=["Human head"], market=["Tiger 3"], coins=[0] * 3)
    scene = scene.declare("AAA").rob(0, 1).rob(1, 2).rob(2, 0)
    assert sorted(scene.name(part) for part in scene.state.market) == ["Tiger 2", "Tiger 3"]
    refreshed = scene.happened(MarketRefreshed)[0]
    assert [part.id for part in refreshed.market] == list(scene.state.market)


# Attacking another player


@cites("C05", "T14")
def test_a_torn_part_leaves_an_empty_slot():
    scene = lay(bodies={1: {"legs": "Mantis 2"}}).declare("ASS").tear(0, 1, "legs")
    assert scene.body(1)[2] == ""
    assert scene.body(0)[2] == "Mantis 2"
    assert scene.discard_pile() == ["Human legs"]


@cites("C06")
def test_an_arm_goes_where_the_attacker_wants_an_empty_slot_named_first():
    bodies = {0: {"left": ""}, 1: {"right": "Tiger 2"}}
    scene = lay(bodies=bodies).declare("ASS")
    part = scene.state.bodies[1][1]
    arms = [a for a in scene.legal(0) if isinstance(a, Tear) and a.part == part]
    assert arms == [Tear(Seat(1), part, 3), Tear(Seat(1), part, 1)]
    assert scene.tear(0, 1, "right", into="left").body(0)[1:] == [
        "Human right",
        "Human legs",
        "Tiger 2",
    ]


@cites("C07", "T16")
def test_torsos_empty_slots_and_oneself_can_not_be_attacked():
    scene = lay(bodies={0: GIANT, 1: {"legs": ""}}, torsos={1: "Tiger"}).declare("ASS")
    for part, error in (
        (scene.state.torsos[1], errors.NoSuchPart),
        (scene.state.bodies[2][2] + 1, errors.NoSuchPart),
    ):
        with pytest.raises(error):
            scene.do(0, Tear(Seat(1), part, 2))
    with pytest.raises(errors.NoSuchPart):
        scene.do(0, Tear(Seat(1), 0, 2))
    with pytest.raises(errors.NotYourself):
        scene.do(0, Tear(Seat(0), scene.state.bodies[0][2], 2))
    with pytest.raises(errors.NotYourself):
        scene.rob(0, 0)


@cites("C08", "C10", "T12")
def test_half_of_five_is_three_and_needs_no_symbols():
    scene = lay(bodies={0: NOTHING}, coins=[0, 5, 0]).declare("AAA").rob(0, 1)
    assert scene.state.coins == (3, 2, 0)
    assert scene.happened(Robbed) == [Robbed(0, 1, 3)]
    assert [len(known) for known in scene.state.words] == [2, 2, 1]


@cites("C09", "T13")
@pytest.mark.parametrize(("coins", "taken"), [(1, 1), (0, 0)])
def test_robbing_the_poor(coins, taken):
    scene = lay(coins=[0, coins, 0]).declare("AAA").rob(0, 1)
    assert scene.state.coins == (taken, coins - taken, 0)
    assert [event.seat for event in scene.happened(WordLearned)] == [0, 1]


def test_nobody_deciding_robs_the_poorest():
    scene = lay(coins=[0, 3, 1]).declare("AAA")
    assert GAME.fallback(scene.state, Seat(0)) == Rob(Seat(2))


# Words


@cites("C22", "T17")
def test_a_known_word_is_discarded_and_another_drawn():
    scene = lay(words=["Rock", "Kitty", "Mama"], word_deck=["Rock", "Food", "Fire"])
    scene = scene.declare("AAA").rob(0, 1)
    assert scene.state.words[:2] == (("Rock", "Food"), ("Kitty", "Fire"))
    assert scene.state.word_discard == ("Rock",)
    assert scene.happened(WordLearned)[0] == WordLearned(0, "Food", ("Rock",))


@cites("C22", "T18")
def test_who_knows_every_word_learns_none():
    scene = lay(words=["Rock Food", "Kitty", "Mama"], word_deck=["Food", "Rock"])
    scene = scene.declare("AAA").rob(0, 1)
    assert scene.happened(WordLearned)[0] == WordLearned(0, None, ())
    assert scene.state.words[:2] == (("Rock", "Food"), ("Kitty", "Food"))


@cites("C23")
def test_an_empty_word_deck_is_made_of_its_discards():
    scene = lay(words=["Rock", "Kitty", "Mama"], word_deck=["Rock"], word_discard=["Food"])
    scene = scene.declare("AAA").rob(0, 2)
    assert scene.state.words[0] == ("Rock", "Food")
    assert Reshuffled("words") in scene.events


@cites("C24")
def test_the_attacker_draws_before_the_victim():
    scene = lay(word_deck=["Food", "Fire"]).declare("AAA").rob(0, 2)
    assert [(e.seat, e.word) for e in scene.happened(WordLearned)] == [(0, "Food"), (2, "Fire")]


@cites("C25")
def test_words_are_public():
    assert [m.words for m in lay().view(None).monsters] == [("Rock",), ("Kitty",), ("Squishy",)]


# The team


EXAMPLE = ["Rock Kitty Squishy", "Rock Mama", "Kitty Squishy"]


@cites("C26", "C27", "T19")
def test_who_shares_a_word_with_the_initiator_fights():
    scene = lay(4, bodies=giants(0), words=[*EXAMPLE, "Mama"]).declare("ASAS")
    assert team_of(scene.view(), Seat(0)) == (0, 1, 2)
    scene = scene.provoke(0)
    # Mama joins the fourth to the second, not to the initiator.
    assert scene.happened(Provoked) == [Provoked(0, (0, 1, 2))]
    assert scene.fight.fighting == (0, 1, 2)


# The fight


@cites("T21", "C28", "C29")
def test_the_first_attack_reveals_and_fills_every_empty_side_with_any_part():
    scene = lay(
        bodies=giants(0),
        revealed=False,
        sides=((3, 2, 1), "", "", ""),
        beast_torso=(2, 1, 0),
        discard=["Human head", "Tiger 3"],
        deck=["Robot 5", "Robot 4"],
    )
    assert scene.view().abomination.torso is None
    scene = scene.declare("AAA").provoke(0)
    assert [scene.name(e.head.id) for e in scene.happened(Revealed)] == ["321"]
    filled = scene.happened(Filled)[0]
    assert filled.sides == (1, 2, 3)
    assert sorted(scene.sides()[1:3]) == ["Human head", "Tiger 3"]
    assert scene.sides()[3] == "Robot 5"
    assert scene.discard_pile() == []


@cites("C28", "C29")
def test_what_is_not_needed_stays_discarded_and_the_head_side_is_filled_too():
    pile = ["Tiger 3", "Tiger 4", "Tiger 5"]
    scene = lay(bodies=giants(0), sides=("", "Robot 5", "", "Robot 4"), discard=pile)
    scene = scene.declare("AAA").provoke(0)
    assert scene.happened(Filled)[0].sides == (0, 2)
    assert sorted([scene.sides()[0], scene.sides()[2], *scene.discard_pile()]) == pile


@cites("T23")
def test_the_initiator_must_attack_before_retreating():
    scene = lay(bodies=giants(0)).declare("ASS").provoke(0)
    with pytest.raises(errors.MustAttackFirst):
        scene.retreat(0)
    assert "retreat" in scene.strike(0, 1).kinds(0)


@cites("C30")
def test_the_fight_goes_clockwise_through_those_still_fighting():
    scene = lay(4, bodies=giants(0, 1, 3), words=["Rock"] * 4, first=3).declare("SSSA").provoke(3)
    assert scene.fight.team == (3, 0, 1, 2)
    scene = scene.strike(3, 0)
    assert scene.asked == ("fight", 0)
    scene = scene.retreat(0)
    assert scene.asked == ("fight", 1)
    scene = scene.strike(1, 1)
    assert scene.asked == ("fight", 2)
    assert scene.retreat(2).asked == ("fight", 3)


@cites("C31", "T24")
def test_an_initiator_who_beats_nothing_fails_and_is_struck_before_the_next_acts():
    scene = lay(
        bodies={0: {**WEAK, "legs": "Tiger 3"}, 1: GIANT},
        words=["Rock", "Rock", "Mama"],
        sides=((5, 5, 5), HARD, HARD, HARD),
    )
    scene = scene.declare("ASS").provoke(0)
    assert scene.happened(Missed) == [Missed(0)]
    assert [scene.name(e.part.id) for e in scene.happened(Countered)] == ["Tiger 3"]
    assert scene.sides() == ["555", "009", "009", "009"]
    assert scene.asked == ("fight", 1)


@cites("C32")
def test_who_can_beat_nothing_may_only_retreat():
    scene = lay(
        bodies={0: GIANT, 1: WEAK},
        words=["Rock", "Rock", "Mama"],
        sides=((5, 5, 5), HARD, HARD, HARD),
    )
    scene = scene.declare("ASS").provoke(0).strike(0, 0)
    assert scene.legal(1) == (Retreat(),)
    with pytest.raises(errors.CannotBeat):
        scene.strike(1, 1)


@cites("C33", "T28")
def test_the_counterattack_has_only_the_symbols_that_are_left_with_the_torso():
    sides = ((9, 9, 9), (0, 0, 1), (0, 0, 1), (0, 0, 1))
    body = {**NOTHING, "legs": (3, 0, 0, 4), "head": (9, 9, 9)}
    scene = lay(bodies={0: body}, sides=sides, beast_torso=(0, 2, 0)).declare("ASS").provoke(0)
    assert scene.strike(0, 0).happened(Countered) == [Countered(0, None)]
    scene = lay(bodies={0: body}, sides=sides, beast_torso=(0, 3, 0)).declare("ASS").provoke(0)
    assert scene.strike(0, 0).happened(Countered)[0].part.cost == 4


@cites("C34", "T25")
def test_the_counterattack_takes_the_highest_value_head_first():
    body = {"head": (0, 2, 1, 4), "right": (1, 2, 0, 4), "legs": (1, 0, 0, 3), "left": (9, 9, 9)}
    scene = lay(
        bodies={0: body},
        sides=((1, 1, 1), (1, 1, 1), (1, 1, 1), (0, 0, 0)),
        beast_torso=(1, 1, 1),
    )
    scene = scene.declare("ASS").provoke(0)
    spared = scene.cut.box.parts[scene.state.sides[3]]
    assert counter_target(scene.view(), Seat(0), spared).kind == "head"
    scene = scene.strike(0, 3)
    assert scene.body(0) == ["", "120", "100", "999"]
    assert scene.events[-1].part.kind == "head"


@cites("C34")
def test_equal_values_fall_clockwise():
    body = {"head": (9, 9, 9), "right": (0, 0, 1, 3), "legs": (0, 0, 1, 3), "left": (0, 0, 1, 3)}
    sides = ((2, 0, 0), (2, 0, 0), (2, 0, 0), (0, 0, 0))
    scene = lay(bodies={0: body}, sides=sides).declare("ASS").provoke(0)
    for side, gone in ((3, "right"), (2, "legs"), (1, "left")):
        scene = scene.strike(0, side)
        assert scene.body(0)[SLOTS.index(gone)] == ""


@cites("T27", "C34")
def test_a_human_part_falls_only_when_no_priced_part_can():
    body = {**NOTHING, "right": "Human right", "legs": (0, 0, 8, 2), "left": (9, 9, 9)}
    sides = ((0, 1, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0))
    scene = lay(bodies={0: body}, sides=sides).declare("ASS").provoke(0).strike(0, 1)
    assert scene.body(0) == ["", "", "008", "999"]


@cites("C34")
def test_only_the_one_who_attacked_is_struck():
    words = ["Rock", "Rock", "Mama"]
    scene = lay(bodies=giants(0, 1), words=words, beast_torso=(9, 9, 9)).declare("ASS").provoke(0)
    scene = scene.strike(0, 0).strike(1, 1)
    assert [event.seat for event in scene.happened(Countered)] == [0, 1]


@cites("C35", "C41", "T36")
@pytest.mark.parametrize(("whole_team_wins", "winners"), [(False, (0, 1)), (True, (0, 1, 2))])
def test_the_last_part_wins_at_once_for_those_who_have_not_retreated(whole_team_wins, winners):
    scene = lay(bodies=giants(0, 1), words=["Rock"] * 3, whole_team_wins=whole_team_wins)
    scene = scene.declare("ASS").provoke(0)
    scene = scene.strike(0, 0).strike(1, 1).retreat(2).strike(0, 2)
    before = len(scene.happened(Countered))
    scene = scene.strike(1, 3)
    assert len(scene.happened(Countered)) == before == 3
    assert scene.events[-1] == MatchEnded(winners, "stitches-abomination-defeated")
    outcome = scene.match.game.outcome(scene.state)
    assert outcome.winners == set(winners)
    assert outcome.scores == {seat: int(seat in winners) for seat in range(3)}


@cites("C36", "T29")
def test_removed_parts_can_be_used_only_after_the_fight():
    sides = ((0, 9, 0), (9, 0, 0), (9, 0, 0), HARD)
    body = {**NOTHING, "head": (9, 8, 9)}
    scene = lay(bodies={0: body}, sides=sides).declare("ASS").provoke(0)
    scene = scene.strike(0, 0)
    # With the nine Paper it has just removed it could take the nine Rock.
    assert scene.asked == ("fight", 0)
    assert [type(action) for action in scene.legal(0)] == [Strike, Retreat]
    assert scene.name(scene.legal(0)[0].part) == "009"


@cites("C36", "C37")
def test_after_the_fight_each_attaches_or_discards_what_they_removed_also_who_retreated():
    sides = ((3, 2, 1), "Tiger 2", "Robot 4", HARD)
    scene = lay(bodies=giants(0, 1), sides=sides, words=["Rock", "Rock", "Mama"])
    scene = scene.declare("ASS").provoke(0).strike(0, 0).strike(1, 1).strike(0, 2)
    scene = scene.retreat(1).retreat(0)
    assert scene.asked == ("attach", 0)
    assert scene.kinds(0) == {"attach", "discard"}
    with pytest.raises(errors.NotYourTrophy):
        scene.attach(0, "Tiger 2", "left")
    with pytest.raises(errors.WrongSlot):
        scene.attach(0, (3, 2, 1), "head").attach(0, "Robot 4", "head")
    scene = scene.attach(0, (3, 2, 1), "head").discard(0, scene.cut.id("Robot 4"))
    assert scene.asked == ("attach", 1)
    scene = scene.attach(1, "Tiger 2", "left")
    assert scene.body(0)[0] == "321"
    assert scene.body(1)[3] == "Tiger 2"
    assert "Robot 4" in scene.discard_pile()
    assert scene.state.fight is None
    assert scene.cut.box.cost[scene.state.bodies[0][0]] == 0


@cites("C38", "T34")
def test_what_the_abomination_took_fills_its_empty_sides_after_the_fight():
    body = {**NOTHING, "head": (9, 9, 9, 0), "legs": "Tiger 3", "right": "Tiger 2"}
    sides = ((0, 0, 0), (0, 0, 0), (0, 0, 0), (9, 0, 0))
    scene = lay(bodies={0: body}, sides=sides, beast_torso=(0, 0, 1)).declare("ASS").provoke(0)
    scene = scene.strike(0, 0)
    assert scene.sides() == ["", "000", "000", "900"]
    scene = scene.strike(0, 1)
    assert scene.body(0) == ["999", "", "", ""]
    scene = scene.strike(0, 2).retreat(0)
    placed = scene.happened(Placed)[0]
    assert placed.sides == (0, 1)
    assert scene.sides() == ["Tiger 3", "Tiger 2", "", "900"]


@cites("C38")
def test_what_finds_no_empty_side_is_discarded():
    bodies = {0: {**WEAK, "right": "Tiger 5"}, 1: WEAK}
    sides = ((9, 9, 9), HARD, HARD, HARD)
    scene = lay(bodies=bodies, sides=sides, words=["Rock", "Rock", "Mama"])
    scene = scene.declare("ASS").provoke(0)
    (placed,) = scene.happened(Placed)
    assert (placed.sides, placed.parts) == ((), ())
    assert [part.cost for part in placed.discarded] == [5]
    assert "Tiger 5" in scene.discard_pile()


@cites("C38")
def test_by_the_option_what_it_takes_is_discarded_at_once():
    body = {**NOTHING, "head": (9, 9, 9), "legs": "Tiger 3"}
    sides = ((0, 0, 0), (0, 0, 0), HARD, HARD)
    scene = lay(bodies={0: body}, sides=sides, beast_torso=(5, 0, 0), attach_captured=False)
    scene = scene.declare("ASS").provoke(0).strike(0, 0)
    assert scene.discard_pile() == ["Tiger 3"]
    assert scene.retreat(0).happened(Placed) == []


@cites("C39", "T33")
def test_a_stalemate_ends_the_fight_without_loss():
    sides = (HARD, HARD, HARD, HARD)
    scene = lay(bodies={0: WEAK, 1: WEAK}, words=["Rock", "Rock", "Mama"], sides=sides)
    scene = scene.declare("AAS").provoke(0)
    assert scene.happened(FightEnded) == [FightEnded(stalemate=True)]
    assert scene.happened(WordLost) == []
    assert scene.asked == ("attack", 1)


@cites("C39")
def test_a_stalemate_is_noticed_after_the_counterattack():
    sides = ((0, 0, 0), (0, 0, 5), (0, 0, 5), (0, 0, 5))
    body = {**NOTHING, "legs": (5, 0, 0, 4)}
    scene = lay(bodies={0: body}, sides=sides, beast_torso=(0, 5, 0)).declare("AAS").provoke(0)
    scene = scene.strike(0, 0)
    assert scene.body(0) == ["", "", "", ""]
    assert scene.happened(FightEnded) == [FightEnded(stalemate=True)]


@cites("C40", "T30")
def test_the_first_to_retreat_chooses_which_link_to_lose():
    scene = lay(bodies=giants(0, 1, 2), words=EXAMPLE).declare("ASS").provoke(0)
    scene = scene.strike(0, 0).strike(1, 1).retreat(2)
    assert scene.asked == ("word", 2)
    assert links(scene.view(), Seat(2)) == ("Kitty", "Squishy")
    with pytest.raises(errors.NotALink):
        scene.lose(2, "Rock")
    scene = scene.lose(2, "Squishy")
    assert scene.state.words[2] == ("Kitty",)
    assert scene.state.word_discard == ("Squishy",)
    assert scene.fight.team == (0, 1, 2)


@cites("C40")
def test_an_initiator_loses_a_word_shared_with_any_teammate():
    scene = lay(bodies=giants(0, 1, 2), words=EXAMPLE).declare("ASS").provoke(0)
    scene = scene.strike(0, 0).strike(1, 1).strike(2, 2).retreat(0)
    assert [action.word for action in scene.legal(0)] == ["Rock", "Kitty", "Squishy"]


@cites("C40", "T31")
def test_later_retreats_are_free():
    words = ["Rock Food", "Rock Mama", "Fire"]
    scene = lay(bodies=giants(0, 1), words=words).declare("ASS").provoke(0)
    scene = scene.strike(0, 0).strike(1, 1).retreat(0)
    assert scene.happened(WordLost) == [WordLost(0, "Rock")]
    scene = scene.retreat(1)
    assert len(scene.happened(WordLost)) == 1
    assert scene.happened(FightEnded) == [FightEnded(stalemate=False)]


@cites("C40", "T32")
def test_a_solo_fighter_retreats_for_free():
    scene = lay(bodies=giants(0)).declare("ASS").provoke(0).strike(0, 0).retreat(0)
    assert scene.happened(WordLost) == []
    assert scene.state.words[0] == ("Rock",)


@cites("C42", "T37")
def test_all_four_parts_must_fall_in_one_fight():
    scene = lay(bodies=giants(0), deck=["Robot 5"], discard=["Tiger 3", "Tiger 4", "Robot 4"])
    scene = scene.declare("AAA").provoke(0)
    scene = scene.strike(0, 0).strike(0, 1).strike(0, 2).retreat(0)
    for trophy in list(scene.fight.trophies):
        scene = scene.discard(0, trophy[1])
    scene = scene.rob(1, 0).rob(2, 0).declare("AAA").rob(2, 0).provoke(0)
    assert 0 not in scene.state.sides
    assert {action.kind for action in scene.legal(0)} == {"strike"}
    scene = scene.strike(0, 0)
    assert not scene.match.over


@cites("C54")
def test_several_fights_in_a_round_each_with_its_own_filling():
    scene = lay(bodies=giants(0, 1), discard=["Tiger 3"], attach_captured=False)
    scene = scene.declare("AAS").provoke(0).strike(0, 0).retreat(0)
    scene = scene.discard(0, scene.fight.trophies[0][1]).provoke(1)
    assert len(scene.happened(Filled)) == 2
    assert 0 not in scene.state.sides


# The end of a round


def end_round(scene):
    """All rob their left neighbour; then the Abomination acts."""
    seats = scene.match.seats
    scene = scene.declare("A" * seats)
    first = scene.state.first
    for step in range(seats):
        seat = (first + step) % seats
        scene = scene.rob(seat, (seat + 1) % seats)
    return scene


@cites("C53")
def test_the_abomination_acts_then_the_market_then_the_first_player():
    scene = end_round(lay(cards=["grows"], market=["Tiger 3"]))
    kinds = (CardDrawn, MarketRefreshed, FirstMoved)
    assert [type(event) for event in scene.happened(*kinds)] == list(kinds)
    assert scene.events[-1] == FirstMoved(2, Seat(1))
    assert "Tiger 3" in scene.discard_pile()
    assert len(scene.state.market) == 3


@cites("C43")
def test_before_its_first_fight_what_lies_open_counts():
    bodies = {0: {**NOTHING, "legs": "Tiger 3"}, 1: NOTHING, 2: NOTHING}
    hidden = {
        "sides": ((9, 9, 9), "Mammoth 2", "", ""),
        "beast_torso": (9, 9, 9),
        "cards": ["attacks"],
    }
    assert end_round(lay(bodies=bodies, revealed=False, **hidden)).happened(Spared)
    assert end_round(lay(bodies=bodies, **hidden)).happened(Snatched)


@cites("C44", "T39")
def test_it_attacks_takes_one_part_of_the_first_or_second_player():
    sides = ((9, 9, 9), "Robot 5", "", "Robot 4")
    scene = end_round(lay(4, pot=10, first=3, cards=["attacks"], sides=sides))
    assert [(e.seat, e.part.kind, e.side) for e in scene.happened(Snatched)] == [(3, "head", 2)]
    assert scene.sides()[2] == "Human head"
    bodies = {3: dict.fromkeys(SLOTS, "") | {"head": "Tiger 4"}}
    scene = end_round(lay(4, pot=10, first=3, cards=["attacks"], sides=sides, bodies=bodies))
    assert [(e.seat, e.part.cost) for e in scene.happened(Snatched)] == [(0, 0)]


@cites("C45")
def test_it_rampages_on_everybody_and_grows_stronger_on_the_way():
    bodies = {
        0: {**NOTHING, "legs": (0, 5, 0, 2)},
        1: {**NOTHING, "legs": (0, 0, 3, 2), "head": (0, 0, 3, 5)},
        2: {**NOTHING, "legs": (5, 0, 0, 2)},
    }
    sides = ((3, 0, 0), "", "", "")
    # Only the five Paper that it takes from the first seat beat the five Rock of the third.
    scene = end_round(lay(bodies=bodies, sides=sides, beast_torso=(0, 0, 5), cards=["rampages"]))
    assert [event.seat for event in scene.happened(Snatched)] == [0, 1, 2]
    assert scene.body(1) == ["003", "", "", ""]
    scene = end_round(
        lay(bodies=bodies, sides=sides, beast_torso=(0, 0, 5), cards=["rampages"], first=2)
    )
    assert [event.seat for event in scene.happened(Snatched)] == [0, 1]


@cites("C46")
def test_without_an_empty_side_it_discards():
    sides = ((9, 9, 9), "Human right", "Robot 5", "Robot 4")
    scene = end_round(lay(cards=["attacks"], sides=sides))
    assert [event.side for event in scene.happened(Snatched)] == [None]
    assert scene.sides()[1:] == ["Human right", "Robot 5", "Robot 4"]
    assert "Human head" in scene.discard_pile()


@cites("C47", "T41")
@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        (((9, 9, 9), "Human right", "", "Tiger 4"), ["999", "Human right", "NEW", "Tiger 4"]),
        (((9, 9, 9), "Tiger 3", "Human legs", "Tiger 4"), ["999", "Tiger 3", "NEW", "Tiger 4"]),
        (((9, 9, 9), "Tiger 3", "Tiger 2", "Tiger 4"), ["999", "Tiger 3", "Tiger 2", "Tiger 4"]),
    ],
    ids=["empty", "human", "full"],
)
def test_it_grows(sides, expected):
    deck = ["Robot 5", "Robot 4", "Robot 3", "Robot 2"]
    scene = end_round(lay(cards=["grows"], sides=sides, deck=deck))
    assert scene.sides() == [name.replace("NEW", "Robot 5") for name in expected]
    drawn = 3 + ("NEW" in expected)
    assert len(scene.state.deck) == 4 - drawn
    assert ("Human legs" in scene.discard_pile()) == ("Human legs" in sides)


@cites("C48", "T42")
def test_its_behind_you_skips_a_first_player():
    scene = end_round(lay(5, pot=12, cards=["behind"]))
    assert scene.state.first == 2


@cites("C49")
def test_an_empty_abomination_deck_is_shuffled_anew():
    scene = end_round(lay(cards=[], card_discard=["behind"] * 8))
    assert Reshuffled("abomination") in scene.events
    assert (len(scene.state.card_deck), scene.state.card_discard) == (7, ("behind",))


def test_after_the_last_round_the_abomination_has_won():
    scene = end_round(lay(number=20, round_cap=20))
    assert scene.events[-1] == MatchEnded((), "stitches-round-cap")
    outcome = scene.match.game.outcome(scene.state)
    assert (outcome.winners, set(outcome.scores.values())) == (frozenset(), {0})
    assert not end_round(lay(number=19, round_cap=20)).match.over


# Variants


@cites("C50", "T45")
def test_three_parts_of_a_monster_bring_its_torso_for_good():
    bodies = {0: {"head": "Tiger 4", "right": "Tiger 2"}, 1: GIANT}
    money = {"coins": [3, 0, 0], "pot": 0, "market": ["Tiger 3"]}
    scene = lay(bodies=bodies, **money).declare("SAA").buy(0, "Tiger 3", "legs")
    assert scene.happened(TorsoGrown) == []
    scene = lay(bodies=bodies, torso=True, **money).declare("SAA").buy(0, "Tiger 3", "legs")
    (grown,) = scene.happened(TorsoGrown)
    assert (grown.seat, grown.torso.monster, grown.torso.scissors) == (0, "Tiger", 1)
    scene = scene.tear(1, 0, "legs")
    assert scene.state.torsos[0] == grown.torso.id
    with pytest.raises(errors.NoSuchPart):
        scene.do(2, Tear(Seat(0), grown.torso.id, 2))


@cites("C50")
def test_a_torso_grows_once():
    bodies = {0: {"head": "Robot 5", "right": "Robot 2"}}
    money = {"coins": [4, 0, 0], "pot": 0, "market": ["Robot 4"]}
    scene = lay(bodies=bodies, torsos={0: "Tiger"}, torso=True, **money)
    scene = scene.declare("SAA").buy(0, "Robot 4", "legs")
    assert scene.happened(TorsoGrown) == []


@cites("C51")
def test_every_winner_may_keep_a_monster_part_for_the_next_game():
    scene = lay(
        bodies={
            0: {**GIANT, "legs": "Tiger 3", "left": "Robot 2"},
            1: GIANT,
            2: {"left": "Python 3"},
        },
        words=["Rock"] * 3,
        keep=True,
        sides=((0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)),
    )
    scene = scene.declare("ASS").provoke(0)
    for seat, side in ((0, 0), (1, 1), (2, 2), (0, 3)):
        scene = scene.strike(seat, side)
    assert scene.state.stage == "keep"
    assert scene.match.pending() == {0, 2}  # the second winner has no Monster part
    assert scene.legal(0) == (
        Keep(scene.cut.id("Tiger 3")),
        Keep(scene.cut.id("Robot 2")),
        KeepNothing(),
    )
    with pytest.raises(errors.CannotKeep):
        scene.do(0, Keep(scene.cut.id("Python 3")))
    assert not scene.match.over
    scene = scene.do(2, Keep(scene.cut.id("Python 3"))).do(0, Keep(scene.cut.id("Robot 2")))
    assert scene.match.over
    carried = scene.match.game.carry(scene.state)
    assert carried["kept"] == f"0:{scene.cut.id('Robot 2')}:3,2:{scene.cut.id('Python 3')}:3"


@cites("C51")
def test_a_kept_part_replaces_a_human_one_and_leaves_the_deck():
    state = opened(3, kept="1:13:0,2:13:0,2:14:3,9:15:1,nonsense,0:1:2", first=1)
    parts = GAME.box.parts
    assert parts[state.bodies[1][0]].monster == "Cephalopod"
    assert state.bodies[2][0] == GAME.box.human[0]  # the same card twice does not fit
    assert state.bodies[2][3] == 14
    assert state.bodies[0] == GAME.box.human  # a head is no legs
    everywhere = [*state.deck, *state.market, *state.sides]
    assert 13 not in everywhere
    assert 14 not in everywhere
    assert len(state.deck) == 36 - 2 - 4


# Odds and ends of refusing


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (Buy(1, 0), errors.NotNow),
        (Rob(Seat(1)), errors.NotNow),
        (Retreat(), errors.NotNow),
        (Attach(1, 0), errors.NotNow),
        (Discard(1), errors.NotNow),
        (Keep(1), errors.NotNow),
    ],
)
def test_what_is_not_asked(action, error):
    with pytest.raises(error):
        lay().do(0, action)


def test_every_refusal_is_a_game_error_with_safe_params():
    scene = lay().declare("ASS")
    for action in (Tear(Seat(9), 1, 0), Tear(Seat(-1), 1, 0), Tear(Seat(1), 999, 0), Strike(1)):
        with pytest.raises(GameError):
            scene.do(0, action)


def test_no_news_is_lost_between_questions():
    scene = lay(bodies=giants(0)).declare("ASS").provoke(0).strike(0, 0)
    told = [type(event) for event in scene.view().news]
    assert told[0] is Provoked
    assert told[-2:] == [Struck, Countered]


def test_resampling_a_hidden_abomination_stays_at_its_level():
    state = opened(abomination="hard")
    heads = {GAME.resample(state, None, Chance(b"r", i)).sides[0] for i in range(40)}
    assert heads == set(GAME.box.heads[1])


def test_bought_tells_what_was_replaced():
    scene = lay(coins=[3, 0, 0], pot=0, market=["Tiger 3"]).declare("SAA")
    scene = scene.buy(0, "Tiger 3", "legs")
    (bought,) = scene.happened(Bought)
    assert (bought.replaced.monster, bought.into) == ("Human", 2)


# All of them


def test_every_ruling_and_case_is_tested():
    assert CITED == RULINGS | CASES
