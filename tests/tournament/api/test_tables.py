"""Tables and the games of a round by the API: kept, begun, and the same answer to the same
write.
"""

import pytest

from tests.tournament.api.calling import Caller, anyone_calls, owner_calls
from tests.tournament.helpers.evenings import in_round_1
from tests.tournament.helpers.playing import a_game
from tournament.accounts.permissions import Permission
from tournament.models import Game, Salon, Table


@pytest.fixture
def owner(salon: Salon) -> Caller:
    return owner_calls(salon)


def labels(caller: Caller) -> list[str]:
    return [line["label"] for line in caller.get("tables/").value]


def test_tables_are_added_once_by_the_same_write(owner: Caller) -> None:
    answers = [owner.post("tables/", {"labels": ["10", "9"]}, key="a" * 32) for _ in range(2)]

    assert [answer.status for answer in answers] == [201, 201]
    assert answers[0].value == answers[1].value
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    assert labels(owner)[-3:] == ["8", "9", "10"]


def test_a_table_is_renamed_retired_and_taken_back(owner: Caller) -> None:
    assert owner.post("tables/4/label/", {"label": "Window"}).status == 201
    assert owner.post("retired-tables/", {"label": "Window"}).status == 201
    assert owner.get("retired-tables/").value == [{"label": "Window"}]
    assert "Window" not in labels(owner)

    assert owner.post("tables/", {"labels": ["Window"]}).status == 201
    assert owner.get("retired-tables/").value == []
    assert labels(owner)[-1] == "Window"


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("tables/", {"labels": ["8"]}, "table_there"),
        ("tables/", {"labels": ["a/b"]}, "bad_record"),
        ("tables/", {"labels": []}, "no_table"),
        ("tables/4/label/", {"label": "5"}, "table_there"),
        ("tables/44/label/", {"label": "5"}, "no_table"),
        ("retired-tables/", {"label": "3"}, "table_playing"),
        ("retired-tables/", {"label": "44"}, "no_table"),
    ],
)
def test_what_cannot_be_is_refused_with_its_code(
    salon: Salon, owner: Caller, path: str, body: object, code: str
) -> None:
    a_game(salon, table="3")

    answer = owner.post(path, body)

    assert answer.status in (400, 422)
    assert answer.value["code"] == code
    assert Table.objects.count() == 8


def test_nobody_begins_a_game_at_a_retired_table(owner: Caller) -> None:
    owner.post("retired-tables/", {"label": "4"})
    seats = {"N": "Asha Renn", "E": "Ilse Marrow", "S": "Cato Liss", "W": "Juno Dray"}

    answer = owner.post("games/", {"game": "precedence", "players": seats, "table": "4"})

    assert (answer.status, answer.value["code"]) == (422, "table_retired")


def test_a_tables_token_is_worth_nothing_while_it_is_retired(salon: Salon, owner: Caller) -> None:
    table = Table.objects.get(label="4")
    token = (
        anyone_calls(salon)
        .post("tables/4/tokens/", {"link": table.token, "pin": table.pin})
        .value["token"]
    )
    phone = Caller(salon=salon.slug, token=token)
    assert phone.get("tables/").status == 200

    owner.post("retired-tables/", {"label": "4"})

    assert phone.get("tables/").status == 401


def test_the_games_of_a_round_begin_and_the_tables_left_say_why(
    salon: Salon, owner: Caller
) -> None:
    row = in_round_1(salon)
    a_game(salon, table="1")
    Table.objects.exclude(label__in=["1", "2"]).update(retired=True)
    version = owner.get(f"tournaments/{row.pk}/").etag

    answers = [
        owner.post(
            f"tournaments/{row.pk}/round-games/", {"round": 1}, version=version, key="b" * 32
        )
        for _ in range(2)
    ]

    assert [answer.status for answer in answers] == [201, 201]
    assert answers[0].value == answers[1].value
    game = Game.objects.get(table="2")
    assert answers[0].value["begun"] == [{"table": 2, "label": "2", "game": game.pk}]
    assert answers[0].value["left"] == [
        {"table": 1, "why": "another game is still on at that table of the salon"}
    ]
    assert answers[0].value["new_tables"] == []


def test_tables_are_made_only_by_who_may_keep_them(salon: Salon) -> None:
    row = in_round_1(salon)
    director = owner_calls(salon, Permission.DIRECT, Permission.SEE_SALON)

    answer = director.post(
        f"tournaments/{row.pk}/round-games/", {"round": 1, "new_tables": True}, version=row.version
    )

    assert answer.status == 403
