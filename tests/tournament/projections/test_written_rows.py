"""Rows written without objects are what was given, however many, whatever they say."""

from typing import Any

import pytest
from django.db import DataError, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournament.helpers.tables import a_salon, new_command, sit_down
from tournament.models import Game, GameSeat, Hand, HandSide
from tournament.models.written_json import json_text
from tournament.projections.game_rows import HAND_COLUMNS, SEAT_COLUMNS, SIDE_COLUMNS
from tournament.projections.written_rows import MARKS_REMEMBERED, put_rows, put_values

texts = st.text(
    st.one_of(st.sampled_from("\"\\{},' \tNUL"), st.characters(exclude_categories=["Cs", "Cc"])),
    max_size=8,
)
numbers = st.none() | st.integers(-(2**31), 2**31 - 1)
floats = st.none() | st.floats(allow_nan=False, allow_infinity=False)
sides = st.lists(
    st.tuples(
        texts, numbers, texts, st.none() | st.booleans(), numbers, floats, numbers, numbers, numbers
    ),
    max_size=2 * MARKS_REMEMBERED // len(SIDE_COLUMNS),  # by marks and by lists
)
results = st.lists(st.recursive(texts | numbers, st.lists, max_leaves=5), max_size=40)


@pytest.fixture
def game(db: None) -> Game:
    return sit_down(a_salon())


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=sides, again=sides)
def test_sides_are_what_was_given_last(game: Game, drawn: list[Any], again: list[Any]) -> None:
    HandSide._base_manager.all().delete()
    expected: dict[object, object] = {}
    for rows in (drawn, again):
        found = [(game.pk, number, *side) for number, side in enumerate(rows)]
        put_values(HandSide, SIDE_COLUMNS, SIDE_COLUMNS[:3], found)
        expected |= {row[:3]: row for row in found}

    stored = HandSide._base_manager.values_list(*SIDE_COLUMNS)
    assert {row[:3]: row for row in stored} == expected


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=results)
def test_results_are_what_was_given(game: Game, values: list[object]) -> None:
    Hand._base_manager.all().delete()
    rows = [(game.pk, number, json_text(value)) for number, value in enumerate(values)]

    put_values(Hand, HAND_COLUMNS, HAND_COLUMNS[:2], rows)

    stored = Hand._base_manager.order_by("number").values_list("result", "result__text")
    assert list(stored) == [(value, json_text(value)) for value in values]


def test_rows_of_several_tables_go_together(game: Game) -> None:
    rows: Any = {model: list(model._base_manager.values()) for model in (Game, GameSeat)}
    other = new_command()
    games = [{**rows[Game][0], "id": other, "record": "another"}]
    seats = [{**seat, "id": f"{other}-{seat['seat']}", "game_id": other} for seat in rows[GameSeat]]
    for each in games:
        for name in ("seats", "state", "marks", "confirmation"):
            each[name] = json_text(each[name]) if each[name] is not None else None

    put_rows((Game, games), (GameSeat, seats))

    assert Game._base_manager.count() == 2
    assert {tuple(seat[name] for name in SEAT_COLUMNS) for seat in seats} == set(
        GameSeat._base_manager.filter(game=other).values_list(*SEAT_COLUMNS)
    )


def test_a_text_too_long_for_its_column_is_not_cut(game: Game) -> None:
    """SQLite keeps it, PostgreSQL refuses: neither stores another text."""
    long = "x" * 33
    side = ("NS", None, long, None, None, None, None, None, None)
    rows = [(game.pk, number, *side) for number in range(9)]
    try:
        with transaction.atomic():
            put_values(HandSide, SIDE_COLUMNS, SIDE_COLUMNS[:3], rows)
    except DataError:
        return
    assert set(HandSide._base_manager.values_list("contract", flat=True)) == {long}
