"""Correct a game through its pages, by the form as it stands there."""

import re
from html import unescape
from typing import Any

from django.test import Client


def fields(page: str) -> dict[str, list[str]]:
    """What a browser would send of the page's own form as it stands: the sheet, or the last one."""
    page = page[: page.index("</main>")]
    start = (
        page.index('<form class="stack stack--l" id="sheet"')
        if 'id="sheet"' in page
        else page.rindex("<form")
    )
    form = page[start : page.index("</form>", start)]
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        attributes = dict(re.findall(r'([a-z-]+)="([^"]*)"', tag))
        ticked = attributes.get("type") not in ("radio", "checkbox") or " checked" in tag
        if ticked and "name" in attributes:
            found.setdefault(attributes["name"], []).append(unescape(attributes.get("value", "")))
    for name, text in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>(.*?)</textarea>', form, re.S):
        found.setdefault(name, []).append(unescape(text))
    for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.S):
        chosen = (
            re.findall(r'<option value="([^"]*)"[^>]*selected', options)
            or re.findall(r'<option value="([^"]*)"', options)[:1]
        )
        found.setdefault(name, []).append(unescape(chosen[0]))
    return found


def corrected(client: Client, address: str, reason: str = "seen later", **changes: str) -> Any:
    """Fill in the form at this address, see what changes, and do it; the answer to the last step
    that could be taken.
    """
    sent = fields(client.get(address).text) | {
        name.replace("__", "."): [text] for name, text in changes.items()
    }
    seen = client.post(address, sent | {"step": ["preview"]})
    if seen.status_code != 200:
        return seen
    return client.post(address, fields(seen.text) | {"reason": [reason], "step": ["record"]})


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())
