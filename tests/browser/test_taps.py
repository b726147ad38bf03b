"""How many taps it takes, counted: a hand by totals, a hand by winners, a pair at the door, a round
at the desk.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, visiting
from tests.browser.test_door import TREES, at_the_door
from tests.browser.test_pad import Scorer
from tests.tournament.helpers.evenings import does, here
from tests.tournament.helpers.playing import bidding, done
from tests.tournament.helpers.salons import owner_of
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.models import Salon
from tournament.streams.tournament_rows import state_of

pytestmark = pytest.mark.browser
TOP = "line => line.getBoundingClientRect().top"
BIDS = {"W": 2, "N": 4, "E": 3, "S": 3}
EAST_DEALS_NEXT = {"N": 4, "E": 3, "S": 3, "W": 2}


def test_a_hand_by_totals_takes_six_taps_with_its_opening(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    for seat, tricks in BIDS.items():
        done(game, "bids", seat=seat, tricks=tricks)
    phone.goto("/tables/4/?by=totals")
    scorer = Scorer(phone)
    scorer.tap('[data-key="6"]', "Hand 1 is over")
    before = scorer.taps

    scorer.tap("text=Open hand 2", "North bids")
    for seat, question in zip(
        EAST_DEALS_NEXT,
        ("East bids", "South bids", "West bids", "Tricks of North–South"),
        strict=True,
    ):
        scorer.tap(f'[name="tricks:number"][value="{EAST_DEALS_NEXT[seat]}"]', question)
    scorer.tap('[data-key="8"]', "Hand 2 is over")

    assert scorer.taps - before <= 6


def test_a_hand_by_winners_takes_seventeen_taps(phone: Page, salon: Salon) -> None:
    bidding(salon)
    phone.goto("/tables/4/")
    scorer = Scorer(phone)

    scorer.bid(**BIDS)
    for trick, seat in enumerate("NEWNSENNENSSE", 1):
        scorer.tap(
            f'.compass [value="{seat}"]',
            f"Who won trick {trick + 1}?" if trick < 13 else "Hand 1 is over",
        )

    assert scorer.taps <= 17


def test_a_whole_list_is_checked_in_by_one_tap_each_and_nothing_jumps(
    phone: Page, salon: Salon
) -> None:
    row = at_the_door(salon)
    phone.goto(f"/tournaments/{row.pk}/desk/entries/")
    scorer = Scorer(phone)
    for tree, following in zip(TREES, [*TREES[1:], None], strict=True):
        button = phone.get_by_role("button", name=f"Check in First {tree} & Second {tree}")
        button.scroll_into_view_if_needed()
        line = phone.locator("#listed-entries > li", has_text=f"First {tree}")
        before = line.evaluate(TOP)
        button.click()
        scorer.taps += 1
        expect(button).to_have_count(0)
        if following is not None:
            expect(
                phone.get_by_role("button", name=f"Check in First {following} & Second {following}")
            ).to_be_focused()
        assert line.evaluate(TOP) == before, tree

    assert scorer.taps == len(TREES)
    row.refresh_from_db()
    assert all(entry.checked_in for entry in state_of(row).entries)


def test_a_round_is_typed_by_five_taps_beside_its_numbers(
    browser: Browser, site: str, salon: Salon
) -> None:
    row = at_the_door(salon)
    does(row, *here(row), EnterPhase(phase="running"))
    for page in visiting(browser, site, owner_of(salon), viewport=DESK):
        page.goto(f"/tournaments/{row.pk}/desk/")
        taps = [press(page, "Draw round 1"), press(page, "Publish it")]
        for table in range(1, 8):
            for place, score in enumerate((250 + table, 90 + table)):
                page.locator(f"#r-{table}-{place}-0").fill(str(score))
        taps += [press(page, "Record the results typed"), press(page, "Close the round")]
        expect(page.get_by_role("button", name="Draw round 2")).to_be_visible()

    assert len(taps) <= 5
    row.refresh_from_db()
    assert state_of(row).rounds[0].closed


def press(page: Page, name: str) -> str:
    """Press the button of this name that stands on the page that is shown, and no other page."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).first.click()
    return name
