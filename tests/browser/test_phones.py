"""A phone that is told while its page is closed: asked for by a button, in a browser that can, over
a connection that is secure.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ARGUMENTS, chromium, visiting
from tests.browser.looking import EVERY_SIGHT, PHONE, enlarged, look_here
from tests.tournament.helpers.evenings import in_round_1, own_page_of
from tests.tournament.helpers.salons import member
from tests.tournament.pushes.receiving import Browser as Reader
from tournament.models import PushSubscription, Salon
from tournament.pushes import subscriptions
from tournament.pushes.vapid import public_key_of

pytestmark = pytest.mark.browser
SHOTS = os.environ.get("ACCORD_SHOTS", "")
TELL, STOP = "Tell me on this phone", "Stop telling me"
# A browser without display has no push service: what it would be given is given here, and how often
# somebody was asked is counted.
STUB = """
({ endpoint, p256dh, auth, answer }) => {
  globalThis.asked = 0;
  let subscribed = null;
  Notification.requestPermission = async () => { globalThis.asked += 1; return answer; };
  Object.defineProperty(Notification, "permission", { get: () => answer });
  const given = (key) => ({
    endpoint, options: { applicationServerKey: key },
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => { subscribed = null; return true; },
  });
  PushManager.prototype.getSubscription = async () => subscribed;
  PushManager.prototype.subscribe = async (how) => {
    globalThis.how = { visible: how.userVisibleOnly, key: how.applicationServerKey.length };
    return (subscribed = given(how.applicationServerKey));
  };
}
"""
ENDPOINT = "https://push.example.net/send/abc"


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody asks whether there is such a push service."""
    place = SimpleNamespace(port=subscriptions.PORT)
    monkeypatch.setattr(subscriptions, "place_of", lambda endpoint, within: place)


@pytest.fixture
def player(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    yield from visiting(browser, site, member(salon, "player"), viewport=PHONE)


def stubbed(page: Page, answer: str = "granted") -> None:
    reader = Reader.new()
    given = {"endpoint": ENDPOINT, "p256dh": reader.p256dh, "auth": reader.auth, "answer": answer}
    page.add_init_script(f"({STUB})({json.dumps(given)})")


def photographed(page: Page, name: str) -> None:
    if not SHOTS:
        return
    for width, scheme in ((360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.screenshot(path=Path(SHOTS) / f"phones-{name}-{width}-{scheme}.png", full_page=True)
    page.set_viewport_size(PHONE)


@pytest.mark.usefixtures("unchecked")
def test_a_button_has_the_phone_told_and_another_ends_it(player: Page, salon: Salon) -> None:
    row = in_round_1(salon)
    stubbed(player)
    player.goto(own_page_of(row))
    tell, stop = (player.get_by_role("button", name=name) for name in (TELL, STOP))
    expect(tell).to_be_visible()
    expect(stop).to_be_hidden()
    assert player.evaluate("asked") == 0  # nobody is asked before they press
    assert player.evaluate("navigator.serviceWorker.getRegistrations().then(a => a.length)") == 0
    look_here(player, *EVERY_SIGHT)
    photographed(player, "off")

    tell.click()
    expect(stop).to_be_visible()
    expect(tell).to_be_hidden()
    phone = PushSubscription.objects.get()
    assert (phone.link.entry, phone.endpoint) == ("1", ENDPOINT)
    assert phone.server_key == public_key_of(salon)
    assert player.evaluate("how") == {"visible": True, "key": 65}
    scopes = "navigator.serviceWorker.getRegistrations().then(all => all.map(each => each.scope))"
    assert [urlsplit(each).path for each in player.evaluate(scopes)] == [own_page_of(row)]
    look_here(player, *EVERY_SIGHT)
    photographed(player, "on")

    stop.click()
    expect(tell).to_be_visible()
    assert not PushSubscription.objects.exists()
    assert player.evaluate(scopes) == []


def test_who_is_not_let_or_not_reached_reads_so(player: Page, salon: Salon) -> None:
    row = in_round_1(salon)
    stubbed(player)
    player.goto(own_page_of(row))
    player.get_by_role("button", name=TELL).click()
    expect(player.get_by_role("alert")).to_contain_text(
        "This salon can't reach the service through which this browser is told: push.example.net"
    )
    expect(player.get_by_role("button", name=TELL)).to_be_visible()
    look_here(player, *EVERY_SIGHT)
    photographed(player, "failed")
    assert not PushSubscription.objects.exists()

    stubbed(player, "denied")
    player.goto(own_page_of(row))
    expect(player.get_by_text("its settings would have to allow them")).to_be_visible()
    expect(player.get_by_role("button", name=TELL)).to_be_hidden()


def test_over_plain_http_there_is_no_button_and_one_line_why(
    browser: Browser, site: str, salon: Salon
) -> None:
    row, parts = in_round_1(salon), urlsplit(site)
    named = browser.browser_type.launch(
        executable_path=chromium(),
        args=[*ARGUMENTS, f"--host-resolver-rules=MAP salon.lan {parts.hostname}"],
    )
    page = named.new_page(base_url=f"http://salon.lan:{parts.port}", viewport=PHONE)
    page.goto(own_page_of(row))
    assert page.evaluate("isSecureContext") is False
    expect(page.get_by_text("Phones can only be told over https")).to_be_visible()
    expect(page.get_by_role("button", name=TELL)).to_be_hidden()
    named.close()


def test_a_browser_that_cannot_says_nothing(player: Page, salon: Salon) -> None:
    row = in_round_1(salon)
    player.add_init_script("delete globalThis.PushManager")
    player.goto(own_page_of(row))
    player.wait_for_load_state()

    expect(player.locator("#told")).to_be_hidden()


@pytest.mark.usefixtures("unchecked")
def test_at_twice_the_size_nothing_overlaps(player: Page, salon: Salon) -> None:
    row = in_round_1(salon)
    stubbed(player)

    assert enlarged(player, own_page_of(row)) == []


# The worker's own script with what a browser gives it: a browser without display shows nothing.
WORKED = """
async (said) => {
  const heard = {}, shown = [], done = [];
  const registration = { scope: "https://salon.lan/me/abc/", showNotification: async (...what) => shown.push(what) };
  const self = { addEventListener: (name, act) => (heard[name] = act), registration };
  const open = [{ url: "https://salon.lan/", focus: () => done.push("home") }];
  const clients = { matchAll: async () => open, openWindow: (address) => done.push(address) };
  { SCRIPT }
  const waited = (event) => new Promise((resolve) => event({ resolve, waitUntil: resolve }));
  const closes = { close: () => done.push("closed") };
  await waited(({ waitUntil }) => heard.push({ data: { json: () => said }, waitUntil }));
  const pressed = () => waited(({ waitUntil }) => heard.notificationclick({ notification: closes, waitUntil }));
  await pressed();
  open.push({ url: "https://salon.lan/me/abc/", focus: () => done.push("own page") });
  await pressed();
  return [shown, done];
}
"""  # noqa: E501


def test_the_worker_shows_what_came_and_leads_to_the_own_page(player: Page) -> None:
    player.goto("/sign-in/")
    script = player.request.get("/worker.js").text()
    said = {"title": "Asha Renn & Cato Liss", "body": "Round 1: table 2, N–S.", "tag": "seat"}
    shown, done = player.evaluate(WORKED.replace("SCRIPT", script), said)

    how = {"body": said["body"], "tag": "seat", "renotify": True}
    assert shown == [[said["title"], how]]
    assert done == ["closed", "https://salon.lan/me/abc/", "closed", "own page"]
