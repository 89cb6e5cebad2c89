"""A round laid out by hand, then played: `deal(["Lilo Gantu", "Nani"]).play(0, "Gantu")`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.chance import Chance
from engine.core import Event, PrivateEvent, PublicEvent, Seat
from engine.fix626 import Fix626
from engine.fix626.cards import Character, full_deck
from engine.fix626.model import (
    Action,
    Answer,
    Dealt,
    Drew,
    Play,
    RoundEnded,
    RoundStarted,
    Side,
    State,
    View,
)
from engine.match import Match

SIDES = {"G": Side.GOOD, "X": Side.EXPERIMENT}
GAME = Fix626()


def cards(names: str) -> tuple[Character, ...]:
    return tuple(Character(name.lower()) for name in names.split())


@dataclass(frozen=True)
class Scene:
    """A position, and all the events since it was laid out."""

    match: Match[State, Action, View]
    events: tuple[Event, ...] = ()

    def play(
        self, seat: int, card: str, *, target: int | None = None, guess: int | None = None
    ) -> Scene:
        to = None if target is None else Seat(target)
        return self._submit(seat, Play(Character(card.lower()), to, guess))

    def answer(self, seat: int, *, give: bool) -> Scene:
        return self._submit(seat, Answer(give))

    def _submit(self, seat: int, action: Action) -> Scene:
        match, events = self.match.submit(Seat(seat), action, epoch=self.match.epoch)
        return Scene(match, self.events + events)

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def stitch(self) -> str:
        """Where he is and his side, as in the table of cases: S@P1/G."""
        side = "G" if self.state.side is Side.GOOD else "X"
        return f"S@P{self.state.stitch}/{side}"

    @property
    def turn(self) -> int:
        assert self.state.asked == self.state.turn
        return self.state.turn

    @property
    def out(self) -> list[int]:
        return [seat for seat, hand in enumerate(self.state.hands) if not hand]

    def hand(self, seat: int) -> str:
        return " ".join(card.value for card in self.state.hands[seat])

    def pile(self, seat: int) -> str:
        return " ".join(card.value for card in self.state.piles[seat])

    def view(self, seat: int | None) -> View:
        return self.match.view(None if seat is None else Seat(seat))

    def known(self, seat: int) -> dict[int, str]:
        """What `seat` knows of other hands."""
        known = enumerate(self.view(seat).known)
        return {holder: card.value for holder, card in known if card is not None}

    def legal(self, seat: int, card: str) -> list[Play]:
        found = [a for a in self.match.choices(Seat(seat)) if isinstance(a, Play)]
        return [play for play in found if play.card == card.lower()]

    def targets(self, seat: int, card: str) -> set[int | None]:
        return {play.target for play in self.legal(seat, card)}

    @property
    def news(self) -> list[str]:
        """The kinds of the public events."""
        return [e.kind for e in self.events if isinstance(e, PublicEvent)]

    def told(self, seat: int) -> list[PrivateEvent]:
        """What `seat` was told about others' cards."""
        private = (e for e in self.events if isinstance(e, PrivateEvent) and e.to == seat)
        return [event for event in private if not isinstance(event, Dealt | Drew)]

    @property
    def ended(self) -> RoundEnded | None:
        return next((e for e in self.events if isinstance(e, RoundEnded)), None)


def deal(
    hands: Sequence[str],
    *,
    deck: str | None = None,
    stitch: tuple[int, str] = (0, "G"),
    protected: int | None = None,
    tokens: Sequence[int] | None = None,
    turn: int = 0,
) -> Scene:
    """Hands by seat, "" for those who are out; `turn` holds two cards, the drawn one last.

    `deck` is written in the order in which it is drawn; without it, it is all that is left. What
    then is in nobody's hand lies in front of a seat, so that no card is lost.
    """
    left = list(full_deck(len(hands)))
    held = [cards(names) for names in hands]
    named = [card for hand in held for card in hand] + list(cards(deck or ""))
    for card in named:
        left.remove(card)
    aside = left.pop()
    rest: tuple[Character, ...] = () if deck is None else tuple(left)
    owner = next((seat for seat, hand in enumerate(held) if not hand), 0)
    now = Seat(turn)
    start, _ = _opened(len(hands))
    told = [Dealt(Seat(s), hand[0]) for s, hand in enumerate(held) if hand]
    state = replace(
        start.state,
        hands=tuple(held),
        piles=tuple(rest if seat == owner else () for seat in range(len(hands))),
        deck=tuple(left) if deck is None else tuple(reversed(cards(deck))),
        aside=aside,
        stitch=Seat(stitch[0]),
        side=SIDES[stitch[1]],
        protected=None if protected is None else Seat(protected),
        turn=now,
        asked=now,
        tokens=tuple(tokens or [0] * len(hands)),
        history=(RoundStarted(1, Seat(stitch[0]), now),),
        told=(*told, Drew(now, held[turn][1])),
    )
    return Scene(replace(start, state=state))


def _opened(seats: int) -> tuple[Match[State, Action, View], tuple[Event, ...]]:
    step = GAME.setup(seats, GAME.info.settle({}), Chance(b"scenario", 0))
    return Match(GAME, b"scenario", seats, 0, step.state), step.events
