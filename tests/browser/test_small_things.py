"""Small things that a hand or an ear finds at once: keys that can't be used look so, targets that a
thumb hits, numbers that stand where they are reckoned, and what was recorded said.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.tournament.helpers import sabacc
from tests.tournament.helpers.playing import bidding, playing
from tournament.models import Salon

pytestmark = pytest.mark.browser


def test_what_a_tap_recorded_is_said_politely(phone: Page, salon: Salon) -> None:
    bidding(salon)
    phone.goto("/tables/4/")
    phone.locator(".key", has_text="2").first.click()

    expect(phone.locator("#recorded[role=status]")).to_have_text("2, West's bid")


def test_a_run_is_not_shown_before_a_card_is_chosen(phone: Page, salon: Salon) -> None:
    bidding(salon)
    phone.goto("/tables/4/?meld=E")
    show = phone.get_by_role("button", name="Show the run")

    expect(show).to_be_disabled()
    phone.locator(".deck--pick label:has([data-card='7V'])").click()
    expect(show).to_be_enabled()


def test_other_cards_of_a_pile_show_what_is_reckoned(phone: Page, salon: Salon) -> None:
    sabacc.guarded(salon, 4)
    phone.goto("/tables/4/?by=pile")
    phone.locator("#tricks").fill("9")

    expect(phone.locator("#others")).to_have_attribute("placeholder", "42")
    phone.goto("/tables/4/?by=points")
    expect(phone.locator("#points")).to_have_attribute("placeholder", "46")


def test_quiet_buttons_stand_at_the_edge_and_numbers_can_be_hit(phone: Page, salon: Salon) -> None:
    game = playing(salon)
    phone.goto(f"/games/{game.pk}/")
    edge = phone.locator("#board h2").last.bounding_box()
    quiet = phone.locator("#board a.btn--quiet").first
    box = quiet.bounding_box()
    assert edge is not None
    assert box is not None
    text = quiet.evaluate("""(each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return range.getBoundingClientRect().left;
    }""")
    assert abs(text - box["x"]) <= 1

    small = phone.locator("a.opens").evaluate_all(
        """(all) => all.map((each) => each.getBoundingClientRect())
          .filter(({ width, height }) => width && (width < 24 || height < 40)).length"""
    )
    assert small == 0
    top = phone.locator(".top").bounding_box()
    velvet = phone.locator("#board > .velvet").bounding_box()
    assert top is not None
    assert velvet is not None
    assert abs(top["y"] + top["height"] - velvet["y"]) <= 1
    assert (
        phone.locator(".top").evaluate("(bar) => getComputedStyle(bar).borderBottomWidth") == "0px"
    )


def test_an_error_begins_with_a_capital(phone: Page, salon: Salon) -> None:
    sabacc.guarded(salon, 4)
    phone.goto("/tables/4/?by=points")
    phone.locator("#points").fill("many")
    phone.get_by_role("button", name="Record hand 1").click()

    words = phone.locator(".error > span").first
    expect(words).to_be_visible()
    first = words.evaluate("(each) => getComputedStyle(each, '::first-letter').textTransform")
    assert first == "uppercase"
