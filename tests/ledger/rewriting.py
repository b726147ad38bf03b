"""Change what is stored in a log as someone with the whole database could."""

from typing import Any

from ledger import chain
from ledger.chain import Stored
from ledger.models import Account, Command, Event, Transfer
from ledger.reading import head_of, read_log
from tests.ledger.writing import rows, run

TABLES = {model._meta.db_table: model for model in (Event, Command, Transfer, Account)}


def rewrite(log: int, position: int, **changes: Any) -> str:
    """Change an event and make every later hash anew, as someone with the whole database could; the
    new last hash.
    """
    head, digests = head_of(log), dict(Command.objects.values_list("key", "digest"))
    prev = None
    for event in list(read_log(log, after=position - 1)):
        changed = event._replace(
            **changes if event.position == position else {}, prev_hash=prev or event.prev_hash
        )
        sealed = chain.sealed(
            changed, log_key=head.key, digest=digests[event.command], posted=posted(event)
        )
        run(
            (
                "UPDATE ledger_event SET version = %s, recorded_at = %s, body = %s, prev_hash = "
                "%s, hash = %s WHERE position = %s"
            ),
            [sealed.version, sealed.recorded_at, *sealed[10:13], event.position],
        )
        prev = sealed.hash
    assert prev
    return prev


def rewrite_with_head(log: int, position: int, **changes: object) -> None:
    run("UPDATE ledger_log SET hash = %s", [rewrite(log, position, **changes)])


def posted(event: Stored) -> chain.Posted | None:
    found = rows(
        "SELECT s.key, s.owner, t.source_overdraft, r.key, r.owner, t.target_overdraft, "
        "t.chips, t.reverses FROM ledger_transfer t"
        " JOIN ledger_account s ON s.id = t.source_id JOIN ledger_account r ON r.id = "
        "t.target_id WHERE t.position = %s",
        [event.position],
    )
    if not found:
        return None
    (row,) = found
    return chain.Posted._make(int(value) if isinstance(value, bool) else value for value in row)
