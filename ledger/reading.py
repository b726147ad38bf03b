"""Read events back in order, a page at a time, so that memory stays flat however long the log is."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter, methodcaller
from typing import Any

from django.db import connection

from ledger.batch import EVENT_COLUMNS, HEAD_COLUMNS, Head
from ledger.chain import Stored

PAGE = 2000

_LOG_PAGE = f"SELECT {EVENT_COLUMNS} FROM ledger_event WHERE log_id = %s AND position > %s AND position <= %s ORDER BY position LIMIT %s"  # noqa: S608
_STREAM_PAGE = f"SELECT {EVENT_COLUMNS} FROM ledger_event WHERE stream = %s AND version > %s AND log_id = %s ORDER BY version LIMIT %s"  # noqa: S608
_STREAMS = f"SELECT {EVENT_COLUMNS} FROM ledger_event WHERE stream IN ({{marks}}) AND log_id = %s ORDER BY stream, version"  # noqa: S608
_FOREVER = 2**63 - 1


def read_log(log: int, *, after: int = 0, until: int | None = None, page: int = PAGE) -> Iterator[Stored]:
    """The events of `log` at positions above `after`, up to and with `until`, in order.

    Whoever comes back with the last position seen misses nothing: positions become visible in order and without gaps.
    """
    last = _FOREVER if until is None else until
    while True:
        rows = fetched(_LOG_PAGE, [log, after, last, page])
        yield from map(Stored._make, rows)
        if len(rows) < page:
            return
        after = rows[-1][1]


def read_stream(log: int, stream: str, *, after: int = 0) -> Iterator[Stored]:
    """The events of one stream of `log` with versions above `after`, in order."""
    while True:
        rows = fetched(_STREAM_PAGE, [stream, after, log, PAGE])
        yield from map(Stored._make, rows)
        if len(rows) < PAGE:
            return
        after = rows[-1][3]


def read_streams(log: int, streams: Sequence[str]) -> Iterator[tuple[str, Iterator[Stored]]]:
    """Each of these streams of `log` with its events in order, to be read before the next one; one that has none may be left out.

    All of them are held at once, unless there is but one: so many as memory should hold are asked for.
    """
    if len(streams) == 1:
        yield streams[0], read_stream(log, streams[0])
        return
    rows = fetched(_STREAMS.format(marks=", ".join(["%s"] * len(streams))), [*streams, log])
    yield from groupby(map(Stored._make, rows), key=attrgetter("stream"))


def head_of(log: int) -> Head:
    """The head of `log` as it is now. Raises LookupError if there is no such log."""
    rows = fetched(f"SELECT {HEAD_COLUMNS} FROM ledger_log WHERE id = %s", [log])  # noqa: S608
    if not rows:
        raise LookupError(f"there is no log {log}")
    return Head._make(rows[0])


def version_of(log: int, stream: str) -> int:
    """The version `stream` is at, 0 if `log` has no such stream."""
    ((version,),) = fetched("SELECT coalesce(max(version), 0) FROM ledger_event WHERE stream = %s AND log_id = %s", [stream, log])
    return int(version)


@contextmanager
def any_text() -> Iterator[None]:
    """Meanwhile SQLite gives a text that isn't UTF-8 too, with marks in place of its bytes, so that verification can name it."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    usual = connection.connection.text_factory
    connection.connection.text_factory = methodcaller("decode", errors="replace")
    try:
        yield
    finally:
        connection.connection.text_factory = usual


def fetched(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All rows of one query."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
