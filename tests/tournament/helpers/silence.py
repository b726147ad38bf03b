"""An event in silence: all that browsers are shown of it, and what differs between two."""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.http import HttpResponseBase
from django.test import Client
from django.urls import get_resolver

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.reading import body, bytes_of
from tests.tournament.helpers.salons import member, scorer_at
from tests.tournament.helpers.sweeping import PARAMETER, routes
from tests.tournament.helpers.walls import WALLS
from tournament.accounts.event_links import open_link
from tournament.accounts.permissions import Permission
from tournament.models import Delivery, Player, Tournament
from tournament.queries.pages_on_paper import TYPES
from tournament.queries.sheet_exports import REPORT, SHEETS

# What is asked of a history besides: kinds of entries, and moments.
QUERIES = {
    "history": ("", "?show=tournaments", "?as_of=23:59", "?as_of=23:59&clock=played", "?at=19"),
    "comparison": ("?one=19", "?one=23:59&one_clock=played"),
    "as-of": ("?as_of=23:59&clock=played", "?version=30"),
}

PLACES: dict[str, tuple[str, ...]] = {
    "number": ("1", "2", "3"), "entry": ("1", "4"), "what": (*SHEETS, REPORT),
    "ending": tuple(TYPES), "address": WALLS,
}  # fmt: skip

# A report is TRF16 alone and nothing else is; JSON and workbooks are made of the rows of CSV.
THE_SAME_AGAIN = re.compile(
    r"/(?:files|sheets)/(?:report[./](?!trf)|(?!report)\w+[./]trf"
    r"|(?!standings|bracket)\w+[./](?:json|xlsx))"
)


def long(*roles: str) -> list[Any]:
    """These roles, asked by CI."""
    return [pytest.param(role, marks=pytest.mark.long) for role in roles]


def browser(row: Tournament, role: str) -> Client:
    """A browser of this role; a player is one of those who play here."""
    match role:
        case "table link":
            return scorer_at(row.salon, "4")
        case "event link":
            return by_the_link_of(row)
        case "anyone":
            return Client()
        case "narrow token":
            token = owner_calls(row.salon, Permission.READ_HISTORY, Permission.SEE_SALON).token
            return Client(headers={"Authorization": f"Bearer {token}"})
        case _:
            return member(
                row.salon,
                role,
                Player.objects.filter(salon=row.salon).order_by("pk").first()
                if role == "player"
                else None,
            )


def by_the_link_of(row: Tournament) -> Client:
    link, client = open_link(row), Client()
    assert client.post(f"/e/{link.token}/", {"pin": link.pin}).status_code == 302
    return client


def addresses(row: Tournament) -> Iterator[str]:
    """Every page and every place of the API that is about the salon as a whole, a tournament or a
    player.
    """
    player = Player.objects.filter(salon=row.salon).order_by("name").values_list("pk", flat=True)[0]
    known = PLACES | {"tournament": (row.pk,), "player": (player,), "salon": (row.salon.slug,)}
    for route in routes(get_resolver().url_patterns):
        asked = PARAMETER.findall(route)
        if (
            "(" in route
            or not set(asked) <= set(known)
            or route.startswith(("admin/", "sign-out/", "account/"))
        ):
            continue
        filled = [route]
        for name in asked:
            filled = [
                PARAMETER.sub(value, each, count=1) for each in filled for value in known[name]
            ]
        for each in filled:
            if THE_SAME_AGAIN.search(each):
                continue
            queries = next(
                (found for name, found in QUERIES.items() if f"/{name}/" in f"/{each}"), ("",)
            )
            yield from (f"/{each}{query}" for query in queries)


def seen(row: Tournament, client: Client, places: Iterable[str] = ()) -> dict[str, str]:
    """What this browser is shown at these addresses, else at every one, and webhooks are told, but
    for what differs anyway: times, hashes, ids of forms.
    """
    answers = {}
    for address in places or addresses(row):
        cache.clear()
        answer = client.get(address)
        answers[address] = f"{answer.status_code} {without_chance(text_of(answer))}"
    told = Delivery.objects.values_list("event", "body")
    return answers | {
        "webhooks": "\n".join(sorted(f"{event} {without_chance(said)}" for event, said in told))
    }


def text_of(answer: HttpResponseBase) -> str:
    """What an answer says, a workbook without its packing."""
    if answer.headers.get("Content-Type") != TYPES["xlsx"]:
        return body(answer)
    with ZipFile(BytesIO(bytes_of(answer))) as packed:
        return "\n".join(packed.read(name).decode() for name in packed.namelist())


def without_chance(text: str) -> str:
    text = re.sub(r"\b[A-Za-z0-9]{64}\b", "…", text)  # whole, as some hold hashes by chance
    text = re.sub(r"[0-9a-f]{12,64}|[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{91}=|\d{16}", "…", text)
    return re.sub(r"\d\d:\d\d(:\d\d(\.\d+)?)?|(?<=[\"=])[\w:.-]{60,}", "…", text)


def differing(one: dict[str, str], other: dict[str, str]) -> list[str]:
    return [address for address in one if one[address] != other[address]]
