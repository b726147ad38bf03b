"""Events as they are stored, with all that their hashes cover and the proofs that lead to a
checkpoint.
"""

import base64
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import batched, takewhile
from typing import Any

from ledger import merkle, tree
from ledger.chain import Posted, Stored, metadata
from ledger.models import Checkpoint, Command, Log
from ledger.reading import events_in, fetch_all, read_log, read_places, read_stream

PAGE = 500
_POSTED = """
SELECT t.position, s.key, s.owner, t.source_overdraft, r.key, r.owner, t.target_overdraft,
  t.chips, t.reverses
  FROM ledger_transfer t JOIN ledger_account s ON s.id = t.source_id JOIN ledger_account r
    ON r.id = t.target_id
 WHERE t.log_id = %s AND t.position IN ({places})"""

type Entry = dict[str, Any]


def entries_of(log: Log, *, until: int) -> Iterator[Entry]:
    """Every event of a log up to `until`: what its hash covers, its body and its hash."""
    for page in batched(read_log(log.pk, until=until), PAGE, strict=False):
        yield from _entries(log, page)


def proven_entries_of(
    log: Log, streams: Collection[str], checkpoint: Checkpoint | None, *, first: int, until: int
) -> Iterator[Entry]:
    """Every event of some streams between two positions, in the same form; those that the
    checkpoint covers with the path to its root.
    """
    node = tree.nodes_of(log.pk)
    size = checkpoint.size if checkpoint is not None else 0
    for page in batched(_events_of(log, streams, first=first, until=until), PAGE, strict=False):
        for entry in _entries(log, page):
            if entry["position"] <= size:
                entry["path"] = in_text(merkle.inclusion(entry["position"] - 1, size, node))
            yield entry


def _events_of(log: Log, streams: Collection[str], *, first: int, until: int) -> Iterator[Stored]:
    """One stream is read by itself, of several the places first, then a page of events after the
    other: so memory stays flat.
    """
    if len(streams) == 1:
        (stream,) = streams
        yield from takewhile(lambda event: event.position <= until, read_stream(log.pk, stream))
        return
    places = (
        events_in(log.pk, streams)
        .filter(position__gte=first, position__lte=until)
        .order_by("position")
    )
    for part in batched(
        places.values_list("position", flat=True).iterator(PAGE), PAGE, strict=False
    ):
        yield from read_places(log.pk, part)


def in_text(hashes: Sequence[bytes]) -> list[str]:
    """Hashes as they stand in files and answers: base64."""
    return [base64.b64encode(each).decode() for each in hashes]


def _entries(log: Log, page: Sequence[Stored]) -> Iterator[Entry]:
    digests = dict(
        Command.objects.filter(log=log, key__in={event.command for event in page}).values_list(
            "key", "digest"
        )
    )
    posted = _fetch_postings(log.pk, [event.position for event in page])
    for event in page:
        entry: Entry = dict(
            metadata(
                event,
                log_key=log.key,
                digest=digests.get(event.command, ""),
                posted=posted.get(event.position),
            )
        )
        yield entry | {"body": event.body, "hash": event.hash}


def _fetch_postings(log: int, positions: Sequence[int]) -> Mapping[int, Posted]:
    rows = fetch_all(_POSTED.format(places=", ".join(["%s"] * len(positions))), [log, *positions])
    return {
        row[0]: Posted._make(int(value) if isinstance(value, bool) else value for value in row[1:])
        for row in rows
    }
