"""A projector before a screen on the wall, and all that can be read on it from afar."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import visiting
from tests.browser.looking import OVERLAPS
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of
from tournament.domain.screens.rules import HoldPart, Part
from tournament.models import Salon, Screen
from tournament.pages.wall.screenfuls import SHAPES
from tournament.recording.screens import add_screen, keep_screen

READABLE = 0.029  # of the screen's height: a small x from ten metres
SIZES = [(1920, 1080), (1024, 768), (1280, 800), (1400, 1050), (1280, 720), (3840, 2160)]
SHOTS = os.environ.get("ACCORD_SHOTS", "")
# How high a small letter is of every text that is shown, as a part of the window's height.
X_HEIGHTS = """
() => {
  const brush = document.createElement("canvas").getContext("2d"), found = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, part = text.parentElement, said = text.textContent.trim();
    if (!said || part.closest(".vh, noscript, script, [hidden]")) continue;
    const look = getComputedStyle(part), drawn = part.closest("svg") && part.getScreenCTM().d;
    brush.font = `${look.fontWeight} 1000px ${look.fontFamily}`;
    const small = brush.measureText("x").actualBoundingBoxAscent / 1000;
    found[said] = small * parseFloat(look.fontSize) * (drawn || 1) / innerHeight;
  }
  return found;
}
"""
# What is not wholly in the window.
CUT_OFF = """
() => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, part = text.parentElement;
    if (!text.textContent.trim() || part.closest(".vh, noscript, script, .wall__event, [hidden]"))
      continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects())
      if (box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1)
        found.push(text.textContent.trim());
  }
  return found;
}
"""


@pytest.fixture
def projector(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    width, height = SIZES[0]
    viewport = {"width": width, "height": height}
    yield from visiting(browser, site, owner_of(salon), viewport=viewport)


@pytest.fixture
def screen(salon: Salon) -> Screen:
    return add_screen(salon, name="Bar", address="", actor="user:1", command=a_command())


def holding(row: Screen, kind: str, note: str = "") -> None:
    """The screen shows this alone."""
    row.refresh_from_db()
    act = HoldPart(part=Part(kind=kind, seconds=5, note=note))
    by = {"actor": "user:1", "command": a_command()}
    keep_screen(row.salon, row.pk, act, version=row.version, **by)


def shown(page: Page, row: Screen, name: str) -> None:
    """The page with this on it, photographed where that is asked for."""
    width, height = page.evaluate("[innerWidth, innerHeight]")
    wanted = next(each for each in SHAPES if each.width <= 100 * width / height + 1)
    page.goto(f"/s/{row.address}/")
    page.locator(f".wall--{wanted.width}").wait_for()  # a screen that isn't 16:9 asks once more
    page.evaluate("document.fonts.ready")
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}-{width}.png")


def looked_at(page: Page) -> None:
    """Every text can be read from ten metres, is wholly there and lies over no other."""
    small = {said: part for said, part in page.evaluate(X_HEIGHTS).items() if part < READABLE}
    assert small == {}
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(OVERLAPS) == []
