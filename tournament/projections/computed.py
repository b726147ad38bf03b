"""Background projections that are functions of what counts now: an event only marks what to compute
again.

On the way to the head every event touched leaves a mark on its subject. At the head each marked
subject is computed once, without any lock; then its rows and the end of its mark are written
together, unless it was marked again meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from ledger.chain import Stored
from ledger.models import Log
from ledger.reading import head_of
from tournament.models import Mark, Progress, Reckoning, Salon
from tournament.projections.background import CannotPass, Place, Projection, Write

EVENTS_A_STEP = 2_000
ROWS_A_WRITE = 50

type States = Mapping[str, str]  # JSON by whom it is about


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoned:
    """What such a projection computes.

    `touched` gives the subjects that these events may have changed, `reckon` what is known of one
    now, nothing for what there isn't (any more), and `subjects` all there are.
    """

    name: str
    touched: Callable[[Salon, Sequence[Stored]], Iterable[str]]
    reckon: Callable[[Salon, str], States]
    subjects: Callable[[Salon], Iterable[str]]

    @property
    def projection(self) -> Projection:
        """The projection that keeps it."""
        return Projection(
            name=self.name, fold=self._mark, settle=self._settle, events_a_step=EVENTS_A_STEP
        )

    def _mark(self, log: Log, _place: Place, events: Sequence[Stored]) -> Write:
        salon = Salon.objects.filter(log=log).first()
        touched = set() if salon is None else set(self.touched(salon, events))
        first, last = events[0].position, events[-1].position
        return lambda: _write_marks(log, self.name, touched, first, last)

    def _settle(self, log: Log, reached: Progress) -> Write | None:
        mark = (
            Mark.objects.filter(log=log, projection=self.name).order_by("since", "subject").first()
        )
        if mark is None:
            return None
        position = head_of(log.pk).position
        try:
            fresh = self.reckon(Salon.objects.get(log=log), mark.subject)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            raise CannotPass(mark.position, f"{type(error).__name__}: {error}") from error
        changes = list(_changes(kept(log.pk, self.name, reached.generation, mark.subject), fresh))
        return lambda: _write(reached, mark, changes, position)


def kept(log: int, name: str, generation: int, subject: str) -> dict[str, str]:
    """The states kept of a subject, by whom they are about."""
    rows = Reckoning.objects.filter(
        log=log, projection=name, generation=generation, subject=subject
    )
    return dict(rows.values_list("about", "state"))


def reckonings(log: int, name: str, **wanted: str) -> Iterator[tuple[str, str, str]]:
    """What counts now of a projection, as (subject, about, state): of one `subject`, `about` one,
    or all, in that order.
    """
    generation = (
        Progress.objects.filter(log=log, projection=name)
        .values_list("generation", flat=True)
        .first()
        or 0
    )
    rows = Reckoning.objects.filter(
        log=log, projection=name, generation=generation, **wanted
    ).order_by("subject", "about")
    yield from rows.values_list("subject", "about", "state").iterator()


def _write_marks(log: Log, name: str, touched: Iterable[str], first: int, last: int) -> None:
    """Mark these subjects; one that is marked already waits since then, and is marked up to
    `last`.
    """
    marks = [
        Mark(log=log, projection=name, subject=subject, since=first, position=last)
        for subject in sorted(touched)
    ]
    unique = ["log", "projection", "subject"]
    Mark.objects.bulk_create(
        marks, update_conflicts=True, update_fields=["position"], unique_fields=unique
    )


def _changes(stored: States, fresh: States) -> Iterator[tuple[str, str | None]]:
    """Whom there is something new about, and what; None where nothing is known any more."""
    for about in sorted(stored.keys() | fresh.keys()):
        if stored.get(about) != fresh.get(about):
            yield about, fresh.get(about)


def _write(
    reached: Progress, mark: Mark, changes: Sequence[tuple[str, str | None]], position: int
) -> None:
    """Write what changed, a few rows at a time, and end the mark with the last; stop when it was
    marked again, or others count now.
    """
    parts = [*batched(changes, ROWS_A_WRITE, strict=False)] or [()]
    for number, part in enumerate(parts, start=1):
        with transaction.atomic():
            counts = Progress.objects.filter(pk=reached.pk, generation=reached.generation, error="")
            mine = Mark.objects.filter(pk=mark.pk, position=mark.position)
            if not counts.update(moved_at=timezone.now()) or not mine.update(
                position=mark.position
            ):
                return
            write_rows(
                mark.log_id, mark.projection, reached.generation, mark.subject, part, position
            )
            if number == len(parts):
                mine.delete()


def write_rows(
    log: int,
    name: str,
    generation: int,
    subject: str,
    changes: Sequence[tuple[str, str | None]],
    position: int,
) -> None:
    """Write the rows of a subject that changed, in the place of those there were."""
    gone = [about for about, state in changes if state is None]
    if gone:
        Reckoning.objects.filter(
            log=log, projection=name, generation=generation, subject=subject, about__in=gone
        ).delete()
    rows = [
        Reckoning(
            log_id=log,
            projection=name,
            generation=generation,
            subject=subject,
            about=about,
            state=state,
            position=position,
        )
        for about, state in changes
        if state is not None
    ]
    unique = ["log", "projection", "generation", "subject", "about"]
    Reckoning.objects.bulk_create(
        rows, update_conflicts=True, update_fields=["state", "position"], unique_fields=unique
    )
