"""Silent rounds: nobody but those who direct or audit can tell from anything what their results
were, while the tournament runs.

Two evenings are the same but for the results of a silent round; whoever must not know them is shown
the same in both.
"""

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
from tests.tournament.helpers.evenings import after_round_1, does, result
from tests.tournament.helpers.every_format import FORMATS, goes_on, plays, running
from tests.tournament.helpers.reading import body, bytes_of
from tests.tournament.helpers.salons import member, opened_salon, scorer_at
from tests.tournament.helpers.sweeping import PARAMETER, routes
from tests.tournament.helpers.walls import WALLS, hang_walls
from tests.tournament.integrity.test_tampering import for_a_while
from tests.tournament.webhooks.test_webhooks import hook_to
from tournament.accounts.event_links import open_link
from tournament.accounts.permissions import Act
from tournament.domain.standings.values import STAGE_KINDS
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Delivery, Player, Tournament
from tournament.projections.background import catch_up
from tournament.queries.pages_on_paper import TYPES
from tournament.queries.sheet_exports import REPORT, SHEETS
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS
from tournament.webhooks.subscriptions import tell_standings

KNOW_NOTHING = ("scorer",)
KNOW_NOTHING_EITHER = ("narrow token", "player", "table link", "event link", "anyone")
KNOW = ("auditor",)
KNOW_TOO = ("owner", "director")
# The same entries meet in round 3 either way; the scores they bring to it are others.
EVENINGS = (((251, 180), (240, 200)), ((190, 137), (150, 150)))
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


@pytest.fixture
def row(db: None) -> Tournament:
    """Four pairs after round 1, from round 2 on in silence."""
    cache.clear()
    row = does(
        after_round_1(opened_salon()),
        BeginSilence(from_round=2),
        DrawRound(round=2),
        PublishRound(round=2),
    )
    open_link(row)
    hang_walls(row.salon)
    hook_to(row.salon, "https://example.org/told")
    return row


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
            token = owner_calls(row.salon, Act.READ_HISTORY, Act.SEE_SALON).token
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
        answers[address] = f"{answer.status_code} {_without_chance(_text_of(answer))}"
    told = Delivery.objects.values_list("event", "body")
    return answers | {
        "webhooks": "\n".join(sorted(f"{event} {_without_chance(said)}" for event, said in told))
    }


def _text_of(answer: HttpResponseBase) -> str:
    """What an answer says, a workbook without its packing."""
    if answer.headers.get("Content-Type") != TYPES["xlsx"]:
        return body(answer)
    with ZipFile(BytesIO(bytes_of(answer))) as packed:
        return "\n".join(packed.read(name).decode() for name in packed.namelist())


def _without_chance(text: str) -> str:
    text = re.sub(r"\b[A-Za-z0-9]{64}\b", "…", text)  # whole, as some hold hashes by chance
    text = re.sub(r"[0-9a-f]{12,64}|[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{91}=|\d{16}", "…", text)
    return re.sub(r"\d\d:\d\d(:\d\d(\.\d+)?)?|(?<=[\"=])[\w:.-]{60,}", "…", text)


def the_evening_goes_on(row: Tournament, results: tuple[tuple[int, int], ...]) -> None:
    """Round 2 is played with these results, and round 3 drawn by them."""
    typed = [result(table, *scores, round=2) for table, scores in enumerate(results, 1)]
    does(row, *typed, CloseRound(round=2), DrawRound(round=3), PublishRound(round=3))
    catch_up(row.salon.log, PROJECTIONS)
    tell_standings()
    assert Delivery.objects.exists()


def both(row: Tournament, role: str, places: Iterable[str] = ()) -> list[dict[str, str]]:
    """What one of this role is shown on either evening, at these addresses or at every one."""
    client, found = browser(row, role), []
    for results in EVENINGS:
        with for_a_while():
            the_evening_goes_on(row, results)
            found.append(seen(row, client, places))
        row.refresh_from_db()
    return found


def test_a_token_is_chance_even_where_a_part_of_it_looks_like_a_hash() -> None:
    like_a_hash = "gjR4" + "0123456789abcdef" + "Xz" * 22

    assert len(like_a_hash) == 64
    assert _without_chance(f'value="{like_a_hash}"') == 'value="…"'


def differing(one: dict[str, str], other: dict[str, str]) -> list[str]:
    return [address for address in one if one[address] != other[address]]


@pytest.mark.parametrize("role", [*KNOW_NOTHING, *long(*KNOW_NOTHING_EITHER)])
def test_nothing_that_is_shown_depends_on_the_results_of_a_silent_round(
    row: Tournament, role: str
) -> None:
    assert differing(*both(row, role)) == []


@pytest.mark.parametrize("role", [*KNOW, *long(*KNOW_TOO)])
def test_those_who_direct_and_audit_are_shown_them(row: Tournament, role: str) -> None:
    """These addresses show them: what the test above looks at can tell."""
    cup, api = f"/tournaments/{row.pk}", f"/api/v1/salons/{row.salon.slug}"
    showing = {
        f"{cup}/history/",
        "/history/",
        f"{cup}/standings/",
        f"{cup}/rounds/2/",
        f"{api}/events/",
        f"{api}{cup}/events/",
        f"{api}{cup}/rounds/2/",
        f"{api}{cup}/rounds/3/",
        f"{cup}/rounds/3/snapshot/file/",
    }

    assert showing <= set(addresses(row))
    assert set(differing(*both(row, role, sorted(showing)))) >= showing


# What of an event of each format shows the results of its silent second round.
SHOWING = {
    name: {"/standings/", "/rounds/2/", "/history/", "/files/results.csv", "/files/results.pdf"}
    for name in FORMATS
}
SHOWING["knockout"] |= {"/bracket/", "/files/bracket.csv", "/files/bracket.xlsx"}
for same_deals in ("movement", "duplicate", "the same patience"):
    SHOWING[same_deals] |= {"/deals/3/"}
SHOWING["duplicate"] |= {"/deals/"}  # where the scale of IMPs stands
for planned in ("round robin", "rotating", "pods"):
    SHOWING[planned] |= {"/plan/crosstable/"}


def silent_event(name: str) -> Tournament:
    """An event of this format whose second round is published, and silent."""
    cache.clear()
    row = plays(running(opened_salon(), name), 1)
    if state_of(row).silent_from is None:  # where deals are the same it is from the first round on
        row = does(row, BeginSilence(from_round=2))
    row = does(row, DrawRound(round=2), PublishRound(round=2))
    open_link(row)
    hang_walls(row.salon)
    hook_to(row.salon, "https://example.org/told")
    return row


def both_ways(row: Tournament, client: Client, places: Iterable[str] = ()) -> list[dict[str, str]]:
    """What this browser is shown when round 2 ends the one way, and the other."""
    found = []
    is_planned = state_of(row).stage.is_planned
    for turned in (False, True):
        with for_a_while():
            goes_on(plays(row, 2, turned=turned), is_planned=is_planned)
            catch_up(row.salon.log, PROJECTIONS)
            tell_standings()
            found.append(seen(row, client, places))
        row.refresh_from_db()
    return found


def test_every_format_has_an_evening_here() -> None:
    assert {each.stage.kind for each in FORMATS.values()} == set(STAGE_KINDS)


@pytest.mark.django_db
@pytest.mark.long
@pytest.mark.parametrize("role", ["scorer", "anyone", "player"])
@pytest.mark.parametrize("name", FORMATS)
def test_in_no_format_is_anything_shown_that_depends_on_a_silent_round(
    name: str, role: str
) -> None:
    row = silent_event(name)

    assert differing(*both_ways(row, browser(row, role))) == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", long(*FORMATS))
def test_in_every_format_those_who_direct_are_shown_it(name: str) -> None:
    """These addresses show it: what the test above looks at can tell."""
    row = silent_event(name)
    showing = {f"/tournaments/{row.pk}{place}" for place in SHOWING[name]}

    assert showing <= set(addresses(row))
    assert set(differing(*both_ways(row, browser(row, "director"), sorted(showing)))) >= showing
