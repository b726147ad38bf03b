"""A disputed hand played through by three roles: the scorer, an opponent on the own phone, the
director.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, visiting
from tests.browser.looking import fits, found_by_axe
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of, scorer_at, seated
from tournament.accounts.seat_links import links_of
from tournament.models import Game, Salon
from tournament.recording.door import start_game

pytestmark = pytest.mark.browser
SEATED = {"N": "Asha Renn", "E": "Ilse Marrow", "S": "Cato Liss", "W": "Juno Dray"}


@pytest.fixture
def game(salon: Salon) -> Game:
    """A game of one hand, which is open at table 4."""
    return start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind="precedence",
        players=SEATED,
        options={"hands_limit": 1},
        table="4",
    )


def record(page: Page) -> None:
    """The scorer taps a hand: South deals, everybody bids 3, North–South take 8."""
    page.goto("/tables/4/sheet/")
    page.locator('input[name="dealer"][value="S"]').check(force=True)
    for seat in "NESW":
        page.locator(f'input[name="bids.{seat}:number"]').fill("3")
    page.locator('input[name="tricks.NS:number"]').fill("8")
    page.locator('input[name="tricks.EW:number"]').fill("5")
    page.locator("#preview").get_by_role("button", name="Record hand 1").click()
    expect(page.get_by_role("link", name="Confirm hands")).to_be_visible()


def test_a_disputed_hand_is_entered_disputed_ruled_confirmed_and_final(
    browser: Browser, site: str, salon: Salon, game: Game
) -> None:
    scorers, opponents = (
        visiting(browser, site, scorer_at(salon, "4")),
        visiting(browser, site, seated(game, "E")),
    )
    directors = visiting(browser, site, owner_of(salon), viewport=DESK)
    scorer, opponent, director = next(scorers), next(opponents), next(directors)
    record(scorer)

    opponent.goto(f"/games/{game.pk}/")
    opponent.get_by_role("link", name="Confirm or dispute hands").click()
    expect(opponent.locator("#ask")).to_have_text("Ilse Marrow, is hand 1 right?")
    opponent.get_by_text("Something is wrong").first.click()
    opponent.get_by_label("What it should be").first.fill("East–West took six tricks")
    opponent.get_by_role("button", name="Send to the director").first.click()
    expect(opponent.locator("#hand-1")).to_contain_text("Disputed")

    scorer.goto(f"/games/{game.pk}/confirmation/")
    expect(scorer.locator("#hand-1")).to_contain_text("East–West took six tricks")

    director.goto("/")
    expect(director.locator("#waiting + ul")).to_contain_text("Hand 1 is disputed")
    director.locator("#waiting + ul").get_by_role("link", name="Look at it").first.click()
    assert found_by_axe(director) == []
    director.get_by_label("Why it stands").fill("The five tricks were still on the table.")
    director.get_by_role("button", name="Rule that it stands as recorded").click()
    expect(director.locator("#hand-1")).to_contain_text("Ruled")

    opponent.reload()
    expect(opponent.locator("#hand-1")).to_contain_text("The five tricks were still on the table.")
    expect(opponent.locator("#hand-1")).not_to_contain_text("Something is wrong")
    assert found_by_axe(opponent) == []
    assert fits(opponent)

    director.get_by_label("Why now").fill("Everybody has gone home.")
    director.get_by_role("button", name="Make it final").click()
    expect(director.get_by_text("The game is final.")).to_be_visible()
    scorer.goto("/tables/4/")
    expect(scorer.get_by_text("Undo")).to_have_count(0)
    for pages in (scorers, opponents, directors):
        next(pages, None)


def test_each_side_confirms_a_hand_by_the_link_of_its_seat(
    browser: Browser, site: str, salon: Salon, game: Game
) -> None:
    scorers = visiting(browser, site, scorer_at(salon, "4"))
    scorer = next(scorers)
    record(scorer)
    scorer.goto("/tables/4/seats/")
    expect(scorer.locator(".slip")).to_have_count(0)
    scorer.get_by_role("button", name="New link and PIN for Asha Renn").click()
    expect(scorer.locator(".slip")).to_have_count(1)
    pin = links_of(game, "N")["N"].pin
    expect(scorer.locator(".slip__pin")).to_have_text(pin)

    scorer.goto(f"/games/{game.pk}/confirmation/")
    scorer.locator("#seat-all").select_option("N")
    scorer.locator("#pin-all").fill(pin)
    scorer.get_by_role("button", name="Confirm every hand that waits for me").click()
    expect(scorer.locator("#hand-1")).to_contain_text(
        "Confirmed by Asha Renn (PIN on the table's phone)."
    )

    players = visiting(browser, site, seated(game, "W"))
    west = next(players)
    west.goto(f"/games/{game.pk}/confirmation/")
    west.get_by_role("button", name="Confirm hand 1").click()
    expect(west.locator("#hand-1")).to_contain_text(
        "Confirmed by Asha Renn (PIN on the table's phone), Juno Dray (own phone)."
    )
    west.goto(f"/games/{game.pk}/")
    expect(west.locator("#state-1 + .badge")).to_have_text("Confirmed")
    for pages in (scorers, players):
        next(pages, None)
