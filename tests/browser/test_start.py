"""Starting a game on a phone: Enter leads from seat to seat, and no list hangs over the next field
with nothing to choose.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import found_by_axe
from tests.tournament.helpers.playing import a_game
from tournament.models import Game, Player, Salon

pytestmark = pytest.mark.browser


def test_enter_goes_from_seat_to_seat_and_a_new_name_covers_nothing(
    phone: Page, salon: Salon
) -> None:
    a_game(salon)
    phone.goto("/games/new/?table=5")
    north = phone.get_by_role("combobox", name="North")
    north.press_sequentially("Zeno Farr", delay=20)
    expect(phone.locator("#suggest-N-note")).to_have_text("New player")
    expect(phone.locator("#suggest-N")).to_be_hidden()
    north.press("Enter")
    east = phone.get_by_role("combobox", name="East")
    expect(east).to_be_focused()

    east.press_sequentially("il", delay=20)
    option = phone.get_by_role("option", name="Ilse Marrow")
    expect(option).to_contain_text("at table 4 now")
    assert found_by_axe(phone) == []
    east.press("ArrowDown")
    east.press("Enter")
    expect(east).to_have_value("Ilse Marrow")
    for seat, name in {"South": "Bram Quill", "West": "Wren Tallow"}.items():
        field = phone.get_by_role("combobox", name=seat)
        expect(field).to_be_focused()
        field.press_sequentially(name, delay=20)
        if seat == "South":
            field.press("Enter")
    assert phone.url.endswith("/games/new/?table=5")
    phone.get_by_role("button", name="Start the game").click()

    expect(phone.get_by_text("Ilse Marrow is at table 4 too.")).to_be_visible()
    assert Game.objects.filter(table="5").count() == 1


def test_enter_takes_the_only_one_who_can_sit_in(phone: Page, salon: Salon) -> None:
    """On the pad, on a fresh one and on one that came with a tap, and on a sheet: nobody new."""
    game = a_game(salon)
    Player.objects.bulk_create(
        Player(salon=salon, name=name) for name in ("Olga Stern", "Oleg Finn")
    )
    for page in ("/tables/4/", "/tables/4/sheet/"):
        phone.goto(page)
        phone.locator("summary", has_text="Substitutes").click()
        field = phone.get_by_role("combobox", name="Sits in for Ilse Marrow")
        field.press_sequentially("ol", delay=20)
        expect(phone.locator("#suggest-E [role=option]")).to_have_count(2)
        field.press("Enter")
        expect(phone.locator("#suggest-E-note")).to_have_text("Several players fit: choose one.")
        field.press_sequentially("g", delay=20)
        field.press("Enter")
        expect(field).to_have_value("Olga Stern")
        assert found_by_axe(phone) == []
    game.refresh_from_db()
    assert game.state["hand"] is None
    assert not Player.objects.filter(name__in=["ol", "olg"]).exists()


def test_the_first_game_can_be_started_without_scrolling(phone: Page, salon: Salon) -> None:
    phone.goto("/")

    button = phone.get_by_role("link", name="Start the first game")
    box, bar = button.bounding_box(), phone.locator(".nav").last.bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] + box["height"] <= min(bar["y"], 740)


def test_on_tables_what_a_button_says_stands_in_its_middle(phone: Page, salon: Salon) -> None:
    a_game(salon)
    phone.goto("/tables/")

    off = phone.locator(".tables .btn").evaluate_all(
        """(buttons) => buttons.map((button) => {
            const words = document.createRange();
            words.selectNode(button.firstChild);
            const [text, box] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
            return Math.abs(text.top + text.bottom - box.top - box.bottom) / 2;
        })"""
    )

    assert len(off) == 8
    assert max(off) <= 2
