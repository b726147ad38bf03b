"""Bring background projections up to the head of a log, in small steps that anyone may repeat.

A step reads some events after the place a projection has reached, works out what follows from them
without holding any lock, then writes that and the new place in one transaction. The write is
refused when somebody else moved the place in between. So a hint that is lost, doubled or late
changes nothing, and no transaction is long. Projections that stand at one place short of the head,
as they do once a second of an evening, take that step together; where one of them can't, each takes
it alone. A projection that can't pass an event is parked with its error and that position; it never
skips. A subject that can't be computed is parked by itself, and everything else goes on.
"""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from ledger import times
from ledger.chain import Stored, genesis
from ledger.models import Log
from ledger.reading import head_of, read_log
from tournament.models import Mark, Progress, Turn

SECONDS = 10
MICROSECONDS = 1_000_000
HERE = (
    "here"  # the one process that serves without a broker server: started again, it goes on at once
)
EVENTS_A_STEP = 200
Write = Callable[[], object]


class LogLease:
    """The turns of this thread at one log. A turn is renewed when most of it has passed."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._holder = (
            HERE if str(settings.CELERY_BROKER_URL).startswith("memory://") else _this_thread()
        )
        self._until = 0

    def take(self) -> bool:
        """Whether it is this thread's turn, which it then is for some seconds more."""
        now = times.now()
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPosition:
    """A place in a log: the position of an event (0 before the first) and its hash (of an
    empty log, its genesis).
    """

    position: int
    hash: str


class CannotPass(Exception):
    """The event at `position` stops a projection; the message says why in plain words."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position


def nothing_waits(log: Log, reached: Progress) -> Write | None:
    """No: a projection that has taken every event is done."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A name that never changes, and what to do with the next events of a log.

    `fold` gets the log, the place reached and the events after it in order, at most
    `events_a_step`. It reads what it needs and returns the write to make, which must be short: it
    runs while the database is locked. It raises CannotPass on an event that makes no sense to it.
    `settle` is asked once the head is reached: the next write of what was only marked on the way,
    which makes sure itself that nobody was first; None when nothing is marked.
    """

    name: str
    fold: Callable[[Log, LogPosition, Sequence[Stored]], Write]
    settle: Callable[[Log, Progress], Write | None] = nothing_waits
    events_a_step: int = EVENTS_A_STEP


def catch_up(log: Log, projections: Sequence[Projection]) -> None:
    """Bring each projection to the head that the log has now, unless it is parked; while somebody
    else is at it, leave it to them.

    What is recorded meanwhile is for the next sweep: run after, a head that never rests would be
    reached an event at a time, at a hundred times the cost.
    """
    turns, reading = LogLease(log), _ReadEvents(log, head=head_of(log.pk).position)
    behind = _behind(reading, projections)
    if not behind or not turns.take():
        return
    try:
        _step_together(behind, reading)
        for projection, _reached_before in _behind(reading, projections):
            while turns.take() and _step(log, projection, reading):
                pass
    finally:
        turns.leave()


def waiting(projections: Sequence[Projection]) -> list[Log]:
    """The logs whose head some projection has not reached, or where something is marked, and that
    could still go on.
    """
    reached = {(each.log_id, each.projection): each for each in Progress.objects.all()}
    marked = set(Mark.objects.filter(error="").values_list("log_id", "projection").distinct())
    return [
        log
        for log in Log.objects.order_by("pk")
        if any(
            _is_behind(
                log.position,
                reached.get((log.pk, each.name)),
                marked=(log.pk, each.name) in marked,
            )
            for each in projections
        )
    ]


def resume(log: Log, name: str) -> None:
    """Let a parked projection try again from where it stopped, and its parked subjects too."""
    Progress.objects.filter(log=log, projection=name).update(error="", error_position=None)
    Mark.objects.filter(log=log, projection=name).update(error="")


def why_parked(log: int, name: str, subject: str) -> str:
    """Why what a projection computes of this subject can't be computed; "" where it can."""
    stopped = Progress.objects.filter(log=log, projection=name).exclude(error="")
    parked = Mark.objects.filter(log=log, projection=name, subject=subject).exclude(error="")
    return (
        parked.values_list("error", flat=True).first()
        or stopped.values_list("error", flat=True).first()
        or ""
    )


def as_of(log: int, name: str, subject: str) -> int:
    """Up to which entry of the log what a projection computed of this subject counts."""
    place = (
        Progress.objects.filter(log=log, projection=name).values_list("position", flat=True).first()
        or 0
    )
    since = (
        Mark.objects.filter(log=log, projection=name, subject=subject)
        .values_list("since", flat=True)
        .first()
    )
    return place if since is None else min(place, since - 1)


def _is_behind(head: int, reached: Progress | None, *, marked: bool) -> bool:
    if reached is None:
        return head > 0
    return not reached.error and (marked or reached.position < head)


@dataclass(slots=True)
class _ReadEvents:
    """The events of a log that were read last, up to the head that it had: projections
    that have come equally far take the same events.
    """

    log: Log
    head: int
    asked: tuple[int, int] | None = None
    events: Sequence[Stored] = ()

    def after(self, position: int, most: int) -> Sequence[Stored]:
        """At most so many events after a position."""
        most = min(most, self.head - position)
        if most > 0 and self.asked != (position, most):
            self.events = list(islice(read_log(self.log.pk, after=position, page=most), most))
            self.asked = position, most
        return self.events if most > 0 else ()


def _behind(
    reading: _ReadEvents, projections: Iterable[Projection]
) -> list[tuple[Projection, Progress | None]]:
    """Those that have not reached the head, or have something marked, and could still go on, each
    with the place it reached.
    """
    reached = {each.projection: each for each in Progress.objects.filter(log=reading.log)}
    marks = Mark.objects.filter(log=reading.log, error="")
    marked = set(marks.values_list("projection", flat=True))
    return [
        (each, reached.get(each.name))
        for each in projections
        if _is_behind(reading.head, reached.get(each.name), marked=each.name in marked)
    ]


def _step_together(
    behind: Sequence[tuple[Projection, Progress | None]], reading: _ReadEvents
) -> None:
    """Take the last events before the head in one step of all that stand there; nothing where one
    of them can't: by itself, each finds out whether it is the one.
    """
    began, log = time.monotonic(), reading.log
    at = [
        (each, reached) for each, reached in behind if reached and reached.position < reading.head
    ]
    if len({(reached.position, reached.hash) for _each, reached in at}) != 1:
        return
    place = LogPosition(position=at[0][1].position, hash=at[0][1].hash)
    if reading.head - place.position > min(each.events_a_step for each, _reached in at):
        return
    events = reading.after(place.position, reading.head - place.position)
    if not events:
        return
    try:
        writes = [each.fold(log, place, events) for each, _reached in at]
        _write_and_move([reached for _each, reached in at], writes, _place_of(events))
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        return
    time.sleep(time.monotonic() - began)


def _step(log: Log, projection: Projection, reading: _ReadEvents) -> bool:
    """Take the next events, or what they marked when there are none; whether there may be more."""
    began = time.monotonic()
    reached = _reached(log, projection)
    if reached.error:
        return False
    events = reading.after(reached.position, projection.events_a_step)
    try:
        write = _next_write(log, projection, reached, events)
        if write is None:
            return False
        write()
    except (OperationalError, InterfaceError):
        # The database is busy or away: nothing is wrong with the events, and the next sweep tries
        # again.
        raise
    except CannotPass as stop:
        _park(reached, stop.position, str(stop))
        return False
    except Exception as error:
        _park(
            reached,
            events[0].position if events else reached.position,
            f"{type(error).__name__}: {error}",
        )
        return False
    # The pages that this process serves go first: as long a pause as the step took.
    time.sleep(time.monotonic() - began)
    return True


def _next_write(
    log: Log, projection: Projection, reached: Progress, events: Sequence[Stored]
) -> Write | None:
    if not events:
        return projection.settle(log, reached)
    write = projection.fold(log, LogPosition(position=reached.position, hash=reached.hash), events)
    return lambda: _write_and_move([reached], [write], _place_of(events))


def _place_of(events: Sequence[Stored]) -> LogPosition:
    return LogPosition(position=events[-1].position, hash=events[-1].hash)


def _reached(log: Log, projection: Projection) -> Progress:
    start = {"position": 0, "hash": genesis(log.key, log.command_key)}
    return Progress.objects.get_or_create(log=log, projection=projection.name, defaults=start)[0]


def _write_and_move(
    reached: Sequence[Progress], writes: Iterable[Write], place: LogPosition
) -> None:
    """Write and move to `place` together, or nothing when one projection is no longer where
    `reached` says, which is one place for all of them.
    """
    ids, before = [each.pk for each in reached], reached[0].position
    with transaction.atomic():
        here = Progress.objects.filter(pk__in=ids, position=before, error="")
        moved = here.update(position=place.position, hash=place.hash, moved_at=timezone.now())
        if moved != len(reached):
            transaction.set_rollback(True)
            return
        for write in writes:
            write()


def _park(reached: Progress, position: int, error: str) -> None:
    here = Progress.objects.filter(pk=reached.pk, position=reached.position)
    here.update(error=error, error_position=position, moved_at=timezone.now())
