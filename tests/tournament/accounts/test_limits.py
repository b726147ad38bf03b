"""Nobody keeps others out by wrong tries from elsewhere, at no door; and nobody guesses what four
digits guard.
"""

import hashlib
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.tournament.helpers.evenings import after_round_1, of_teams
from tests.tournament.helpers.people import with_code
from tests.tournament.helpers.playing import a_game
from tests.tournament.helpers.salons import PASSWORD, owner_of
from tournament.accounts import login_limits, personal_links
from tournament.accounts.captain_links import links_of as captains_links
from tournament.accounts.client_ip import group_address
from tournament.accounts.event_links import open_link
from tournament.accounts.login_limits import LoginAttempt, forget, note_wrong_try, seconds_to_wait
from tournament.accounts.seat_links import links_of
from tournament.models import Game, Salon, Table

MALLORY, HONEST = "198.51.100.7", "192.0.2.1"
MINUTE, DAY = 60, 24 * 60 * 60


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands, so that no wait ends because the machine is slow."""
    now = time.time()
    monkeypatch.setattr("tournament.accounts.login_limits.time.time", lambda: now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """`tries` by a browser with the right secret or a wrong one: whether it opened."""

    tries: Callable[[Client, bool], bool]


def signing_in(salon: Salon) -> Door:
    def tries(client: Client, right: bool) -> bool:
        form = {"email": "mara@example.org", "password": PASSWORD if right else "wrong"}
        return client.post("/sign-in/", form).status_code == 302

    return Door(tries=tries)


def second_step(salon: Salon) -> Door:
    """At the door of the second step, by somebody who knows the password."""
    owner = owner_of(salon)
    with_code(owner)
    codes = iter(re.findall(r"<li>(\d{8})</li>", owner.get("/account/recovery-codes/").text))

    def tries(client: Client, right: bool) -> bool:
        if "_auth_user_id" not in client.session:
            client.post("/sign-in/", {"email": "mara@example.org", "password": PASSWORD})
        code = next(codes) if right else "000000"
        return client.post("/account/second-step/code/", {"code": code}).status_code == 302

    return Door(tries=tries)


def table_link(salon: Salon) -> Door:
    table = Table.objects.get(salon=salon, label="4")
    return Door(
        tries=lambda client, right: (
            client.post(f"/t/{table.token}/", {"pin": table.pin if right else "x"}).status_code
            == 302
        )
    )


def table_door(salon: Salon) -> Door:
    table = Table.objects.get(salon=salon, label="4")
    return Door(
        tries=lambda client, right: (
            client.post("/t/", {"table": "4", "pin": table.pin if right else "x"}).status_code
            == 302
        )
    )


def seat_link(salon: Salon) -> Door:
    link = links_of(a_game(salon), "N")["N"]
    return Door(
        tries=lambda client, right: (
            client.post(f"/c/{link.token}/", {"pin": link.pin if right else "x"}).status_code == 302
        )
    )


def event_link(salon: Salon) -> Door:
    link = open_link(after_round_1(salon))
    return Door(
        tries=lambda client, right: (
            client.post(f"/e/{link.token}/", {"pin": link.pin if right else "x"}).status_code == 302
        )
    )


def captain_link(salon: Salon) -> Door:
    link = captains_links(of_teams(salon), ["1"])["1"]
    return Door(
        tries=lambda client, right: (
            client.post(f"/captains/{link.token}/", {"pin": link.pin if right else "x"}).status_code
            == 302
        )
    )


def own_page(salon: Salon) -> Door:
    link = personal_links.links_of(after_round_1(salon), ["1"])["1"]
    return Door(
        tries=lambda client, right: (
            client.post("/me/", {"code": link.code if right else "ABCDEFGH"}).status_code == 302
        )
    )


def table_token(salon: Salon, *, link: str = "") -> Door:
    table = Table.objects.get(salon=salon, label="4")

    def tries(client: Client, right: bool) -> bool:
        body = {
            "link": table.token if right or not link else link,
            "pin": table.pin if right else "x",
        }
        address = f"/api/v1/salons/{salon.slug}/tables/4/tokens/"
        key = {
            "Idempotency-Key": hashlib.sha256(str(time.perf_counter_ns()).encode()).hexdigest()[:32]
        }
        return (
            client.post(
                address, json.dumps(body), content_type="application/json", headers=key
            ).status_code
            == 201
        )

    return Door(tries=tries)


def table_token_without_its_link(salon: Salon) -> Door:
    return table_token(salon, link="0" * 32)


DOORS = (
    signing_in,
    second_step,
    table_link,
    table_door,
    seat_link,
    event_link,
    captain_link,
    own_page,
    table_token,
    table_token_without_its_link,
)
KNOWN_TO_A_BROWSER = (
    signing_in,
    second_step,
    table_link,
    table_door,
    seat_link,
    event_link,
    captain_link,
)


def came_from(address: str) -> Client:
    return Client(REMOTE_ADDR=address)


@pytest.mark.parametrize(
    "made",
    [*DOORS[:2], *(pytest.param(each, marks=pytest.mark.long) for each in DOORS[2:])],
)
def test_from_one_address_nobody_shuts_a_door_to_others(
    salon: Salon, made: Callable[[Salon], Door]
) -> None:
    door, mallory = made(salon), came_from(MALLORY)
    assert not any(door.tries(mallory, False) for _try in range(120))

    assert not door.tries(mallory, True)
    assert door.tries(came_from(HONEST), True)


@pytest.mark.parametrize(
    "made",
    [
        *KNOWN_TO_A_BROWSER[:2],
        *(pytest.param(each, marks=pytest.mark.long) for each in KNOWN_TO_A_BROWSER[2:]),
    ],
)
@pytest.mark.usefixtures("still")
def test_from_many_addresses_nobody_shuts_a_door_to_a_browser_that_opened_it_before(
    salon: Salon, made: Callable[[Salon], Door]
) -> None:
    door, known = made(salon), came_from(HONEST)
    assert door.tries(known, True)
    known.post("/sign-out/")
    for number in range(80):
        door.tries(came_from(f"203.0.113.{number}"), False)

    assert not door.tries(came_from("192.0.2.9"), True)
    assert door.tries(known, True)


def test_a_wrong_link_counts_against_the_address_alone(salon: Salon, settings: Settings) -> None:
    settings.WRONG_CODES_OF_ONE_ADDRESS = 5
    door, mallory = table_token_without_its_link(salon), came_from(MALLORY)
    address, body = f"/api/v1/salons/{salon.slug}/tables/4/tokens/", {"link": "x", "pin": "0"}
    key = {"Idempotency-Key": "0" * 32}

    answers = [
        mallory.post(
            address, json.dumps(body), content_type="application/json", headers=key
        ).status_code
        for _try in range(6)
    ]

    assert answers == [404] * 5 + [422]
    assert door.tries(came_from(HONEST), True)


@pytest.mark.usefixtures("still")
def test_who_opened_one_table_is_not_known_at_another_nor_by_a_new_link(salon: Salon) -> None:
    known, tables = (
        came_from(HONEST),
        {each.label: each for each in Table.objects.filter(salon=salon)},
    )
    assert table_link(salon).tries(known, True)
    for label in ("4", "5"):
        for number in range(80):
            came_from(f"203.0.113.{number}").post("/t/", {"table": label, "pin": "x"})
    assert known.post("/t/", {"table": "5", "pin": tables["5"].pin}).status_code == 422

    owner_of(salon).post("/tables/4/link/")
    renewed = Table.objects.get(salon=salon, label="4")
    assert known.post("/t/", {"table": "4", "pin": renewed.pin}).status_code == 422


@pytest.mark.usefixtures("still")
def test_a_cookie_that_somebody_made_up_makes_no_browser_known(salon: Salon) -> None:
    door, known = signing_in(salon), came_from(HONEST)
    door.tries(known, True)
    for number in range(80):
        door.tries(came_from(f"203.0.113.{number}"), False)
    forged = came_from("192.0.2.9")
    forged.cookies["accord-known"] = known.cookies["accord-known"].value[:-2] + "xx"

    assert not door.tries(forged, True)


def test_a_known_browser_is_closed_out_by_its_own_wrong_tries(salon: Salon) -> None:
    door, known = signing_in(salon), came_from(HONEST)
    assert door.tries(known, True)
    known.post("/sign-out/")
    for _try in range(5):
        door.tries(known, False)

    assert not door.tries(known, True)
    assert door.tries(came_from("192.0.2.2"), True)


def guesses_in_a_day(monkeypatch: pytest.MonkeyPatch, addresses: int, *, without_link: bool) -> int:
    """How many wrong tries are let through in a day in which each address tries as often as it may,
    looking every minute.
    """
    let, began = 0, time.time()
    for turn in range(DAY // (MINUTE + 1)):
        monkeypatch.setattr(
            "tournament.accounts.login_limits.time.time",
            lambda now=began + turn * (MINUTE + 1): now,
        )
        for number in range(addresses):
            tried = LoginAttempt(
                target="table:1",
                address=f"10.0.{number // 250}.{number % 250}",
                without_link=without_link,
            )
            while not seconds_to_wait(tried):
                note_wrong_try(tried)
                let += 1
    return let


@pytest.mark.parametrize(
    ("addresses", "without_link", "most"),
    [
        (1, True, 10),
        (1, False, 50),
        (9, True, 90),
        pytest.param(40, True, 250, marks=pytest.mark.long),
        pytest.param(40, False, 2000, marks=pytest.mark.long),
    ],
)
def test_pins_are_not_guessed_in_a_day(
    monkeypatch: pytest.MonkeyPatch, addresses: int, without_link: bool, most: int
) -> None:
    """Of ten thousand: after those that came first one a minute, from however many addresses,
    without the link one in half an hour.
    """
    assert guesses_in_a_day(monkeypatch, addresses, without_link=without_link) <= most


def test_a_right_answer_of_another_doesnt_let_one_guess_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(login_limits, "SECONDS_TO_WAIT", 0)
    tried = LoginAttempt(target="table:1", address=HONEST, without_link=True)
    for _try in range(10):
        note_wrong_try(tried)
        if _try < 9:
            forget(tried)

    assert seconds_to_wait(tried) > 0


def test_a_crowd_of_addresses_pushes_no_lock_out_of_memory() -> None:
    shut = LoginAttempt(target="table:1", address="192.0.2.1")
    for _ in range(5):
        note_wrong_try(shut)

    for number in range(1_500):
        note_wrong_try(
            LoginAttempt(target=f"table:{number}", address=f"198.51.{number // 256}.{number % 256}")
        )

    assert seconds_to_wait(shut) > 0


def test_wrong_codes_of_a_hall_behind_one_address_shut_no_door_to_its_other_guests(
    salon: Salon,
) -> None:
    hall = Client(REMOTE_ADDR=MALLORY)
    for number in range(40):
        assert hall.post("/me/", {"code": f"wrong{number:03}"}).status_code == 422
    for label in ("1", "2", "3"):
        hall.post("/t/", {"table": label, "pin": "x"})
    table = Table.objects.get(salon=salon, label="4")

    assert (
        Client(REMOTE_ADDR=MALLORY).post("/t/", {"table": "4", "pin": table.pin}).status_code == 302
    )
    assert table_link(salon).tries(came_from(MALLORY), True)
    assert signing_in(salon).tries(came_from(MALLORY), True)


def test_wrong_passwords_close_accounts_and_no_tables(salon: Salon) -> None:
    door = signing_in(salon)
    for number in range(5):
        came_from(MALLORY).post("/sign-in/", {"email": f"a{number}@b.example", "password": "x"})

    assert not door.tries(came_from(MALLORY), True)
    assert table_link(salon).tries(came_from(MALLORY), True)


def test_a_network_of_ipv6_counts_as_one_address() -> None:
    assert (
        group_address("2001:db8:1:2::5")
        == group_address("2001:db8:1:2:ffff::1")
        != group_address("2001:db8:1:3::5")
    )
    assert (
        group_address("::ffff:192.0.2.1")
        == group_address("192.0.2.1")
        != group_address("192.0.2.2")
    )
    assert group_address("a socket") == "a socket"


def test_a_pin_at_the_tables_phone_is_not_shut_by_who_has_the_seats_link(salon: Salon) -> None:
    game = a_game(salon)
    link = links_of(game, "N")["N"]
    mallory = came_from(MALLORY)
    for _try in range(60):
        mallory.post(f"/c/{link.token}/", {"pin": "x"})
    table, phone = Table.objects.get(salon=salon, label="4"), came_from(HONEST)
    phone.post(f"/t/{table.token}/", {"pin": table.pin})
    row = Game.objects.get(pk=game.pk)
    form = {
        "game": row.pk,
        "version": row.version,
        "command": "c" * 32,
        "seat": "N",
        "pin": link.pin,
    }

    answer = phone.post(f"/games/{row.pk}/attestations/confirmations/", form)

    assert "Too many wrong tries" not in answer.text
    assert "not the PIN" not in answer.text
