"""Work that someone asked for on a page: a row that a worker finds by itself, so that it is done
under every way of running and survives a restart. A hint only wakes the worker sooner.
"""

from datetime import timedelta

from django.db.models import QuerySet

from ledger import times
from tournament.models import AuditRun, BackupRun

TIME_TO_BEGIN = timedelta(seconds=30)  # a worker that has nothing else to do looks every 2 seconds
LONGEST_WAIT = timedelta(days=1)  # no worker begins what was asked for longer ago
MICROSECOND = timedelta(microseconds=1)


def list_waiting_requests[R: (AuditRun, BackupRun)](model: type[R]) -> QuerySet[R]:
    """The requests that no worker has begun, the oldest first."""
    now = times.now()
    asked = now - LONGEST_WAIT // MICROSECOND, now + TIME_TO_BEGIN // MICROSECOND
    rows = model._default_manager.filter(taken_at=0, ended_at=0, began_at__range=asked)
    return rows.order_by("pk")


def is_waiting(request: AuditRun | BackupRun) -> bool:
    """Whether a request waits for a worker. One made in the future was made while a clock was
    ahead.
    """
    waited = (times.now() - request.began_at) * MICROSECOND
    begun = request.taken_at or request.ended_at
    return not begun and -TIME_TO_BEGIN <= waited <= LONGEST_WAIT


def is_kept_waiting(request: AuditRun | BackupRun) -> bool:
    """Whether a request waits for longer than a worker with nothing else to do takes."""
    return is_waiting(request) and times.now() - request.began_at > TIME_TO_BEGIN // MICROSECOND


def take(request: AuditRun | BackupRun) -> bool:
    """Begin a request; whether nobody else had."""
    rows = type(request)._default_manager.filter(pk=request.pk, taken_at=0, ended_at=0)
    return bool(rows.update(taken_at=times.now()))
