"""A line-up that is sealed: nobody at all can tell from anything who of a team is to play, not even
those who direct, until it is opened.

Two evenings are the same but for what a captain handed in; everybody is shown the same in both.
"""

import re

import pytest
from django.core.cache import cache
from django.test import Client

from tests.tournament.helpers.evenings import does, of_teams
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.silence import addresses, browser, differing, long, seen
from tests.tournament.helpers.tables import for_a_while
from tests.tournament.helpers.walls import hang_walls
from tests.tournament.helpers.webhooks import hook_to
from tournament.accounts import personal_links
from tournament.accounts.captain_links import links_of
from tournament.domain.tournament.team_line_ups import HandInLineUp, OpenLineUps
from tournament.models import Tournament
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS
from tournament.webhooks.subscriptions import tell_standings

ROLES = ("auditor", "scorer", "player", "table link", "event link", "narrow token", "anyone")
SIGNATURE = re.compile(r"\N{EM DASH} accord/\S+ \S+")  # which differs with the second
LINE_UPS = (("Cato Liss", "Asha Renn"), ("Asha Renn", "Bruno Sol"))


@pytest.fixture
def row(db: None) -> Tournament:
    """Two teams that meet in a published round, to whose webhooks everything is told."""
    cache.clear()
    row = of_teams(opened_salon())
    hang_walls(row.salon)
    hook_to(row.salon, "https://example.org/told")
    links_of(row, ["1", "2"])
    personal_links.links_of(row, ["1", "2"])
    return row


def both(row: Tournament, client: Client, *then: object, places: list[str]) -> list[dict[str, str]]:
    """What this browser is shown when entry 1 hands in the one line-up or the other, and these acts
    follow.
    """
    found = []
    for members in LINE_UPS:
        with for_a_while():
            does(row, HandInLineUp(round=1, entry="1", members=members), *then)
            catch_up(row.salon.log, PROJECTIONS)
            tell_standings()
            shown = seen(row, client, places)
            found.append({place: SIGNATURE.sub("", text) for place, text in shown.items()})
        row.refresh_from_db()
    return found


def everywhere(row: Tournament) -> list[str]:
    """Every address of the salon, the tournament and a player, and the files that it can be taken
    along in.
    """
    cup = f"/tournaments/{row.pk}"
    desk = [f"{cup}/desk/rounds/1/", f"{cup}/desk/entries/1/", f"{cup}/desk/slips/"]
    return list(dict.fromkeys([*addresses(row), *desk]))


@pytest.mark.parametrize("role", ["owner", *long("director", *ROLES)])
def test_nothing_that_is_shown_depends_on_a_line_up_that_is_sealed(
    row: Tournament, role: str
) -> None:
    client = browser(row, role)

    assert differing(*both(row, client, places=everywhere(row))) == []


def test_nor_is_it_shown_to_the_captain_who_handed_it_in(row: Tournament) -> None:
    client, link = Client(), links_of(row, ["1"])["1"]
    page = f"/captains/{link.token}/"
    client.post(page, {"pin": link.pin})

    one, other = both(row, client, places=[page])

    assert differing(one, other) == []
    assert "Handed in, sealed." in one[page]


def test_nor_by_the_pages_of_the_teams(row: Tournament) -> None:
    links = personal_links.links_of(row, ["1", "2"])
    pages = [f"/me/{link.token}/{part}" for link in links.values() for part in ("", "rounds.ics")]
    pages.append(f"/tournaments/{row.pk}/results.atom")

    one, other = both(row, Client(), places=pages)

    assert differing(one, other) == []
    assert all(one[page].startswith("200") for page in pages)


def test_everybody_is_shown_it_once_it_is_open(row: Tournament) -> None:
    cup, api = f"/tournaments/{row.pk}", f"/api/v1/salons/{row.salon.slug}"
    showing = {f"{cup}/rounds/1/", f"{cup}/history/", f"{api}{cup}/rounds/1/"}

    found = both(row, browser(row, "scorer"), OpenLineUps(round=1), places=sorted(showing))

    assert set(differing(*found)) >= showing
