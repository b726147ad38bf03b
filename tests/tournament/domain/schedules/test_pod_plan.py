"""Plans of tables of three to five for every field."""

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.schedules.plans import check_sound, meetings
from tournament.domain.schedules.pod_plan import pod_plan, repeats, rounds_possible
from tournament.domain.schedules.pod_sizes import table_sizes
from tournament.domain.schedules.pods import pods
from tournament.domain.schedules.verify import faults, prove

SIZES = [(3,), (4, 3), (5, 4), (5, 4, 3), (3, 4)]


@pytest.mark.parametrize("sizes", SIZES)
def test_small_fields_of_every_number_have_a_plan_without_repeats(sizes: tuple[int, ...]) -> None:
    check_fields(sizes, range(max(3, min(sizes)), 20))


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("players", [41, 250])
def test_larger_fields_have_one_too(sizes: tuple[int, ...], players: int) -> None:
    check_fields(sizes, [players])


@pytest.mark.long
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("first", range(20, 251, 21))
def test_every_field_has_one(sizes: tuple[int, ...], first: int) -> None:
    check_fields(sizes, range(first, min(first + 21, 251)))


def check_fields(sizes: tuple[int, ...], fields: range | list[int]) -> None:
    for players in fields:
        tables = sorted(table_sizes(players, sizes, may_sit_out=True))
        plan = pod_plan(players, sizes, None, seed=7)
        check_sound(plan)
        assert 1 <= len(plan.rounds) == rounds_possible(players, sizes)
        for each in plan.rounds:
            # A round of the groups among themselves has the same tables.
            assert sorted(len(table.places) for table in each.tables) == tables


@pytest.mark.parametrize(
    ("players", "sizes", "rounds"),
    [(31, (5, 4), 7), (32, (4,), 10), (100, (4, 3), 25), (200, (4,), 17), (250, (4, 3), 63)],
)
def test_so_many_rounds_are_possible_without_repeats(
    players: int, sizes: tuple[int, ...], rounds: int
) -> None:
    plan = pod_plan(players, sizes, rounds, seed=1)

    assert len(plan.rounds) == rounds <= rounds_possible(players, sizes)
    check_sound(plan)


def test_fewer_rounds_are_the_first_of_the_simplest_construction_that_has_them() -> None:
    whole = pods(200, tables=50, seats=4, rounds=17)
    for rounds in (1, 5, 17):
        plan = pod_plan(200, (4,), rounds, seed=1)
        assert plan.construction == "whole-number 50"
        assert plan.rounds == whole.rounds[:rounds]
    assert plan.moves == (0, 1, 2, 3)
    assert pod_plan(200, (4,), 18, seed=1).construction == "shifts 50"


@pytest.mark.parametrize("players", [10, 11, 16, 40, 41, 100])
def test_of_threes_one_or_two_sit_out_and_nobody_twice_before_all_others_once(
    players: int,
) -> None:
    plan = pod_plan(players, (3,), None, seed=1)

    assert {len(each.out) for each in plan.rounds} == {players % 3}
    assert set(prove(plan).sit_outs) <= {0, 1}
    check_sound(plan)


@pytest.mark.parametrize(
    ("players", "sizes", "rounds"),
    [
        *((8, (4,), 5), (11, (5, 4), 6), (13, (5,), 13)),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in ((24, (4, 3), 9), (7, (3,), 7), (23, (5, 4, 3), 6), (30, (3,), 17))
        ),
    ],
)
def test_more_rounds_than_possible_repeat_little_and_promise_nothing(
    players: int, sizes: tuple[int, ...], rounds: int
) -> None:
    plan = pod_plan(players, sizes, rounds, seed=1)
    possible = pod_plan(players, sizes, None, seed=1)

    assert plan.most_met is None
    assert len(plan.rounds) == rounds > len(possible.rounds)
    assert plan.rounds[: len(possible.rounds)] == possible.rounds
    assert faults(plan) == []
    met = meetings(plan)
    again = sum(met.values()) - len(met)
    assert again == repeats(prove(plan))
    everybody = players * (players - 1) // 2
    needed = max(0, sum(met.values()) - everybody)
    assert again <= needed + everybody // 7, "near to the fewest that so many meetings can have"
    times = prove(plan).sit_outs
    assert max(times) - min(times) <= 1
    assert plan == pod_plan(players, sizes, rounds, seed=1), "the same seed gives the same plan"


@pytest.mark.parametrize(
    ("players", "sizes", "rounds", "code", "said"),
    [
        (24, (4,), 31, "too_many_rounds", "7 rounds without repeats and a plan has 30 with some"),
        (250, (4, 3), 64, "too_many_rounds", "250 players have 63 rounds without repeats, not 64"),
        (24, (4,), 0, "bad_rounds", "a round or more"),
        (3, (5, 4), 1, "no_sizes", "4 can sit there"),
        (2, (3,), 1, "no_sizes", "3 to 250"),
    ],
)
def test_what_cannot_be_had_is_refused_with_what_can(
    players: int, sizes: tuple[int, ...], rounds: int, code: str, said: str
) -> None:
    with pytest.raises(RuleViolation, match=said) as refused:
        pod_plan(players, sizes, rounds, seed=1)
    assert refused.value.code == code
