"""The rounds of an entry that have a time, for a calendar."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from tournament.domain.tournament.state import MICROSECONDS, RoundState, TableState
from tournament.formats.ical import Appointment
from tournament.queries.result_feeds import recorded_at
from tournament.queries.seat_words import company_at, seat_at
from tournament.queries.stage_views import at_stage
from tournament.queries.tournament import Directed


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """From when to when the clock of a round runs, as it runs now."""

    begins: datetime
    ends: datetime


def own_appointments(at: Directed, entry: str, address: str) -> Iterator[Appointment]:
    """The published rounds in which the entry sits at a table and whose clock runs or ran until the
    round was closed; one whose clock stands has no end, so it isn't among them. `address` is the
    page of the entry.
    """
    changed = recorded_at(at.row, at.row.version)
    for each in at.state.rounds:
        table = next((table for table in each.tables if entry in table.entries), None)
        time = timed(each, table) if table is not None and each.published else None
        if table is None or time is None:
            continue
        sits = seat_at(at_stage(at, each.stage), table, entry)
        against = company_at(at, each.number, sits)
        words = {"number": each.number, "table": table.table, "seat": sits.seat}
        yield Appointment(
            uid=f"{at.row.pk}-entry-{entry}-round-{each.number}@accord.invalid",
            begins=time.begins,
            ends=time.ends,
            changed=changed,
            title=_("%(event)s, round %(number)d: table %(table)d, %(seat)s")
            % {**words, "event": at.row.name}
            if sits.seat
            else _("%(event)s, round %(number)d: table %(table)d")
            % {**words, "event": at.row.name},
            place=_("%(salon)s, table %(table)d") % {**words, "salon": at.row.salon.name},
            text=f"{at.name_in(each.number, entry)}\n{against}".strip(),
            address=address,
        )


def timed(each: RoundState, table: TableState) -> Timed | None:
    """When the clock of a round began to run, its pauses taken off, and when it is over for this
    table; None while it has none that runs.
    """
    clock = each.clock
    if clock is None or clock.since is None or not clock.seconds:
        return None
    begins = clock.since - clock.spent
    ends = begins + max(clock.seconds + table.extension, 0) * MICROSECONDS
    return Timed(begins=_at(begins), ends=_at(ends))


def _at(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds // MICROSECONDS, UTC)
