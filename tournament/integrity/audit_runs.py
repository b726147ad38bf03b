"""Audits that are kept: asked for on a page or by night in a row that a job finds and that
holds their progress and their result.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta

from django.db import transaction

from ledger import times
from ledger.models import Log
from ledger.verify_outside import OutsideText
from tournament.integrity.audit import audit
from tournament.integrity.work_requests import is_waiting, take
from tournament.models import AuditRun, Salon
from tournament.salons.time_zones import zone_of

LISTED = 1_000  # findings kept in a row
KEPT = 100  # runs of a salon
SECONDS_BETWEEN_MOVES = 0.5
STUCK = timedelta(minutes=15)  # without a move, a run is taken for dead
NIGHT = range(2, 6)  # hours
REST = timedelta(hours=20)  # from one night's audit to the next
LONGEST_REST = timedelta(hours=48)  # a machine that is off at night is audited by day


def begin(
    salon: Salon, *, asked_by: str = "", outside: Sequence[OutsideText] = ()
) -> AuditRun | None:
    """A new run that waits for a worker, or None while another one of this salon waits or runs."""
    now = times.now()
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=salon.log_id)
        if is_running(newest(salon)):
            return None
        given = [asdict(each) for each in outside]
        run = AuditRun.objects.create(
            salon=salon, asked_by=asked_by, outside=given, began_at=now, moved_at=now
        )
        runs = AuditRun.objects.filter(salon=salon).order_by("-pk").values_list("pk", flat=True)
        AuditRun.objects.filter(pk__in=list(runs[KEPT:])).delete()
    return run


def newest(salon: Salon) -> AuditRun | None:
    """The run that began last."""
    return AuditRun.objects.filter(salon=salon).order_by("-pk").first()


def is_running(run: AuditRun | None) -> bool:
    """Whether a run goes on: it waits for a worker, or it has not ended and moved lately. One that
    moved in the future did so while a clock was ahead.
    """
    if run is None or run.ended_at:
        return False
    if not run.taken_at:
        return is_waiting(run)
    return abs(times.now() - run.moved_at) < STUCK / timedelta(microseconds=1)


def carry_out(run: AuditRun) -> None:
    """Audit, and keep the result in the row; nothing where another worker has begun it."""
    if not take(run):
        return
    moved = time.monotonic()
    AuditRun.objects.filter(pk=run.pk).update(moved_at=times.now())

    def progress(done: int, total: int) -> None:
        nonlocal moved
        if time.monotonic() - moved >= SECONDS_BETWEEN_MOVES:
            AuditRun.objects.filter(pk=run.pk).update(done=done, total=total, moved_at=times.now())
            # The pages that this process serves go first.
            time.sleep(min(time.monotonic() - moved, SECONDS_BETWEEN_MOVES) / 4)
            moved = time.monotonic()

    try:
        report = audit(run.salon, [OutsideText(**each) for each in run.outside], progress=progress)
    except Exception as error:
        _end(run, error=f"{type(error).__name__}: {error}")
        raise
    _end(
        run,
        events=report.events,
        count=len(report.findings),
        findings=[asdict(each) for each in report.findings[:LISTED]],
        remarks=list(report.remarks),
        proven=report.proven,
        by=report.by,
    )


def is_due(salon: Salon, now: datetime) -> bool:
    """Whether a salon waits for its nightly audit at this time (in the salon's own time zone).

    An audit in the future was made while a clock was ahead, and puts off none.
    """
    last = AuditRun.objects.filter(salon=salon, asked_by="").order_by("-pk").first()
    began = times.moment(last.began_at) if last is not None else salon.created_at
    return due_by_night(now - began, now, salon)


def due_by_night(since: timedelta, now: datetime, salon: Salon) -> bool:
    """Whether what is done every night, and was done so long ago, waits to be done where a salon
    is; by day where that was missed.
    """
    return not timedelta(0) <= since <= LONGEST_REST or (
        since > REST and now.astimezone(zone_of(salon)).hour in NIGHT
    )


def _end(run: AuditRun, **columns: object) -> None:
    now = times.now()
    AuditRun.objects.filter(pk=run.pk).update(ended_at=now, moved_at=now, **columns)
