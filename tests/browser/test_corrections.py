"""A hand is corrected in a browser: the form filled with what was recorded, what changes, the
reason, the board.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import EVERY_SIGHT, look, look_here
from tests.tournament.helpers.tables import bids, recorded, simple
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser
HANDS = [{"dealer": dealer, "bids": bids("2424"), "tricks": {"NS": 7, "EW": 6}} for dealer in "NES"]


@pytest.fixture
def game(salon: Salon) -> Game:
    """Three closed hands at table 4."""
    recorded(salon, simple("game", hands=HANDS, table="4"))
    return Game.objects.get(salon=salon)


def test_a_hand_is_corrected_and_the_board_says_so(phone: Page, game: Game) -> None:
    phone.goto(f"/games/{game.pk}/")
    phone.click("#to-corrections")
    phone.locator("tr", has_text="2").get_by_role("link", name="Correct").first.click()
    phone.get_by_label("North–South tricks").fill("3")
    phone.get_by_label("East–West tricks").fill("10")
    phone.get_by_role("button", name="See what changes").click()
    expect(
        phone.get_by_role("region", name="Before and after").get_by_role("status")
    ).to_contain_text("lines differ")
    phone.get_by_label("Why it is corrected").fill("Counted from the wrong pile.")
    phone.get_by_role("button", name="Correct it").click()

    expect(phone.locator("#corrected")).to_contain_text("Corrected: hand 2.")
    phone.goto(f"/games/{game.pk}/history/")
    expect(phone.locator("ol.tl")).to_contain_text("Counted from the wrong pile.")


def test_axe_finds_nothing_on_the_pages_of_corrections(phone: Page, game: Game) -> None:
    root = f"/games/{game.pk}/corrections/"
    for address in (
        root,
        f"{root}hand/?hand=2",
        f"{root}seats/",
        f"{root}options/",
        f"{root}removed/?hand=1",
    ):
        look(phone, address, *EVERY_SIGHT)
    phone.get_by_role("button", name="See what changes").click()
    expect(
        phone.get_by_role("region", name="Before and after").get_by_role("status")
    ).to_be_visible()
    look_here(phone, *EVERY_SIGHT)
