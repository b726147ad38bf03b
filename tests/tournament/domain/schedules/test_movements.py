"""Howell and Mitchell: what holds for every number of pairs, counted by the verifier."""

from itertools import pairwise
from typing import Literal

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.schedules.published import movements
from tournament.domain.schedules.movements import Movement, movement_plan, rounds_of
from tournament.domain.schedules.values import Plan
from tournament.domain.schedules.verify_movement import (
    calibre,
    movement_faults,
    movement_report,
)

HOWELLS = range(4, 33)
MITCHELLS = range(5, 34)


def movement(
    pairs: int,
    kind: Movement,
    rounds: int | None = None,
    *,
    deals: int = 1,
    winners: Literal[1, 2] = 1,
    rover: bool = False,
) -> Plan:
    return movement_plan(pairs, kind, rounds, deals_a_round=deals, winners=winners, rover=rover)


@pytest.mark.parametrize("pairs", HOWELLS)
def test_in_a_howell_everybody_meets_everybody_and_plays_every_set(pairs: int) -> None:
    plan = movement(pairs, "howell", deals=2)
    report = movement_report(plan)

    assert movement_faults(plan) == []
    assert set(report.proof.meetings) == ({2} if pairs == 4 else {1})
    assert report.proof.sit_outs == {pairs % 2: pairs}
    assert set(report.proof.deals) == {pairs // 2}
    assert len(plan.rounds) == rounds_of(pairs, "howell") == (6 if pairs == 4 else pairs - 1 | 1)
    assert [len(tables) for _round, tables in report.shared] == (
        [pairs // 2] if pairs in (5, 6) else []
    )


@pytest.mark.parametrize(
    ("pairs", "counted"), [(8, -3), (12, -5), (16, -7), (20, -9), (24, -11), (32, -15)]
)
def test_a_howell_of_4_n_pairs_compares_every_two_pairs_equally(pairs: int, counted: int) -> None:
    """F5 counts so for 8, 12, 20 and 24, and 32 is of the same family; 16 was found by search."""
    assert set(calibre(movement(pairs, "howell")).values()) == {counted}


@pytest.mark.parametrize("pairs", [10, 14, 18, 22, 26, 30])
def test_other_howells_compare_every_two_pairs_equally_but_for_two(pairs: int) -> None:
    counts = set(calibre(movement(pairs, "howell")).values())

    assert counts == {-pairs // 2 - 1, -pairs // 2 + 1, -pairs // 2 + 3}


def test_sets_of_deals_count_the_calibre_once_for_each_deal() -> None:
    assert set(calibre(movement(8, "howell", deals=3)).values()) == {-9}


@pytest.mark.parametrize("pairs", MITCHELLS)
def test_in_a_mitchell_nobody_meets_a_pair_or_plays_a_deal_twice(pairs: int) -> None:
    plan = movement(pairs, "mitchell", deals=2, winners=2)
    tables = (pairs + 1) // 2

    assert movement_faults(plan) == []
    assert len(plan.rounds) == rounds_of(pairs, "mitchell") == tables - (tables % 2 == 0)
    assert set(movement_report(plan).proof.meetings) == {0, 1}
    north_south, east_west = plan.groups
    assert all(
        sitting.places[0] in north_south and sitting.places[1] in east_west
        for each in plan.rounds
        for sitting in each.tables
    )
    assert all(len(each.out) == pairs % 2 for each in plan.rounds)


@pytest.mark.parametrize("pairs", range(6, 34, 2))
def test_where_east_west_move_up_by_one_the_plan_says_so(pairs: int) -> None:
    plan = movement(pairs, "mitchell", winners=2)
    tables = [{each.places[1]: each.table for each in planned.tables} for planned in plan.rounds]
    stands = all(
        after[pair] == before[pair] % (pairs // 2) + 1
        for before, after in pairwise(tables)
        for pair in before
    )

    assert stands == (plan.moves == (0, 1))


@pytest.mark.parametrize("pairs", MITCHELLS)
def test_for_one_winner_the_last_eighth_is_played_with_directions_exchanged(pairs: int) -> None:
    two, one = (movement(pairs, "mitchell", winners=winners) for winners in (2, 1))
    switched = -(-len(two.rounds) // 8)

    assert movement_faults(one) == []
    assert one.rounds[:-switched] == two.rounds[:-switched]
    for before, after in zip(two.rounds[-switched:], one.rounds[-switched:], strict=True):
        assert [each.places[::-1] for each in before.tables] == [
            each.places for each in after.tables
        ]


@pytest.mark.parametrize("pairs", range(7, 30, 2))
def test_a_rover_meets_nobody_twice_and_nobody_is_displaced_twice(pairs: int) -> None:
    tables = pairs // 2
    rounds = rounds_of(pairs, "mitchell", rover=True) - (tables in (3, 9))
    plan = movement(pairs, "mitchell", rounds, winners=2, rover=True)

    assert movement_faults(plan, shortened=tables in (3, 9)) == []
    assert all(len(each.tables) == tables and len(each.out) == 1 for each in plan.rounds)
    assert set(movement_report(plan).proof.sit_outs) == {0, 1}


@pytest.mark.parametrize("pairs", [7, 19])
def test_a_rover_without_a_way_through_is_offered_a_round_less(pairs: int) -> None:
    with pytest.raises(RuleViolation, match="with a round less it has"):
        movement(pairs, "mitchell", winners=2, rover=True)


@pytest.mark.parametrize("pairs", [9, 12, 16])
@pytest.mark.parametrize("kind", ["howell", "mitchell"])
def test_fewer_rounds_are_the_first_of_the_whole_movement(pairs: int, kind: Movement) -> None:
    whole = movement(pairs, kind, winners=1)
    short = movement(pairs, kind, 3, winners=1)

    assert movement_faults(short, shortened=True) == []
    if kind == "howell":
        assert short.rounds == whole.rounds[:3]


def test_a_set_of_deals_is_that_many_consecutive_numbers() -> None:
    plan = movement(8, "howell", deals=3)
    sets = {each.deals for planned in plan.rounds for each in planned.tables}

    assert sets == {(first, first + 1, first + 2) for first in range(1, 22, 3)}


@pytest.mark.parametrize(
    ("ours", "published"),
    [
        (movement(4, "howell", deals=3), "Howell04T2B18"),
        (movement(6, "howell", deals=3), "Howell06T3B15Relay"),
        (movement(8, "howell", deals=2), "Howell08T4B14"),
        (movement(12, "howell", deals=2), "Howell12T6B22"),
        (movement(7, "howell", deals=3), "Howell07T3B21"),
        (movement(6, "mitchell", deals=6, winners=2), "Mitchell3Table"),
    ],
)
def test_movements_come_to_the_counts_of_the_published_ones(ours: Plan, published: str) -> None:
    mine, theirs = movement_report(ours), movement_report(movements()[published].plan)

    assert (mine.proof, mine.deals_played) == (theirs.proof, theirs.deals_played)
    assert [len(tables) for _round, tables in mine.shared] == [
        len(tables) for _round, tables in theirs.shared
    ]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"pairs": 3, "kind": "howell"}, "from 4 pairs on a Howell works, from 5 on a Mitchell"),
        ({"pairs": 3, "kind": "mitchell"}, "fewer play a round robin"),
        ({"pairs": 4, "kind": "mitchell"}, "4 pairs are too few for a Mitchell; a Howell works"),
        ({"pairs": 34, "kind": "howell"}, "a Mitchell of 17 tables works"),
        ({"pairs": 8, "kind": "howell", "winners": 2}, "for two take a Mitchell"),
        ({"pairs": 8, "kind": "howell", "deals": 0}, "1 is the least"),
        ({"pairs": 8, "kind": "howell", "rounds": 8}, "1 to 7 rounds of this movement, not 8"),
        ({"pairs": 8, "kind": "mitchell", "rounds": 4}, "1 to 3 rounds of this movement, not 4"),
        ({"pairs": 8, "kind": "howell", "rounds": 0}, "1 to 7 rounds"),
        ({"pairs": 4, "kind": "howell", "rounds": 3}, "2, 4 or 6 rounds"),
        ({"pairs": 8, "kind": "mitchell", "rover": True}, "a movement without one works"),
        ({"pairs": 9, "kind": "howell", "rover": True}, "a movement without one works"),
        ({"pairs": 31, "kind": "mitchell", "rover": True}, "from 3 to 14 tables"),
    ],
)
def test_what_can_t_be_had_is_refused_with_what_can(asked: dict[str, object], said: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        movement(**asked)  # type: ignore[arg-type]

    assert refused.value.code == "no_movement"
    assert said in refused.value.message
