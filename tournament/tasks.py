"""Background work. A task carries a hint only: lost, doubled or late, it changes nothing."""

import time
from functools import partial

import structlog
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerIsAway

from ledger.models import Log
from tournament.celery import app
from tournament.projections.background import catch_up, waiting
from tournament.projections.checked import CHECKED

PROJECTIONS = (CHECKED,)
SECONDS_A_HINT_IS_WORTH = 10
SECONDS_BETWEEN_HINTS = 1.0  # of one log, from one process; the sweep finds what moved in between
SECONDS_WITHOUT_BROKER = 30.0

log_line = structlog.stdlib.get_logger(__name__)


_next_hint: dict[int, float] = {}


def hint(log_id: int) -> None:
    """Say, once the transaction commits, that this log moved. A broker that is away costs only time: the sweep comes by."""
    if time.monotonic() >= _next_hint.get(log_id, 0.0):
        transaction.on_commit(partial(_send, log_id), robust=True)


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


def _send(log_id: int) -> None:
    _next_hint[log_id] = time.monotonic() + SECONDS_BETWEEN_HINTS
    try:
        look_at.apply_async((log_id,), expires=SECONDS_A_HINT_IS_WORTH, retry=False)
    except BrokerIsAway as error:
        _next_hint[log_id] = time.monotonic() + SECONDS_WITHOUT_BROKER
        log_line.warning("the broker is away; the sweep will find this log", log=log_id, error=str(error))
