"""The background worker and its clock inside the web process, for a salon without a broker server.

Hints then travel through this process's memory, so exactly one process may serve; a lock in the
data folder holds that.
"""

import atexit
import fcntl
import os
import threading
import time
from pathlib import Path
from typing import TextIO

from celery.beat import EmbeddedService
from django.conf import settings

from tournament.celery import app

SECONDS_TO_WAIT_FOR_THE_LAST_ONE = 4.0


class AlreadyServed(Exception):
    """Another process serves this data folder."""


def is_embedded() -> bool:
    """Whether hints travel in memory, so that the web process must do the background work
    itself.
    """
    return str(settings.CELERY_BROKER_URL).startswith("memory://")


def start() -> None:
    """Start worker and clock as threads of this process; they stop with it. Raises
    AlreadyServed.
    """
    lock = hold_the_only_place(settings.DATA_DIR)
    worker = app.WorkController(pool="solo", concurrency=1, quiet=True)
    clock = EmbeddedService(app, thread=True, scheduler_cls="celery.beat:Scheduler")
    thread = threading.Thread(target=worker.start, name="background-worker", daemon=True)
    thread.start()
    clock.start()

    def stop() -> None:
        clock.service.stop()
        worker.stop()
        thread.join(timeout=5)
        lock.close()

    atexit.register(stop)


def hold_the_only_place(
    folder: Path, *, seconds: float = SECONDS_TO_WAIT_FOR_THE_LAST_ONE
) -> TextIO:
    """A lock on the data folder that lasts until it is closed or the process ends, however it ends.

    Waits `seconds` for one that is just going. Raises AlreadyServed when it stays.
    """
    lock = (folder / "serving.lock").open("a+", encoding="ascii")
    deadline = time.monotonic() + seconds
    while not _locked(lock):
        if time.monotonic() >= deadline:
            lock.close()
            raise AlreadyServed(
                f"Another process already serves {folder}. One process is enough for one salon; "
                f"for several set CELERY_BROKER_URL."
            )
        time.sleep(0.05)
    return lock


def _locked(lock: TextIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return True
