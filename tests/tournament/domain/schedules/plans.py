"""What the tests of plans share: counting them anew, without the verifier."""

from collections import Counter
from itertools import combinations

from tournament.domain.schedules.values import Plan
from tournament.domain.schedules.verify import faults


def meetings(plan: Plan) -> Counter[frozenset[int]]:
    """How often every two that meet do so."""
    return Counter(
        frozenset(pair)
        for each in plan.rounds
        for table in each.tables
        for pair in combinations(table.places, 2)
    )


def check_sound(plan: Plan) -> None:
    """Everybody is in every round once, nobody meets another twice, and the verifier says so."""
    for each in plan.rounds:
        seated = [player for table in each.tables for player in table.places]
        assert sorted([*seated, *each.out]) == list(range(plan.size))
    assert max(meetings(plan).values(), default=0) <= 1, plan.construction
    assert plan.most_met == 1
    assert faults(plan) == []
