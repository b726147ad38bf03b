"""Every address of the server with something in every place: what a sweep asks. A place that nobody
knows fails the sweep.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.tournament.helpers.salons import member, scorer_at, seated
from tournament.models import Game, Player, Salon
from tournament.queries.sheet_exports import REPORT, SHEETS

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
OTHERS: Mapping[str, str] = {
    "label": "4", "collection": "bids", "what": "reopened", "hand": "1", "number": "1",
    "code": "score.NS", "kind": "precedence",
    "entry": "1", "account": "N", "size": "1", "position": "1",
}  # fmt: skip

# What stands in places that name nothing of a salon.
USUAL: Mapping[str, tuple[str, ...]] = {
    "what": ("reopened",), "hand": ("1",), "number": ("1",), "code": ("score.NS",),
    "kind": ("precedence",), "entry": ("1",),
    "edition": ("rules",), "account": ("N",), "size": ("1",), "position": ("1",),
    "collection": ("bids",), "session": ("1",), "invitation": ("1",),
    "member": ("1",), "digest": ("0" * 64,), "preset": ("1",), "projection": ("standings",),
    "ending": ("csv",), "run": ("1",),
    "seat": ("N",), "hook": ("0" * 32,), "delivery": ("0" * 32,), "stock": ("0" * 32,),
    "season": ("0" * 32,), "call": ("0" * 32,), "screen": ("0" * 32,),
    "address": ("bar",), "token": ("0" * 32,),
    "event": ("nothing",), "name": (f"accord-20260101-030000-7-{'a' * 16}.tar.gz",),
}  # fmt: skip
# What of one place is worth asking where an address has others as well.
EVERY_SHEET = (*SHEETS, REPORT)
FILES = {"files": {"what": EVERY_SHEET}, "sheets": {"what": EVERY_SHEET}}
BY_PATTERN = (
    "account/password/link/",
    "admin/",
    "api/v1/^",
)  # whose places are expressions: they have tests of their own


def every_address(known: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Every address but the admin's, with all that is `known` in its places. Raises KeyError for a
    place that nobody knows.
    """
    for route in routes(get_resolver().url_patterns):
        if route.startswith(BY_PATTERN):
            continue
        asked = list(dict.fromkeys(PARAMETER.findall(route)))
        special = next((found for part, found in FILES.items() if f"/{part}/" in route), {})
        values = {**USUAL, **special, **known}
        for chosen in product(*(tuple(values[name]) for name in asked)):
            yield "/" + filled_in(route, dict(zip(asked, chosen, strict=True)))


def says(text: str, number: int) -> bool:
    """Whether a text has this number, its thousands parted or not, and no longer one."""
    parted = r"\W{0,2}(?:&\w+;)?".join(re.findall(r"\d{1,3}", f"{number:_}"))
    return re.search(rf"(?<![0-9a-f]){parted}(?![0-9a-f])", text) is not None


def browser(salon: Salon, role: str) -> Client:
    """A browser of this role."""
    match role:
        case "table link":
            return scorer_at(salon, "4")
        case "seat link":
            return seated(
                Game.objects.filter(salon=salon, kind="precedence").order_by("pk")[0], "E"
            )
        case "anyone":
            return Client()
        case _:
            return member(
                salon,
                role,
                Player.objects.filter(salon=salon).order_by("pk").first()
                if role == "player"
                else None,
            )


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """Every address of the server as the list of addresses has it, the admin's among them."""
    for pattern in patterns:
        route = before + str(pattern.pattern).removeprefix("^").removesuffix("$")
        if isinstance(pattern, URLResolver):
            yield from routes(list(pattern.url_patterns), route)
        else:
            yield route


def addresses(ids: Mapping[str, list[str]]) -> Iterator[str]:
    """Every address with each of these ids wherever one is asked for."""
    for route in routes(get_resolver().url_patterns):
        if "(" in route:
            continue
        asked = PARAMETER.findall(route)
        first = next((name for name in asked if name in ids), None)
        for key in ids[first] if first else [""]:
            values = {
                name: key if name == first else ids.get(name, [OTHERS.get(name, "1")])[0]
                for name in asked
            }
            yield filled_in(route, values)


def filled_in(route: str, values: Mapping[str, str]) -> str:
    """An address with these values in the places of its route."""
    return PARAMETER.sub(lambda found: values[found[1]], route)
