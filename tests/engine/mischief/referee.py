"""A second opinion: the rulebook read again from scratch, in plain dicts and lists.

It shares no code with the engine. It is told the deck, what each player plays and what die and
shuffles show, and says what must follow.
"""

import csv
import itertools
import os

DECK_FILE = os.path.join(os.path.dirname(__file__), "../../../engine/mischief/deck.csv")


def printed_cards():
    with open(DECK_FILE, encoding="utf-8", newline="") as file:
        return {
            int(row["id"]): (row["colour"], row["presents"].split("+"), row["symbol"])
            for row in csv.DictReader(file)
        }


PRINTED = printed_cards()


def possible_plays(hand):
    """Every set of cards that may be played from a hand."""
    found = set()
    for a, b, c in itertools.product(hand, repeat=3):
        if len({PRINTED[a][0], PRINTED[b][0], PRINTED[c][0]}) == 1:
            found.add(frozenset((a, b, c)))
    return found


def presents_on(cards):
    together = []
    for card in cards:
        together += PRINTED[card][1]
    return together


class Referee:
    """Keeps the piles of one game. `die` and `shuffle` are asked when they are needed."""

    def __init__(self, players, deck, die, shuffle, bonus_in_final=False):
        self.deck = list(deck)
        self.die, self.shuffle, self.bonus_in_final = die, shuffle, bonus_in_final
        self.players = [
            {"hand": [self.deck.pop(0) for _ in range(6)], "stack": [], "bonus": []}
            for _ in range(players)
        ]
        self.discard = []
        self.turns_of_the_die = 0
        self.last_round = False
        self.result = None

    def must_play(self):
        return [] if self.result else [n for n, p in enumerate(self.players) if p["hand"]]

    def take_card(self):
        if not self.deck:
            self.deck = self.shuffle(self.discard)
            self.discard = []
        return self.deck.pop(0)

    def everyone_from_the_die(self):
        first = self.turns_of_the_die % len(self.players)
        return [*range(first, len(self.players)), *range(first)]

    def round(self, plays):
        """Steps 2 to 4 for `plays`, a dict from player to cards; returns how often was rolled."""
        face_up = {who: list(cards) for who, cards in plays.items()}
        for who, cards in plays.items():
            for card in cards:
                self.players[who]["hand"].remove(card)
        symbols = [PRINTED[card][2] for cards in plays.values() for card in cards]
        nice, naughty = symbols.count("nice"), symbols.count("naughty")
        rolls = 1 if nice > naughty else 3 if naughty > nice else 2
        rolled = 0
        while rolled < rolls and face_up:
            shown = self.die()
            rolled += 1
            losers = [
                who
                for who in self.everyone_from_the_die()
                if who in face_up and shown in presents_on(face_up[who])
            ]
            self.turns_of_the_die += 1
            lost = {who: face_up.pop(who) for who in losers}
            for who in losers:
                self.discard.extend(lost[who])
            for who in losers:
                for _ in lost[who]:
                    self.players[who]["hand"].append(self.take_card())
        for who, cards in face_up.items():
            self.players[who]["stack"].extend(cards)
        self.after_round(plays)
        return rolled

    def after_round(self, plays):
        gone = [who for who in plays if not self.players[who]["hand"]]
        if not self.last_round or self.bonus_in_final:
            for who in self.everyone_from_the_die():
                if who in gone:
                    self.players[who]["bonus"].append(self.take_card())
        if self.last_round or not any(p["hand"] for p in self.players):
            self.count()
        elif gone:
            self.last_round = True

    def count(self):
        saved = [presents_on(p["stack"] + p["bonus"]) for p in self.players]
        totals = [len(presents) for presents in saved]
        best = [who for who in range(len(totals)) if totals[who] == max(totals)]
        if len(best) > 1:
            shown = self.die()
            matching = {who: saved[who].count(shown) for who in best}
            best = [who for who in best if matching[who] == max(matching.values())]
        self.result = {"totals": totals, "winners": best}
