"""A change of places seen before it is made, why they meet, and what was drawn before a correction,
on a phone and at a desk.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, visiting
from tests.browser.looking import fits, found_by_axe
from tests.tournament.helpers.evenings import after_round_1, does, result
from tests.tournament.helpers.salons import owner_of
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.results import ClearTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound, ReopenRound
from tournament.models import Salon
from tournament.projections.background import catch_up
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
LOOK = os.environ.get("ACCORD_LOOK")  # a folder for pictures
SWISS = Stage(kind="swiss", rounds=5, tie_breaks=("buchholz", "score_difference"), clubs_apart=True)


@pytest.fixture
def desk(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """The director's desk."""
    yield from visiting(browser, site, owner_of(salon), viewport=DESK)


@pytest.mark.parametrize("name", ["phone", pytest.param("desk", marks=pytest.mark.long)])
def test_a_swap_is_seen_made_and_explained(
    name: str, request: pytest.FixtureRequest, salon: Salon
) -> None:
    page: Page = request.getfixturevalue(name)
    row = does(after_round_1(salon, 5, SWISS), DrawRound(round=2))
    state = state_of(row)
    one, two = state.rounds[0].tables[0].entries
    table = next(
        table for table in state.rounds[1].tables if one in table.entries or two in table.entries
    )
    stays = one if one in table.entries else two
    (leaves,) = set(table.entries) - {stays}
    address = f"/tournaments/{row.pk}/desk/rounds/2/"
    page.goto(address)
    page.get_by_text("Swap two", exact=True).click()
    page.get_by_label("This entry").select_option(leaves)
    page.get_by_label("changes places with").select_option(two if stays == one else one)
    look(page, f"round-{name}")
    page.get_by_role("button", name="See what changes").click()
    expect(page.get_by_text("They met in round 1", exact=False).first).to_be_visible()
    look(page, f"preview-{name}")
    page.get_by_label("Reason, if any").fill("They asked for it.")
    page.get_by_role("button", name="Swap", exact=True).click()
    expect(page.get_by_text("“They asked for it.”", exact=False).first).to_be_visible()
    look(page, f"swapped-{name}")
    does(row, PublishRound(round=2))
    page.goto(f"/tournaments/{row.pk}/")
    look(page, f"seats-{name}")
    page.get_by_role("link", name="Why they meet").first.click()
    look(page, f"why-{name}")
    page.goto(f"/tournaments/{row.pk}/entries/1/")
    look(page, f"entry-{name}")
    catch_up(salon.log, PROJECTIONS)
    does(
        row,
        ReopenRound(round=1, reason="Typed the wrong way round."),
        ClearTable(round=1, table=1),
        result(1, 100, 251),
        CloseRound(round=1),
    )
    page.goto(f"/tournaments/{row.pk}/desk/")
    expect(page.get_by_text("Round 2 was drawn before a result changed")).to_be_visible()
    look(page, f"old-{name}")
    page.goto(address)
    page.get_by_text("Draw it with other lots").click()
    look(page, f"old-round-{name}")
    page.goto(f"/tournaments/{row.pk}/desk/slips/")
    look(page, f"slips-{name}")


def look(page: Page, name: str) -> None:
    """Nothing stands beside the page, and axe finds nothing; kept as a picture where that is asked
    for.
    """
    if LOOK:
        page.screenshot(path=Path(LOOK) / f"{name}.png", full_page=True)
    assert fits(page), name
    assert found_by_axe(page) == [], name
