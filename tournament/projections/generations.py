"""Compute again what background projections keep: compared with what is kept, and a rebuild
switches to what came out.

A rebuild fills the next generation beside the one that counts, a few rows at a time, and switches
to it only when nothing moved since it was computed. Whoever is killed on the way leaves rows that
don't count and that the next rebuild removes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import batched
from types import MappingProxyType

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from ledger.models import Event
from ledger.reading import read_log
from tournament.models import Mark, Progress, Reckoning, Salon
from tournament.projections.computed import (
    EVENTS_A_STEP,
    ROWS_A_WRITE,
    Change,
    ComputedProjection,
    States,
    changes,
    read_stored_states,
    write_rows,
)
from tournament.projections.difference import Difference, short

TRIES = 20  # so often may somebody record something while a few subjects are computed again
SUBJECTS_AT_ONCE = 50  # whose states are read together


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """The number of a projection's subjects that wait to be computed again; the entry
    `since` which, and when it was recorded.

    None for an entry that there isn't: nothing can wait for it.
    """

    subjects: int
    since: int
    recorded_at: int | None


def compare_reckonings(
    salon: Salon,
    computed: Iterable[ComputedProjection],
    *,
    mend: bool,
    right: Mapping[str, Set[str]] = MappingProxyType({}),
    behind: dict[str, Backlog] | None = None,
) -> Iterator[Difference]:
    """Compare the kept rows with the log, and with `mend` make a new generation that
    agrees; anything behind or parked is left as it is.

    `right` are the subjects, by projection, whose rows were just found to be right.
    Those that are not what the log gives, and are said to wait for their computation,
    are noted in `behind` by the name of their projection.
    """
    for each in computed:
        place = Progress.objects.filter(log=salon.log_id, projection=each.name).first()
        if place is not None and not place.error:
            yield from (
                _rebuilt(salon, each, place)
                if mend
                else _compare(salon, each, place, right.get(each.name, frozenset()), behind)
            )


def _compare(
    salon: Salon,
    computed: ComputedProjection,
    place: Progress,
    right: Set[str],
    behind: dict[str, Backlog] | None,
) -> Iterator[Difference]:
    there = set(computed.subjects(salon))
    parked = _list_parked_subjects(salon, computed)  # they are named as such
    left = right | parked
    others = [subject for subject in _subjects(salon, computed) if subject not in left]
    for subject, (stored,) in _read_states(salon, computed, others, place.generation):
        fresh, error = computed.computed(salon, subject) if subject in there else ({}, "")
        if error:
            # Whatever was written into the log or its rows: the other subjects are compared all the
            # same.
            yield _cannot_compute(computed, subject, error)
        if fresh is None:
            continue
        table = computed.table.differences(subject, fresh, mended=False) if computed.table else []
        if stored == fresh and not table:
            continue
        if subject in _list_waiting_subjects(salon, computed, place.position):
            if behind is not None:
                behind[computed.name] = _behind(
                    salon, computed.name, place.position, behind.get(computed.name)
                )
        else:
            yield from _differences(computed, subject, stored, fresh, mended=False)
            yield from table


def _rebuilt(salon: Salon, computed: ComputedProjection, place: Progress) -> Iterator[Difference]:
    """The differences between the generation that counted and a new one, which counts from
    then on.
    """
    behind = _list_waiting_subjects(salon, computed, place.position)
    _remove_others(salon.log_id, computed.name, place.generation)
    fresh = place.generation + 1
    faults: dict[str, str] = {}
    _write_all(salon, computed, fresh, _compute_all(salon, computed, place.generation, faults))
    yield from (_cannot_compute(computed, *fault) for fault in faults.items())
    if not _switch_generation(salon, computed, place):
        return
    behind |= _list_waiting_subjects(salon, computed, place.position)
    marks = Mark.objects.filter(log=salon.log_id, projection=computed.name)
    marks.exclude(error="").update(error="")  # this version may be able to compute them
    generations = place.generation, fresh
    subjects = _subjects(salon, computed)
    for subject, (one, two) in _read_states(salon, computed, subjects, *generations):
        table = _mend_table(salon, computed, place, subject)
        if subject not in behind:
            yield from _differences(computed, subject, one, two, mended=True)
            yield from table
    _remove_others(salon.log_id, computed.name, fresh)


def _mend_table(
    salon: Salon, computed: ComputedProjection, place: Progress, subject: str
) -> list[Difference]:
    """Put the rows that say by column what the generation after this place has right; where they
    were not. Nobody else writes them meanwhile.
    """
    if computed.table is None:
        return []
    counting = Progress.objects.filter(pk=place.pk, generation=place.generation + 1)
    with transaction.atomic():
        if not counting.update(moved_at=timezone.now()):
            return []
        states = read_stored_states(salon.log_id, computed.name, place.generation + 1, [subject])[
            subject
        ]
        found = computed.table.differences(subject, states, mended=True)
        for write in computed.table.writes(subject, states) if found else ():
            write()
    return found


def _switch_generation(salon: Salon, computed: ComputedProjection, place: Progress) -> bool:
    """Switch to the next generation; what was kept anew since it was computed is computed in it,
    too. False where somebody else did.
    """
    seen = place.position
    for _ in range(TRIES):
        with transaction.atomic():
            here = Progress.objects.filter(pk=place.pk, generation=place.generation, position=seen)
            if here.update(generation=place.generation + 1):
                return True
        now = Progress.objects.get(pk=place.pk)
        if now.generation != place.generation:
            return False
        for subject in sorted(
            _find_touched_subjects(salon, computed, after=seen, until=now.position)
        ):
            stored = read_stored_states(
                salon.log_id, computed.name, place.generation + 1, [subject]
            )[subject]
            states, _error = computed.computed(salon, subject)
            if states is not None:
                changed = changes(subject, stored, states)
                _write_all(salon, computed, place.generation + 1, changed)
        seen = now.position
    return False


def _compute_all(
    salon: Salon, computed: ComputedProjection, generation: int, faults: dict[str, str]
) -> Iterator[Change]:
    """All that the log gives, subject by subject. Of one that can't be computed what this
    generation has of it; why is noted in `faults`.
    """
    for subject in computed.subjects(salon):
        fresh, error = computed.computed(salon, subject)
        if error:
            faults[subject] = error
        if fresh is None:
            fresh = read_stored_states(salon.log_id, computed.name, generation, [subject])[subject]
        yield from changes(subject, {}, fresh)


def _write_all(
    salon: Salon, computed: ComputedProjection, generation: int, changed: Iterable[Change]
) -> None:
    """Write rows of a generation that doesn't count yet, a few at a time."""
    for part in batched(changed, ROWS_A_WRITE, strict=False):
        position = Progress.objects.values_list("position", flat=True).get(
            log=salon.log_id, projection=computed.name
        )
        with transaction.atomic():
            write_rows(salon.log_id, computed.name, generation, part, position)


def _read_states(
    salon: Salon, computed: ComputedProjection, subjects: Sequence[str], *generations: int
) -> Iterator[tuple[str, list[States]]]:
    """The values kept of each of these subjects in these generations."""
    for part in batched(subjects, SUBJECTS_AT_ONCE, strict=False):
        found = [
            read_stored_states(salon.log_id, computed.name, each, part) for each in generations
        ]
        for subject in part:
            yield subject, [states[subject] for states in found]


def _subjects(salon: Salon, computed: ComputedProjection) -> list[str]:
    """All there are, and those of which something is kept without reason."""
    rows = Reckoning.objects.filter(log=salon.log_id, projection=computed.name)
    return sorted({*computed.subjects(salon), *rows.values_list("subject", flat=True).distinct()})


def _behind(salon: Salon, name: str, position: int, so_far: Backlog | None) -> Backlog:
    """One subject more that waits; the first of all entries that are not counted is asked
    for once.
    """
    if so_far is not None:
        return replace(so_far, subjects=so_far.subjects + 1)
    marked = Mark.objects.filter(log=salon.log_id, projection=name).aggregate(first=Min("since"))[
        "first"
    ]
    first = position + 1 if marked is None else min(marked, position + 1)
    recorded = (
        Event.objects.filter(log=salon.log_id, position=first)
        .values_list("recorded_at", flat=True)
        .first()
    )
    return Backlog(subjects=1, since=first, recorded_at=recorded)


def _list_parked_subjects(salon: Salon, computed: ComputedProjection) -> set[str]:
    """The subjects that could not be computed."""
    marks = Mark.objects.filter(log=salon.log_id, projection=computed.name).exclude(error="")
    return set(marks.values_list("subject", flat=True))


def _list_waiting_subjects(salon: Salon, computed: ComputedProjection, position: int) -> set[str]:
    """The subjects that are marked, or touched by an entry after `position`: they differ with
    reason.
    """
    marked = Mark.objects.filter(log=salon.log_id, projection=computed.name).values_list(
        "subject", flat=True
    )
    return {*marked, *_find_touched_subjects(salon, computed, after=position)}


def _find_touched_subjects(
    salon: Salon, computed: ComputedProjection, *, after: int, until: int | None = None
) -> set[str]:
    events = read_log(salon.log_id, after=after, until=until)
    return {
        subject
        for part in batched(events, EVENTS_A_STEP, strict=False)
        for subject in computed.touched(salon, part)
    }


def _differences(
    computed: ComputedProjection,
    subject: str,
    stored: Mapping[str, str],
    fresh: Mapping[str, str],
    *,
    mended: bool,
) -> Iterator[Difference]:
    for about in sorted(stored.keys() | fresh.keys()):
        one, two = stored.get(about), fresh.get(about)
        if one != two:
            key = "/".join(part for part in (subject or computed.name, about) if part)
            message = f"the {computed.name} kept are {short(one)}, the log gives {short(two)}"
            yield Difference(
                table=Reckoning._meta.db_table,
                key=key,
                column="state",
                message=message,
                mended=mended,
            )


def _cannot_compute(computed: ComputedProjection, subject: str, error: str) -> Difference:
    message = f"the {computed.name} can't be computed from the log: {error}"
    return Difference(
        table=Reckoning._meta.db_table,
        key=subject or computed.name,
        column="state",
        message=message,
        mended=False,
    )


def _remove_others(log: int, name: str, generation: int) -> None:
    """Remove the rows of every generation but this one."""
    others = Reckoning.objects.filter(log=log, projection=name).exclude(generation=generation)
    while keys := list(others.order_by("pk").values_list("pk", flat=True)[:ROWS_A_WRITE]):
        Reckoning.objects.filter(pk__in=keys).delete()
