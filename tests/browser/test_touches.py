"""A tap is judged by when and where the finger came down, whenever the page comes round to it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import visiting
from tests.browser.fingers import double_tap, spot_of, touch
from tests.tournament.helpers.playing import bidding, done, playing
from tests.tournament.helpers.salons import owner_of
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser

# A phone with much to do: the page stands still for a while once another question is there.
BUSY = """() => document.addEventListener("htmx:afterSwap", ({ target }) => {
  const end = performance.now() + 500;
  while (target.id === "pad" && performance.now() < end);
})"""
# Whether the keys took a tap as a question came, question by question.
TAKES_TAPS = """() => {
  window.takes = [];
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    const key = target.id === "pad" && target.querySelector(".key");
    if (key) takes.push(getComputedStyle(key).pointerEvents);
  });
}"""


@pytest.fixture
def finger(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """The owner's phone, whose screen is touched."""
    yield from visiting(browser, site, owner_of(salon), has_touch=True)


def last_bid(salon: Salon, page: Page, by: str) -> Game:
    """Three have bid; South's bid is asked."""
    game = bidding(salon)
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3)):
        done(game, "bids", seat=seat, tricks=tricks)
    page.goto(f"/tables/4/?by={by}")
    expect(page.locator("#ask")).to_have_text("South bids")
    return game


def recorded(game: Game) -> dict[str, Any]:
    game.refresh_from_db()
    state: dict[str, Any] = game.state
    return state


@pytest.mark.parametrize(
    ("by", "asked"), [("totals", "Tricks of North–South"), ("winners", "Who won trick 1?")]
)
def test_a_double_tap_on_the_fourth_bid_records_the_bid_alone(
    finger: Page, salon: Salon, by: str, asked: str
) -> None:
    game = last_bid(salon, finger, by)
    finger.evaluate(BUSY)
    spot = spot_of(finger, '[data-key="2"]')

    double_tap(finger, *spot)

    expect(finger.locator("#ask")).to_have_text(asked)
    finger.wait_for_timeout(700)
    assert recorded(game)["hand"]["winners"] == []
    assert recorded(game)["hand"]["bids"]["S"] == 2
    expect(finger.locator("#ask")).to_have_text(asked)


def test_a_touch_that_began_before_the_question_came_is_none_of_its_taps(
    finger: Page, salon: Salon
) -> None:
    game = last_bid(salon, finger, "totals")
    session = finger.context.new_cdp_session(finger)
    spot = spot_of(finger, '[data-key="8"]')

    touch(session, "touchStart", *spot)
    finger.evaluate("document.querySelector('[data-key=\"3\"]').click()")
    expect(finger.locator("#ask")).to_have_text("Tricks of North–South")
    finger.wait_for_timeout(400)
    touch(session, "touchEnd")
    finger.wait_for_timeout(300)

    assert recorded(game)["stage"] == "play"
    expect(finger.locator("#ask")).to_have_text("Tricks of North–South")


def test_keys_of_another_kind_of_question_sleep_at_first_and_those_of_the_same_kind_do_not(
    finger: Page, salon: Salon
) -> None:
    bidding(salon)
    finger.goto("/tables/4/")
    finger.evaluate(TAKES_TAPS)
    for tricks in (2, 4, 3):
        before = finger.locator("#ask").inner_text()
        finger.locator(f'[data-key="{tricks}"]').tap()
        expect(finger.locator("#ask")).not_to_have_text(before)
    assert finger.evaluate("takes") == ["auto"] * 3

    finger.locator('[data-key="1"]').tap()
    expect(finger.locator("#ask")).to_have_text("Who won trick 1?")

    assert finger.evaluate("takes") == [*["auto"] * 3, "none"]
    finger.locator('.compass [value="N"]').tap()
    expect(finger.locator("#ask")).to_have_text("Who won trick 2?")


def test_quick_taps_on_different_keys_all_count(finger: Page, salon: Salon) -> None:
    game = playing(salon)
    finger.goto("/tables/4/")
    spots = [spot_of(finger, f'.compass [value="{seat}"]') for seat in "NESW"]
    for spot in spots:
        finger.touchscreen.tap(*spot)
        finger.wait_for_timeout(60)

    expect(finger.locator("#ask")).to_have_text(re.compile("Who won trick 5"))
    assert recorded(game)["hand"]["winners"] == ["N", "E", "S", "W"]
