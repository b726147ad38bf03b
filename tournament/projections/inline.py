"""The rows of a game, written with its events: the table as it stands and a row for each closed hand."""

from collections.abc import Sequence
from typing import Any

import msgspec

from ledger.chain import Stored
from scoring.events import EntryRetracted
from scoring.game import Game
from tournament.models import Game as GameRow
from tournament.models import Hand as HandRow
from tournament.models import Salon
from tournament.shapes import STORED_AS

_ENCODER = msgspec.json.Encoder(order="sorted")
_TAKES_BACK = STORED_AS[EntryRetracted][0]


def game_columns(game: Game, state: Any, *, position: int) -> dict[str, Any]:
    """What the row of a game holds after the event at `position`, but for what never changes."""
    return {
        "finished": state.closed is not None,
        "position": position,
        "version": state.version,
        "state": _ENCODER.encode(game.table(state)).decode(),
    }


def lasting_columns(game: Game, state: Any) -> dict[str, Any]:
    """What the row of a game holds from its first event on."""
    return {
        "record": state.record,
        "kind": game.name,
        "table": state.table or "",
        "played_on": state.played_on or "",
        "seats": _ENCODER.encode(dict(state.players)).decode(),
    }


def hand_columns(game: Game, state: Any, *, above: int = 0) -> list[dict[str, Any]]:
    """What the rows of the closed hands hold, those with a number above `above`."""
    return [
        {"number": number, "result": _ENCODER.encode(hand).decode()}
        for number, hand in enumerate(game.hand_results(state, above), above + 1)
    ]


def project(salon: Salon, stream: str, game: Game, before: Any, after: Any, *, stored: Sequence[Stored]) -> None:
    """Bring the rows of a game from the state `before` (None: no game yet) to the state `after` the events just stored."""
    columns = game_columns(game, after, position=stored[-1].position)
    if before is None:
        first = stored[0].position
        GameRow.objects.create(id=stream, salon=salon, started_position=first, **lasting_columns(game, after), **columns)
    elif not GameRow.objects.filter(pk=stream).update(**columns):
        return  # A lost row keeps nobody from recording; `manage.py rebuild` makes it again.
    known = 0 if before is None else before.played
    taken_back = any(event.type == _TAKES_BACK for event in stored)
    if taken_back or after.played != known:
        replace_hands(stream, hand_columns(game, after, above=0 if taken_back else known), played=after.played)


def replace_hands(stream: str, hands: Sequence[dict[str, Any]], *, played: int) -> None:
    """Write these rows in the place of those of the same numbers; the game has no row beyond hand `played`."""
    HandRow.objects.filter(game=stream, number__gt=played).delete()
    rows = [HandRow(game_id=stream, **hand) for hand in hands]
    HandRow.objects.bulk_create(rows, update_conflicts=True, unique_fields=["game", "number"], update_fields=["result"])
