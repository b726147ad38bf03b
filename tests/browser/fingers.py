"""A finger on a phone's screen, whose touches bear the times that a test gives them: a machine with
other work to do would make two slow taps of a double one.
"""

import time

from playwright.sync_api import CDPSession, Page

TWO_OF_A_DOUBLE_TAP = 0.15  # seconds between them


def spot_of(page: Page, selector: str) -> tuple[float, float]:
    """The middle of a key on the screen."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(session: CDPSession, kind: str, *spot: float, at: float | None = None) -> None:
    """Begin or end a touch; `at` that time (seconds since 1970) unless that is now."""
    points = [{"x": x, "y": y} for x, y in [spot] if kind == "touchStart"] if spot else []
    when = {} if at is None else {"timestamp": at}
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, **when})


def double_tap(page: Page, *spot: float) -> None:
    """Tap this spot twice, so soon after each other that it is one tap too many."""
    session, began = page.context.new_cdp_session(page), time.time()
    for after in (0.0, TWO_OF_A_DOUBLE_TAP):
        page.wait_for_timeout(max(0.0, began + after - time.time()) * 1000)
        touch(session, "touchStart", *spot, at=began + after)
        touch(session, "touchEnd", at=began + after)
