"""The pages of a tournament for everybody look again by themselves, and show nothing that is silent
or not published.
"""

import html
import re

import pytest
from django.test import Client

from tests.tournament.helpers.answers import Answer, Shown
from tests.tournament.helpers.evenings import (
    after_round_1,
    does,
    draft,
    in_round_1,
    registered,
    result,
)
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.reading import match_in
from tests.tournament.helpers.salons import owner_of
from tournament.domain.tournament.clock import ExtendTime, StartClock
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import Withdraw
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound, ReopenRound
from tournament.models import Game, Salon, Tournament
from tournament.projections.background import catch_up
from tournament.queries.tournament import load_tournament
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

PAGES = ("", "standings/", "rounds/1/", "entries/1/")


def asked_again(client: Client, address: str, etag: str = "") -> Answer:
    """The page as its script asks for it, with the version it shows."""
    return client.get(
        address, headers={"HX-Request": "true"} | ({"If-None-Match": etag} if etag else {})
    )


def etag_on(page: Shown) -> str:
    return str(match_in(page.content.decode(), r'data-etag="([^"]*)"')[1]).replace("&quot;", '"')


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
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "round": "1",
        "table": "1",
        "label": "4",
    }
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
    row = does(
        in_round_1(salon),
        StartClock(round=1, at=0, seconds=3000),
        ExtendTime(round=1, seconds=300, table=2),
    )

    assert "(5:00 more for this table)" in told(Client().get(f"/tournaments/{row.pk}/"))


def test_before_the_first_round_the_entries_stand_where_the_seats_will_be(salon: Salon) -> None:
    row = does(registered(salon), CheckIn(entry="1"))
    assert "Orla Venn & Pim Aster" in told(Client().get(f"/tournaments/{row.pk}/"))

    does(row, EnterPhase(phase="running"), DrawRound(round=1))
    assert "They stand here as soon as the first round is published." in told(
        Client().get(f"/tournaments/{row.pk}/")
    )
    does(row, PublishRound(round=1))
    assert "Seats of round 1" in told(Client().get(f"/tournaments/{row.pk}/"))


def test_a_path_tells_rounds_without_a_table_too(salon: Salon) -> None:
    row = does(
        after_round_1(salon, 5), Withdraw(entry="1"), DrawRound(round=2), PublishRound(round=2)
    )
    out = state_of(row).rounds[0].byes[0].entry

    assert "sat out" in told(Client().get(f"/tournaments/{row.pk}/entries/{out}/"))
    assert "Withdrawn." in told(Client().get(f"/tournaments/{row.pk}/entries/1/"))


def ended(salon: Salon, *results: EnterResult) -> Tournament:
    """A round of four pairs with these results, and then the end."""
    row = does(in_round_1(salon), *results, CloseRound(round=1), EnterPhase(phase="finished"))
    catch_up(salon.log, PROJECTIONS)
    return row


def podium(page: Answer) -> list[tuple[str, str, bool]]:
    """The places shown: rank, name and whether it is shared."""
    (section,) = re.findall(r'<section class="[^"]*podium.*?</section>', page.text, re.DOTALL)
    lines = re.findall(
        r'<span class="no">(\d+)</span>.*?<a [^>]*>([^<]+)</a>(.*?)</li>', section, re.DOTALL
    )
    return [(rank, html.unescape(name), "a shared place" in more) for rank, name, more in lines]


def test_an_event_that_is_over_opens_on_its_winner_and_a_podium(salon: Salon) -> None:
    row = ended(salon, result(1, 260, 100), result(2, 250, 180))
    first, second = state_of(row).rounds[0].tables
    names = load_tournament(row, Audience.SALON).entries

    page = Client().get(f"/tournaments/{row.pk}/")

    assert podium(page) == [
        ("1", names[first.entries[0]], False),
        ("2", names[second.entries[0]], False),
        ("3", names[second.entries[1]], False),
    ]
    assert "The winner" in told(page)
    assert "Seats of round 1" not in told(page)
    assert "Where do I sit?" not in told(page)
    does(row, EnterPhase(phase="running", reason="One more round."))
    assert "Seats of round 1" in told(Client().get(f"/tournaments/{row.pk}/"))


def test_those_who_are_equal_share_a_place_of_the_podium(salon: Salon) -> None:
    row = ended(salon, result(1, 260, 180), result(2, 260, 180))

    found = podium(Client().get(f"/tournaments/{row.pk}/"))

    assert [(rank, shared) for rank, _name, shared in found] == [
        ("1", True),
        ("1", True),
        ("3", True),
        ("3", True),
    ]
    assert "The winners" in told(Client().get(f"/tournaments/{row.pk}/"))


def test_silent_rounds_show_no_winner_before_the_end_and_one_after_it(salon: Salon) -> None:
    row = does(
        in_round_1(salon),
        BeginSilence(from_round=1),
        result(1, 260, 100),
        result(2, 250, 180),
        CloseRound(round=1),
    )
    catch_up(salon.log, PROJECTIONS)
    assert "podium" not in Client().get(f"/tournaments/{row.pk}/").text

    does(row, EnterPhase(phase="finished"))

    assert [rank for rank, _name, _shared in podium(Client().get(f"/tournaments/{row.pk}/"))] == [
        "1",
        "2",
        "3",
    ]


def test_the_clock_of_a_round_whose_results_are_all_in_is_not_offered(salon: Salon) -> None:
    owner, row = owner_of(salon), in_round_1(salon)
    at = f"/tournaments/{row.pk}"
    for page in (f"{at}/desk/", f"{at}/desk/rounds/1/"):
        assert "Start the clock" in told(owner.get(page)), page

    does(row, StartClock(round=1, at=0, seconds=3000), result(1, 250, 100), result(2, 250, 100))

    for page in (f"{at}/desk/", f"{at}/desk/rounds/1/"):
        assert not re.search(
            r">\s*(Start the clock|Pause|Go on|Extend)\s*<", owner.get(page).text
        ), page
    does(
        row,
        CloseRound(round=1),
        DrawRound(round=2),
        PublishRound(round=2),
        ReopenRound(round=1, reason="The wrong way round."),
    )
    assert "Start the clock of round 1" not in told(owner.get(f"{at}/desk/"))


def test_an_empty_draft_has_no_standings_to_catch_up_with(salon: Salon) -> None:
    page = told(owner_of(salon).get(f"/tournaments/{draft(salon).pk}/desk/"))

    assert "Catching up" not in page
    assert "They begin with the first round." in page


@pytest.mark.parametrize("page", ["", "standings/", "desk/", "entries/1/points/"])
def test_an_entry_is_who_takes_part_and_a_line_of_the_log_is_a_line(
    salon: Salon, page: str
) -> None:
    row = after_round_1(salon)

    words = told(owner_of(salon).get(f"/tournaments/{row.pk}/{page}"))

    assert not re.search(
        r"[Ee]ntry \d{2,}|entry of the log|entries of the log|[Ff]rom one entry", words
    )
