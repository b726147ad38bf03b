"""Who deals first at tables of three to five."""

from collections import Counter

import pytest

from tournament.domain.schedules.order_of_seats import order_of_seats, with_dealers
from tournament.domain.schedules.pod_plan import pod_plan


def test_who_has_dealt_first_least_often_deals_first_and_so_on() -> None:
    tables = [("a", "b", "c", "d"), ("e", "f", "g")]
    dealt = {"a": 2, "b": 1, "c": 3, "f": 1, "g": 1}

    assert order_of_seats(tables, dealt, seed=1, number=4)[0] == ("d", "b", "a", "c")
    assert order_of_seats(tables, dealt, seed=1, number=4)[1][0] == "e"


def test_ties_go_by_lot() -> None:
    orders = {order_of_seats([("a", "b", "c")], {}, seed=seed, number=1)[0] for seed in range(100)}

    assert len(orders) == 6


@pytest.mark.parametrize(
    ("players", "sizes"), [(32, (4,)), (31, (5, 4)), (100, (4, 3)), (40, (3,)), (16, (4,))]
)
def test_in_a_plan_everybody_deals_first_about_equally_often(
    players: int, sizes: tuple[int, ...]
) -> None:
    plan = pod_plan(players, sizes, None, seed=1)
    seated = with_dealers(plan, seed=1)

    for before, after in zip(plan.rounds, seated.rounds, strict=True):
        assert [sorted(table.places) for table in before.tables] == [
            sorted(table.places) for table in after.tables
        ]
        assert before.out == after.out
    dealt = Counter(table.places[0] for each in seated.rounds for table in each.tables)
    times = [dealt[player] for player in range(players)]
    assert max(times) - min(times) <= 2
