"""The path of an entry through a tournament: round by round whom it met and what came of it."""

from dataclasses import dataclass
from typing import Any

from tournament.access import Visitor
from tournament.directing.field import field_of
from tournament.directing.state import RoundState
from tournament.queries.directed import (
    Directed,
    ShownTable,
    is_silent,
    shown_tables,
)
from tournament.standings.course import courses


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One round of an entry's path; `points` None while the result is missing or hidden."""

    round: int
    kind: str
    table: int | None
    opponents: tuple[tuple[str, str], ...]
    own: str
    theirs: str
    points: int | None


def path_of(at: Directed, visitor: Visitor, entry: str) -> list[Step]:
    """The published rounds of an entry, those that are silent for this visitor without result."""
    lines = {line.round: line for line in courses(field_of(at.state, at.outcomes))[entry]}
    steps = []
    for each in at.state.rounds:
        if not each.published:
            continue
        line = None if is_silent(at, visitor, each.number) else lines.get(each.number)
        shown = next((table for table in shown_tables(at, each) if entry in table.table.entries), None)
        steps.append(_step(each, shown, entry, line))
    return steps


def _step(each: RoundState, shown: ShownTable | None, entry: str, line: Any) -> Step:
    points = line.points if line is not None else None
    if shown is None:
        kind = next((bye.kind for bye in each.byes if bye.entry == entry), "zero")
        return Step(round=each.number, kind=kind, table=None, opponents=(), own="", theirs="", points=points)
    scores = {seat.entry: _score(seat.result.score) if seat.result is not None and line is not None else "" for seat in shown.seated}
    others = [seat for seat in shown.seated if seat.entry != entry]
    return Step(
        round=each.number,
        kind=shown.status,
        table=shown.table.table,
        opponents=tuple((seat.entry, seat.name) for seat in others),
        own=scores[entry],
        theirs=", ".join(scores[seat.entry] for seat in others),
        points=points,
    )


def _score(score: int | None) -> str:
    return "" if score is None else f"{score / 100:g}"
