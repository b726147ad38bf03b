"""What a phone with Firefox keeps while nothing reaches the server: as in `test_outbox`, every act
is recorded once, in order, though this browser stores and sends otherwise.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.firefox import Firefox, Said, started
from tests.browser.firefox_phones import ASK, HEAD, come_in
from tests.browser.firefox_phones import line as line
from tests.browser.firefox_phones import profile as profile
from tests.browser.firefox_phones import scorer as scorer
from tests.browser.line import Line
from tests.browser.outbox import acts, keep, sent, winners
from tests.tournament.helpers.outbox import commands_of
from tests.tournament.helpers.playing import a_game, playing
from tournament.models import Salon

pytestmark = pytest.mark.browser
BEFORE = "network.beforeRequestSent"
# A private window of the Firefox that many phones still have: it refuses to store anything.
KEEPS_NOTHING = {
    "browser.privatebrowsing.autostart": True,
    "dom.indexedDB.privateBrowsing.enabled": False,
}
TAPS_WEST = """() => { document.querySelector('.compass [value="W"]').click(); }"""

# What goes wrong on the way: what to say of a request when it is about to be sent, and of its
# answer when that begins.
type Fault = Callable[[Firefox, str, bool], None]


def fail(browser: Firefox, request: str) -> None:
    browser.told("network.failRequest", request=request)


def answer(browser: Firefox, request: str, status: int, body: str, **headers: str) -> None:
    browser.told(
        "network.provideResponse",
        request=request,
        statusCode=status,
        reasonPhrase="As said",
        headers=[
            {"name": name, "value": {"type": "string", "value": value}}
            for name, value in {"Content-Type": "text/html", **headers}.items()
        ],
        body={"type": "string", "value": body},
    )


def cut_before_it_is_sent(browser: Firefox, request: str, before: bool) -> None:
    fail(browser, request)


def cut_after_it_is_recorded(browser: Firefox, request: str, before: bool) -> None:
    if before:
        browser.told("network.continueRequest", request=request)
    else:
        fail(browser, request)


def page_of_a_guest_network(browser: Firefox, request: str, before: bool) -> None:
    answer(browser, request, 200, "<p>Welcome! Accept our terms.</p>")


def door_of_a_guest_network(browser: Firefox, request: str, before: bool) -> None:
    answer(browser, request, 302, "", Location="/tables/")


def refused_by_a_guest_network(browser: Firefox, request: str, before: bool) -> None:
    answer(browser, request, 403, "<p>Pay first.</p>")


def proxy_without_a_server(browser: Firefox, request: str, before: bool) -> None:
    answer(browser, request, 502, "Bad gateway")


def asked_to_wait(browser: Firefox, request: str, before: bool) -> None:
    answer(browser, request, 429, "", **{"Retry-After": "1"})


FAULTS: list[Fault] = [
    cut_after_it_is_recorded, cut_before_it_is_sent, page_of_a_guest_network,
    door_of_a_guest_network, refused_by_a_guest_network, proxy_without_a_server, asked_to_wait,
]  # fmt: skip


def fails(browser: Firefox, fault: Fault, *, times: int) -> list[str]:
    """The next forms that are sent fail so, those after them don't; which ones did."""
    failed = list[str]()

    def meet(browser: Firefox, said: Said) -> None:
        asked, before = said["params"]["request"], said["method"] == BEFORE
        request: str = asked["request"]
        if asked["method"] == "POST" and before and len(failed) < times:
            failed.append(request)
        if request in failed:
            fault(browser, request, before)
        else:
            browser.told(f"network.continue{'Request' if before else 'Response'}", request=request)

    browser.meets(meet)
    return failed


def check_fault(
    browser: Firefox, site: str, salon: Salon, fault: Fault, *, count: int, times: int
) -> None:
    game = a_game(salon)
    browser.goto(f"{site}/tables/4/")
    failed = fails(browser, fault, times=times)

    commands = keep(browser, game, acts(count))
    sent(browser)

    assert commands_of(game) == commands
    assert len(failed) == times


@pytest.mark.parametrize("fault", FAULTS[:1], ids=lambda fault: fault.__name__)
def test_whatever_fails_on_the_way_each_act_is_recorded_once_in_order(
    scorer: Firefox, site: str, salon: Salon, fault: Fault
) -> None:
    check_fault(scorer, site, salon, fault, count=5, times=2)


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_whatever_fails_on_the_way_fifty_acts_are_recorded_once_in_order(
    scorer: Firefox, site: str, salon: Salon, fault: Fault
) -> None:
    check_fault(scorer, site, salon, fault, count=50, times=6)


@pytest.mark.parametrize("count", [4, pytest.param(50, marks=pytest.mark.long)])
def test_what_a_killed_browser_kept_it_sends_when_it_is_back(
    scorer: Firefox, profile: Path, site: str, salon: Salon, count: int
) -> None:
    game = a_game(salon)
    scorer.goto(f"{site}/tables/4/")
    fails(scorer, cut_before_it_is_sent, times=1000)
    commands = keep(scorer, game, acts(count))
    scorer.kill()
    assert commands_of(game) == []

    with started(profile) as again:
        come_in(again, site, salon)
        sent(again)

    assert commands_of(game) == commands


def test_a_tap_without_a_line_is_shown_as_not_sent_and_goes_out_when_it_is_back(
    scorer: Firefox, site: str, salon: Salon
) -> None:
    game = playing(salon)
    scorer.goto(f"{site}/tables/4/")
    fails(scorer, cut_before_it_is_sent, times=1000)

    scorer.evaluate(TAPS_WEST)
    scorer.becomes(HEAD, "1 not sent")
    assert winners(game) == []
    fails(scorer, cut_before_it_is_sent, times=0)
    scorer.evaluate("outbox.now()")
    scorer.becomes(HEAD, "All sent")

    assert winners(game) == ["W"]


def test_where_nothing_can_be_kept_the_pad_says_so_and_works_as_before(
    profile: Path, line: Line, salon: Salon
) -> None:
    game = playing(salon)
    with started(profile, KEEPS_NOTHING) as browser:
        come_in(browser, line.address, salon)
        browser.tap('.compass [value="W"]')
        browser.becomes(ASK, "Who won trick 2?")
        line.cut()
        browser.tap('.compass [value="E"]')
        browser.becomes(
            "document.querySelector('#nokeep').innerText.startsWith('This browser keeps nothing')",
            True,
        )
        line.back()
        browser.becomes(ASK, "Who won trick 3?")

    assert winners(game) == ["W", "E"]
