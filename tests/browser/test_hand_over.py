"""Between two hands of Precedence every bid key can be tapped on a phone: none lies under the dock
or outside the window, whatever else is to be said.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import fits
from tests.tournament.helpers.playing import bidding, done, say
from tests.tournament.helpers.salons import seated
from tournament.models import Salon

pytestmark = pytest.mark.browser

# What is hit in the middle of a key and just above its lower edge, where that isn't the key.
COVERED = """() => [...document.querySelectorAll("#pad .firstbid .key")].flatMap((key) => {
  const { left, width, top, bottom } = key.getBoundingClientRect();
  const hit = [(top + bottom) / 2, bottom - 3].map((y) =>
    document.elementFromPoint(left + width / 2, y)?.closest(".key"));
  return hit.every((part) => part === key) ? [] : [key.value];
})"""


@pytest.mark.parametrize(("disputes", "height"), [(1, 740), (2, 740), (1, 640)])
def test_every_key_of_the_next_bid_is_in_reach_after_an_audit_with_disputes(
    phone: Page, salon: Salon, disputes: int, height: int
) -> None:
    game = bidding(salon)
    for number in range(1, disputes + 1):
        if number > 1:
            done(game, "hands")
        for seat in "WNES" if number == 1 else "NESW":
            done(game, "bids", seat=seat, tricks=0)
        done(game, "totals", NS=12, EW=1)
        say(seated(game, "E"), game, "disputes", number=number, reason="East–West took six")
    phone.set_viewport_size({"width": 360, "height": height})
    phone.goto("/tables/4/")

    expect(phone.locator(".handsum .audit")).to_have_count(1)
    expect(phone.get_by_text("is disputed")).to_have_count(disputes)
    expect(phone.locator(".firstbid .key")).to_have_count(14)
    assert phone.evaluate(COVERED) == []
    assert fits(phone)
