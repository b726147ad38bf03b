"""Pages of entries that look again by themselves: one that is the same is answered before any
session, view or template, by one look-up.

In the memory of each process lies which games an entry played when its page was made last; where
the tournament has moved since, the view is asked. What changed anywhere is seen by the next look.
"""

import re
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified

from tournament.models.lru_cache import RecentValues
from tournament.queries.entry_page import OwnState, own_state

OWN_PAGE = re.compile(r"(?:/salons/[-\w]+)?/me/(?P<token>[0-9a-f]{32})/")
PAGES = 4096  # in memory, of a few hundred bytes each
FRESH = "private, no-cache"


@dataclass(frozen=True, slots=True, kw_only=True)
class _EntryGames:
    """The games of an entry as of a version of its tournament."""

    version: int
    games: tuple[str, ...]


_pages = RecentValues[str, _EntryGames](PAGES)


def forget() -> None:
    """Forget every page: the next look at each asks its view."""
    _pages.clear()


def remember(token: str, state: OwnState, games: list[str]) -> None:
    """Say, from the view, what the page is made of."""
    _pages.put(token, _EntryGames(version=state.version, games=tuple(games)))


def unchanged_page(request: HttpRequest) -> HttpResponse | None:
    """304 for a page that looks again and is the same; None for every other request."""
    shown = request.META.get("HTTP_IF_NONE_MATCH")
    if shown is None or request.method != "GET" or "HTTP_HX_REQUEST" not in request.META:
        return None
    page = OWN_PAGE.fullmatch(request.path_info)
    known = _pages.get(page["token"]) if page is not None else None
    if page is None or known is None:
        return None
    state = own_state(page["token"], known.games)
    if state is None or state.version != known.version or state.etag != shown:
        return None
    return HttpResponseNotModified(headers={"ETag": state.etag, "Cache-Control": FRESH})
