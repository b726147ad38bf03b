"""Who gets which number of a plan."""

from itertools import combinations
from random import Random

import pytest

from tests.tournament.domain.schedules.plans import meetings
from tournament.domain.pairing.numbering import numbers_by_club, numbers_by_lot, numbers_by_snake
from tournament.domain.schedules.pod_plan import pod_plan
from tournament.domain.schedules.pods import pods


@pytest.mark.parametrize(
    ("players", "sizes"), [(31, (5, 4)), (32, (4,)), (28, (4,)), (40, (3,)), (7, (3,)), (24, (4,))]
)
def test_everybody_gets_a_number_of_his_own(players: int, sizes: tuple[int, ...]) -> None:
    chance = Random(players)
    plan = pod_plan(players, sizes, None, seed=1)
    ratings = [chance.choice((None, 1500, chance.randint(1000, 2000))) for _ in range(players)]
    clubs = [chance.choice((None, "a", "b", "c")) for _ in range(players)]
    for numbers in (
        numbers_by_lot(players, seed=3),
        numbers_by_snake(ratings, plan, seed=3),
        numbers_by_club(clubs, plan, seed=3),
    ):
        assert sorted(numbers) == list(range(players))
    assert numbers_by_lot(players, seed=3) != numbers_by_lot(players, seed=4)


def test_seeds_go_to_and_fro_over_the_tables_of_the_first_round() -> None:
    plan = pods(20, tables=5, seats=4)
    ratings = [2000 - 10 * entry for entry in range(20)]

    numbers = numbers_by_snake(ratings, plan, seed=1)

    seed_of = {number: entry + 1 for entry, number in enumerate(numbers)}
    assert [[seed_of[place] for place in table.places] for table in plan.rounds[0].tables] == [
        [1, 10, 11, 20],
        [2, 9, 12, 19],
        [3, 8, 13, 18],
        [4, 7, 14, 17],
        [5, 6, 15, 16],
    ]


def test_tables_by_seeds_are_more_even_than_by_lot_in_every_round() -> None:
    plan = pods(32, tables=8, seats=4, rounds=8)
    ratings = [2000 - 10 * entry for entry in range(32)]

    def uneven(numbers: tuple[int, ...]) -> list[int]:
        rating = dict(zip(numbers, ratings, strict=True))
        sums = [
            [sum(rating[place] for place in table.places) for table in each.tables]
            for each in plan.rounds
        ]
        return [max(each) - min(each) for each in sums]

    seeded = uneven(numbers_by_snake(ratings, plan, seed=1))
    assert seeded[0] == 0
    assert max(seeded) < min(uneven(numbers_by_lot(32, seed=1)))


def test_who_has_no_rating_comes_last_and_equal_ones_go_by_lot() -> None:
    plan = pods(12, tables=4, seats=3)
    ratings = [None, *[1500] * 4, *[1400] * 7]

    assert numbers_by_snake(ratings, plan, seed=1)[0] in plan.groups[-1]
    assert numbers_by_snake([None, *[-10] * 11], plan, seed=1)[0] == plan.groups[-1][-1]
    firsts = {numbers_by_snake(ratings, plan, seed=seed).index(0) for seed in range(60)}
    assert firsts == {1, 2, 3, 4}


def test_a_club_that_fits_into_a_group_never_meets() -> None:
    # Groups of 11, 11, 11 and 9: the five only fit if each goes where it just has room.
    plan = pods(42, tables=11, seats=4, rounds=11)
    clubs = [*["a"] * 9, *["b"] * 9, *["c"] * 7, *["d"] * 5, *["e"] * 5, *[None] * 7]
    Random(1).shuffle(clubs)

    for seed in range(20):
        numbers = numbers_by_club(clubs, plan, seed=seed)
        met = meetings(plan)
        for one, two in combinations(range(42), 2):
            if clubs[one] is not None and clubs[one] == clubs[two]:
                assert not met[frozenset((numbers[one], numbers[two]))]


def test_a_club_too_large_for_a_group_goes_into_as_few_as_hold_it() -> None:
    plan = pods(28, tables=7, seats=4, rounds=7)
    numbers = numbers_by_club([*["a"] * 12, *[None] * 16], plan, seed=2)

    inside = [sum(number in group for number in numbers[:12]) for group in plan.groups]
    assert sorted(inside) == [0, 0, 5, 7]
