"""Bring background projections up to the head of a log, in small steps that anyone may repeat.

A step reads a few events after the place a projection has reached, works out what follows from them without holding
any lock, then writes that and the new place in one transaction. The write is refused when somebody else moved the
place in between. So a hint that is lost, doubled or late changes nothing, and no transaction is long.
A projection that fails is parked with its error and the position it could not pass; it never skips.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from ledger.chain import Stored, genesis
from ledger.models import Log
from ledger.reading import read_log
from tournament.models import Progress

EVENTS_A_STEP = 200
Write = Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """How far into a log: the position of an event (0 before the first) and its hash (of an empty log, its genesis)."""

    position: int
    hash: str


class CannotPass(Exception):
    """The event at `position` stops a projection; the message says why in plain words."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A name that never changes, and what to do with the next events of a log.

    `fold` gets the log, the place reached and the events after it in order. It reads what it needs and returns the
    write to make, which must be short: it runs while the database is locked. It raises CannotPass on an event
    that makes no sense to it.
    """

    name: str
    fold: Callable[[Log, Place, Sequence[Stored]], Write]


def catch_up(log: Log, projections: Iterable[Projection]) -> None:
    """Bring each projection to the head of the log, unless it is parked."""
    for projection in projections:
        while _step(log, projection):
            pass


def waiting(projections: Sequence[Projection]) -> list[Log]:
    """The logs whose head some projection has not reached and could still go to."""
    reached = {(each.log_id, each.projection): each for each in Progress.objects.all()}
    return [log for log in Log.objects.all() if any(_is_behind(log, reached.get((log.pk, each.name))) for each in projections)]


def resume(log: Log, name: str) -> None:
    """Let a parked projection try again from where it stopped."""
    Progress.objects.filter(log=log, projection=name).update(error="", error_position=None)


def _is_behind(log: Log, reached: Progress | None) -> bool:
    if reached is None:
        return log.position > 0
    return not reached.error and reached.position < log.position


def _step(log: Log, projection: Projection) -> bool:
    """Take the next events, if there are any; whether there may be more."""
    began = time.monotonic()
    reached = _reached(log, projection)
    if reached.error:
        return False
    events = list(islice(read_log(log.pk, after=reached.position, page=EVENTS_A_STEP), EVENTS_A_STEP))
    if not events:
        return False
    try:
        write = projection.fold(log, Place(position=reached.position, hash=reached.hash), events)
        _write_and_move(reached, write, Place(position=events[-1].position, hash=events[-1].hash))
    except (OperationalError, InterfaceError):
        raise  # The database is busy or away: nothing is wrong with the events, and the next sweep tries again.
    except CannotPass as stop:
        _park(reached, stop.position, str(stop))
        return False
    except Exception as error:
        _park(reached, events[0].position, f"{type(error).__name__}: {error}")
        return False
    # The pages that this process serves go first: as long a pause as the step took.
    time.sleep(time.monotonic() - began)
    return True


def _reached(log: Log, projection: Projection) -> Progress:
    start = {"position": 0, "hash": genesis(log.key, log.command_key)}
    return Progress.objects.get_or_create(log=log, projection=projection.name, defaults=start)[0]


def _write_and_move(reached: Progress, write: Write, place: Place) -> None:
    """Write and move to `place` together, or neither when the projection is no longer where `reached` says."""
    with transaction.atomic():
        here = Progress.objects.filter(pk=reached.pk, position=reached.position, error="")
        if here.update(position=place.position, hash=place.hash, moved_at=timezone.now()):
            write()


def _park(reached: Progress, position: int, error: str) -> None:
    here = Progress.objects.filter(pk=reached.pk, position=reached.position)
    here.update(error=error, error_position=position, moved_at=timezone.now())
