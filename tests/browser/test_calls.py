"""A table calls, and the desk hears of it without anybody touching it, nor losing what is typed
there.
"""

import os
import uuid
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import visiting
from tests.browser.looking import DESK, EVERY_SIGHT, look_here
from tests.tournament.helpers.evenings import in_round_1
from tests.tournament.helpers.salons import owner_of, scorer_at
from tournament.models import Salon, Tournament
from tournament.recording.calls import make_call
from tournament.recording.tournaments import start_linked_game

pytestmark = pytest.mark.browser
COUNT_TONES = """
  window.tones = 0;
  const made = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.tones += 1;
    return made.call(this);
  };
"""
SHOTS = os.environ.get("ACCORD_SHOTS", "")


@pytest.fixture
def row(salon: Salon) -> Tournament:
    """A tournament whose first table plays at table 4."""
    row = in_round_1(salon)
    start_linked_game(
        salon,
        row.pk,
        round=1,
        table=1,
        label="4",
        actor="user:1",
        command=uuid.uuid4().hex,
        version=row.version,
    )
    return row


@pytest.fixture
def director(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    yield from visiting(browser, site, owner_of(salon), viewport=DESK)


@pytest.fixture
def table(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    yield from visiting(browser, site, scorer_at(salon, "4"))


def test_a_call_reaches_the_desk_by_itself_and_what_is_typed_there_stays(
    director: Page, table: Page, row: Tournament
) -> None:
    director.add_init_script(COUNT_TONES)
    director.goto(f"/tournaments/{row.pk}/desk/rounds/1/")
    title = director.title()
    expect(director.get_by_text("No table is calling.")).to_be_visible()
    director.get_by_role("button", name="Sound").click()
    expect(director.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    tried = director.evaluate("tones")
    field = director.locator("input[type=number], input[inputmode=numeric]").first
    field.fill("231")

    table.goto("/tables/4/")
    table.get_by_role("link", name="Call the director").click()
    table.get_by_role("button", name="A player is missing").click()
    expect(table.get_by_text("It stands on the director’s desk")).to_be_visible()

    expect(director.get_by_role("heading", name="Table 4: A player is missing")).to_be_visible()
    assert director.title() == f"(1) {title}"
    assert director.evaluate("tones") > tried > 0
    director.get_by_role("button", name="I’m coming").click()
    expect(director.get_by_text("A director is coming")).to_be_visible()
    expect(table.get_by_role("heading", name="The director is coming")).to_be_visible()
    director.get_by_role("button", name="Answered").click()
    expect(director.get_by_text("No table is calling.")).to_be_visible()
    expect(table.get_by_text("Answered at")).to_be_visible()
    expect(director).to_have_title(title)
    assert field.input_value() == "231"


def test_sound_that_is_on_waits_for_a_tap_after_a_reload_and_says_so(
    director: Page, row: Tournament
) -> None:
    waits = director.get_by_text("Tap or press a key anywhere")
    director.goto("/calls/")
    expect(waits).to_be_hidden()
    director.get_by_role("button", name="Sound").click()
    expect(waits).to_be_hidden()

    director.reload()
    expect(director.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    expect(waits).to_be_visible()
    director.get_by_role("heading", name="Calls for the director").click()
    expect(waits).to_be_hidden()


@pytest.mark.long
def test_a_desk_that_hears_nothing_says_so_until_it_does(
    director: Page, salon: Salon, row: Tournament
) -> None:
    director.goto(f"/tournaments/{row.pk}/desk/")
    lost = director.get_by_text("What stands here may be old")
    expect(lost).to_be_hidden()

    director.context.set_offline(True)
    expect(lost).to_be_visible()
    make_call(salon, "7", "table", game="", actor="user:1", command=uuid.uuid4().hex)
    director.context.set_offline(False)

    expect(director.get_by_role("heading", name="Table 7")).to_be_visible()
    expect(lost).to_be_hidden()


def test_axe_finds_nothing(director: Page, table: Page, salon: Salon, row: Tournament) -> None:
    table.goto("/tables/4/director/")
    look_here(table, *EVERY_SIGHT)
    shoot(table, "reasons")
    table.get_by_role("button", name="We disagree about a result").click()
    look_here(table, *EVERY_SIGHT)
    shoot(table, "called")
    make_call(salon, "7", "table", game="", actor="user:1", command=uuid.uuid4().hex)
    make_call(salon, "8", "card", game="", actor="user:1", command=uuid.uuid4().hex)
    director.goto("/calls/")
    director.get_by_role("button", name="Answered").first.click()
    expect(director.locator("#calls li")).to_have_count(2)
    director.get_by_role("button", name="I’m coming").first.click()
    expect(director.get_by_text("A director is coming")).to_be_visible()
    for address in (
        "/calls/",
        f"/tournaments/{row.pk}/desk/",
        "/",
        f"/tournaments/{row.pk}/desk/calls/",
    ):
        director.goto(address)
        look_here(director, *EVERY_SIGHT)
        shoot(director, address.strip("/").replace(row.pk, "t").replace("/", "-") or "home")
    director.goto("/calls/")
    director.locator("td a").first.click()
    look_here(director, *EVERY_SIGHT)
    shoot(director, "one")
    table.goto("/tables/4/")
    shoot(table, "pad")


def shoot(page: Page, name: str) -> None:
    """Pictures to be looked at, where somebody asks for them."""
    if not SHOTS:
        return
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.screenshot(path=f"{SHOTS}/{name}-{width}.png", full_page=True)
