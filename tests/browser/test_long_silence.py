"""A phone that hears of nobody for long: asleep, over a day, hand by hand in every game of sheets,
and what it says of hands. All of it arrives when the line is back; what is final leaves the phone.
"""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from ledger.models import Event
from tests.browser.conftest import visiting
from tests.browser.outbox import acts, badge, hands, keep, leaving, packed, sent, winners
from tests.browser.sheets import (
    a_deal_of_preference,
    a_deal_of_sabacc,
    a_sheet_of_preference,
    a_sheet_of_sabacc,
    choose,
    fill_hand,
)
from tests.tournament.helpers.playing import a_game, bidding, done, playing
from tests.tournament.helpers.preference import dealt
from tests.tournament.helpers.preference import done as preference_done
from tests.tournament.helpers.sabacc import done as sabacc_done
from tests.tournament.helpers.salons import owner_of, scorer_at, seated
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser
HALF_AN_HOUR = 1800  # seconds
PATIENT = 7_000  # milliseconds, longer than the page waits before it says that it is kept


def asleep(page: Page, state: str) -> None:
    """The page as the phone leaves it when its screen goes dark, or wakes it."""
    page.context.new_cdp_session(page).send("Page.setWebLifecycleState", {"state": state})


@pytest.mark.long
def test_a_phone_asleep_for_half_an_hour_sends_what_it_kept_and_says_when_it_was_typed(
    phone: Page, salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line comes back while it sleeps, so nothing tells the page but its own clock."""
    game, now = playing(salon), time.time_ns
    phone.clock.install()
    phone.goto("/tables/4/")
    for address in ("**/winners/*", "**/outbox/"):
        phone.route(address, lambda route: route.abort())
    with phone.expect_event("requestfailed", lambda asked: "outbox" in asked.url):
        phone.locator('.compass [value="W"]').click()
    expect(phone.locator("#unsent")).to_contain_text("West, trick 1: not sent")
    phone.clock.pause_at(phone.evaluate("(Date.now() + 50) / 1000"))
    asleep(phone, "frozen")
    phone.unroute_all()
    phone.wait_for_timeout(2_000)
    assert winners(game) == []
    monkeypatch.setattr(time, "time_ns", lambda: now() + HALF_AN_HOUR * 1_000_000_000)
    asleep(phone, "active")
    phone.clock.fast_forward(HALF_AN_HOUR * 1000)
    phone.clock.resume()

    badge(phone, "All sent")
    expect(phone.locator("#ask")).to_have_text("Who won trick 2?")
    assert winners(game) == ["W"]
    taken = Event.objects.get(stream=game.pk, type="precedence.trick_taken")
    late = (taken.recorded_at - taken.occurred_at) / 1_000_000
    assert HALF_AN_HOUR <= late < HALF_AN_HOUR + 60


def wrong_preference(page: Page) -> None:
    a_sheet_of_preference(page)
    page.locator('#packsheet [id="tricks.C"]').fill("3")


def wrong_sabacc(page: Page) -> None:
    a_sheet_of_sabacc(page)
    page.locator("#packsheet #points").fill("60.5")


@pytest.mark.long
@pytest.mark.parametrize(
    ("begun", "write", "wrong", "refused", "nobody", "dealers", "scores"),
    [
        pytest.param(
            a_deal_of_preference, a_sheet_of_preference, wrong_preference,
            "All tricks are 10 together.", "soloist:null=nobody",
            ["Asha Renn", "Ilse Marrow", "Cato Liss"], None, id="preference",
        ),
        pytest.param(
            a_deal_of_sabacc, a_sheet_of_sabacc, wrong_sabacc,
            "With four players every pile has whole points.", "declarer:null=nobody",
            ["Cato Liss", "Ilse Marrow", "Asha Renn"], {"A": -5, "B": 3, "C": -5, "D": -5},
            id="sabacc",
        ),
    ],
)  # fmt: skip
def test_hands_on_sheets_without_a_line_arrive_in_every_game(
    phone: Page,
    salon: Salon,
    begun: Callable[[Salon], Game],
    write: Callable[[Page], None],
    wrong: Callable[[Page], None],
    refused: str,
    nobody: str,
    dealers: list[str],
    scores: dict[str, int] | None,
) -> None:
    game = begun(salon)
    leaving(phone)
    phone.goto("/tables/4/")
    packed(phone)
    phone.context.set_offline(True)
    phone.goto("/tables/4/pack/")
    expect(phone.locator("#packsheet h1")).to_have_text("Hand 1, from the sheet")
    wrong(phone)
    phone.locator("text=Keep hand 1").click()
    expect(phone.locator("#packwrong li")).to_have_text([refused])
    write(phone)
    phone.locator("text=Keep hand 1").click()
    expect(phone.locator("#packsheet .head")).to_contain_text(f"{dealers[0]} deals.")

    phone.goto("/tables/4/pack/")
    expect(phone.locator("#packsheet h1")).to_have_text("Hand 2, from the sheet")
    expect(phone.locator("#packsheet .head")).to_contain_text(f"{dealers[0]} deals.")
    choose(phone, nobody)
    phone.locator("text=Keep hand 2").click()
    expect(phone.locator("#packsheet h1")).to_have_text("Hand 3, from the sheet")
    expect(phone.locator("#packsheet .head")).to_contain_text(f"{dealers[1]} deals.")
    write(phone)
    phone.locator("text=Keep hand 3").click()
    badge(phone, "3 not sent")
    phone.context.set_offline(False)

    badge(phone, "All sent")
    expect(phone.locator("#packsheet h1")).to_have_text("Hand 4, from the sheet")
    expect(phone.locator("#packsheet .head")).to_contain_text(f"{dealers[2]} deals.")
    state: dict[str, Any] = Game.objects.get(pk=game.pk).state
    assert (state["hand"], state["next"]["number"]) == (None, 4)
    assert scores is None or state["score"] == scores


def test_what_is_kept_for_over_a_day_is_warned_of(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    phone.context.set_offline(True)
    keep(phone, game, acts(2)[1:])
    note = phone.locator("#kept [data-old]")
    expect(note).to_be_hidden()
    phone.evaluate(
        "async () => { const [{ command }] = await outboxStore.kept();"
        " await outboxStore.note(command, { typed_at: Date.now() - 86400001 }); }"
    )

    expect(note).to_be_visible()
    expect(note).to_contain_text("kept for more than a day")


REMEMBERED = """async stream => ({
  seen: await outboxStore.seen(stream) !== undefined,
  journal: (await outboxStore.journal()).filter(each => each.stream === stream).length,
  kept: (await outboxStore.kept(stream)).length,
})"""


def finalised(salon: Salon, game: Game, client: Client) -> None:
    """The game as a director makes it final."""
    game.refresh_from_db()
    form = {
        "game": game.pk, "version": str(game.version), "command": "0" * 31 + "7",
        "reason": "Everybody has gone home.",
    }  # fmt: skip
    assert client.post(f"/games/{game.pk}/attestations/finals/", form).status_code == 303


@pytest.mark.long
def test_what_is_final_leaves_the_phone_but_not_what_it_still_has_to_say(
    phone: Page, salon: Salon
) -> None:
    game = playing(salon, target_score=50)
    leaving(phone)
    phone.goto("/tables/4/")
    keep(phone, game, [("totals", {"NS:number": 8, "EW:number": 5})])
    sent(phone)
    assert phone.evaluate(REMEMBERED, game.pk) == {"seen": True, "journal": 1, "kept": 0}
    finalised(salon, game, owner_of(salon))
    phone.route("**/outbox/", lambda route: route.abort())
    keep(phone, game, [("confirmations", {})])
    phone.goto("/tables/4/")
    expect(phone.locator("#pad[data-final]")).to_have_count(1)
    phone.wait_for_timeout(300)
    assert phone.evaluate(REMEMBERED, game.pk)["kept"] == 1

    phone.evaluate(
        "async s => outboxStore.dropped((await outboxStore.kept(s))[0].command)", game.pk
    )
    phone.goto("/tables/4/")
    expect(phone.locator("#pad[data-final]")).to_have_count(1)
    phone.wait_for_function(f"async stream => !(await ({REMEMBERED})(stream)).seen", arg=game.pk)
    assert phone.evaluate(REMEMBERED, game.pk) == {"seen": False, "journal": 0, "kept": 0}


@pytest.mark.long
def test_of_the_games_before_at_a_table_nothing_is_remembered_but_what_waits(
    phone: Page, salon: Salon
) -> None:
    first, second = playing(salon), playing(salon)
    leaving(phone)
    for game in (first, second):
        Game.objects.exclude(pk=game.pk).update(table="")
        Game.objects.filter(pk=game.pk).update(table="4")
        phone.goto("/tables/4/")
        keep(phone, game, [("winners", {"seat": "W"})])
        sent(phone)
    phone.route("**/outbox/", lambda route: route.abort())
    keep(phone, second, [("winners", {"seat": "N"})])
    assert phone.evaluate(REMEMBERED, first.pk) == {"seen": False, "journal": 0, "kept": 0}

    Game.objects.filter(pk=second.pk).update(table="")
    third = a_game(salon)
    phone.goto("/tables/4/")
    phone.wait_for_function(
        f"async stream => ({REMEMBERED})(stream).then(all => all.seen)", arg=third.pk
    )
    assert phone.evaluate(REMEMBERED, second.pk) == {"seen": True, "journal": 1, "kept": 1}


def fill_sheet(page: Page) -> None:
    for seat, number in zip("NESW", "4332", strict=True):
        field = page.locator(f'[id="bids.{seat}"]')
        if field.count():
            field.fill(number)
    page.locator('[id="tricks.NS"]').fill("8")


@pytest.mark.long
def test_a_sheet_without_a_line_is_sent_later_also_by_the_next_page(
    phone: Page, salon: Salon
) -> None:
    game = bidding(salon, target_score=1000)
    leaving(phone)
    phone.goto("/tables/4/sheet/")
    fill_sheet(phone)
    phone.context.set_offline(True)
    phone.locator("#preview .btn--act").click()
    expect(phone.locator("#keptnote")).to_be_visible()
    assert hands(game) == 0
    phone.context.set_offline(False)
    phone.wait_for_url("**/tables/4/")
    assert hands(game) == 1

    done(game, "hands")
    phone.goto("/tables/4/sheet/")
    fill_sheet(phone)
    phone.route("**/outbox/", lambda route: route.abort())
    phone.locator("#preview .btn--act").click()
    phone.wait_for_function("async () => (await outboxStore.kept()).length === 1")
    phone.unroute_all()
    phone.goto("/tables/4/")
    badge(phone, "All sent")
    expect(phone.locator("#ask")).to_have_text("Hand 2 is over")
    assert hands(game) == 2


@pytest.fixture
def east(browser: Browser, site: str, salon: Salon) -> Iterator[tuple[Game, Page]]:
    """A game with one closed hand, and the own phone of its East."""
    game = done(playing(salon, target_score=1000), "totals", NS=8, EW=5)
    for page in visiting(browser, site, seated(game, "E")):
        yield game, page


@pytest.mark.long
def test_a_seat_confirms_and_disputes_without_a_line_and_both_arrive_once(
    east: tuple[Game, Page],
) -> None:
    game, page = east
    leaving(page)
    page.goto(f"/games/{game.pk}/confirmation/")
    page.context.set_offline(True)
    page.locator("#confirm").click()
    expect(page.locator("#keptnote")).to_be_visible()
    assert words_of(game) == []
    page.context.set_offline(False)
    expect(page.locator("#hand-1")).to_contain_text("Confirmed by Ilse Marrow")
    assert words_of(game) == ["confirmed"]

    page.get_by_text("Something is wrong").first.click()
    page.get_by_label("What it should be").first.fill("East–West took six")
    page.context.set_offline(True)
    page.get_by_role("button", name="Send to the director").first.click()
    page.wait_for_function("async () => (await outboxStore.kept()).length === 1")
    page.context.set_offline(False)
    expect(page.locator("#hand-1")).to_contain_text("East–West took six")
    page.wait_for_function("async () => !(await outboxStore.kept()).length")
    assert words_of(game) == ["confirmed", "disputed"]


def words_of(game: Game) -> list[str]:
    """What was said about hands of a game, in order."""
    said = {
        "hand.confirmed": "confirmed",
        "hand.disputed": "disputed",
        "hand.second_entry": "again",
    }
    found = Event.objects.filter(stream=game.pk).order_by("version")
    return [said[each] for each in found.values_list("type", flat=True) if each in said]


@pytest.mark.long
def test_a_second_entry_without_a_line_says_what_it_lacks_or_confirms_when_it_arrives(
    browser: Browser, site: str, salon: Salon
) -> None:
    game = done(playing(salon, target_score=1000), "totals", NS=8, EW=5)
    for page in visiting(browser, site, scorer_at(salon, "4")):
        leaving(page)
        page.goto(f"/games/{game.pk}/hands/1/second-entry/")
        fill_sheet(page)
        without_a_line(page)
        expect(page.locator("main [role=alert]")).to_contain_text("dealer")
        expect(page.locator('[id="tricks.NS"]')).to_have_value("8")
        page.locator('label:has([name="dealer"][value="S"])').click()
        without_a_line(page)
        page.wait_for_url("**/confirmation/")
        page.wait_for_function("async () => !(await outboxStore.kept()).length")

    assert words_of(game) == ["again"]


def without_a_line(page: Page) -> None:
    """Hand in, while the line is back only once the page has said that it keeps it."""
    page.context.set_offline(True)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("#keptnote")).to_be_visible()
    page.context.set_offline(False)


def on_by_sheets(page: Page, last: str) -> None:
    """Tap this on a pad that hears of nobody, and go on by sheets."""
    packed(page)
    page.context.set_offline(True)
    page.locator(last).click()
    expect(page.locator("#unsent")).to_be_visible()
    page.locator("#unsent >> text=Go on by sheets").click()


def all_pass_in_preference(salon: Salon, pad: Page) -> None:
    game = dealt(salon)
    for seat in "AB":
        preference_done(game, "calls", seat=seat, call="pass")
    pad.goto("/tables/4/")
    on_by_sheets(pad, '[name="call"][value="pass"]')


def both_keep_out(salon: Salon, pad: Page) -> None:
    preference_done(dealt(salon), "contracts", soloist="A", contract="two")
    pad.goto("/tables/4/")
    on_by_sheets(pad, 'button:has-text("Both keep out")')


def thrown_in(salon: Salon, pad: Page) -> None:
    dealt(salon)
    pad.goto("/tables/4/?by=contract")
    on_by_sheets(pad, 'button:has-text("All passed: thrown in")')


def all_pass_in_sabacc(salon: Salon, pad: Page) -> None:
    game = a_deal_of_sabacc(salon)
    for seat in "ADC":
        sabacc_done(game, "calls", seat=seat, call="pass")
    pad.goto("/tables/4/")
    on_by_sheets(pad, '[name="call"][value="pass"]')


def nobody_bids(salon: Salon, pad: Page) -> None:
    a_deal_of_sabacc(salon)
    pad.goto("/tables/4/?by=contract")
    on_by_sheets(pad, 'button:has-text("Nobody bid")')


@pytest.mark.long
@pytest.mark.parametrize(
    ("ends", "write"),
    [
        (all_pass_in_preference, a_sheet_of_preference),
        (both_keep_out, a_sheet_of_preference),
        (thrown_in, a_sheet_of_preference),
        (all_pass_in_sabacc, a_sheet_of_sabacc),
        (nobody_bids, a_sheet_of_sabacc),
    ],
    ids=lambda each: each.__name__,
)
def test_the_sheet_after_a_tap_that_ended_its_hand_is_that_of_the_next(
    phone: Page,
    salon: Salon,
    ends: Callable[[Salon, Page], None],
    write: Callable[[Page], None],
) -> None:
    leaving(phone)
    ends(salon, phone)

    expect(phone.locator("#packsheet h1")).to_have_text("Hand 2, from the sheet")
    write(phone)
    phone.locator("text=Keep hand 2").click()
    badge(phone, "2 not sent")
    phone.context.set_offline(False)
    badge(phone, "All sent")
    assert Game.objects.get().state["next"]["number"] == 3


@pytest.mark.long
def test_after_a_misdeal_nothing_of_the_hand_stands_on_its_sheet(phone: Page, salon: Salon) -> None:
    game = playing(salon, target_score=1000)
    leaving(phone)
    phone.goto("/tables/4/")
    packed(phone)
    phone.context.set_offline(True)
    phone.locator("summary:has-text('Misdeal')").click()
    phone.locator('form[action*="misdeals"] button').click()
    expect(phone.locator("#unsent")).to_be_visible()
    phone.locator("#unsent >> text=Go on by sheets").click()

    expect(phone.locator("#packsheet h1")).to_have_text("Hand 1, from the sheet")
    fill_hand(phone, bids="3333")
    phone.locator("text=Keep hand 1").click()
    phone.context.set_offline(False)
    badge(phone, "All sent")
    assert hands(game) == 1
    bids = Event.objects.filter(stream=game.pk, type="precedence.bid_made").order_by("version")
    assert [json.loads(body)["tricks"] for (body,) in bids.values_list("body")][-4:] == [3, 3, 3, 3]
