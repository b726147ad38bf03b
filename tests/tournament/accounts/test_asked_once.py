"""One request asks the database for nothing twice: neither for the salon, nor for who asks."""

from collections import Counter

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournament.helpers.playing import done, playing
from tests.tournament.helpers.salons import member, scorer_at
from tournament.models import Game, Salon

PAGES = ("/", "/games/{}/", "/tables/", "/tables/4/", "/games/{}/clock/")
ROLES = ("anyone", "owner", "table")


@pytest.fixture
def game(salon: Salon) -> Game:
    """One that is played at table 4, after a closed hand."""
    return done(playing(salon), "totals", NS=8, EW=5)


def browser(salon: Salon, role: str) -> Client:
    if role == "anyone":
        return Client()
    return scorer_at(salon, "4") if role == "table" else member(salon, role)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_for_nothing_twice(page: str, role: str, salon: Salon, game: Game) -> None:
    visitor = browser(salon, role)

    with CaptureQueriesContext(connection) as asked:
        answer = visitor.get(page.format(game.pk))

    if (page, role) == ("/tables/4/", "anyone"):
        assert answer.status_code == 302
    else:
        assert answer.status_code == 200
    twice = [sql for sql, times in Counter(each["sql"] for each in asked).items() if times > 1]
    assert twice == []
    whole = [each for each in asked if 'FROM "tournament_salon"' in each["sql"]]
    assert len([each for each in whole if '"names_shown"' in each["sql"]]) <= 1
