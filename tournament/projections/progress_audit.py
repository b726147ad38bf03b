"""Say where a background projection is not at a place of its log, or stands still."""

from collections.abc import Iterator, Mapping

from ledger.chain import genesis
from ledger.findings import Finding
from ledger.models import Event, Log
from tournament.models import Mark, Progress, Reckoning, Salon
from tournament.projections.generations import Backlog

PROGRESS = Progress._meta.db_table
SECONDS_TO_WAIT = 60  # a worker that is at work has come to what was recorded so long ago


def place_findings(salon: Salon) -> Iterator[Finding]:
    """Does every background projection stand at an event of the log, and does none stand still?"""
    places = {
        place.projection: place
        for place in Progress.objects.filter(log=salon.log_id).order_by("projection")
    }
    computed = (
        Reckoning.objects.filter(log=salon.log_id)
        .order_by("projection")
        .values_list("projection", flat=True)
        .distinct()
    )
    for name in [name for name in computed if name not in places]:
        yield _place(
            name, None, "has kept rows, and how far it has read is missing: it begins anew"
        )
    for name, place in places.items():
        if place.hash != _hash_at(salon.log, place.position):
            yield _place(
                name,
                "hash",
                f"is said to stand at line {place.position}, which has another hash or is not "
                f"there",
            )
        elif place.error or place.error_position is not None:
            message = (
                f"The projection {name} is parked at line {place.error_position}: {place.error}"
            )
            yield Finding(kind="parked", table=PROGRESS, row=name, message=message)
    parked = Mark.objects.filter(log=salon.log_id).exclude(error="")
    for mark in parked.order_by("projection", "subject"):
        what = f"{mark.projection} of {mark.subject}" if mark.subject else mark.projection
        message = f"The {what} could not be computed up to line {mark.position}: {mark.error}"
        yield Finding(
            kind="parked", table=PROGRESS, row=f"{mark.projection}/{mark.subject}", message=message
        )


def behind_findings(
    behind: Mapping[str, Backlog], remarks: list[str], *, now: int
) -> Iterator[Finding]:
    """Findings on rows that were not compared because they wait for their computation: a
    remark, and a finding once a worker would have come to it.

    To keep false rows, one would mark them as waiting, or set back how far their
    projection has come.
    """
    for name, each in sorted(behind.items()):
        what = (
            f"{each.subjects} of the {name} kept are not what the log gives, and wait to be "
            f"computed again since line {each.since}"
        )
        if each.recorded_at is None:
            yield Finding(
                kind="behind", table=PROGRESS, row=name, message=f"{what}, which is not there."
            )
            continue
        seconds = max(0, now - each.recorded_at) // 1_000_000
        if seconds > SECONDS_TO_WAIT:
            message = (
                f"{what}, recorded {seconds} seconds ago: background work stands still, or "
                f"somebody wants them left as they are."
            )
            yield Finding(kind="behind", table=PROGRESS, row=name, message=message)
        else:
            remarks.append(f"{what}, recorded {seconds} seconds ago: they were not compared.")


def _hash_at(log: Log, position: int) -> str:
    """The hash of an event, of an empty log before the first; "" where there is none."""
    if not position:
        return genesis(log.key, log.command_key)
    return (
        Event.objects.filter(log=log, position=position).values_list("hash", flat=True).first()
        or ""
    )


def _place(name: str, column: str | None, what: str) -> Finding:
    return Finding(
        kind="progress",
        table=PROGRESS,
        row=name,
        column=column,
        message=f"The projection {name} {what}.",
    )
