"""One round from the flip to its end, in the order of the rulebook's steps.

The only place with changing values: a working copy of the table that one call makes and drops.
"""

from __future__ import annotations

from functools import cache, lru_cache

from engine.chance import Chance
from engine.core import Seat
from engine.mischief.book import Book, Turn
from engine.mischief.model import (
    ICONS,
    SEATS,
    BonusTaken,
    Drew,
    FinalRound,
    Icon,
    Ids,
    MatchEnded,
    News,
    Reason,
    Reshuffled,
    Revealed,
    Rolled,
    Stack,
    Table,
    Tied,
    TieRoll,
    WentOut,
)
from engine.mischief.odds import rolls


def resolve(
    table: Table, locked: tuple[Ids, ...], book: Book, chance: Chance
) -> tuple[Table, list[News | Drew]]:
    """The table after the round in which every seat with cards played `locked`, and its story."""
    now = _Round(table, locked, book, chance)
    now.flip()
    now.roll()
    now.save()
    now.close()
    return now.table(), now.events


@cache
def clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All of so many seats in the order in which they act, from `first` on."""
    return tuple(Seat((first + n) % seats) for n in range(seats))


@lru_cache(maxsize=1 << 13)
def _rolled(number: int, roller: Seat, face: Icon, hit: tuple[Seat, ...]) -> Rolled:
    return Rolled(number, roller, face, hit)  # the same few again and again


class _Round:
    def __init__(self, before: Table, locked: tuple[Ids, ...], book: Book, chance: Chance) -> None:
        self.before, self.played, self.book, self.chance = before, locked, book, chance
        self.roller = before.roller
        self.hands = list(before.hands)
        self.stacks = list(before.stacks)
        self.bonuses = list(before.bonuses)
        self.deck, self.discard = before.deck, before.discard
        self.reshuffles = before.reshuffles
        self.up: dict[Seat, Turn] = {}
        self.rolls = 0
        self.final = before.final
        self.ending: MatchEnded | None = None
        self.events: list[News | Drew] = []

    def die(self) -> Icon:
        return ICONS[self.chance.below(len(ICONS))]

    def flip(self) -> None:
        """Step 2: every play goes face up, and the number of rolls is fixed (B05, B06)."""
        up, hands, turn_of = self.up, self.hands, self.book.turn
        nice = naughty = 0
        for seat, hand, cards in zip(SEATS, self.before.hands, self.played, strict=False):
            if cards:
                up[seat] = turn = turn_of(seat, cards)
                nice += turn.nice
                naughty += turn.naughty
                hands[seat] = tuple([card for card in hand if card not in cards])
        plays = tuple([turn.laid for turn in up.values()])
        self.rolls, now = rolls(nice, naughty), self.before
        self.events.append(Revealed(now.round, now.final, plays, nice, naughty, self.rolls))

    def roll(self) -> None:
        """Steps 3 and 4: roll after roll, while anything lies face up (B07, B08, B09, B14)."""
        up, played, hands, events = self.up, self.played, self.hands, self.events
        cards_of = self.book.cards
        for number in range(1, self.rolls + 1):
            if not up:
                return
            face, roller = self.die(), self.roller
            order = clockwise(roller, len(hands))
            hit = [seat for seat, turn in up.items() if face in turn.icons]
            if len(hit) > 1:
                hit.sort(key=order.index)
            events.append(_rolled(number, roller, face, tuple(hit)))
            self.roller = order[1]
            # All discard before anybody draws, so that a new deck has all these cards (B11, B12).
            for seat in hit:
                self.discard += played[seat]
                events.append(up.pop(seat).discarded)
            for seat in hit:
                drawn = self.draw(len(played[seat]))
                hands[seat] += drawn
                events.append(Drew(seat, cards_of(drawn)))

    def draw(self, count: int) -> Ids:
        """Cards from the deck's top; the discard pile becomes the deck when it is empty (B12)."""
        drawn, self.deck = self.deck[:count], self.deck[count:]
        missing = count - len(drawn)
        if missing and self.discard:  # were both empty, nothing could be drawn (B13)
            self.events.append(Reshuffled(len(self.discard)))
            self.reshuffles += (tuple(sorted(self.discard)),)
            self.deck, self.discard = self.chance.shuffle(self.discard), ()
            drawn += self.deck[:missing]
            self.deck = self.deck[missing:]
        return drawn

    def save(self) -> None:
        """What no roll matched goes under the token, and nothing is drawn for it."""
        for seat in self.up:
            self.stacks[seat] += self.played[seat]
            saved = self.book.saved(seat, self.played[seat], len(self.stacks[seat]))
            self.events.append(saved)

    def close(self) -> None:
        """Who went out, their bonus cards, and what comes next (B15, B17, B18)."""
        before, hands = self.before, self.hands
        out = [seat for seat in self.up if not hands[seat]]
        for seat in out:
            self.events.append(WentOut(seat))
        if out and (before.final_bonus or not before.final):
            for seat in clockwise(self.roller, len(hands)):
                if seat in out:
                    self.take_bonus(seat)
        if before.final or not any(hands):
            self.end()
        elif out:
            self.final = True
            left = [seat for seat, hand in zip(SEATS, hands, strict=False) if hand]
            self.events.append(FinalRound(tuple(left)))

    def take_bonus(self, seat: Seat) -> None:
        for card in self.draw(1):
            self.bonuses[seat] = card
            self.events.append(BonusTaken(seat))

    def end(self) -> None:
        """Stacks are turned over; a tie gets one roll, and who still ties shares (B19, B20)."""
        stacks = tuple([self.turned_over(seat) for seat in SEATS[: len(self.stacks)]])
        most = max(stack.presents for stack in stacks)
        winners = tuple([stack.seat for stack in stacks if stack.presents == most])
        reason: Reason = "mischief-most-presents"
        if len(winners) > 1:
            winners = self.break_tie(winners)
            reason = "mischief-tie-roll" if len(winners) == 1 else "mischief-shared"
        self.ending = MatchEnded(stacks, winners, reason)
        self.events.append(self.ending)

    def break_tie(self, tied: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """The tied seats with the most presents of the face that one roll shows (B20)."""
        face = self.die()
        counts = tuple([Tied(seat, self.book.matches(self.stack(seat), face)) for seat in tied])
        self.events.append(TieRoll(face, counts))
        most = max(count.matches for count in counts)
        return tuple([count.seat for count in counts if count.matches == most])

    def stack(self, seat: Seat) -> Ids:
        bonus = self.bonuses[seat]
        return self.stacks[seat] if bonus is None else (*self.stacks[seat], bonus)

    def turned_over(self, seat: Seat) -> Stack:
        bonus = self.bonuses[seat]
        return Stack(
            seat=seat,
            cards=self.book.cards(self.stacks[seat]),
            bonus=None if bonus is None else self.book.by_id[bonus],
            presents=self.book.presents(self.stack(seat)),
        )

    def table(self) -> Table:
        before = self.before
        return Table(
            round=before.round + (self.ending is None),
            final=self.final,
            roller=self.roller,
            hands=tuple(self.hands),
            stacks=tuple(self.stacks),
            bonuses=tuple(self.bonuses),
            deck=self.deck,
            discard=self.discard,
            reshuffles=self.reshuffles,
            news=tuple([event for event in self.events if not isinstance(event, Drew)]),
            ending=self.ending,
            totals=before.totals,
            final_bonus=before.final_bonus,
        )
