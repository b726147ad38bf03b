"""Events that say nothing, stored in a log."""

from ledger.drafts import CommandClaim, Draft
from ledger.models import Log
from ledger.store import append
from tournament.models import new_id


def record(log: Log, events: int = 1) -> None:
    """Store this many events in the log."""
    stream = new_id()
    draft = Draft(stream=stream, type="test.happened", schema=1, occurred_at=1, body=b"{}")
    append(
        log.pk,
        CommandClaim(id=new_id(), actor="user:1", content=b""),
        [draft] * events,
        expected={stream: 0},
        now=1,
    )
    log.refresh_from_db()
