"""Lists of tables take from memory what they were made of before, and never anything that has
changed since, or that another visitor may see.
"""

import re

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournament.helpers.playing import a_game
from tests.tournament.helpers.salons import owner_of
from tournament.models import Game, Player, Salon

LISTS = ("/", "/tables/")


def test_another_name_is_seen_by_the_next_look_of_whoever_may_see_it(salon: Salon) -> None:
    a_game(salon)
    owner = owner_of(salon)
    for page in LISTS:
        owner.get(page)

    player = Player.objects.filter(salon=salon).order_by("pk").first()
    assert player is not None
    Player.objects.filter(pk=player.pk).update(name="Somebody Else")
    assert all("Somebody Else" in owner.get(page).text for page in LISTS)
    assert all("Somebody Else" in Client().get(page).text for page in LISTS)

    Player.objects.filter(pk=player.pk).update(names_shown="first")
    assert all("Somebody Else" in owner.get(page).text for page in LISTS)
    assert not any("Somebody Else" in Client().get(page).text for page in LISTS)

    Salon.objects.filter(pk=salon.pk).update(names_shown="pseudonym")
    Player.objects.filter(pk=player.pk).update(names_shown="")
    assert all("Somebody Else" in owner.get(page).text for page in LISTS)
    assert not any("Somebody" in Client().get(page).text for page in LISTS)


def test_a_row_that_was_mended_is_read_though_nothing_was_recorded(salon: Salon) -> None:
    game, owner = a_game(salon), owner_of(salon)
    before = {page: owner.get(page).text for page in LISTS}
    row = Game.objects.get(pk=game.pk)
    state = row.state
    state["score"]["NS"] = 432

    Game.objects.filter(pk=game.pk).update(state=state)

    for page in LISTS:
        assert "432" not in re.findall(r"\b\d+\b", before[page])
        assert "432" in re.findall(r"\b\d+\b", owner.get(page).text)


def test_a_list_that_looks_again_asks_for_nobodys_name(salon: Salon) -> None:
    for table in "456":
        a_game(salon, table=table)
    owner_of(salon).get("/")

    with CaptureQueriesContext(connection) as asked:
        owner_of(salon).get("/")

    assert not [each["sql"] for each in asked if 'FROM "tournament_player"' in each["sql"]]
