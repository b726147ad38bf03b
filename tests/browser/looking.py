"""What a page looks like to somebody with another screen: axe finds nothing, and nothing is wider
than the screen.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, ViewportSize

OVERLAPS = Path(__file__).with_name("overlaps.js").read_text()
LONG_NAMES = [
    "Konstantinos Papadimitriou",
    "Maria-Magdalena Oberhuber-Schmidt",
    "Bartholomew Featherstonehaugh",
    "Jo",
    "Wilhelmina van der Westhuizen",
]

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1280, "height": 900}
# What axe is asked by night, when nothing but the colours is another.
COLOURS: Mapping[str, object] = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A screen by day or by night, and what axe is asked there: everything, or the rules named."""

    viewport: ViewportSize
    scheme: Literal["dark", "light"] = "light"
    rules: Mapping[str, object] | None = None


PHONE_BY_DAY, DESK_BY_DAY = Sight(viewport=PHONE), Sight(viewport=DESK)
DESK_BY_NIGHT = Sight(viewport=DESK, scheme="dark", rules=COLOURS)
EVERY_SIGHT = (PHONE_BY_DAY, DESK_BY_DAY, DESK_BY_NIGHT)


def look(page: Page, address: str, *sights: Sight, status: int = 200) -> None:
    """The page is there, and nothing is wrong with it in any of these sights."""
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == status, address
    look_here(page, *sights)


def look_here(page: Page, *sights: Sight) -> None:
    """Axe finds nothing in any of these sights, not even in what was folded, and nothing sticks out
    at the side.
    """
    page.wait_for_load_state()
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    for sight in sights:
        page.set_viewport_size(sight.viewport)
        page.emulate_media(color_scheme=sight.scheme)
        assert found_by_axe(page, sight.rules) == [], (page.url, sight)
        assert fits(page), (page.url, sight)


def fits(page: Page) -> bool:
    """Nothing of the page is wider than the screen. Waits until it is there: what a click asked for
    has begun to arrive when the click returns, no more.
    """
    page.wait_for_load_state()
    found: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return found


def found_by_axe(
    page: Page, rules: Mapping[str, object] | None = None
) -> Sequence[tuple[str, Any]]:
    """What axe finds wrong in the page as it stands, and where: by every rule, or by those
    named, once it is there.
    """
    page.wait_for_load_state()
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE_SCRIPT)
    options = json.dumps({"resultTypes": ["violations"], **(rules or {})})
    found = page.evaluate(f"axe.run({options}).then(found => found.violations)")
    return [
        (each["id"], [(node["target"], node["html"][:200]) for node in each["nodes"]])
        for each in found
    ]


def enlarged(page: Page, address: str, size: str = "200%") -> list[str]:
    """What lies over something else on this page, or sticks out, at this size of text."""
    answer = page.goto(address)
    assert answer is not None
    assert answer.ok, address
    page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
    page.wait_for_timeout(150)
    wide = not fits(page)
    return [*page.evaluate(OVERLAPS), *(["the page is wider than the window"] if wide else [])]
