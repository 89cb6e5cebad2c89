"""A second, plain reading of the rulebook, to hold against the engine. It knows no engine.

A round is one dict; players are numbers clockwise, cards are names, a move is a tuple
(card, other player or None, guess or None) or True / False to a Pleakley's offer.
"""

from __future__ import annotations

VALUE = {
    "gantu": 0,
    "councilwoman": 1,
    "cobra": 2,
    "sparky": 3,
    "jumba": 4,
    "angel": 5,
    "leroy": 5,
    "david": 6,
    "pleakley": 6,
    "nani": 7,
    "lilo": 8,
}
CHOOSE_ANOTHER = ["councilwoman", "cobra", "sparky", "pleakley", "nani"]
NEEDED = {2: 5, 3: 4, 4: 3, 5: 3}


def new_round(players, deck, stitch):
    """`deck` from its top: one set aside, one to each player, then the draw pile."""
    pile = list(deck)
    pile.pop(0)
    r = {"players": players, "in": list(range(players)), "david": [], "stitch": stitch}
    r["good"] = True
    r["hand"] = {p: [pile.pop(0)] for p in range(players)}
    r["front"] = {p: [] for p in range(players)}
    r["deck"] = pile
    r["now"] = (stitch + 1) % players
    r["offer"] = None
    r["winners"] = None
    draw(r)
    return r


def draw(r):
    p = r["now"]
    if p in r["david"]:
        r["david"].remove(p)
    r["hand"][p].append(r["deck"].pop(0))


def next_in(r, p):
    after = [q for q in r["in"] if q > p]
    return min(after) if after else min(r["in"])


def can_choose(r):
    return [q for q in r["in"] if q != r["now"] and q not in r["david"]]


def possible(r):
    if r["winners"] is not None:
        return set()
    if r["offer"] is not None:
        return {True, False}
    found = set()
    for card in r["hand"][r["now"]]:
        others = can_choose(r) if card in CHOOSE_ANOTHER else []
        if not others:
            found.add((card, None, None))
        for q in others:
            if card == "councilwoman":
                for number in range(0, 9):
                    found.add((card, q, number))
            else:
                found.add((card, q, None))
    return found


def out(r, loser, knocker):
    r["front"][loser] += r["hand"][loser]
    r["hand"][loser] = []
    heir = next_in(r, loser) if knocker is None else knocker
    r["in"].remove(loser)
    if loser in r["david"]:
        r["david"].remove(loser)
    if r["stitch"] == loser:
        r["stitch"] = heir


def move(r, choice):
    p = r["now"]
    again = False
    if r["offer"] is not None:
        q = r["offer"]
        r["offer"] = None
        if choice:
            r["stitch"] = p
        else:
            r["hand"][p], r["hand"][q] = r["hand"][q], r["hand"][p]
        finish(r, again)
        return
    card, q, number = choice
    r["hand"][p].remove(card)
    r["front"][p].append(card)
    mine = r["hand"][p][0]
    theirs = r["hand"][q][0] if q is not None else None
    if card == "gantu":
        r["stitch"] = next_in(r, r["stitch"])
    elif card == "jumba":
        r["good"] = not r["good"]
    elif card == "angel":
        r["stitch"] = p
        again = r["good"]
    elif card == "leroy":
        if not r["good"] and r["stitch"] == p:
            out(r, p, None)
        elif not r["good"]:
            out(r, r["stitch"], p)
            r["stitch"] = p
        else:
            r["stitch"] = p
    elif card == "david":
        r["david"].append(p)
    elif card == "lilo":
        r["stitch"] = p
        r["good"] = True
    elif q is None:
        pass
    elif card == "councilwoman":
        if VALUE[theirs] == number:
            out(r, q, p)
    elif card == "cobra":
        if theirs in ("lilo", "nani"):
            out(r, q, p)
    elif card == "sparky":
        if VALUE[mine] > VALUE[theirs]:
            out(r, q, p)
        if VALUE[mine] < VALUE[theirs]:
            out(r, p, q)
    elif card == "pleakley" and r["stitch"] == q:
        r["offer"] = q
        return
    elif card == "pleakley":
        r["hand"][p], r["hand"][q] = r["hand"][q], r["hand"][p]
    elif card == "nani":
        r["stitch"] = q
    finish(r, again)


def finish(r, again):
    if len(r["in"]) == 1:
        r["winners"] = list(r["in"])
    elif not r["deck"]:
        r["winners"] = compare(r)
    else:
        if not again:
            r["now"] = next_in(r, r["now"])
        draw(r)


def compare(r):
    """Half a point breaks ties: no two held numbers differ by less than one."""
    points = {}
    for p in r["in"]:
        points[p] = VALUE[r["hand"][p][0]]
        if p == r["stitch"]:
            points[p] += 2.5 if r["good"] else -2.5
    top = max(points.values())
    return [p for p in r["in"] if points[p] == top]


def owner_next(r):
    return r["winners"][0] if len(r["winners"]) == 1 else r["stitch"]
