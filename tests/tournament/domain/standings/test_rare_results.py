"""Rare results: what fewer than one recorded result in two hundred has reached, nothing else."""

from random import Random

import pytest

from tournament.domain.standings.rare_results import (
    HIGHEST,
    LEAST,
    LOWEST,
    MARGIN,
    ONE_IN,
    distances,
    rare,
    recorded,
)

KINDS = (MARGIN, HIGHEST, LOWEST)


def tables(count: int, sides: int = 2, seed: int = 7) -> list[tuple[int, ...]]:
    random = Random(seed)
    return [tuple(random.randrange(-30_000, 30_000) for _ in range(sides)) for _ in range(count)]


@pytest.mark.parametrize("sides", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(
    "count", [200, 399, *(pytest.param(each, marks=pytest.mark.long) for each in (201, 400, 1_000))]
)
def test_rare_is_what_fewer_than_one_in_two_hundred_have_reached(count: int, sides: int) -> None:
    known = tables(count, sides)
    summed = recorded(known)

    for numbers in tables(300, sides, seed=count):
        expected = {
            kind: sum(distances(each)[kind] >= far for each in known)
            for kind, far in distances(numbers).items()
        }
        found = rare(numbers, summed)
        rarest = next((kind for kind, n in expected.items() if n * ONE_IN < count), None)
        assert (found.kind if found is not None else None) == rarest
        if found is not None:
            assert (found.reached, found.among) == (expected[found.kind], count)


def test_among_fewer_than_two_hundred_nothing_is_rare() -> None:
    few = [(100, 0)] * (LEAST - 1)

    assert rare((90_000, 0), recorded(few)) is None
    assert rare((90_000, 0), recorded([*few, (100, 0)])) is not None


def test_what_the_furthest_reached_is_not_asked_again_and_one_point_more_is() -> None:
    known = recorded([(19_700, 0), *[(100, 0)] * 199])

    found = rare((19_800, 0), known)
    assert found is not None
    assert (found.kind, found.value, found.reached) == (MARGIN, 19_800, 0)
    assert rare((19_700, 0), known) is None  # one of two hundred is not fewer than one


def test_a_low_number_is_rare_with_its_own_sign() -> None:
    known = recorded([(0, 0)] * 400)

    found = rare((-500, -500), known)
    assert found is not None
    assert (found.kind, found.value) == (LOWEST, -500)


def test_one_who_sits_alone_wins_by_nothing() -> None:
    assert set(distances((52,))) == {HIGHEST, LOWEST}
    assert set(distances((52, 1))) == set(KINDS)


def test_without_numbers_nothing_is_known_and_nothing_rare() -> None:
    assert recorded([(), ()]).among == 0
    assert rare((), recorded([(1, 2)] * 500)) is None
