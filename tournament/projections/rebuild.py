"""Fold every stream again from its first event, compare its rows with what that gives, and mend them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from ledger.models import Log
from ledger.reading import fetched, read_stream, version_of
from tournament.folds import Folded, fold
from tournament.kinds import Kind
from tournament.models import Game as GameRow
from tournament.models import Hand as HandRow
from tournament.models import Salon
from tournament.projections import kept
from tournament.projections.all_reckoned import RECKONED
from tournament.projections.difference import Difference as Difference
from tournament.projections.difference import short
from tournament.projections.generations import compared_reckonings
from tournament.projections.inline import game_columns, hand_columns, lasting_columns, write_hands

STREAMS = "SELECT stream, position FROM ledger_event WHERE log_id = %s AND version = 1 ORDER BY position"
POSITION = "SELECT position FROM ledger_event WHERE log_id = %s AND stream = %s AND version = %s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the rows of one game should hold."""

    game: dict[str, Any]
    hands: dict[int, str]


class CannotFold(Exception):
    """Events of a game that nothing here understands; the message says which and why."""


def differences(salon: Salon, *, mend: bool, progress: Callable[[int], None]) -> Iterator[Difference]:
    """Every difference between the salon's rows and its events; with `mend` the rows are put right.

    `progress` is told how many streams have been folded.
    """
    streams = streams_of(salon.log_id)
    for done, (stream, first) in enumerate(streams.items(), start=1):
        yield from differences_of(salon, stream, first, mend=mend)
        progress(done)
    for stream, record in GameRow.objects.filter(salon=salon).values_list("pk", "record").iterator():
        if stream in streams or version_of(salon.log_id, stream):
            continue
        if mend:
            GameRow.objects.filter(pk=stream).delete()
        yield Difference(table="game", key=stream, column="", message=f"the row of {record} has no events", mended=mend)
    for model, stream in list(kept.strays(salon, streams)):
        if mend:
            model._default_manager.filter(pk=stream).delete()
        yield Difference(table=model._meta.db_table, key=stream, column="", message="the row has no events", mended=mend)
    yield from compared_reckonings(salon, RECKONED, mend=mend)


def streams_of(log: int) -> dict[str, int]:
    """Each stream of a log and the position of its first event, in that order."""
    return dict(fetched(STREAMS, [log]))


def differences_of(salon: Salon, stream: str, first: int, *, mend: bool) -> list[Difference]:
    """The differences of one stream, whose first event is at position `first`; looked at twice, the second time while nobody records."""
    try:
        folded = _folded(salon.log_id, stream)
        rows = rows_of(salon, stream, first, folded)
        if not compared(stream, rows):
            return []
        with transaction.atomic():
            Log.objects.select_for_update().get(pk=salon.log_id)
            last = _folded(salon.log_id, stream, folded)
            if last.version != folded.version:
                rows = rows_of(salon, stream, first, last)
            found = compared(stream, rows, mended=mend)
            if found and mend:
                _replace(stream, rows)
            return found
    except CannotFold as fault:
        return [Difference(table="game", key=stream, column="", message=str(fault))]


def rows_of(salon: Salon, stream: str, first: int, folded: Folded) -> Rows | kept.KeptRows:
    """What the rows of a stream should hold when it is folded that far."""
    if isinstance(folded.kind, Kind):
        return kept.rows_of(salon, stream, first, folded.kind, folded.state)
    game, state = folded.game, folded.state
    ((last,),) = fetched(POSITION, [salon.log_id, stream, folded.version])
    columns = {"salon_id": salon.pk, "started_position": first, **lasting_columns(game, state), **game_columns(folded, position=last)}
    return Rows(game=columns, hands={hand["number"]: hand["result"] for hand in hand_columns(game, state)})


def compared(stream: str, rows: Rows | kept.KeptRows, *, mended: bool = False) -> list[Difference]:
    """Where the stored rows of a stream are not what they should be."""
    if isinstance(rows, kept.KeptRows):
        return kept.compared_kind(stream, rows, mended=mended)
    stored: dict[str, Any] | None = GameRow.objects.filter(pk=stream).values().first()  # type: ignore[assignment]
    if stored is None:
        missing = f"the row of {rows.game['record']} is missing"
        return [Difference(table="game", key=stream, column="", message=missing, mended=mended)]
    found = [
        Difference(
            table="game",
            key=stream,
            column=column,
            message=f"{column} is {short(stored[column])}, its events say {short(value)}",
            mended=mended,
        )
        for column, value in rows.game.items()
        if stored[column] != value
    ]
    hands = dict(HandRow.objects.filter(game=stream).values_list("number", "result"))
    for number in sorted(hands.keys() | rows.hands.keys()):
        if hands.get(number) != rows.hands.get(number):
            column, message = _hand_difference(number, hands.get(number), rows.hands.get(number))
            found.append(Difference(table="hand", key=f"{stream}/{number}", column=column, message=message, mended=mended))
    return found


def _hand_difference(number: int, stored: str | None, folded: str | None) -> tuple[str, str]:
    if stored is None:
        return "", f"the row of hand {number} is missing"
    if folded is None:
        return "", f"hand {number} has a row and was not played"
    return "result", f"result is {short(stored)}, its events say {short(folded)}"


def _folded(log: int, stream: str, begun: Folded | None = None) -> Folded:
    try:
        folded = fold(read_stream(log, stream, after=begun.version if begun else 0), begun)
    except Exception as error:  # Whatever was written into an event's body: the other games are folded all the same.
        raise CannotFold(f"its events can't be folded: {type(error).__name__}: {error}") from error
    if folded is None:
        raise CannotFold("its events are not in this log")
    return folded


def _replace(stream: str, rows: Rows | kept.KeptRows) -> None:
    if isinstance(rows, kept.KeptRows):
        kept.replace_kind(stream, rows)
        return
    GameRow.objects.update_or_create(pk=stream, defaults=rows.game)
    HandRow.objects.filter(game=stream).delete()
    if rows.hands:
        write_hands(stream, [{"number": number, "result": result} for number, result in rows.hands.items()])
