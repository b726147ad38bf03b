"""A browser at a phone's size before a served salon; tests are skipped where no Chromium is installed."""

import os
import shutil
from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.tournament.salons import opened_salon, owner_of
from tournament.models import Salon

PATIENCE = 20_000  # milliseconds: two busy cores may have other tests to run
AT_EASE = 260  # milliseconds: who taps the same key twice so far apart means two taps (taps.js)
expect.set_options(timeout=PATIENCE)
ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}
# What axe is asked by day, and by night, when nothing but the colours is another.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
RULES: dict[str, dict[str, object]] = {"light": {}, "dark": dict(COLOURS)}


def chromium() -> str | None:
    """The path of the Chromium of this machine: CHROMIUM, or one on PATH."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser of all tests in this folder; it is closed, and its loop with it, before the tests elsewhere go on."""
    path = chromium()
    if path is None:
        pytest.skip("no Chromium: set CHROMIUM or install one on PATH")
    # Playwright's own loop runs in this thread, and Django takes that for an asynchronous view.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def salon(site: str) -> Salon:
    return opened_salon()


@pytest.fixture
def phone(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """The owner's phone, signed in; anything its console complains about fails the test."""
    yield from visiting(browser, site, owner_of(salon))


def visiting(browser: Browser, site: str, client: Client, **options: object) -> Iterator[Page]:
    """A page of this visitor's browser, who wants nothing to move: what axe looks at would be half faded in."""
    context = browser.new_context(base_url=site, reduced_motion="reduce", **({"viewport": PHONE} | options))  # type: ignore[arg-type]
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if "Content Security" in message.text else None)
    yield page
    context.close()
    assert complaints == []
