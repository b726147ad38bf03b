"""The pages by which a salon shows that it can be believed: axe finds nothing on any, by day on a phone and by night on a desk."""

from collections.abc import Mapping, Sequence

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import Browser, Page

from ledger.checkpoints import make
from scoring.corrections import CorrectHand
from tests.browser.conftest import DESK, PHONE, visiting
from tests.tournament.evenings import after_round_1
from tests.tournament.playing import a_command, done
from tests.tournament.salons import owner_of
from tests.tournament.tables import bids, recorded, simple
from tests.tournament.test_withdrawn import corrected, sheet
from tournament import audit_runs, duplicate
from tournament.housekeeping import set_correction_hours
from tournament.models import Game, House, Player, Progress, Salon
from tournament.projections.background import catch_up
from tournament.seat_links import links_of
from tournament.signing_keys import keyring
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
HANDS = [{"dealer": dealer, "bids": bids("2424"), "tricks": {"NS": 7, "EW": 6}} for dealer in "NE"]


@pytest.fixture
def game(salon: Salon) -> Game:
    """A game at table 4 with a corrected hand and one that is open."""
    recorded(salon, simple("game", hands=HANDS, table="4"))
    game = corrected(Game.objects.get(salon=salon), CorrectHand(hand=1, sheet=sheet(3, "N")), "Counted from the wrong pile.")
    return done(game, "hands", dealer="S")


@pytest.fixture
def addresses(salon: Salon, game: Game) -> Sequence[str]:
    """The pages, in a salon whose audit found something."""
    cup = after_round_1(salon)
    stock = duplicate.draw(salon, name="Saturday, deal 1", actor="user:1", command=a_command())
    set_correction_hours(salon, 72, reason="League night", actor="user:1", command=a_command(), version=0)
    catch_up(salon.log, PROJECTIONS)
    make(salon.log, keyring(), now=1_700_000_000_000_000)
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


@pytest.mark.parametrize(("scheme", "viewport"), [("light", PHONE), ("dark", DESK)], ids=["phone", "desk"])
def test_axe_finds_nothing(
    browser: Browser, site: str, salon: Salon, game: Game, addresses: Sequence[str], scheme: str, viewport: dict[str, int]
) -> None:
    for page in visiting(browser, site, owner_of(salon), viewport=viewport, color_scheme=scheme):
        for address in addresses:
            look(page, address)
    stranger = Client()
    stranger.get("/")
    stranger.session.save()
    for page in visiting(browser, site, stranger, viewport=viewport, color_scheme=scheme):
        look(page, f"/c/{links_of(game, ['E'])['E'].token}/")


def look(page: Page, address: str, rules: Mapping[str, object] | None = None) -> None:
    """The page is there, axe finds nothing (by these rules, or all), and nothing is wider than the screen."""
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 200, address
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    found = Axe().run(page, options=dict(rules or {})).response["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in found] == [], address
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
