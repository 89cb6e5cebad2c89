"""Why an action of Stitches is not legal, said from what its seat sees."""

from __future__ import annotations

from engine.errors import GameError, IllegalAction
from engine.stitches.errors import (
    CannotAfford,
    CannotBeat,
    CannotKeep,
    MustAttackFirst,
    NoSuchPart,
    NotALink,
    NotNow,
    NotOnMarket,
    NotYourself,
    NotYourTrophy,
    WrongSlot,
    YouAttack,
    YouScavenge,
)
from engine.stitches.model import (
    Action,
    Attach,
    Buy,
    Discard,
    Done,
    Keep,
    LoseWord,
    Part,
    Provoke,
    Retreat,
    Rob,
    Stage,
    Strike,
    Tear,
    View,
)
from engine.stitches.parts import SLOTS
from engine.stitches.symbols import Symbols, strength

_STAGES: dict[str, Stage] = {
    "declare": "declare",
    "buy": "market",
    "done": "market",
    "rob": "attack",
    "tear": "attack",
    "provoke": "attack",
    "strike": "fight",
    "retreat": "fight",
    "lose_word": "word",
    "attach": "attach",
    "discard": "attach",
    "keep": "keep",
    "keep_nothing": "keep",
}


def why_not(view: View, action: Action) -> GameError:
    """The reason that helps most: what is asked at all, then which part, then its strength."""
    stage = _STAGES[action.kind]
    if stage != view.stage:
        if isinstance(action, Buy | Done) and view.stage == "attack":
            return YouAttack()
        if isinstance(action, Rob | Tear | Provoke) and view.stage == "market":
            return YouScavenge()
        return NotNow()
    match action:
        case Buy():
            return _not_bought(view, action)
        case Rob() | Tear():
            return _not_attacked(view, action)
        case Strike():
            return _too_strong(view, _named(view.abomination.sides, action.part))
        case Retreat():
            return MustAttackFirst()
        case LoseWord():
            return NotALink()
        case Attach() | Discard():
            return _not_handed_out(view, action)
        case Keep():
            return CannotKeep()
        case _:
            return IllegalAction()


def _named(parts: tuple[Part | None, ...], number: int) -> Part | None:
    return next((part for part in parts if part is not None and part.id == number), None)


def _not_bought(view: View, action: Buy) -> GameError:
    part = _named(view.market, action.part)
    if part is None or view.seat is None:
        return NotOnMarket()
    coins = view.monsters[view.seat].coins
    if part.cost > coins:
        return CannotAfford(cost=part.cost, coins=coins)
    return WrongSlot()


def _not_attacked(view: View, action: Rob | Tear) -> GameError:
    if action.target == view.seat or not 0 <= action.target < len(view.monsters):
        return NotYourself()
    if isinstance(action, Rob):
        return IllegalAction()
    part = _named(view.monsters[action.target].body, action.part)
    if part is not None and action.into not in SLOTS[part.kind]:
        return WrongSlot()
    return _too_strong(view, part)


def _too_strong(view: View, part: Part | None) -> GameError:
    if part is None or view.seat is None:
        return NoSuchPart()
    return _short_of(strength(view.monsters[view.seat]), part)


def _short_of(own: Symbols, part: Part) -> GameError:
    """The first symbol of which there are too few (C01)."""
    pairs = (
        ("paper", own.paper, part.rock),
        ("scissors", own.scissors, part.paper),
        ("rock", own.rock, part.scissors),
    )
    for symbol, have, need in pairs:
        if have < need:
            return CannotBeat(symbol=symbol, have=have, need=need)
    return IllegalAction()


def _not_handed_out(view: View, action: Attach | Discard) -> GameError:
    trophies = view.battle.trophies if view.battle else ()
    mine = any(seat == view.seat and part.id == action.part for seat, part in trophies)
    return WrongSlot() if mine else NotYourTrophy()
