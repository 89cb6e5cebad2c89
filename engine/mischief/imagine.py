"""Imagined games: hidden things drawn at random, then played on by simple players to the end.

The rules once more, for speed: no events, presents counted instead of stacks, a shared first place
for a tie. A test holds them against the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.chance import Chance
from engine.core import Seat
from engine.mischief.deck import shuffled
from engine.mischief.model import ICONS, Ids, Saved, View
from engine.mischief.sense import Sense, Throw

ROLLS: Final = 22
"""So many rolls come from one number of Chance."""

LONGEST: Final = 30
"""Rounds after which an imagined game is broken off."""


@dataclass(slots=True)
class World:
    """One way in which things may stand. Totals count presents, bonus cards too."""

    hands: tuple[Ids, ...]
    totals: tuple[int, ...]
    deck: Ids
    discard: Ids
    rolls: tuple[int, ...]  # bits as in Throw.faces; used again from the start when they end


class Imagination:
    """Draws worlds that look like `view` to its reader, and plays them on."""

    def __init__(self, view: View, sense: Sense) -> None:
        assert view.seat is not None
        self._view, self._sense, self._seat = view, sense, view.seat
        self._unseen: Ids = tuple(card.id for card in view.unseen)
        self._discard: Ids = tuple(card.id for card in view.discard)
        self._mine = sum(len(card.presents) for card in view.stack)
        # What others saved in the last round is known; how the rest lies in their stacks is not.
        told = [event for event in view.news if isinstance(event, Saved)]
        self._told = {event.seat: (event.presents, len(event.cards)) for event in told}
        named = {card for event in told for card in event.cards}
        self._heap = tuple(len(card.presents) for card in view.saved if card not in named)

    def behind(self) -> int:
        """How many presents the reader lacks to draw level with the best of the others, about."""
        heap = sum(self._heap) / max(1, len(self._heap))
        unseen = sum(map(self._sense.presents.__getitem__, self._unseen))
        bonus = unseen / max(1, len(self._unseen))
        best = 0.0
        for place in self._view.places:
            if place.seat != self._seat:
                presents, cards = self._told.get(place.seat, (0, 0))
                guessed = presents + heap * (place.stack - place.bonus - cards)
                known = guessed if place.presents is None else place.presents
                best = max(best, known + bonus * place.bonus)
        return round(best) - self._mine

    def world(self, chance: Chance) -> World:
        """Hands, deck, stacks and rolls at random."""
        cards = shuffled(self._unseen, chance)
        hands: list[Ids] = []
        for place in self._view.places:
            own = place.seat == self._seat
            hands.append(self._sense.hand if own else cards[: place.cards])
            cards = cards if own else cards[place.cards :]
        totals = self._totals(chance)
        for place in self._view.places:
            if place.bonus:
                totals[place.seat] += self._sense.presents[cards[0]]
                cards = cards[1:]
        rolls: list[int] = []
        for _ in range(2):
            number = chance.below(len(ICONS) ** ROLLS)
            for _ in range(ROLLS):
                number, face = divmod(number, len(ICONS))
                rolls.append(1 << face)
        discard = shuffled(self._discard, chance)
        return World(tuple(hands), tuple(totals), cards, discard, tuple(rolls))

    def _totals(self, chance: Chance) -> list[int]:
        """The presents in every stack, without bonus cards."""
        heap = shuffled(self._heap, chance)
        totals: list[int] = []
        for place in self._view.places:
            if place.seat == self._seat:
                totals.append(self._mine)
                continue
            presents, cards = self._told.get(place.seat, (0, 0))
            rest = place.stack - place.bonus - cards
            known = place.presents
            totals.append(presents + sum(heap[:rest]) if known is None else known)
            heap = heap[rest:]
        return totals

    def play_on(self, world: World, throw: Throw) -> float:
        """What the reader gets of the win, if it lays `throw` now and all play simply after it."""
        game = ImaginedGame(world, self._view.final, self._sense)
        game.play(self._seat, throw)
        return share(game.totals, self._seat)

    def share(self, world: World, more: int) -> float:
        """What the reader gets of the win, if it saves `more` presents and nobody else any."""
        totals = list(world.totals)
        totals[self._seat] += more
        return share(totals, self._seat)


def share(totals: list[int], seat: Seat) -> float:
    """What the seat has of the win; a tie is shared."""
    most = max(totals)
    return 1 / totals.count(most) if totals[seat] == most else 0.0


class ImaginedGame:
    """A world being played on."""

    def __init__(self, world: World, final: bool, sense: Sense) -> None:
        self.hands, self.totals = list(world.hands), list(world.totals)
        self.deck, self.discard = world.deck, world.discard
        self.rolls, self.rolled = world.rolls, 0
        self.final, self.over = final, False
        self.bonus, self.sense = sense.final_bonus, sense

    def play(self, me: Seat, throw: Throw) -> None:
        """Round after round to the end, the seat `me` with `throw` in the first."""
        laid: dict[int, Throw] = {me: throw}
        for _ in range(LONGEST):
            for seat, hand in enumerate(self.hands):
                if hand and seat not in laid:
                    laid[seat] = self.choice(seat, hand)
            self.round(laid)
            if self.over:
                return
            laid = {}

    def round(self, laid: dict[int, Throw]) -> None:
        """One round, in which everybody with cards has laid some."""
        up = self.survivors(laid)
        out = [seat for seat in up if not self.hands[seat]]
        for seat in out if self.bonus or not self.final else ():
            self.totals[seat] += sum(map(self.sense.presents.__getitem__, self.draw(1)))
        self.over = self.final or not any(self.hands)
        self.final = bool(out)

    def choice(self, seat: int, hand: Ids) -> Throw:
        if not self.final:
            return self.sense.best(hand)
        totals = self.totals
        return self.sense.last(hand, max(totals[:seat] + totals[seat + 1 :]) - totals[seat])

    def survivors(self, laid: dict[int, Throw]) -> list[int]:
        """Who saves what it laid. Hands, totals and piles are changed by it."""
        hands, sway, up = self.hands, 0, list(laid)
        for seat, throw in laid.items():
            sway += throw.sway
            cards = throw.cards
            hands[seat] = tuple([card for card in hands[seat] if card not in cards])
        for number in range(2 - (sway > 0) + (sway < 0)):
            face = self.rolls[(self.rolled + number) % len(self.rolls)]
            hit = [seat for seat in up if laid[seat].faces & face]
            for seat in hit:
                up.remove(seat)
                self.discard += laid[seat].cards
            for seat in hit:
                hands[seat] += self.draw(len(laid[seat].cards))
        # Every round has its own three rolls, so that plays compared in one world meet equal luck.
        self.rolled += 3
        for seat in up:
            self.totals[seat] += laid[seat].presents
        return up

    def draw(self, count: int) -> Ids:
        """From the top; the discard pile becomes the deck as it lies: its order tells nothing."""
        if len(self.deck) < count:
            self.deck, self.discard = self.deck + self.discard, ()
        drawn, self.deck = self.deck[:count], self.deck[count:]
        return drawn
