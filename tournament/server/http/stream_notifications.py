"""Long polling: wakes waiters when a stream moves, whichever process recorded it.

While anyone waits, a thread of each web process looks at the heads of the logs,
twenty times a second on SQLite (which says without a query whether anything changed
at all), four times elsewhere; for a log that moved it reads which streams did. A
change that is no event of a stream wakes no waiter: each looks again by itself when
its time is over.
"""

import asyncio
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import structlog
from django.db import DatabaseError, InterfaceError, connection

from ledger.models import Event, Log
from ledger.reading import database_version

NEW: Final = "new"  # a stream of which this was the first event
SECONDS_BETWEEN_LOOKS = {"sqlite": 0.05}
SECONDS_BETWEEN_QUERIES = 0.25
SECONDS_AFTER_A_FAILURE = 2.0
SECONDS_WITHOUT_ANYBODY = 30.0  # then the thread ends; the next who waits begins another
EVENTS_READ = 2000  # of a log at once: where more came, everybody is told
REMEMBERED = 10_000  # streams
OF_ONE, IN_ALL = 512, 6144  # who wait at once: of an address, and of all

log_line = structlog.stdlib.get_logger(__name__)


@dataclass(slots=True)
class _Waiting:
    """Somebody who waits for one of these streams, in an event loop."""

    streams: frozenset[str]
    loop: asyncio.AbstractEventLoop
    told: asyncio.Event = field(default_factory=asyncio.Event)


class Changes:
    """The streams that moved, counted since this process began, and who waits for one to move. For
    all threads and event loops.
    """

    def __init__(self, *, most: int = IN_ALL, of_one: int = OF_ONE) -> None:
        self._most, self._of_one = most, of_one
        self._lock = threading.Lock()
        self._count = self._everything = 0
        self._closed = False
        self._moved: OrderedDict[str, int] = OrderedDict()
        self._waiting: dict[int, _Waiting] = {}
        self._callers: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """The number of changes so far: read it before the query whose answer may become
        outdated.
        """
        return self._count

    @property
    def awaited(self) -> bool:
        """Whether anyone waits."""
        return bool(self._waiting)

    def tell_moved(self, streams: Iterable[str]) -> None:
        """These streams moved."""
        moved = frozenset(streams)
        with self._lock:
            self._count += 1
            for stream in moved:
                self._moved[stream] = self._count
                self._moved.move_to_end(stream)
            while len(self._moved) > REMEMBERED:
                _, self._everything = self._moved.popitem(last=False)
            woken = [each for each in self._waiting.values() if each.streams & moved]
        _wake(woken)

    def tell_all(self) -> None:
        """Anything may have moved."""
        with self._lock:
            self._count += 1
            self._everything = self._count
            woken = list(self._waiting.values())
        _wake(woken)

    def close(self) -> None:
        """Nobody waits any longer: this process ends."""
        self._closed = True
        self.tell_all()

    async def one_of(
        self, streams: Collection[str], *, since: int, seconds: float, caller: str
    ) -> bool:
        """Wait until one of these streams moved after the count was `since`; whether one did in
        this time.

        Where too many wait already nobody more does. For an event loop.
        """
        waiting = _Waiting(frozenset(streams), asyncio.get_running_loop())
        with self._entered(waiting, caller, since) as entered:
            if entered is None:
                return False
            try:
                async with asyncio.timeout(seconds):
                    await entered.told.wait()
            except TimeoutError:
                return entered.told.is_set()
            return not self._closed

    @contextmanager
    def _entered(self, waiting: _Waiting, caller: str, since: int) -> Iterator[_Waiting | None]:
        with self._lock:
            room = len(self._waiting) < self._most and self._callers[caller] < self._of_one
            room = room and not self._closed
            if room:
                self._waiting[id(waiting)] = waiting
                self._callers[caller] += 1
                moved = max((self._moved.get(each, 0) for each in waiting.streams), default=0)
                if max(moved, self._everything) > since:
                    waiting.told.set()
        try:
            yield waiting if room else None
        finally:
            if room:
                self._forget_waiting(waiting, caller)

    def _forget_waiting(self, waiting: _Waiting, caller: str) -> None:
        with self._lock:
            del self._waiting[id(waiting)]
            self._callers[caller] -= 1
            if not self._callers[caller]:
                del self._callers[caller]


def _wake(woken: Iterable[_Waiting]) -> None:
    for each in woken:
        each.loop.call_soon_threadsafe(each.told.set)


class Watch:
    """Tells `changes` what the logs of the database hold, as long as anybody waits. For one
    process.
    """

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._lock = threading.Lock()
        self._looks = False
        self._heads: Mapping[int, int] = {}
        self._version: object = None

    def begin(self) -> None:
        """Look from now on. Before it returns for the first time nothing has been seen: a head that
        moved earlier counts as moved.
        """
        with self._lock:
            if self._looks:
                return
            self._looks = True
        threading.Thread(target=self._run, name="changes", daemon=True).start()

    def look(self) -> None:
        """Tell what moved since the last look. Raises DatabaseError."""
        if not self._may_have_moved():
            return
        heads = dict(Log.objects.values_list("pk", "position"))
        if not self._heads:
            self._changes.tell_all()
        else:
            for log, position in heads.items():
                if position != (before := self._heads.get(log, 0)):
                    self._tell_moved_since(log, before)
        self._heads = heads

    def _tell_moved_since(self, log: int, after: int) -> None:
        events = Event.objects.filter(log=log, position__gt=after).order_by("position")
        moved = list(events.values_list("stream", "version")[: EVENTS_READ + 1])
        if len(moved) > EVENTS_READ:
            self._changes.tell_all()
            return
        begun = {NEW} if any(version == 1 for _, version in moved) else set[str]()
        self._changes.tell_moved({stream for stream, _ in moved} | begun)

    def _may_have_moved(self) -> bool:
        before, self._version = self._version, database_version()
        return self._version is None or self._version != before

    def _run(self) -> None:
        pause = SECONDS_BETWEEN_LOOKS.get(connection.vendor, SECONDS_BETWEEN_QUERIES)
        idle = time.monotonic()
        try:
            while time.monotonic() - idle < SECONDS_WITHOUT_ANYBODY:
                idle = time.monotonic() if self._changes.awaited else idle
                time.sleep(pause if self._looked() else SECONDS_AFTER_A_FAILURE)
        finally:
            with self._lock:
                self._looks, self._heads, self._version = False, {}, None
            connection.close()

    def _looked(self) -> bool:
        try:
            self.look()
        except (DatabaseError, InterfaceError) as failed:
            log_line.warning("who waits can't be told what changed", error=str(failed))
            connection.close()
            return False
        return True
