"""Matches of two teams at several tables at once (formats.md F10): drawn as one table each, seated
at as many as the stage says, one after another.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tournament.domain.pairing.seats import first_dealer
from tournament.domain.pairing.values import Draw, DrawnTable
from tournament.domain.standings.values import Seats, Tournament


def at_several_tables(drawn: Draw, tournament: Tournament, number: int) -> Draw:
    """A draw of matches with all their tables: the first has why these two meet, and all have the
    same two in the same seats; who deals first is drawn for each.
    """
    tables = tournament.stage.tables_a_match
    if tables == 1:
        return drawn
    return replace(
        drawn,
        tables=tuple(
            table
            for match in drawn.tables
            for table in tables_of(_move_to_first_table(match, tables), tournament, number)
        ),
    )


def tables_of(first: DrawnTable, tournament: Tournament, number: int) -> Iterator[DrawnTable]:
    """The tables of a match whose first is this, in round `number` of its stage."""
    for table in range(first.table, first.table + tournament.stage.tables_a_match):
        dealer = first_dealer(
            tournament.game, seed=tournament.lots_seed, number=number, table=table
        )
        if table == first.table:
            yield replace(first, dealer=dealer)
        else:
            yield replace(first, table=table, dealer=dealer, why=(), next_best=None)


def matches_at[Table: Seats](tables: Iterable[Table]) -> Sequence[Table]:
    """The first table of each match of a round, in order; each table where a match has one."""
    first: dict[frozenset[str], Table] = {}
    for table in tables:
        first.setdefault(frozenset(table.entries), table)
    return list(first.values())


def _move_to_first_table(match: DrawnTable, tables: int) -> DrawnTable:
    """A match drawn at the table of its number, at the first of its own."""
    best = match.next_best
    if best is not None and best.other_table is not None:
        best = replace(best, other_table=_first_table(best.other_table, tables))
    return replace(match, table=_first_table(match.table, tables), next_best=best)


def _first_table(match: int, tables: int) -> int:
    return (match - 1) * tables + 1
