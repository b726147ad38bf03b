"""Put a log back as it was stored elsewhere: the same events, commands, transfers, keys and signed
checkpoints, byte for byte.

It writes as `store.append` does, a command at a time, and nothing of it is decided or hashed anew:
whether all of it is what was recorded, `verify_log` and `verify_checkpoints` say before the
transaction around it is committed.
"""

from collections.abc import Iterable, Iterator
from itertools import batched, groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Model

from ledger import chain
from ledger.batch import Batch, Head, Moved
from ledger.chain import Posted, Stored
from ledger.cursors import open_cursor
from ledger.models import Log
from ledger.reading import head_of
from ledger.sealing import nets_of
from ledger.store import writer

ROWS_A_WRITE = 500


class Entry(NamedTuple):
    """An event as it was stored, with the digest of its command and the transfer its hash
    covers.
    """

    event: Stored
    digest: str
    posted: Posted | None


def empty_log(key: str, command_key: str) -> Log:
    """The log with these keys before its first event. Raises IntegrityError where it is here
    already.
    """
    start = chain.genesis(key, command_key)
    return Log.objects.create(key=key, command_key=command_key, hash=start)


def restore_events(log: int, entries: Iterable[Entry]) -> Head:
    """Store these events as the first of an empty log, inside the caller's transaction; the head
    after them.

    Raises IntegrityError for what the database refuses: an event that does not follow, a stream
    that another log has.
    """
    head = head_of(log)
    with open_cursor() as cursor:
        for _command, of_one in groupby(entries, key=lambda entry: entry.event.command):
            batch = _batch(head, list(of_one))
            written = writer().write(cursor, batch, dict(_versions_before(batch)))
            assert written  # nobody else can write to a log that nobody sees yet
            head = batch.head_after
    return head


def restore_rows(rows: Iterable[Model]) -> None:
    """Store rows of keys, checkpoints and what belongs to them, each kind in the order in which it
    was made.
    """
    for model, of_one in groupby(rows, key=lambda row: row._meta.model):
        for some in batched(of_one, ROWS_A_WRITE, strict=False):
            model._default_manager.bulk_create(some)


def _batch(head: Head, entries: list[Entry]) -> Batch:
    events = [entry.event._replace(log=head.log) for entry in entries]
    moved = [
        Moved(entry.event.position, entry.event.stream, entry.posted)
        for entry in entries
        if entry.posted is not None
    ]
    return Batch(head, events, entries[0].digest, moved, nets_of(moved))


def _versions_before(batch: Batch) -> Iterator[tuple[str, int]]:
    """Each stream of the batch with the version it must be at before it."""
    by_stream = attrgetter("stream")
    for stream, events in groupby(sorted(batch.events, key=by_stream), key=by_stream):
        yield stream, next(events).version - 1
