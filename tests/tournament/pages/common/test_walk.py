"""Whoever is shown a link may follow it: from the first page on, no page leads its visitor to one
that refuses them, or to a place in a page that isn't there. Who is anyone may be asked to sign in.
And no id stands twice on a page: a label or a button would reach the first alone.
"""

import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from tests.tournament.helpers.full_salon import full_salon
from tests.tournament.helpers.guarded_pages import OFTEN, ROLES, WITHOUT_A_ROLE, browser
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.salons import member
from tournament.models import Player

OF_A_KIND = 2  # pages of the same view that are looked at, with a query and without
PAPER = frozenset({"certificate"})  # typeset for a second each; who may read it may print it
PLAYS = "player who plays"


class Page(HTMLParser):
    """The addresses that a page leads to, and the ids on it; what lies in a template isn't on it
    yet.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.ids = Counter[str]()
        self._templates = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Of each link its address, of everything its id."""
        known = {name: value for name, value in attrs if value}
        self._templates += tag == "template"
        if tag == "a" and "href" in known:
            self.leads.append(known["href"])
        if "id" in known and not self._templates:
            self.ids[known["id"]] += 1

    def handle_endtag(self, tag: str) -> None:
        """A template may end."""
        self._templates -= tag == "template"


@dataclass(slots=True)
class Walk:
    """Which pages a visitor saw, by address, and what was wrong on the way."""

    pages: dict[str, Page] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


@pytest.mark.parametrize(
    "role",
    [
        PLAYS,
        *(each if each in OFTEN else pytest.param(each, marks=pytest.mark.long) for each in ROLES),
    ],
)
def test_no_page_leads_to_one_that_refuses_its_visitor(db: None, role: str) -> None:
    salon = full_salon("Rosewater").salon
    game = game_at(salon)
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    visitor = (
        member(salon, "player", Player.objects.get(pk=game.seats["E"]))
        if role == PLAYS
        else browser(salon, role)
    )

    walk = walked(visitor, may_sign_in=role in WITHOUT_A_ROLE)

    assert len(walk.pages) > 20
    assert walk.wrong == []
    assert list(places_missing(walk)) == []
    doubled = {
        address: [each for each, times in page.ids.items() if times > 1]
        for address, page in walk.pages.items()
    }
    assert {address: ids for address, ids in doubled.items() if ids} == {}


def walked(visitor: Client, *, may_sign_in: bool) -> Walk:
    """From the first page on, wherever links lead."""
    walk, seen, kinds = Walk(), set[str](), Counter[object]()
    waiting = deque([("/", "the beginning")])
    while waiting:
        address, before = waiting.popleft()
        kind = kind_of(address)
        if address in seen or kind is None or kinds[kind] == OF_A_KIND:
            continue
        seen.add(address)
        kinds[kind] += 1
        answer = visitor.get(address)
        to = answer.get("Location", "")
        if answer.status_code >= 400 or (to.startswith("/sign-in/") and not may_sign_in):
            walk.wrong.append(f"{before} leads to {address}: {answer.status_code} {to}")
        elif to:
            waiting.append((urldefrag(urljoin(address, to)).url, before))
        elif answer["Content-Type"].startswith("text/html") and not answer.streaming:
            page = walk.pages[address] = Page(answer.text)
            waiting += [(urldefrag(urljoin(address, each)).url, address) for each in page.leads]
    return walk


def places_missing(walk: Walk) -> Iterator[str]:
    """The places in pages that links lead to, and that aren't there."""
    for address, page in walk.pages.items():
        for lead in page.leads:
            to, place = urldefrag(urljoin(address, lead))
            if place and to in walk.pages and place not in walk.pages[to].ids:
                yield f"{address} leads to {to}#{place}"


def kind_of(address: str) -> object:
    """The view behind an address and which names its query has; None for what is no page of the
    salon.
    """
    parts = urlsplit(address)
    if parts.netloc or parts.path.startswith(("/admin/", "/sign-out/", "/api/", "/static/")):
        return None
    try:
        found = resolve(parts.path)
    except Resolver404:
        return parts.path
    if found.url_name in PAPER or "pdf" in address:
        return None
    return found.url_name, frozenset(re.findall(r"([^=&]+)=", parts.query))
