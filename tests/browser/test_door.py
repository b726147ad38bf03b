"""The door: pairs entered one after the other, checked in by one tap each where they stand, asked
about before the draw.
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, PHONE
from tests.browser.looking import found_by_axe
from tests.tournament.helpers.evenings import (
    TREES,
    after_round_1,
    at_the_door,
    does,
    in_round_1,
    result,
)
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.models import Salon, Tournament
from tournament.projections.background import catch_up
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
LOOK = os.environ.get("ACCORD_LOOK")  # a folder for pictures


def look(page: Page, name: str) -> None:
    assert found_by_axe(page) == [], name
    if LOOK:
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            page.screenshot(path=str(Path(LOOK) / f"{name}-{size['width']}.png"), full_page=True)


def here(row: Tournament) -> list[str]:
    row.refresh_from_db()
    return [entry.id for entry in state_of(row).entries if entry.checked_in]


def test_checking_in_moves_nothing_but_the_line_and_the_focus(phone: Page, salon: Salon) -> None:
    row = at_the_door(salon)
    phone.goto(f"/tournaments/{row.pk}/desk/entries/")
    look(phone, "door")
    button = phone.get_by_role("button", name="Check in First Hazel & Second Hazel")
    button.scroll_into_view_if_needed()
    before = phone.evaluate("scrollY"), phone.locator("#entry-5").bounding_box()
    assert before[0] > 0

    button.click()

    expect(phone.locator("#entry-6")).to_contain_text("here")
    expect(phone.get_by_role("button", name="Check in First Ivy & Second Ivy")).to_be_focused()
    assert (phone.evaluate("scrollY"), phone.locator("#entry-5").bounding_box()) == before
    expect(phone.locator("#door-count")).to_contain_text("1 checked in.")
    phone.keyboard.press("Enter")
    expect(
        phone.get_by_role("button", name="Check in First Juniper & Second Juniper")
    ).to_be_focused()
    phone.locator("#entry-6").get_by_role("button", name="Not here after all").click()
    expect(phone.get_by_role("button", name="Check in First Hazel & Second Hazel")).to_be_visible()
    assert here(row) == ["7"]
    look(phone, "door-some")


def test_quick_taps_are_all_counted_and_what_is_being_typed_stays(
    phone: Page, salon: Salon
) -> None:
    row = at_the_door(salon)
    phone.goto(f"/tournaments/{row.pk}/desk/entries/")
    phone.get_by_label("Player 1").fill("Una Frey")

    phone.evaluate(
        "for (const button of [...document.querySelectorAll('#listed-entries form "
        "button')].slice(0, 5)) button.click()"
    )

    for number in range(1, 6):
        expect(phone.locator(f"#entry-{number}")).to_contain_text("here")
    assert here(row) == ["1", "2", "3", "4", "5"]
    expect(phone.get_by_label("Player 1")).to_have_value("Una Frey")
    phone.get_by_label("Player 2").fill("Vito Lark")
    with phone.expect_navigation():
        phone.get_by_role("button", name="Enter", exact=True).click()
    expect(phone.get_by_label("Player 1")).to_be_focused()
    expect(phone.get_by_label("Player 1")).to_be_in_viewport()
    expect(phone.locator("#listed-entries > li")).to_have_count(15)


def test_a_tap_after_the_session_has_ended_is_no_tap_that_vanishes(
    phone: Page, salon: Salon
) -> None:
    row = at_the_door(salon)
    phone.goto(f"/tournaments/{row.pk}/desk/entries/")
    phone.context.clear_cookies(name="sessionid")

    phone.get_by_role("button", name="Check in First Hazel & Second Hazel").click()

    expect(phone.locator("#listed-entries")).to_have_count(0)
    assert here(row) == []


def test_a_tap_without_an_answer_says_so_and_can_be_sent_again(phone: Page, salon: Salon) -> None:
    row = at_the_door(salon)
    phone.goto(f"/tournaments/{row.pk}/desk/entries/")
    phone.context.set_offline(True)
    button = phone.get_by_role("button", name="Check in First Hazel & Second Hazel")

    button.click()

    expect(phone.locator("#entry-6").get_by_role("alert")).to_contain_text(
        "No answer from the server"
    )
    phone.context.set_offline(False)
    button.click()
    expect(phone.locator("#entry-6")).to_contain_text("here")
    assert here(row) == ["6"]


def test_everybody_is_here_by_one_tap(phone: Page, salon: Salon) -> None:
    row = at_the_door(salon)
    phone.goto(f"/tournaments/{row.pk}/desk/entries/")
    with phone.expect_navigation():
        phone.get_by_role("button", name="All here").click()
    assert len(here(row)) == len(TREES)
    look(phone, "door-all")
    with phone.expect_navigation():
        phone.get_by_role("button", name="Undo: not all of them are here").click()
    assert here(row) == []


def test_it_works_without_scripts_too(
    browser: Browser, site: str, phone: Page, salon: Salon
) -> None:
    row = at_the_door(salon)
    context = browser.new_context(base_url=site, java_script_enabled=False, viewport=PHONE)
    context.add_cookies(phone.context.cookies())  # type: ignore[arg-type]  # what one context gives, another takes
    page = context.new_page()
    page.goto(f"/tournaments/{row.pk}/desk/entries/?here=no")

    page.get_by_role("button", name="Check in First Hazel & Second Hazel").click()

    page.wait_for_url("**/desk/entries/?here=no#entry-7")
    box = page.locator("#entry-7").bounding_box()
    assert box is not None
    assert box["y"] < PHONE["height"]
    assert here(row) == ["6"]
    context.close()


def test_the_desk_asks_who_plays_before_it_draws(phone: Page, salon: Salon) -> None:
    row = at_the_door(salon)
    row = does(
        row, *(CheckIn(entry=str(number)) for number in range(1, 12)), EnterPhase(phase="running")
    )
    phone.goto(f"/tournaments/{row.pk}/desk/")
    with phone.expect_navigation():
        phone.get_by_role("button", name="Sits out First Rowan & Second Rowan").click()
    look(phone, "asked")
    with phone.expect_navigation():
        phone.get_by_role("button", name="draw without them").click()
    look(phone, "drawn")
    row.refresh_from_db()
    assert {bye.entry for bye in state_of(row).rounds[0].byes if bye.kind == "zero"} == {
        "12",
        "13",
        "14",
    }


def test_the_end_of_an_event_shows_who_has_won(phone: Page, salon: Salon) -> None:
    row = in_round_1(salon)
    row = does(
        row, ReplacePlayer(entry="1", players=(("2", "Sue Kint"),), from_round=1, until_round=1)
    )
    row = does(
        row,
        result(1, 260, 180),
        result(2, 260, 180),
        CloseRound(round=1),
        EnterPhase(phase="finished"),
    )
    catch_up(salon.log, PROJECTIONS)
    phone.goto(f"/tournaments/{row.pk}/")
    expect(phone.get_by_role("heading", name="The winners")).to_be_visible()
    look(phone, "podium")
    phone.goto(f"/tournaments/{row.pk}/standings/")
    look(phone, "standings")


def test_a_substitute_at_the_desk(phone: Page, salon: Salon) -> None:
    row = does(after_round_1(salon), DrawRound(round=2), PublishRound(round=2))
    phone.goto(f"/tournaments/{row.pk}/desk/entries/1/")
    phone.get_by_label("plays").fill("Sue Kint")
    with phone.expect_navigation():
        phone.get_by_role("button", name="For that round only").click()
    expect(phone.get_by_text("Sue Kint plays for")).to_be_visible()
    look(phone, "substitute")
    with phone.expect_navigation():
        phone.get_by_role("button", name="Take it back Sue Kint").click()
    expect(phone.get_by_text("Sue Kint plays for")).to_have_count(0)


def test_what_was_said_of_all_goes_once_somebody_is_not_here_after_all(
    phone: Page, salon: Salon
) -> None:
    row = at_the_door(salon)
    phone.goto(f"/tournaments/{row.pk}/desk/entries/")
    phone.get_by_role("button", name="All here").click()
    said = phone.get_by_text("Everybody has been checked in.")
    expect(said).to_be_visible()
    button = phone.get_by_role("button", name="Not here after all First Hazel & Second Hazel")
    button.scroll_into_view_if_needed()
    before = phone.locator("#entry-5").bounding_box()

    button.click()

    expect(phone.get_by_role("button", name="Check in First Hazel & Second Hazel")).to_be_visible()
    expect(said).to_be_hidden()
    assert phone.locator("#entry-5").bounding_box() == before
