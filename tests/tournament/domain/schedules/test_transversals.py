"""Seatings with one of each group at every table."""

from itertools import combinations, product

import pytest

from tournament.domain.schedules.transversals import transversals

FOUND = {6: 5, 10: 9, 12: 12, 14: 12, 15: 13, 18: 16}  # the tables that no ring serves


@pytest.mark.parametrize(("tables", "groups"), [*product(range(1, 31), (4, 5))])
def test_everybody_sits_in_every_seating_and_nobody_with_anybody_twice(
    tables: int, groups: int
) -> None:
    met: set[object] = set()
    for seating in transversals(tables, groups):
        assert len(seating) == tables
        for group in range(groups):
            assert sorted(places[group] for places in seating) == list(range(tables))
        for places in seating:
            pairs = set(combinations(enumerate(places), 2))
            assert met.isdisjoint(pairs)
            met |= pairs


@pytest.mark.parametrize("tables", range(5, 20))
def test_there_are_as_many_as_tables_or_as_were_found(tables: int) -> None:
    for groups in (4, 5):
        assert len(transversals(tables, groups)) == FOUND.get(tables, tables)


def test_where_nothing_else_is_known_the_whole_number_rule_holds() -> None:
    """Rounds r with (groups - 1) · (r - 1) below the number of tables."""
    assert [len(transversals(tables, 4)) for tables in (1, 2, 3, 21, 22)] == [1, 1, 1, 7, 8]
    assert [len(transversals(tables, 5)) for tables in (4, 20, 21, 24)] == [1, 5, 6, 6]
