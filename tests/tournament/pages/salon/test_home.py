"""The salon tonight."""

import pytest
from django.test import Client

from tests.tournament.helpers.playing import flat
from tests.tournament.helpers.salon import open_a_salon, owner_of


@pytest.mark.django_db
def test_a_new_salon_says_what_will_stand_here_and_offers_the_one_step() -> None:
    page = owner_of(open_a_salon()).get("/").text

    assert "No game has been played here yet" in page
    assert 'href="/games/new/">Start the first game' in flat(page)
    assert ", Mara</h1>" in page


@pytest.mark.django_db
def test_who_may_not_start_a_game_is_not_offered_one() -> None:
    open_a_salon()

    page = Client().get("/").text

    assert "No game has been played here yet" in page
    assert "/games/new/" not in page
