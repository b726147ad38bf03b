"""Logs that belong to no salon, and salons without a log: whoever takes a salon's row away takes
its history out of sight.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from ledger.findings import EVENT, LOG, Finding
from ledger.models import Event, Log
from tournament.management.console import print_json, print_line
from tournament.models import Salon

SALON = Salon._meta.db_table


def tell_strays(*, json: bool) -> int:
    """Print each such finding, as a command that goes through all salons does; how many
    there are.
    """
    found = list(stray_findings())
    if found and json:
        print_json(salon=None, findings=[asdict(each) for each in found])
    for each in found if not json else ():
        print_line(f"{each.table} {each.row}: {each.message}")
    return len(found)


def with_log(salons: Iterable[Salon]) -> list[Salon]:
    """Those whose log is there: the others have nothing to be gone through."""
    there = set(Log.objects.values_list("pk", flat=True))
    return [salon for salon in salons if salon.log_id in there]


def stray_findings() -> Iterator[Finding]:
    """Each log with events that no salon has, events of a log that is not there, and each salon
    whose log is not there.
    """
    owned = dict(Salon.objects.values_list("log_id", "slug"))
    logs = set(Log.objects.values_list("pk", flat=True))
    for log, events in _with_events():
        if log not in logs:
            message = f"{events} events are of log {log}, which is not there."
            yield Finding("log", EVENT, log, message)
        elif log not in owned:
            message = (
                f"Log {log} has {events} events and belongs to no salon: the row of its salon is "
                f"gone."
            )
            yield Finding("log", LOG, log, message)
    for log, slug in sorted(owned.items()):
        if log not in logs:
            yield Finding(
                "log", SALON, slug, f"The salon {slug} has no log: log {log} is not there."
            )


def _with_events() -> Iterator[tuple[int, int]]:
    """Each log that has events, and how many; a step of the index a log, however long it is."""
    last = -1
    while True:
        log = (
            Event.objects.filter(log_id__gt=last)
            .order_by("log_id")
            .values_list("log_id", flat=True)
            .first()
        )
        if log is None:
            return
        yield log, Event.objects.filter(log_id=log).count()
        last = log
