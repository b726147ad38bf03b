"""Matchpoints: the laws of comparison, Neuberg's formula by its printed tables, fouled deals and
artificial scores.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.domain.standings.duplicate import (
    DealResult,
    Matchpoints,
    SmallGroups,
    hundredths,
    matchpoints,
    neuberg,
    session,
)

SCORES = st.lists(st.integers(-20, 20), min_size=1, max_size=16)


def played(score: int | None, table: int = 1, **more: object) -> DealResult:
    return DealResult(
        north_south=f"n{table}",
        east_west=f"e{table}",
        score=score,
        **more,  # type: ignore[arg-type]
    )


def test_ten_different_results_of_eleven_are_worth_what_the_ebu_prints() -> None:
    """Laws & Ethics, Neuberg: 19.9 for the best of ten where eleven were expected, 0.1 for the
    last.
    """
    worth = [each.north_south for each in matchpoints(range(10, 0, -1), 11)]

    assert [float(each) for each in worth] == [
        *(19.9, 17.7, 15.5, 13.3, 11.1),
        *(8.9, 6.7, 4.5, 2.3, 0.1),
    ]
    assert worth[0] == Fraction(199, 10)


@pytest.mark.parametrize(
    ("results", "printed"),
    [(7, [176, 147, 119, 90, 61, 33, 4]), (3, [157, 90, 23])],
)
def test_a_fouled_deal_of_ten_is_worth_what_the_ebu_prints(
    results: int, printed: list[int]
) -> None:
    """Scoring of fouled boards: a group of seven and one of three, rounded to tenths."""
    worth = [each.north_south for each in matchpoints(range(results, 0, -1), 10)]

    assert [hundredths(each / 10) for each in worth] == printed


@given(SCORES)
def test_the_matchpoints_of_a_deal_add_up_to_n_times_n_minus_1_for_each_side(
    scores: list[int],
) -> None:
    worth = matchpoints(scores)
    whole = len(scores) * (len(scores) - 1)

    assert sum(each.north_south for each in worth) == whole
    assert sum(each.east_west for each in worth) == whole


@given(SCORES)
def test_matchpoints_are_2_for_each_beaten_and_1_for_each_equal(scores: list[int]) -> None:
    for place, each in enumerate(matchpoints(scores)):
        others = scores[:place] + scores[place + 1 :]
        assert each.north_south == sum(
            2 if scores[place] > other else 1 if scores[place] == other else 0 for other in others
        )
        assert each.north_south + each.east_west == 2 * len(others)


@given(SCORES, st.integers(0, 8))
def test_neuberg_keeps_the_average_and_the_order(scores: list[int], missing: int) -> None:
    expected = len(scores) + missing
    worth = [each.north_south for each in matchpoints(scores, expected)]

    assert sum(worth) == len(scores) * (expected - 1)
    assert all(0 <= each <= 2 * (expected - 1) for each in worth)
    assert sorted(worth) == [each for _score, each in sorted(zip(scores, worth, strict=True))]
    if not missing:
        assert worth == [each.north_south for each in matchpoints(scores)]


@given(SCORES)
def test_from_the_other_side_of_the_table_everything_is_turned_round(scores: list[int]) -> None:
    turned = matchpoints([-score for score in scores])

    assert [Matchpoints(*each[::-1]) for each in matchpoints(scores)] == turned


def test_the_only_result_of_a_deal_is_an_average() -> None:
    assert neuberg(0, 1, 11) == 10


@pytest.mark.parametrize(
    ("points", "shown"),
    [(Fraction(1, 200), 1), (Fraction(1, 201), 0), (Fraction(199, 10), 1990), (Fraction(2, 3), 67)],
)
def test_hundredths_are_rounded_half_up(points: Fraction, shown: int) -> None:
    assert hundredths(points) == shown


def fouled(small_groups: SmallGroups, small: int) -> list[tuple[str, str]]:
    """Percentages of N–S and E–W of a deal with a small group among nine tables, the small group
    first, its best first.
    """
    results = [
        played(100 - table, table, version=1 if table <= small else 2) for table in range(1, 10)
    ]
    counted = session({1: results}, small_groups=small_groups)
    return [
        (
            f"{float(counted.totals[f'n{table}'].percentage):.2f}",
            f"{float(counted.totals[f'e{table}'].percentage):.2f}",
        )
        for table in range(1, small + 1)
    ]


def test_small_groups_of_a_fouled_deal_are_scored_by_the_regulation_named() -> None:
    assert fouled("averages", 3) == [("60.00", "60.00")] * 3
    assert fouled("spread", 1) == [("60.00", "60.00")]
    assert fouled("spread", 2) == [("65.00", "55.00"), ("55.00", "65.00")]
    assert fouled("spread", 3) == [("70.00", "50.00"), ("60.00", "60.00"), ("50.00", "70.00")]
    assert fouled("neuberg", 2) == [("78.12", "21.88"), ("21.88", "78.12")]


def test_a_small_group_of_more_than_a_third_is_scored_as_larger_ones() -> None:
    results = [played(score, score, version=1 + score // 3) for score in (1, 2, 3, 4, 5)]

    spread, plain = (session({1: results}, small_groups=each) for each in ("spread", "neuberg"))

    assert spread == plain


def test_groups_of_a_fouled_deal_are_compared_apart() -> None:
    results = [played(score, score, version=1 + score // 5) for score in range(1, 10)]
    totals = session({1: results}).totals

    for group in (range(1, 5), range(5, 10)):
        assert [totals[f"n{table}"].matchpoints for table in group] == [
            each.north_south for each in matchpoints(group, 9)
        ]


def test_a_small_field_is_no_small_group() -> None:
    results = [played(score, score) for score in (1, 2, 3)]

    assert session({1: results}, small_groups="averages") == session({1: results})


def test_artificial_scores_take_no_part_in_the_comparison() -> None:
    results = [played(score, score) for score in range(1, 11)]
    counted = session({1: [*results, played(None, 11, awarded=(60, 40))]})

    assert [hundredths(counted.totals[f"n{table}"].matchpoints) for table in (10, 1)] == [1990, 10]
    assert counted.totals["n11"].matchpoints == 12
    assert counted.totals["e11"].matchpoints == 8


@pytest.mark.parametrize(
    ("awarded", "own", "gets"),
    [(60, 100, 100), (60, 50, 60), (60, 0, 60), (50, 100, 50), (40, 100, 40), (40, 0, 0)],
)
def test_a_side_at_no_fault_gets_at_least_and_one_at_fault_at_most_its_own_mean(
    awarded: int, own: int, gets: int
) -> None:
    """The mean of the deals it has results of: 100 % for the best, 50 % for the middle one, 0 for
    the last (Law 12C2(c)).
    """
    score = {100: 9, 50: 5, 0: 1}[own]
    others = [played(each, table) for table, each in ((2, 8), (3, 2))]
    first = [played(score, 1), *others]
    second = [played(None, 1, awarded=(awarded, 50)), *others]

    travellers = session({1: first, 2: second}).travellers

    (line,) = (each for each in travellers[2] if each.result.north_south == "n1")
    assert line.matchpoints == Matchpoints(Fraction(gets * 4, 100), Fraction(2))


def test_a_deal_not_played_at_a_table_doesn_t_count_for_it() -> None:
    deals = {
        1: [played(score, score) for score in (1, 2, 3)],
        2: [played(1, 1), played(2, 2), played(None, 3)],
    }
    totals = session(deals).totals

    assert totals["n3"].matchpoints == totals["n3"].of == 4
    assert totals["n2"].matchpoints == 2 + Fraction(7, 2)
    assert totals["n2"].of == 8
    assert totals["n2"].percentage == Fraction(1100, 16)


def test_a_traveller_has_the_best_result_of_north_south_first_and_those_without_last() -> None:
    results = [played(2, 1), played(None, 2), played(7, 3), played(None, 4, awarded=(50, 50))]
    (lines,) = session({9: results}).travellers.values()

    assert [line.result.score for line in lines] == [7, 2, None, None]
    assert lines[2].matchpoints is None


def test_a_session_without_comparison_gives_everybody_half() -> None:
    assert session({}).totals == {}
    assert session({1: [played(5)]}).totals["n1"].percentage == 50
