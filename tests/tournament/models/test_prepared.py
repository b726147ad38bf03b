"""Questions that are composed once have the rows that they would have if they were composed
anew, whoever asks.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournament.helpers.full_salon import full_salon
from tests.tournament.helpers.playing import a_game, done
from tests.tournament.helpers.salons import member, opened_salon, owner_of, scorer_at, seated
from tests.tournament.helpers.tables import a_salon
from tournament.models import Game, GameSeat, Player
from tournament.models.prepared import Prepared, Value

composed_once = Prepared.rows
GAMES = Prepared(
    lambda salon, table: Game.objects.filter(salon=salon, table=table).select_related("salon")
)
NAMES = Prepared(
    lambda salon, ids: (
        Player.objects.filter(salon=salon, id__in=ids).order_by("name").values_list("id", "name")
    )
)


def plain(row: object) -> object:
    """A row as what can be compared: one of a model with all its columns and what came with it."""
    if not isinstance(row, models.Model):
        return row
    held = {name: value for name, value in row.__dict__.items() if name != "_state"}
    beside = {name: plain(each) for name, each in row._state.fields_cache.items()}
    return type(row), held, beside


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> set[object]:
    """Which questions were asked; each has its rows both ways."""
    asked: set[object] = set()

    def rows(prepared: Prepared[Any], *values: Value) -> list[Any]:
        found = composed_once(prepared, *values)
        anew = list(prepared.ask(*values))
        key: Callable[[object], str] = repr
        assert sorted(map(plain, found), key=key) == sorted(map(plain, anew), key=key)
        asked.add(prepared)
        return found

    monkeypatch.setattr(Prepared, "rows", rows)
    return asked


def test_every_page_of_a_table_gets_the_rows_that_it_would_get_anew(
    db: None, compared: set[object]
) -> None:
    full = full_salon("Marrow")
    salon = full.salon
    game = a_game(salon)
    done(game, "hands", dealer="S")
    for client in (owner_of(salon), Client(), scorer_at(salon, "4"), seated(game, "N")):
        for page in ("/", f"/games/{game.pk}/", "/tables/4/", f"/salons/{salon.slug}/"):
            assert client.get(page).status_code < 404

    assert len(compared) > 10


def test_one_question_answers_with_other_values_and_lists_of_every_length(db: None) -> None:
    salon, other = opened_salon(), a_salon("other")
    game = a_game(salon)
    for place in (salon, other):
        for number in range(5):
            Player.objects.create(salon=place, name=f"Juno {number}")
    ids = list(Player.objects.order_by("pk").values_list("pk", flat=True))

    for place in (salon, other, salon):
        rows = GAMES.rows(place.pk, "4")
        assert [row.pk for row in rows] == ([game.pk] if place == salon else [])
        for length in (0, 1, 3, len(ids), 3):
            expected = Player.objects.filter(salon=place, id__in=ids[:length]).order_by("name")
            assert NAMES.rows(place.pk, ids[:length]) == list(expected.values_list("id", "name"))
    assert GAMES.rows(salon.pk, "' OR 1=1 --") == []


def test_a_percent_sign_and_a_column_that_only_orders_are_asked_for_as_django_does(
    db: None, compared: set[object]
) -> None:
    salon = opened_salon()
    for name in ("Juno", "Mara", "Jules"):
        Player.objects.create(salon=salon, name=name)
    players = Player.objects.order_by("pk")
    matching = Prepared(
        lambda salon: players.filter(salon=salon).extra(
            where=["name LIKE 'Ju%%' AND length('%%') = 1"]
        )
    )
    ordered = Prepared(lambda salon: players.filter(salon=salon).values_list("name").distinct())

    assert {row.name for row in matching.rows(salon.pk)} == {"Juno", "Jules"}
    assert {("Juno",), ("Mara",), ("Jules",)} <= set(ordered.rows(salon.pk))
    assert compared == {matching, ordered}


def test_rows_of_every_kind_are_those_of_django(db: None, compared: set[object]) -> None:
    salon = opened_salon()
    a_game(salon)
    games = Game.objects.order_by("pk")
    asked: list[Prepared[Any]] = [
        Prepared(lambda salon: games.filter(salon=salon).only("record", "seats")),
        Prepared(lambda salon: games.filter(salon=salon).annotate(people=models.Count("gameseat"))),
        Prepared(lambda salon: games.filter(salon=salon).values("pk", "seats", "played_on")),
        Prepared(lambda salon: games.filter(salon=salon).values_list("state", "pk")),
        Prepared(lambda salon: games.filter(salon=salon).values_list("seats", flat=True)),
        Prepared(
            lambda salon: GameSeat.objects.filter(game__salon=salon).select_related(
                "player", "game__salon"
            )
        ),
    ]

    found = [question.rows(salon.pk) for question in asked]

    assert compared == set(asked)
    assert all(found)
    assert [type(rows[0]) for rows in found] == [Game, Game, dict, tuple, dict, GameSeat]
    named: Any = games.values_list("pk", "version", named=True)
    with pytest.raises(KeyError):
        Prepared(lambda salon: named.filter(salon=salon)).rows(salon.pk)


def test_a_session_that_was_ended_or_has_expired_is_over(db: None) -> None:
    salon = opened_salon()
    owner, scorer = owner_of(salon), member(salon, "scorer")
    assert [client.get("/people/").status_code for client in (owner, scorer)] == [200, 403]

    Session.objects.filter(session_key=owner.session.session_key).update(
        expire_date=datetime.now(UTC) - timedelta(seconds=1)
    )
    Session.objects.filter(session_key=scorer.session.session_key).delete()

    assert [client.get("/people/").status_code for client in (owner, scorer)] == [302, 302]


def test_a_value_that_stands_nowhere_in_a_query_is_a_fault_of_ours(db: None) -> None:
    with pytest.raises(AssertionError, match="stands nowhere"):
        Prepared(lambda one: Game.objects.filter(pk="fixed")).rows("1")


def test_a_question_is_asked_once_the_first_time_too(db: None) -> None:
    salon = opened_salon()
    for prepared in (Prepared(GAMES.ask), Prepared(NAMES.ask)):
        for _ in range(2):
            with CaptureQueriesContext(connection) as asked:
                prepared.rows(salon.pk, "4" if prepared.ask is GAMES.ask else ["4"])
            assert len(asked) == 1
