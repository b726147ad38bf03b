"""Who comes by with a browser: each signed in, on a page of their own, and nothing left of those
who were there before.

What is dear about a browser is a first page: a process begins, styles and scripts are read. So the
next visitor with a screen of the same kind gets what the last one left, with no cookie, no storage
and no page of theirs in it.
"""

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.looking import PHONE

PATIENCE = 180_000  # milliseconds: two busy cores may have other work to do
WAITING: WeakKeyDictionary[Browser, dict[str, list[BrowserContext]]] = WeakKeyDictionary()


def visiting(browser: Browser, site: str, client: Client, **options: object) -> Iterator[Page]:
    """A page of this visitor's browser, who wants nothing to move: what axe looks at would be half
    faded in.
    """
    given: dict[str, Any] = {
        "base_url": site,
        "viewport": PHONE,
        "reduced_motion": "reduce",
        **options,
    }
    waiting = WAITING.setdefault(browser, {}).setdefault(repr(sorted(given.items())), [])
    context = waiting.pop() if waiting else opened(browser, site, given)
    context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}]
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text) if "Content Security" in message.text else None
        ),
    )
    yield page
    if left_as_found(context, page, site):
        waiting.append(context)
    else:
        context.close()
    assert complaints == []


def opened(browser: Browser, site: str, given: dict[str, Any]) -> BrowserContext:
    """A new context with a page that stays open, so that its process does."""
    context = browser.new_context(**given)
    context.new_page().goto(
        f"{site}/sign-in/"
    )  # it names its icon: where none is named, the search for one changes the token of forms
    return context


def left_as_found(context: BrowserContext, page: Page, site: str) -> bool:
    """Take away what a visitor left; false where that can't be done, since a clock was put in for
    all pages to come.
    """
    if page.is_closed() or page.evaluate("'__pwClock' in globalThis"):
        return False
    context.new_cdp_session(page).send(
        "Storage.clearDataForOrigin", {"origin": site, "storageTypes": "all"}
    )
    page.close()
    context.set_offline(False)
    context.unroute_all()
    context.clear_permissions()
    context.clear_cookies()
    return True
