"""IMPs by bridge's table and by the salon's own, and the datum."""

from fractions import Fraction
from statistics import median_low

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import RuleViolation
from tournament.domain.standings.imps import (
    BRIDGE_BOUNDS,
    butler,
    datum,
    imps,
    published,
    salon_bounds,
)

DEALS = st.lists(st.lists(st.integers(-50_000, 50_000), max_size=8), max_size=8)


@pytest.mark.parametrize(
    ("difference", "worth"),
    [
        *((0, 0), (10, 0), (20, 1), (40, 1), (50, 2), (420, 9), (430, 10), (590, 11)),
        *((3990, 23), (4000, 24), (9000, 24), (-20, -1), (-620, -12)),
    ],
)
def test_differences_are_worth_what_the_table_of_bridge_says(difference: int, worth: int) -> None:
    assert imps(difference) == worth


@given(st.integers(-6000, 6000))
def test_the_other_side_has_the_same_with_the_sign_turned(difference: int) -> None:
    assert imps(difference) == -imps(-difference)
    assert imps(difference) <= imps(difference + 1)


@given(DEALS)
def test_on_the_salon_s_own_scale_the_median_difference_is_worth_6(deals: list[list[int]]) -> None:
    differences = [
        abs(one - other)
        for scores in deals
        for place, one in enumerate(scores)
        for other in scores[place + 1 :]
    ]
    if not differences or median_low(differences) < 25:
        return
    bounds = salon_bounds(deals)

    assert imps(median_low(differences), bounds) == 6
    assert len(bounds) == 24
    assert list(bounds) == sorted(set(bounds))


def test_scores_spread_as_at_bridge_have_the_bounds_of_bridge() -> None:
    assert salon_bounds([[0, 245]]) == BRIDGE_BOUNDS
    assert salon_bounds([[0, 24_500]]) == tuple(100 * bound for bound in BRIDGE_BOUNDS)


@pytest.mark.parametrize("deals", [[], [[5]], [[5, 5]], [[5, 8]]])
def test_results_too_near_each_other_for_a_scale_are_refused(deals: list[list[int]]) -> None:
    with pytest.raises(RuleViolation, match="the scale of bridge works") as refused:
        salon_bounds(deals)

    assert refused.value.code == "no_scale"


def test_the_published_table_says_every_difference_once() -> None:
    table = published(BRIDGE_BOUNDS)

    assert table[0] == (0, 19, 0)
    assert table[6] == (220, 269, 6)
    assert table[-1] == (4000, None, 24)
    assert all(
        imps(least) == worth and (most is None or imps(most) == worth)
        for least, most, worth in table
    )


def test_the_datum_leaves_out_the_highest_and_the_lowest_of_every_eight() -> None:
    assert datum([1000, 10, 20, 30, 40, 50, 60, -900]) == 35
    assert datum([1000, 10, 20, 30, 40, 50, 60]) == Fraction(1210, 7)
    assert datum([*range(16), 999, -999]) == Fraction(sum(range(1, 15)), 14)


def test_everybody_s_imps_are_those_of_the_difference_to_the_datum() -> None:
    assert butler([420, 400, 170, -50]) == [5, 4, -2, -7]
    assert butler([]) == []


@given(st.lists(st.integers(-3000, 3000), max_size=20))
def test_from_the_other_side_the_imps_have_the_sign_turned(scores: list[int]) -> None:
    assert butler([-score for score in scores]) == [-each for each in butler(scores)]
