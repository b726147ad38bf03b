"""Sending to webhooks and phones: each salon has one sender at most, whose turns end,
so anyone who names addresses that dawdle delays only their own messages. Each
message is claimed before it is tried, so two workers do not send it at once, and
tried again with growing pauses.
"""

import random
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta

from django.db import connection
from django.utils import timezone

from tournament.models import Delivery, Notice

SPREAD = 0.2  # of a pause, either way: those that failed together are not tried together
CLAIMED_FOR = timedelta(seconds=60)
AT_ONCE = 4  # salons
SECONDS_A_TURN = 10.0  # after which another salon is served first


class Senders:
    """Threads that serve some salons beside each other."""

    def __init__(self, serve: Callable[[int], None], name: str) -> None:
        self._serve = serve
        self._pool = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix=name)
        self.serving: dict[int, Future[None]] = {}

    def begin(self, salons: Iterable[int]) -> None:
        """Serve these salons in the order in which they come, but for those that are served now;
        wait for none.
        """
        for salon in salons:
            if salon not in self.serving or self.serving[salon].done():
                self.serving[salon] = self._pool.submit(self._serve_and_close, salon)

    def _serve_and_close(self, salon: int) -> None:
        try:
            self._serve(salon)
        finally:
            connection.close()


def claim(row: Delivery | Notice) -> bool:
    """Whether this try is ours: the row still waits as it was read. One whose worker dies is due
    again when the claim runs out.
    """
    mine = type(row).objects.filter(pk=row.pk, tries=row.tries, due_at=row.due_at)
    row.tries += 1
    return bool(mine.update(tries=row.tries, due_at=timezone.now() + CLAIMED_FOR))


def spread(seconds: float) -> float:
    """About so many."""
    return seconds * random.uniform(1 - SPREAD, 1 + SPREAD)  # noqa: S311 - no secret
