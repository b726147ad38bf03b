"""Seasons, snapshots of draws, ratings and the practice evening in a browser: nothing in the way of
anybody.
"""

import uuid

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import visiting
from tests.browser.looking import PHONE_BY_DAY, look
from tests.tournament.helpers.evenings import after_round_1, does
from tests.tournament.helpers.salons import owner_of
from tournament.demo.practice import open_practice
from tournament.domain.season.rules import AddEvent, SeasonRule
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.results import ExcuseTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Player, Salon
from tournament.projections.background import catch_up
from tournament.recording.seasons import keep_season, open_season
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser


def test_axe_finds_nothing(browser: Browser, site: str, salon: Salon) -> None:
    row = does(after_round_1(salon), DrawRound(round=2), PublishRound(round=2))
    does(
        row,
        *(ExcuseTable(round=2, table=table, reason="Late.") for table in (1, 2)),
        CloseRound(round=2),
        EnterPhase(phase="finished"),
    )
    season = open_season(
        salon, name="Winter", rule=SeasonRule(best=1), actor="user:1", command=uuid.uuid4().hex
    )
    keep_season(
        salon,
        season.pk,
        AddEvent(tournament=row.pk),
        actor="user:1",
        command=uuid.uuid4().hex,
        version=1,
    )
    practice = open_practice(salon, name="Practice", actor="user:1", command=uuid.uuid4().hex)
    catch_up(salon.log, PROJECTIONS)
    player = Player.objects.get(name="Asha Renn")
    addresses = [
        f"/players/{player.pk}/",
        f"/seasons/{season.pk}/",
        "/seasons/new/",
        f"/tournaments/{row.pk}/rounds/2/snapshot/",
        f"/tournaments/{practice.pk}/desk/",
    ]
    for page in visiting(browser, site, owner_of(salon)):
        for address in addresses:
            look(page, address, PHONE_BY_DAY)
