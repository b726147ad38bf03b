"""Games of Contract Sabacc one after the other at a table, each with what another left in its Ante
Pot or without.
"""

import uuid
from typing import Any

from ledger.models import Account
from ledger.verify import verify_log
from scoring.records import read_record
from tournament.exchange.game_records import record_file
from tournament.models import Game, Salon
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.recording.door import start_game
from tournament.streams.folds import MEMORY, fold_of

VOID: dict[str, Any] = {"declarer": None, "contract": None}
NAMES = ("Asha Renn", "Ilse Marrow", "Cato Liss", "Juno Dray", "Dara Voss")
ACTOR = "user:1"
PLAYERS = dict(zip("ABC", NAMES[:3], strict=True))
LEAVE = {"ante_pot_end": "leave"}


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


def is_sound(salon: Salon) -> bool:
    """Everything stored verifies, and replayed it is what it is."""
    found = [
        *verify_log(salon.log_id),
        *audit(salon),
        *differences(salon, mend=False, progress=lambda done: None),
    ]
    for game in Game.objects.filter(salon=salon):
        live, MEMORY._folds = MEMORY.get(salon.log_id, game.pk), type(MEMORY._folds)()
        replayed = fold_of(salon.log_id, game.pk)
        assert live is None or live == replayed
    return not found


def chips_of(game: Game) -> dict[str, int]:
    """What each account of a game holds, but for those that hold nothing."""
    held = {row.key: row.credits - row.debits for row in Account.objects.filter(stream=game.pk)}
    return {key: chips for key, chips in held.items() if chips}


def begun(salon: Salon, pot: dict[str, object] | None, *, command: str | None = None) -> Game:
    return start_game(
        salon,
        actor=ACTOR,
        command=command or a_command(),
        kind="contract_sabacc",
        players=PLAYERS,
        options=LEAVE,
        table="3",
        opening_pot=pot,
    )
