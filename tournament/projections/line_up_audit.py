"""The audit of line-ups (F10): each line-up that is kept apart gives the commitment of
the log, and each that was opened is the one that was sealed.
"""

from collections.abc import Collection, Iterator

from ledger.chain import Stored
from ledger.findings import EVENT, Finding
from ledger.reading import version_of
from tournament.domain.tournament.state import State
from tournament.domain.tournament.team_line_ups import (
    LineUp,
    LineUpsOpened,
    commitment_of,
    still_sealed,
)
from tournament.models import Salon, SealedLineUp

TABLE = SealedLineUp._meta.db_table


def check_opened_line_ups(event: Stored, fact: LineUpsOpened, state: State) -> Iterator[Finding]:
    """A line-up that is opened is the one that was sealed. `state` is that after the fact."""
    sealed = dict(state.rounds[fact.round - 1].sealed)
    for line_up in fact.line_ups:
        commitment = sealed.get(line_up.entry)
        if commitment is None and line_up.salt is None:
            continue
        if commitment_of(state.record, fact.round, line_up) != commitment:
            message = (
                f"Event {event.position} opens a line-up of entry {line_up.entry} that does not "
                f"give its commitment."
            )
            yield _finding(EVENT, event.position, "body", message)


def check_kept_line_ups(salon: Salon, stream: str, state: State) -> Iterator[Finding]:
    """A line-up that is kept gives the commitment of one that is sealed. One may be missing: its
    captain hands it in again.
    """
    waiting = still_sealed(state)
    for row in SealedLineUp.objects.filter(tournament=stream).order_by("pk"):
        if row.salon_id != salon.pk:
            message = f"{stream}: a line-up of it is kept as another salon's."
            yield _finding(TABLE, row.pk, "salon_id", message)
        line_up = LineUp(entry=row.entry, places=tuple(row.places.split(",")), salt=row.salt)
        commitment = waiting.get((row.round, row.entry))
        if commitment is None:
            message = (
                f"{stream}: a line-up of entry {row.entry} in round {row.round} is kept that is "
                f"sealed nowhere."
            )
            yield _finding(TABLE, row.pk, None, message)
        elif commitment_of(state.record, row.round, line_up) != commitment:
            message = (
                f"{stream}: the line-up kept of entry {row.entry} in round {row.round} does not "
                f"give its commitment."
            )
            yield _finding(TABLE, row.pk, "places", message)


def stray_line_ups(salon: Salon, streams: Collection[str]) -> Iterator[Finding]:
    """Line-ups are kept of tournaments of the salon, and of nothing else."""
    rows = SealedLineUp.objects.filter(salon=salon).order_by("pk")
    for row, stream in rows.values_list("pk", "tournament").iterator():
        if stream not in streams and not version_of(salon.log_id, stream):
            message = f"{stream}: a line-up is kept of a tournament that was never set up."
            yield _finding(TABLE, row, None, message)


def _finding(table: str, row: int | str, column: str | None, message: str) -> Finding:
    return Finding(kind="line_up", table=table, row=row, column=column, message=message)
