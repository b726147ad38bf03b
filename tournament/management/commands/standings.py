"""`manage.py standings FILE…`: who stands where in recorded tournaments. It needs no database and
stores nothing.
"""

from scoring.game import ResultTable
from tournament.domain.standings.ranking import Standing, Standings
from tournament.domain.standings.stages import (
    check_cuts,
    stage_standings,
    stages_begun,
    whole_standings,
)
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import Tournament
from tournament.domain.standings.writing import number, number_if_any
from tournament.management.files import Answer, TournamentsCommand


class Command(TournamentsCommand):
    """Print the standings of every tournament of the files; exit status 1 when one was refused."""

    help = (
        "Print the standings of recorded tournaments; nothing is stored and no database is needed."
    )

    def choose_answer(self, **_options: object) -> Answer:
        """Return the function that answers with the standings."""
        return _answer


def _answer(tournament: Tournament) -> tuple[dict[str, object], ResultTable]:
    check_cuts(tournament)
    found = whole_standings(tournament)
    fields: dict[str, object] = {
        "id": tournament.id,
        "after_round": found.after_round,
        "rows": [_row(row) for row in found.rows],
    }
    if tournament.stages:
        fields["stages"] = [
            {"stage": stage, "rows": [_row(row) for row in stage_standings(tournament, stage).rows]}
            for stage in stages_begun(tournament)
        ]
    return fields, _for_people(tournament, found)


def _row(row: Standing) -> dict[str, object]:
    return {
        "rank": row.rank,
        "entry": row.entry,
        "points": number_if_any(row.points),
        "tie_breaks": {name: number(value) for name, value in row.tie_breaks},
        "played": row.played,
        **({"side": row.side} if row.side else {}),
    }


def _for_people(tournament: Tournament, found: Standings) -> ResultTable:
    names = {entry.id: entry.name for entry in tournament.entries}
    shown = tuple(dict.fromkeys(name for row in found.rows for name, _value in row.tie_breaks))
    return ResultTable(
        columns=("rank", "entry", "points", *(TIE_BREAKS[name].title for name in shown), "played"),
        rows=tuple(
            (
                f"{row.side} {row.rank}".strip(),
                names[row.entry],
                "–" if row.points is None else f"{number(row.points)}",
                *(_value(row, name) for name in shown),
                str(row.played),
            )
            for row in found.rows
        ),
        sums=(
            f"After round {found.after_round}.",
            *(
                f"Table {table} of round {number} has no result yet."
                for number, table in found.missing
            ),
            *(
                f"{TIE_BREAKS[name].title}: {TIE_BREAKS[name].meaning} ({TIE_BREAKS[name].source})"
                for name in shown
            ),
        ),
    )


def _value(row: Standing, name: str) -> str:
    """Return the value of a row in a tie-break; "" if its stage doesn't count that."""
    values = dict(row.tie_breaks)
    return f"{number(values[name])}" if name in values else ""
