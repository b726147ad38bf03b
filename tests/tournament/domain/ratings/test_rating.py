"""Ratings: what a table does to them, whatever the order of sides and the cut between events."""

from math import sqrt

import pytest

from tests.tournament.domain.pairing.generated import an_event, rounds_played
from tests.tournament.domain.standings.made import event
from tournament.domain.rating import RatedTable, Rating, after_table, list_rated_tables, rated
from tournament.domain.standings.values import Entry, Result, Round, SeatedTable, Stage, Tournament


def table(*sides: str, places: tuple[int, ...]) -> RatedTable:
    return RatedTable(sides=tuple(tuple(side) for side in sides), places=places)


def test_who_wins_rises_and_who_loses_falls_by_as_much_and_both_are_better_known() -> None:
    after = after_table(table("a", "b", places=(1, 2)), {})

    assert after["a"].mean - Rating().mean == pytest.approx(Rating().mean - after["b"].mean)
    assert after["a"].mean > Rating().mean
    assert after["a"].deviation == pytest.approx(after["b"].deviation)
    assert after["a"].deviation < Rating().deviation
    assert after["a"].sure > after["b"].sure


def test_a_first_win_is_worth_what_weng_and_lin_say() -> None:
    """Two sides of one, Plackett and Luce: the mean moves by sigma² / c · (1 − 1/2), c = √(2σ² +
    2β²), β = σ/2, σ with openskill's τ.
    """
    sigma = sqrt((25 / 3) ** 2 + (25 / 300) ** 2)
    c = sqrt(2 * sigma**2 + 2 * (25 / 6) ** 2)

    assert after_table(table("a", "b", places=(1, 2)), {})["a"].mean == pytest.approx(
        25 + sigma**2 / c / 2
    )


def test_partners_of_equal_rating_move_together() -> None:
    after = after_table(table("ac", "bd", places=(2, 1)), {})

    assert after["a"] == after["c"]
    assert after["b"] == after["d"]
    assert after["b"].mean > after["a"].mean


def test_a_draw_of_equals_moves_nobody_and_a_favourite_loses_by_one() -> None:
    strong = {"a": Rating(mean=30.0, deviation=4.0)}

    even = after_table(table("a", "b", places=(1, 1)), {})
    assert even["a"].mean == pytest.approx(even["b"].mean) == pytest.approx(Rating().mean)
    assert after_table(table("a", "b", places=(1, 1)), strong)["a"].mean < 30


def test_the_order_of_sides_changes_nothing() -> None:
    one = after_table(table("a", "b", "c", places=(1, 2, 3)), {})
    other = after_table(table("c", "a", "b", places=(3, 1, 2)), {})

    told: dict[str, object] = {player: (each.mean, each.deviation) for player, each in one.items()}
    assert told == {
        player: (pytest.approx(each.mean), pytest.approx(each.deviation))
        for player, each in other.items()
    }


def test_forfeits_byes_and_missing_results_are_not_rated() -> None:
    tables = list(list_rated_tables(event("a1-0b c+-d e+", "a?c b=e d0")))

    assert tables == [table("a", "b", places=(1, 2)), table("b", "e", places=(1, 1))]


def test_at_a_table_of_several_equal_points_share_a_place() -> None:
    results = tuple(Result(points=points) for points in (50, 100, 50))
    entries = tuple(Entry(id=name, name=name, players=(name,)) for name in "abc")
    played = Round(tables=(SeatedTable(table=1, entries=("a", "b", "c"), results=results),))
    salon = Tournament(
        id="x",
        name="x",
        game="preference",
        seed=1,
        stage=Stage(kind="pods"),
        entries=entries,
        rounds=(played,),
    )

    assert list(list_rated_tables(salon)) == [table("a", "b", "c", places=(2, 1, 2))]


def test_rating_event_after_event_is_rating_all_at_once() -> None:
    events = [
        [tournament for tournament, _ in rounds_played(an_event(seed, most=20))][-1]
        for seed in range(6)
    ]

    step_by_step: dict[str, Rating] = {}
    for each in events:
        step_by_step = rated(list_rated_tables(each), step_by_step)
    at_once = rated(each for played in events for each in list_rated_tables(played))

    assert step_by_step == at_once
    assert len(at_once) > 10
    assert sum(each.tables for each in at_once.values()) == 2 * sum(
        1 for played in events for _ in list_rated_tables(played)
    )
