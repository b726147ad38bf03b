"""The background worker and its clock for a salon without a broker server.

`serve` gives them a process of their own, which leaves the cores to those that answer pages: it
finds by itself what moved, once a second. An application that another web server runs has them
inside, and hints reach it in memory. Either way there is one of them: a lock in the data folder
holds that.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from celery.beat import EmbeddedService
from celery.worker import WorkController
from celery.worker import state as worker_state
from django.conf import settings
from django.core.files import locks

from tournament.celery import ELSEWHERE, app

SECONDS_TO_WAIT_FOR_THE_LAST_ONE = 4.0
SECONDS_TO_END = 10.0
SECONDS_BETWEEN_STARTS = 1.0
BEHIND_PAGES = 10  # how much nicer than a web process


class AlreadyServed(Exception):
    """Another process serves this data folder."""


def is_embedded() -> bool:
    """Whether hints travel in memory: no broker server, so whoever serves does the background work
    too.
    """
    return str(settings.CELERY_BROKER_URL).startswith("memory://")


@contextmanager
def only_place(folder: Path) -> Iterator[None]:
    """The only place at a data folder, for the block. Raises AlreadyServed."""
    with contextlib.closing(hold_the_only_place(folder)):
        yield


def start() -> Callable[[], None]:
    """Start worker and clock as threads of this process; what ends them."""
    worker, clock = _worker(), _clock()
    thread = threading.Thread(target=worker.start, name="background-worker", daemon=True)
    thread.start()
    clock.start()

    def stop() -> None:
        clock.service.stop()
        worker.stop()
        thread.join(timeout=5)

    return stop


@contextmanager
def beside() -> Iterator[None]:
    """A process that does the background work, for the block; one that was killed is begun anew."""
    os.environ[ELSEWHERE] = "1"
    begun, over = [_start_process()], threading.Event()

    def watch() -> None:
        while not over.is_set():
            begun[-1].join()
            if not over.wait(SECONDS_BETWEEN_STARTS):
                begun.append(_start_process())

    watcher = threading.Thread(target=watch, name="background-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        begun[-1].terminate()
        begun[-1].join(SECONDS_TO_END)
        begun[-1].kill()
        watcher.join()


def end_with_the_parent() -> None:
    """From now on this process ends, by finishing what it does, when the one that began it ended:
    nobody else would free its port and lock.
    """

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


def hold_the_only_place(
    folder: Path, *, seconds: float = SECONDS_TO_WAIT_FOR_THE_LAST_ONE
) -> TextIO:
    """A lock on the data folder that lasts until it is closed or the process ends, however it ends.

    Waits `seconds` for one that is just going. Raises AlreadyServed when it stays.
    """
    lock = (folder / "serving.lock").open("a+", encoding="ascii")
    deadline = time.monotonic() + seconds
    while not locks.lock(lock, locks.LOCK_EX | locks.LOCK_NB):
        if time.monotonic() >= deadline:
            lock.close()
            raise AlreadyServed(
                f"Another process already serves {folder}. One `serve` is enough for one salon; "
                f"for several set CELERY_BROKER_URL."
            )
        time.sleep(0.05)
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def _start_process() -> BaseProcess:
    """Start the process and return it. The first has all modules from its parent, if the
    system begins processes so; one that replaces it later starts from nothing, as by
    then threads of the parent may hold locks.
    """
    alone = threading.active_count() == 1
    context = multiprocessing.get_context(None if alone else "spawn")
    process = context.Process(target=_work, name="background", daemon=True)
    process.start()
    return process


def _work() -> None:
    """Run the background's own process until SIGTERM. Ctrl-C reaches the parent, which
    then ends this one.
    """
    import django

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    end_with_the_parent()
    os.environ["CELERY_SKIP_CHECKS"] = "1"  # `serve` has run them
    django.setup()
    worker, clock = _worker(), _clock()
    os.nice(BEHIND_PAGES)
    clock.start()
    signal.signal(signal.SIGTERM, _end_after_this_task)
    worker.start()
    clock.service.stop()


def _worker() -> WorkController:
    return app.WorkController(pool="solo", concurrency=1, quiet=True)


def _clock() -> Any:  # noqa: ANN401 - Celery's own thread
    return EmbeddedService(app, thread=True, scheduler_cls="celery.beat:Scheduler")


def _end_after_this_task(_number: int, _frame: FrameType | None) -> None:
    worker_state.should_stop = os.EX_OK


def _end(_number: int, _frame: FrameType | None) -> None:
    """End wherever it is, even in the middle of starting."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit
