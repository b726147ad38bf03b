"""Games of every kind at table 4, with one hand recorded from a sheet, and the fields a page would
send for it.
"""

from typing import Any

from scoring.commands import EndGame
from scoring.games import GAMES
from tests.tournament.helpers.playing import SEATED, a_command
from tournament.models import Game, Salon
from tournament.recording.door import record_acts, record_sheet, start_game

NAMES = ("Asha Renn", "Ilse Marrow", "Cato Liss")
BIDS = {"N": 4, "E": 3, "S": 3, "W": 2}
# A hand of each kind as a record holds it, and the same as the fields of its sheet.
HANDS: dict[str, dict[str, Any]] = {
    "precedence": {"dealer": "S", "bids": BIDS, "tricks": {"NS": 8, "EW": 5}},
    "preference": {
        "dealer": "A",
        "soloist": "B",
        "contract": "one",
        "tricks": {"A": 3, "B": 6, "C": 1},
    },
    "contract_sabacc": {"dealer": "A", "declarer": "B", "contract": "take", "points": 50},
    "order_of_precedence": {"built": [4, 3, 2, 1, 0, 0, 0, 0], "passes": 2},
    "whist": {"dealer": "N", "trump": "S", "tricks": {"NS": 8, "EW": 5}},
}
FIELDS: dict[str, dict[str, Any]] = {
    "precedence": {"dealer": "S"}
    | {f"bids.{seat}:number": str(bid) for seat, bid in BIDS.items()}
    | {"tricks.NS:number": "8", "tricks.EW:number": "5"},
    "preference": {"dealer": "A", "fields": "soloist=B", "contract": "one"}
    | {"tricks.A:number": "3", "tricks.B:number": "6", "tricks.C:number": "1"},
    "contract_sabacc": {
        "dealer": "A",
        "fields": "declarer=B",
        "contract": "take",
        "points:half": "50",
    },
    "order_of_precedence": {
        f"built.{place}:number": str(length)
        for place, length in enumerate((4, 3, 2, 1, 0, 0, 0, 0))
    }
    | {"passes:number": "2"},
    "whist": {"dealer": "N", "trump": "S", "tricks.NS:number": "8", "tricks.EW:number": "5"},
}
KINDS = ("precedence", "preference", "contract_sabacc", "order_of_precedence")


def seated_at(kind: str) -> dict[str, str]:
    """Who sits at a table of this kind: four, three, or one who plays alone."""
    game = GAMES[kind]
    if game.teams:
        return dict(SEATED)
    seats = min(game.seatings, key=len)
    return dict(zip(seats, NAMES, strict=False))


def started(salon: Salon, kind: str, *, table: str = "4", **options: Any) -> Game:
    """A game of this kind that has just begun; no hand is open."""
    return start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind=kind,
        players=seated_at(kind),
        options=options,
        table=table,
        played_on="2026-11-21",
    )


def after_a_hand(
    salon: Salon, kind: str, *, actor: str = "table:4", table: str = "4", **options: Any
) -> Game:
    """A game of this kind after one hand, entered by a scorer."""
    game = started(salon, kind, table=table, **options)
    rules = GAMES[kind].read_rules(options)
    sheet = GAMES[kind].read_sheet(HANDS[kind], rules)
    record_sheet(salon, game.pk, sheet, actor=actor, command=a_command(), version=game.version)
    game.refresh_from_db()
    return game


def over(game: Game) -> Game:
    """The same game, ended by its director."""
    end = EndGame(kind="called", by="Elder", reason="late")
    record_acts(
        game.salon, game.pk, [end], actor="user:1", command=a_command(), version=game.version
    )
    game.refresh_from_db()
    return game
