"""The results of a tournament as a feed: an entry for each table of a round, as of when it was
recorded.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from ledger.models import Event
from ledger.reading import events_in
from tournament.accounts.permissions import Visitor
from tournament.domain.tournament.counting import EXCUSED, FORFEIT, GAME, TYPED
from tournament.domain.tournament.state import RoundState
from tournament.domain.tournament.subject import AtTable
from tournament.domain.tournament.subjects import SHAPES
from tournament.formats.atom import FeedEntry
from tournament.models import Tournament
from tournament.queries.history_lines import at_time
from tournament.queries.number_format import hundredths
from tournament.queries.tournament import (
    SeatedEntry,
    ShownTable,
    TournamentView,
    is_silent,
    list_tables,
    points_by_round,
)

MOST = 100  # results in a feed: the latest
SETTLED = frozenset({TYPED, GAME, FORFEIT, EXCUSED})
OF_A_TABLE = sorted({name for (name, _schema), fact in SHAPES.items() if issubclass(fact, AtTable)})

type ByTable = Mapping[tuple[int, int], int]  # moments in microseconds, by round and table


def result_entries(
    at: TournamentView, visitor: Visitor, pages: Mapping[int, str]
) -> list[FeedEntry]:
    """The results that this visitor may see, the one recorded last first; `pages` are the addresses
    of the rounds.
    """
    times, points = _times_by_table(at.row), points_by_round(at)
    found = [
        (each, shown)
        for each in at.state.rounds
        if each.published and not is_silent(at, visitor, each.number)
        for shown in list_tables(at, each, known=points)
        if shown.counts in SETTLED
    ]
    played = _read_recording_times(
        at.row, [shown.game.position for _each, shown in found if shown.game]
    )
    entries = [
        _entry(at, each, shown, _find_update_time(each, shown, times, played), pages[each.number])
        for each, shown in found
    ]
    return sorted(entries, key=lambda entry: entry.updated, reverse=True)[:MOST]


def recorded_at(row: Tournament, version: int) -> datetime:
    """When this step of a tournament was recorded."""
    moments = events_in(row.salon.log_id, [row.pk]).filter(version=version)
    return at_time(moments.values_list("recorded_at", flat=True).first() or 0)


def _entry(
    at: TournamentView, each: RoundState, shown: ShownTable, updated: datetime, page: str
) -> FeedEntry:
    table = shown.table.table
    return FeedEntry(
        key=f"{at.row.pk}/round-{each.number}/table-{table}",
        title=_("Round %(number)d, table %(table)d: %(result)s")
        % {"number": each.number, "table": table, "result": ", ".join(_lines(shown.seated))},
        text="\n".join(_table_lines(shown)),
        address=page,
        updated=updated,
    )


def _lines(seated: Sequence[SeatedEntry]) -> Iterator[str]:
    for seat in seated:
        score = seat.result.score if seat.result is not None else None
        yield f"{seat.name} {hundredths(score)}" if score is not None else seat.name


def _table_lines(shown: ShownTable) -> Iterator[str]:
    """A line an entry: its score and its points; then what else is to be known of the table."""
    for line, seat in zip(_lines(shown.seated), shown.seated, strict=True):
        points = "" if seat.points is None else hundredths(seat.points)
        absent = _("absent") if seat.absent else ""
        worth = _("%(points)s points") % {"points": points} if points else ""
        yield ", ".join(filter(None, [line, worth, absent]))
    if shown.counts == FORFEIT:
        yield _("Without a game.")
    if shown.counts == EXCUSED:
        yield _("It goes without a result.")


def _find_update_time(
    each: RoundState, shown: ShownTable, times: ByTable, played: Mapping[int, int]
) -> datetime:
    """When what counts at a table was recorded: by the desk or at the table, whichever is later."""
    moment = times.get((each.number, shown.table.table), 0)
    if shown.game is not None and shown.counts == GAME:
        moment = max(moment, played.get(shown.game.position, 0))
    return at_time(moment)


def _times_by_table(row: Tournament) -> ByTable:
    """When the desk recorded something of a table last."""
    lines = (
        events_in(row.salon.log_id, [row.pk])
        .filter(type__in=OF_A_TABLE)
        .order_by("version")
        .values_list("body", "recorded_at")
    )
    found: dict[tuple[int, int], int] = {}
    for body, moment in lines:
        about = json.loads(body)
        found[about["round"], about["table"]] = moment
    return found


def _read_recording_times(row: Tournament, positions: Sequence[int]) -> Mapping[int, int]:
    """When the entries at these positions of the log were recorded."""
    found = Event.objects.filter(log=row.salon.log_id, position__in=positions)
    return dict(found.values_list("position", "recorded_at"))
