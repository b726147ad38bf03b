"""The pad of the patience on a phone: a whole deal by taps, an unknown stock card by card, an undo,
a reload, the keyboard.
"""

from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import AT_EASE, DESK, PATIENT_KEYS, visiting
from tests.scoring.patience.table import SORTED, Piles
from tests.tournament.helpers.patience import opened
from tests.tournament.helpers.playing import state_of
from tests.tournament.helpers.salons import owner_of
from tournament.models import Salon

pytestmark = pytest.mark.browser


def played_by_taps(page: Page, piles: Piles) -> None:
    """Tap what the pad offers until the stock is used up: build whatever fits, the leftmost
    foundation first.
    """
    while True:
        page.wait_for_timeout(AT_EASE)
        expect(page.locator(".padstate .score")).to_have_text(
            [str(sum(piles.lengths)), str(len(piles.stock))]
        )
        from_waste = piles.takes(piles.waste[-1]) if piles.waste else []
        places = piles.takes(piles.stock[0]) if piles.stock else []
        if from_waste and places:
            page.locator(".source a >> text=from the waste").click()
            expect(page.locator(".source [aria-current]")).to_contain_text("from the waste")
        if from_waste or places:
            place = (from_waste or places)[0]
            page.locator(f'.found [value="{place}"]').click()
            piles.apply(f"w{place}" if from_waste else str(place))
        elif piles.stock:
            run = next(
                (count for count, card in enumerate(piles.stock) if piles.takes(card)),
                len(piles.stock),
            )
            page.locator(
                f'[name="cards:number"][value="{run}"]' if run > 1 else '[name="card"].btn'
            ).click()
            for _ in range(run):
                piles.apply("-")
        else:
            return


@pytest.mark.parametrize(
    "seed",
    [pytest.param(1522, id="52 taps"), pytest.param(11, id="90 taps", marks=pytest.mark.long)],
)
def test_a_whole_deal_is_played_with_a_tap_for_each_choice(
    phone: Page, salon: Salon, seed: int
) -> None:
    stock = Random(seed).sample(SORTED, len(SORTED))
    game = opened(salon, stock, redeals=1)
    piles = Piles(stock, first_king="removed")
    phone.goto("/tables/4/")

    played_by_taps(phone, piles)
    phone.locator("button >> text=Turn the waste over").click()
    piles.apply("turn")
    played_by_taps(phone, piles)
    phone.locator("#minutes").fill("12")
    phone.locator("#seconds").fill("47")
    phone.locator("button >> text=End the deal").click()

    expect(phone.locator("#ask")).to_have_text("Deal 1 is over")
    expect(phone.locator(".hint").first).to_contain_text("in 2 passes. 767 seconds.")
    assert state_of(game)["score"] == {"A": sum(piles.lengths)}


def put(page: Page, card: str) -> None:
    """Tap a card of the pack, suit first."""
    page.locator(f'.deck__suits label:has([value="{card[1]}"])').click()
    page.locator(f'[data-card="{card}"]').click()


def test_an_unknown_stock_is_followed_card_by_card_with_a_reload_and_an_undo(
    phone: Page, salon: Salon
) -> None:
    game = opened(salon)
    phone.goto("/tables/4/")
    phone.locator('[value="KD"]').click()
    expect(phone.locator("#ask")).to_have_text("Which card turned up?")

    put(phone, "2S")
    expect(phone.locator(".dock")).to_contain_text("2")
    put(phone, "QH")
    expect(phone.locator("#ask")).to_have_text("Where does it go?")
    phone.reload()
    expect(phone.locator("#ask")).to_have_text("Where does it go?")
    phone.locator('.found [value="2"]').click()
    expect(phone.locator("#ask")).to_have_text("Which card turned up?")
    assert [each["length"] for each in state_of(game)["hand"]["foundations"]] == [
        1,
        1,
        0,
        0,
        0,
        0,
        0,
        0,
    ]

    phone.locator(".dock >> text=on foundation 2").click()
    expect(phone.locator(".dock")).to_contain_text("on the waste")
    hand = state_of(game)["hand"]
    assert (hand["built"], hand["waste_card"]) == (1, "2S")


def test_the_keyboard_names_cards_builds_wastes_and_undoes(
    browser: Browser, site: str, salon: Salon
) -> None:
    game = opened(salon)
    for page in visiting(browser, site, owner_of(salon), viewport=DESK):
        page.add_init_script(PATIENT_KEYS)
        page.goto("/tables/4/")
        page.keyboard.press("d")
        expect(page.locator("#ask")).to_have_text("Which card turned up?")
        page.keyboard.type("qh")
        expect(page.locator("#ask")).to_have_text("Where does it go?")
        page.keyboard.press("1")
        expect(page.locator("#ask")).to_have_text("Which card turned up?")
        page.keyboard.type("js")
        expect(page.locator("#ask")).to_have_text("Where does it go?")
        page.keyboard.press("w")
        expect(page.locator(".dock")).to_contain_text("on the waste")
        page.keyboard.press("u")
        expect(page.locator(".dock")).to_contain_text("on foundation 1")

    hand = state_of(game)["hand"]
    assert (hand["built"], hand["waste"]) == (2, 0)


def test_another_game_chosen_on_the_form_shows_its_seats_and_keeps_the_table(
    phone: Page, salon: Salon
) -> None:
    phone.goto("/games/new/?table=5")
    phone.locator('.choices label:has([value="order_of_precedence"])').click()
    expect(phone.locator('[name="players.A"]')).to_be_visible()
    expect(phone.locator('[name="table"]')).to_have_value("5")
    phone.locator('[name="players.A"]').fill("Asha Renn")
    phone.get_by_role("button", name="Start the game").click()

    expect(phone.locator("#ask")).to_have_text("Which King was put out?")
