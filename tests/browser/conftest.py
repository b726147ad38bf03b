"""A browser at a phone's size before a served salon; tests are skipped where no Chromium is
installed.
"""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.line import Line, line_to
from tests.browser.looking import DESK as DESK
from tests.browser.looking import PHONE as PHONE
from tests.browser.visitors import PATIENCE
from tests.browser.visitors import visiting as visiting
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.models import Salon

AT_EASE = 260  # milliseconds: who taps the same key twice so far apart means two taps (taps.js)
# A pad waits so long for a second character of a key's name (SECOND in pad.js) that a machine with
# other work to do has typed it by then: ten seconds for 0.7.
PATIENT_KEYS = """(() => {
  const later = setTimeout;
  setTimeout = (act, after, ...rest) => later(act, after === 700 ? 10_000 : after, ...rest);
})()"""
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
    "--renderer-process-limit=1",
]


def chromium() -> str | None:
    """The path of the Chromium of this machine: CHROMIUM, none where that is empty, or else one on
    PATH.
    """
    if "CHROMIUM" in os.environ:
        return os.environ["CHROMIUM"] or None
    return next(
        (
            path
            for name in (
                "chromium-headless-shell",  # the same pages, a fifth less work
                "chromium",
                "chromium-browser",
                "google-chrome",
            )
            if (path := shutil.which(name))
        ),
        None,
    )


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser of all tests in this folder; it is closed, and its loop with it, before the tests
    elsewhere go on.
    """
    path = chromium()
    if path is None:
        pytest.skip("there is no Chromium on PATH, nor named by CHROMIUM")
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


@pytest.fixture
def line(site: str) -> Iterator[Line]:
    """A line between phone and service that can be cut."""
    with line_to(site) as between:
        yield between


@pytest.fixture
def tablet(browser: Browser, line: Line, salon: Salon) -> Iterator[Page]:
    """The owner's phone at the end of that line."""
    yield from visiting(browser, line.address, owner_of(salon))
