"""Why an action of Stitches is refused."""

from __future__ import annotations

from engine.errors import IllegalAction


class NotOnMarket(IllegalAction):
    """No such part lies in the Market; params: none."""

    code = "stitches-not-on-market"


class CannotAfford(IllegalAction):
    """The part costs more than the seat has; params: cost, coins."""

    code = "stitches-cannot-afford"


class WrongSlot(IllegalAction):
    """The part does not fit there; params: none."""

    code = "stitches-wrong-slot"


class NotYourself(IllegalAction):
    """One can't attack oneself (C07), nor a seat that isn't there; params: none."""

    code = "stitches-not-yourself"


class NoSuchPart(IllegalAction):
    """The target has no such part; torsos can't be taken (C07); params: none."""

    code = "stitches-no-such-part"


class CannotBeat(IllegalAction):
    """The part is stronger than the body (C01).

    Params: symbol ("rock", "paper" or "scissors": the first that is short), have, need.
    """

    code = "stitches-cannot-beat"


class MustAttackFirst(IllegalAction):
    """The initiator can't retreat before attacking once; params: none."""

    code = "stitches-must-attack-first"


class NotALink(IllegalAction):
    """That Word did not join the seat to the team, so it can't be the one given up (C40)."""

    code = "stitches-not-a-link"


class NotYourTrophy(IllegalAction):
    """The seat did not remove that part in this fight; params: none."""

    code = "stitches-not-your-trophy"


class CannotKeep(IllegalAction):
    """Only a Monster part of one's own body can be kept (C51); params: none."""

    code = "stitches-cannot-keep"


class YouScavenge(IllegalAction):
    """The seat declared Scavenge, so it can't attack (C12); params: none."""

    code = "stitches-you-scavenge"


class YouAttack(IllegalAction):
    """The seat declared Attack, so it can't scavenge (C12); params: none."""

    code = "stitches-you-attack"


class NotNow(IllegalAction):
    """The game asks something else at the moment; params: none."""

    code = "stitches-not-now"
