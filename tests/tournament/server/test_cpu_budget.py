"""An address that cost its share of a minute waits for the next; members, links, tokens and other
addresses don't.
"""

import hashlib
import itertools
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.models import ApiToken, Salon
from tournament.server.http import cpu_budget

DEAR, OTHER = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def salon(db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Salon]:
    """A salon whose server lets an address cost a hundredth of a second, and whose requests
    take six milliseconds and a half each, on a fast machine as on a slow one.
    """
    salon = opened_salon()
    settings.CPU_SECONDS_OF_ONE_ADDRESS = 0.01
    ticks = itertools.count(0, 0.0065)  # whole milliseconds count
    monkeypatch.setattr(cpu_budget, "thread_time", lambda: next(ticks))
    monkeypatch.setattr(cpu_budget, "MINUTE", 10**9)  # no minute ends in the middle of a test
    cache.clear()
    cpu_budget.forget()
    yield salon
    cache.clear()
    cpu_budget.forget()


def cost_its_share() -> None:
    for _ in range(20):
        Client().get("/tables/", REMOTE_ADDR=DEAR)


def test_beyond_its_share_an_address_is_told_when_to_come_again(salon: Salon) -> None:
    assert Client().get("/", REMOTE_ADDR=DEAR).status_code == 200
    cost_its_share()

    page = Client().get("/", REMOTE_ADDR=DEAR)
    api = Client().get(f"/api/v1/salons/{salon.slug}/games/", REMOTE_ADDR=DEAR)

    assert page.status_code == 429
    assert "This address asked for too much." in page.text
    assert int(page["Retry-After"]) > 0
    assert (api.status_code, api["Content-Type"], api.json()["code"]) == (
        429,
        "application/problem+json",
        "too_many",
    )


def test_it_costs_nobody_else_anything(salon: Salon) -> None:
    cost_its_share()

    assert Client().get("/", REMOTE_ADDR=OTHER).status_code == 200
    assert owner_of(salon).get("/", REMOTE_ADDR=DEAR).status_code == 200
    assert Client().get("/healthz", REMOTE_ADDR=DEAR).status_code == 200


def test_whoever_has_a_network_of_ipv6_is_one_address(salon: Salon) -> None:
    for number in range(20):
        Client().get("/tables/", REMOTE_ADDR=f"2001:db8:1:2::{number:x}")

    assert Client().get("/", REMOTE_ADDR="2001:db8:1:2:ffff::1").status_code == 429
    assert Client().get("/", REMOTE_ADDR="2001:db8:1:3::1").status_code == 200


def test_a_token_that_does_not_hold_opens_nothing(salon: Salon) -> None:
    cost_its_share()

    headers = {"Authorization": "Bearer none"}
    assert Client().get("/", REMOTE_ADDR=DEAR, headers=headers).status_code == 429


@pytest.mark.parametrize("header", ["x", "Basic bm9uZTpub25l", "Token none", "Bearer none"])
def test_no_header_makes_up_a_key(salon: Salon, header: str) -> None:
    cost_its_share()

    answer = Client().get(
        f"/api/v1/salons/{salon.slug}/games/",
        REMOTE_ADDR=DEAR,
        headers={"Authorization": header},
    )
    assert answer.status_code == 429


@pytest.mark.parametrize("header", ["x", "Basic bm9uZTpub25l", "Token none"])
def test_the_api_asks_for_a_bearer_token_where_another_scheme_is_sent(
    salon: Salon, header: str
) -> None:
    answer = Client().get(
        f"/api/v1/salons/{salon.slug}/games/",
        REMOTE_ADDR=OTHER,
        headers={"Authorization": header},
    )
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")


def test_a_token_that_was_found_is_a_key(salon: Salon) -> None:
    _row, token = ApiToken.objects.create(user=User.objects.get(), salon=salon, actor="user:1")
    cost_its_share()

    answer = Client().get(
        f"/api/v1/salons/{salon.slug}/games/",
        REMOTE_ADDR=DEAR,
        headers={"Authorization": f"Bearer {token}"},
    )
    assert answer.status_code == 200


def test_without_a_share_nothing_is_counted(salon: Salon, settings: Settings) -> None:
    settings.CPU_SECONDS_OF_ONE_ADDRESS = 0
    cost_its_share()

    assert Client().get("/", REMOTE_ADDR=DEAR).status_code == 200


def test_a_process_tells_the_others_of_each_hundredth_of_a_share(
    salon: Salon, settings: Settings
) -> None:
    settings.CPU_SECONDS_OF_ONE_ADDRESS = 6.0  # ten requests are a hundredth
    for _ in range(9):
        Client().get("/tables/", REMOTE_ADDR=DEAR)
    assert not counted_by_all()

    Client().get("/tables/", REMOTE_ADDR=DEAR)
    assert counted_by_all() == [60]


def test_what_other_processes_counted_counts_here(salon: Salon, settings: Settings) -> None:
    settings.CPU_SECONDS_OF_ONE_ADDRESS = 1.2  # two requests are a hundredth
    assert Client().get("/tables/", REMOTE_ADDR=DEAR).status_code == 200
    Client().get("/tables/", REMOTE_ADDR=DEAR)
    (key,) = counted_keys()
    cache.incr(key, 1200)  # as another process does

    assert [Client().get("/tables/", REMOTE_ADDR=DEAR).status_code for _ in range(3)] == [
        200,
        200,
        429,
    ]
    cpu_budget.forget()  # a process that has not met this address yet asks at once
    assert Client().get("/tables/", REMOTE_ADDR=DEAR).status_code == 429


def counted_keys() -> list[str]:
    """Under which keys the shared memory has what addresses cost."""
    digest = hashlib.sha256(DEAR.encode()).hexdigest()
    return [key for key in [f"cost:0:{digest}", f"cost:1:{digest}"] if cache.has_key(key)]


def counted_by_all() -> list[int]:
    return [cache.get(key) for key in counted_keys()]
