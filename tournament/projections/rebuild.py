"""Fold every game again from its first event, compare its rows with what that gives, and mend them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from ledger.models import Log
from ledger.reading import fetched, read_stream, version_of
from tournament.folds import Folded, fold
from tournament.models import Game as GameRow
from tournament.models import Hand as HandRow
from tournament.models import Salon
from tournament.projections.inline import game_columns, hand_columns, lasting_columns, write_hands

STREAMS = "SELECT stream, position FROM ledger_event WHERE log_id = %s AND version = 1 ORDER BY position"
POSITION = "SELECT position FROM ledger_event WHERE log_id = %s AND stream = %s AND version = %s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A row that isn't what its events say.

    `table` and `key` name it; `column` is "" where the whole row is missing or extra, or the game can't be folded.
    """

    table: str
    key: str
    column: str
    message: str
    mended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the rows of one game should hold."""

    game: dict[str, Any]
    hands: dict[int, str]


class CannotFold(Exception):
    """Events of a game that nothing here understands; the message says which and why."""


def differences(salon: Salon, *, mend: bool, progress: Callable[[int], None]) -> Iterator[Difference]:
    """Every difference between the salon's rows and its events; with `mend` the rows are put right.

    `progress` is told how many games have been folded.
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


def streams_of(log: int) -> dict[str, int]:
    """Each stream of a log and the position of its first event, in that order."""
    return dict(fetched(STREAMS, [log]))


def differences_of(salon: Salon, stream: str, first: int, *, mend: bool) -> list[Difference]:
    """The differences of one game, whose first event is at position `first`; looked at twice, the second time while nobody records."""
    try:
        folded = _folded(salon.log_id, stream)
        if not compared(stream, rows_of(salon, stream, first, folded)):
            return []
        with transaction.atomic():
            Log.objects.select_for_update().get(pk=salon.log_id)
            folded = _folded(salon.log_id, stream, folded)
            rows = rows_of(salon, stream, first, folded)
            found = compared(stream, rows, mended=mend)
            if found and mend:
                _replace(stream, rows)
            return found
    except CannotFold as fault:
        return [Difference(table="game", key=stream, column="", message=str(fault))]


def rows_of(salon: Salon, stream: str, first: int, folded: Folded) -> Rows:
    """What the rows of a game should hold when its stream is folded that far."""
    game, state = folded.game, folded.state
    ((last,),) = fetched(POSITION, [salon.log_id, stream, folded.version])
    columns = {"salon_id": salon.pk, "started_position": first, **lasting_columns(game, state), **game_columns(game, state, position=last)}
    return Rows(game=columns, hands={hand["number"]: hand["result"] for hand in hand_columns(game, state)})


def compared(stream: str, rows: Rows, *, mended: bool = False) -> list[Difference]:
    """Where the stored rows of a game are not what they should be."""
    stored: dict[str, Any] | None = GameRow.objects.filter(pk=stream).values().first()  # type: ignore[assignment]
    if stored is None:
        missing = f"the row of {rows.game['record']} is missing"
        return [Difference(table="game", key=stream, column="", message=missing, mended=mended)]
    found = [
        Difference(
            table="game",
            key=stream,
            column=column,
            message=f"{column} is {_short(stored[column])}, its events say {_short(value)}",
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
    return "result", f"result is {_short(stored)}, its events say {_short(folded)}"


def _folded(log: int, stream: str, begun: Folded | None = None) -> Folded:
    try:
        folded = fold(read_stream(log, stream, after=begun.version if begun else 0), begun)
    except Exception as error:  # Whatever was written into an event's body: the other games are folded all the same.
        raise CannotFold(f"its events can't be folded: {type(error).__name__}: {error}") from error
    if folded is None:
        raise CannotFold("its events are not in this log")
    return folded


def _replace(stream: str, rows: Rows) -> None:
    GameRow.objects.update_or_create(pk=stream, defaults=rows.game)
    HandRow.objects.filter(game=stream).delete()
    if rows.hands:
        write_hands(stream, [{"number": number, "result": result} for number, result in rows.hands.items()])


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}…"
