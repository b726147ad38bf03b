"""Games of Contract Sabacc one after the other at a table, each with what another left in its Ante
Pot or without.
"""

import uuid
from typing import Any

from scoring.records import read_record
from tournament.exchange.game_records import record_file
from tournament.models import Game, Salon

VOID: dict[str, Any] = {"declarer": None, "contract": None}
NAMES = ("Asha Renn", "Ilse Marrow", "Cato Liss", "Juno Dray", "Dara Voss")
ACTOR = "user:1"


def a_command() -> str:
    return uuid.uuid4().hex


def a_game(
    identity: str, *, pot: tuple[str, int] | None = None, players: int = 3, **changes: Any
) -> dict[str, Any]:
    """A record of a game in which nobody bids: its antes stay, one of each player in every hand."""
    record = {
        "format": "salon-record/1",
        "id": identity,
        "game": "contract_sabacc",
        "players": dict(zip("ABCDE", NAMES[:players], strict=False)),
        "table": "3",
        "options": {"ante_pot_end": "leave"},
        "hands": [{"dealer": "A", **VOID}, *[VOID] * (players - 1)],
    }
    return record | ({"opening_pot": {"from": pot[0], "chips": pot[1]}} if pot else {}) | changes


def recorded(salon: Salon, record: dict[str, Any]) -> Game:
    """The row of a recorded game. Raises Refusal."""
    record_file(salon, read_record(record), actor=ACTOR)
    return Game.objects.get(salon=salon, record=record["id"])
