"""Hands of Contract Sabacc recorded by tapping: the pile counted, card by card, and from
the sheet.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring.sabacc.cards import SUIT_OF
from tests.browser.conftest import AT_EASE, DESK, PATIENT_KEYS, visiting
from tests.browser.looking import DESK_BY_DAY, PHONE_BY_DAY, look
from tests.scoring.sabacc.table import ONE_SUIT_EACH, play_out
from tests.tournament.helpers.playing import state_of
from tests.tournament.helpers.sabacc import a_game, done, guarded
from tests.tournament.helpers.salons import owner_of, scorer_at
from tournament.models import Salon

pytestmark = pytest.mark.browser


def asked(page: Page, question: str) -> None:
    expect(page.locator("#ask")).to_have_text(question)


def count(page: Page, selector: str, points: str) -> None:
    """Tap one number of the pile, and wait until it is counted."""
    page.locator(selector).click()
    expect(page.locator(".padstate .score").first).to_have_text(points)


@pytest.mark.long
def test_a_hand_by_calls_and_a_counted_pile(phone: Page, salon: Salon) -> None:
    game = done(a_game(salon), "hands", dealer="E")
    phone.goto("/tables/4/")
    for call, question in (
        ("guard", "Rosa Thule calls"),
        ("pass", "Juno Dray calls"),
        ("pass", "Cato Liss calls"),
        ("pass", "Ilse Marrow calls"),
    ):
        phone.locator(f'[name="call"][value="{call}"]').click()
        asked(phone, question)
        phone.wait_for_timeout(AT_EASE)
    phone.locator('[name="call"][value="pass"]').click()
    asked(phone, "Count Asha Renn's pile")

    count(phone, "label:has(#honours-4)", "18")
    count(phone, "label:has(#mistresses-3)", "28.5")
    count(phone, "label:has(#commanders-2)", "33.5")
    count(phone, "label:has(#legates-2)", "36.5")
    expect(phone.locator("text=Record hand 1")).to_be_disabled()
    phone.locator("#tricks").fill("6")
    expect(phone.locator(".padstate .vs .score")).to_have_text(["47.5", "43.5"])
    expect(phone.locator("#tricks")).to_be_focused()
    phone.locator("#bonus").select_option(label="Idiot at the end: Cato Liss")
    expect(phone.locator(".sumup")).to_contain_text("a quarter of 5")
    phone.reload()
    expect(phone.locator(".padstate .vs .score")).to_have_text(["47.5", "43.5"])
    phone.locator("text=Record hand 1").click()

    asked(phone, "Hand 1 is over")
    assert state_of(game)["score"] == {"A": 7, "B": -3, "C": -2, "D": -3, "E": -3}


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(14, id="its last tricks"),
        pytest.param(0, id="from the first", marks=pytest.mark.long),
    ],
)
def test_a_whole_hand_card_by_card(phone: Page, salon: Salon, known: int) -> None:
    """The tricks that are known are recorded without the page."""
    game = done(
        done(a_game(salon, 4), "hands", dealer="D"),
        "contracts",
        declarer="B",
        contract="guard_without",
    )
    tricks = play_out(ONE_SUIT_EACH, "D")
    for cards in tricks[:known]:
        done(game, "tricks", cards=cards)
    phone.goto("/tables/4/?by=cards")
    for number, cards in enumerate(tricks[known:], known + 1):
        for place, card in enumerate(cards):
            if not phone.locator(f'[data-card="{card}"]').is_visible():
                phone.locator(f'.deck__suits label:has([value="{SUIT_OF[card]}"])').click()
            phone.locator(f'[data-card="{card}"]').click()
            if place < 3:
                expect(phone.locator(".trick li")).to_have_count(place + 1)
            elif number < len(tricks):
                expect(phone.locator(".trick li")).to_have_count(0)

    asked(phone, "Hand 1 is over")
    assert state_of(game)["hands"] == 1


def test_a_hand_works_without_scripts(browser: Browser, site: str, salon: Salon) -> None:
    game = guarded(salon)
    for page in visiting(browser, site, scorer_at(salon, "4"), java_script_enabled=False):
        page.goto("/tables/4/")
        page.locator("label:has(#honours-4)").click()
        page.locator("#tricks").fill("6")
        page.locator('button:text-is("Count")').click()
        expect(page.locator(".padstate .vs .score")).to_have_text(["32.5", "58.5"])
        page.locator("text=Record hand 1").click()
        asked(page, "Hand 1 is over")

    assert state_of(game)["hands"] == 1


def test_the_keyboard_bids_and_plays(browser: Browser, site: str, salon: Salon) -> None:
    game = done(a_game(salon, 3), "hands", dealer="C")
    for page in visiting(browser, site, owner_of(salon), viewport=DESK):
        page.add_init_script(PATIENT_KEYS)
        page.goto("/tables/4/")
        for typed, question in (
            ("3", "Cato Liss calls"),
            ("p", "Ilse Marrow calls"),
            ("p", "Count Asha Renn's pile"),
        ):
            page.keyboard.type(typed)
            asked(page, question)
        page.locator(".levels >> text=Cards").click()
        asked(page, "Ilse Marrow leads")
        for typed, number in (("-21", 1), ("0", 2), ("14c", 0)):
            page.keyboard.type(typed)
            expect(page.locator(".trick li")).to_have_count(number)

    assert state_of(game)["hand"]["plays"] == [["-21", "0", "14C"]]


def test_a_sheet_is_previewed_as_it_is_scored(phone: Page, salon: Salon) -> None:
    game = a_game(salon, 4)
    phone.goto("/tables/4/sheet/")
    phone.locator('label:has-text("Juno Dray")').first.click()
    phone.locator('label:has([value="declarer=B"])').click()
    phone.locator("#contract").select_option("push")
    phone.locator("#points").fill("60")
    expect(phone.locator("#preview .score")).to_have_text(["−2", "2", "−2", "−2"])
    assert state_of(game)["hands"] == 0
    phone.locator("#preview >> text=Record hand 1").click()

    asked(phone, "Hand 1 is over")
    assert state_of(game)["score"] == {"A": -2, "B": 2, "C": -2, "D": -2}


def test_nothing_is_hard_to_reach_or_to_read(phone: Page, salon: Salon) -> None:
    game = done(guarded(salon), "totals", points=47.5, bonus={"kind": "idiot", "seat": "C"})
    pages = [
        "/tables/4/",
        "/tables/4/sheet/",
        f"/games/{game.pk}/?hand=1",
        "/games/new/?game=contract_sabacc",
        "/rules/contract_sabacc/",
    ]
    check(phone, *pages)
    done(game, "hands")
    check(phone, "/tables/4/", "/tables/4/?by=contract")
    done(game, "contracts", declarer="B", contract="push")
    pages = [
        "/tables/4/",
        "/tables/4/?by=points",
        "/tables/4/?by=cards&trick=1&cards=-12,5C",
        f"/games/{game.pk}/",
        f"/games/{game.pk}/history/",
    ]
    check(phone, *pages)


def check(page: Page, *addresses: str) -> None:
    """Nothing sticks out at the side, and axe finds nothing."""
    for address in addresses:
        look(page, address, PHONE_BY_DAY, DESK_BY_DAY)
