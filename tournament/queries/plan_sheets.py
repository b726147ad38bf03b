"""A plan as sheets to print or to keep: every round with its tables, and the crosstable."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from scoring.errors import RuleViolation
from tournament.accounts.permissions import Visitor
from tournament.formats.sheets import Cell, Sheet
from tournament.queries.crosstables import MOST_CROSSED, crossed_rows
from tournament.queries.plans import PlanRound, PlanTable, ShownPlan, planned_or_404, shown_plan
from tournament.queries.tournament import Directed


def plan_sheet(at: Directed, visitor: Visitor, words: Mapping[str, str]) -> Sheet:
    """A row for every table of every round, and one for those who sit out. Raises Http404 where
    no plan may be seen, RuleViolation where none fits the entries.
    """
    seen = planned_or_404(at, visitor)
    plan = shown_plan(seen, visitor)
    deals = plan.has_deals
    keys = [("round", words["round"]), ("table", words["table"]), ("name", _("Who sits there"))]
    rows = [row for each in plan.rounds for row in _rows_of(each, words["out"])]
    return Sheet(
        title=_("%s, plan") % at.row.name,
        columns=tuple(keys + ([("deals", _("Deals"))] if deals else [])),
        rows=tuple(row if deals else row[:-1] for row in rows),
    )


def crosstable_sheet(at: Directed, visitor: Visitor, words: Mapping[str, str]) -> Sheet:
    """A row and a column for every entry, in the cells the rounds in which two meet, with a plus as
    partners.

    Raises Http404 where no plan may be seen, RuleViolation where none fits, or too many play.
    """
    seen = planned_or_404(at, visitor)
    plan = shown_plan(seen, visitor)
    _check_crossed(plan)
    crossed = crossed_rows(seen, visitor, plan)
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
                    "\N{MULTIPLICATION SIGN}"
                    if met is None
                    else " ".join(f"{one.round}{'+' if one.together else ''}" for one in met)
                    for met in each.cells
                ),
            )
            for each in crossed
        ),
    )


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
    """Who sits at a table, each with the seat where that is known."""
    return " \N{MIDDLE DOT} ".join(
        f"{seat.name or '–'} {seat.side}".strip() for seat in table.seats
    )
