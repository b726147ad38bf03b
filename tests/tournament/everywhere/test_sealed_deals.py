"""Deals that everybody is to play: nobody but those who lay out the cards can tell from anything
which they are, until they are made known.

Two evenings are the same but for the seed of their deals; everybody is shown the same in both.
"""

import pytest
from django.core.cache import cache
from django.test import Client

from tests.tournament.helpers.evenings import does
from tests.tournament.helpers.every_format import plays, registered
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.silence import addresses, browser, differing, long, seen
from tests.tournament.helpers.tables import for_a_while
from tests.tournament.helpers.webhooks import hook_to
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.models import Tournament
from tournament.projections.background import catch_up
from tournament.recording import duplicate_deals
from tournament.tasks import PROJECTIONS
from tournament.webhooks.subscriptions import tell_standings

ROLES = ("auditor", "player", "table link", "event link", "narrow token", "anyone")
SEEDS = ("5e" * 32, "7a" * 32)


@pytest.fixture(params=["movement", pytest.param("the same patience", marks=pytest.mark.long)])
def row(db: None, request: pytest.FixtureRequest) -> Tournament:
    """An event in which tables play the same deals, in registration."""
    cache.clear()
    row = registered(opened_salon(), request.param)
    hook_to(row.salon, "https://example.org/told")
    return row


def both(
    row: Tournament, client: Client, patch: pytest.MonkeyPatch, *, known: bool, places: list[str]
) -> list[dict[str, str]]:
    """What this browser is shown after a round played with the one seed or the other; with `known`
    the tournament is over, and the deals are made known.
    """
    found = []
    for seed in SEEDS:
        with for_a_while():
            _drawn_from(row, seed, patch)
            plays(does(row, EnterPhase(phase="running")), 1)
            if known:
                does(row, EnterPhase(phase="finished", reason="It is late."))
                command = a_command()
                duplicate_deals.reveal_deals(row.salon, row.pk, actor="user:1", command=command)
            catch_up(row.salon.log, PROJECTIONS)
            tell_standings()
            found.append(seen(row, client, places))
        row.refresh_from_db()
    return found


def _drawn_from(row: Tournament, seed: str, patch: pytest.MonkeyPatch) -> None:
    with patch.context() as for_now:
        for_now.setattr("secrets.token_hex", lambda _bytes=32: seed)
        duplicate_deals.draw_deals(
            row.salon, row.pk, actor="user:1", command=a_command(), version=row.version
        )


@pytest.mark.parametrize("role", long("scorer", *ROLES))
def test_nothing_that_is_shown_depends_on_deals_that_are_not_known_yet(
    row: Tournament, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser(row, role)

    assert differing(*both(row, client, monkeypatch, known=False, places=[])) == []


def test_who_lays_out_the_cards_sees_them_and_everybody_once_they_are_known(
    row: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These addresses show them: what the test above looks at can tell."""
    cup = f"/tournaments/{row.pk}"
    of_pairs = row.game == "precedence"  # a patience is dealt by the game
    sheets, deal = f"{cup}/desk/deals/sheets/", f"{cup}/deals/1/"

    director = browser(row, "director")
    assert {sheets, deal} <= set(addresses(row))
    told = differing(*both(row, director, monkeypatch, known=False, places=[sheets, deal]))
    assert told == ([sheets] if of_pairs else [])
    if of_pairs:
        assert differing(*both(row, Client(), monkeypatch, known=True, places=[deal])) == [deal]
