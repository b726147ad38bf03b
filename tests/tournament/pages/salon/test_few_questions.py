"""Pages that many look at ask the database a few questions, however much there is to show."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournament.helpers.playing import a_game
from tests.tournament.helpers.salons import owner_of, scorer_at
from tournament.models import Salon

MOST = {"/": 9, "/tables/": 7, "/tournaments/": 6, "/players/": 7}
TABLES = "45678"


def asked_for(client: Client, page: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(page).status_code == 200
    return len(asked)


@pytest.mark.parametrize("page", MOST)
def test_a_list_asks_as_little_when_five_tables_play_as_when_one_does(
    salon: Salon, page: str
) -> None:
    owner = owner_of(salon)
    a_game(salon, table=TABLES[0])
    one = asked_for(owner, page)

    for table in TABLES[1:]:
        a_game(salon, table=table)

    assert asked_for(owner, page) <= one <= MOST[page]


def test_a_pad_asks_no_more_than_a_dozen_questions(salon: Salon) -> None:
    a_game(salon)

    assert asked_for(scorer_at(salon, "4"), "/tables/4/") <= 12
