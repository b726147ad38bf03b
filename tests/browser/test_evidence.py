"""The pages by which a salon shows that it can be believed: axe finds nothing on any, by day on a
phone and by night on a desk.
"""

from collections.abc import Sequence

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page

from ledger.checkpoints import make
from scoring.corrections import CorrectHand
from tests.browser.conftest import visiting
from tests.browser.looking import EVERY_SIGHT, look
from tests.tournament.helpers.correcting import corrected, sheet
from tests.tournament.helpers.evenings import after_round_1
from tests.tournament.helpers.playing import a_command, done
from tests.tournament.helpers.tables import bids, recorded, simple
from tournament.accounts.seat_links import links_of
from tournament.integrity import audit_runs
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Game, House, Player, Progress, Salon
from tournament.projections.background import catch_up
from tournament.recording import stocks
from tournament.recording.house_rules import set_correction_hours
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
HANDS = [{"dealer": dealer, "bids": bids("2424"), "tricks": {"NS": 7, "EW": 6}} for dealer in "NE"]


@pytest.fixture
def game(salon: Salon) -> Game:
    """A game at table 4 with a corrected hand and one that is open."""
    recorded(salon, simple("game", hands=HANDS, table="4"))
    game = corrected(
        Game.objects.get(salon=salon),
        CorrectHand(hand=1, sheet=sheet(3, "N")),
        "Counted from the wrong pile.",
    )
    return done(game, "hands", dealer="S")


@pytest.fixture
def addresses(salon: Salon, game: Game) -> Sequence[str]:
    """The pages, in a salon whose audit found something."""
    cup = after_round_1(salon)
    stock = stocks.draw(salon, name="Saturday, deal 1", actor="user:1", command=a_command())
    set_correction_hours(
        salon, 72, reason="League night", actor="user:1", command=a_command(), version=0
    )
    catch_up(salon.log, PROJECTIONS)
    make(salon.log, load_keyring(), now=1_700_000_000_000_000)
    House.objects.update(correction_hours=1)
    Progress.objects.filter(projection="standings").update(error="it broke", error_position=3)
    run = audit_runs.begin(salon)
    assert run is not None
    audit_runs.carry_out(run)
    player = Player.objects.get(name="Ash").pk
    return [
        "/tables/4/seats/",
        f"/games/{game.pk}/hands/2/second-entry/",
        "/tables/4/ruling/",
        f"/games/{game.pk}/",
        f"/games/{game.pk}/history/",
        "/stocks/",
        f"/stocks/{stock.pk}/",
        "/audit/",
        f"/audit/runs/{run.pk}/",
        "/house/",
        f"/players/{player}/held/",
        f"/players/{player}/erasure/",
        f"/tournaments/{cup.pk}/history/?at=12",
        f"/tournaments/{cup.pk}/standings/",
        f"/tournaments/{cup.pk}/comparison/?one={cup.started_position + 6}",
        f"/tournaments/{cup.pk}/entries/1/points/",
    ]


def test_axe_finds_nothing(
    browser: Browser, site: str, phone: Page, game: Game, addresses: Sequence[str]
) -> None:
    for address in addresses:
        look(phone, address, *EVERY_SIGHT)
    stranger = Client()
    stranger.get("/")
    stranger.session.save()
    for page in visiting(browser, site, stranger):
        look(page, f"/c/{links_of(game, ['E'])['E'].token}/", *EVERY_SIGHT)
