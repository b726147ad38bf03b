"""What proves a draw the best: no draw goes below the bound, and no best draw has a pair that was
left out.
"""

from itertools import pairwise
from random import Random

import pytest

from tests.tournament.domain.pairing.contenders import tiers
from tournament.domain.pairing import swiss
from tournament.domain.pairing.costs import LOT_BITS, MOST_BITS, TIERS, tiers_of
from tournament.domain.pairing.swiss import best_draw, least_bye, lower_bound, possible_pairs
from tournament.domain.pairing.values import Contender


@pytest.mark.parametrize("seed", range(60))
def test_no_draw_goes_below_the_bound(seed: int) -> None:
    found = tiers(seed, 2 + seed % 30)

    assert best_draw(found).cost >= lower_bound(found)


def test_the_bound_is_reached_where_nobody_has_met() -> None:
    plain = [
        Contender(entry=str(number), points=50 * (number % 7), balance=number % 3 - 1)
        for number in range(90)
    ]
    found = tiers_of(plain, seed=1, number=2, clubs_apart=True)

    assert best_draw(found).cost == lower_bound(found)


@pytest.mark.parametrize("seed", range(60))
def test_every_pair_of_a_best_draw_is_possible(seed: int) -> None:
    found = tiers(seed, 4 + seed % 30)
    best = best_draw(found)
    out, seated = least_bye(found)
    if best.cost[2:5] != out:
        return
    allowed = set(possible_pairs(seated, best.cost[5]))

    assert all((found.heights[one], found.heights[two]) in allowed for one, two in best.pairs)


@pytest.mark.parametrize("seed", range(40))
def test_pairs_are_possible_when_they_and_the_neighbours_of_the_others_cost_no_more(
    seed: int,
) -> None:
    chance = Random(seed)
    heights = sorted((chance.randint(0, 9) for _ in range(2 * chance.randint(1, 8))), reverse=True)
    most = chance.randint(0, 30)
    expected = set()
    for one, high in enumerate(heights):
        for two in range(one + 1, len(heights)):
            rest = [height for place, height in enumerate(heights) if place not in (one, two)]
            if (high - heights[two]) ** 2 + sum(
                (a - b) ** 2 for a, b in zip(rest[::2], rest[1::2], strict=True)
            ) <= most:
                expected.add((high, heights[two]))

    assert set(possible_pairs(heights, most)) == expected


@pytest.mark.parametrize("seed", range(12))
def test_a_narrow_circle_finds_a_draw_as_good_as_all_pairs_at_once(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tiers(seed, 66 + seed, most_points=3 + 4 * (seed % 4))
    at_once = swiss._match_pairs(
        found, swiss._nearby(len(found.players), len(found.players)), with_lots=True
    )
    monkeypatch.setattr(swiss, "NEAR", 4)

    assert at_once is not None
    assert best_draw(found).cost == at_once.cost


@pytest.mark.parametrize("seed", range(10))
def test_costs_in_one_go_are_the_costs_of_each_pair(seed: int) -> None:
    found = tiers(seed, 12)
    pairs = [(one, two) for one in range(12) for two in range(12) if one != two]

    for one, two, cost in found.edges(pairs, with_lots=True):
        assert cost == found.packed(found.pair(one, two)) + found.lot(one, two)
        assert found.unpacked(cost) == found.pair(one, two)
        assert found.lot(one, two) == found.lot(two, one) < 1 << LOT_BITS


@pytest.mark.parametrize("seed", range(10))
def test_no_tier_can_outweigh_the_one_above_it(seed: int) -> None:
    """The most that a whole draw can reach in one tier and all below is less than 1 of the tier
    above.
    """
    found = tiers(seed, 20)
    most = [
        max(column)
        for column in zip(
            *(found.pair(one, two) for one in range(20) for two in range(20) if one != two),
            strict=True,
        )
    ]
    below = 10 * ((1 << LOT_BITS) - 1)
    for tier in range(len(TIERS) - 2, -1, -1):
        assert below < 1 << found.shifts[tier]
        below += 10 * most[tier] << found.shifts[tier]
    assert all(higher >= lower for higher, lower in pairwise(found.shifts))


def test_scores_of_any_size_fit_the_matching() -> None:
    """A thousand entries with scores of a million points: their places are compared where squares
    would not fit.
    """
    chance = Random(1)
    large = [
        Contender(entry=str(number), points=chance.randint(-(10**10), 10**10), balance=number % 5)
        for number in range(1000)
    ]
    found = tiers_of(large, seed=1, number=2, clubs_apart=True)

    assert found.shifts[0] <= MOST_BITS
    assert len(best_draw(found).pairs) == 500
