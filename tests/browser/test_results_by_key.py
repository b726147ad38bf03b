"""A director who types results and looks at the slips: keys are counted, not seconds."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.conftest import DESK, PHONE, visiting
from tests.browser.looking import fits, found_by_axe
from tests.tournament.helpers.evenings import in_round_1
from tests.tournament.helpers.many_results import drawn, of_pairs, played
from tests.tournament.helpers.salons import owner_of
from tests.tournament.helpers.singles import published
from tournament.domain.standings.rare_results import LEAST
from tournament.domain.standings.values import HUNDREDTHS, Pods, Result, Scale, Stage
from tournament.domain.tournament.results import EnterResult
from tournament.models import Salon, Tournament
from tournament.pages.desk.rare_results import rare_words
from tournament.projections.audit import audit
from tournament.queries.tournament import list_tables, load_tournament
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of

pytestmark = pytest.mark.browser
LOOK = os.environ.get("ACCORD_LOOK")  # a folder for pictures
TABLES = 40
MOST_KEYS = 450  # 90 seconds of five keys each
WIDEST = 160
TABLET: ViewportSize = {"width": 820, "height": 1180}
SIX_ROUNDS = Stage(kind="swiss", rounds=6)
PODS = Stage(kind="pods", pods=Pods(sizes=(3,)), scale=Scale(kind="chips", bye=0))


class Typist:
    """Who types with their eyes on a pile of slips; every key is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1

    def number(self, number: int) -> None:
        """A number and Enter."""
        self.press(*str(number).replace("\N{MINUS SIGN}", "-"), "Enter")

    @property
    def at(self) -> str:
        """Where the focus is."""
        return str(self.page.evaluate("document.activeElement.id"))


@pytest.fixture
def page(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """The director's screen."""
    yield from visiting(browser, site, owner_of(salon), viewport=DESK)


@pytest.fixture
def plain_page(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """The same where no script runs."""
    options = {"viewport": DESK, "java_script_enabled": False}
    context = browser.new_context(base_url=site, **options)  # type: ignore[arg-type]
    cookie = owner_of(salon).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
    yield context.new_page()
    context.close()


def address(row: Tournament, number: int) -> str:
    return f"/tournaments/{row.pk}/desk/rounds/{number}/result-rows/"


def scores(row: Tournament, number: int) -> list[tuple[int, ...]]:
    row.refresh_from_db()
    return [
        tuple((each.score or 0) // HUNDREDTHS for each in table.results)
        for table in state_of(row).rounds[number - 1].tables
    ]


def come_to(page: Page, row: Tournament, number: int, expected: Sequence[tuple[int, ...]]) -> None:
    """The first results of a round are what they should be, soon: who types on doesn't wait."""
    for _try in range(200):
        if scores(row, number)[: len(expected)] == list(expected):
            return
        page.wait_for_timeout(100)
    assert scores(row, number)[: len(expected)] == list(expected)


def look(page: Page, name: str) -> None:
    """Axe finds nothing, nothing is wider than the page, by day and by night."""
    for size in (DESK, TABLET, PHONE):
        page.set_viewport_size(size)
        assert fits(page), name
        if LOOK:
            page.screenshot(path=Path(LOOK) / f"{name}-{size['width']}.png")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert found_by_axe(page) == [], (name, scheme)
    page.set_viewport_size(DESK)


def with_history(salon: Salon) -> tuple[Tournament, int]:
    """Forty tables in an open round, after rounds that say what is usual here."""
    row = of_pairs(salon, 2 * TABLES, SIX_ROUNDS)
    margins = [WIDEST - 2 * table for table in range(TABLES)]
    for _round in range(LEAST // TABLES):
        played(row, margins)
    return row, drawn(row)


def test_forty_results_take_ninety_seconds_at_five_keys_a_second(page: Page, salon: Salon) -> None:
    row, number = with_history(salon)
    page.goto(address(row, number))
    typist = Typist(page)
    slips = [(255 - table % 5, 170 - table) for table in range(TABLES)]
    rare, slips[6] = 6, (300, 100)  # nobody has won by 200, nor reached 300

    for place, (one, two) in enumerate(slips):
        typist.number(one)
        typist.number(two)
        if place == rare:
            row_7 = page.locator("#row-7")
            expect(row_7).to_contain_text("Nobody here has won by 200 yet: Enter once more.")
            assert typist.at == "f-7-1-0"
            look(page, "asked")
            typist.press("Enter")
    expect(page.locator("#lacking")).to_contain_text("Every result is in.")

    assert typist.keys <= MOST_KEYS
    come_to(page, row, number, slips)
    expect(page.locator("[data-missing]")).to_have_count(0)
    expect(page.get_by_role("link", name="On to the round")).to_be_focused()
    typist.press("Enter")
    page.wait_for_url(re.compile(r"/desk/rounds/\d+/$"))
    assert list(audit(salon)) == []


def test_the_page_asks_about_the_same_results_as_the_server(page: Page, salon: Salon) -> None:
    row, number = with_history(salon)
    page.goto(address(row, number))
    row.refresh_from_db()
    at = load_tournament(row, Audience.SALON)
    shown = list_tables(at, at.state.rounds[number - 1])[0]
    asked = 0
    for one in range(-40, 400, 20):
        for two in (0, 99, 100, 240):
            page.locator("#f-1-0-0").fill(str(one))
            page.locator("#f-1-1-0").fill(str(two))
            said = page.evaluate("rareIn(document.getElementById('row-1'))")
            typed = EnterResult(round=number, table=1, results=_results(one, two))
            assert said == rare_words(at, at.state.stage, shown, typed), (one, two)
            asked += bool(said)
    assert 0 < asked < 88  # some of these are rare, and some are not
    page.evaluate("form.dataset.leaves = ''")


def _results(one: int, two: int) -> tuple[Result, ...]:
    return (Result(score=HUNDREDTHS * one), Result(score=HUNDREDTHS * two))


def test_what_cannot_be_is_told_at_once_and_the_way_back_is_a_key(page: Page, salon: Salon) -> None:
    row = published(salon, 9, PODS, "preference")
    page.goto(address(row, 1))
    typist = Typist(page)

    typist.press("x", "Enter")
    assert typist.at == "f-1-0-0"
    expect(page.locator("#said-1")).to_contain_text("A whole number is expected here.")
    typist.press("Backspace")
    for number in (30, -10, -10):
        typist.number(number)
    expect(page.locator("#said-1")).to_contain_text("they add up to 0")
    expect(page.locator("#f-1-2-0")).to_be_focused()
    look(page, "not-0")
    typist.number(-20)
    expect(page.locator("#row-1 .badge")).to_have_text("in")
    expect(page.locator("#f-2-0-0")).to_be_focused()

    typist.press("ArrowUp")
    assert typist.at == "f-1-2-0"
    typist.press("Shift+Enter")
    assert typist.at == "f-1-1-0"
    typist.number(-5)
    typist.number(-25)
    expect(page.locator("#f-2-0-0")).to_be_focused()
    typist.press("Enter")  # no slip of table 2 yet
    assert typist.at == "f-3-0-0"
    expect(page.locator("#lacking")).to_contain_text("2 results are missing.")
    come_to(page, row, 1, [(30, -5, -25)])


def test_a_row_without_an_answer_says_so_and_goes_out_again(page: Page, salon: Salon) -> None:
    row = in_round_1(salon)
    page.goto(address(row, 1))
    typist = Typist(page)

    page.context.set_offline(True)
    typist.number(255)
    typist.number(190)
    expect(page.locator("#said-1")).to_contain_text("No connection: it is sent again by itself.")
    typist.number(200)
    typist.number(100)
    page.context.set_offline(False)
    expect(page.locator("#lacking")).to_contain_text("Every result is in.")

    come_to(page, row, 1, [(255, 190), (200, 100)])


def test_without_scripts_enter_sends_the_form_whole(plain_page: Page, salon: Salon) -> None:
    row, page = in_round_1(salon), plain_page
    page.goto(address(row, 1))
    page.locator("#f-1-0-0").fill("255")
    page.locator("#f-1-1-0").fill("190")
    page.locator("#f-2-0-0").fill("2OO")
    with page.expect_navigation():
        page.locator("#f-2-0-0").press("Enter")
    expect(page.locator("#row-1 .badge")).to_have_text("in")
    expect(page.locator("#f-2-0-0")).to_have_value("2OO")
    expect(page.locator("#said-2")).to_contain_text("A number as 45 or 45.5 is expected here")
    page.locator("#f-2-0-0").fill("200")
    page.locator("#f-2-1-0").fill("100")
    with page.expect_navigation():
        page.get_by_role("button", name="Record the results typed").click()
    expect(page.locator("#lacking")).to_contain_text("Every result is in.")
    assert scores(row, 1) == [(255, 190), (200, 100)]
