"""The crosstable of results that hangs on the wall: a row for every entry in the order of the
standings, a column for every round.
"""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from tournament.accounts.permissions import Visitor
from tournament.domain.standings.results_by_round import FORFEIT_LOST, FORFEIT_WON, PLAYED, Line
from tournament.domain.standings.stages import courses_of_stages
from tournament.domain.standings.writing import number
from tournament.domain.tournament.standings_view import field_of
from tournament.formats.sheets import Cell, Sheet
from tournament.queries.number_format import hundredths
from tournament.queries.tournament import Directed
from tournament.queries.visible import shown_standings

SIGNS = {FORFEIT_WON: "+", FORFEIT_LOST: "\N{MINUS SIGN}", "half": "½", "zero": "–"}


def wall_chart(at: Directed, visitor: Visitor, last: int, words: Mapping[str, str]) -> Sheet:
    """Every entry with whom it met in each of the first `last` rounds and what it scored, then its
    points and rank as this visitor may see them. `words` are the headings.
    """
    shown = [each.number for each in at.state.rounds if each.published and each.number <= last]
    courses = courses_of_stages(field_of(at.state, at.outcomes))
    table, _hidden = shown_standings(at, visitor)
    stands = {row.entry: row for row in table.rows} if table is not None else {}
    order = [*stands, *(each.id for each in at.state.entries if each.id not in stands)]
    rows = [
        (
            stands[entry].rank if entry in stands else None,
            entry,
            at.entries[entry],
            *_cells({line.round: line for line in courses.get(entry, ())}, shown),
            number(stands[entry].points) if entry in stands else None,
        )
        for entry in order
    ]
    return Sheet(
        title=_("%s, results round by round") % at.row.name,
        columns=(
            ("rank", words["rank"]),
            ("entry", words["entry"]),
            ("name", words["name"]),
            *((f"round_{each}", _("R%(number)d") % {"number": each}) for each in shown),
            ("points", words["points"]),
        ),
        rows=tuple(rows),
    )


def _cells(course: Mapping[int, Line], shown: list[int]) -> list[Cell]:
    return [_cell(course[each]) if each in course else "" for each in shown]


def _cell(line: Line) -> str:
    """Whom an entry met and its score, `12: 251`; with whom besides, `+3, 12, 14: 251`; a sign
    where it met nobody.
    """
    met = [f"+{other}" for other in line.partners] + list(line.opponents)
    score = line.result.score if line.result is not None else None
    if line.kind == PLAYED and not met:
        return hundredths(score) if score is not None else ""
    said = hundredths(score) if score is not None else SIGNS.get(line.kind, "")
    if not met:
        return said or "+"
    return f"{', '.join(met)}: {said}" if said else ", ".join(met)
