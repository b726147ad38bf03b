"""A table's own address, and the link on its slip, open over plain http while the server is away:
they lead to the page by which the table goes on. With the server they lead to the pad.
"""

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.browser.line import Line
from tests.browser.outbox import NOT_SENT, leaving, packed
from tests.browser.visitors import visiting
from tests.tournament.helpers.playing import playing
from tests.tournament.helpers.salons import owner_of
from tournament.models import Salon, Table

pytestmark = pytest.mark.browser
HIDES = """(is) => {
  Object.defineProperty(document, "hidden", { value: is, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
KEEPS_WAYS = "() => document.querySelector('#shell[data-reopens]') !== null"


def test_a_tables_address_and_its_slip_open_without_the_server_and_with_it_lead_to_the_pad(
    tablet: Page, line: Line, salon: Salon
) -> None:
    playing(salon)
    link = f"/t/{Table.objects.get(salon=salon, label='4').token}/"
    leaving(tablet)
    packed_and_kept(tablet)
    line.cut()
    for address in ("/tables/4/", link):
        tablet.goto(address)
        expect(tablet.locator("#packsheet h1")).to_have_text("Hand 1, from the sheet")

    line.back()
    for address in ("/tables/4/", link):
        tablet.goto(address)  # which has come once the pad has
        assert tablet.evaluate("ask.textContent.trim()") == "Who won trick 1?"
        assert tablet.evaluate("location.pathname") == "/tables/4/"


def packed_and_kept(page: Page) -> None:
    """The pad, once the browser keeps what it needs without the server."""
    page.goto("/tables/4/")
    packed(page)
    page.wait_for_function(KEEPS_WAYS)


def test_a_tap_without_an_answer_stays_where_the_address_is_opened_again(
    tablet: Page, line: Line, salon: Salon
) -> None:
    playing(salon)
    leaving(tablet)
    packed_and_kept(tablet)
    line.cut()
    tablet.locator('.compass [value="W"]').click()
    next_question = tablet.locator("#packacts .ask")
    expect(next_question).to_have_text("Who won trick 2?")

    for _ in range(2):
        tablet.keyboard.press("F5")
        expect(next_question).to_have_text("Who won trick 2?")
        assert tablet.evaluate("performance.getEntriesByType('navigation')[0].type") == "navigate"
    assert len(tablet.evaluate(NOT_SENT)) == 1


def test_who_may_record_no_more_is_led_to_the_link_that_asks_for_the_pin(
    tablet: Page, salon: Salon
) -> None:
    playing(salon)
    packed_and_kept(tablet)
    tablet.context.clear_cookies()

    tablet.goto("/tables/4/")

    expect(tablet.locator("[name=pin]")).to_be_visible()


def test_a_tables_address_works_without_scripts_as_ever(
    browser: Browser, site: str, salon: Salon
) -> None:
    playing(salon)
    for page in visiting(browser, site, owner_of(salon), java_script_enabled=False):
        page.goto("/tables/4/")
        expect(page.locator("#ask")).to_have_text("Who won trick 1?")


def test_a_reload_that_needs_the_server_is_asked_about_and_the_way_back_opens_the_page(
    tablet: Page, line: Line, salon: Salon
) -> None:
    playing(salon)
    packed_and_kept(tablet)
    line.cut()
    tablet.goto("/tables/4/")
    title = tablet.locator("#packsheet h1")
    expect(title).to_have_text("Hand 1, from the sheet")
    expect(tablet.get_by_text("A reload would find nothing")).to_be_visible()
    title.click()  # a browser asks only where someone has touched the page

    asked: list[str] = []

    def stays(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    tablet.once("dialog", stays)
    reload = tablet.context.new_cdp_session(tablet)
    reload.send("Page.reload")
    tablet.wait_for_timeout(500)
    assert asked == ["beforeunload"]
    expect(title).to_have_text("Hand 1, from the sheet")

    leaving(tablet)
    reload.send("Page.reload")
    tablet.wait_for_timeout(500)
    tablet.go_back()
    tablet.go_forward()
    expect(title).to_have_text("Hand 1, from the sheet")


def test_a_pad_that_is_not_seen_stands_at_the_address_that_opens_without_the_server(
    tablet: Page, salon: Salon
) -> None:
    playing(salon)
    packed_and_kept(tablet)
    tablet.get_by_role("link", name="Totals").click()
    tablet.wait_for_url("**/tables/4/?by=totals")

    tablet.evaluate(HIDES, True)
    assert tablet.evaluate("location.search") == ""
    tablet.evaluate(HIDES, False)
    assert tablet.evaluate("location.search") == "?by=totals"
