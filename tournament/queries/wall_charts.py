"""Sheets for the wall: the crosstable of results, a row for every entry in the order of the
standings, a column for every round; and a plan with every round and its tables.
"""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from scoring.errors import RuleViolation
from tournament.accounts.permissions import Visitor
from tournament.domain.standings.results_by_round import FORFEIT_LOST, FORFEIT_WON, PLAYED, Line
from tournament.domain.standings.stages import courses_of_stages
from tournament.domain.standings.writing import number_if_any
from tournament.domain.tournament.standings_view import field_of
from tournament.formats.sheets import Cell, Sheet
from tournament.queries.crosstables import MOST_CROSSED, list_crosstable_rows
from tournament.queries.number_format import hundredths
from tournament.queries.plans import (
    Meeting,
    PlanRound,
    PlanTable,
    ShownPlan,
    get_plan_or_404,
    read_plan,
)
from tournament.queries.tournament import TournamentView
from tournament.queries.tournament_visibility import read_visible_standings

SIGNS = {FORFEIT_WON: "+", FORFEIT_LOST: "\N{MINUS SIGN}", "half": "½", "zero": "–"}


def wall_chart(at: TournamentView, visitor: Visitor, last: int, words: Mapping[str, str]) -> Sheet:
    """Every entry with whom it met in each of the first `last` rounds and what it scored, then its
    points and rank as this visitor may see them. `words` are the headings.
    """
    shown = [each.number for each in at.state.rounds if each.published and each.number <= last]
    courses = courses_of_stages(field_of(at.state, at.outcomes))
    table, _hidden = read_visible_standings(at, visitor)
    stands = {row.entry: row for row in table.rows} if table is not None else {}
    order = [*stands, *(each.id for each in at.state.entries if each.id not in stands)]
    rows = [
        (
            stands[entry].rank if entry in stands else None,
            entry,
            at.entries[entry],
            *_cells({line.round: line for line in courses.get(entry, ())}, shown),
            number_if_any(stands[entry].points) if entry in stands else None,
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
        note=_legend(rows),
    )


def _legend(rows: Sequence[Sequence[Cell]]) -> str:
    """The legend of the cells that stand there."""
    cells = [cell for row in rows for cell in row[3:-1] if isinstance(cell, str) and cell]
    told = [
        _("12: 251 – against entry 12, with a score of 251.") if _has_sign(cells, ":") else "",
        _("+3, 12 – with entry 3 as partner, against entry 12.") if _has_sign(cells, ",") else "",
        _("+ – the points of a win without a game.") if _has_sign(cells, "+", at_end=True) else "",
        _("\N{MINUS SIGN} – a loss without a game.")
        if _has_sign(cells, SIGNS[FORFEIT_LOST], at_end=True)
        else "",
        _("½ – a bye with half the points.") if _has_sign(cells, "½") else "",
        _("– – did not play.") if _has_sign(cells, SIGNS["zero"]) else "",
    ]
    return " ".join(filter(None, told))


def _has_sign(cells: Sequence[str], sign: str, *, at_end: bool = False) -> bool:
    return any(cell.endswith(sign) if at_end else sign in cell for cell in cells)


def _cells(course: Mapping[int, Line], shown: list[int]) -> list[Cell]:
    return [_cell(course[each]) if each in course else "" for each in shown]


def _cell(line: Line) -> str:
    """The opponents of an entry and its score, `12: 251`; with partners besides, `+3, 12,
    14: 251`; a sign if it met no one.
    """
    met = [f"+{other}" for other in line.partners] + list(line.opponents)
    score = line.result.score if line.result is not None else None
    if line.kind == PLAYED and not met:
        return hundredths(score) if score is not None else ""
    said = hundredths(score) if score is not None else SIGNS.get(line.kind, "")
    if not met:
        return said or "+"
    return f"{', '.join(met)}: {said}" if said else ", ".join(met)


def plan_sheet(at: TournamentView, visitor: Visitor, words: Mapping[str, str]) -> Sheet:
    """A row for every table of every round, and one for those who sit out. Raises Http404 where
    no plan may be seen, RuleViolation where none fits the entries.
    """
    seen = get_plan_or_404(at, visitor)
    plan = read_plan(seen, visitor)
    deals = plan.has_deals
    keys = [("round", words["round"]), ("table", words["table"]), ("name", _("Who sits there"))]
    rows = [row for each in plan.rounds for row in _rows_of(each, words["out"])]
    return Sheet(
        title=_("%s, plan") % at.row.name,
        columns=tuple(keys + ([("deals", _("Deals"))] if deals else [])),
        rows=tuple(row if deals else row[:-1] for row in rows),
    )


def crosstable_sheet(at: TournamentView, visitor: Visitor, words: Mapping[str, str]) -> Sheet:
    """A row and a column for every entry, in the cells the rounds in which two meet, with a plus as
    partners, and what came of each.

    Raises Http404 where no plan may be seen, RuleViolation where none fits, or too many play.
    """
    seen = get_plan_or_404(at, visitor)
    plan = read_plan(seen, visitor)
    _check_crossed(plan)
    crossed = list_crosstable_rows(seen, visitor, plan)
    together = _("With a plus they are partners.") if plan.counted.partners else ""
    return Sheet(
        title=_("%s, who meets whom in which round") % at.row.name,
        columns=(
            ("entry", words["entry"]),
            ("name", words["name"]),
            *((f"against_{each.entry}", each.entry) for each in crossed),
        ),
        rows=tuple(
            (
                each.entry,
                each.name,
                *(
                    "\N{MULTIPLICATION SIGN}" if met is None else ", ".join(map(_meeting, met))
                    for met in each.cells
                ),
            )
            for each in crossed
        ),
        note=" ".join(
            filter(
                None,
                [_("3: 1 – they meet in round 3, and the entry of the row has 1 of it."), together],
            )
        ),
    )


def _meeting(met: Meeting) -> str:
    """The round of a meeting, and what came of it for the entry of the row: `3+: 1.5`."""
    points = "" if met.points is None else f": {hundredths(met.points)}"
    return f"{met.round}{'+' if met.together else ''}{points}"


def _check_crossed(plan: ShownPlan) -> None:
    if plan.counted.size > MOST_CROSSED:
        raise RuleViolation(
            "too_wide",
            "a crosstable has room for %(most)s entries, not for %(entries)s; the plan says round "
            "by round who meets whom",
            path="what",
            most=MOST_CROSSED,
            entries=plan.counted.size,
        )


def _rows_of(each: PlanRound, out: str) -> Iterator[tuple[Cell, ...]]:
    for table in each.tables:
        yield each.number, table.table, _seats(table), table.deals_text
    if each.out:
        names = " \N{MIDDLE DOT} ".join(name for _entry, name in each.out)
        why = f" ({each.rover})" if each.rover else ""
        yield each.number, None, f"{out}: {names}{why}", ""


def _seats(table: PlanTable) -> str:
    """The people at a table, each with the seat if that is known."""
    return " \N{MIDDLE DOT} ".join(
        f"{seat.name or '–'} {seat.side}".strip() for seat in table.seats
    )
