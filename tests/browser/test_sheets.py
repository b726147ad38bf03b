"""Sheets with scripts: the address of a second entry stays, what is missing is seen, and a filled
field is at peace.
"""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from ledger.models import Event
from tests.browser.conftest import visiting
from tests.browser.line import Line
from tests.browser.looking import fits, found_by_axe
from tests.browser.outbox import badge, leaving
from tests.tournament.helpers.playing import bidding
from tests.tournament.helpers.salons import scorer_at
from tests.tournament.pages.table.sheets.tables import after_a_hand, over, started
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser
TOP = "part => part.getBoundingClientRect().top + scrollY"


@pytest.fixture
def table_phone(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    yield from visiting(browser, site, scorer_at(salon, "4"))


def test_a_hand_of_a_finished_game_is_entered_a_second_time_with_scripts(
    table_phone: Page, salon: Salon
) -> None:
    game: Game = over(after_a_hand(salon, "precedence", actor="user:1"))
    address = f"/games/{game.pk}/hands/1/second-entry/"
    asked: list[str] = []
    table_phone.on(
        "request",
        lambda request: asked.append(request.method) if "/sheet/" in request.url else None,
    )

    table_phone.goto(address)
    table_phone.locator('input[name="dealer"][value="S"]').check(force=True)
    for seat, bid in {"N": "4", "E": "3", "S": "3", "W": "2"}.items():
        table_phone.locator(f'input[name="bids.{seat}:number"]').fill(bid)
    table_phone.locator('input[name="tricks.NS:number"]').fill("8")
    table_phone.wait_for_timeout(600)
    assert table_phone.url.endswith(address)
    assert asked == []
    assert found_by_axe(table_phone) == []
    assert fits(table_phone)
    table_phone.get_by_role("button", name="Hand in").click()

    expect(table_phone.locator("#hand-1")).to_contain_text(
        "It was entered a second time, by somebody who did not see the first, "
        "and both say the same."
    )


def test_who_keeps_out_gets_a_nought_and_a_filled_field_loses_its_frame(
    phone: Page, salon: Salon
) -> None:
    started(salon, "preference")
    phone.goto("/tables/4/sheet/")
    phone.locator('input[name="dealer"][value="A"]').check(force=True)
    phone.locator('input[value="soloist=B"]').check(force=True)
    phone.get_by_label("Contract").select_option("one")
    phone.locator('[id="defenders.C"]').select_option("out")
    expect(phone.locator('[id="tricks.C"]')).to_have_value("0")
    phone.locator('[id="tricks.B"]').fill("6")
    expect(phone.locator("#preview")).to_contain_text("Asha Renn's tricks are missing")
    phone.locator("#preview").get_by_role("button", name="Record hand 1").click()

    wrong = phone.locator('[id="tricks.A"]')
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_be_focused()
    expect(
        phone.get_by_role("alert").filter(has_text="Asha Renn's tricks are missing")
    ).to_be_in_viewport()
    wrong.fill("4")
    expect(wrong).not_to_have_attribute("aria-invalid", "true")
    phone.locator("#preview").get_by_role("button", name="Record hand 1").click()
    expect(phone.get_by_role("heading", name="Hand 1 is over")).to_be_visible()


def test_a_number_of_a_sheet_takes_one_tap_and_the_other_side_has_the_rest(
    phone: Page, salon: Salon
) -> None:
    started(salon, "precedence")
    phone.goto("/tables/4/sheet/")

    phone.get_by_role("group", name="North–South").get_by_role("button", name="8").click()

    expect(phone.locator('[id="tricks.NS"]')).to_have_value("8")
    expect(phone.locator('[id="tricks.EW"]')).to_have_value("5")
    chosen = phone.locator("[data-sets][aria-pressed=true]")
    expect(chosen).to_have_text(["8", "5"])


def test_the_cards_of_a_meld_are_chosen_by_taps_and_lie_there_as_cards(
    phone: Page, salon: Salon
) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/sheet/")
    for seat, bid in {"N": "4", "E": "3", "S": "3", "W": "2"}.items():
        phone.locator(f'input[name="bids.{seat}:number"]').fill(bid)
    phone.locator('input[name="tricks.NS:number"]').fill("8")
    phone.locator("[name='melds.0.seat']").select_option("E")
    phone.locator("[name='melds.0.kind']").select_option("triad")
    phone.get_by_role("button", name="Choose the cards").first.click()
    before = phone.locator(".carddeck").evaluate(TOP)
    for suit in "VBC":
        phone.locator(f'.carddeck [data-suit="{suit}"] + span').click()
        phone.locator(f'.carddeck [data-card="O{suit}"] + .key').click()

    expect(phone.locator("[name='melds.0.cards:list']")).to_have_value("OV OB OC")
    expect(phone.get_by_role("img", name="Officer of Border")).to_be_visible()
    assert phone.locator(".carddeck").evaluate(TOP) == before
    assert found_by_axe(phone) == []
    assert fits(phone)
    phone.get_by_role("button", name="Choose the cards").first.click()
    expect(phone.locator(".carddeck")).to_have_count(0)
    phone.get_by_role("button", name="Record hand 1").last.click()

    expect(phone.locator("#ask")).to_have_text("Hand 1 is over")
    (event,) = Event.objects.filter(stream=game.pk, type="precedence.meld_declared")
    assert json.loads(event.body)["cards"] == ["OV", "OB", "OC"]


def test_a_sheet_says_whether_all_that_was_kept_is_sent(
    tablet: Page, line: Line, salon: Salon
) -> None:
    bidding(salon)
    leaving(tablet)
    tablet.goto("/tables/4/sheet/")
    badge(tablet, "All sent")
    for seat, bid in {"N": "4", "E": "3", "S": "3", "W": "2"}.items():
        tablet.locator(f'input[name="bids.{seat}:number"]').fill(bid)
    tablet.locator('input[name="tricks.NS:number"]').fill("8")
    line.cut()
    tablet.get_by_role("button", name="Record hand 1").last.click()

    badge(tablet, "1 not sent")
    line.back()
    expect(tablet.locator("#ask")).to_have_text("Hand 1 is over")
