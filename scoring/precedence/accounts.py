"""The pots of a Precedence game, and what a hand moved into and out of them (P3, P4, P20)."""

from collections.abc import Iterable

from scoring.chips import BANK
from scoring.events import ChipsMoved

HAND = "hand"
ACCORD = "accord"
POT_NAMES = {HAND: "Hand Pot", ACCORD: "Accord Pot"}
OUTSIDE_HAND = frozenset({BANK, ACCORD})


def paid(moves: Iterable[ChipsMoved]) -> dict[str, int]:
    """What each account put into the Hand Pot, rulings apart."""
    sums: dict[str, int] = {}
    for move in moves:
        if move.target == HAND and move.why != "ruling":
            sums[move.source] = sums.get(move.source, 0) + move.chips
    return sums
