"""Matches of two teams at several tables as pages show them: which tables they are, and how the
match stands by the sum over them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.domain.standings.scales import NEEDED
from tournament.domain.standings.values import HUNDREDTHS, Stage
from tournament.domain.tournament.counting import results_of
from tournament.domain.tournament.outcomes import Outcome
from tournament.domain.tournament.state import RoundState, State, TableState
from tournament.queries.number_format import hundredths


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTeam:
    """A team of a match: its `sum` over the tables that have a result (hundredths; None before the
    first), and its standing points (hundredths) once all have.
    """

    entry: str
    name: str
    sum: int | None
    points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMatch:
    """A match of several tables by their numbers; those in `lacking` have no result yet."""

    tables: tuple[int, ...]
    teams: tuple[MatchTeam, ...]
    lacking: tuple[int, ...]

    @property
    def has_begun(self) -> bool:
        """Whether one of its tables has a result."""
        return any(team.sum is not None or team.points is not None for team in self.teams)

    @property
    def is_decided(self) -> bool:
        """Whether it has its result."""
        return all(team.points is not None for team in self.teams)

    @property
    def sums(self) -> str:
        """The score by the sums so far, `490 : 350`; "" before its first result."""
        return _beside([team.sum for team in self.teams])

    @property
    def points(self) -> str:
        """The points of both, `1 : 0`; "" before it is decided."""
        return _beside([team.points for team in self.teams])

    @property
    def names(self) -> str:
        """The names of both: `Foxes – Owls`."""
        return " \N{EN DASH} ".join(team.name for team in self.teams)


def _beside(numbers: Sequence[int | None]) -> str:
    known = [hundredths(number) for number in numbers if number is not None]
    return " : ".join(known) if len(known) == len(numbers) else ""


def build_match(
    state: State,
    outcomes: Mapping[str, Outcome],
    names: Mapping[str, str],
    each: RoundState,
    table: TableState,
    points: Sequence[int],
) -> ShownMatch | None:
    """The match that a table of a round is of, with what its two teams came to by the scale
    (`points`, in the order of its first table); None where it is played at this table alone.
    """
    match = state.match_of(each.number, table)
    if len(match) == 1:
        return None
    stage = state.stage_in(each.number)
    results = {other.table: results_of(other, outcomes, stage) for other in match}
    entries = match[0].entries
    return ShownMatch(
        tables=tuple(results),
        teams=tuple(
            MatchTeam(
                entry=entry,
                name=names.get(entry, entry),
                sum=_sum_of(match, outcomes, stage, entry),
                points=points[place] if points else None,
            )
            for place, entry in enumerate(entries)
        ),
        lacking=tuple(
            other.table for other in match if not (results[other.table] or other.excused)
        ),
    )


def part_words(state: State, each: RoundState, table: TableState) -> str:
    """Which table of its match a table is: `table 1 of 2 of the match`; "" where a match has
    one.
    """
    match = [other.table for other in state.match_of(each.number, table)]
    if len(match) == 1:
        return ""
    said = {"place": match.index(table.table) + 1, "tables": len(match)}
    return _("Table %(place)d of %(tables)d of the match") % said


def whole_part_words(
    state: State, names: Mapping[str, str], each: RoundState, table: TableState
) -> str:
    """The same with who meets, for where nothing else says it: `Foxes – Owls, table 1 of 2 of the
    match`.
    """
    match = [other.table for other in state.match_of(each.number, table)]
    if len(match) == 1:
        return ""
    return _("%(teams)s, table %(place)d of %(tables)d of the match") % {
        "teams": " \N{EN DASH} ".join(names.get(entry, entry) for entry in table.entries),
        "place": match.index(table.table) + 1,
        "tables": len(match),
    }


def _sum_of(
    match: Sequence[TableState], outcomes: Mapping[str, Outcome], stage: Stage, entry: str
) -> int | None:
    """The sum of a team over the tables of its match so far, in what the scale counts."""
    counted, found = NEEDED[stage.scale.kind], list[int]()
    for table in match:
        results = results_of(table, outcomes, stage)
        value = getattr(results[table.entries.index(entry)], counted) if results else None
        if value is not None:
            found.append(value if counted == "score" else HUNDREDTHS * value)
    return sum(found) if found else None
