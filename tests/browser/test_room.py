"""Lists use the room of a screen: tables on a wall stand in its whole width, a bracket of 16 and
twelve ranks of standings are in view on a laptop.
"""

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.walls import holding, looked_at, shown
from tests.browser.walls import projector as projector
from tests.browser.walls import screen as screen
from tests.tournament.helpers import evenings
from tests.tournament.helpers.playing import a_game
from tournament.domain.brackets.values import Knockout
from tournament.domain.standings.values import Stage
from tournament.models import Player, Salon, Screen

pytestmark = pytest.mark.browser

SURNAMES = (
    *("Renn", "Marrow", "Venn", "Quill", "Frey", "Moss", "Castellan", "Lark"),
    *("Hart", "Vale", "Bloom", "Stern", "Birch", "Ash", "Elm", "Rowan"),
)
SHORT = {
    "Asha Renn": "Al Li",
    "Cato Liss": "Jo Ray",
    "Ilse Marrow": "Ed Fry",
    "Juno Dray": "Cy Tir",
}
SIXTEEN = tuple((f"Alexandra {name}", f"Cato {name}") for name in SURNAMES)
KNOCKOUT = Stage(kind="knockout", knockout=Knockout())
LAPTOP: ViewportSize = {"width": 1280, "height": 800}


@pytest.fixture
def sixteen(monkeypatch: pytest.MonkeyPatch) -> int:
    """Sixteen pairs are there to enter."""
    monkeypatch.setattr(evenings, "PAIRS", SIXTEEN)
    return len(SIXTEEN)


def test_eight_tables_whose_names_fit_stand_in_the_whole_width_of_a_wall(
    projector: Page, salon: Salon, screen: Screen
) -> None:
    for label in "12345678":
        a_game(salon, table=label)
    for name, short in SHORT.items():
        Player.objects.filter(salon=salon, name=name).update(name=short)
    holding(screen, "tables")
    shown(projector, screen, "whole-width")
    looked_at(projector)

    assert projector.locator(".wall__seats > li").count() == 8
    second = projector.locator(".wall__seats > li:first-child ul > li:last-child").bounding_box()
    assert second is not None
    assert second["x"] > 960
    assert second["x"] + second["width"] > 1800


def test_a_bracket_of_sixteen_is_in_view_on_a_laptop(
    phone: Page, salon: Salon, sixteen: int
) -> None:
    row = evenings.in_round_1(salon, sixteen, KNOCKOUT)
    phone.set_viewport_size(LAPTOP)
    phone.goto(f"/tournaments/{row.pk}/bracket/")

    drawn = phone.locator(".bracket-page").first
    assert drawn.evaluate("part => part.scrollWidth - part.clientWidth") == 0


def test_twelve_ranks_are_in_view_on_a_laptop(phone: Page, salon: Salon, sixteen: int) -> None:
    row = evenings.after_round_1(salon, sixteen)
    phone.set_viewport_size(LAPTOP)
    phone.goto(f"/tournaments/{row.pk}/standings/")

    ranks = phone.locator(".tbl tbody tr")
    assert ranks.count() == sixteen
    end = ranks.nth(11).bounding_box()
    assert end is not None
    assert end["y"] + end["height"] <= LAPTOP["height"]
