"""The continuous victory points of the WBF: 20 to share, every IMP worth something, none more than
the one before.
"""

from itertools import pairwise

import pytest

from tournament.domain.standings.victory_points import victory_point_scale, victory_points

MATCHES = range(1, 65)


@pytest.mark.parametrize("deals", MATCHES)
def test_10_for_no_margin_and_20_from_15_roots_of_the_deals_on(deals: int) -> None:
    scale = victory_point_scale(deals)
    blitz = len(scale) - 1

    assert (scale[0], scale[-1]) == (1000, 2000)
    assert (blitz - 1) ** 2 < 225 * deals <= blitz**2
    assert victory_points(blitz, deals) == victory_points(blitz + 99, deals) == (2000, 0)


@pytest.mark.parametrize("deals", MATCHES)
def test_every_imp_is_worth_something_and_none_more_than_the_one_before(deals: int) -> None:
    steps = [after - before for before, after in pairwise(victory_point_scale(deals))]

    assert all(step > 0 for step in steps[:-1])  # the last may be less than a hundredth
    assert all(after <= before for before, after in pairwise(steps))


@pytest.mark.parametrize("deals", MATCHES)
def test_the_two_sides_share_20(deals: int) -> None:
    for margin in range(-100, 101):
        mine, theirs = victory_points(margin, deals)
        assert mine + theirs == 2000
        assert victory_points(-margin, deals) == (theirs, mine)


@pytest.mark.parametrize(("deals", "lines"), [(6, 37), (32, 85)])
def test_the_scale_has_as_many_lines_as_the_printed_one(deals: int, lines: int) -> None:
    """The Slovak federation counts them: 37 for 6 deals, 85 for 32."""
    assert len(victory_point_scale(deals)) - 1 == lines


@pytest.mark.parametrize("deals", range(1, 33))
def test_up_to_32_deals_values_are_rounded_and_raised_by_a_hundredth_at_most(deals: int) -> None:
    blitz, least = 15 * deals**0.5, ((5**0.5 - 1) / 2) ** 3
    for margin, points in enumerate(victory_point_scale(deals)[:-1]):
        exact = 1000 + 1000 * (1 - least ** (margin / blitz)) / (1 - least)
        assert abs(points - exact) <= 1.5


def test_half_of_the_way_in_imps_is_more_than_two_thirds_of_it_in_victory_points() -> None:
    """16 deals, all 20 at 60 IMPs: 30 are worth 10 / (1 + τ^1.5) more than none."""
    assert [victory_points(margin, 16)[0] for margin in (1, 30, 60)] == [1031, 1673, 2000]
