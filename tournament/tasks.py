"""Background work. A task carries a hint only: lost, doubled or late, it changes nothing."""

import structlog
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerIsAway

from ledger import times
from ledger.checkpoints import make
from ledger.last_signed import Inconsistent
from ledger.models import Log
from ledger.signing import KeyIsAway
from ledger.tree import BrokenTree
from tournament.celery import app
from tournament.demo.practice import play_on
from tournament.integrity import audit_runs
from tournament.integrity.signing_keys import keyring
from tournament.models import AuditRun, Salon
from tournament.projections.background import catch_up, waiting
from tournament.projections.chain_check import CHECKED
from tournament.projections.registry import COMPUTED_PROJECTIONS
from tournament.pushes.delivery import tell_due
from tournament.pushes.matters import look_for_matters
from tournament.pushes.subscriptions import forget_ended
from tournament.recording.confirmations import finalise_when_due
from tournament.server.papers import sweep_papers
from tournament.webhooks.delivery import deliver_due, forget_old
from tournament.webhooks.subscriptions import WEBHOOKS, tell_standings

PROJECTIONS = (CHECKED, *(each.projection for each in COMPUTED_PROJECTIONS), WEBHOOKS)

log_line = structlog.stdlib.get_logger(__name__)


@app.task  # type: ignore[untyped-decorator]
def look_at(log_id: int) -> None:
    """Bring everything that follows from this log up to its head."""
    for log in Log.objects.filter(pk=log_id):
        catch_up(log, PROJECTIONS)


@app.task  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Look at every log that moved since somebody last did."""
    for log in waiting(PROJECTIONS):
        catch_up(log, PROJECTIONS)


@app.task  # type: ignore[untyped-decorator]
def sign_checkpoints() -> None:
    """Sign what every log holds now, with the names of new players covered; a log that did not move
    has its checkpoint.
    """
    # Recording sends hints by this module.
    from tournament.recording.name_coverage import cover_names

    for salon in Salon.objects.filter(log__closed=False).order_by("pk"):
        try:
            cover_names(salon)
        except Exception as error:
            # Whatever is wrong with one salon: the others are covered and signed all the same.
            log_line.error(
                "names could not be covered",
                salon=salon.slug,
                error=f"{type(error).__name__}: {error}",
            )
    for log in Log.objects.filter(position__gt=0):
        try:
            make(log, keyring(), now=times.now())
        except (KeyIsAway, Inconsistent, BrokenTree) as refused:
            log_line.error("no checkpoint could be signed", log=log.pk, error=str(refused))


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


def start_audit(run: AuditRun) -> None:
    """Have a worker run an audit; where no worker can be told, it says so in its row."""
    try:
        carry_out_audit.apply_async((run.pk,), retry=False)
    except BrokerIsAway as error:
        audit_runs.stop(run, f"no worker can be told: {error}")


def audit_again(salon: Salon, *, asked_by: str) -> None:
    """Have a salon audited, unless an audit is running there."""
    run = audit_runs.begin(salon, asked_by=asked_by)
    if run is not None:
        start_audit(run)


@app.task  # type: ignore[untyped-decorator]
def make_final() -> None:
    """Make final every game whose correction period has passed and that nobody disputes."""
    for salon in Salon.objects.filter(log__closed=False):
        finalise_when_due(salon)


@app.task  # type: ignore[untyped-decorator]
def play_practice() -> None:
    """Let the tables of every event to practise with play on."""
    for salon in Salon.objects.filter(log__closed=False).order_by("pk"):
        play_on(salon, now=times.now())


@app.task  # type: ignore[untyped-decorator]
def carry_out_audit(run: int) -> None:
    """Run an audit that was begun, unless somebody else has."""
    if AuditRun.objects.filter(pk=run, ended_at=0, total=0).update(total=1):
        audit_runs.carry_out(AuditRun.objects.select_related("salon").get(pk=run))


@app.task  # type: ignore[untyped-decorator]
def audit_by_night() -> None:
    """Audit each salon that waits for it."""
    for salon in Salon.objects.all():
        run = audit_runs.begin(salon) if audit_runs.is_due(salon, timezone.now()) else None
        if run is not None:
            audit_runs.carry_out(run)


@app.task  # type: ignore[untyped-decorator]
def back_up(nightly: bool = False) -> None:
    """Back the server up, and take old nightly backups away; what it came to is noted beside the
    backups.
    """
    # It reads models of apps that load after this module.
    from tournament.backups.make import back_up_now

    try:
        back_up_now(nightly=nightly)
    except Exception as error:
        log_line.error("no backup could be made", error=str(error))


@app.task  # type: ignore[untyped-decorator]
def back_up_by_night() -> None:
    """Back the server up once a night."""
    # It reads models of apps that load after this module.
    from tournament.backups.make import is_due

    if is_due(timezone.now()):
        back_up(nightly=True)


def start_backup() -> str:
    """Have a worker back the server up; why none can be told, "" where one was."""
    try:
        back_up.apply_async((), retry=False)
    except BrokerIsAway as error:
        return f"no worker can be told: {error}"
    return ""


@app.task  # type: ignore[untyped-decorator]
def forget_by_night() -> None:
    """Take away what each salon keeps no longer, once a night, and sessions that have expired."""
    from tournament.privacy import retention  # it reads models of apps that load after this module

    waiting_salons = [
        salon for salon in Salon.objects.order_by("pk") if retention.is_due(salon, timezone.now())
    ]
    for salon in waiting_salons:
        run = retention.carry_out(salon, timezone.now())
        log_line.info(
            "retention", salon=salon.slug, invitations=run.invitations, players=run.players
        )
    if waiting_salons:
        retention.clear_sessions()
    sweep_papers()
