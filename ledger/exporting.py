"""Events as they are stored, with all that their hashes cover and the proofs that lead to a checkpoint."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from itertools import batched
from typing import Any

from ledger import merkle, tree
from ledger.chain import Posted, Stored, metadata
from ledger.models import Checkpoint, Command, Log
from ledger.reading import fetched, read_log, read_stream

PAGE = 500
_POSTED = """
SELECT t.position, s.key, s.owner, t.source_overdraft, r.key, r.owner, t.target_overdraft, t.chips, t.reverses
  FROM ledger_transfer t JOIN ledger_account s ON s.id = t.source_id JOIN ledger_account r ON r.id = t.target_id
 WHERE t.log_id = %s AND t.position BETWEEN %s AND %s"""

type Entry = dict[str, Any]


def entries_of(log: Log, *, until: int) -> Iterator[Entry]:
    """Every event of a log up to `until`: what its hash covers, its body and its hash."""
    for page in batched(read_log(log.pk, until=until), PAGE):
        yield from _entries(log, page)


def proven_entries_of(log: Log, stream: str, checkpoint: Checkpoint | None) -> Iterator[Entry]:
    """Every event of one stream in the same form; those that the checkpoint covers with the path that leads to its root."""
    node = tree.nodes_of(log.pk)
    size = checkpoint.size if checkpoint is not None else 0
    for page in batched(read_stream(log.pk, stream), PAGE):
        for entry in _entries(log, page, stream=stream):
            if entry["position"] <= size:
                entry["path"] = in_text(merkle.inclusion(entry["position"] - 1, size, node))
            yield entry


def in_text(hashes: Sequence[bytes]) -> list[str]:
    """Hashes as they stand in files and answers: base64."""
    return [base64.b64encode(each).decode() for each in hashes]


def _entries(log: Log, page: Sequence[Stored], *, stream: str | None = None) -> Iterator[Entry]:
    digests = dict(Command.objects.filter(log=log, key__in={event.command for event in page}).values_list("key", "digest"))
    posted = _posted(log.pk, page[0].position, page[-1].position, stream)
    for event in page:
        entry: Entry = dict(metadata(event, log_key=log.key, digest=digests.get(event.command, ""), posted=posted.get(event.position)))
        yield entry | {"body": event.body, "hash": event.hash}


def _posted(log: int, first: int, last: int, stream: str | None) -> Mapping[int, Posted]:
    statement, values = (_POSTED, [log, first, last]) if stream is None else (f"{_POSTED} AND t.stream = %s", [log, first, last, stream])
    rows = fetched(statement, values)
    return {row[0]: Posted._make(int(value) if isinstance(value, bool) else value for value in row[1:]) for row in rows}
