"""Short plays with totals: the points are those that some of the cards still out come to, one
subset after the other (S8, S11).
"""

from itertools import combinations
from typing import Any

import pytest

from scoring.errors import Refusal
from scoring.records import decide_record, read_record
from scoring.sabacc.cards import CARDS, WORTH

PLAYS = (
    "-15 -7 -3 -11 -17|5S 3S 7S 12S 8S|12F 11F 5F 4F 13F|13S -12 9S 4S 2S|-16 -5 -6 -20 -13|"
    "1S 14S -19 11S 10S|2T 4T 1T 8T 11T|14F 6F 7F 8F 3F|2C 1C 7C 8C 12C|6S -1 -9 -2 -14|"
    "-10 -8 12T 10T -4|-18 -21 3C 9F 3T|9T 13T 5T 6C 0|1F 4C 11C 2F 10C"
)
TRICKS, SEATS, TALON = 15, 5, 3


def a_claim(contract: str, plays: list[list[str]], points: float) -> dict[str, Any]:
    hand = {"dealer": "E", "declarer": "A", "contract": contract, "plays": plays}
    return {
        "format": "salon-record/1",
        "id": "claim",
        "game": "contract_sabacc",
        "players": {"A": "Asha", "B": "Brin", "C": "Cato", "D": "Dara", "E": "Enzo"},
        "hands": [hand | {"bonus": None, "points": points}],
    }


def is_taken(contract: str, plays: list[list[str]], doubled: int) -> bool:
    try:
        decide_record(read_record(a_claim(contract, plays, doubled / 2)))
    except Refusal:
        return False
    return True


@pytest.mark.parametrize("missing", [1, 2])
@pytest.mark.parametrize("contract", ["guard_against", "guard_without"])
def test_a_claim_is_taken_where_cards_still_out_come_to_it(contract: str, missing: int) -> None:
    plays = [trick.split() for trick in PLAYS.split("|")][: TRICKS - missing]
    out = [card for card in CARDS if not any(card in trick for trick in plays)]
    apart = 0 if contract == "guard_against" else TALON
    possible = {
        sum(map(WORTH.__getitem__, cards))
        for tricks in range(missing + 1)
        for cards in combinations(out, tricks * SEATS + apart)
    }
    assert {points for points in range(80) if is_taken(contract, plays, points)} == {
        points for points in possible if points < 80
    }
