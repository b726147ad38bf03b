"""The next best of each table, against every exchange there is."""

import pytest

from tests.tournament.domain.pairing.contenders import tiers
from tournament.domain.pairing.costs import TIERS, Tiers, Vector
from tournament.domain.pairing.explain import next_bests
from tournament.domain.pairing.swiss import Matched, best_draw


@pytest.mark.parametrize("seed", range(30))
def test_the_next_best_is_the_least_of_all_exchanges(seed: int) -> None:
    found = tiers(seed, 4 + seed % 20)
    matched = best_draw(found)
    bests = next_bests(found, matched)

    for place, best in enumerate(bests):
        exchanges = every_exchange(found, matched, place)
        if best is None:
            assert not exchanges
            continue
        told, _ = best
        least = min(exchanges)
        assert (told.tier, told.more) == next(
            ((name, more) for name, more in zip(TIERS, least, strict=False) if more), ("lots", 0)
        )
        assert least >= (0,) * len(least)


def every_exchange(found: Tiers, matched: Matched, place: int) -> list[Vector]:
    """How much more each costs, tier by tier."""
    one, two = matched.pairs[place]
    more = []
    for other, (three, four) in enumerate(matched.pairs):
        if other != place:
            now = added(found.pair(one, two), found.pair(three, four))
            more += [
                less(added(found.pair(one, here), found.pair(two, left)), now)
                for here, left in ((three, four), (four, three))
            ]
    if matched.out is not None:
        now = added(found.pair(one, two), found.bye(matched.out))
        more += [
            less(added(found.pair(stays, matched.out), found.bye(leaves)), now)
            for stays, leaves in ((one, two), (two, one))
        ]
    return more


def added(one: Vector, two: Vector) -> Vector:
    return tuple(a + b for a, b in zip(one, two, strict=True))


def less(one: Vector, two: Vector) -> Vector:
    return tuple(a - b for a, b in zip(one, two, strict=True))
