"""Why an action of The Fix for 626 is refused; seats are numbers, cards are Character values."""

from __future__ import annotations

from engine.errors import IllegalAction


class NotAsked(IllegalAction):
    """A card is played while a Pleakley's offer is open, or an offer answered that nobody made."""

    code = "fix626-not-asked"


class CardNotInHand(IllegalAction):
    """params: card."""

    code = "fix626-card-not-in-hand"


class TargetMissing(IllegalAction):
    """The card needs another player to be chosen; params: card."""

    code = "fix626-target-missing"


class TargetUnwanted(IllegalAction):
    """The card takes no target, or finds none because of David (A33); params: card."""

    code = "fix626-target-unwanted"


class TargetUnknown(IllegalAction):
    """There is no such seat; params: seat."""

    code = "fix626-target-unknown"


class TargetSelf(IllegalAction):
    """params: card."""

    code = "fix626-target-self"


class TargetOut(IllegalAction):
    """params: seat."""

    code = "fix626-target-out"


class TargetProtected(IllegalAction):
    """params: seat."""

    code = "fix626-target-protected"


class GuessMissing(IllegalAction):
    """A Grand Councilwoman needs a number; params: least, most."""

    code = "fix626-guess-missing"


class GuessUnwanted(IllegalAction):
    """Only a Grand Councilwoman with a target takes a number; params: card."""

    code = "fix626-guess-unwanted"


class GuessOutOfRange(IllegalAction):
    """params: guess, least, most."""

    code = "fix626-guess-out-of-range"
