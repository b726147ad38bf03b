"""The first visit: whoever has the key opens the salon, once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from ledger.models import Log
from tests.conftest import OwnDatabase
from tournament.accounts import access
from tournament.models import Membership, Salon, Table
from tournament.server.environment.first_owner import KeyUsed, Opening, is_key, new_key, open_salon

ANSWERS = {
    "owner": "Mara Ilves",
    "email": "Mara@Example.org",
    "password": "velvet ladder comet",
    "salon": "Salon at Border Gate",
}


@pytest.fixture
def key(tmp_path: Path, settings: Settings) -> str:
    settings.DATA_DIR = tmp_path
    return new_key()


@pytest.fixture
def visit(db: None, key: str) -> str:
    return f"/first-visit/{key}/"


@pytest.mark.parametrize(
    "path", ["/", "/sign-in/", "/tables/4/link/", "/t/0123/", "/admin/", "/no/such/page"]
)
def test_while_nobody_owns_the_salon_every_page_leads_to_where_the_key_is_found(
    client: Client, db: None, path: str
) -> None:
    answer = client.get(path, follow=True)

    assert answer.redirect_chain == [("/welcome/", 302)]
    assert "Look where the server was started" in answer.text


def test_four_answers_open_the_salon(client: Client, visit: str) -> None:
    answer = client.post(visit, ANSWERS)

    salon = Salon.objects.get()
    owner = Membership.objects.get(salon=salon, role="owner").user
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert (salon.name, salon.slug, salon.log) == (
        "Salon at Border Gate",
        "salon-at-border-gate",
        Log.objects.get(),
    )
    assert (owner.username, owner.first_name) == ("mara@example.org", "Mara Ilves")
    assert owner.check_password("velvet ladder comet")
    assert client.session["_auth_user_id"] == str(owner.pk)


@pytest.mark.parametrize(
    ("typed", "kept", "told"),
    [
        ("Europe/Lisbon", "Europe/Lisbon", "Europe/Lisbon"),
        ("Mars/Base", "", "UTC"),
        ("", "", "UTC"),
    ],
)
def test_the_clocks_of_a_salon_go_as_those_of_its_owner_s_browser(
    client: Client, visit: str, typed: str, kept: str, told: str
) -> None:
    answer = client.post(visit, ANSWERS | {"time_zone": typed}, follow=True)

    assert Salon.objects.get().time_zone == kept
    assert f"Its clocks go by {told}; Settings can change that." in answer.text


def test_the_salon_begins_with_eight_tables_each_with_its_own_link_and_pin(
    client: Client, visit: str
) -> None:
    client.post(visit, ANSWERS)

    tables = list(Table.objects.order_by("pk"))
    assert [table.label for table in tables] == list("12345678")
    assert len({table.token for table in tables}) == 8
    assert all(len(table.pin) == 4 and table.pin.isdigit() for table in tables)


def test_afterwards_there_is_no_first_visit(client: Client, visit: str) -> None:
    client.post(visit, ANSWERS)

    assert client.get(visit).status_code == 404
    assert client.post(visit, ANSWERS).status_code == 404
    assert client.get("/welcome/")["Location"] == "/"
    assert Salon.objects.count() == 1


@pytest.mark.usefixtures("own_database")
def test_whether_somebody_owns_a_salon_is_seen_within_a_second(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(access, "time", SimpleNamespace(monotonic=lambda: now[0]))
    assert client.get("/sign-in/")["Location"] == "/welcome/"
    client.post(f"/first-visit/{key}/", ANSWERS)
    assert Client().get("/sign-in/").status_code == 200  # a no is asked again at once

    Membership.objects.all().delete()
    now[0] += access.SECONDS_OPEN

    assert Client().get("/sign-in/")["Location"] == "/welcome/"


@pytest.mark.parametrize("wrong", ["x", "0" * 32])
def test_a_wrong_key_opens_nothing(client: Client, visit: str, wrong: str) -> None:
    for answer in (
        client.get(f"/first-visit/{wrong}/"),
        client.post(f"/first-visit/{wrong}/", ANSWERS),
    ):
        assert answer.status_code == 403
        assert "This key does not fit" in answer.text
    assert not Salon.objects.exists()


def test_a_newer_key_ends_the_older(key: str) -> None:
    newer = new_key()

    assert is_key(newer)
    assert not is_key(key)


def test_without_a_key_made_no_key_fits(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path

    assert not is_key("")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("owner", " ", "This field is required"),
        ("email", "mara", "valid email"),
        ("password", "veiled", "at least 12 characters"),
        ("password", "mara ilves mara", "too similar"),
        ("password", "123456789012345", "entirely numeric"),
        ("salon", "", "This field is required"),
        ("salon", "x" * 121, "at most 120"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_nothing_typed_is_lost(
    client: Client, visit: str, field: str, value: str, words: str
) -> None:
    answer = client.post(visit, ANSWERS | {field: value})

    assert answer.status_code == 422
    beside = answer.text.split(f'id="id_{field}-error"')[1].split("</p>")[0]
    assert words in beside
    assert all(
        f'value="{typed}"' in answer.text
        for name, typed in ANSWERS.items()
        if name not in {field, "password"}
    )
    assert ANSWERS["password"] not in answer.text
    assert not User.objects.exists()


def test_an_address_that_has_an_account_is_refused(client: Client, visit: str) -> None:
    User.objects.create_user("mara@example.org")

    assert "an account with this address already" in client.post(visit, ANSWERS).text


def test_of_two_who_open_at_once_one_gets_the_salon(own_database: OwnDatabase, key: str) -> None:
    def opened(number: int) -> bool:
        try:
            open_salon(
                Opening(
                    owner="A",
                    email=f"{number}@example.org",
                    password="velvet ladder comet",
                    salon=f"Salon {number}",
                )
            )
        except KeyUsed:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(opened, range(4)))

    assert results.count(True) == 1
    assert (Salon.objects.count(), User.objects.count(), Log.objects.count()) == (1, 1, 1)
