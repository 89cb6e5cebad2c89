"""The working copy of a State while one action is applied: what cards do to the table."""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.chance import Chance
from engine.core import Event, Seat
from engine.fix626.cards import TOKENS_TO_WIN, Character, full_deck, shuffled
from engine.fix626.model import (
    Dealt,
    Drew,
    Ending,
    ExtraTurn,
    Flipped,
    KnockedOut,
    MatchEnded,
    PrivateNews,
    ProtectionEnded,
    PublicNews,
    RoundEnded,
    RoundStarted,
    Side,
    State,
    StitchMoved,
)

MODIFIER: Final = {Side.GOOD: 2, Side.EXPERIMENT: -2}

# Reading a member from its enum is slow in Python 3.11.
_GOOD: Final = Side.GOOD
_EXPERIMENT: Final = Side.EXPERIMENT

# Events are values, so the frequent ones are made once.
_drew = cache(Drew)
_knocked_out = cache(KnockedOut)
_stitch_moved = cache(StitchMoved)
_flipped = cache(Flipped)
_dealt = cache(Dealt)


class Table:
    """A State that may be changed; `frozen` gives it back as a value. Never leaves `apply`."""

    __slots__ = (
        "again",
        "aside",
        "asked",
        "before",
        "before_told",
        "deck",
        "epoch",
        "events",
        "hands",
        "history",
        "news",
        "piles",
        "protected",
        "round",
        "side",
        "stitch",
        "tokens",
        "told",
        "turn",
        "whispers",
    )

    def __init__(self, state: State) -> None:
        self.hands: list[tuple[Character, ...]] = list(state.hands)
        self.piles: list[tuple[Character, ...]] = list(state.piles)
        self.deck = state.deck
        self.aside = state.aside
        self.stitch = state.stitch
        self.side = state.side
        self.protected = state.protected
        self.turn = state.turn
        self.asked = state.asked
        self.tokens = state.tokens
        self.round = state.round
        self.epoch = state.epoch + 1
        self.history = state.history
        self.told = state.told
        self.before = state.before
        self.before_told = state.before_told
        # Whether the seat whose turn it is has another one (Angel).
        self.again = False
        # All that happened, then split by audience for the memory of the round.
        self.events: list[Event] = []
        self.news: list[PublicNews] = []
        self.whispers: list[PrivateNews] = []

    def frozen(self) -> State:
        return State(
            tuple(self.hands),
            tuple(self.piles),
            self.deck,
            self.aside,
            self.stitch,
            self.side,
            self.protected,
            self.turn,
            self.asked,
            self.tokens,
            self.round,
            self.epoch,
            self.history + tuple(self.news),
            self.told + tuple(self.whispers),
            self.before,
            self.before_told,
        )

    def say(self, event: PublicNews) -> None:
        self.events.append(event)
        self.news.append(event)

    def whisper(self, event: PrivateNews) -> None:
        self.events.append(event)
        self.whispers.append(event)

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise that is still in the round (A01, A04)."""
        hands = self.hands
        seats = len(hands)
        while True:
            seat = Seat((seat + 1) % seats)
            if hands[seat]:
                return seat

    def alone(self) -> bool:
        return self.hands.count(()) == len(self.hands) - 1

    def held(self, seat: Seat) -> Character:
        return self.hands[seat][0]

    def lay_down(self, seat: Seat, card: Character) -> None:
        """`card` goes from the hand of `seat`, which has two, to the cards in front of it."""
        hand = self.hands[seat]
        self.hands[seat] = hand[1:] if card is hand[0] else hand[:1]
        self.piles[seat] += (card,)

    def move_stitch(self, seat: Seat) -> None:
        """Taking Stitch: he goes to `seat` as he is."""
        if self.stitch != seat:
            self.say(_stitch_moved(self.stitch, seat, self.side))
            self.stitch = seat

    def flip_stitch(self) -> None:
        self.side = _GOOD if self.side is _EXPERIMENT else _EXPERIMENT
        self.say(_flipped(self.stitch, self.side))

    def knock_out(self, seat: Seat, by: Seat) -> None:
        """Out of the Round: the hand lies open without effect and Stitch goes to `by` (A38, A39).

        Whoever knocks itself out passes him to its left (Leroy, A27).
        """
        card = self.hands[seat][0]
        self.hands[seat] = ()
        self.piles[seat] += (card,)
        if self.protected == seat:
            self.protected = None
        self.say(_knocked_out(seat, by, card))
        if self.stitch == seat:
            self.move_stitch(self.left_of(seat) if by == seat else by)

    def start_turn(self, seat: Seat) -> None:
        """David's protection of `seat` ends (A30), then it draws a card."""
        if self.protected == seat:
            self.protected = None
            self.say(ProtectionEnded(seat))
        card = self.deck[-1]
        self.deck = self.deck[:-1]
        self.hands[seat] += (card,)
        self.turn = self.asked = seat
        self.whisper(_drew(seat, card))

    def end_turn(self, chance: Chance) -> None:
        """The round ends, or somebody takes a turn: the same seat after an Angel (A20, A21)."""
        if self.alone():
            self.end_round(Ending.LAST, chance)  # Also when the deck is empty (A43).
        elif not self.deck:
            self.end_round(Ending.DECK, chance)
        elif self.again:
            self.say(ExtraTurn(self.turn))
            self.start_turn(self.turn)
        else:
            self.start_turn(self.left_of(self.turn))

    def end_round(self, reason: Ending, chance: Chance) -> None:
        """Give out tokens; then the next round is dealt, or the match is over."""
        seats = len(self.hands)
        hands: list[Character | None] = [None] * seats
        sums: list[int | None] = [None] * seats
        winners = tuple([Seat(s) for s, hand in enumerate(self.hands) if hand])
        if reason is Ending.DECK:
            for seat in winners:
                card = hands[seat] = self.held(seat)
                sums[seat] = card.number + (MODIFIER[self.side] if seat == self.stitch else 0)
            winners = best(sums, self.stitch, self.side)
        self.tokens = tuple([t + (s in winners) for s, t in enumerate(self.tokens)])
        result = RoundEnded(
            self.round,
            reason,
            winners,
            tuple(hands),
            tuple(sums),
            self.stitch,
            self.side,
            self.aside,
            self.tokens,
        )
        self.say(result)
        champions = winners_of(self.tokens)
        if champions:
            self.say(MatchEnded(champions, self.tokens))
        self._turn_the_page()
        if champions:
            self.asked = None
        else:
            self.start_round(next_stitch(result), chance)

    def _turn_the_page(self) -> None:
        """This round's events become those of the round before."""
        self.before = self.history + tuple(self.news)
        self.before_told = self.told + tuple(self.whispers)
        self.history, self.told = (), ()
        self.news.clear()
        self.whispers.clear()

    def start_round(self, stitch: Seat, chance: Chance) -> None:
        """Setup 2 to 4; `stitch` gets Good Stitch and the player to its left takes a turn."""
        seats = len(self.tokens)
        deck = shuffled(full_deck(seats), chance)
        self.aside, self.deck = deck[0], deck[1:-seats]
        self.hands = [(card,) for card in deck[-seats:]]
        self.piles = [()] * seats
        self.stitch, self.side, self.protected = stitch, Side.GOOD, None
        self.round += 1
        first = self.left_of(stitch)
        self.say(RoundStarted(self.round, stitch, first))
        for seat, (card,) in enumerate(self.hands):
            self.whisper(_dealt(Seat(seat), card))
        self.start_turn(first)


def best(sums: list[int | None], stitch: Seat, side: Side) -> tuple[Seat, ...]:
    """Who wins when the deck runs out: Good Stitch wins ties, Experiment 626 loses them (A40)."""
    highest = max(value for value in sums if value is not None)
    tied = tuple(Seat(s) for s, value in enumerate(sums) if value == highest)
    if stitch not in tied or len(tied) == 1:
        return tied
    return (stitch,) if side is Side.GOOD else tuple(s for s in tied if s != stitch)


def winners_of(tokens: tuple[int, ...]) -> tuple[Seat, ...]:
    """Who has tokens enough to win; several at once all do (A44)."""
    goal = TOKENS_TO_WIN[len(tokens)]
    return tuple([Seat(s) for s, t in enumerate(tokens) if t >= goal])


def next_stitch(result: RoundEnded) -> Seat:
    """Who gets Good Stitch next: the only winner, else whoever had him (A41, A42)."""
    return result.winners[0] if len(result.winners) == 1 else result.stitch
