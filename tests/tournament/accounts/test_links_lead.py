"""Whoever is shown a link may follow it: from the first page on, no page leads its visitor to one
that refuses them. Who is anyone may be asked to sign in.
"""

import re
from collections import Counter, deque
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from tests.tournament.accounts.test_access import OFTEN, ROLES, WITHOUT_A_ROLE, browser
from tests.tournament.helpers.full_salon import full_salon
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.salons import member
from tournament.models import Player

OF_A_KIND = 2  # pages of the same view that are looked at, with a query and without
PAPER = frozenset({"certificate"})  # typeset for a second each; who may read it may print it
PLAYS = "player who plays"


class Links(HTMLParser):
    """The addresses that a page leads to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Of each link its address."""
        self.found += [value for name, value in attrs if (tag, name) == ("a", "href") and value]


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

    refused, seen = refusals(visitor, may_sign_in=role in WITHOUT_A_ROLE)

    assert len(seen) > 20
    assert refused == []


def refusals(visitor: Client, *, may_sign_in: bool) -> tuple[list[str], set[str]]:
    """Which page led to which that refused, and all addresses that were looked at."""
    seen, kinds, refused = set[str](), Counter[object](), list[str]()
    waiting = deque([("/", "the beginning")])
    while waiting:
        address, before = waiting.popleft()
        kind = kind_of(address)
        if address in seen or kind is None or kinds[kind] == OF_A_KIND:
            continue
        seen.add(address)
        kinds[kind] += 1
        answer = visitor.get(address)
        leads = answer.get("Location", "")
        if answer.status_code >= 400 or (leads.startswith("/sign-in/") and not may_sign_in):
            refused.append(f"{before} leads to {address}: {answer.status_code} {leads}")
        elif leads:
            waiting.append((urljoin(address, leads), before))
        elif answer["Content-Type"].startswith("text/html") and not answer.streaming:
            waiting += [(urljoin(address, each), address) for each in Links(answer.text).found]
    return refused, seen


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
