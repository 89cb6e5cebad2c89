"""A whole state that a view could be of: what is seen, and a guess at what is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.chance import Chance
from engine.stitches.bench import NOBODY
from engine.stitches.model import EMPTY, HEAD, Battle, Card, Fight, Part, State, View
from engine.stitches.parts import shipped
from engine.stitches.sense import Sense

_CARDS: tuple[Card, ...] = ("grows", "attacks", "rampages", "behind")
_COPIES_OF_A_CARD = 2
_COPIES_OF_A_WORD = 4


class Imagination:
    """Turns one view into states; all that a seat can't see is drawn anew for each."""

    def __init__(self, view: View, sense: Sense) -> None:
        self._view = view
        self._sense = sense
        self._deck = tuple(_unseen_parts(view, sense))
        self._words = tuple(_unseen_words(view))
        self._cards = tuple(_less(_CARDS * _COPIES_OF_A_CARD, view.card_discard))
        self._seen = self._state()

    @property
    def seen(self) -> State:
        """The state as far as it is seen; what is hidden stands in no particular order."""
        return self._seen

    def state(self, chance: Chance) -> State:
        """One of the states that look like this."""
        seen = self._seen
        sides, torso = seen.sides, seen.torso
        if not seen.revealed:
            sides = (chance.pick(self._sense.heads), *sides[HEAD + 1 :])
            torso = chance.pick(self._sense.torsos)
        return seen._replace(
            deck=chance.shuffle(self._deck)[: self._view.deck],
            word_deck=chance.shuffle(self._words)[: self._view.word_deck],
            card_deck=chance.shuffle(self._cards)[: self._view.card_deck],
            sides=sides,
            torso=torso,
        )

    def _state(self) -> State:
        view = self._view
        beast = view.abomination
        sides = tuple(map(_id, beast.sides))
        if not beast.revealed:
            sides = (self._sense.heads[0], *sides[HEAD + 1 :])
        declared = tuple(monster.attacks for monster in view.monsters)
        asked = view.asked[0] if view.stage not in ("declare", "keep", "over") else NOBODY
        return State(
            rules=view.rules,
            epoch=0,
            stage=view.stage,
            asked=asked,
            round=view.round,
            first=view.first,
            opener=view.first,
            acted=sum(monster.acted for monster in view.monsters),
            declared=declared,
            pot=view.pot,
            coins=tuple(monster.coins for monster in view.monsters),
            bodies=tuple(tuple(map(_id, monster.body)) for monster in view.monsters),
            torsos=tuple(monster.torso.id for monster in view.monsters),
            words=tuple(monster.words for monster in view.monsters),
            market=tuple(part.id for part in view.market),
            deck=self._deck[: view.deck],
            discard=tuple(part.id for part in view.discard),
            word_deck=self._words[: view.word_deck],
            word_discard=view.word_discard,
            card_deck=self._cards[: view.card_deck],
            card_discard=view.card_discard,
            revealed=beast.revealed,
            sides=sides,
            torso=_id(beast.torso) or self._sense.torsos[0],
            fight=_fight(view.battle) if view.battle else None,
        )


def _id(part: Part | None) -> int:
    return EMPTY if part is None else part.id


def _fight(battle: Battle) -> Fight:
    return Fight(
        battle.initiator,
        battle.team,
        battle.fighting,
        battle.opened,
        battle.retreat_paid,
        tuple((seat, part.id) for seat, part in battle.trophies),
        tuple(part.id for part in battle.captured),
    )


def _less(cards: Iterable[Card], gone: Iterable[Card]) -> Iterable[Card]:
    return (Counter(cards) - Counter(gone)).elements()


def _unseen_parts(view: View, sense: Sense) -> list[int]:
    """The Monster parts that lie nowhere in sight, which are those in the deck."""
    battle = view.battle
    open_parts = [
        *view.market,
        *view.discard,
        *view.abomination.sides,
        *(part for monster in view.monsters for part in monster.body),
    ]
    if battle is not None:
        open_parts += [*(part for _, part in battle.trophies), *battle.captured]
    seen = {part.id for part in open_parts if part is not None}
    return [part for part in sense.box.monster_parts if part not in seen]


def _unseen_words(view: View) -> list[str]:
    """The Words left in their deck. Of words that are not the shipped ones only those are known
    that have been heard; there are taken to be as many of each.
    """
    heard = Counter(view.word_discard)
    heard.update(word for monster in view.monsters for word in monster.words)
    all_words = Counter(shipped().words)
    if not heard.keys() <= all_words.keys():
        all_words = Counter(dict.fromkeys(sorted(heard), _COPIES_OF_A_WORD))
    left = list((all_words - heard).elements())
    missing = view.word_deck - len(left)
    return [*left, *(f"word {i // _COPIES_OF_A_WORD}" for i in range(missing))]
