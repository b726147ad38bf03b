"""A plan as a crosstable: a row and a column for each entry, and in the cell the rounds in which
the two meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.accounts.permissions import Visitor
from tournament.queries.plans import Meeting, ShownPlan, crosstable
from tournament.queries.tournament import TournamentView

MOST_CROSSED = 80  # entries
MOST_ON_A_PAGE = 11_000  # cells and what stands in them: half a megabyte


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedRow:
    """An entry and, in the order of all rows, its meetings with each; None for itself."""

    entry: str
    name: str
    cells: Sequence[Sequence[Meeting] | None]


def fits_a_page(plan: ShownPlan) -> bool:
    """Whether the crosstable is no more than a page has room for; a file has some more."""
    size = plan.counted.size
    met = sum(times * pairs for times, pairs in plan.counted.meetings)
    return size <= MOST_CROSSED and size * size + 2 * met <= MOST_ON_A_PAGE


def list_crosstable_rows(at: TournamentView, visitor: Visitor, plan: ShownPlan) -> list[CrossedRow]:
    """The rows of the crosstable in the order of the entries; whoever never has a table in the plan
    is not in it.
    """
    meetings = crosstable(at, visitor, plan)
    seated = {entry for each in plan.rounds for table in each.tables for entry in table.entries}
    keys = [entry.id for entry in at.state.entries if entry.id in seated]
    return [
        CrossedRow(
            entry=key,
            name=at.entries[key],
            cells=[None if key == other else meetings.get((key, other), ()) for other in keys],
        )
        for key in keys
    ]
