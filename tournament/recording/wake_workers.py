"""Hints for the background: that a log moved, or that something was asked for. One that is lost
costs only time, since the sweep comes by.

The task is named, not imported: what records facts knows nothing of what follows from them.
"""

import time
from functools import partial

import structlog
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerIsAway

from tournament.celery import app, carries_hints

LOOK_AT = "tournament.tasks.look_at"
CARRY_OUT_REQUESTS = "tournament.tasks.carry_out_requests"
SECONDS_A_HINT_IS_WORTH = 10
SECONDS_BETWEEN_HINTS = 1.0  # of one log, from one process; the sweep finds what moved in between
SECONDS_WITHOUT_BROKER = 30.0

log_line = structlog.stdlib.get_logger(__name__)
_next_hint: dict[int, float] = {}


def hint(log_id: int) -> None:
    """Say, once the transaction commits, that this log moved. A broker that is away costs only
    time: the sweep comes by.
    """
    if time.monotonic() >= _next_hint.get(log_id, 0.0) and carries_hints():
        transaction.on_commit(partial(_send, log_id), robust=True)


def hint_of_requests() -> None:
    """Say, once the transaction commits, that someone asked for work. A worker finds the row
    without that, too.
    """
    if carries_hints():
        transaction.on_commit(_send_requests, robust=True)


def _send_requests() -> None:
    try:
        app.send_task(CARRY_OUT_REQUESTS, expires=SECONDS_A_HINT_IS_WORTH, retry=False)
    except BrokerIsAway as error:
        log_line.warning("the broker is away; a worker will find the request", error=str(error))


def _send(log_id: int) -> None:
    _next_hint[log_id] = time.monotonic() + SECONDS_BETWEEN_HINTS
    try:
        app.send_task(LOOK_AT, (log_id,), expires=SECONDS_A_HINT_IS_WORTH, retry=False)
    except BrokerIsAway as error:
        _next_hint[log_id] = time.monotonic() + SECONDS_WITHOUT_BROKER
        log_line.warning(
            "the broker is away; the sweep will find this log", log=log_id, error=str(error)
        )
