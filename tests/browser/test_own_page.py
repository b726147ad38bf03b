"""A player who scanned the slip: the page follows the evening by itself, on a phone, by night, at
twice the size.
"""

import os
import uuid
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring.commands import EndGame
from tests.browser.conftest import visiting
from tests.browser.looking import EVERY_SIGHT, LONG_NAMES, PHONE, enlarged, look, look_here
from tests.tournament.helpers.evenings import after_round_1, does, in_round_1, own_page_of, result
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.salons import member, owner_of
from tournament.accounts.personal_links import format_code, links_of
from tournament.domain.tournament.clock import StartClock
from tournament.domain.tournament.rounds import CloseRound
from tournament.models import Player, Salon
from tournament.projections.background import catch_up
from tournament.recording.tournaments import start_linked_game
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
SHOTS = os.environ.get("ACCORD_SHOTS", "")


def seen(page: Page, name: str) -> None:
    """Nothing is wrong with it in any sight; kept as a picture where that is asked for."""
    look_here(page, *EVERY_SIGHT)
    page.set_viewport_size(PHONE)
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"own-{name}.png", full_page=True)


def test_a_code_that_is_typed_opens_a_page_that_follows_the_evening(
    browser: Browser, site: str, salon: Salon
) -> None:
    row = in_round_1(salon)
    table = next(each.table for each in state_of(row).rounds[0].tables if "1" in each.entries)
    for page in visiting(browser, site, member(salon, "player"), viewport=PHONE):
        look(page, "/me/", *EVERY_SIGHT)
        page.get_by_label("Code").fill(format_code(links_of(row, ["1"])["1"]).lower())
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
        expect(page.get_by_text("The clock of this round has not been started.")).to_be_visible()
        seen(page, "seat")

        now = int(page.evaluate("Date.now()")) * 1000
        game = start_linked_game(
            salon, row.pk, round=1, table=table, label="4",
            actor="user:1", command=uuid.uuid4().hex, version=row.version,
        )  # fmt: skip
        record(game, *hand("S", (4, 3, 3, 2), (7, 6)))
        does(row, StartClock(round=1, at=now, seconds=3000))
        expect(page.get_by_role("heading", name="Confirm hand 1")).to_be_visible()
        seen(page, "confirm")

        record(game, EndGame(kind="called", by="Mara", reason="late"))
        other = next(each.table for each in state_of(row).rounds[0].tables if each.table != table)
        does(row, result(other, 251, 180), CloseRound(round=1))
        catch_up(salon.log, PROJECTIONS)
        expect(page.get_by_role("heading", name="Between rounds")).to_be_visible()
        seen(page, "between")


@pytest.mark.long
def test_it_says_when_the_line_is_gone_and_goes_on_by_itself(
    browser: Browser, site: str, salon: Salon
) -> None:
    row = in_round_1(salon)
    for page in visiting(browser, site, member(salon, "player"), viewport=PHONE):
        page.goto(own_page_of(row))
        page.context.set_offline(True)
        expect(page.get_by_text("Connection lost.")).to_be_visible()
        page.context.set_offline(False)
        expect(page.get_by_text("Connection lost.")).to_be_hidden()


def test_the_pages_of_entries_at_twice_the_size(browser: Browser, site: str, salon: Salon) -> None:
    row = after_round_1(salon)
    Player.objects.filter(salon=salon, name="Asha Renn").update(name=LONG_NAMES[0])
    slip, entry = (
        f"/tournaments/{row.pk}/{each}" for each in ("desk/entries/1/page/", "entries/1/")
    )
    for page in visiting(browser, site, owner_of(salon), viewport=PHONE):
        slips = [f"/tournaments/{row.pk}/desk/slips/", "/table-slips/"]
        pages = [own_page_of(row), slip, entry, "/me/", *slips]
        assert {each: found for each in pages if (found := enlarged(page, each))} == {}
        for each in pages[1:2]:
            look(page, each, *EVERY_SIGHT)
