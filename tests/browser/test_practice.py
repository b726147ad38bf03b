"""The practice of a scorer on a phone: tapped as at a table, and nothing of it kept."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import DESK_BY_NIGHT, PHONE_BY_DAY, look_here
from tests.browser.scorer import Scorer
from tournament.models import Game, Player, Salon

pytestmark = pytest.mark.browser


def test_two_hands_are_practised_by_tapping_and_the_phone_keeps_none(
    phone: Page, salon: Salon
) -> None:
    phone.goto("/practice/")
    look_here(phone, PHONE_BY_DAY, DESK_BY_NIGHT)
    phone.get_by_role("link", name="Practise Precedence").click()
    look_here(phone, PHONE_BY_DAY, DESK_BY_NIGHT)
    scorer = Scorer(phone)
    phone.locator("button.open").click()
    expect(phone.locator("#ask")).to_contain_text("bids")
    for tricks in (2, 4, 3, 2):
        before = phone.locator("#ask").inner_text()
        phone.locator(f'[name="tricks:number"][value="{tricks}"]').click()
        expect(phone.locator("#ask")).not_to_have_text(before)
    for trick, seat in enumerate("NEWNSENNENSSE", 1):
        scorer.tap(
            f'.compass [value="{seat}"]',
            f"Who won trick {trick + 1}?" if trick < 13 else "Hand 1 is over",
        )
    phone.locator(".dock button").click()
    expect(phone.locator("#ask")).to_have_text("Who won trick 13?")

    assert phone.evaluate("outboxStore.kept().then((entries) => entries.length)") == 0
    assert (Game.objects.count(), Player.objects.count()) == (0, 0)
    phone.get_by_role("button", name="Begin again").click()
    expect(phone.locator("#ask")).to_have_text("The first hand")
