"""The link of an event and its PIN let a phone record at the tables of that event, until it is
ended or the event is.
"""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from ledger.models import Event, Log
from tests.tournament.helpers.full_salon import full_salon
from tests.tournament.helpers.played import game_at
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.models import EventLink, Game, Salon, Table, Tournament

AT_THE_EVENT, ELSEWHERE = "7", "4"


@pytest.fixture
def salon(db: None) -> Salon:
    """A salon with an event whose game is at table 7, and other games at tables 4 and 8."""
    return full_salon("Rosewater").salon


@pytest.fixture
def link(salon: Salon) -> EventLink:
    owner_of(salon).post(reverse("event_link", args=[event().pk]))
    return EventLink.objects.get()


def event() -> Tournament:
    return Tournament.objects.get()


def phone(link: EventLink) -> Client:
    """A browser that followed the link and gave its PIN."""
    client = Client()
    assert client.post(f"/e/{link.token}/", {"pin": link.pin}).status_code == 302
    return client


def opens_a_hand(client: Client, table: str) -> int:
    """The answer to opening a hand at this table."""
    game = Game.objects.filter(table=table, finished=False).get()
    form = {"command": uuid.uuid4().hex, "game": game.pk, "version": game.version, "dealer": "N"}
    return client.post(f"/tables/{table}/hands/", form).status_code


def test_a_phone_records_at_the_tables_of_the_event_in_the_name_of_its_link(
    link: EventLink,
) -> None:
    client = phone(link)

    assert opens_a_hand(client, AT_THE_EVENT) == 303

    last = Event.objects.order_by("-position")[0]
    assert last.actor.startswith("table:")
    assert link.token not in last.actor
    assert "A phone of Rosewater Cup" in client.get("/history/").text


def test_a_stolen_link_does_nothing_anywhere_else(salon: Salon, link: EventLink) -> None:
    client, before = phone(link), Log.objects.get().position
    tokens = list(Table.objects.order_by("pk").values_list("token", "pin"))

    assert opens_a_hand(client, ELSEWHERE) == 403
    begun = {"command": "c" * 32, "game": "precedence", "table": "1", "dealer": "E"} | {
        f"players.{seat}": f"X {seat}" for seat in "NESW"
    }
    assert client.post("/games/new/", begun).status_code == 403
    for name, arguments in (
        ("desk_acts", [event().pk, "results"]), ("table_link", ["7"]), ("event_link", [event().pk]),
        ("checkpoints", []),
        ("people", []), ("settings", []), ("presets", []),
    ):  # fmt: skip
        assert client.post(reverse(name, args=arguments)).status_code == 403, name

    assert Log.objects.get().position == before
    assert list(Table.objects.order_by("pk").values_list("token", "pin")) == tokens


def test_another_game_at_the_same_table_is_not_the_events(salon: Salon, link: EventLink) -> None:
    client = phone(link)
    assert client.get(f"/tables/{AT_THE_EVENT}/").status_code == 200
    Game.objects.filter(table=AT_THE_EVENT).update(finished=True)
    game_at(salon, AT_THE_EVENT)

    assert client.get(f"/tables/{AT_THE_EVENT}/").status_code == 403


@pytest.mark.parametrize("how", ["ended", "renewed", "event over"])
def test_a_link_that_is_ended_stops_every_phone_at_once(
    salon: Salon, link: EventLink, how: str
) -> None:
    client, slip = phone(link), reverse("event_link", args=[event().pk])
    match how:
        case "ended":
            owner_of(salon).post(slip, {"what": "end"})
        case "renewed":
            owner_of(salon).post(slip)
        case _:
            Tournament.objects.update(phase="finished")

    assert opens_a_hand(client, AT_THE_EVENT) == 403
    status = 410 if how == "event over" else 404
    answers = [
        Client().get(f"/e/{link.token}/"),
        Client().post(f"/e/{link.token}/", {"pin": link.pin}),
    ]
    assert [answer.status_code for answer in answers] == [status] * 2
    if status == 410:
        assert "is over" in answers[0].text
        assert f"/tournaments/{event().pk}/standings/" in answers[0].text


def test_a_wrong_pin_opens_nothing_and_after_five_the_door_waits(link: EventLink) -> None:
    client = Client()
    for _ in range(5):
        assert client.post(f"/e/{link.token}/", {"pin": "x"}).status_code == 422

    assert "Too many wrong tries" in client.post(f"/e/{link.token}/", {"pin": link.pin}).text
    assert client.get(f"/tables/{AT_THE_EVENT}/").status_code == 302


def test_the_link_of_one_salons_event_is_nothing_in_another(salon: Salon, link: EventLink) -> None:
    other = opened_salon("Elsewhere", "nela@example.org")
    client = phone(link)

    assert client.get(f"/salons/{other.slug}/tables/{AT_THE_EVENT}/").status_code == 302
    assert Client().get(f"/salons/{other.slug}/e/{link.token}/").status_code == 404
    assert owner_of(other).post(reverse("event_link", args=[event().pk])).status_code == 404
