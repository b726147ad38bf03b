"""Whole hands written on the sheet that stands on a page, and the deals they are written in."""

from playwright.sync_api import Page, expect

from tests.tournament.helpers.preference import dealt
from tests.tournament.helpers.sabacc import a_game as sabacc
from tests.tournament.helpers.sabacc import done as sabacc_done
from tournament.models import Game, Salon


def choose(page: Page, value: str) -> None:
    """A choice of the sheet that stands there."""
    page.locator(f'#packsheet label:has([value="{value}"])').click()


def a_sheet_of_preference(page: Page) -> None:
    choose(page, "soloist=B")
    page.locator("#packsheet #contract").select_option("four")
    for seat, tricks in zip("ABC", (1, 7, 2), strict=True):
        page.locator(f'#packsheet [id="tricks.{seat}"]').fill(str(tricks))


def a_sheet_of_sabacc(page: Page) -> None:
    choose(page, "declarer=B")
    page.locator("#packsheet #contract").select_option("push")
    page.locator("#packsheet #points").fill("60")


def a_deal_of_preference(salon: Salon) -> Game:
    return dealt(salon)


def a_deal_of_sabacc(salon: Salon) -> Game:
    return sabacc_done(sabacc(salon, 4), "hands", dealer="D")


def fill_hand(page: Page, *, bids: str = "4332", tricks: int = 7) -> None:
    """Write a hand of Precedence on the sheet that stands there; what is fixed stays."""
    expect(page.locator("#packsheet h1")).to_be_visible()
    for seat, number in zip("NESW", bids, strict=True):
        field = page.locator(f'#packsheet [id="bids.{seat}"]')
        if field.count():
            field.fill(number)
    page.locator('#packsheet [id="tricks.NS"]').fill(str(tricks))
