"""Background work. A task carries a hint only: lost, doubled or late, it changes nothing."""

from collections.abc import Callable, Iterable, Sequence

import structlog
from django.db.models import Model
from django.utils import timezone

from ledger import times
from ledger.checkpoints import make
from ledger.models import Log
from ledger.verify_outside import OutsideText
from tournament.celery import app
from tournament.demo.practice import play_on
from tournament.integrity import audit_runs
from tournament.integrity.signing_keys import load_keyring
from tournament.integrity.work_requests import list_waiting_requests
from tournament.models import AuditRun, BackupRun, Salon
from tournament.projections.background import catch_up, waiting
from tournament.projections.chain_check import CHECKED
from tournament.projections.registry import COMPUTED_PROJECTIONS
from tournament.pushes.delivery import tell_due
from tournament.pushes.notification_triggers import look_for_matters
from tournament.pushes.subscriptions import forget_ended
from tournament.recording.confirmations import finalise_when_due
from tournament.recording.wake_workers import hint_of_requests
from tournament.server.pdf.pdf_cache import sweep_papers
from tournament.webhooks.delivery import deliver_due, forget_old
from tournament.webhooks.subscriptions import WEBHOOKS, tell_standings

PROJECTIONS = (CHECKED, *(each.projection for each in COMPUTED_PROJECTIONS), WEBHOOKS)

log_line = structlog.stdlib.get_logger(__name__)


def for_each[Subject: Model](
    subjects: Iterable[Subject], work: Callable[[Subject], object], failed: str
) -> None:
    """Do this work on each: whatever is wrong with one is logged, and the others go on."""
    for subject in subjects:
        try:
            work(subject)
        except Exception as error:
            log_line.error(failed, about=subject.pk, error=f"{type(error).__name__}: {error}")


@app.task  # type: ignore[untyped-decorator]
def look_at(log_id: int) -> None:
    """Bring everything that follows from this log up to its head."""
    for log in Log.objects.filter(pk=log_id):
        catch_up(log, PROJECTIONS)


@app.task  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Look at every log that moved since somebody last did."""
    for_each(waiting(PROJECTIONS), lambda log: catch_up(log, PROJECTIONS), "log not caught up")


@app.task  # type: ignore[untyped-decorator]
def sign_checkpoints() -> None:
    """Sign what every log holds now, with the names of new players covered; a log that did not move
    has its checkpoint.
    """
    # Recording sends hints by this module.
    from tournament.recording.name_digests import cover_names

    open_salons = Salon.objects.filter(log__closed=False).order_by("pk")
    for_each(open_salons, cover_names, "names could not be covered")
    logs = Log.objects.filter(position__gt=0).order_by("pk")
    for_each(logs, lambda log: make(log, load_keyring(), now=times.now()), "no checkpoint signed")


@app.task  # type: ignore[untyped-decorator]
def deliver_webhooks() -> None:
    """Tell webhooks of standings that changed, and send what is due."""
    tell_standings()
    deliver_due()


@app.task  # type: ignore[untyped-decorator]
def tell_phones() -> None:
    """Leave notices of what concerns those who asked to be told, and send what is due."""
    forget_ended()
    look_for_matters()
    tell_due()


@app.task  # type: ignore[untyped-decorator]
def forget_deliveries() -> None:
    """Let go of messages that arrived, or never did, some time ago."""
    forget_old()


def ask_for_audit(
    salon: Salon, *, asked_by: str, outside: Sequence[OutsideText] = ()
) -> AuditRun | None:
    """Have a worker audit a salon; None while an audit waits or runs there."""
    run = audit_runs.begin(salon, asked_by=asked_by, outside=outside)
    if run is not None:
        hint_of_requests()
    return run


@app.task  # type: ignore[untyped-decorator]
def make_final() -> None:
    """Make final every game whose correction period has passed and that nobody disputes."""
    open_salons = Salon.objects.filter(log__closed=False).order_by("pk")
    for_each(open_salons, finalise_when_due, "games could not be made final")


@app.task  # type: ignore[untyped-decorator]
def play_practice() -> None:
    """Let the tables of every event to practise with play on."""
    open_salons = Salon.objects.filter(log__closed=False).order_by("pk")
    for_each(open_salons, lambda salon: play_on(salon, now=times.now()), "practice not played on")


@app.task  # type: ignore[untyped-decorator]
def carry_out_requests() -> None:
    """Do what was asked for on a page and no other worker has begun."""
    # It reads models of apps that load after this module.
    from tournament.backups.requests import carry_out

    for backup in list_waiting_requests(BackupRun):
        carry_out(backup)
    for run in list_waiting_requests(AuditRun).select_related("salon"):
        _audit(run)


@app.task  # type: ignore[untyped-decorator]
def audit_by_night() -> None:
    """Audit each salon that waits for it."""
    for_each(Salon.objects.order_by("pk"), _audit_when_due, "an audit could not begin")


def _audit_when_due(salon: Salon) -> None:
    run = audit_runs.begin(salon) if audit_runs.is_due(salon, timezone.now()) else None
    if run is not None:
        _audit(run)


def _audit(run: AuditRun) -> None:
    """Run an audit; one that fails says so in its row, and keeps no other from running."""
    try:
        audit_runs.carry_out(run)
    except Exception as error:
        log_line.error(
            "an audit did not come to its end",
            salon=run.salon.slug,
            error=f"{type(error).__name__}: {error}",
        )


@app.task  # type: ignore[untyped-decorator]
def back_up_by_night() -> None:
    """Back the server up once a night, and take old nightly backups away; what it came to is noted
    beside the backups.
    """
    # It reads models of apps that load after this module.
    from tournament.backups.make import back_up_now, is_due

    if not is_due(timezone.now()):
        return
    try:
        back_up_now(nightly=True)
    except Exception as error:
        log_line.error("no backup could be made", error=str(error))


def ask_for_backup(*, asked_by: str) -> bool:
    """Have a worker back the server up; False where that has been asked for already."""
    # It reads models of apps that load after this module.
    from tournament.backups.requests import request_backup

    asked = request_backup(asked_by=asked_by)
    hint_of_requests()
    return asked


@app.task  # type: ignore[untyped-decorator]
def forget_by_night() -> None:
    """Take away what each salon keeps no longer, once a night, and sessions that have expired."""
    from tournament.privacy import retention  # it reads models of apps that load after this module

    waiting_salons = [
        salon for salon in Salon.objects.order_by("pk") if retention.is_due(salon, timezone.now())
    ]

    def carry_out(salon: Salon) -> None:
        run = retention.carry_out(salon, timezone.now())
        log_line.info(
            "retention", salon=salon.slug, invitations=run.invitations, players=run.players
        )

    for_each(waiting_salons, carry_out, "retention was not carried out")
    if waiting_salons:
        retention.clear_sessions()
    sweep_papers()
