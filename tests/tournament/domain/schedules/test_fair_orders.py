"""Sitting out is shared first: nobody sits out a second time before everyone has sat out once, if
a construction has such rounds.
"""

from collections import Counter
from collections.abc import Iterator

import pytest

from tournament.domain.schedules.rotating import build_rotating_plan
from tournament.domain.schedules.values import Plan
from tournament.domain.schedules.verify import faults

# Of these fields the only construction leaves over the same numbers too often: size -> the first
# evening whose sitting out can't be even.
UNEVEN = {6: 3, 7: 2, 11: 3, 14: 7, 15: 4, 18: 9, 22: 11, 23: 6, 27: 7, 31: 8, 35: 11, 39: 11}


def unevenness(plan: Plan) -> Iterator[int]:
    """After each round, by how much numbers differ in how often they sat out."""
    times = Counter(dict.fromkeys(range(plan.size), 0))
    for each in plan.rounds:
        times.update(each.out)
        yield max(times.values()) - min(times.values())


@pytest.mark.parametrize("size", [6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31, 34, 41])
def test_nobody_sits_out_twice_before_everyone_has_sat_out_once(size: int) -> None:
    whole = build_rotating_plan(size)
    if whole.construction.startswith("three"):
        return
    for rounds in range(1, min(13, len(whole.rounds))):
        plan = build_rotating_plan(size, rounds)
        assert faults(plan) == []
        if rounds < UNEVEN.get(size, 99):
            assert max(unevenness(plan)) <= 1, (size, rounds)
        before = build_rotating_plan(size, rounds, edition=3)
        assert sum(max(0, each - 1) for each in unevenness(plan)) <= sum(
            max(0, each - 1) for each in unevenness(before)
        )


def test_seven_rounds_of_fourteen_leave_out_all_but_one() -> None:
    plan = build_rotating_plan(14, 7)
    times = Counter(number for each in plan.rounds for number in each.out)

    assert sorted(times[number] for number in range(14)) == [0, *[1] * 12, 2]


@pytest.mark.parametrize("size", [5, 9, 10, 13, 14, 15, 22, 30])
def test_a_complete_cycle_and_older_editions_stay_as_they_were(size: int) -> None:
    for games in (1, 3):
        whole = build_rotating_plan(size, games_a_sitting=games)
        assert whole == build_rotating_plan(size, games_a_sitting=games, edition=3)
    assert build_rotating_plan(14, 5, edition=3) == build_rotating_plan(14, 5, edition=2)


def test_games_of_a_sitting_stay_together() -> None:
    plan = build_rotating_plan(22, 6, games_a_sitting=3)

    assert [each.out for each in plan.rounds[:3]] == [plan.rounds[0].out] * 3
    assert not set(plan.rounds[0].out) & set(plan.rounds[3].out)
