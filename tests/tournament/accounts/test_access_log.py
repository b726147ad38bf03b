"""Operators see who signed in, who was refused and what was locked: a line each, without secrets,
with nothing forged.
"""

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournament.helpers.salons import PASSWORD, member
from tournament.accounts.access_log import LOGGER, note
from tournament.models import Salon, Table
from tournament.server.process.logs import PatternsForAddresses, build_logging_config


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """What was logged at the doors."""
    caplog.set_level("INFO", logger=LOGGER)

    return lambda: [each.getMessage() for each in caplog.records if each.name == LOGGER]


def test_signing_in_and_out_and_failing_to_are_lines(
    salon: Salon, lines: Callable[[], list[str]]
) -> None:
    client, account = Client(REMOTE_ADDR="192.0.2.5"), User.objects.get().pk
    client.post("/sign-in/", {"email": "mara@example.org", "password": "nightjar"})
    client.post("/sign-in/", {"email": "mara@example.org", "password": PASSWORD})
    client.post("/sign-out/")

    assert lines() == [
        "wrong_try tried=account address=192.0.2.5 known=False",
        f"sign_in_refused account={account} address=192.0.2.5",
        f"signed_in account={account} address=192.0.2.5",
        f"signed_out account={account} address=192.0.2.5",
    ]


def test_refused_access_is_a_line_with_the_pattern_of_its_address(
    salon: Salon, lines: Callable[[], list[str]]
) -> None:
    scorer = member(salon, "scorer")
    account = User.objects.get(first_name="Scorer").pk
    scorer.get("/table-slips/")
    Client().get(f"/api/v1/salons/{salon.slug}/people/")
    Client(enforce_csrf_checks=True).post("/sign-in/", {})

    assert [each for each in lines() if each.startswith("refused")] == [
        f"refused status=403 method=GET page=table-slips/ account={account} address=127.0.0.1",
        (
            'refused status=401 method=GET page="api/v1/salons/<slug:salon>/people/" '
            "account=none address=127.0.0.1"
        ),
        "refused status=403 method=POST page=sign-in/ account=none address=127.0.0.1",
    ]


def test_what_is_locked_is_a_line_and_no_secret_is(
    salon: Salon, lines: Callable[[], list[str]]
) -> None:
    table = Table.objects.get(salon=salon, label="4")
    for _try in range(5):
        Client().post(f"/t/{table.token}/", {"pin": "4455"})
    for email in ("mara@example.org", "velvet ladder comet typed in the wrong field"):
        Client(REMOTE_ADDR="10.0.0.4").post("/sign-in/", {"email": email, "password": "nightjar"})

    assert f"locked tried=table:{table.pk} address=127.0.0.1 seconds=60 to_all=False" in lines()
    said = "\n".join(lines())
    assert not [
        secret
        for secret in (table.token, table.pin, "4455", "nightjar", "velvet", "mara@")
        if secret in said
    ]


@pytest.mark.parametrize(
    "forged",
    ["a\nsigned_in account=1", "a b=c", 'a" b="c', "a\u2028b", "", "\x1b[31mred", "x" * 5000],
)
def test_what_somebody_sends_stays_in_its_place_on_one_line(
    forged: str, lines: Callable[[], list[str]]
) -> None:
    note("refused", address=forged, status=403)

    (line,) = lines()
    assert line.isascii()
    assert line.isprintable()
    value = line.removeprefix("refused address=").removesuffix(" status=403")
    assert (json.loads(value) if value.startswith('"') else value) == forged[:200]


def test_no_line_about_a_request_holds_the_link_that_was_asked_for(
    salon: Salon, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table.objects.get(salon=salon, label="4")
    caplog.handler.addFilter(PatternsForAddresses())
    with caplog.at_level(
        "WARNING", logger="django.request"
    ):  # what is refused isn't said by itself
        Client().post(f"/t/{table.token}/", {"pin": "4455"})
        Client().post(f"/salons/{salon.slug}/t/{table.token}/", {"pin": "4455"})
        Client().get("/account/password/handed/abc/")

    assert "/t/<str:token>/" in caplog.text
    assert not [secret for secret in (table.token, "handed/abc") if secret in caplog.text]


def test_they_are_there_without_asking_for_more_words() -> None:
    loggers = build_logging_config(json=False, level="WARNING")["loggers"]
    assert isinstance(loggers, dict)
    assert loggers[LOGGER]["level"] == "INFO"


def test_refusals_do_not_fill_the_log(salon: Salon, caplog: pytest.LogCaptureFixture) -> None:
    for address in ("/nothing/", "/audit/", "/acts/"):
        Client().get(address)
    Client().delete("/sign-out/")

    assert [line for line in caplog.records if line.name == "django.request"] == []
