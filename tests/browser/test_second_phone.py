"""A pad that lies idle follows what another phone records; one at which somebody is entering
something stays as it is.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import visiting
from tests.tournament.helpers.playing import a_game, bidding, done, playing
from tests.tournament.helpers.sabacc import done as sabacc_done
from tests.tournament.helpers.sabacc import guarded
from tests.tournament.helpers.salons import owner_of
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser


def test_an_idle_pad_follows_another_phone(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    phone.evaluate("scrollTo(0, 40)")

    done(game, "bids", seat="W", tricks=2)

    expect(phone.locator("#ask")).to_have_text("North bids")
    assert phone.evaluate("scrollY") == 40


def test_an_idle_pad_follows_to_the_end_of_a_game_and_to_the_next_one(
    phone: Page, salon: Salon
) -> None:
    game = done(playing(salon, target_score=50), "totals", NS=8, EW=5)
    phone.goto("/tables/4/")
    expect(phone.locator("#ask")).to_have_text("North–South win")

    Game.objects.filter(pk=game.pk).update(table="")
    expect(phone.locator("h1")).to_have_text("Table 4 is free")
    a_game(salon)

    expect(phone.locator("#ask")).to_have_text("The first hand")


def test_cards_of_a_trick_are_not_taken_back_by_what_another_phone_records(
    phone: Page, salon: Salon
) -> None:
    game = playing(salon)
    phone.goto("/tables/4/?by=cards&trick=1&cards=2B,9B")

    done(game, "winners", seat="N")

    expect(phone.locator("#meanwhile")).to_contain_text(
        "Another phone has recorded at this table meanwhile"
    )
    expect(phone.locator(".trick .card:not(.card--none)")).to_have_count(2)
    phone.locator("#meanwhile >> text=Show how it stands").click()
    expect(phone.locator("#ask")).to_have_text("Who won trick 2?")


def test_a_text_half_written_is_not_taken_back(phone: Page, salon: Salon) -> None:
    game = done(playing(salon), "totals", NS=8, EW=5)
    phone.goto("/tables/4/")
    phone.locator("summary:has-text('Substitutes')").click()
    phone.locator("#note").fill("Long dou")

    done(game, "hands")

    expect(phone.locator("#meanwhile")).to_be_visible()
    expect(phone.locator("#note")).to_have_value("Long dou")


def test_a_pile_being_counted_is_not_taken_back(phone: Page, salon: Salon) -> None:
    game = guarded(salon)
    phone.goto("/tables/4/")
    phone.locator("label:has(#honours-4)").click()
    expect(phone.locator(".padstate .score").first).to_have_text("18")

    sabacc_done(game, "totals", points=47.5)

    expect(phone.locator("#meanwhile")).to_be_visible()
    expect(phone.locator("#honours-4")).to_be_checked()


def test_a_phone_that_comes_back_finds_its_cards_and_its_mode(phone: Page, salon: Salon) -> None:
    playing(salon)
    phone.goto("/tables/4/?by=cards")
    phone.locator('[data-card="9B"]').click()
    expect(phone.locator("#ask")).to_have_text("North plays")

    phone.locator("a:has-text('Board') >> visible=true").click()
    phone.wait_for_url("**/games/**")
    phone.goto("/tables/4/")

    expect(phone.locator("#ask")).to_have_text("North plays")
    expect(phone.locator(".trick .card:not(.card--none)")).to_have_count(1)


def test_the_screen_stays_awake_while_a_game_is_open(
    browser: Browser, site: str, salon: Salon
) -> None:
    game = playing(salon, target_score=50)
    for page in visiting(browser, site, owner_of(salon)):
        page.add_init_script(
            "window.awake = 0;"
            " Object.defineProperty(navigator, 'wakeLock', {value: {request: async (kind) "
            "=> { window.awake += kind === 'screen'; }}})"
        )
        page.goto("/tables/4/")
        page.wait_for_function("window.awake === 1")
        done(game, "totals", NS=8, EW=5)
        page.goto("/tables/4/")
        expect(page.locator("#ask")).to_have_text("North–South win")
        assert page.evaluate("window.awake") == 0


def test_a_pad_without_a_wake_lock_works_as_before(
    browser: Browser, site: str, salon: Salon
) -> None:
    bidding(salon)
    for page in visiting(browser, site, owner_of(salon)):
        page.add_init_script("Object.defineProperty(navigator, 'wakeLock', {value: undefined})")
        page.goto("/tables/4/")
        page.locator('[data-key="2"]').click()
        expect(page.locator("#ask")).to_have_text("North bids")
