"""Every scale: how a table's results turn into standing points."""

from random import Random

import pytest

from tournament.domain.standings.scales import (
    DEFAULT_STEPS,
    bye_points,
    points_of_round,
    standing_points,
)
from tournament.domain.standings.values import Result, Round, Scale, SeatedTable

MARGIN = Scale(kind="margin", bye=1200, steps=DEFAULT_STEPS)


def table(*scores: int, number: int = 1) -> SeatedTable:
    return SeatedTable(
        table=number,
        entries=tuple("abcde"[: len(scores)]),
        results=tuple(Result(score=100 * score) for score in scores),
    )


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((250, 100), (100, 0)),
        ((100, 250), (0, 100)),
        ((99, 99), (50, 50)),
        ((5, 9, 2), (0, 100, 0)),
        ((9, 9, 2), (50, 50, 0)),
    ],
)
def test_a_match_is_won_by_the_highest_score_alone(
    scores: tuple[int, ...], points: tuple[int, ...]
) -> None:
    assert standing_points(Scale(), table(*scores)) == points


@pytest.mark.parametrize(
    ("difference", "won"),
    [(0, 10), (4, 10), (5, 11), (14, 11), (15, 12), (100, 16), (199, 19), (200, 20), (999, 20)],
)
def test_a_margin_moves_a_victory_point_at_each_step(difference: int, won: int) -> None:
    assert standing_points(MARGIN, table(difference, 0)) == (100 * won, 100 * (20 - won))
    assert standing_points(MARGIN, table(0, difference)) == (100 * (20 - won), 100 * won)


def test_points_chips_and_built_cards_are_added_as_they_are() -> None:
    results = (Result(score=2550, chips=-3, built=90), Result(score=-100, chips=3, built=104))
    seated = SeatedTable(table=1, entries=("a", "b"), results=results)

    assert standing_points(Scale(kind="points"), seated) == (2550, -100)
    assert standing_points(Scale(kind="chips"), seated) == (-300, 300)
    assert standing_points(Scale(kind="built"), seated) == (9000, 10400)


def test_matchpoints_are_the_share_beaten_of_those_who_held_the_same_seats() -> None:
    peers = [
        table(200, 100, number=1),
        table(150, 100, number=2),
        table(100, 150, number=3),
        table(150, 100, number=4),
    ]

    assert points_of_round(Scale(kind="matchpoints"), Round(tables=tuple(peers))) == {
        1: (10000, 0),
        2: (5000, 5000),
        3: (0, 10000),
        4: (5000, 5000),
    }


def test_matchpoints_alone_are_half() -> None:
    assert points_of_round(Scale(kind="matchpoints"), Round(tables=(table(1, 2),))) == {
        1: (5000, 5000)
    }


def test_matchpoints_of_a_round_add_up_to_half_of_all() -> None:
    chance = Random(1)
    tables = tuple(
        table(chance.randint(0, 9), chance.randint(0, 9), number=number) for number in range(1, 42)
    )

    points = points_of_round(Scale(kind="matchpoints"), Round(tables=tables))

    assert all(sum(each) == 10000 for each in points.values())
    assert sum(first for first, _ in points.values()) == 41 * 5000


def test_points_that_are_given_stand() -> None:
    seated = SeatedTable(
        table=1, entries=("a", "b"), results=(Result(points=75), Result(points=25))
    )

    assert standing_points(Scale(), seated) == (75, 25)


@pytest.mark.parametrize(
    ("scale", "points"),
    [
        (Scale(), (100, 100, 50, 0)),
        (Scale(win=300, draw=100, bye=200), (200, 300, 100, 0)),
        (MARGIN, (1200, 1200, 1000, 0)),
    ],
)
def test_a_bye_is_worth_what_its_kind_says(scale: Scale, points: tuple[int, ...]) -> None:
    assert tuple(bye_points(scale, kind) for kind in ("pairing", "full", "half", "zero")) == points
