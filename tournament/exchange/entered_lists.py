"""Lists that were entered in a tournament: what was entered together and can be taken back
together.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max

from ledger.models import Event
from tournament.domain.tournament.removals import why_not_removed
from tournament.domain.tournament.state import State
from tournament.models import Tournament
from tournament.queries.history_lines import at_time

MADE, NOTED = "tournament.entry_made", "tournament.single_noted"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredList:
    """Entries and singles that were made at once; those that are `removed` now, and of the others
    `stays` names one that has played already ("" where all can be taken back).
    """

    command: str
    at: datetime
    entries: tuple[str, ...]
    singles: tuple[int, ...]
    removed: tuple[str, ...]
    stays: str


def lists_in(row: Tournament, state: State) -> Iterator[EnteredList]:
    """The lists of a tournament, the latest first; of a whole tournament from a file there is
    none.
    """
    made = Event.objects.filter(log=row.salon.log_id, stream=row.pk, type__in=(MADE, NOTED))
    found = (
        made.exclude(command=row.pk)
        .values("command")
        .annotate(count=Count("pk"), last=Max("version"), at=Max("recorded_at"))
        .filter(count__gt=1)
        .order_by("-last")
    )
    for each in found:
        bodies = made.filter(command=each["command"]).order_by("version")
        yield _build_entered_list(
            each["command"], each["at"], bodies.values_list("type", "body"), state
        )


def _build_entered_list(
    command: str, moment: int, made: Iterable[tuple[str, str]], state: State
) -> EnteredList:
    keys, numbers = list[str](), list[int]()
    for kind, body in made:
        told = json.loads(body)
        if kind == MADE:
            keys.append(told["entry"])
        else:
            numbers.append(told["number"])
    entries = [entry for key in keys if (entry := state.entry(key)) is not None]
    waiting = {single.number for single in state.singles}
    gone = {entry.id for _place, entry in state.removed}
    return EnteredList(
        command=command,
        at=at_time(moment),
        entries=tuple(entry.id for entry in entries),
        singles=tuple(number for number in numbers if number in waiting),
        removed=tuple(key for key in keys if key in gone),
        stays=next((entry.id for entry in entries if why_not_removed(state, entry)), ""),
    )
