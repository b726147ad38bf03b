"""Signing in and out, and the minute to wait after five wrong tries."""

import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest, QueryDict
from django.test import Client, RequestFactory
from pytest_django.fixtures import Settings

from tests.tournament.helpers.salons import PASSWORD
from tournament.accounts import login_limits
from tournament.models import Salon


def tries(client: Client, password: str, *, email: str = "mara@example.org", **more: str) -> str:
    """What the page says; "in" when the door opened."""
    answer = client.post("/sign-in/", {"email": email, "password": password} | more)
    return "in" if answer.status_code == 302 else answer.text


def onward(answer: Any) -> str:
    """Where signing in leads an owner who is asked for the second step first, and says "later"."""
    path, _, query = answer["Location"].partition("?")
    assert path == "/account/second-step/"
    return QueryDict(query)["next"]


def test_the_address_is_the_name_however_it_is_written(client: Client, salon: Salon) -> None:
    assert tries(client, PASSWORD, email=" MARA@example.ORG") == "in"


def test_a_wrong_password_and_an_unknown_address_sound_the_same(
    client: Client, salon: Salon
) -> None:
    sentence = "This address and this password don&#x27;t go together."

    assert sentence in tries(client, "wrong")
    assert sentence in tries(client, PASSWORD, email="nobody@example.org")


def test_after_it_the_visitor_is_where_they_wanted_to_be(client: Client, salon: Salon) -> None:
    asked = client.get("/table-slips/")
    assert asked["Location"] == "/sign-in/?next=/table-slips/"

    answer = client.post(
        "/sign-in/", {"email": "mara@example.org", "password": PASSWORD, "next": "/table-slips/"}
    )

    assert onward(answer) == "/table-slips/"


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"]
)
def test_nobody_is_sent_to_another_server(client: Client, salon: Salon, elsewhere: str) -> None:
    answer = client.post(
        "/sign-in/", {"email": "mara@example.org", "password": PASSWORD, "next": elsewhere}
    )

    assert onward(answer) == "/"


def test_after_five_wrong_tries_even_the_right_password_waits(client: Client, salon: Salon) -> None:
    for _ in range(5):
        assert "don&#x27;t go together" in tries(client, "wrong")

    assert "Too many wrong tries. Wait 60 seconds" in tries(client, PASSWORD)
    assert "_auth_user_id" not in client.session


def test_after_a_minute_the_door_opens_again(
    client: Client, salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        tries(client, "wrong")
    later = time.time() + 61
    monkeypatch.setattr("tournament.accounts.login_limits.time.time", lambda: later)

    assert tries(client, PASSWORD) == "in"


def test_one_address_cannot_try_many_accounts(client: Client, salon: Salon) -> None:
    for number in range(5):
        tries(client, "wrong", email=f"{number}@example.org")

    assert "Too many wrong tries" in tries(client, PASSWORD)


def test_many_addresses_cannot_try_one_account_for_long(
    client: Client, salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr("tournament.accounts.login_limits.time.time", lambda: now)
    for number in range(60):
        client.post(
            "/sign-in/",
            {"email": "mara@example.org", "password": "wrong"},
            REMOTE_ADDR=f"10.0.0.{number}",
        )

    assert "Too many wrong tries" in tries(client, PASSWORD)


def test_the_right_password_forgets_the_wrong_ones(client: Client, salon: Salon) -> None:
    for _ in range(3):
        for number in range(4):
            client.post(
                "/sign-in/",
                {"email": "mara@example.org", "password": "wrong"},
                REMOTE_ADDR=f"10.0.0.{number}",
            )
        assert tries(client, PASSWORD) == "in"


def test_an_address_that_a_visitor_makes_up_is_not_believed(settings: Settings) -> None:
    request: HttpRequest = RequestFactory().get(
        "/", headers={"X-Forwarded-For": "1.2.3.4, 10.0.0.9"}, REMOTE_ADDR="10.0.0.1"
    )

    settings.PROXIES = 0
    assert login_limits.address_of(request) == "10.0.0.1"
    settings.PROXIES = 1
    assert login_limits.address_of(request) == "10.0.0.9"


def test_signing_out_takes_a_post_and_forgets_the_account(client: Client, salon: Salon) -> None:
    client.force_login(User.objects.get())

    assert client.get("/sign-out/")["Location"] == "/"
    assert "_auth_user_id" in client.session
    client.post("/sign-out/")
    assert "_auth_user_id" not in client.session


def test_the_admin_has_no_door_of_its_own(client: Client, salon: Salon) -> None:
    assert client.get("/admin/login/?next=/admin/")["Location"] == "/sign-in/?next=/admin/"
