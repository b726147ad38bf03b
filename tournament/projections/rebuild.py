"""Fold every game again from its first event, compare its rows with what that gives, and mend them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from ledger.models import Log
from ledger.reading import read_stream, version_of
from tournament.folds import Folded, fold
from tournament.models import Game as GameRow
from tournament.models import Hand as HandRow
from tournament.models import Salon
from tournament.projections.inline import game_columns, hand_columns, lasting_columns

STREAMS = "SELECT stream, position FROM ledger_event WHERE log_id = %s AND version = 1 ORDER BY position"
LAST = "SELECT max(position) FROM ledger_event WHERE log_id = %s AND stream = %s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A row that isn't what its events say: `table` and `key` name it, `column` is "" where the whole row is missing or extra."""

    table: str
    key: str
    column: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the rows of one game should hold."""

    game: dict[str, Any]
    hands: dict[int, str]


def differences(salon: Salon, *, mend: bool, progress: Callable[[int], None]) -> Iterator[Difference]:
    """Every difference between the salon's rows and its events; with `mend` the rows are put right.

    `progress` is told how many games have been folded.
    """
    streams = streams_of(salon.log_id)
    for done, (stream, first) in enumerate(streams.items(), start=1):
        yield from _differences_of(salon, stream, first, mend=mend)
        progress(done)
    for row in GameRow.objects.filter(salon=salon).exclude(pk__in=list(streams)):
        yield Difference(table="game", key=row.pk, column="", message=f"the row of {row.record} has no events")
        if mend:
            row.delete()


def streams_of(log: int) -> dict[str, int]:
    """Each stream of a log and the position of its first event, in that order."""
    with connection.cursor() as cursor:
        cursor.execute(STREAMS, [log])
        return dict(cursor.fetchall())


def _differences_of(salon: Salon, stream: str, first: int, *, mend: bool) -> list[Difference]:
    folded = fold(read_stream(salon.log_id, stream))
    assert folded is not None
    found = _compared(stream, _rows(salon, stream, first, folded))
    if not found:
        return []
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=salon.log_id)
        if version_of(salon.log_id, stream) != folded.version:
            folded = fold(read_stream(salon.log_id, stream, after=folded.version), folded)
            assert folded is not None
        rows = _rows(salon, stream, first, folded)
        found = _compared(stream, rows)
        if found and mend:
            _replace(stream, rows)
    return found


def _rows(salon: Salon, stream: str, first: int, folded: Folded) -> Rows:
    game, state = folded.game, folded.state
    with connection.cursor() as cursor:
        cursor.execute(LAST, [salon.log_id, stream])
        last = cursor.fetchone()[0]
    columns = {"salon_id": salon.pk, "started_position": first, **lasting_columns(game, state), **game_columns(game, state, position=last)}
    return Rows(game=columns, hands={hand["number"]: hand["result"] for hand in hand_columns(game, state)})


def _compared(stream: str, rows: Rows) -> list[Difference]:
    stored = GameRow.objects.filter(pk=stream).values().first()
    if stored is None:
        return [Difference(table="game", key=stream, column="", message=f"the row of {rows.game['record']} is missing")]
    found = [
        Difference(table="game", key=stream, column=column, message=f"{column} is {_short(stored[column])}, its events say {_short(value)}")
        for column, value in rows.game.items()
        if stored[column] != value
    ]
    hands = dict(HandRow.objects.filter(game=stream).values_list("number", "result"))
    for number in sorted(hands.keys() | rows.hands.keys()):
        if hands.get(number) != rows.hands.get(number):
            found.append(_hand_difference(stream, number, hands.get(number), rows.hands.get(number)))
    return found


def _hand_difference(stream: str, number: int, stored: str | None, folded: str | None) -> Difference:
    if stored is None:
        return Difference(table="hand", key=f"{stream}/{number}", column="", message=f"the row of hand {number} is missing")
    if folded is None:
        return Difference(table="hand", key=f"{stream}/{number}", column="", message=f"hand {number} has a row and was not played")
    message = f"result is {_short(stored)}, its events say {_short(folded)}"
    return Difference(table="hand", key=f"{stream}/{number}", column="result", message=message)


def _replace(stream: str, rows: Rows) -> None:
    GameRow.objects.update_or_create(pk=stream, defaults=rows.game)
    HandRow.objects.filter(game=stream).delete()
    HandRow.objects.bulk_create(HandRow(game_id=stream, number=number, result=result) for number, result in rows.hands.items())


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}…"
