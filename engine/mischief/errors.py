"""Why a play is refused."""

from __future__ import annotations

from engine.errors import IllegalAction


class NoCards(IllegalAction):
    """At least one card must be played."""

    code = "mischief-no-cards"


class CardsNotInHand(IllegalAction):
    """A card is not in the hand; params: card (the id that was asked for)."""

    code = "mischief-cards-not-in-hand"


class SameCardTwice(IllegalAction):
    """A card is named twice; params: card (its id)."""

    code = "mischief-same-card-twice"


class TooManyCards(IllegalAction):
    """More cards than a play may have; params: cards, most."""

    code = "mischief-too-many"


class TwoColours(IllegalAction):
    """The cards differ in colour; params: first, second (two of the colours)."""

    code = "mischief-two-colours"
