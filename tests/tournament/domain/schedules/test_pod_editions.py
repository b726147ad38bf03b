"""Plans of the editions that engines 3 and 4 draw: as many rounds as are known, sizes of tables
shared evenly, and what began by an older edition goes on by it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.schedules.plans import check_sound, meetings
from tournament.domain.schedules.even_sizes import size_spread, with_even_sizes
from tournament.domain.schedules.pod_plan import pod_plan, rounds_possible
from tournament.domain.schedules.pod_sizes import table_sizes
from tournament.domain.schedules.values import Plan
from tournament.domain.schedules.verify import prove

PREFERENCES = [(3,), (4,), (3, 4), (4, 3), (5, 4), (5, 4, 3)]
# Rounds with nobody together twice when all seats are taken, seats -> tables: rounds; after it the
# most there can be, where that is more. Six tables of four: 7, as the golfers' tables have it.
MOST = {
    3: "3:4 4:4/5 5:7 6:8 7:10 8:11 9:13 10:14 11:16 12:17 13:19 14:20 15:22 16:23 17:25 18:26 "
    "19:28 20:29",
    4: "4:5 5:5/6 6:7 7:9 8:10 9:11 10:13 11:11/14 12:15 13:17 14:12/18 15:19 16:21 17:17/22",
    5: "5:6 6:6/7 7:7/8 8:8/9 9:9/11 10:9/12 11:11/13 12:9/14 13:13/16",
}
CHOSEN = [(21, (4, 3), 3), (31, (5, 4), 4), (46, (5, 4), 3), (20, (3, 4), 5), (41, (3, 4), 5)]
SEATED = [(21, (4, 3)), (31, (5, 4)), (31, (3, 4)), (33, (4, 3)), (47, (5, 4, 3)), (91, (5, 4))]


def seated(plan: Plan) -> list[Counter[int]]:
    """How often everybody sits at tables of which size, counted anew."""
    times: list[Counter[int]] = [Counter() for _ in range(plan.size)]
    for each in plan.rounds:
        for table in each.tables:
            for player in table.places:
                times[player][len(table.places)] += 1
    return times


@pytest.mark.parametrize("seats", MOST)
def test_tables_of_one_size_have_the_most_rounds_that_are_known(seats: int) -> None:
    for written in MOST[seats].split():
        tables, rounds = written.split(":")
        known, _, bound = rounds.partition("/")
        everybody = int(tables) * seats
        plan = pod_plan(everybody, (seats,), None, seed=1)
        check_sound(plan)
        assert len(plan.rounds) == int(known), (seats, tables)
        assert (everybody - 1) // (seats - 1) == int(bound or known)


@pytest.mark.parametrize(("players", "sizes"), SEATED)
def test_the_proof_counts_who_sits_how_often_at_which_size(
    players: int, sizes: tuple[int, ...]
) -> None:
    plan = pod_plan(players, sizes, 4, seed=1)

    times = seated(plan)
    assert prove(plan).table_sizes == {
        size: Counter(each[size] for each in times) for size in table_sizes(players, sizes)
    }
    assert list(prove(plan).table_sizes) == sorted(set(table_sizes(players, sizes)), reverse=True)


def test_of_tables_of_one_size_none_is_counted() -> None:
    assert prove(pod_plan(32, (4,), 5, seed=1)).table_sizes == {}


@pytest.mark.parametrize(
    "rounds", [4, *(pytest.param(each, marks=pytest.mark.long) for each in (3, 5))]
)
@pytest.mark.parametrize("sizes", [(4, 3), (5, 4), (3, 4)])
def test_in_an_evening_of_a_large_field_everybody_sits_at_each_size_about_as_often(
    sizes: tuple[int, ...], rounds: int
) -> None:
    for players in (61, 63, 94, 151):
        check_even(players, sizes, rounds)


@pytest.mark.long
@pytest.mark.parametrize("sizes", [(4, 3), (5, 4), (3, 4)])
@pytest.mark.parametrize("first", range(60, 251, 10))
def test_so_it_is_in_every_large_field(sizes: tuple[int, ...], first: int) -> None:
    for players in range(first, min(first + 10, 251)):
        check_even(players, sizes, 4)


def check_even(players: int, sizes: tuple[int, ...], rounds: int) -> None:
    plan = pod_plan(players, sizes, rounds, seed=1)
    check_sound(plan)
    times = seated(plan)
    spread = [
        max(each[size] for each in times) - min(each[size] for each in times)
        for size in set(table_sizes(players, sizes))
    ]
    assert size_spread(plan) == max(spread) <= 2, (players, sizes, rounds)


# Who sits how often at tables of which size differs by one at most in every field and evening of
# three to five rounds but these: sizes, rounds -> players:by how much. In those with ! all rounds
# without repeats are played, and none is left to be chosen instead.
UNEVEN: Mapping[tuple[tuple[int, ...], int], str] = {
    ((4, 3), 3): "13:3 14:2 17:2 18:2",
    ((4, 3), 4): "13!:3 14!:2 17:3 18:2 21:2 22:2 26:2",
    ((4, 3), 5): "17!:3 18!:2 21:2 25:2 26:2 34:2",
    ((5, 4), 3): "21:3 22:2 23:2 26:2 27:2 28:2 32:2 37:2",
    ((5, 4), 4): "21:4 22:3 23:2 26:2 27:2 28:2 31:2 32:2 33:2 36:2 37:2",
    ((5, 4), 5): "21!:4 22!:3 23!:2 26!:4 27!:2 31:4 32:3 33:2 36:3 37:3 38:2 41:2 42:2 43:2 47:2 "
    "48:2 62:2",
    ((3, 4), 3): "13:3 14:2 17:2 23:2",
    ((3, 4), 4): "13!:3 14!:2 17:3 19:2",
    ((3, 4), 5): "16!:4 17!:3 19!:5 20:2 22:4 23:3",
}


@pytest.mark.parametrize(("sizes", "rounds"), UNEVEN)
def test_everybody_sits_at_each_size_as_often_but_for_one_round(
    sizes: tuple[int, ...], rounds: int
) -> None:
    check_all_but(sizes, rounds, [*range(3, 40, 7), 62, 250])


@pytest.mark.long
@pytest.mark.parametrize("first", range(3, 251, 31))
@pytest.mark.parametrize(("sizes", "rounds"), UNEVEN)
def test_so_they_do_in_every_field_but_those_named(
    sizes: tuple[int, ...], rounds: int, first: int
) -> None:
    check_all_but(sizes, rounds, range(first, min(first + 31, 251)))


def check_all_but(sizes: tuple[int, ...], rounds: int, fields: Iterable[int]) -> None:
    named = dict(each.split(":") for each in UNEVEN[sizes, rounds].split())
    for players in fields:
        if not has_mixed_tables(players, sizes) or rounds_possible(players, sizes) < rounds:
            continue
        plan = pod_plan(players, sizes, rounds, seed=1)
        check_sound(plan)
        mark = "!" if rounds_possible(players, sizes) == rounds else ""
        allowed = int(named.get(f"{players}{mark}", "1"))
        assert size_spread(plan) in ({0, 1} if allowed == 1 else {allowed}), players


def has_mixed_tables(players: int, sizes: tuple[int, ...]) -> bool:
    try:
        return len(set(table_sizes(players, sizes))) > 1
    except RuleViolation:
        return False


@pytest.mark.parametrize(("players", "sizes", "rounds"), CHOSEN)
def test_other_rounds_of_a_construction_are_played_where_they_seat_more_evenly(
    players: int, sizes: tuple[int, ...], rounds: int
) -> None:
    before = pod_plan(players, sizes, rounds, seed=1, edition=2)
    plan = pod_plan(players, sizes, rounds, seed=1)

    check_sound(plan)
    assert len(plan.rounds) == len(before.rounds) == rounds
    assert size_spread(plan) < size_spread(before)
    assert pod_plan(players, sizes, rounds, seed=1, in_groups=True).groups, "clubs need groups"


@pytest.mark.parametrize("sizes", PREFERENCES[::2])
def test_no_field_has_fewer_rounds_than_before_nor_other_tables(sizes: tuple[int, ...]) -> None:
    for players in (*range(5, 40, 3), 53, 100):
        check_edition(players, sizes)


@pytest.mark.long
@pytest.mark.parametrize("sizes", PREFERENCES)
@pytest.mark.parametrize("first", range(5, 251, 20))
def test_so_it_is_with_every_field(sizes: tuple[int, ...], first: int) -> None:
    for players in range(first, min(first + 20, 251)):
        check_edition(players, sizes)


def check_edition(players: int, sizes: tuple[int, ...]) -> None:
    before = pod_plan(players, sizes, None, seed=1, edition=1)
    plan = pod_plan(players, sizes, None, seed=1)
    check_sound(plan)
    assert len(plan.rounds) == rounds_possible(players, sizes) >= len(before.rounds)
    shapes = {
        tuple(sorted(len(table.places) for table in each.tables))
        for each in (*plan.rounds, *before.rounds)
    }
    assert len(shapes) == 1, players


@pytest.mark.parametrize(("players", "sizes"), SEATED)
def test_groups_stay_whole_where_they_are_asked_for(players: int, sizes: tuple[int, ...]) -> None:
    plan = pod_plan(players, sizes, 5, seed=1, in_groups=True)

    check_sound(plan)
    met = meetings(plan)
    assert not any(met[frozenset((a, b))] for group in plan.groups for a in group for b in group)


@pytest.mark.parametrize("players", [17, 31, 40, 67, 163])
def test_evening_out_keeps_tables_rounds_and_everybody(players: int) -> None:
    plan = pod_plan(players, (3, 4), 4, seed=1, edition=1)
    evened = with_even_sizes(plan)

    check_sound(evened)
    assert size_spread(evened) <= size_spread(plan)
    for one, other in zip(plan.rounds, evened.rounds, strict=True):
        assert [len(table.places) for table in one.tables] == [
            len(table.places) for table in other.tables
        ]
