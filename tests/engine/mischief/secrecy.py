"""What a round's news may not tell, beyond the checks that every game has to pass.

Those draw other choices for the other seats too, so the cards turned up at a round's end hardly
ever stay the same; here they do, and everything that stays hidden is exchanged.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from engine.chance import Chance
from engine.core import PublicEvent, Seat, visible
from engine.mischief.model import Card, MatchEnded, Revealed, State
from tests.playout import AnyGame, moves


def a_rounds_news_hides_hands_and_deck(game: AnyGame, seed: bytes) -> None:
    """Other unplayed cards and another deck give the same news to who sees the same table."""
    for number, move in enumerate(moves(game, seed)):
        before, after = move.before, move.after
        if after.epoch == before.epoch:
            continue
        for watcher in (None, *before.all_seats()):
            state = _exchanged(before.state, watcher, move.action.cards, Chance(seed, number))
            other = dataclasses.replace(before, state=state)
            other_after, told = other.submit(move.seat, move.action, epoch=other.epoch)
            if other_after.view(watcher) == after.view(watcher):
                assert visible(told, watcher) == visible(move.events, watcher)


def _exchanged(
    state: State, watcher: Seat | None, played: tuple[int, ...], chance: Chance
) -> State:
    """The state with every card exchanged that `watcher` sees neither now nor at the flip."""
    table = state.table
    kept = {*played, *(card for cards in state.locked for card in cards)}
    if watcher is not None:
        kept.update(table.hands[watcher])
    hidden = [card for cards in (*table.hands, table.deck) for card in cards if card not in kept]
    drawn = iter(chance.shuffle(hidden))

    def others(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(card if card in kept else next(drawn) for card in cards)

    hands = tuple(map(others, table.hands))
    return dataclasses.replace(
        state, table=dataclasses.replace(table, hands=hands, deck=others(table.deck))
    )


def public_news_names_only_open_cards(game: AnyGame, seed: bytes) -> None:
    """Whoever reads the log reads of no card that did not lie face up on the table."""
    for move in moves(game, seed):
        news = [event for event in move.events if isinstance(event, PublicEvent)]
        shown = {card for e in news if isinstance(e, Revealed | MatchEnded) for card in cards_in(e)}
        assert {card for event in news for card in cards_in(event)} <= shown


def cards_in(value: Any) -> Iterator[Card]:
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from cards_in(item)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from cards_in(getattr(value, field.name))
