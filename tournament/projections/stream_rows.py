"""The rows of streams that are no games: written with their events, compared with a fresh fold, and
mended.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Model

from ledger.chain import Stored
from ledger.reading import version_of
from tournament.models import Salon
from tournament.models.written_json import as_stored
from tournament.projections.difference import Difference, short
from tournament.streams.types import STREAM_TYPES, AnyStreamType, Columns, Rows, StreamState


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedRows:
    """The rows that a stream should have, and the state that gives them."""

    kind: AnyStreamType
    rows: Rows
    salon: int
    state: StreamState


def project_kind(
    salon: Salon,
    stream: str,
    kind: AnyStreamType,
    before: StreamState | None,
    after: StreamState,
    *,
    stored: Sequence[Stored],
) -> None:
    """Bring the rows of a stream from the state `before` (None: nothing yet) to the state `after`
    the events just stored.
    """
    was: Rows = {} if before is None else rows_of(salon, stream, 0, kind, before).rows
    now = rows_of(salon, stream, 0 if was else stored[0].position, kind, after).rows
    for model, rows in now.items():
        old = was.get(model, {})
        if rows is old:  # As `tournament_rows` remembers them; what it saves is said there.
            continue
        model._default_manager.bulk_create(
            [model(pk=key, **columns) for key, columns in rows.items() if key not in old]
        )
        for key, columns in rows.items():
            _change(model, key, old.get(key, columns), columns)
        gone = old.keys() - rows.keys()
        if gone:
            model._default_manager.filter(pk__in=gone).delete()
    if kind.keep_in_step is not None:
        kind.keep_in_step(salon.pk, after)


def rows_of(
    salon: Salon, stream: str, first: int, kind: AnyStreamType, state: StreamState
) -> ExpectedRows:
    """The rows that a stream in this state should have; its first event is at position
    `first`.
    """
    rows = kind.rows(stream, state)
    head = {stream: {**rows[kind.head][stream], "salon_id": salon.pk, "started_position": first}}
    others = {model: each for model, each in rows.items() if model is not kind.head}
    return ExpectedRows(kind=kind, rows={kind.head: head} | others, salon=salon.pk, state=state)


def compare_rows(stream: str, kept: ExpectedRows, *, mended: bool = False) -> list[Difference]:
    """Compare the stored rows of a stream with the expected ones."""
    found = [
        (model._meta.db_table, key, column, message)
        for model, rows in kept.rows.items()
        for key, column, message in differing(_read_stored_rows(kept.kind, model, stream), rows)
    ]
    if kept.kind.out_of_step is not None:
        found += kept.kind.out_of_step(kept.salon, kept.state)
    return [
        Difference(table=table, key=key, column=column, message=message, mended=mended)
        for table, key, column, message in found
    ]


def replace_kind(stream: str, kept: ExpectedRows) -> None:
    """Put the rows of a stream right."""
    for model, rows in kept.rows.items():
        for key, columns in rows.items():
            model._default_manager.update_or_create(pk=key, defaults=columns)
        extra = _read_stored_rows(kept.kind, model, stream).keys() - rows.keys()
        model._default_manager.filter(pk__in=extra).delete()
    if kept.kind.keep_in_step is not None:
        kept.kind.keep_in_step(kept.salon, kept.state)


def strays(salon: Salon, streams: Collection[str]) -> Iterator[tuple[type[Model], str]]:
    """The rows of this salon whose stream has no events, as (model, key)."""
    for kind in STREAM_TYPES.values():
        for stream in (
            kind.head._default_manager.filter(salon=salon).values_list("pk", flat=True).iterator()
        ):
            if stream not in streams and not version_of(salon.log_id, stream):
                yield kind.head, stream


def _change(model: type[Model], key: str, old: Columns, columns: Columns) -> None:
    changed = {name: value for name, value in columns.items() if old[name] != value}
    if changed:
        # A lost row keeps nobody from recording; rebuild makes it again.
        model._default_manager.filter(pk=key).update(**changed)


def _read_stored_rows(
    kind: AnyStreamType, model: type[Model], stream: str
) -> Mapping[str, Columns]:
    mine = {"pk": stream} if model is kind.head else {"stream": stream}
    rows = as_stored(model._default_manager.filter(**mine))
    return {row[model._meta.pk.attname]: row for row in rows}


def differing(
    stored: Mapping[str, Columns], rows: Mapping[str, Columns]
) -> Iterator[tuple[str, str, str]]:
    """The differences between the stored rows and the expected ones, as (key, column,
    message).
    """
    for key in sorted(stored.keys() | rows.keys()):
        if key not in stored:
            yield key, "", "the row is missing"
        elif key not in rows:
            yield key, "", "the row is in no event"
        else:
            for column, value in rows[key].items():
                if stored[key][column] != value:
                    yield (
                        key,
                        column,
                        f"{column} is {short(stored[key][column])}, its events say {short(value)}",
                    )
