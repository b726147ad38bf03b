"""The rows of a game, written with its events: the table as it stands and a row for each closed hand."""

from typing import Any

import msgspec

from scoring.game import Game
from tournament.models import Game as GameRow
from tournament.models import Hand as HandRow
from tournament.models import Salon

_ENCODER = msgspec.json.Encoder(order="sorted")


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


def project(salon: Salon, stream: str, game: Game, before: Any, after: Any, *, first: int, last: int) -> None:
    """Bring the rows of a game from the state `before` (None: no game yet) to the state `after` events `first` to `last`."""
    columns = game_columns(game, after, position=last)
    if before is None:
        GameRow.objects.create(id=stream, salon=salon, started_position=first, **lasting_columns(game, after), **columns)
    else:
        GameRow.objects.filter(pk=stream).update(**columns)
    known = 0 if before is None else before.played
    if after.played < known:
        HandRow.objects.filter(game=stream, number__gt=after.played).delete()
    elif after.played > known:
        HandRow.objects.bulk_create(HandRow(game_id=stream, **hand) for hand in hand_columns(game, after, above=known))
