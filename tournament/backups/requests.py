"""Backups that someone asked for on a page: a worker finds the row and makes one."""

import structlog

from ledger import times
from tournament.backups.make import NotBackedUp, back_up_now
from tournament.integrity.work_requests import list_waiting_requests, take
from tournament.models import BackupRun

KEPT = 20
MINUTE = 60 * 1_000_000

log_line = structlog.stdlib.get_logger(__name__)


def request_backup(*, asked_by: str) -> bool:
    """Ask for a backup; False where one that was asked for waits already."""
    if list_waiting_requests(BackupRun).exists():
        return False
    BackupRun.objects.create(asked_by=asked_by, began_at=times.now())
    runs = BackupRun.objects.order_by("-pk").values_list("pk", flat=True)
    BackupRun.objects.filter(pk__in=list(runs[KEPT:])).delete()
    return True


def newest() -> BackupRun | None:
    """The one asked for last."""
    return BackupRun.objects.order_by("-pk").first()


def has_broken_off(request: BackupRun) -> bool:
    """Whether a worker that began it is gone, given that no backup is being written."""
    return not request.ended_at and 0 < request.taken_at < times.now() - MINUTE


def carry_out(request: BackupRun) -> None:
    """Make the backup unless another worker has begun it; why there is none stands in its row."""
    if not take(request):
        return
    error = ""
    try:
        back_up_now(nightly=False)
    except NotBackedUp as refused:
        error = str(refused)
    except Exception as fault:
        error = f"{type(fault).__name__}: {fault}"
    if error:
        log_line.error("no backup could be made", error=error)
    BackupRun.objects.filter(pk=request.pk).update(ended_at=times.now(), error=error)
