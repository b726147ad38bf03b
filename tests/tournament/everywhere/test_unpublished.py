"""A draw that is not published: nobody but those who direct or audit can tell from anything who is
to meet whom.

Two evenings are the same but for who changed places in the draw of round 2; whoever must not know
it is shown the same in both.
"""

from collections.abc import Iterable

import pytest
from django.core.cache import cache

from tests.tournament.helpers.evenings import after_round_1, does
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.silence import addresses, browser, differing, long, seen
from tests.tournament.helpers.tables import for_a_while
from tests.tournament.helpers.walls import hang_walls
from tests.tournament.helpers.webhooks import hook_to
from tournament.domain.pairing.values import DrawnTable
from tournament.domain.tournament.draws import DrawRound, DropRound, SeatRound
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.swaps import SwapEntries
from tournament.models import Tournament
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS
from tournament.webhooks.subscriptions import tell_standings

KNOW_NOTHING = ("scorer",)
KNOW_NOTHING_EITHER = ("table link", "event link", "player", "narrow token", "anyone")
# Who meets whom, and two of them who change places then.
DRAWS = (((("1", "2"), ("3", "4")), ("1", "3")), ((("1", "3"), ("2", "4")), ("1", "4")))


@pytest.fixture
def row(db: None) -> Tournament:
    """Four pairs after round 1, to whose webhooks everything is told."""
    cache.clear()
    row = after_round_1(opened_salon())
    hang_walls(row.salon)
    hook_to(row.salon, "https://example.org/told")
    return row


def both(
    row: Tournament, role: str, *then: object, places: Iterable[str] = ()
) -> list[dict[str, str]]:
    """What one of this role is shown when round 2 is drawn so or otherwise, and these acts
    follow: at these addresses, or at every one.
    """
    client, found = browser(row, role), []
    for tables, (one, two) in DRAWS:
        with for_a_while():
            does(row, _seated(tables), SwapEntries(round=2, one=one, two=two), *then)
            catch_up(row.salon.log, PROJECTIONS)
            tell_standings()
            found.append(seen(row, client, places))
        row.refresh_from_db()
    return found


def _seated(tables: tuple[tuple[str, str], ...]) -> SeatRound:
    return SeatRound(
        round=2,
        tables=tuple(
            DrawnTable(table=number, entries=pair) for number, pair in enumerate(tables, 1)
        ),
        byes=(),
    )


@pytest.mark.parametrize("role", [*KNOW_NOTHING, *long(*KNOW_NOTHING_EITHER)])
def test_nothing_that_is_shown_depends_on_a_draw_before_it_is_published(
    row: Tournament, role: str
) -> None:
    assert differing(*both(row, role)) == []


@pytest.mark.parametrize("role", long("table link", "scorer"))
def test_nor_on_one_that_was_taken_back(row: Tournament, role: str) -> None:
    assert differing(*both(row, role, DropRound(round=2))) == []


@pytest.mark.parametrize("role", long("auditor", "director"))
def test_those_who_direct_and_audit_are_shown_it(row: Tournament, role: str) -> None:
    cup, api = f"/tournaments/{row.pk}", f"/api/v1/salons/{row.salon.slug}"

    shown = set(differing(*both(row, role)))

    assert {
        f"{cup}/history/",
        "/history/",
        f"{api}/events/",
        f"{api}{cup}/events/",
        f"{api}{cup}/history/",
    } <= shown


def test_everybody_is_shown_it_once_it_is_published(row: Tournament) -> None:
    cup, api = f"/tournaments/{row.pk}", f"/api/v1/salons/{row.salon.slug}"
    showing = {
        f"{cup}/history/",
        "/history/",
        f"{api}/events/",
        f"{api}{cup}/events/",
        f"{cup}/rounds/2/",
        f"{api}{cup}/rounds/2/",
        "/s/seating/",
        "/s/names/",
    }

    assert showing <= set(addresses(row))
    shown = differing(*both(row, "scorer", PublishRound(round=2), places=sorted(showing)))
    assert set(shown) >= showing


def test_the_feed_says_what_it_leaves_out(row: Tournament) -> None:
    does(row, DrawRound(round=2))
    line = (
        browser(row, "scorer")
        .get(f"/api/v1/salons/{row.salon.slug}/events/?after=0&limit=200")
        .json()["items"][-1]
    )

    assert (line["type"], line["body"]) == ("tournament.round_drawn", {"round": 2})
    assert {"tables", "byes", "digest"} <= set(line["withheld"])


@pytest.mark.parametrize(
    ("role", "status"), [("scorer", 404), ("table link", 404), ("auditor", 200), ("director", 200)]
)
def test_from_what_it_was_drawn_is_told_when_it_is_published(
    row: Tournament, role: str, status: int
) -> None:
    does(row, DrawRound(round=2))
    catch_up(row.salon.log, PROJECTIONS)
    client = browser(row, role)
    places = [
        f"/tournaments/{row.pk}/rounds/2/snapshot/",
        f"/tournaments/{row.pk}/rounds/2/snapshot/file/",
    ]
    places.append(f"/api/v1/salons/{row.salon.slug}/tournaments/{row.pk}/rounds/2/snapshot/")

    assert [client.get(place).status_code for place in places] == [status] * 3

    does(row, PublishRound(round=2))
    assert [client.get(place).status_code for place in places] == [200] * 3
