"""What a phone keeps while nothing reaches the server: every act is recorded once, in order, or
said not to be.
"""

import json
from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Dialog, Page, Route, expect

from ledger.models import Event
from tests.browser.looking import DESK_BY_NIGHT, PHONE_BY_DAY, look_here
from tests.browser.outbox import (
    HAS,
    NOT_SENT,
    acts,
    an_evening,
    badge,
    hands,
    keep,
    leaving,
    packed,
    sent,
    winners,
)
from tests.browser.sheets import fill_hand
from tests.tournament.helpers.outbox import commands_of
from tests.tournament.helpers.playing import a_game, bidding, done, playing
from tests.tournament.helpers.salons import member, owner_of
from tournament.accounts.table_links import renew
from tournament.models import Hand, Salon, Table

pytestmark = pytest.mark.browser


def test_a_table_goes_on_by_sheets_and_all_of_it_arrives(phone: Page, salon: Salon) -> None:
    game = playing(salon)
    phone.goto("/tables/4/")
    packed(phone)
    phone.context.set_offline(True)
    phone.locator('.compass [value="W"]').click()
    expect(phone.locator("#packacts .ask")).to_have_text("Who won trick 2?")
    phone.get_by_role("button", name="By sheets").click()

    expect(phone.locator("#packsheet h1")).to_have_text("Hand 1, from the sheet")
    badge(phone, "1 not sent")
    fill_hand(phone, tricks=8)
    phone.locator("text=Keep hand 1").click()
    expect(phone.locator("#packsheet h1")).to_have_text("Hand 2, from the sheet")
    expect(phone.locator("#packsheet .head")).to_contain_text("West deals.")
    fill_hand(phone)
    phone.locator("text=Keep hand 2").click()
    badge(phone, "3 not sent")
    phone.context.set_offline(False)

    badge(phone, "All sent")
    expect(phone.locator("#packsheet h1")).to_have_text("Hand 3, from the sheet")
    assert hands(game) == 2
    taken = Event.objects.filter(stream=game.pk, type="precedence.trick_taken")
    assert [json.loads(body)["seat"] for (body,) in taken.values_list("body")] == ["W"]


def test_who_signs_out_leaves_what_was_not_sent_and_no_page_that_opens_without_asking(
    phone: Page, salon: Salon
) -> None:
    pages = [f"/tables/4/{each}" for each in ("pack/", "handover/", "")]
    pages.append(f"/t/{Table.objects.get(salon=salon, label='4').token}/")
    game = playing(salon)
    phone.goto("/tables/4/")
    phone.evaluate("packUp('/tables/4/pack/', '')")  # at once
    phone.wait_for_function("() => keptPages().length === 4")
    phone.wait_for_function("() => document.querySelector('#shell[data-reopens]') !== null")
    assert [phone.evaluate(HAS, page) for page in pages] == [True] * 4
    phone.route("**/outbox/", lambda route: route.abort())
    commands = keep(phone, game, acts(1))
    leaving(phone)

    phone.evaluate("location.assign('/permissions/')")
    phone.get_by_role("button", name="Sign out").click()
    phone.wait_for_function("() => localStorage.getItem('keptpages') === null")

    assert [phone.evaluate(HAS, page) for page in pages] == [False] * 4
    assert phone.evaluate(NOT_SENT) == commands


def test_a_kept_sheet_is_shown_in_words_changed_and_taken_back_until_it_is_sent(
    phone: Page, salon: Salon
) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    packed(phone)
    phone.context.set_offline(True)
    leaving(phone)
    phone.goto("/tables/4/pack/")
    for number, tricks in ((1, 8), (2, 7), (3, 6)):
        expect(phone.locator("#packsheet h1")).to_have_text(f"Hand {number}, from the sheet")
        fill_hand(phone, tricks=tricks)
        phone.locator(f"text=Keep hand {number}").click()
    lines = phone.locator("#kept-list > li")
    expect(lines).to_have_count(3)
    expect(lines.nth(0)).to_contain_text("North bid 4")
    expect(lines.nth(0)).to_contain_text("North–South tricks 8")

    expect(phone.get_by_role("button", name="Take it back")).to_have_count(1)
    phone.get_by_role("button", name="Take it back").click()
    expect(lines).to_have_count(2)
    phone.get_by_role("button", name="Change it").first.click()
    expect(phone.locator("#packsheet h1")).to_have_text("Hand 1, from the sheet")
    expect(phone.locator('#packsheet [id="bids.N"]')).to_have_value("4")
    phone.locator('#packsheet [id="tricks.NS"]').fill("9")
    phone.locator("text=Keep hand 1").click()
    expect(phone.locator("#packsheet h1")).to_have_text("Hand 3, from the sheet")
    expect(lines.nth(0)).to_contain_text("North–South tricks 9")
    phone.context.set_offline(False)

    badge(phone, "All sent")
    assert hands(game) == 2
    results = Hand.objects.filter(game=game).order_by("number")
    assert [each.result["result"]["tricks"]["NS"] for each in results] == [9, 7]


def test_a_queue_that_went_another_way_is_dropped_at_once(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    phone.context.set_offline(True)
    keep(phone, game, acts(5)[1:])
    done(game, "bids", seat="W", tricks=6)
    before = commands_of(game)
    phone.context.set_offline(False)
    phone.evaluate("outbox.now()")

    phone.get_by_role("button", name="Drop this and the 3 behind it").click()
    badge(phone, "All sent")

    expect(phone.locator("#kept")).to_be_hidden()
    assert commands_of(game) == before


def test_a_sheet_that_does_not_add_up_is_not_kept(phone: Page, salon: Salon) -> None:
    bidding(salon)
    phone.goto("/tables/4/pack/")
    expect(phone.locator("b[data-says=back]")).to_be_visible()
    fill_hand(phone, bids="9390", tricks=7)
    phone.locator('#packsheet [id="bids.W"]').fill("")
    phone.locator("text=Keep hand 1").click()

    expect(phone.locator("#packwrong li")).to_have_text(
        ["Each seat bids 0 to 13.", "North and South bid 13 together at most."]
    )
    badge(phone, "All sent")


# What goes wrong on the way, each as a route of the browser for so many requests of the outbox.
type Fault = Callable[[Route], None]


def cut_before_it_is_sent(route: Route) -> None:
    route.abort("connectionrefused")


def cut_after_it_is_recorded(route: Route) -> None:
    route.fetch()
    route.abort("connectionreset")


def cut_in_the_body(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.body()[: len(answer.body()) // 2])


def a_twentieth_of_the_bytes_lost(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=bytes(b for n, b in enumerate(answer.body()) if n % 20))


def page_of_a_guest_network(route: Route) -> None:
    route.fulfill(status=200, content_type="text/html", body="<p>Welcome! Accept our terms.</p>")


def door_of_a_guest_network(route: Route) -> None:
    route.fulfill(status=302, headers={"Location": "/tables/"})


def refused_by_a_guest_network(route: Route) -> None:
    route.fulfill(status=403, content_type="text/html", body="<p>Pay first.</p>")


def proxy_without_a_server(route: Route) -> None:
    route.fulfill(status=502, body="Bad gateway")


def asked_to_wait(route: Route) -> None:
    route.fulfill(status=429, headers={"Retry-After": "1"}, body="")


FAULTS: list[Fault] = [
    cut_before_it_is_sent, cut_after_it_is_recorded, cut_in_the_body,
    a_twentieth_of_the_bytes_lost, page_of_a_guest_network, door_of_a_guest_network,
    refused_by_a_guest_network, proxy_without_a_server, asked_to_wait,
]  # fmt: skip


def fails(page: Page, fault: Fault, *, times: int) -> None:
    """The next requests of the outbox fail so, those after them don't."""
    left = iter(range(times))

    def fail(route: Route) -> None:
        if route.request.method == "POST" and next(left, None) is not None:
            return fault(route)
        return route.continue_()

    page.route("**/outbox/", fail)


def check_fault(page: Page, salon: Salon, fault: Fault, *, count: int, times: int) -> None:
    game = a_game(salon)
    page.goto("/tables/4/")
    fails(page, fault, times=times)

    commands = keep(page, game, acts(count))
    sent(page)

    assert commands_of(game) == commands


@pytest.mark.parametrize("fault", FAULTS[1::3], ids=lambda fault: fault.__name__)
def test_whatever_fails_on_the_way_each_act_is_recorded_once_in_order(
    phone: Page, salon: Salon, fault: Fault
) -> None:
    check_fault(phone, salon, fault, count=5, times=2)


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_whatever_fails_on_the_way_fifty_acts_are_recorded_once_in_order(
    phone: Page, salon: Salon, fault: Fault
) -> None:
    check_fault(phone, salon, fault, count=50, times=6)


@pytest.mark.parametrize("count", [4, pytest.param(50, marks=pytest.mark.long)])
def test_what_a_killed_tab_kept_another_sends(phone: Page, salon: Salon, count: int) -> None:
    game = a_game(salon)
    killed = phone.context.new_page()
    killed.goto("/tables/4/")
    fails(killed, cut_before_it_is_sent, times=100)
    commands = keep(killed, game, acts(count))
    killed.close()

    phone.goto("/tables/4/")
    sent(phone)

    assert commands_of(game) == commands


@pytest.mark.parametrize("count", [4, pytest.param(50, marks=pytest.mark.long)])
def test_two_tabs_send_nothing_twice(phone: Page, salon: Salon, count: int) -> None:
    game = a_game(salon)
    phone.goto("/tables/4/")
    other = phone.context.new_page()
    other.goto("/tables/4/")
    fails(phone, cut_after_it_is_recorded, times=2)

    first, rest = acts(count)[: count // 2], acts(count)[count // 2 :]
    commands = keep(phone, game, first) + keep(other, game, rest)
    sent(other)
    other.close()

    assert commands_of(game) == commands


def test_a_clock_that_was_set_back_stops_nothing(phone: Page, salon: Salon) -> None:
    game = a_game(salon)
    phone.goto("/tables/4/")
    commands = keep(phone, game, acts(3))
    phone.evaluate(
        "() => { const now = Date.now; Date.now = () => now() - 3600000; return outbox.now(); }"
    )
    sent(phone)

    assert commands_of(game) == commands


def test_after_the_link_was_renewed_the_new_one_sends_what_was_kept(
    phone: Page, salon: Salon, site: str
) -> None:
    game, table = a_game(salon), Table.objects.get(salon=salon, label="4")
    leaving(phone)
    by_link(phone, table, site)
    renew(table)
    commands = keep(phone, game, acts(3))
    phone.evaluate("outbox.now()")
    expect(phone.locator("#kept [data-trouble=closed]")).to_be_visible()

    by_link(phone, table, site)
    sent(phone)

    assert commands_of(game) == commands


def by_link(page: Page, table: Table, site: str) -> None:
    """The phone as the table's own, by its link and PIN."""
    page.context.clear_cookies()
    page.goto(f"/t/{table.token}/")
    page.locator("[name=pin]").fill(table.pin)
    page.locator("main form button").first.click()
    expect(page.locator("#pad")).to_be_visible()


def test_where_nothing_can_be_kept_the_pad_says_so_and_works_as_before(
    phone: Page, salon: Salon
) -> None:
    game = playing(salon)
    phone.add_init_script("IDBFactory.prototype.open = () => { throw new Error('full'); }")
    phone.goto("/tables/4/")
    phone.locator('.compass [value="W"]').click()
    expect(phone.locator("#ask")).to_have_text("Who won trick 2?")
    phone.context.set_offline(True)
    phone.locator('.compass [value="E"]').click()

    expect(phone.locator("#nokeep")).to_contain_text("This browser keeps nothing")
    phone.context.set_offline(False)
    expect(phone.locator("#ask")).to_have_text("Who won trick 3?")
    assert winners(game) == ["W", "E"]


def test_what_another_phone_recorded_first_stands_beside_mine_which_goes_after_it(
    phone: Page, salon: Salon
) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    phone.context.set_offline(True)
    commands = keep(phone, game, acts(5)[2:4])
    done(game, "bids", seat="W", tricks=6)
    phone.context.set_offline(False)
    phone.evaluate("outbox.now()")

    conflict = phone.locator("#kept-list li").first
    expect(conflict).to_contain_text("Something else was recorded at this table first.")
    expect(conflict.locator("[data-meanwhile]")).to_contain_text("West bids 6")
    assert commands[0] not in commands_of(game)
    conflict.locator("text=Send mine after theirs").click()
    badge(phone, "All sent")

    assert commands_of(game)[-1] == commands[1]
    assert Event.objects.filter(stream=game.pk, type="precedence.bid_made").count() == 3


def test_mine_dropped_leaves_theirs_and_nothing_on_the_phone(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    phone.context.set_offline(True)
    keep(phone, game, acts(2)[1:])
    done(game, "bids", seat="W", tricks=6)
    before = commands_of(game)
    phone.context.set_offline(False)
    phone.evaluate("outbox.now()")

    phone.locator("#kept-list >> text=Drop mine").click()
    badge(phone, "All sent")

    expect(phone.locator("#kept")).to_be_hidden()
    assert commands_of(game) == before


def test_a_reload_between_keeping_and_sending_loses_nothing(phone: Page, salon: Salon) -> None:
    game = playing(salon)
    leaving(phone)
    phone.goto("/tables/4/")
    phone.route("**/winners/*", lambda route: route.abort())
    phone.route("**/outbox/", lambda route: route.abort())
    phone.locator('.compass [value="W"]').click()
    expect(phone.locator("#unsent")).to_be_visible()
    phone.unroute_all()
    phone.reload()

    badge(phone, "All sent")
    expect(phone.locator("#ask")).to_have_text("Who won trick 2?")
    assert winners(game) == ["W"]


def test_what_is_kept_is_said_to_everybody_in_both_themes(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    packed(phone)
    phone.context.set_offline(True)
    keep(phone, game, acts(5)[2:4])
    done(game, "bids", seat="W", tricks=6)
    phone.context.set_offline(False)
    phone.evaluate("outbox.now()")
    expect(phone.locator("#kept-list li").first).to_contain_text("West bids 6")
    look_here(phone, PHONE_BY_DAY, DESK_BY_NIGHT)

    phone.goto("/tables/4/pack/")
    expect(phone.locator("#packsheet h1")).to_be_visible()
    look_here(phone, PHONE_BY_DAY, DESK_BY_NIGHT)


@pytest.mark.long
def test_six_tables_without_a_server_for_two_hours_of_three_lose_nothing(
    phone: Page, salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour of an evening is 36 acts at each table; the phone of all six is one here."""
    far: dict[str, object] = {"target_score": 1000}
    tables = [(phone, a_game(salon, table=str(table), options=far)) for table in range(1, 7)]
    phone.goto("/tables/4/")
    took = an_evening(tables, lambda on: phone.context.set_offline(not on), monkeypatch, an_hour=36)

    print(f"caught up with {6 * 108} acts in {took:.1f} s")  # for who asks with -s


def signed_in(page: Page, client: Client, site: str) -> None:
    """Let this visitor use the phone."""
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site}])


def test_signing_out_asks_about_what_is_not_sent_and_nobody_else_sends_it(
    phone: Page, salon: Salon, site: str
) -> None:
    game, asked = playing(salon), list[str]()

    def answer(dialog: Dialog) -> None:
        if dialog.type != "beforeunload":
            asked.append(dialog.message)
        if asked and len(asked) == 1:
            dialog.dismiss()
        else:
            dialog.accept()

    phone.on("dialog", answer)
    phone.goto("/tables/4/")
    phone.route("**/outbox/", lambda route: route.abort())
    keep(phone, game, [("winners", {"seat": seat}) for seat in "NE"])
    phone.goto("/tables/")
    phone.get_by_role("button", name="Sign out").click()
    expect(phone.locator("[data-signs-out]")).to_contain_text("Signed in as")
    phone.reload()
    expect(phone.locator("[data-signs-out]")).to_be_attached()
    phone.get_by_role("button", name="Sign out").click()
    expect(phone.locator("[data-signs-out]")).to_have_count(0)
    assert len(asked) == 2
    for words in asked:
        assert "Acts on this phone that are not sent: 2." in words
        assert "Sign out all the same?" in words

    signed_in(phone, member(salon, "scorer"), site)
    phone.unroute_all()
    phone.goto("/tables/4/")
    phone.evaluate("outbox.now()")
    phone.locator("#sent").click()
    conflict = phone.locator("#kept-list li").first
    expect(conflict.locator("[data-why]")).to_contain_text("Someone else tapped this")
    assert winners(game) == []
    signed_in(phone, owner_of(salon), site)
    phone.goto("/tables/4/")
    sent(phone)
    assert winners(game) == ["N", "E"]
