"""Fold every stream again from its first event, compare its rows with what that gives, and mend
them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db import transaction

from ledger.chain import Stored
from ledger.models import Log
from ledger.reading import BareEvent, fetch_all, read_stream, read_streams, version_of, versions_in
from tournament.models import Game as GameRow
from tournament.models import Progress, Salon
from tournament.models.rows_made_by import ROWS_MADE_BY
from tournament.projections import stream_rows
from tournament.projections.difference import Difference
from tournament.projections.game_row_audit import Rows, compared, replace, rows_of, size
from tournament.projections.generations import compare_reckonings
from tournament.projections.registry import COMPUTED_PROJECTIONS
from tournament.streams.folds import Folded, fold

EVENTS_AT_ONCE = 2_000  # of several streams, held in memory
STREAMS_AT_ONCE = 100
# Nobody can record while they are written, which takes some milliseconds: three games of 25 hands,
# of which most rows are the small ones of sides.
ROWS_A_TRANSACTION = 256

STREAMS = """
SELECT e.stream, e.position, (SELECT max(each.version) FROM ledger_event each
  WHERE each.stream = e.stream)
  FROM ledger_event e WHERE e.log_id = %s AND e.version = 1 ORDER BY e.position"""


class Extent(NamedTuple):
    """The position of a stream's first event, and how many events it has."""

    first: int
    events: int


class Refolded(NamedTuple):
    """A stream folded from its first event, at position `first`, to the one at position `last`."""

    folded: Folded
    first: int
    last: int


class CannotFold(Exception):
    """Events of a stream that nothing here understands; the message says which and why."""


def differences(
    salon: Salon, *, mend: bool, progress: Callable[[int], None]
) -> Iterator[Difference]:
    """Every difference between the salon's rows and its events; with `mend` the rows are put right.

    `progress` is told how many streams have been folded. Where nothing was left as it was, the
    salon has its rows from this code.
    """
    before, whole = _generations(salon), mend
    for each in _differences(salon, mend=mend, progress=progress):
        whole = whole and each.mended
        yield each
    if whole and not before & _generations(salon):
        Salon.objects.filter(pk=salon.pk).update(rows_made_by=ROWS_MADE_BY)


def _generations(salon: Salon) -> set[tuple[str, int]]:
    """The generation that counts of each background projection: a rebuild switches to the next, but
    not where one is parked.
    """
    names = [each.name for each in COMPUTED_PROJECTIONS]
    return set(
        Progress.objects.filter(log=salon.log_id, projection__in=names).values_list(
            "projection", "generation"
        )
    )


def _differences(
    salon: Salon, *, mend: bool, progress: Callable[[int], None]
) -> Iterator[Difference]:
    streams, done = streams_of(salon.log_id), 0
    for portion in _portions(streams):
        yield from differences_of(salon, portion, mend=mend)
        done += len(portion)
        progress(done)
    for stream, record in (
        GameRow.objects.filter(salon=salon).values_list("pk", "record").iterator()
    ):
        if stream in streams or version_of(salon.log_id, stream):
            continue
        if mend:
            GameRow.objects.filter(pk=stream).delete()
        yield Difference(
            table="game",
            key=stream,
            column="",
            message=f"the row of {record} has no events",
            mended=mend,
        )
    for model, stream in list(stream_rows.strays(salon, streams)):
        if mend:
            model._default_manager.filter(pk=stream).delete()
        yield Difference(
            table=model._meta.db_table,
            key=stream,
            column="",
            message="the row has no events",
            mended=mend,
        )
    yield from compare_reckonings(salon, COMPUTED_PROJECTIONS, mend=mend)


def streams_of(log: int) -> dict[str, Extent]:
    """Each stream of a log, in the order in which they began."""
    return {stream: Extent(*extent) for stream, *extent in fetch_all(STREAMS, [log])}


def differences_of(
    salon: Salon, streams: Mapping[str, Extent], *, mend: bool
) -> Iterator[Difference]:
    """The differences of a few streams; each that has one is looked at again while nobody
    records.
    """
    refolded, broken = _refold(salon.log_id, streams)
    expected = {stream: rows_of(salon, stream, *each) for stream, each in refolded.items()}
    differing = compared(expected)
    yield from broken
    for portion in _small_enough({stream: size(expected[stream]) for stream in differing}):
        yield from _settle(
            salon, {stream: refolded[stream] for stream in portion}, expected, mend=mend
        )


def _portions(streams: Mapping[str, Extent]) -> Iterator[dict[str, Extent]]:
    """All streams, so many at once that memory holds their events; a long one comes alone."""
    portion: dict[str, Extent] = {}
    events = 0
    for stream, extent in streams.items():
        if portion and (events + extent.events > EVENTS_AT_ONCE or len(portion) == STREAMS_AT_ONCE):
            yield portion
            portion, events = {}, 0
        portion[stream] = extent
        events += extent.events
    if portion:
        yield portion


def _refold(
    log: int, streams: Mapping[str, Extent]
) -> tuple[dict[str, Refolded], list[Difference]]:
    """Each stream folded from its first event, and a difference for each that can't be."""
    refolded, broken = {}, []
    for stream, events in read_streams(log, list(streams)):
        try:
            refolded[stream] = _fold_stream(events, streams[stream].first)
        except CannotFold as fault:
            broken.append(_broken(stream, fault))
    return refolded, broken


def _fold_stream(
    events: Iterable[Stored | BareEvent], first: int, begun: Refolded | None = None
) -> Refolded:
    last = begun.last if begun else first

    def track_position() -> Iterator[Stored | BareEvent]:
        nonlocal last
        for event in events:
            last = event.position
            yield event

    try:
        folded = fold(track_position(), begun and begun.folded)
    except Exception as error:
        # Whatever was written into an event's body: the other streams are folded all the same.
        raise CannotFold(f"its events can't be folded: {type(error).__name__}: {error}") from error
    assert folded is not None
    return Refolded(folded, first, last)


def _broken(stream: str, fault: CannotFold) -> Difference:
    return Difference(table="game", key=stream, column="", message=str(fault))


def _small_enough(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """The streams, so many at once that the rows of all can be written in one short transaction."""
    portion: list[str] = []
    rows = 0
    for stream, count in sizes.items():
        if portion and rows + count > ROWS_A_TRANSACTION:
            yield portion
            portion, rows = [], 0
        portion.append(stream)
        rows += count
    if portion:
        yield portion


def _settle(
    salon: Salon, refolded: Mapping[str, Refolded], expected: Mapping[str, Rows], *, mend: bool
) -> Sequence[Difference]:
    """The differences that are left while no one can record, with all that was recorded
    since; with `mend` they are corrected.
    """
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=salon.log_id)
        now, broken = _catch_up(salon, refolded, expected)
        found = compared(now, mended=mend)
        if mend:
            replace({stream: now[stream] for stream in found})
    return [*broken, *(each for differences in found.values() for each in differences)]


def _catch_up(
    salon: Salon, refolded: Mapping[str, Refolded], expected: Mapping[str, Rows]
) -> tuple[dict[str, Rows], Sequence[Difference]]:
    """The rows that these streams should have now, and a difference for each that can't be
    folded any more.
    """
    rows, broken = {}, []
    versions = versions_in(salon.log_id, refolded)
    for stream, begun in refolded.items():
        if versions[stream] == begun.folded.version:
            rows[stream] = expected[stream]
            continue
        try:
            events = read_stream(salon.log_id, stream, after=begun.folded.version)
            rows[stream] = rows_of(salon, stream, *_fold_stream(events, begun.first, begun))
        except CannotFold as fault:
            broken.append(_broken(stream, fault))
    return rows, broken
