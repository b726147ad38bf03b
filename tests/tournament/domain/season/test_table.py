"""Seasons add up: drop rules, shared places, missed tournaments, against a plain way of
counting.
"""

from itertools import combinations
from random import Random

import pytest

from tournament.domain.season.rules import BY_PLACE, SeasonRule
from tournament.domain.season.table import (
    Placed,
    SeasonTable,
    results_to_count,
    season_table,
    shares,
)
from tournament.domain.standings.values import Entry

type Event = list[tuple[str, int, int]]  # players, rank, points


def placed(event: Event) -> list[Placed]:
    return [
        Placed(players=tuple(players.split("&")), rank=rank, points=points)
        for players, rank, points in event
    ]


def table(rule: SeasonRule, *events: Event) -> SeasonTable:
    return season_table(
        rule, [(str(number), placed(event)) for number, event in enumerate(events, 1)]
    )


def points(of: SeasonTable) -> dict[str, int]:
    return {row.player: row.points for row in of.rows}


FIRST: Event = [("a&b", 1, 400), ("c&d", 2, 300), ("e&f", 3, 100)]
SECOND: Event = [("a&c", 1, 500), ("e&f", 2, 200)]
THIRD: Event = [("d&c", 1, 300), ("a&b", 2, 250)]


def test_partners_get_the_points_of_their_entry_and_who_missed_a_tournament_none() -> None:
    found = table(SeasonRule(), FIRST, SECOND)

    assert points(found) == {"a": 900, "c": 800, "b": 400, "d": 300, "e": 300, "f": 300}
    (a,) = [row for row in found.rows if row.player == "a"]
    (b,) = [row for row in found.rows if row.player == "b"]
    assert [result.rank for result in a.results] == [1, 1]
    assert [(result.rank, result.points) for result in b.results] == [(1, 400), (0, 0)]


def test_equal_sums_are_told_apart_by_better_places_and_share_a_rank_where_these_are_equal() -> (
    None
):
    found = table(SeasonRule(), FIRST, SECOND)

    assert [(row.rank, row.player) for row in found.rows] == [
        (1, "a"),
        (2, "c"),
        (3, "b"),
        (4, "e"),
        (4, "f"),
        (6, "d"),
    ]


def test_more_places_are_better_than_fewer() -> None:
    """Both have 300 points: d was second once, e second and third."""
    found = table(SeasonRule(), FIRST, SECOND)
    rank = {row.player: row.rank for row in found.rows}

    assert rank["e"] < rank["d"]


def test_the_best_so_many_count() -> None:
    found = table(SeasonRule(best=2), FIRST, SECOND, THIRD)

    assert points(found)["a"] == 900
    assert [
        result.counts for result in next(row for row in found.rows if row.player == "a").results
    ] == [True, True, False]


def test_the_worst_so_many_are_left_out_missed_ones_first() -> None:
    found = table(SeasonRule(worst=1), FIRST, SECOND, THIRD)
    b = next(row for row in found.rows if row.player == "b")

    assert (b.points, [result.counts for result in b.results]) == (650, [True, False, True])


def test_one_result_counts_however_many_are_left_out() -> None:
    assert [results_to_count(SeasonRule(worst=3), events) for events in range(6)] == [
        0,
        1,
        1,
        1,
        1,
        2,
    ]
    assert [results_to_count(SeasonRule(best=3), events) for events in range(6)] == [
        0,
        1,
        2,
        3,
        3,
        3,
    ]


def test_equal_places_share_theirs() -> None:
    tied: Event = [("a", 1, 300), ("b", 1, 300), ("c", 3, 200), ("d", 4, 100)]

    assert points(table(SeasonRule(points=BY_PLACE, places=(1200, 1000, 500)), tied)) == {
        "a": 1100,
        "b": 1100,
        "c": 500,
        "d": 0,
    }


def test_who_played_for_two_entries_has_the_better_one() -> None:
    twice: Event = [("a&b", 1, 300), ("a&c", 2, 200)]

    assert points(table(SeasonRule(), twice)) == {"a": 300, "b": 300, "c": 200}


def stood_in(rule: SeasonRule) -> SeasonTable:
    """Entry a & b won 300 of its 400 points in three rounds; in the last one s sat there for a, and
    later won something else.
    """
    entry = Entry(id="1", name="1", players=("a", "b"), earlier=((3, ("a", "b")), (4, ("s", "b"))))
    of_each = shares(entry, {1: 100, 2: 100, 3: 100, 4: 100}, 5)
    event = [
        Placed(players=("a", "b"), rank=1, points=400, shares=of_each),
        Placed(players=("c", "d"), rank=2, points=300),
    ]
    return season_table(rule, [("1", event), ("2", placed([("s&c", 1, 200)]))])


def test_points_go_to_who_played_when_they_were_won() -> None:
    found = stood_in(SeasonRule())

    assert points(found) == {"a": 300, "b": 400, "c": 500, "d": 300, "s": 300}
    (s,) = [row for row in found.rows if row.player == "s"]
    assert [
        (result.rank, result.points, result.stood_in, result.missed) for result in s.results
    ] == [
        (0, 100, True, False),
        (1, 200, False, False),
    ]


def test_places_are_worth_as_much_as_was_played_for_them() -> None:
    found = points(stood_in(SeasonRule(points=BY_PLACE, places=(1000, 500))))

    assert found == {"a": 800, "b": 1000, "c": 1500, "d": 500, "s": 1200}


def test_a_round_before_the_entry_joined_counts_for_those_it_began_with() -> None:
    entry = Entry(id="1", name="1", players=("s",), earlier=((3, ("a",)),), joined_in=3)

    assert {
        share.player: share.points
        for share in shares(entry, {0: -50, 1: 50, 2: 50, 3: 100, 4: 7}, 4)
    } == {"a": 150, "s": 7}


@pytest.mark.parametrize("seed", range(40))
def test_the_sum_is_the_greatest_that_so_many_results_can_have(seed: int) -> None:
    """Every choice of results is tried; the order of tournaments changes no sum and no rank."""
    chance = Random(seed)
    events = [
        [
            (player, place, chance.choice((0, 50, 100, 100, 300, -50)))
            for place, player in enumerate(chance.sample("abcdef", 4), 1)
        ]
        for _ in range(chance.randint(1, 6))
    ]
    rule = chance.choice(
        (
            SeasonRule(),
            SeasonRule(best=chance.randint(1, 4)),
            SeasonRule(worst=chance.randint(1, 4)),
        )
    )
    found = table(rule, *events)

    for row in found.rows:
        mine = [
            next((points for player, _, points in event if player == row.player), 0)
            for event in events
        ]
        assert row.points == max(map(sum, combinations(mine, results_to_count(rule, len(events)))))
        assert sum(result.counts for result in row.results) == results_to_count(rule, len(events))
    turned = table(rule, *reversed(events))
    assert {row.player: (row.rank, row.points) for row in turned.rows} == {
        row.player: (row.rank, row.points) for row in found.rows
    }
    assert [row.rank for row in found.rows] == sorted(row.rank for row in found.rows)
