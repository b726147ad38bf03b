"""Whole hands of Preference recorded by tapping: by winners, by totals, by cards with a reload,
without scripts on the sheet.
"""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import AT_EASE, DESK, visiting
from tests.browser.looking import DESK_BY_DAY, PHONE_BY_DAY, look
from tests.tournament.helpers.playing import state_of
from tests.tournament.helpers.preference import dealt, done, playing
from tests.tournament.helpers.salons import owner_of
from tournament.models import Game, Hand, Salon

pytestmark = pytest.mark.browser


class Scorer:
    """Somebody who taps on a pad; `taps` counts every tap."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self.last = ""

    def tap(self, selector: str, then: str) -> None:
        """Tap once, and wait for the question that follows."""
        if selector == self.last:
            self.page.wait_for_timeout(AT_EASE)
        self.page.locator(selector).first.click()
        self.taps, self.last = self.taps + 1, selector
        expect(self.page.locator("#ask")).to_have_text(then)

    def bid_to_play(self) -> None:
        """Asha bids two, the others pass; she plays two and both defend."""
        self.tap('[name="call"][value="two"]', "Ilse Marrow speaks")
        self.tap('[name="call"][value="pass"]', "Cato Liss speaks")
        self.tap('[name="call"][value="pass"]', "What does Asha Renn play?")
        self.tap('[name="contract"][value="two"]', "Who defends?")
        self.tap('[data-key="1"]', "Who won trick 1?")


def result_of(game: Game) -> dict[str, Any]:
    result: dict[str, Any] = Hand.objects.get(game=game, number=1).result["result"]
    return result


def test_a_hand_of_preference_by_trick_winners_takes_25_taps_at_most(
    phone: Page, salon: Salon
) -> None:
    game = dealt(salon)
    phone.goto("/tables/4/")
    scorer = Scorer(phone)

    scorer.bid_to_play()
    for trick, seat in enumerate("AABACABACA", 1):
        scorer.tap(
            f'.taker[value="{seat}"]',
            f"Who won trick {trick + 1}?" if trick < 10 else "Hand 1 is over",
        )
    scorer.tap("text=Open hand 2", "Ilse Marrow speaks")

    assert scorer.taps <= 25
    assert phone.locator(".padstate .score").all_inner_texts() == ["0", "−10", "−10"]
    assert result_of(game)["tricks"] == {"A": 6, "B": 2, "C": 2}


def test_a_contract_stands_where_it_stood_in_the_auction(phone: Page, salon: Salon) -> None:
    dealt(salon)
    phone.goto("/tables/4/")
    scorer = Scorer(phone)
    scorer.tap('[name="call"][value="two"]', "Ilse Marrow speaks")
    scorer.tap('[name="call"][value="pass"]', "Cato Liss speaks")
    before = phone.locator('[value="three"]').bounding_box()

    scorer.tap('[name="call"][value="pass"]', "What does Asha Renn play?")

    assert phone.locator('[value="three"]').bounding_box() == before


def test_a_hand_of_preference_by_totals_takes_12_taps_at_most(phone: Page, salon: Salon) -> None:
    game = dealt(salon)
    phone.goto("/tables/4/")
    scorer = Scorer(phone)

    scorer.bid_to_play()
    scorer.tap(".levels >> text=Totals", "Tricks of Asha Renn")
    scorer.tap('a.key[data-key="5"]', "Tricks of Ilse Marrow")
    scorer.tap('button[data-key="4"]', "Hand 1 is over")
    scorer.tap("text=Open hand 2", "Ilse Marrow speaks")

    assert scorer.taps <= 12
    assert (result_of(game)["made"], result_of(game)["chips"]) == (
        False,
        {"A": -30, "B": -10, "C": -20},
    )


TRICKS = [["AH", "7H", "8H"], ["KH", "9H", "TH"], ["AC", "7C", "8C"], ["8D", "9D", "TD"]]


def test_cards_with_an_undo_and_a_reload_in_the_middle(phone: Page, salon: Salon) -> None:
    game = playing(salon, "three")
    phone.goto("/tables/4/?by=cards")

    for number, cards in enumerate(TRICKS, 1):
        put(phone, cards, reload=number == 2)
        if number == 3:
            phone.locator(".dock >> text=Undo trick 3").click()
            expect(phone.locator(".hint").first).to_contain_text("Trick 3 of 10.")
            put(phone, cards)

    assert state_of(game)["hand"]["plays"] == TRICKS


def put(page: Page, cards: list[str], *, reload: bool = False) -> None:
    """Tap the cards of a trick, suit first where the other suit is open."""
    for place, card in enumerate(cards):
        if not page.locator(f'[data-card="{card}"]').is_visible():
            page.locator(f'.deck__suits label:has([value="{card[1]}"])').click()
        page.locator(f'[data-card="{card}"]').click()
        expect(page.locator(".trick li")).to_have_count((place + 1) % len(cards))
        if reload and place == 0:
            page.reload()
            expect(page.locator(".trick li")).to_have_count(1)


def test_the_keyboard_records_a_hand(browser: Browser, site: str, salon: Salon) -> None:
    game = dealt(salon)
    for desk in visiting(browser, site, owner_of(salon), viewport=DESK):
        desk.goto("/tables/4/")
        keys = [
            ("2", "Ilse Marrow speaks"),
            ("p", "Cato Liss speaks"),
            ("p", "What does Asha Renn play?"),
            ("7", "Who defends?"),
        ]
        for key, question in [
            *keys,
            ("3", "Who won trick 1?"),
            ("b", "Who won trick 2?"),
            ("u", "Who won trick 1?"),
        ]:
            desk.keyboard.press(key)
            expect(desk.locator("#ask")).to_have_text(question)

    hand = state_of(game)["hand"]
    assert (hand["contract"], hand["defence"], hand["winners"]) == (
        "two_hand",
        {"B": "along", "C": "out"},
        [],
    )


def test_the_sheet_previews_a_hand_as_it_is_scored(phone: Page, salon: Salon) -> None:
    game = dealt(salon)
    phone.goto("/tables/4/sheet/")

    phone.locator('label:has([value="soloist=B"])').click()
    phone.locator("#contract").select_option("four")
    for seat, number in zip("ABC", (1, 7, 2), strict=True):
        phone.locator(f'[id="tricks.{seat}"]').fill(str(number))
    expect(phone.locator("#preview .score")).to_have_text(["−20", "0", "−10"])
    phone.locator("#preview >> text=Record hand 1").click()
    expect(phone.locator("#ask")).to_have_text("Hand 1 is over")

    assert result_of(game)["chips"] == {"A": -20, "B": 0, "C": -10}


def test_no_page_of_preference_overflows_or_has_what_axe_finds(phone: Page, salon: Salon) -> None:
    game = done(dealt(salon), "calls", seat="A", call="two")
    check(phone, "/games/new/?game=preference", "/tables/4/", "/rules/preference/")
    for seat in "BC":
        done(game, "calls", seat=seat, call="pass")
    check(phone, "/tables/4/")
    done(game, "contracts", soloist="A", contract="no_trump")
    check(phone, "/tables/4/")
    done(game, "defences", B="insisted")
    check(
        phone,
        "/tables/4/",
        "/tables/4/?by=totals",
        "/tables/4/?by=cards&cards=9H,KH",
        "/tables/4/sheet/",
        f"/games/{game.pk}/",
    )
    done(game, "totals", tricks={"A": 7, "B": 2, "C": 1}, in_succession=True)
    check(phone, "/tables/4/", f"/games/{game.pk}/?hand=1", f"/games/{game.pk}/history/")


def check(page: Page, *addresses: str) -> None:
    """Nothing sticks out at the side, and axe finds nothing."""
    for address in addresses:
        look(page, address, PHONE_BY_DAY, DESK_BY_DAY)
