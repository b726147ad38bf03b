"""A game of Whist as a record, and whether what is stored of it is sound."""

from typing import Any

from tests.tournament.helpers.playing import SEATED
from tournament.models import Salon
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences

LEADS_HEARTS = "3H KH 2H 7C"  # East leads, South wins, North is void

RECORD: dict[str, Any] = {
    "format": "salon-record/1",
    "id": "whist",
    "game": "whist",
    "players": SEATED,
    "options": {"stake": 5, "target": 3},
    "hands": [
        {
            "dealer": "N",
            "trump": "S",
            "plays": [LEADS_HEARTS.split()],
            "tricks": {"NS": 8, "EW": 5},
            "note": "by the window",
        },
        {"dealer": "E", "trump": "H", "tricks": {"NS": 5, "EW": 8}},
        {"dealer": "S", "trump": "C", "tricks": {"NS": 7, "EW": 6}},
    ],
}


def is_sound(salon: Salon) -> bool:
    return not list(differences(salon, mend=False, progress=lambda done: None)) and not list(
        audit(salon)
    )
