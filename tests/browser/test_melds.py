"""Melds shown on a phone: a triad by its rank and the suit that is missing, a run with its chosen
cards in sight.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.tournament.helpers.playing import bidding, done
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser


def melds_of(game: Game) -> list[dict[str, Any]]:
    game.refresh_from_db()
    melds: list[dict[str, Any]] = game.state["hand"]["melds"]
    return melds


def tap_all(page: Page, *selectors: str) -> int:
    """Tap these one after the other, each when it is there; how many taps it was."""
    for selector in selectors:
        page.locator(f"#pad >> {selector}").first.click()
    return len(selectors)


def test_a_triad_takes_five_taps_at_most(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")

    taps = tap_all(
        phone,
        ".melders >> text=East",
        ".levels >> text=Triad",
        'a.key[data-key="7"]',
        'button.key:has-text("Core")',
    )

    expect(phone.locator("#ask")).to_have_text("West bids")
    assert taps <= 5
    assert melds_of(game) == [{"seat": "E", "kind": "triad", "cards": ["7V", "7F", "7B"]}]


def test_a_quad_takes_three_taps(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")

    taps = tap_all(
        phone, ".melders >> text=East", ".levels >> text=Quad", 'button.key[data-key="o"]'
    )

    expect(phone.locator("#ask")).to_have_text("West bids")
    assert taps == 3
    assert melds_of(game) == [{"seat": "E", "kind": "quad", "cards": ["OV", "OF", "OB", "OC"]}]


def test_chosen_cards_stand_above_and_a_tap_takes_one_back(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/?meld=E")
    chosen = phone.locator(".picked button")

    tap_all(phone, 'label:has([data-card="7V"])', 'label:has([data-card="8V"])')
    tap_all(phone, '.deck__suits label:has([value="F"])', 'label:has([data-card="9F"])')
    expect(chosen).to_have_text(["7", "8", "9"])
    expect(phone.locator('.deck__suits label:has([value="V"]) .chosen')).to_have_text("2")
    expect(phone.locator('.deck__suits label:has([value="F"]) .chosen')).to_have_text("1")

    phone.get_by_role("button", name="Take back 9 of Frontier").click()
    expect(chosen).to_have_text(["7", "8"])
    tap_all(
        phone,
        '.deck__suits label:has([value="V"])',
        'label:has([data-card="9V"])',
        "text=Show the run",
    )
    expect(phone.locator("#ask")).to_have_text("West bids")
    assert melds_of(game) == [{"seat": "E", "kind": "run", "cards": ["7V", "8V", "9V"]}]


def test_a_refused_run_keeps_its_cards_and_its_suit_and_says_why_in_view(
    phone: Page, salon: Salon
) -> None:
    bidding(salon)
    phone.goto("/tables/4/?meld=E")
    tap_all(
        phone,
        'label:has([data-card="7V"])',
        '.deck__suits label:has([value="F"])',
        'label:has([data-card="8F"])',
    )
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    tap_all(phone, "text=Show the run")

    expect(phone.locator("#problem")).to_contain_text("a run is 3 or more cards of one suit")
    expect(phone.locator(".picked button")).to_have_text(["7", "8"])
    expect(phone.locator('.deck__suits [value="F"]')).to_be_checked()
    box = phone.locator("#problem").bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= 740 - 66 - box["height"]


def test_a_rank_with_too_few_cards_left_is_dashed(phone: Page, salon: Salon) -> None:
    done(bidding(salon), "melds", seat="W", kind="triad", cards=["7V", "7F", "7B"])
    phone.goto("/tables/4/?meld=E&of=triad")

    expect(phone.locator('button.key:disabled:text-is("7")')).to_have_count(1)
    expect(phone.locator('a.key[data-key="8"]')).to_have_count(1)
