"""Silent rounds: nobody but those who direct or audit can tell from anything what their results
were, while the tournament runs.

Two evenings are the same but for the results of a silent round; whoever must not know them is shown
the same in both.
"""

from collections.abc import Iterable

import pytest
from django.core.cache import cache
from django.test import Client

from tests.tournament.helpers.evenings import after_round_1, does, result
from tests.tournament.helpers.every_format import FORMATS, goes_on, plays, running
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.silence import (
    addresses,
    browser,
    differing,
    long,
    seen,
    without_chance,
)
from tests.tournament.helpers.tables import for_a_while
from tests.tournament.helpers.walls import hang_walls
from tests.tournament.helpers.webhooks import hook_to
from tournament.accounts.event_links import open_link
from tournament.domain.standings.values import STAGE_KINDS
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Delivery, Tournament
from tournament.projections.background import catch_up
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS
from tournament.webhooks.subscriptions import tell_standings

KNOW_NOTHING = ("scorer",)
KNOW_NOTHING_EITHER = ("narrow token", "player", "table link", "event link", "anyone")
KNOW = ("auditor",)
KNOW_TOO = ("owner", "director")
# The same entries meet in round 3 either way; the scores they bring to it are others.
EVENINGS = (((251, 180), (240, 200)), ((190, 137), (150, 150)))


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
    assert without_chance(f'value="{like_a_hash}"') == 'value="…"'


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
