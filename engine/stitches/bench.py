"""A state being worked on: what every rule of Stitches does to the cards and tokens."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from engine.chance import Chance
from engine.core import Seat
from engine.stitches.model import (
    EMPTY,
    Card,
    Fight,
    Happened,
    MarketDrew,
    Part,
    Reason,
    Reshuffled,
    Rules,
    Stage,
    State,
    TorsoGrown,
    WordLearned,
)
from engine.stitches.parts import Box

T = TypeVar("T")

NOBODY = -1


def changed(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """`items` with another one at `place`."""
    copy = list(items)
    copy[place] = item
    return tuple(copy)


def without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """`items` less the first one that equals `item`."""
    place = items.index(item)
    return items[:place] + items[place + 1 :]


@cache
def _clockwise(seats: int, start: int) -> tuple[Seat, ...]:
    return tuple(Seat((start + i) % seats) for i in range(seats))


class Bench:
    """One action's working copy of a state, and what has happened to it so far.

    Copied once from the state and frozen once at the end; its tuples are replaced, never changed,
    so what stays as it was is shared with the old state.
    """

    __slots__ = (
        "acted", "asked", "bodies", "box", "card_deck", "card_discard", "chance", "coins",
        "deck", "declared", "discard", "epoch", "events", "fight", "first", "kept", "market",
        "news", "opener", "pot", "reason", "revealed", "round", "rules", "sides", "stage",
        "torso", "torsos", "winners", "word_deck", "word_discard", "words",
    )  # fmt: skip

    rules: Rules
    epoch: int
    stage: Stage
    asked: int
    round: int
    first: Seat
    opener: Seat
    acted: int
    declared: tuple[bool | None, ...]
    pot: int
    coins: tuple[int, ...]
    bodies: tuple[tuple[int, ...], ...]
    torsos: tuple[int, ...]
    words: tuple[tuple[str, ...], ...]
    market: tuple[int, ...]
    deck: tuple[int, ...]
    discard: tuple[int, ...]
    word_deck: tuple[str, ...]
    word_discard: tuple[str, ...]
    card_deck: tuple[Card, ...]
    card_discard: tuple[Card, ...]
    revealed: bool
    sides: tuple[int, ...]
    torso: int
    fight: Fight | None
    news: tuple[Happened, ...]
    winners: tuple[Seat, ...]
    reason: Reason | None
    kept: tuple[int | None, ...]

    def __init__(self, box: Box, state: State, chance: Chance) -> None:
        self.box = box
        self.chance = chance
        self.events: list[Happened] = []
        (
            self.rules, self.epoch, self.stage, self.asked, self.round, self.first, self.opener,
            self.acted, self.declared, self.pot, self.coins, self.bodies, self.torsos, self.words,
            self.market, self.deck, self.discard, self.word_deck, self.word_discard,
            self.card_deck, self.card_discard, self.revealed, self.sides, self.torso, self.fight,
            self.news, self.winners, self.reason, self.kept,
        ) = state  # fmt: skip

    def freeze(self) -> State:
        """The state as it is now; what has happened joins its news."""
        news = (*self.news, *self.events) if self.events else self.news
        return State(
            self.rules, self.epoch, self.stage, self.asked, self.round, self.first, self.opener,
            self.acted, self.declared, self.pot, self.coins, self.bodies, self.torsos, self.words,
            self.market, self.deck, self.discard, self.word_deck, self.word_discard,
            self.card_deck, self.card_discard, self.revealed, self.sides, self.torso, self.fight,
            news, self.winners, self.reason, self.kept,
        )  # fmt: skip

    def say(self, event: Happened) -> None:
        self.events.append(event)

    def ask(self, stage: Stage, seat: int) -> None:
        """A new question, to one seat or (NOBODY) to several at once."""
        self.stage = stage
        self.asked = seat
        self.epoch += 1

    def part(self, number: int) -> Part | None:
        return self.box.parts[number] if number else None

    def clockwise(self, start: int) -> tuple[Seat, ...]:
        """All seats in turn order, from `start` on."""
        return _clockwise(len(self.coins), start)

    def pay(self, seat: int, coins: int) -> None:
        """Give `seat` coins, or take them when negative; where they come from is the caller's."""
        self.coins = changed(self.coins, seat, self.coins[seat] + coins)

    def toss(self, part: int) -> None:
        """Put a part on the discard pile; EMPTY is none."""
        if part:
            self.discard = (*self.discard, part)

    def lose(self, seat: int, slot: int) -> int:
        """Take a part off a body and leave its slot empty (C05)."""
        body = self.bodies[seat]
        self.bodies = changed(self.bodies, seat, changed(body, slot, EMPTY))
        return body[slot]

    def wear(self, seat: int, part: int, slot: int) -> Part | None:
        """Attach a part; what was in its slot is discarded (also a Human part, C19)."""
        body = self.bodies[seat]
        old = body[slot]
        self.bodies = changed(self.bodies, seat, changed(body, slot, part))
        self.toss(old)
        return self.part(old)

    def grow_torso(self, seat: int) -> None:
        """Three parts of one monster replace the Human torso, once and for good (C50).

        The variant leaves the player free not to; it never hurts, so it happens by itself. It asks
        for the three parts alone: that somebody else wears the same torso hinders nobody.
        """
        box = self.box
        if not self.rules.torso or self.torsos[seat] != box.human_torso:
            return
        kin = [box.torso_of[part] for part in self.bodies[seat] if box.priced[part]]
        for torso in kin[:2]:
            if kin.count(torso) >= 3:
                self.torsos = changed(self.torsos, seat, torso)
                self.say(TorsoGrown(Seat(seat), box.parts[torso]))
                return

    def draw_part(self) -> int:
        """The top of the Parts deck; when it is empty the Monster parts of the discard pile are
        shuffled, Human and Abomination cards stay there (C20). EMPTY when there are none.
        """
        if not self.deck:
            priced = self.box.priced
            again = [part for part in self.discard if priced[part]]
            if not again:
                return EMPTY
            self.discard = tuple(part for part in self.discard if not priced[part])
            self.deck = self.chance.shuffle(again)
            self.say(Reshuffled("parts"))
        part = self.deck[-1]
        self.deck = self.deck[:-1]
        return part

    def draw_to_market(self, seat: Seat) -> None:
        """Action: Scavenge, the card that is turned up first."""
        part = self.draw_part()
        if part:
            self.market = (*self.market, part)
        self.say(MarketDrew(seat, self.part(part)))

    def learn_word(self, seat: Seat) -> None:
        """Draw a Word that `seat` does not know; known ones are discarded on the way (C22)."""
        known = self.words[seat]
        passed: tuple[str, ...] = ()
        if not self.word_deck or self.word_deck[-1] in known:
            unseen = {*self.word_deck, *self.word_discard} - {*known}
            if not unseen:
                self.say(WordLearned(seat, None, ()))
                return
            passed = self._pass_known_words(known)
        word = self.word_deck[-1]
        self.word_deck = self.word_deck[:-1]
        self.words = changed(self.words, seat, (*known, word))
        self.say(WordLearned(seat, word, passed))

    def _pass_known_words(self, known: tuple[str, ...]) -> tuple[str, ...]:
        """Discard Words until an unknown one is on top, which there must be; which ones.

        An empty deck is made anew from its discards (C23).
        """
        passed: list[str] = []
        while True:
            if not self.word_deck:
                self.word_deck = self.chance.shuffle(self.word_discard)
                self.word_discard = ()
                self.say(Reshuffled("words"))
            word = self.word_deck[-1]
            if word not in known:
                return tuple(passed)
            passed.append(word)
            self.word_deck = self.word_deck[:-1]
            self.word_discard = (*self.word_discard, word)
