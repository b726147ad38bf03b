"""A match of two teams that is played at several tables at once (formats.md F10): its tables stand
as one wherever points are counted, with each of them in its `parts`.

The match is decided by the sum over its tables: scores, chips, tricks and the like are added up for
each team, and the scale counts these sums once. Players of bridge, bowls and leagues know it so:
one table lost by a little and another won by a lot make a won match, and a win is worth as much as
a bye, however many tables there are. What the scale gives at each table is not added up, for then a
win each would make every match at two tables a draw. Sums are whole numbers, so nothing is rounded
before the scale counts them.
"""

from collections.abc import Sequence
from dataclasses import fields, replace

from scoring.errors import RuleViolation
from tournament.domain.standings.values import Result, Round, SeatedTable, Stage, Tournament


def join_matches(tournament: Tournament) -> Tournament:
    """The tournament with the tables of each match as one, in the stages whose matches have
    several.
    """
    if all(tournament.stage_of(each).tables_a_match == 1 for each in tournament.rounds):
        return tournament
    return replace(
        tournament,
        rounds=tuple(
            each if tournament.stage_of(each).tables_a_match == 1 else _join_round(each)
            for each in tournament.rounds
        ),
    )


def part_tables(tables: Sequence[SeatedTable]) -> tuple[SeatedTable, ...]:
    """All tables by themselves, those of one match one after the other."""
    return tuple([part for table in tables for part in table.parts or (table,)])


def check_parts(stage: Stage, tables: Sequence[SeatedTable], path: str) -> None:
    """Raise RuleViolation `bad_table` where a match of a round has not as many tables as the stage
    plays, `bad_result` where a table of it is given points that its scores would have to bring.
    """
    if stage.tables_a_match == 1:
        return
    for seat, table in enumerate(tables):
        there = sum(set(other.entries) == set(table.entries) for other in tables)
        if there != stage.tables_a_match:
            raise RuleViolation(
                "bad_table",
                "%(entries)s meet at %(there)s tables; a match of this stage has %(tables)s",
                rule="F10",
                path=f"{path}.tables[{seat}].entries",
                entries=" and ".join(table.entries),
                there=there,
                tables=stage.tables_a_match,
            )
        for entry, result in zip(table.entries, table.results, strict=False):
            if result.points is not None and not table.forfeit:
                raise points_at_a_part(f"{path}.tables[{seat}].result.{entry}.points", table.table)


def points_at_a_part(path: str, table: int) -> RuleViolation:
    """That one table of a match was given points of its own."""
    return RuleViolation(
        "bad_result",
        "table %(table)s is one of several of a match, which is decided by the sum of their "
        "results; enter what was reached there, not points",
        rule="F10",
        path=path,
        table=table,
    )


def _join_round(each: Round) -> Round:
    matches: dict[frozenset[str], list[SeatedTable]] = {}
    for table in each.tables:
        matches.setdefault(frozenset(table.entries), []).append(table)
    return replace(each, tables=tuple(_join_tables(parts) for parts in matches.values()))


def _join_tables(parts: Sequence[SeatedTable]) -> SeatedTable:
    """The tables of a match as one; without a result until all have theirs. Whoever did not come to
    one of them has forfeited the match: no sum makes up for what was never played.
    """
    first = parts[0]
    forfeited = [part for part in parts if part.forfeit and part.results]
    if forfeited:
        results = _least_points(first.entries, forfeited)
    elif all(part.results for part in parts):
        results = tuple(
            _sum_of([_result(part, entry) for part in parts]) for entry in first.entries
        )
    else:
        results = ()
    settled = all(part.results or part.excused for part in parts)
    return replace(
        first,
        results=results,
        forfeit=bool(forfeited),
        excused=settled and not results,
        hands=None,
        parts=tuple(parts),
    )


def _least_points(entries: Sequence[str], forfeited: Sequence[SeatedTable]) -> tuple[Result, ...]:
    """The result of each team in a forfeited match, at several tables the least of them."""
    return tuple(
        Result(points=min(_result(part, entry).points or 0 for part in forfeited))
        for entry in entries
    )


def _result(part: SeatedTable, entry: str) -> Result:
    return part.results[part.entries.index(entry)]


def _sum_of(results: Sequence[Result]) -> Result:
    """The sum of what one team reached at its tables, of each number that all of them have."""
    sums: dict[str, int] = {}
    for each in fields(Result):
        given = [value for result in results if (value := getattr(result, each.name)) is not None]
        if len(given) == len(results):
            sums[each.name] = sum(given)
    return Result(**sums)
