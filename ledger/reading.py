"""Read events back in order, a page at a time, so that memory stays flat however long the
log is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import batched, groupby
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import F, QuerySet

from ledger.batch import EVENT_COLUMNS, HEAD_COLUMNS, Head
from ledger.chain import Stored
from ledger.models import Command, Event

PAGE = 2000


class BareEvent(NamedTuple):
    """Event with its place but without what is hashed of it: all that folding needs."""

    log_id: int
    position: int
    stream: str
    version: int
    type: str
    schema: int
    body: str

    @property
    def log(self) -> int:
        """The log, as `Stored` calls it."""
        return self.log_id


_LOG_PAGE = (
    f"SELECT {EVENT_COLUMNS} FROM ledger_event WHERE log_id = %s AND position > %s "  # noqa: S608
    f"AND position <= %s ORDER BY position LIMIT %s"
)
_STREAM_PAGE = (
    f"SELECT {EVENT_COLUMNS} FROM ledger_event WHERE stream = %s AND version > %s "  # noqa: S608
    f"AND log_id = %s ORDER BY version LIMIT %s"
)
# + : where several streams are asked for, SQLite would rather walk the whole log.
_STREAMS = (
    f"SELECT {', '.join(BareEvent._fields)} FROM ledger_event WHERE stream IN ({{marks}}) AND "  # noqa: S608
    f"+log_id = %s ORDER BY stream, version"
)
_BY_ACTORS = """
SELECT {columns} FROM ledger_command c
  JOIN ledger_event e ON e.log_id = c.log_id AND e.position BETWEEN c.first_position
    AND c.last_position
 WHERE c.log_id = %s AND c.actor IN ({marks}) ORDER BY e.position"""
_PLACES = (
    f"SELECT {EVENT_COLUMNS} FROM ledger_event WHERE log_id = %s AND position IN "  # noqa: S608
    f"({{marks}}) ORDER BY position"
)
# The last row of each stream by its index, where GROUP BY would walk every event of all of them.
_VERSIONS = """
WITH asked(stream) AS (VALUES {marks})
SELECT stream,
       (SELECT max(version) FROM ledger_event WHERE stream = asked.stream),
       (SELECT log_id FROM ledger_event WHERE stream = asked.stream AND version = 1)
  FROM asked ORDER BY stream"""
_HASHES = """
WITH asked(stream, version) AS (VALUES {marks})
SELECT stream, version, hash, log_id FROM asked JOIN ledger_event USING (stream, version)"""
PAIRS = 1000  # that are asked for at once
_FOREVER = 2**63 - 1


def read_log(
    log: int, *, after: int = 0, until: int | None = None, page: int = PAGE
) -> Iterator[Stored]:
    """The events of `log` at positions above `after`, up to and with `until`, in order.

    Whoever comes back with the last position seen misses nothing: positions become visible in order
    and without gaps.
    """
    last = _FOREVER if until is None else until
    while True:
        rows = fetch_all(_LOG_PAGE, [log, after, last, page])
        yield from map(Stored._make, rows)
        if len(rows) < page:
            return
        after = rows[-1][1]


def read_stream(log: int, stream: str, *, after: int = 0) -> Iterator[Stored]:
    """The events of one stream of `log` with versions above `after`, in order."""
    while True:
        rows = fetch_all(_STREAM_PAGE, [stream, after, log, PAGE])
        yield from map(Stored._make, rows)
        if len(rows) < PAGE:
            return
        after = rows[-1][3]


def read_places(log: int, positions: Sequence[int]) -> list[Stored]:
    """The events of `log` at these positions, in order."""
    return [
        Stored._make(row)
        for row in fetch_all(
            _PLACES.format(marks=", ".join(["%s"] * len(positions))), [log, *positions]
        )
    ]


def read_streams(
    log: int, streams: Sequence[str]
) -> Iterator[tuple[str, Iterator[Stored] | Iterator[BareEvent]]]:
    """Each of these streams of `log` with its events in order, to be read before the next one; one
    that has none may be left out.

    All of them are held at once, unless there is but one: so many as memory should hold are asked
    for.
    """
    if len(streams) == 1:
        yield streams[0], read_stream(log, streams[0])
        return
    rows = fetch_all(_STREAMS.format(marks=", ".join(["%s"] * len(streams))), [*streams, log])
    yield from groupby(map(BareEvent._make, rows), key=attrgetter("stream"))


def events_in(log: int, streams: Iterable[str]) -> QuerySet[Event]:
    """The rows of the events of these streams of `log`, found by their streams: asked for the log
    as well, SQLite would walk all of it.
    """
    return Event.objects.alias(held_by=F("log_id") + 0).filter(
        held_by=log, stream__in=list(streams)
    )


def entries_by(log: int, actors: Sequence[str], *columns: str) -> list[tuple[Any, ...]]:
    """These columns of every event that these actors recorded, in order; found by their commands,
    of which there are fewer.
    """
    if not actors:
        return []
    marks = ", ".join(["%s"] * len(actors))
    return fetch_all(
        _BY_ACTORS.format(columns=", ".join(f"e.{column}" for column in columns), marks=marks),
        [log, *actors],
    )


def command_at(log: int, position: int) -> Command | None:
    """The command that recorded the event at `position`; None where nothing did, or its row is
    gone.
    """
    before = Command.objects.filter(log=log, first_position__lte=position)
    # Those that end later begin later: one row is read.
    found = before.order_by("-first_position").first()
    return found if found is not None and found.last_position >= position else None


def head_of(log: int) -> Head:
    """The head of `log` as it is now. Raises LookupError if there is no such log."""
    rows = fetch_all(f"SELECT {HEAD_COLUMNS} FROM ledger_log WHERE id = %s", [log])  # noqa: S608
    if not rows:
        raise LookupError(f"there is no log {log}")
    return Head._make(rows[0])


def version_of(log: int, stream: str) -> int:
    """The version `stream` is at, 0 if `log` has no such stream."""
    ((version,),) = fetch_all(
        "SELECT coalesce(max(version), 0) FROM ledger_event WHERE stream = %s AND log_id = %s",
        [stream, log],
    )
    return int(version)


def versions_in(log: int, streams: Iterable[str]) -> dict[str, int]:
    """The version that each of these streams is at, in their order; without those that `log` does
    not have.
    """
    asked = sorted(set(streams))
    if not asked:
        return {}
    sql = _VERSIONS.format(marks=", ".join(["(%s)"] * len(asked)))
    return {stream: version for stream, version, of in fetch_all(sql, asked) if of == log}


def hashes_at(log: int, versions: Mapping[str, int]) -> dict[str, str]:
    """The hash of the event of each of these streams of `log` at this version of it."""
    found: dict[str, str] = {}
    for some in batched(versions.items(), PAIRS, strict=False):
        sql = _HASHES.format(marks=", ".join(["(%s, %s)"] * len(some)))
        rows = fetch_all(sql, [each for pair in some for each in pair])
        found |= {stream: hash_ for stream, _version, hash_, of in rows if of == log}
    return found


@contextmanager
def any_text() -> Iterator[None]:
    """Meanwhile SQLite gives a text that isn't UTF-8 too, with marks in place of its bytes, so that
    verification can name it.
    """
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


def fetch_all(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All rows of one query."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def database_version() -> object:
    """Return a value that changes once anything was changed by anyone, for this thread;
    None if that isn't known without a query (PostgreSQL).
    """
    if connection.vendor != "sqlite":
        return None
    connection.ensure_connection()
    raw = connection.connection
    return raw, raw.execute("PRAGMA data_version").fetchone()[0], raw.total_changes


@contextmanager
def snapshot() -> Iterator[None]:
    """Everything that is read meanwhile is as it was at one moment; nothing is to be written
    meanwhile.

    Nobody waits for it: on SQLite it is a transaction that only reads (all others begin by taking
    the lock to write), on PostgreSQL one of REPEATABLE READ. Inside of another transaction the view
    is the one that this has.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    with _that_only_reads(connection), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _that_only_reads(wrapper: Any) -> Iterator[None]:  # noqa: ANN401 - of one of the two vendors
    """Have SQLite begin without the lock to write, as long as this lasts."""
    if wrapper.vendor != "sqlite":
        yield
        return
    usual, wrapper.transaction_mode = wrapper.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        wrapper.transaction_mode = usual
