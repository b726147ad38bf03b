"""A table whose phone has no rules: bids, winners and totals go on without the server, from the tap
that had no answer, and all of it arrives.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.fingers import double_tap, spot_of
from tests.browser.key_places import Places, ask
from tests.browser.line import Line
from tests.browser.looking import PHONE_BY_DAY, look_here
from tests.browser.outbox import badge, hands, leaving, packed
from tests.browser.visitors import visiting
from tests.tournament.helpers.playing import bidding, playing
from tests.tournament.helpers.preference import dealt
from tests.tournament.helpers.preference import done as preference_done
from tests.tournament.helpers.salons import owner_of
from tournament.models import Hand, Salon

pytestmark = pytest.mark.browser
TWICE = 300  # milliseconds: the same key so soon again would be no second tap


def tap(page: Page, key: str) -> None:
    page.wait_for_timeout(TWICE)
    page.locator(f"#packacts [data-question] {key}").click()


def without_the_line(page: Page, line: Line) -> None:
    """Act by act at table 4, with the line cut."""
    leaving(page)
    page.goto("/tables/4/pack/")
    page.get_by_role("button", name="Act by act").click()
    page.wait_for_timeout(1500)
    line.cut()


def test_a_whole_hand_goes_on_from_the_first_tap_that_had_no_answer(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = playing(salon)
    leaving(tablet)
    tablet.goto("/tables/4/")
    packed(tablet)
    tablet.locator('.compass [value="N"]').click()
    expect(tablet.locator("#ask")).to_have_text("Who won trick 2?")
    line.cut()
    tablet.locator('.compass [value="W"]').click()
    ask(tablet, "Who won trick 3?")
    expect(tablet.locator(".padtop h1")).to_contain_text("act by act")
    for trick, seat in enumerate("ESNNS", start=4):
        tap(tablet, f'[value="{seat}"]')
        ask(tablet, f"Who won trick {trick}?")
    tablet.get_by_role("button", name="Undo").click()
    ask(tablet, "Who won trick 7?")
    for trick, seat in enumerate("SNNNNN", start=8):
        tap(tablet, f'[value="{seat}"]')
        ask(tablet, f"Who won trick {trick}?")
    tap(tablet, '[value="E"]')
    ask(tablet, "Hand 2")
    look_here(tablet, PHONE_BY_DAY)
    for bid, question in ((4, "East bids"), (5, "South bids")):
        tap(tablet, f'.keys [value="{bid}"]')
        ask(tablet, question)
    expect(tablet.locator('#packacts .keys [value="10"]')).to_be_disabled()
    for bid, question in ((2, "West bids"), (1, "Who won trick 1?")):
        tap(tablet, f'.keys [value="{bid}"]')
        ask(tablet, question)
    badge(tablet, "16 not sent")
    line.back()

    expect(tablet.locator("#pad #ask")).to_have_text("Who won trick 1?")
    badge(tablet, "All sent")
    (first,) = Hand.objects.filter(game=game)
    assert first.result["result"]["tricks"] == {"NS": 10, "EW": 3}
    game.refresh_from_db()
    assert game.state["hand"]["bids"] == {"N": 4, "E": 5, "S": 2, "W": 1}


def test_contracts_of_sides_go_on_without_the_line(tablet: Page, line: Line, salon: Salon) -> None:
    game = bidding(salon, contracts="side")
    leaving(tablet)
    tablet.goto("/tables/4/")
    packed(tablet)
    line.cut()
    tablet.locator('#pad .keys [value="5"]').click()
    ask(tablet, "North–South's contract")
    look_here(tablet, PHONE_BY_DAY)
    tap(tablet, '.keys [value="7"]')
    ask(tablet, "Who won trick 1?")
    tablet.get_by_role("button", name="Totals").click()
    tap(tablet, '.keys [value="NS:number=8&EW:number=5"]')
    ask(tablet, "Hand 2")
    tap(tablet, '.keys [value="6"]')
    ask(tablet, "East–West's contract")
    badge(tablet, "4 not sent")
    line.back()

    expect(tablet.locator("#pad #ask")).to_have_text("East–West's contract")
    badge(tablet, "All sent")
    game.refresh_from_db()
    assert game.state["score"] == {"NS": 71, "EW": 50}
    assert game.state["hand"]["named"] == {"NS": 6, "EW": None}


def test_the_winners_of_a_hand_of_preference_go_on_and_then_its_sheets(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = dealt(salon)
    for collection, value in (
        ("contracts", {"soloist": "B", "contract": "two"}),
        ("defences", dict.fromkeys("AC", "along")),
    ):
        preference_done(game, collection, **value)
    leaving(tablet)
    tablet.goto("/tables/4/?by=winners")
    packed(tablet)
    line.cut()
    tablet.locator('#pad .keys [value="B"]').click()
    for trick, seat in enumerate("BBABCBBA", start=2):
        ask(tablet, f"Who won trick {trick}?")
        tap(tablet, f'[value="{seat}"]')
    ask(tablet, "Who won trick 10?")
    tap(tablet, '[value="B"]')
    expect(tablet.locator("#packsheet h1")).to_have_text("Hand 2, from the sheet")
    line.back()

    badge(tablet, "All sent")
    assert hands(game) == 1


def test_totals_that_do_not_add_up_are_not_kept(tablet: Page, line: Line, salon: Salon) -> None:
    game = dealt(salon)
    preference_done(game, "contracts", soloist="B", contract="two")
    preference_done(game, "defences", A="along", C="along")
    without_the_line(tablet, line)
    ask(tablet, "Who won trick 1?")
    tablet.locator("#packacts [data-collections]").get_by_role("button", name="Totals").click()
    for seat, tricks in zip("ABC", (2, 6, 1), strict=True):
        tablet.locator(f'#packacts [id="act-tricks-{seat}"]').fill(str(tricks))
    tap(tablet, ".btn--act")
    expect(tablet.locator("#packact-refused")).to_contain_text("All tricks are 10 together.")
    tablet.locator('#packacts [id="act-tricks-C"]').fill("2")
    tap(tablet, ".btn--act")
    badge(tablet, "1 not sent")
    line.back()

    badge(tablet, "All sent")
    assert hands(game) == 1


def test_keys_stay_where_they_are_between_questions_of_one_kind(
    tablet: Page, line: Line, salon: Salon
) -> None:
    bidding(salon)
    without_the_line(tablet, line)
    places = Places(tablet)
    for bid, seat in zip((2, 4, 3, 3), ("West", "North", "East", "South"), strict=True):
        places.look(f"{seat} bids")
        tap(tablet, f'.keys [value="{bid}"]')
    for trick, seat in enumerate("NESWNNESNWSEN", start=1):
        places.look(f"Who won trick {trick}?")
        tap(tablet, f'.compass [value="{seat}"]')
    places.look("Hand 2")

    assert places.moved() == {}


@pytest.fixture
def finger(browser: Browser, line: Line, salon: Salon) -> Iterator[Page]:
    """A phone at the end of the line whose screen is touched."""
    yield from visiting(browser, line.address, owner_of(salon), has_touch=True)


def test_a_double_tap_answers_no_question_of_another_kind(
    finger: Page, line: Line, salon: Salon
) -> None:
    bidding(salon)
    without_the_line(finger, line)
    for bid, question in ((2, "North bids"), (4, "East bids"), (3, "South bids")):
        tap(finger, f'.keys [value="{bid}"]')
        ask(finger, question)
    finger.wait_for_timeout(TWICE)
    double_tap(finger, *spot_of(finger, '#packacts .keys [value="3"]'))

    ask(finger, "Who won trick 1?")
    finger.wait_for_timeout(700)
    ask(finger, "Who won trick 1?")
    badge(finger, "4 not sent")
