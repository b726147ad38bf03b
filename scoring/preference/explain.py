"""Why a hand moved the chips it moved: for each seat the lines that add up to its chips, with their
rules (R2, R13 to R16).
"""

from collections.abc import Iterator

from scoring.preference.payments import POT
from scoring.preference.state import SEATS, Hand, HandResult
from scoring.shape import JsonObject


def explain(hand: Hand, closed: HandResult) -> JsonObject:
    """The lines of each seat of the game, who played how, and what the pot came to.

    A line is `what` (`ante`, `take`, `forfeit`, `duty`, `insisting`, `ruling`), its rule and its
    chips.
    """
    lines = {seat: list(_lines(hand, seat)) for seat in SEATS}
    return {"lines": lines, "roles": {seat: _role(hand, seat) for seat in SEATS}, "pot": closed.pot}


def _lines(hand: Hand, seat: str) -> Iterator[JsonObject]:
    for move in hand.moves:
        for account, sign in ((move.source, -1), (move.target, 1)):
            if account != POT and account[0] == seat:
                yield {"what": move.why, "rule": move.rule, "chips": sign * move.chips}


def _role(hand: Hand, seat: str) -> str:
    """Return the role of a seat: `soloist`, `along`, `out`, `insisted`, or "" in a
    thrown-in deal.
    """
    if not hand.contract:
        return ""
    return "soloist" if seat == hand.soloist else (hand.defence or {})[seat]
