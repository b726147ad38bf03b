"""The pages of a tournament for everybody look again by themselves, and show nothing that is silent or not published."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.tournament.evenings import after_round_1, does, in_round_1, registered, result
from tests.tournament.played import game_at, hand, record
from tests.tournament.playing import a_command, told
from tests.tournament.salons import opened_salon, owner_of
from tournament.directing.commands import BeginSilence, CheckIn, DrawRound, EnterPhase, ExtendTime, PublishRound, StartClock, Withdraw
from tournament.models import Game, Salon
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS
from tournament.tournament_rows import state_of

PAGES = ("", "standings/", "rounds/1/", "entries/1/")


@pytest.fixture
def salon(db: None) -> Salon:
    return opened_salon()


def asked_again(client: Client, address: str, etag: str = "") -> HttpResponse:
    """The page as its script asks for it, with the version it shows."""
    return client.get(address, headers={"HX-Request": "true"} | ({"If-None-Match": etag} if etag else {}))


def etag_on(page: HttpResponse) -> str:
    return re.search(r'data-etag="([^"]*)"', page.content.decode())[1].replace("&quot;", '"')  # type: ignore[index]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_is_the_same_is_not_sent_again(salon: Salon, page: str) -> None:
    address = f"/tournaments/{in_round_1(salon).pk}/{page}"
    etag = etag_on(Client().get(address))

    answer = asked_again(Client(), address, etag)

    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", etag)


@pytest.mark.parametrize("page", PAGES)
def test_what_changes_is_sent_without_the_rest_of_the_page(salon: Salon, page: str) -> None:
    row = in_round_1(salon)
    address = f"/tournaments/{row.pk}/{page}"
    etag = etag_on(Client().get(address))

    does(row, result(1, 262, 187))
    catch_up(salon.log, PROJECTIONS)
    answer = asked_again(Client(), address, etag)

    assert answer.status_code == 200
    assert answer["ETag"] == etag_on(answer) != etag
    assert "<html" not in answer.content.decode()
    assert answer.content.decode().lstrip().startswith('<div class="stack stack--l" id="live"')


def test_a_hand_at_a_linked_table_changes_the_page_and_one_elsewhere_does_not(salon: Salon) -> None:
    row, owner = in_round_1(salon), owner_of(salon)
    sent = {"version": str(row.version), "command": a_command(), "round": "1", "table": "1", "label": "4"}
    owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent)
    address = f"/tournaments/{row.pk}/"
    etag = etag_on(Client().get(address))

    game_at(salon, "7")
    assert asked_again(Client(), address, etag).status_code == 304
    record(Game.objects.get(table="4"), *hand("N", (4, 3, 3, 4), (9, 4)))

    answer = asked_again(Client(), address, etag)
    assert answer.status_code == 200
    assert "playing 72 : −70" in told(answer)


def test_the_standings_are_sent_again_when_they_have_been_computed(salon: Salon) -> None:
    row = in_round_1(salon)
    address = f"/tournaments/{row.pk}/standings/"
    does(row, result(1, 262, 187))
    etag = etag_on(Client().get(address))

    catch_up(salon.log, PROJECTIONS)

    assert asked_again(Client(), address, etag).status_code == 200


def test_a_director_and_the_room_do_not_share_a_version_of_a_silent_round(salon: Salon) -> None:
    row = does(after_round_1(salon), BeginSilence(from_round=1))
    address = f"/tournaments/{row.pk}/rounds/1/"

    etag = etag_on(owner_of(salon).get(address))

    assert "251" not in told(asked_again(Client(), address, etag))
    assert asked_again(Client(), address, etag).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_a_tournament_that_is_over_asks_no_more(salon: Salon, page: str) -> None:
    row = after_round_1(salon)
    assert 'hx-trigger="every' in Client().get(f"/tournaments/{row.pk}/{page}").content.decode()

    does(row, EnterPhase(phase="finished"))

    assert 'hx-trigger="every' not in Client().get(f"/tournaments/{row.pk}/{page}").content.decode()


def test_more_time_for_one_table_is_told_to_the_room(salon: Salon) -> None:
    row = does(in_round_1(salon), StartClock(round=1, at=0, seconds=3000), ExtendTime(round=1, seconds=300, table=2))

    assert "(5:00 more for this table)" in told(Client().get(f"/tournaments/{row.pk}/"))


def test_before_the_first_round_the_entries_stand_where_the_seats_will_be(salon: Salon) -> None:
    row = does(registered(salon), CheckIn(entry="1"))
    assert "Orla Venn & Pim Aster" in told(Client().get(f"/tournaments/{row.pk}/"))

    does(row, EnterPhase(phase="running"), DrawRound(round=1))
    assert "They stand here as soon as the first round is published." in told(Client().get(f"/tournaments/{row.pk}/"))
    does(row, PublishRound(round=1))
    assert "Seats of round 1" in told(Client().get(f"/tournaments/{row.pk}/"))


def test_a_path_tells_rounds_without_a_table_too(salon: Salon) -> None:
    row = does(after_round_1(salon, 5), Withdraw(entry="1"), DrawRound(round=2), PublishRound(round=2))
    out = state_of(row).rounds[0].byes[0].entry

    assert "sat out" in told(Client().get(f"/tournaments/{row.pk}/entries/{out}/"))
    assert "Withdrawn." in told(Client().get(f"/tournaments/{row.pk}/entries/1/"))
