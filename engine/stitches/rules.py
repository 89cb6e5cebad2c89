"""The rules of Stitches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import assert_never

from engine.chance import Chance
from engine.core import Game, GameInfo, Option, OptionValue, Outcome, Seat, Step
from engine.errors import GameError
from engine.stitches import fight, refusals, turns, views
from engine.stitches.bench import NOBODY, Bench, changed, without
from engine.stitches.legal import Menu, fallback
from engine.stitches.model import (
    EMPTY,
    RIGHT,
    Action,
    Attach,
    Began,
    Buy,
    Card,
    Declare,
    Discard,
    Done,
    Fight,
    Happened,
    Keep,
    KeepNothing,
    Kept,
    LoseWord,
    Provoke,
    Retreat,
    Rob,
    Rules,
    State,
    Strike,
    Tear,
    View,
)
from engine.stitches.parts import Box, shipped

START_COINS = 2
COPIES_OF_A_CARD = 2
_CARDS: tuple[Card, ...] = ("grows", "attacks", "rampages", "behind")
_KEPT = re.compile(r"([0-9]{1,2}):([0-9]{1,3}):([0-3])")
_DECISIVE = (Done, Rob, Tear, Provoke)


class Stitches(Game[State, Action, View]):
    """Build a monster from stolen and scavenged parts, and take the Abomination to pieces."""

    info = GameInfo(
        key="stitches",
        rules_version=1,
        min_seats=3,
        max_seats=7,
        options=(
            Option("abomination", "normal", ("normal", "hard")),
            Option("whole_team_wins", False, (False, True)),
            Option("attach_captured", True, (True, False)),
            Option("torso", False, (False, True)),
            Option("round_cap", 40, (20, 40, 60)),
            Option("keep", False, (False, True)),
            Option("grunts", False, (False, True)),  # for presenters; no rule depends on it
            Option("kept", "", ("",), carried=True),
            Option("first", -1, (-1,), carried=True),
        ),
    )
    state_type = State
    action_type = Action
    event_type = Happened

    def __init__(self, box: Box | None = None) -> None:
        """The rules with the shipped cards, or with an owner's `box`."""
        self.box = box or shipped()
        self.edition = self.box.edition
        self._menu = Menu(self.box, self.info.max_seats)
        self._alone = tuple(frozenset({Seat(seat)}) for seat in range(self.info.max_seats))

    def setup(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> Step[State]:
        """Setup, with a random First player and different Words for everyone (C52)."""
        box = self.box
        rules = _rules(options)
        bodies, deck = _bodies_and_deck(box, str(options["kept"]), seats, chance)
        words, rest = _words(box, seats, chance)
        carried = int(options["first"])
        first = Seat(carried if 0 <= carried < seats else chance.below(seats))
        head = chance.pick(box.heads[rules.hard])
        market, deck, side = deck[-4:-1], deck[:-4], deck[-1]
        began = Began(
            first, words, tuple(box.parts[part] for part in market), RIGHT, box.parts[side]
        )
        state = State(
            rules=rules,
            epoch=0,
            stage="declare",
            asked=NOBODY,
            round=1,
            first=first,
            opener=first,
            acted=0,
            declared=(None,) * seats,
            pot=2 * seats + 2,
            coins=(START_COINS,) * seats,
            bodies=bodies,
            torsos=(box.human_torso,) * seats,
            words=tuple((word,) for word in words),
            market=market,
            deck=deck,
            discard=(),
            word_deck=rest,
            word_discard=(),
            card_deck=chance.shuffle(_CARDS * COPIES_OF_A_CARD),
            card_discard=(),
            revealed=False,
            sides=(head, side, EMPTY, EMPTY),
            torso=chance.pick(box.torsos[rules.hard]),
            news=(began,),
        )
        return Step(state, (began,))

    def epoch(self, state: State) -> int:
        return state.epoch

    def pending(self, state: State) -> frozenset[Seat]:
        if state.asked >= 0:
            return self._alone[state.asked]
        if state.stage == "declare":
            return frozenset([Seat(s) for s, made in enumerate(state.declared) if made is None])
        if state.stage == "keep":
            return frozenset(s for s in state.winners if self._owes_keep(state, s))
        return frozenset()

    def _owes_keep(self, state: State, seat: Seat) -> bool:
        return (
            seat in state.winners
            and state.kept[seat] is None
            and bool(fight.keepable(self.box, state.bodies[seat]))
        )

    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        if state.asked >= 0:
            return self._menu.of(state, seat) if state.asked == seat else ()
        if state.stage == "declare":
            return self._menu.declare if state.declared[seat] is None else ()
        if state.stage == "keep" and self._owes_keep(state, seat):
            return self._menu.keeps(fight.keepable(self.box, state.bodies[seat]))
        return ()

    def revisions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """A declaration may be changed until the last one is in."""
        if state.stage == "declare" and state.declared[seat] is not None:
            return self._menu.declare
        return ()

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
        bench = Bench(self.box, state, chance)
        if isinstance(action, _DECISIVE):
            bench.news = ()
        self._follow(bench, seat, action)
        return Step(bench.freeze(), tuple(bench.events))

    def _follow(self, bench: Bench, seat: Seat, action: Action) -> None:
        match action:
            case Declare(attack):
                turns.declare(bench, seat, attack)
            case Buy(part, into):
                turns.buy(bench, seat, part, into)
            case Done():
                turns.end_turn(bench)
            case Rob(target):
                fight.rob(bench, seat, target)
            case Tear(target, part, into):
                fight.tear(bench, seat, target, part, into)
            case Provoke():
                fight.provoke(bench, seat)
            case Strike(part):
                fight.strike(bench, _running(bench), part)
            case Retreat():
                fight.retreat(bench, _running(bench))
            case LoseWord(word):
                fight.lose_word(bench, _running(bench), seat, word)
            case Attach(part, into):
                fight.attach(bench, _running(bench), seat, part, into)
            case Discard(part):
                fight.discard(bench, _running(bench), seat, part)
            case Keep(part):
                self._keep(bench, seat, part)
            case KeepNothing():
                self._keep(bench, seat, EMPTY)
            case _:
                assert_never(action)

    def _keep(self, bench: Bench, seat: Seat, part: int) -> None:
        """Multiple Game Variant: once every winner has chosen, all is over."""
        bench.kept = changed(bench.kept, seat, part)
        bench.say(Kept(seat, bench.part(part)))
        if not self.pending(bench.freeze()):
            bench.ask("over", NOBODY)

    def fallback(self, state: State, seat: Seat) -> Action:
        return fallback(self.box, state, seat, self.legal(state, seat))

    def view(self, state: State, seat: Seat | None) -> View:
        return views.view(self.box, state, seat, tuple(sorted(self.pending(state))))

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        return views.resample(self.box, state, seat, chance)

    def outcome(self, state: State) -> Outcome | None:
        """A winner scores 1; when the Abomination outlasts the round cap nobody has won."""
        if state.stage != "over" or state.reason is None:
            return None
        winners = frozenset(state.winners)
        scores = {Seat(seat): int(seat in winners) for seat in range(len(state.coins))}
        return Outcome(winners, scores, state.reason)

    def why_not(self, view: View, action: Action) -> GameError:
        return refusals.why_not(view, action)

    def carry(self, state: State) -> Mapping[str, OptionValue]:
        """The winners' parts (C51), and the next seat as First player."""
        kept = ",".join(
            f"{seat}:{part}:{state.bodies[seat].index(part)}"
            for seat, part in enumerate(state.kept)
            if part
        )
        return {"kept": kept, "first": (state.opener + 1) % len(state.coins)}


def _rules(options: Mapping[str, OptionValue]) -> Rules:
    return Rules(
        hard=options["abomination"] == "hard",
        whole_team_wins=options["whole_team_wins"] is True,
        attach_captured=options["attach_captured"] is True,
        torso=options["torso"] is True,
        round_cap=int(options["round_cap"]),
        keep=options["keep"] is True,
    )


def _bodies_and_deck(
    box: Box, kept: str, seats: int, chance: Chance
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Everyone's Human parts, but for the kept ones, which leave the Parts deck (C51)."""
    bodies: list[tuple[int, ...]] = [box.human] * seats
    gone: set[int] = set()
    for seat, part, slot in _read_kept(box, kept, seats):
        bodies[seat] = changed(bodies[seat], slot, part)
        gone.add(part)
    deck = chance.shuffle(part for part in box.monster_parts if part not in gone)
    return tuple(bodies), deck


def _words(box: Box, seats: int, chance: Chance) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A different Word for everyone, and the Word deck."""
    words = chance.shuffle(dict.fromkeys(box.words))[:seats]
    rest = box.words
    for word in words:
        rest = without(rest, word)
    return words, chance.shuffle(rest)


def _running(bench: Bench) -> Fight:
    assert bench.fight is not None
    return bench.fight


def _read_kept(box: Box, text: str, seats: int) -> Iterator[tuple[int, int, int]]:
    """Who kept which part and in which slot, from `carry`; what does not fit is left out."""
    seats_seen: set[int] = set()
    parts_seen: set[int] = set()
    for pair in text.split(","):
        found = _KEPT.fullmatch(pair)
        if found is None:
            continue
        seat, part, slot = map(int, found.groups())
        fits = part in box.monster_parts and slot in box.slots[part]
        if seat < seats and fits and seat not in seats_seen and part not in parts_seen:
            seats_seen.add(seat)
            parts_seen.add(part)
            yield seat, part, slot
