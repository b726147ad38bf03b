"""Background projections that are functions of what counts now: an event only marks what to compute
again.

On the way to the head every event touched leaves a mark on its subject. At the head each marked
subject is computed once, without any lock; then its rows and the end of its mark are written
together, unless it was marked again meanwhile. One that can't be computed keeps its mark, with the
reason: it alone is parked.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import batched, zip_longest

import msgspec
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Model
from django.utils import timezone

from ledger.chain import Stored
from ledger.models import Log
from ledger.reading import head_of
from tournament.models import Mark, Progress, Reckoning, Salon, Season, Tournament
from tournament.models.written_json import JSONText, as_stored
from tournament.projections.background import LogPosition, Projection, Write, as_of
from tournament.projections.difference import Difference
from tournament.projections.stream_rows import differing
from tournament.projections.written_rows import put_rows
from tournament.streams.types import Columns

NOT_THE_EVENTS = (OperationalError, InterfaceError)  # the database is busy or away
EVENTS_A_STEP = 2_000
ROWS_A_WRITE = 50
TABLE_ROWS_A_WRITE = 250  # They are small: numbers in place of a state.

type States = Mapping[str, JSONText]  # by whom it is about
type Change = tuple[str, str, JSONText | None]  # subject, about, state; None for what there isn't


class PartlyComputed(Exception):
    """`states` are what can be computed of a subject; the message names what had to be left out."""

    def __init__(self, states: States, left_out: Mapping[str, Exception]) -> None:
        reasons = [f"{name} is left out: {in_words(why)}" for name, why in left_out.items()]
        super().__init__("; ".join(reasons))
        self.states = states


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows that say by column what the states of a subject say: of a model whose `stream` is the
    subject, by key. They are of the generation that counts.
    """

    model: type[Model]
    rows: Callable[[str, States], Mapping[str, Columns]]

    def differences(self, subject: str, states: States, *, mended: bool) -> list[Difference]:
        """The places where the stored rows say something else; one for all of them if there
        are none.
        """
        stored, rows = self._read_stored(subject), self.rows(subject, states)
        found = differing(stored, rows)
        if rows and not stored:
            found = iter([(subject, "", "all its rows are missing")])
        name = self.model._meta.db_table
        return [
            Difference(table=name, key=key, column=column, message=message, mended=mended)
            for key, column, message in found
        ]

    def writes(self, subject: str, states: States) -> list[Write]:
        """Writes that correct the rows that say something else, a few at a time."""
        stored, rows = self._read_stored(subject), self.rows(subject, states)
        key = self.model._meta.pk.attname
        fresh = [{key: pk, **columns} for pk, columns in rows.items()]
        other = [row for row in fresh if stored.get(row[key]) != row]
        gone = sorted(stored.keys() - rows.keys())
        return [
            *(
                partial(put_rows, (self.model, part))
                for part in batched(other, TABLE_ROWS_A_WRITE, strict=False)
            ),
            *(
                self.model._default_manager.filter(pk__in=part).delete
                for part in batched(gone, TABLE_ROWS_A_WRITE, strict=False)
            ),
        ]

    def _read_stored(self, subject: str) -> dict[str, Columns]:
        rows = as_stored(self.model._default_manager.filter(stream=subject))
        return {row[self.model._meta.pk.attname]: row for row in rows}


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedProjection:
    """A projection whose values are computed.

    `touched` gives the subjects that these events may have changed, `compute` the
    values of one now, empty for one that isn't there (any more), and `subjects` all
    there are. `table` says it by column, too.
    """

    name: str
    touched: Callable[[Salon, Sequence[Stored]], Iterable[str]]
    compute: Callable[[Salon, str], States]
    subjects: Callable[[Salon], Iterable[str]]
    table: Table | None = None

    @property
    def projection(self) -> Projection:
        """The projection that keeps it."""
        return Projection(
            name=self.name, fold=self._mark, settle=self._settle, events_a_step=EVENTS_A_STEP
        )

    def _mark(self, log: Log, _place: LogPosition, events: Sequence[Stored]) -> Write:
        salon = Salon.objects.filter(log=log).first()
        touched = set() if salon is None else set(self.touched(salon, events))
        first, last = events[0].position, events[-1].position
        return lambda: write_marks(log, self.name, touched, first, last)

    def _settle(self, log: Log, reached: Progress) -> Write | None:
        marks = Mark.objects.filter(log=log, projection=self.name, error="")
        mark = marks.order_by("since", "subject").first()
        if mark is None:
            return None
        position = head_of(log.pk).position
        fresh, error = self.computed(Salon.objects.get(log=log), mark.subject)
        if fresh is None:
            return lambda: end_mark(mark, error)
        place = log.pk, self.name, reached.generation
        changed = changes(
            mark.subject, read_stored_states(*place, [mark.subject])[mark.subject], fresh
        )
        states: list[Write] = [
            partial(write_rows, *place, part, position)
            for part in batched(changed, ROWS_A_WRITE, strict=False)
        ]
        table = self.table.writes(mark.subject, fresh) if self.table is not None else []
        writes = zip_longest(states or [_nothing], table, fillvalue=_nothing)
        return lambda: _write(reached, mark, list(writes), error)

    def computed(self, salon: Salon, subject: str) -> tuple[States | None, str]:
        """The values of a subject now, None if they can't be computed; and the reason why not,
        or not wholly, "" if all is well.
        """
        try:
            return self.compute(salon, subject), ""
        except NOT_THE_EVENTS:
            raise
        except PartlyComputed as partly:
            return partly.states, str(partly)
        except Exception as error:
            return None, in_words(error)


def in_words(error: Exception) -> str:
    """An error of the program, for those who look after it."""
    return f"{type(error).__name__}: {error}"


def every(model: type[Model]) -> Callable[[Salon], Iterable[str]]:
    """The ids of all that a salon has of this, in their order."""
    rows = model._default_manager.order_by("pk").values_list("pk", flat=True)
    return lambda salon: rows.filter(salon=salon)


def read_stored_states(
    log: int, name: str, generation: int, subjects: Sequence[str]
) -> dict[str, States]:
    """The states kept of each of these subjects, by whom they are about."""
    found: dict[str, dict[str, JSONText]] = {subject: {} for subject in subjects}
    rows = Reckoning.objects.filter(
        log=log, projection=name, generation=generation, subject__in=subjects
    )
    for subject, about, state in rows.values_list("subject", "about", "state__text"):
        found[subject][about] = JSONText(state)
    return dict(found)


def generation_of(log: int, name: str) -> int:
    """The generation that counts of a projection."""
    places = Progress.objects.filter(log=log, projection=name)
    return places.values_list("generation", flat=True).first() or 0


def reckonings(log: int, name: str, **wanted: str) -> Iterator[tuple[str, str, str]]:
    """The values of a projection that count now, as (subject, about, state as JSON): of
    one `subject`, `about` one, or all, in that order.
    """
    rows = Reckoning.objects.filter(
        log=log, projection=name, generation=generation_of(log, name), **wanted
    ).order_by("subject", "about")
    yield from rows.values_list("subject", "about", "state__text").iterator()


def first_state(log: int, name: str, **wanted: str) -> str:
    """The first of these states, as JSON; "" where there is none."""
    return next((state for _subject, _about, state in reckonings(log, name, **wanted)), "")


def read_last_computed[S](
    computed: ComputedProjection, row: Tournament | Season, decoder: msgspec.json.Decoder[S]
) -> tuple[S | None, int]:
    """The value of a tournament or a season that was computed last, None before the first
    time, and the entry of the log up to which it counts.
    """
    log = row.salon.log_id
    found = first_state(log, computed.name, subject=row.pk)
    return decoder.decode(found) if found else None, as_of(log, computed.name, row.pk)


def write_marks(log: Log, name: str, touched: Iterable[str], first: int, last: int) -> None:
    """Mark these subjects; one that is marked already waits since then, and is marked up to
    `last`.
    """
    marks = [
        Mark(log=log, projection=name, subject=subject, since=first, position=last)
        for subject in sorted(touched)
    ]
    unique = ["log", "projection", "subject"]
    Mark.objects.bulk_create(
        marks, update_conflicts=True, update_fields=["position", "error"], unique_fields=unique
    )


def changes(subject: str, stored: States, fresh: States) -> Iterator[Change]:
    """The changed values, each with the one it is about; None for a value that there isn't
    any more.
    """
    for about in sorted(stored.keys() | fresh.keys()):
        if stored.get(about) != fresh.get(about):
            yield subject, about, fresh.get(about)


def _nothing() -> None:
    """It is as it was."""


def end_mark(mark: Mark, error: str) -> None:
    """End a mark, or with an error park its subject, unless it was marked again meanwhile."""
    mine = Mark.objects.filter(pk=mark.pk, position=mark.position)
    if error:
        mine.update(error=error)
    else:
        mine.delete()


def _write(
    reached: Progress, mark: Mark, writes: Sequence[tuple[Write, Write]], error: str
) -> None:
    """Write what changed, each part by itself, and end the mark with the last; stop when it was
    marked again, or others count now.
    """
    for number, (states, table) in enumerate(writes, start=1):
        with transaction.atomic():
            counts = Progress.objects.filter(pk=reached.pk, generation=reached.generation, error="")
            mine = Mark.objects.filter(pk=mark.pk, position=mark.position)
            if not counts.update(moved_at=timezone.now()) or not mine.update(
                position=mark.position
            ):
                return
            states()
            table()
            if number == len(writes):
                end_mark(mark, error)


def write_rows(
    log: int, name: str, generation: int, changed: Sequence[Change], position: int
) -> None:
    """Write the rows of subjects that changed, in the place of those there were."""
    for subject, about, state in changed:
        if state is None:
            Reckoning.objects.filter(
                log=log, projection=name, generation=generation, subject=subject, about=about
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
        for subject, about, state in changed
        if state is not None
    ]
    unique = ["log", "projection", "generation", "subject", "about"]
    Reckoning.objects.bulk_create(
        rows, update_conflicts=True, update_fields=["state", "position"], unique_fields=unique
    )
