"""One at a time per log: whoever brings its background projections up to the head holds its turn
meanwhile.

A turn only saves work. Where it runs out in the middle, because its holder was killed or is slow,
another one takes it, and every write still makes sure itself that nobody was first. Clocks can be
wrong: a turn that ends later than any turn begun now is one that was taken while a clock was ahead,
and nobody's.
"""

import os
import socket
import threading
import time

from django.conf import settings
from django.db import transaction

from ledger.models import Log
from tournament.models import Turn

SECONDS = 10
MICROSECONDS = 1_000_000
HERE = (
    "here"  # the one process that serves without a broker server: started again, it goes on at once
)


class Turns:
    """The turns of this thread at one log. A turn is renewed when most of it has passed."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._holder = (
            HERE if str(settings.CELERY_BROKER_URL).startswith("memory://") else _this_thread()
        )
        self._until = 0

    def take(self) -> bool:
        """Whether it is this thread's turn, which it then is for some seconds more."""
        now = time.time_ns() // 1000
        until = now + SECONDS * MICROSECONDS
        if now + SECONDS * MICROSECONDS // 2 < self._until <= until:
            return True
        with transaction.atomic():
            turn, _ = Turn.objects.select_for_update().get_or_create(
                log=self._log, defaults={"holder": "", "until": 0}
            )
            if turn.holder not in ("", self._holder) and now < turn.until <= until:
                return False
            Turn.objects.filter(log=self._log).update(holder=self._holder, until=until)
        self._until = until
        return True

    def leave(self) -> None:
        """Let the next one have it."""
        Turn.objects.filter(log=self._log, holder=self._holder).update(holder="", until=0)
        self._until = 0


def _this_thread() -> str:
    return f"{socket.gethostname()[:60]} {os.getpid()} {threading.get_ident()}"
