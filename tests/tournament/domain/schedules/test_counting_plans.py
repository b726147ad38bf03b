"""The verifier against counting pair by pair, on plans of any kind, sound or not."""

from collections import Counter
from itertools import combinations, permutations
from random import Random

import pytest

from tournament.domain.schedules.values import Plan, PlannedRound, Sitting
from tournament.domain.schedules.verify import faults, prove


def a_plan(seed: int) -> Plan:
    chance = Random(seed)
    size = chance.randint(4, 12)
    rounds = []
    for _ in range(chance.randint(1, 6)):
        players = chance.sample(range(size), size)
        tables: list[Sitting] = []
        while len(players) > 3:
            seats = chance.choice((2, 3, 4, 4))
            places, players = tuple(players[:seats]), players[seats:]
            deals = tuple(chance.sample(range(1, 9), chance.randint(0, 2)))
            tables.append(Sitting(table=len(tables) + 1, places=places, deals=deals))
        rounds.append(PlannedRound(tables=tuple(tables), out=tuple(players)))
    return Plan(
        size=size,
        construction="made",
        rounds=tuple(rounds),
        partners=chance.random() < 0.5,
        most_met=chance.choice((None, 1)),
        most_partnered=chance.choice((None, 1)),
    )


def together(plan: Plan, one: int, two: int) -> tuple[int, int, int]:
    """How often two were partners, against each other, and the second left of the first."""
    partners = opponents = left = 0
    for each in plan.rounds:
        for table in each.tables:
            if one in table.places and two in table.places:
                seats, four = len(table.places), len(table.places) == 4
                apart = (table.places.index(two) - table.places.index(one)) % seats
                with_ = plan.partners and four and apart == 2
                partners += with_
                opponents += not with_
                left += four and apart == 1
    return partners, opponents, left


@pytest.mark.parametrize("seed", range(60))
def test_every_two_are_counted_in_all_they_share(seed: int) -> None:
    plan = a_plan(seed)
    proof = prove(plan)
    each = {pair: together(plan, *pair) for pair in combinations(range(plan.size), 2)}

    assert proof.meetings == Counter(one + two for one, two, _ in each.values())
    assert list(proof.meetings) == sorted(proof.meetings)
    assert proof.never_met == tuple(pair for pair, (a, b, _) in each.items() if not a + b)
    assert proof.partners == (Counter(a for a, _, _ in each.values()) if plan.partners else {})
    assert proof.opponents == (Counter(b for _, b, _ in each.values()) if plan.partners else {})
    left = Counter(together(plan, *pair)[2] for pair in permutations(range(plan.size), 2))
    assert proof.left == (left if set(left) != {0} else {})
    assert proof.sit_outs == Counter(
        sum(player in each.out for each in plan.rounds) for player in range(plan.size)
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_promise_broken_is_a_fault_of_every_two_who_break_it(seed: int) -> None:
    plan = a_plan(seed)
    said = [str(fault) for fault in faults(plan)]

    each = {pair: together(plan, *pair) for pair in combinations(range(plan.size), 2)}
    again = sum(b > 1 for _, b, _ in each.values()) if plan.most_met else 0
    partners = sum(a > 1 for a, _, _ in each.values()) if plan.most_partnered else 0
    assert sum(" meet " in fault for fault in said) == again
    assert sum(" are partners " in fault for fault in said) == partners


def test_somebody_at_two_tables_nowhere_or_unheard_of_is_a_fault() -> None:
    twice = Plan(
        size=4,
        construction="made",
        rounds=(
            PlannedRound(
                tables=(
                    Sitting(table=1, places=(0, 1, 1)),
                    Sitting(table=1, places=(2, 9, -1)),
                )
            ),
        ),
    )

    assert list(map(str, faults(twice))) == [
        "round 1: there is no number 0 among 4",
        "round 1: number 2 is in it twice",
        "round 1: there is no number 10 among 4",
        "round 1: number 4 neither plays nor sits out",
        "round 1: table 1 stands twice",
    ]
    # (0, 1) sit together twice over; numbers that aren't there are no pairs.
    assert prove(twice).meetings == {0: 5, 2: 1}
