"""Records of hands in which nothing is played."""

from typing import Any

from scoring.precedence.cards import CARDS as PRECEDENCE_CARDS
from scoring.preference.cards import CARDS as PREFERENCE_CARDS
from scoring.sabacc.cards import CARDS as SABACC_CARDS

SEATS = {"precedence": "NESW", "preference": "ABC", "contract_sabacc": "ABC"}
CARDS = {
    "precedence": (PRECEDENCE_CARDS, 13),
    "preference": (PREFERENCE_CARDS, 10),
    "contract_sabacc": (SABACC_CARDS, 24),
}
DEAD: dict[str, dict[str, Any]] = {
    "precedence": {"dealer": "N", "trump": "V", "misdeal": True},
    "preference": {"dealer": "C", "soloist": None, "contract": None},
    "contract_sabacc": {"dealer": "A", "declarer": None, "contract": None},
}
PASSES = {
    "preference": [["A", "pass"], ["B", "pass"], ["C", "pass"]],
    "contract_sabacc": [["B", "pass"], ["A", "pass"], ["C", "pass"]],
}


def a_record(name: str, *hands: dict[str, Any], **options: Any) -> dict[str, Any]:
    players = dict(zip(SEATS[name], ("Asha", "Brin", "Cato", "Dara"), strict=False))
    return {
        "format": "salon-record/1",
        "id": "one",
        "game": name,
        "players": players,
        "options": options,
        "hands": [*hands],
    }
