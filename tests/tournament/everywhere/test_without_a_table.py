"""A game that was recorded at no table: every page that shows it answers, and none leads to a
table.
"""

import pytest

from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.salons import member, owner_of
from tests.tournament.helpers.sweeping import every_address
from tournament.models import Game, Player, Salon
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS


@pytest.fixture
def game(salon: Salon) -> Game:
    """One that goes on, with a hand that waits to be confirmed."""
    game = game_at(salon, table="")
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    catch_up(salon.log, PROJECTIONS)
    return game


@pytest.mark.parametrize("role", ["owner", pytest.param("scorer", marks=pytest.mark.long)])
def test_every_page_answers_about_a_game_at_no_table(salon: Salon, game: Game, role: str) -> None:
    browser = owner_of(salon) if role == "owner" else member(salon, role)
    browser.raise_request_exception = False
    player = Player.objects.filter(salon=salon).order_by("pk")[0]
    known = {
        "game": [game.pk],
        "player": [str(player.pk)],
        "tournament": ["0" * 32],
        "label": ["4"],
        "salon": [salon.slug],
    }

    statuses = {address: browser.get(address).status_code for address in every_address(known)}
    assert {address: status for address, status in statuses.items() if status >= 500} == {}
    refused = [address for address, status in statuses.items() if status == 405]
    assert [address for address in refused if not address.startswith("/api/")] == []
    assert statuses[f"/games/{game.pk}/confirmation/"] == statuses[f"/games/{game.pk}/"] == 200


def test_its_hands_are_confirmed_by_pin_and_no_link_leads_to_the_seats_of_a_table(
    salon: Salon, game: Game
) -> None:
    page = owner_of(salon).get(f"/games/{game.pk}/confirmation/").text

    assert "On this phone" in page
    assert "/seats/" not in page
