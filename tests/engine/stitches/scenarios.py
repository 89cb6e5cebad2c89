"""A table laid by hand, then played: `lay(bodies={0: {"legs": "Tiger 3"}}).declare("ASS")`.

A part is "Tiger 3" (that monster's part of that cost), "Human left", a tuple of Rock, Paper,
Scissors and perhaps a cost for a part that no box has, or "" for an empty slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.chance import Chance
from engine.core import PublicEvent, Seat
from engine.match import Match
from engine.stitches import Stitches
from engine.stitches.model import (
    EMPTY,
    Action,
    Attach,
    Buy,
    Declare,
    Discard,
    Fight,
    LoseWord,
    Part,
    Provoke,
    Retreat,
    Rob,
    State,
    Strike,
    Tear,
    View,
)
from engine.stitches.parts import (
    Box,
    Cards,
    read_abominations,
    read_parts,
    read_words,
    shipped_text,
)

Spec = str | tuple[int, ...]

SLOTS = ("head", "right", "legs", "left")
KINDS = {"head": "head", "right": "arm", "legs": "legs", "left": "arm"}
SIDES: tuple[Spec, ...] = ((1, 1, 1), "Robot 5", "", "")
WORDS = ("Rock", "Kitty", "Squishy", "Mama", "Shiny", "Tummy", "Fire")


class Cutter:
    """Finds parts by their specs, in a box to which the parts that no box has were added."""

    def __init__(self, specs: Iterable[tuple[Spec, str]]) -> None:
        cut: dict[tuple[tuple[int, ...], str], Part] = {}
        for spec, kind in specs:
            if not isinstance(spec, str) and (spec, kind) not in cut:
                rock, paper, scissors, cost = (*spec, 0)[:4]
                cut[spec, kind] = Part(EMPTY, "Test", kind, cost, rock, paper, scissors)  # type: ignore[arg-type]
        cards = read_parts(shipped_text("parts.csv"), "parts.csv")
        self.box = Box(
            Cards((*cards.parts, *cut.values()), cards.torsos, cards.humans),
            read_words(shipped_text("words.csv"), "words.csv"),
            read_abominations(shipped_text("abominations.csv"), "abominations.csv"),
        )
        self._extra = {key: len(cards.parts) + 1 + i for i, key in enumerate(cut)}

    def id(self, spec: Spec, kind: str = "legs") -> int:
        if not isinstance(spec, str):
            return self._extra[spec, kind]
        if spec == "":
            return EMPTY
        monster, _, which = spec.rpartition(" ")
        if monster == "Human":
            return self.box.human[SLOTS.index(which)]
        return next(
            p.id
            for p in self.box.parts
            if (p.monster, str(p.cost)) == (monster, which) and p.kind != "torso"
        )


@dataclass(frozen=True)
class Scene:
    """A position, and all the events since it was laid out."""

    cut: Cutter
    match: Match[State, Action, View]
    events: tuple[PublicEvent, ...] = ()

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def asked(self) -> tuple[str, int]:
        """The stage and the one seat that is asked."""
        return self.state.stage, self.state.asked

    def legal(self, seat: int) -> tuple[Action, ...]:
        return self.match.choices(Seat(seat))

    def kinds(self, seat: int) -> set[str]:
        return {action.kind for action in self.legal(seat)}

    def view(self, seat: int | None = None) -> View:
        return self.match.view(None if seat is None else Seat(seat))

    def body(self, seat: int) -> list[str]:
        """Names of the parts by slot, as a spec would give them; custom ones as their symbols."""
        return [self.name(part) for part in self.state.bodies[seat]]

    def sides(self) -> list[str]:
        return [self.name(part) for part in self.state.sides]

    def discard_pile(self) -> list[str]:
        return [self.name(part) for part in self.state.discard]

    def name(self, number: int) -> str:
        if number == EMPTY:
            return ""
        part = self.cut.box.parts[number]
        if part.monster == "Human":
            return f"Human {SLOTS[self.cut.box.human.index(number)]}"
        if part.monster == "Test":
            return f"{part.rock}{part.paper}{part.scissors}"
        return f"{part.monster} {part.cost}"

    def happened(self, *kinds: type) -> list[PublicEvent]:
        """The events of these kinds since the table was laid."""
        return [event for event in self.events if isinstance(event, kinds)]

    def do(self, seat: int, action: Action) -> Scene:
        match, events = self.match.submit(Seat(seat), action, epoch=self.match.epoch)
        return Scene(self.cut, match, (*self.events, *events))  # type: ignore[arg-type]

    def declare(self, plans: str) -> Scene:
        """Everyone's declaration in seat order: A attacks, S scavenges."""
        scene = self
        for seat, plan in enumerate(plans):
            scene = scene.do(seat, Declare(plan == "A"))
        return scene

    def buy(self, seat: int, part: Spec, into: str) -> Scene:
        return self.do(seat, Buy(self.cut.id(part), SLOTS.index(into)))

    def rob(self, seat: int, target: int) -> Scene:
        return self.do(seat, Rob(Seat(target)))

    def tear(self, seat: int, target: int, slot: str, into: str | None = None) -> Scene:
        part = self.state.bodies[target][SLOTS.index(slot)]
        return self.do(seat, Tear(Seat(target), part, SLOTS.index(into or slot)))

    def provoke(self, seat: int) -> Scene:
        return self.do(seat, Provoke())

    def strike(self, seat: int, side: int) -> Scene:
        return self.do(seat, Strike(self.state.sides[side]))

    def retreat(self, seat: int) -> Scene:
        return self.do(seat, Retreat())

    def lose(self, seat: int, word: str) -> Scene:
        return self.do(seat, LoseWord(word))

    def attach(self, seat: int, part: Spec, into: str) -> Scene:
        return self.do(seat, Attach(self.cut.id(part, KINDS[into]), SLOTS.index(into)))

    def discard(self, seat: int, part: int) -> Scene:
        return self.do(seat, Discard(part))

    @property
    def fight(self) -> Fight:
        assert self.state.fight is not None
        return self.state.fight


def lay(
    seats: int = 3,
    *,
    bodies: Mapping[int, Mapping[str, Spec]] | None = None,
    torsos: Mapping[int, str] | None = None,
    coins: Sequence[int] | None = None,
    pot: int = 8,
    market: Sequence[Spec] = (),
    deck: Sequence[Spec] = ("Mammoth 2", "Mammoth 3", "Mammoth 4", "Mammoth 5"),
    discard: Sequence[Spec] = (),
    words: Sequence[str] | None = None,
    word_deck: Sequence[str] = ("Food", "Friend", "Tummy", "Fire"),
    word_discard: Sequence[str] = (),
    cards: Sequence[str] = ("behind",),
    card_discard: Sequence[str] = (),
    sides: Sequence[Spec] = SIDES,
    beast_torso: Spec = (0, 0, 0),
    revealed: bool = True,
    first: int = 0,
    number: int = 1,
    **options: bool | int | str,
) -> Scene:
    """A table before the declarations of a round. The first card of a deck is its top."""
    wanted = {
        (seat, slot): (bodies or {}).get(seat, {}).get(slot, f"Human {slot}")
        for seat in range(seats)
        for slot in SLOTS
    }
    piles = {"market": market, "deck": deck[::-1], "discard": discard}
    cut = Cutter(
        [
            *((spec, KINDS[slot]) for (_, slot), spec in wanted.items()),
            *((spec, "legs") for pile in piles.values() for spec in pile),
            *((spec, "head") for spec in (*sides, beast_torso)),
        ]
    )
    laid = tuple(
        tuple(cut.id(wanted[seat, slot], KINDS[slot]) for slot in SLOTS) for seat in range(seats)
    )
    parts = {name: tuple(map(cut.id, pile)) for name, pile in piles.items()}
    game = Stitches(cut.box)
    state = game.setup(seats, game.info.settle(options), Chance(b"lay", 0)).state
    grown = {
        seat: next(p.id for p in cut.box.parts if (p.monster, p.kind) == (monster, "torso"))
        for seat, monster in (torsos or {}).items()
    }
    state = state._replace(
        first=Seat(first),
        round=number,
        bodies=laid,
        torsos=tuple(grown.get(seat, cut.box.human_torso) for seat in range(seats)),
        coins=tuple(coins or [2] * seats),
        pot=pot,
        words=tuple(tuple(known.split()) for known in words or WORDS[:seats]),
        word_deck=tuple(reversed(word_deck)),
        word_discard=tuple(word_discard),
        card_deck=tuple(reversed(cards)),  # type: ignore[arg-type]
        card_discard=tuple(card_discard),  # type: ignore[arg-type]
        revealed=revealed,
        news=(),
        sides=tuple(cut.id(part, "head") for part in sides),
        torso=cut.id(beast_torso, "head"),
        **parts,  # type: ignore[arg-type]
    )
    return Scene(cut, Match(game, b"scene", seats, 0, state))
