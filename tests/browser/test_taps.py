"""How many taps it takes, counted: a hand by totals, a hand by winners, a pair at the door, a round
at the desk.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, visiting
from tests.browser.scorer import Scorer
from tests.tournament.helpers.evenings import TREES, at_the_door, does, here
from tests.tournament.helpers.playing import bidding, done
from tests.tournament.helpers.salons import owner_of
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.models import Game, Salon
from tournament.streams.folds import fold_of
from tournament.streams.tournament_rows import state_of

pytestmark = pytest.mark.browser
FELT = """() => {
  window.buzzes = window.flashes = 0;
  navigator.vibrate = () => (window.buzzes += 1);
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    window.flashes += added.filter(({ className }) => className === "flash").length;
  }).observe(document, { childList: true, subtree: true });
}"""
PLACE = "key => [key.offsetLeft, key.getBoundingClientRect().top + scrollY]"
TOP = "line => line.getBoundingClientRect().top"
BIDS = {"W": 2, "N": 4, "E": 3, "S": 3}
EAST_DEALS_NEXT = {"N": 4, "E": 3, "S": 3, "W": 2}


def over(game: Game) -> Game:
    """Hand 1 is over by totals; East deals hand 2, North bids first."""
    for seat, tricks in BIDS.items():
        done(game, "bids", seat=seat, tricks=tricks)
    return done(game, "totals", NS=6, EW=7)


def bid_hand_2(scorer: Scorer, question: str) -> None:
    """The four bids of hand 2, of which the first opens it."""
    asked = ("East bids", "South bids", "West bids", question)
    for tricks, then in zip(EAST_DEALS_NEXT.values(), asked, strict=True):
        scorer.tap(f'[name="tricks:number"][value="{tricks}"]', then)


def test_a_hand_by_totals_takes_five_taps_of_which_the_first_opens_it(
    phone: Page, salon: Salon
) -> None:
    game = over(bidding(salon))
    phone.goto("/tables/4/?by=totals")
    scorer = Scorer(phone)

    bid_hand_2(scorer, "Tricks of North–South")
    scorer.tap('[data-key="8"]', "Hand 2 is over")

    assert scorer.taps <= 5
    game.refresh_from_db()
    assert game.state["hands"] == 2


def over_by_contracts(game: Game) -> Game:
    """Hand 1 is over by totals; East deals hand 2, and North sits at the left."""
    done(game, "contracts", side="EW", tricks=5)
    done(game, "contracts", side="NS", tricks=7)
    return done(game, "totals", NS=6, EW=7)


def name_contracts(scorer: Scorer, question: str) -> None:
    """Both contracts of hand 2, of which the first opens it."""
    for tricks, then in ((7, "East–West's contract"), (5, question)):
        scorer.tap(f'[name="tricks:number"][value="{tricks}"]', then)


def test_a_hand_by_totals_takes_three_taps_where_sides_name_contracts(
    phone: Page, salon: Salon
) -> None:
    game = over_by_contracts(bidding(salon, contracts="side"))
    phone.goto("/tables/4/?by=totals")
    scorer = Scorer(phone)

    name_contracts(scorer, "Tricks of North–South")
    scorer.tap('[data-key="8"]', "Hand 2 is over")

    assert scorer.taps <= 3
    game.refresh_from_db()
    assert game.state["score"] == {"NS": -70 + 71, "EW": 52 + 50}


def test_a_hand_by_winners_with_contracts_and_a_claim_takes_twelve_taps(
    phone: Page, salon: Salon
) -> None:
    over_by_contracts(bidding(salon, contracts="side"))
    phone.goto("/tables/4/?by=winners")
    scorer = Scorer(phone)

    name_contracts(scorer, "Who won trick 1?")
    for trick, seat in enumerate("NEWNSENNE", 1):
        scorer.tap(f'.compass [value="{seat}"]', f"Who won trick {trick + 1}?")
    scorer.tap('[aria-label="The rest are East–West’s"]', "Hand 2 is over")

    assert scorer.taps <= 12


def test_a_second_hand_by_winners_takes_seventeen_taps(phone: Page, salon: Salon) -> None:
    over(bidding(salon))
    phone.goto("/tables/4/?by=winners")
    scorer = Scorer(phone)

    bid_hand_2(scorer, "Who won trick 1?")
    for trick, seat in enumerate("NEWNSENNENSSE", 1):
        scorer.tap(
            f'.compass [value="{seat}"]',
            f"Who won trick {trick + 1}?" if trick < 13 else "Hand 2 is over",
        )

    assert scorer.taps <= 17


def test_a_hand_whose_last_tricks_are_claimed_takes_fourteen_taps(
    phone: Page, salon: Salon
) -> None:
    game = over(bidding(salon))
    phone.goto("/tables/4/?by=winners")
    scorer = Scorer(phone)

    expect(phone.get_by_role("button", name="The rest are North–South’s")).to_have_count(0)
    bid_hand_2(scorer, "Who won trick 1?")
    claim = phone.get_by_role("button", name="The rest are East–West’s")
    expect(claim).to_be_disabled()
    before = claim.evaluate(PLACE)
    for trick, seat in enumerate("NEWNSENNE", 1):
        scorer.tap(f'.compass [value="{seat}"]', f"Who won trick {trick + 1}?")
    assert claim.evaluate(PLACE) == before
    scorer.tap('[aria-label="The rest are East–West’s"]', "Hand 2 is over")

    assert scorer.taps <= 14
    folded = fold_of(game.salon.log_id, game.pk)
    assert folded is not None
    assert folded.game.hand_results(folded.state, 1)[0]["result"]["tricks"] == {"NS": 5, "EW": 8}


def test_a_tap_that_counts_is_felt_and_seen_and_one_that_does_not_is_neither(
    browser: Browser, site: str, salon: Salon
) -> None:
    bidding(salon)
    for page in visiting(browser, site, owner_of(salon), reduced_motion="no-preference"):
        page.add_init_script(f"({FELT})()")
        page.goto("/tables/4/")
        page.locator('[name="tricks:number"][value="2"]').dblclick()
        expect(page.locator("#ask")).to_have_text("North bids")
        assert page.evaluate("[window.buzzes, window.flashes]") == [1, 1]
        expect(page.locator(".flash")).to_have_count(0)


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
