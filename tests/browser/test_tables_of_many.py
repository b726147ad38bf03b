"""Events of single players at a screen: set up, entered by a list, drawn by a plan, a game live
from the desk to the standings, the plan and the advice, on a phone and at a desk.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring.commands import EndGame
from tests.browser.conftest import DESK, visiting
from tests.browser.director import Director
from tests.browser.looking import DESK_BY_DAY, PHONE_BY_DAY, look_here
from tests.tournament.helpers.played import record
from tests.tournament.helpers.preference import done
from tests.tournament.helpers.salons import owner_of
from tournament.models import Game, Salon, Tournament
from tournament.projections.background import catch_up
from tournament.projections.standings import read_computed_standings
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
PLACES = (
    "",
    "plan/",
    "plan/?entry=1",
    "plan/crosstable/",
    "rounds/1/why/",
    "entries/1/",
    "desk/rounds/1/",
)
LOOK = os.environ.get("ACCORD_LOOK")  # a folder for pictures


@pytest.fixture
def page(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """The director's desk."""
    yield from visiting(browser, site, owner_of(salon), viewport=DESK)


def drawn(page: Page, game: str, form: str, players: int, **choices: str) -> Director:
    """An event set up by the form, its players pasted as a list, round 1 drawn and published."""
    page.goto("/tournaments/new/")
    page.get_by_label("Name", exact=True).fill("Lantern Night")
    page.get_by_label("Game", exact=True).select_option(game)
    page.locator("#format").select_option(form)
    for label, value in choices.items():
        page.locator(f'[name="{form}.{label}"]').select_option(value)
    shown(page, f"set-up-{form}")
    page.get_by_role("button", name="Set it up").click()
    page.wait_for_url("**/desk/")
    desk = Director(page, Tournament.objects.get())
    desk.press("Open registration")
    desk.at("entries/")
    page.locator("details:has(#list)").evaluate("each => each.open = true")
    page.get_by_label("One entry a line").fill("\n".join(names(players)))
    desk.press("Look at the list")
    page.locator("[name=keep]").click()
    desk.press("All here")
    for name in ("Start", "Draw round 1"):
        desk.at()
        desk.press(name)
    shown(page, f"drawn-{form}")
    desk.at("rounds/1/")
    desk.press("Publish it")
    return desk


def names(players: int) -> list[str]:
    return [f"Player {number:02}" for number in range(1, players + 1)]


def shown(page: Page, name: str) -> None:
    if LOOK:
        page.screenshot(path=Path(LOOK) / f"{name}.png", full_page=True)


@pytest.mark.long
def test_thirty_one_play_preference_and_a_game_from_the_desk_comes_to_the_standings(
    page: Page, salon: Salon
) -> None:
    desk = drawn(page, "preference", "pods", 31)
    (first, *_rest) = desk.state.rounds[0].tables

    desk.at("rounds/1/")
    desk.unfold("Something else", "#table-1")
    desk.press("Start the game", "#table-1")
    page.goto("/tables/1/")
    expect(page.locator("#ask")).to_be_visible()
    shown(page, "pad")
    game = Game.objects.get()
    done(game, "hands", dealer="A")
    done(game, "contracts", soloist="A", contract="two")
    done(game, "defences", B="along", C="along")
    done(game, "totals", tricks={"A": 6, "B": 2, "C": 2})
    record(game, EndGame(kind="called", by="Mara", reason="Time was up."))
    catch_up(salon.log, PROJECTIONS)

    page.goto(f"/tournaments/{desk.row.pk}/standings/")
    shown(page, "standings")
    table, _position = read_computed_standings(desk.row)
    assert table is not None
    points = {row.entry: row.points or 0 for row in table.rows if row.played}
    assert sum(points[entry] for entry in first.entries) == 0
    assert max(points, key=lambda entry: points[entry]) == first.entries[0]
    expect(page.locator("main")).to_contain_text(f"Player {int(first.entries[0]):02}")


@pytest.mark.long
def test_thirteen_change_partners_and_type_a_result_a_side(page: Page) -> None:
    desk = drawn(page, "precedence", "rotating", 13, games_a_sitting="1")
    (first, *_rest) = desk.state.rounds[0].tables

    desk.at("rounds/1/")
    assert page.locator("#table-1 .typed input").count() == 2
    desk.type_scores(1, 251, 180)
    desk.press("Record the results typed")

    found = desk.state.rounds[0].table(first.table)
    assert found is not None
    assert [result.score for result in found.results] == [25100, 18000, 25100, 18000]
    page.goto(f"/tournaments/{desk.row.pk}/?q=player+0")
    expect(page.locator("main")).to_contain_text(", against Player")
    shown(page, "where-do-i-sit")


@pytest.mark.parametrize(
    ("game", "form", "players"),
    [
        pytest.param("preference", "pods", 31, marks=pytest.mark.long),
        ("precedence", "rotating", 13),
    ],
)
def test_the_pages_of_a_plan_are_whole_on_every_screen(
    page: Page, game: str, form: str, players: int
) -> None:
    desk = drawn(page, game, form, players)

    for place in (
        "plan/",
        "plan/?entry=1",
        "plan/crosstable/",
        "rounds/1/why/",
        "entries/1/",
        "",
        "desk/rounds/1/",
    ):
        page.goto(f"/tournaments/{desk.row.pk}/{place}")
        look_here(page, PHONE_BY_DAY, DESK_BY_DAY)
        shown(page, f"{form}-{place.strip('/').replace('/', '-').replace('?', '-')}")


def test_the_advice_leads_to_a_form_that_is_filled_in(page: Page) -> None:
    page.goto("/tournaments/advice/")
    page.get_by_label("Game").select_option("preference")
    page.get_by_label("People").fill("31")
    page.get_by_role("button", name="What fits?").click()
    look_here(page, PHONE_BY_DAY, DESK_BY_DAY)
    shown(page, "advice")

    page.get_by_role("link", name="Set it up so").first.click()

    expect(page.locator("#format")).to_have_value("pods")
    expect(page.get_by_label("Game", exact=True)).to_have_value("preference")
    expect(page.locator('[name="pods.sizes"]')).to_be_visible()
    expect(page.locator('[name="movement.movement"]')).to_be_hidden()
    look_here(page, PHONE_BY_DAY, DESK_BY_DAY)
