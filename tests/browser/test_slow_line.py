"""What a pad makes of a slow line, a lost one, and of quick fingers: every tap counts once or says
why not.
"""

import re
from collections.abc import Callable
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, Route, expect

from tests.tournament.helpers.playing import bidding, done, playing, state_of
from tests.tournament.helpers.sabacc import done as sabacc_done
from tests.tournament.helpers.sabacc import guarded
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser


def slow_line(page: Page, milliseconds: int = 300) -> None:
    """Every answer takes this much longer."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    conditions = {
        "offline": False,
        "latency": milliseconds,
        "downloadThroughput": -1,
        "uploadThroughput": -1,
    }
    session.send("Network.emulateNetworkConditions", conditions)


def tap_all(page: Page, selectors: list[str], *, every: int) -> None:
    """Tap at these places, one after the other, without waiting for what a tap does."""
    steps = [[selector, place * every] for place, selector in enumerate(selectors)]
    page.evaluate(
        "steps => Promise.all(steps.map(([selector, after]) => new Promise((done) => "
        "setTimeout(() => {"
        " document.querySelector(selector).click(); done(); }, after))))",
        steps,
    )


def tap_like_a_finger(page: Page, selector: str, *, times: int, every: int) -> None:
    """Tap one spot again and again, as a finger does that stays where it is."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    for _ in range(times):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(every)


def test_a_counted_pile_keeps_every_tap_on_a_slow_line(phone: Page, salon: Salon) -> None:
    guarded(salon)
    phone.goto("/tables/4/")
    slow_line(phone)

    wanted = {"honours": 2, "mistresses": 1, "commanders": 3, "legates": 2}
    tap_all(
        phone,
        [
            f"#{kind}-{number}"
            for kind, number in (*wanted.items(), ("commanders", 0), ("legates", 1))
        ],
        every=400,
    )
    expect(phone.locator(".padstate .score").first).to_have_text("14")

    for kind, number in {**wanted, "commanders": 0, "legates": 1}.items():
        expect(phone.locator(f"#{kind}-{number}")).to_be_checked()


def test_a_pile_is_recorded_as_it_was_tapped_or_not_at_all(phone: Page, salon: Salon) -> None:
    guarded(salon)
    phone.goto("/tables/4/?by=pile&pile.honours:number=4&pile.tricks:number=6")
    expect(phone.locator("text=Record hand 1")).to_be_enabled()
    before = phone.locator(".padstate .score").first.inner_text()
    slow_line(phone, 1000)

    phone.locator("label:has(#legates-2)").click()
    expect(phone.locator("text=Record hand 1")).to_be_disabled()
    expect(phone.locator(".padstate .score").first).not_to_have_text(before)
    expect(phone.locator("text=Record hand 1")).to_be_enabled()


def test_a_tap_without_an_answer_is_named_covers_no_key_and_goes_by_itself(
    phone: Page, salon: Salon
) -> None:
    game = playing(salon)
    for _ in range(7):
        done(game, "winners", seat="N")
    phone.goto("/tables/4/")
    phone.context.set_offline(True)
    phone.locator('.compass [value="W"]').click()

    expect(phone.locator("#unsent")).to_contain_text("West, trick 8: not sent")
    badge(phone, "1 not sent")
    for seat in "NWES":
        assert on_top(phone, f'.compass [value="{seat}"]'), seat
    phone.context.set_offline(False)

    expect(phone.locator("#ask")).to_have_text("Who won trick 9?")
    expect(phone.locator("#unsent")).to_have_count(0)
    badge(phone, "All sent")
    assert state_of(game)["hand"]["winners"] == [*"NNNNNNNW"]


def badge(page: Page, words: str) -> None:
    """What the head says of the taps, in a moment."""
    expect(page.locator("#sent")).to_have_text(words, use_inner_text=True)


def on_top(page: Page, selector: str) -> bool:
    """Whether a finger on the middle of this key touches the key, once it is in view."""
    page.locator(selector).scroll_into_view_if_needed()
    touched: bool = page.evaluate(
        "selector => { const key = document.querySelector(selector), box = "
        "key.getBoundingClientRect();"
        " return key.contains(document.elementFromPoint(box.x + box.width / 2, box.y + "
        "box.height / 2)); }",
        selector,
    )
    return touched


def test_a_tap_whose_answer_was_lost_is_sent_again_and_counts_once(
    phone: Page, salon: Salon
) -> None:
    game = playing(salon)
    phone.goto("/tables/4/")
    lost = lose_answers(phone, re.compile("/winners/|/outbox/"), times=2)
    phone.locator('.compass [value="W"]').click()

    expect(phone.locator("#unsent")).to_contain_text("West, trick 1: not sent")
    phone.locator("#unsent >> text=Send again").click()
    expect(phone.locator("#ask")).to_have_text("Who won trick 2?")

    assert len(lost) >= 2
    commands = {re.search("command[^0-9a-f]{1,20}([0-9a-f]{32})", unquote(each)) for each in lost}
    assert len({found and found[1] for found in commands}) == 1  # the same tap, the same command
    assert state_of(game)["hand"]["winners"] == ["W"]


def lose_answers(page: Page, address: re.Pattern[str], *, times: int) -> list[str]:
    """The server records what it is sent, and its answer doesn't arrive; the list grows with what
    was sent.
    """
    sent: list[str] = []

    def lose(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) > times:
            return route.continue_()
        route.fetch()
        return route.abort()

    page.route(address, lose)
    return sent


def held_up(page: Page, address: re.Pattern[str]) -> Callable[[], None]:
    """What is sent there waits, however long that takes, until what this gives is called."""
    waiting: list[Route] = []
    is_open = False

    def hold(route: Route) -> None:
        if is_open:
            return route.continue_()
        return waiting.append(route)

    def go_on() -> None:
        nonlocal is_open
        is_open = True
        for route in waiting:
            route.continue_()

    page.route(address, hold)
    return go_on


def test_while_a_tap_is_not_sent_no_other_tap_goes_out(phone: Page, salon: Salon) -> None:
    game = playing(salon)
    phone.goto("/tables/4/")
    phone.context.set_offline(True)
    phone.locator('.compass [value="W"]').click()
    expect(phone.locator("#unsent")).to_be_visible()

    phone.locator('.compass [value="E"]').click()
    phone.context.set_offline(False)

    expect(phone.locator("#ask")).to_have_text("Who won trick 2?")
    badge(phone, "All sent")
    assert state_of(game)["hand"]["winners"] == ["W"]


@pytest.mark.parametrize("latency", [0, pytest.param(300, marks=pytest.mark.long), 1200])
def test_four_quick_taps_count_four(phone: Page, salon: Salon, latency: int) -> None:
    game = playing(salon)
    phone.goto("/tables/4/")
    slow_line(phone, latency)

    tap_like_a_finger(phone, '.compass [value="N"]', times=4, every=300)

    expect(phone.locator("#ask")).to_have_text("Who won trick 5?")
    badge(phone, "All sent")
    assert state_of(game)["hand"]["winners"] == [*"NNNN"]


def test_taps_on_other_keys_wait_in_their_order(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    goes_on = held_up(phone, re.compile("/bids/|/outbox/"))

    for tricks in (2, 4, 3):
        phone.locator(f'[data-key="{tricks}"]').click()
        phone.wait_for_timeout(80)
    badge(phone, "Sending 3")
    goes_on()
    expect(phone.locator("#ask")).to_have_text("South bids")

    assert state_of(game)["hand"]["bids"] == {"W": 2, "N": 4, "E": 3, "S": None}


def test_a_double_tap_counts_once_and_says_so(phone: Page, salon: Salon) -> None:
    game = playing(salon)
    phone.goto("/tables/4/")

    tap_like_a_finger(phone, '.compass [value="N"]', times=2, every=60)

    badge(phone, "Counted once")
    expect(phone.locator("#ask")).to_have_text("Who won trick 2?")
    badge(phone, "All sent")
    assert state_of(game)["hand"]["winners"] == ["N"]


def test_a_tap_that_waited_for_a_question_that_is_over_is_named_and_not_recorded(
    phone: Page, salon: Salon
) -> None:
    game = bidding(salon)
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3)):
        done(game, "bids", seat=seat, tricks=tricks)
    phone.goto("/tables/4/")
    goes_on = held_up(phone, re.compile("/bids/|/outbox/"))

    tap_like_a_finger(phone, '[data-key="3"]', times=2, every=300)
    goes_on()

    expect(phone.locator("#ask")).to_have_text("Who won trick 1?")
    expect(phone.locator(".dropped")).to_contain_text("Not counted: 3")
    assert state_of(game)["hand"]["winners"] == []


def test_what_is_typed_while_a_tap_is_under_way_stays(phone: Page, salon: Salon) -> None:
    guarded(salon)
    phone.goto("/tables/4/?by=cards")
    phone.locator('.deck__suits label:has([value="F"])').click()
    slow_line(phone, 800)

    phone.locator('[data-card="9F"]').click()
    phone.locator('.deck__suits label:has([value="S"])').click()
    expect(phone.locator(".trick .card:not(.card--none)")).to_have_count(1)

    expect(phone.locator('.deck__suits [value="S"]')).to_be_checked()


@pytest.mark.parametrize("opens", ["five", "whole hand"])
def test_after_a_record_from_further_down_the_result_and_the_next_button_are_in_view(
    phone: Page, salon: Salon, opens: str
) -> None:
    if opens == "five":
        sabacc_done(guarded(salon), "totals", points=47.5)
        sabacc_done(Game.objects.get(), "hands")
        sabacc_done(Game.objects.get(), "contracts", declarer="B", contract="push")
    else:
        guarded(salon, 3)
    phone.goto("/tables/4/?by=points")
    phone.locator("#points").fill("51")
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    phone.locator("button:has-text('Record hand')").click()

    expect(phone.locator("#ask")).to_contain_text("is over")
    phone.wait_for_function("document.activeElement.id === 'ask'")
    assert in_view(phone, "#ask")
    assert in_view(phone, "button.open")


def in_view(page: Page, selector: str) -> bool:
    """Whether the whole of it stands between the top of the window and the docked button."""
    stands: bool = page.evaluate(
        "selector => { const box = "
        "document.querySelector(selector).getBoundingClientRect(), dock = "
        "document.querySelector('.dock');"
        " return box.top >= 0 && box.bottom <= (dock ? dock.getBoundingClientRect().top "
        ": innerHeight); }",
        selector,
    )
    return stands
