"""What a phone keeps of a pad while it is elsewhere, with scripts or without; and how cards are
given up on purpose only.
"""

from html import unescape
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.test import Client

from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.playing import about, bidding, done, flat, playing, told
from tests.tournament.helpers.preference import playing as preference
from tests.tournament.helpers.reading import match_in
from tests.tournament.helpers.sabacc import guarded
from tests.tournament.helpers.salons import owner_of, scorer_at
from tournament.models import Game, Salon
from tournament.pages.table.pad import keep_query, query_text

ASKED_AGAIN = {"HX-Request": "true"}


@pytest.fixture
def phone(salon: Salon) -> Client:
    return scorer_at(salon, "4")


def drafting(client: Client, cards: str = "2B,9B", trick: int = 1) -> Answer:
    return client.get("/tables/4/", {"by": "cards", "trick": str(trick), "cards": cards})


def test_cards_and_mode_are_there_when_a_phone_comes_back(salon: Salon, phone: Client) -> None:
    playing(salon)
    drafting(phone)
    phone.get("/tables/")

    assert "East plays" in told(phone.get("/tables/4/"))


def test_another_phone_knows_nothing_of_them(salon: Salon, phone: Client) -> None:
    playing(salon)
    drafting(phone)

    assert "Who won trick 1?" in told(scorer_at(salon, "4").get("/tables/4/"))


def test_only_the_mode_is_kept_when_something_was_recorded_meanwhile(
    salon: Salon, phone: Client
) -> None:
    game = playing(salon)
    drafting(phone)
    done(game, "tricks", cards=["2B", "9B", "CB", "5B"])

    assert "East leads" in told(phone.get("/tables/4/"))


def test_a_pile_half_counted_is_there_when_a_phone_comes_back(salon: Salon, phone: Client) -> None:
    guarded(salon)
    phone.get("/tables/4/", {"by": "pile", "pile.honours:number": "4"})

    page = phone.get("/tables/4/").text

    assert (
        'id="honours-4" name="pile.honours:number" value="4" aria-label="4 Honours" checked'
        in flat(page)
    )


def test_another_game_at_the_table_begins_with_nothing(salon: Salon, phone: Client) -> None:
    game = playing(salon)
    drafting(phone)
    Game.objects.filter(pk=game.pk).update(table="5")
    playing(salon)

    assert "Who won trick 1?" in told(phone.get("/tables/4/"))


@pytest.mark.parametrize("kept", ["", "~", "x~y~z", "%00~1~by=cards", "~1~by=%ff"])
def test_what_no_pad_wrote_is_as_nothing(salon: Salon, phone: Client, kept: str) -> None:
    playing(salon)
    phone.cookies["pad"] = kept

    assert "Who won trick 1?" in told(phone.get("/tables/4/"))


def test_what_is_kept_is_for_this_table_alone_and_not_for_scripts(
    salon: Salon, phone: Client
) -> None:
    playing(salon)

    kept = drafting(phone).cookies["pad"]

    assert (kept["path"], kept["httponly"], kept["samesite"]) == ("/tables/4/", True, "Lax")


def test_a_pad_that_looks_again_gets_304_until_something_is_recorded(
    salon: Salon, phone: Client
) -> None:
    game = bidding(salon)
    shown = unescape(match_in(phone.get("/tables/4/").text, 'data-shown="([^"]*)"')[1])

    same = phone.get("/tables/4/", headers={**ASKED_AGAIN, "If-None-Match": shown})
    done(game, "bids", seat="W", tricks=2)
    new = phone.get("/tables/4/", headers={**ASKED_AGAIN, "If-None-Match": shown})

    assert (same.status_code, same.content) == (304, b"")
    assert "North bids" in told(new)


def test_a_pad_whose_game_has_left_the_table_loads_again(salon: Salon, phone: Client) -> None:
    game = bidding(salon)
    Game.objects.filter(pk=game.pk).update(table="5")

    assert (
        phone.get("/tables/4/", headers={**ASKED_AGAIN, "If-None-Match": '"x"'})["HX-Refresh"]
        == "true"
    )


def test_a_free_table_loads_again_when_a_game_has_started(salon: Salon, phone: Client) -> None:
    assert "data-follows" in phone.get("/tables/4/").text
    assert "HX-Refresh" not in phone.get(
        "/tables/4/", headers={**ASKED_AGAIN, "If-None-Match": '"free"'}
    )
    bidding(salon)

    assert (
        phone.get("/tables/4/", headers={**ASKED_AGAIN, "If-None-Match": '"free"'})["HX-Refresh"]
        == "true"
    )


def test_leaving_the_cards_asks_first_where_cards_are_written(salon: Salon, phone: Client) -> None:
    game = done(playing(salon), "tricks", cards=["2B", "9B", "CB", "5B"])

    asked = phone.get("/tables/4/?by=winners")
    sure = phone.get("/tables/4/?by=winners&sure=yes")

    assert "Write no more cards?" in told(asked)
    assert 'name="seat" value="N"' not in flat(asked.text)
    assert 'href="?by=cards"' in asked.text
    assert "Who won trick 2?" in told(sure)
    phone.post("/tables/4/winners/?by=winners&sure=yes", about(sure) | {"seat": "N"})
    game.refresh_from_db()
    assert game.state["hand"]["winners"] == ["E", "N"]
    assert "Who won trick 3?" in told(phone.get("/tables/4/?by=winners"))


@pytest.mark.parametrize("by", ["winners", "totals"])
def test_leaving_a_trick_with_cards_on_the_table_names_them_and_keeps_them(
    salon: Salon, phone: Client, by: str
) -> None:
    playing(salon)
    here = drafting(phone).text

    asked = phone.get(f"/tables/4/?by={by}&trick=1&cards=2B,9B")

    assert f'href="?by={by}&amp;trick=1&amp;cards=2B,9B"' in here
    assert "Write no more cards?" in told(asked)
    assert "2 cards of trick 1 lie on the table." in told(asked)
    assert 'href="?by=cards&amp;trick=1&amp;cards=2B,9B"' in asked.text


def test_no_card_written_means_no_question(salon: Salon, phone: Client) -> None:
    playing(salon)

    assert "Who won trick 1?" in told(phone.get("/tables/4/?by=winners"))


def test_preference_asks_as_well(salon: Salon, phone: Client) -> None:
    preference(salon)

    assert "Write no more cards?" in told(phone.get("/tables/4/?by=totals&trick=1&cards=AH"))


def test_the_owner_leaves_the_cards_by_two_taps_of_purpose(salon: Salon) -> None:
    done(playing(salon), "tricks", cards=["2B", "9B", "CB", "5B"])

    page = owner_of(salon).get("/tables/4/?by=totals").text

    assert 'href="?by=totals&amp;sure=yes"' in page


@pytest.mark.parametrize(
    "query", ["", "by", "by=winners", "by=a&by=b", "by=cards&trick=3", "by=%C3%A4", "by=a+b"]
)
def test_a_query_is_written_as_it_always_is(query: str) -> None:
    asked = QueryDict(query)

    assert query_text(asked) == asked.urlencode()
    assert query_text(keep_query(asked)) == urlencode(keep_query(asked))
