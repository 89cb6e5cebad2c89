"""The rules of Stitch: The Fix for 626: who may do what, and what each card does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import ClassVar, Final

from engine.chance import Chance
from engine.core import Game, GameInfo, Option, OptionValue, Outcome, Seat, Step
from engine.errors import GameError, IllegalAction
from engine.fix626 import errors
from engine.fix626.cards import GUESSES, TARGETED, TOKENS_TO_WIN, Character
from engine.fix626.memory import recall
from engine.fix626.model import (
    Action,
    Answer,
    Asking,
    Compared,
    GuessMissed,
    HandsTraded,
    Looked,
    News,
    NoEffect,
    OfferAnswered,
    OfferMade,
    Place,
    Play,
    Played,
    Protected,
    RoundEnded,
    Saw,
    Side,
    State,
    Swapped,
    View,
)
from engine.fix626.retelling import retold
from engine.fix626.table import Table, next_stitch, winners_of

_NOBODY: Final[frozenset[Seat]] = frozenset()
_ONLY: Final = tuple(frozenset((Seat(seat),)) for seat in range(max(TOKENS_TO_WIN)))

ANSWERS: Final[tuple[Action, ...]] = (Answer(give=False), Answer(give=True))

_played = cache(Played)
_saw = cache(Saw)
_looked = cache(Looked)
_compared = cache(Compared)
_missed = cache(GuessMissed)

# Reading a member from its enum is slow in Python 3.11.
_GOOD: Final = Side.GOOD
_EXPERIMENT: Final = Side.EXPERIMENT
_BIG: Final = (Character.NANI, Character.LILO)


# Card effects. Each gets the table after its card was laid down, the seat that played it, and the
# target and the guess that its card asks for (its own seat and -1 for cards that ask for none).


def gantu(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """0. Gantu: from the one who has him, whoever that is (A03), to a player still in (A04)."""
    del seat, target, guess
    table.move_stitch(table.left_of(table.stitch))


def councilwoman(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """1. Grand Councilwoman: a number stands for both of its characters (A08)."""
    if table.held(target).number == guess:
        table.knock_out(target, seat)
    else:
        table.say(_missed(seat, target, guess))


def cobra(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """2. Cobra Bubbles: Lilo and Nani are out, without a choice (A11)."""
    del guess
    card = table.held(target)
    table.say(_looked(seat, target))
    table.whisper(_saw(seat, target, card))
    if card in _BIG:
        table.knock_out(target, seat)


def sparky(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """3. Sparky: the printed numbers count (A13), and both see the other's card (A15)."""
    del guess
    mine, theirs = table.held(seat), table.held(target)
    loser = None
    if mine.number != theirs.number:
        loser = seat if mine.number < theirs.number else target
    table.say(_compared(seat, target, loser))
    table.whisper(_saw(seat, target, theirs))
    table.whisper(_saw(target, seat, mine))
    if loser is not None:
        table.knock_out(loser, target if loser == seat else seat)


def jumba(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """4. Jumba: he must be flipped (A17)."""
    del seat, target, guess
    table.flip_stitch()


def angel(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """5. Angel: the side counts after taking (A18)."""
    del target, guess
    table.move_stitch(seat)
    table.again = table.side is _GOOD


def leroy(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """5. Leroy: whoever has Experiment 626 is out, David or not (A29); then take Stitch (A24)."""
    del target, guess
    if table.side is _EXPERIMENT:
        table.knock_out(table.stitch, seat)
    if table.hands[seat]:
        table.move_stitch(seat)


def david(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """6. David."""
    del target, guess
    table.protected = seat
    table.say(Protected(seat))


def pleakley(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """6. Pleakley: the owner of Stitch is asked before any card moves (A35)."""
    del guess
    if target == table.stitch:
        table.asked = target
        table.say(OfferMade(seat, target))
    else:
        trade_hands(table, seat, target)


def nani(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """7. Nani."""
    del seat, guess
    table.move_stitch(target)


def lilo(table: Table, seat: Seat, target: Seat, guess: int) -> None:
    """8. Lilo."""
    del target, guess
    table.move_stitch(seat)
    if table.side is _EXPERIMENT:
        table.flip_stitch()


Effect = Callable[[Table, Seat, Seat, int], None]

EFFECTS: Final[dict[Character, Effect]] = {
    Character.GANTU: gantu,
    Character.COUNCILWOMAN: councilwoman,
    Character.COBRA: cobra,
    Character.SPARKY: sparky,
    Character.JUMBA: jumba,
    Character.ANGEL: angel,
    Character.LEROY: leroy,
    Character.DAVID: david,
    Character.PLEAKLEY: pleakley,
    Character.NANI: nani,
    Character.LILO: lilo,
}


def trade_hands(table: Table, seat: Seat, target: Seat) -> None:
    """Both know the card that they gave; Stitch stays where he is (A36)."""
    hands = table.hands
    gave, got = table.held(seat), table.held(target)
    hands[seat], hands[target] = hands[target], hands[seat]
    table.say(HandsTraded(seat, target))
    table.whisper(Swapped(seat, target, gave, got))
    table.whisper(Swapped(target, seat, got, gave))


class Fix626(Game[State, Action, View]):
    """Rounds of cards, knock-outs and Stitch, until somebody has victory tokens enough."""

    info: ClassVar[GameInfo] = GameInfo(
        key="fix626",
        rules_version=1,
        min_seats=min(TOKENS_TO_WIN),
        max_seats=max(TOKENS_TO_WIN),
        # The seat that takes the first turn; any other number means a random one (A02).
        options=(Option("first", default=-1, values=(-1,), carried=True),),
    )
    state_type = State
    action_type = Action
    event_type = News

    def setup(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> Step[State]:
        first = options["first"]
        if not isinstance(first, int) or not 0 <= first < seats:
            first = chance.below(seats)
        table = Table(_blank(seats))
        table.start_round(Seat((first - 1) % seats), chance)
        return Step(table.frozen(), tuple(table.events))

    def epoch(self, state: State) -> int:
        return state.epoch

    def pending(self, state: State) -> frozenset[Seat]:
        return _NOBODY if state.asked is None else _ONLY[state.asked]

    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        if seat != state.asked:
            return ()
        if seat != state.turn:
            return ANSWERS
        hands, protected = state.hands, state.protected
        targets = [s for s, hand in enumerate(hands) if hand and s != seat and s != protected]
        held, drawn = hands[seat]
        return _plays(held, drawn, tuple(targets))

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
        table = Table(state)
        if isinstance(action, Play):
            self._play(table, seat, action)
        else:
            self._answer(table, seat, action)
        if table.asked == table.turn:
            table.end_turn(chance)
        return Step(table.frozen(), tuple(table.events))

    def _play(self, table: Table, seat: Seat, play: Play) -> None:
        """Lay the card down and do what it says."""
        card, target, guess = play.card, play.target, play.guess
        table.lay_down(seat, card)
        table.say(_played(seat, card, target, guess))
        if target is not None:
            EFFECTS[card](table, seat, target, -1 if guess is None else guess)
        elif card in TARGETED:
            table.say(NoEffect(seat, card))
        else:
            EFFECTS[card](table, seat, seat, -1)

    def _answer(self, table: Table, seat: Seat, answer: Answer) -> None:
        """Stitch instead of the trade, or the trade; then the turn is over (A35)."""
        actor = table.turn
        table.say(OfferAnswered(seat, actor, answer.give))
        if answer.give:
            table.move_stitch(actor)
        else:
            trade_hands(table, actor, seat)
        table.asked = actor

    def fallback(self, state: State, seat: Seat) -> Action:
        """Decline an offer; else the lower card, if possible not one that can hit its own player.

        That is a Leroy with the own Experiment 626, and after it a Sparky. The target is the next
        one clockwise, but Nani leaves Stitch where he is if she can; a guess is one that is least
        likely to hit.
        """
        if seat != state.turn:
            return ANSWERS[0]
        view = self.view(state, seat)
        plays = [play for play in self.legal(state, seat) if isinstance(play, Play)]
        return min(plays, key=lambda play: _harm(view, seat, play))

    def view(self, state: State, seat: Seat | None) -> View:
        seats = len(state.hands)
        told = tuple(event for event in state.told if event.to == seat)
        if state.asked is None:
            asking = Asking.OVER
        else:
            asking = Asking.TURN if state.asked == state.turn else Asking.OFFER
        return View(
            you=seat,
            places=tuple(
                Place(
                    tokens=state.tokens[s],
                    cards=len(state.hands[s]),
                    pile=state.piles[s],
                    out=not state.hands[s],
                    protected=s == state.protected,
                )
                for s in range(seats)
            ),
            stitch=state.stitch,
            side=state.side,
            deck=len(state.deck),
            round=state.round,
            goal=TOKENS_TO_WIN[seats],
            turn=state.turn,
            asking=asking,
            asked=state.asked,
            hand=() if seat is None else state.hands[seat],
            known=recall(seat, seats, state.history, told),
            history=state.history,
            told=told,
            before=state.before,
            before_told=tuple(event for event in state.before_told if event.to == seat),
        )

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        return retold(state, seat, chance)

    def outcome(self, state: State) -> Outcome | None:
        if state.asked is not None:
            return None
        scores = {Seat(s): tokens for s, tokens in enumerate(state.tokens)}
        return Outcome(frozenset(winners_of(state.tokens)), scores, "fix626-tokens")

    def carry(self, state: State) -> Mapping[str, OptionValue]:
        """The rematch goes on as if it were the next round (Starting the Next Round)."""
        ends = [event for event in state.before if isinstance(event, RoundEnded)]
        if state.asked is not None or not ends:
            return {}
        return {"first": (next_stitch(ends[-1]) + 1) % len(state.tokens)}

    def why_not(self, view: View, action: Action) -> GameError:
        if isinstance(action, Play) != (view.asking is Asking.TURN):
            return errors.NotAsked()
        if isinstance(action, Answer):
            return IllegalAction()
        if action.card not in view.hand:
            return errors.CardNotInHand(card=action.card.value)
        return _wrong_target(view, action) or _wrong_guess(action) or IllegalAction()


def _blank(seats: int) -> State:
    """No round yet: a sheet for the first one to be dealt on."""
    return State(
        hands=((),) * seats,
        piles=((),) * seats,
        deck=(),
        aside=Character.GANTU,
        stitch=Seat(0),
        side=Side.GOOD,
        protected=None,
        turn=Seat(0),
        asked=Seat(0),
        tokens=(0,) * seats,
        round=0,
        epoch=-1,
        history=(),
        told=(),
        before=(),
        before_told=(),
    )


@cache
def _plays(held: Character, drawn: Character, targets: tuple[Seat, ...]) -> tuple[Action, ...]:
    """Every way to play one of two cards; a target must be chosen where there is one (A33, A34)."""
    plays: list[Action] = []
    for card in (held, drawn) if held is not drawn else (held,):
        if card not in TARGETED or not targets:
            plays.append(Play(card))
        elif card is Character.COUNCILWOMAN:
            plays += [Play(card, target, guess) for target in targets for guess in GUESSES]
        else:
            plays += [Play(card, target) for target in targets]
    return tuple(plays)


def _harm(view: View, seat: Seat, play: Play) -> tuple[int, ...]:
    """What the fallback makes small: danger to itself, the card's number, then harm to others."""
    card, target = play.card, play.target
    own_626 = view.side is Side.EXPERIMENT and view.stitch == seat
    if target is None:
        return (2 if card is Character.LEROY and own_626 else 0, card.number)
    likely = 0
    if play.guess is not None:
        seen = [c for place in view.places for c in place.pile] + list(view.hand)
        likely = sum(c.copies for c in Character if c.number == play.guess)
        likely -= sum(c.number == play.guess for c in seen)
    moves = card is Character.NANI and target != view.stitch
    distance = (target - seat) % len(view.places)
    return (1 if card is Character.SPARKY else 0, card.number, likely, moves, distance)


def _wrong_target(view: View, play: Play) -> GameError | None:
    card, target, seats = play.card, play.target, range(len(view.places))
    can_choose = any(
        s != view.you and not view.places[s].out and not view.places[s].protected for s in seats
    )
    if target is None:
        if card in TARGETED and can_choose:
            return errors.TargetMissing(card=card.value)
        return None
    if card not in TARGETED:
        return errors.TargetUnwanted(card=card.value)
    if target not in seats:
        return errors.TargetUnknown(seat=target)
    if target == view.you:
        return errors.TargetSelf(card=card.value)
    if view.places[target].out:
        return errors.TargetOut(seat=target)
    if view.places[target].protected:
        return errors.TargetProtected(seat=target)
    return None


def _wrong_guess(play: Play) -> GameError | None:
    least, most = GUESSES[0], GUESSES[-1]
    if play.card is not Character.COUNCILWOMAN or play.target is None:
        return None if play.guess is None else errors.GuessUnwanted(card=play.card.value)
    if play.guess is None:
        return errors.GuessMissing(least=least, most=most)
    if play.guess not in GUESSES:
        return errors.GuessOutOfRange(guess=play.guess, least=least, most=most)
    return None
