"""A column of JSON gives its value, and keeps the very text that was written."""

import pytest
from django.core.exceptions import FieldError
from django.db import IntegrityError, connection, transaction
from django.db.utils import DataError

from tests.tournament.helpers.full_salon import full_salon
from tests.tournament.helpers.tables import a_salon, everything, recorded
from tournament.domain.tournament.state import RoundState, State
from tournament.models import Game, Hand, Salon, Standing, Tournament, TournamentRound
from tournament.models.written_json import JSONText, as_stored, json_text

VALUE = {"pot": 1, "b": [True, None, 0.5], "a": "\N{LATIN SMALL LETTER E WITH ACUTE}"}
TEXT = '{"zebra":1, "a":1.0,"a_longer_one":{"b":true}}'  # neither sorted nor without space


@pytest.fixture
def salon(db: None) -> Salon:
    return a_salon()


@pytest.fixture
def game(salon: Salon) -> Game:
    recorded(salon, everything())
    return Game.objects.get(salon=salon)


def text_of(game: Game) -> str:
    """What the database holds, asked without the model."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT CAST(state AS text) FROM tournament_game WHERE id = %s", [game.pk])
        (text,) = cursor.fetchone()
    return str(text)


def test_a_value_is_written_with_sorted_keys_and_read_as_it_was(game: Game) -> None:
    game.state = VALUE
    game.save()

    assert text_of(game) == '{"a":"é","b":[true,null,0.5],"pot":1}'
    assert Game.objects.get().state == VALUE
    assert Game.objects.values_list("state", flat=True).get() == VALUE


def test_what_is_written_already_stays_letter_by_letter(game: Game) -> None:
    Game.objects.update(state=JSONText(TEXT))

    assert text_of(game) == TEXT
    assert Game.objects.values_list("state__text", flat=True).get() == TEXT
    (row,) = as_stored(Game.objects.all())
    assert row["state"] == TEXT
    assert list(Game.objects.get().state) == ["zebra", "a", "a_longer_one"]


def test_whoever_changes_the_value_of_a_row_changes_no_other_row_of_it(game: Game) -> None:
    one, other = Game.objects.get(), Game.objects.get()
    one.state["score"] = "mine"

    assert other.state["score"] != "mine"
    assert Game.objects.get().state == other.state


def test_many_rows_are_written_at_once(game: Game) -> None:
    hands = [Hand(game=game, number=90 + number, result=VALUE) for number in range(3)]
    Hand.objects.bulk_create(hands)

    kept = Hand.objects.filter(number__gte=90).values_list("result__text", flat=True)
    assert list(kept) == [json_text(VALUE)] * 3


def test_nothing_is_no_value(game: Game) -> None:
    assert game.marks is None
    assert list(Game.objects.filter(marks__isnull=True)) == [game]
    (row,) = as_stored(Game.objects.all())
    assert row["marks"] is None


def test_rows_are_found_by_nothing_in_the_value(game: Game) -> None:
    for wanted in ({"state__score": 1}, {"state": VALUE}, {"seats__contains": "N"}):
        with pytest.raises(FieldError):
            Game.objects.filter(**wanted).exists()


def test_the_state_of_a_tournament_and_its_rounds_is_the_state_that_its_events_fold_into(
    db: None,
) -> None:
    row = Tournament.objects.get(salon=full_salon("Rosewater").salon, name="Rosewater Cup")

    assert isinstance(row.state, State)
    assert all(isinstance(each.state, RoundState) for each in TournamentRound.objects.all())
    assert Standing.objects.count() == 0 or isinstance(Standing.objects.all()[0].tie_breaks, list)


def test_a_value_of_another_shape_is_read_as_its_text_so_that_the_row_can_be_mended(
    db: None,
) -> None:
    full_salon("Rosewater")
    Tournament.objects.update(state=JSONText('{"name":1}'))

    assert {each.state for each in Tournament.objects.all()} == {'{"name":1}'}


@pytest.mark.parametrize("text", ["", "{", "NaN", "{'a': 1}"])
def test_the_database_takes_nothing_that_is_no_json(game: Game, text: str) -> None:
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():
        Game.objects.update(state=JSONText(text))
