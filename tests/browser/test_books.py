"""History, ledger, the page of a player and the admin in a browser: nothing in the way of anybody,
and steps that lead somewhere.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from ledger.checkpoints import make
from scoring.commands import AdjustPoints, Undo
from scoring.precedence.commands import DeclareMeld, OpenHand
from tests.browser.conftest import PHONE, visiting
from tests.browser.looking import EVERY_SIGHT, look
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.salons import owner_of
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Game, Player, Salon

pytestmark = pytest.mark.browser


@pytest.fixture
def game(salon: Salon) -> Game:
    """A game with an audit, a ruling, a meld and an act taken back."""
    game = game_at(salon)
    record(game, *hand("N", (2, 3, 1, 0), (13, 0)))
    record(
        game,
        OpenHand(dealer="E"),
        AdjustPoints(side="NS", points=-10, by="The director", reason="A card was seen."),
    )
    version = record(game, DeclareMeld(seat="W", kind="triad", cards=("EV", "EF", "EB")))
    record(game, Undo(version=version - 1))
    return game


def test_axe_finds_nothing(phone: Page, salon: Salon, game: Game) -> None:
    player = Player.objects.get(name="Brass Otter")
    checkpoint = make(salon.log, load_keyring(), now=1_700_000_000_000_000)
    assert checkpoint is not None
    addresses = [
        "/history/",
        "/history/?show=corrections",
        "/history/?table=7",
        f"/games/{game.pk}/history/",
        f"/games/{game.pk}/history/?at=9&show=chips",
        f"/games/{game.pk}/numbers/score.NS/",
        f"/games/{game.pk}/comparison/?one={game.position - 3}",
        "/ledger/",
        "/audit/",
        "/countersigning/",
        f"/checkpoints/{checkpoint.size}/",
        "/proofs/entries/5/",
        f"/ledger/games/{game.pk}/",
        f"/ledger/games/{game.pk}/N/",
        f"/ledger/players/{player.pk}/",
        f"/players/{player.pk}/",
    ]
    for address in addresses:
        look(phone, address, *EVERY_SIGHT)
    look(phone, f"/ledger/players/{player.pk}/?as_of=noon", *EVERY_SIGHT, status=400)


def test_the_steps_of_a_game_lead_back_and_forth(phone: Page, game: Game) -> None:
    phone.goto(f"/games/{game.pk}/history/")
    expect(phone.locator(".score").first).to_have_text("−60")

    phone.get_by_label("To the first line").click()
    expect(phone.locator(".score").first).to_have_text("0")
    phone.get_by_label("One line forward").click()
    expect(phone.locator(".asof")).to_contain_text("step 2 of")
    phone.get_by_label("To now").click()
    expect(phone.locator(".score").first).to_have_text("−60")


def test_the_admin_breaks_no_content_policy(phone: Page, game: Game) -> None:
    """The fixture fails on any complaint of the console."""
    for address in (
        "/admin/",
        "/admin/ledger/event/",
        "/admin/tournament/game/",
        "/admin/tournament/player/",
    ):
        phone.goto(address)
    phone.locator("#result_list tbody th a").first.click()
    expect(phone.locator("#id_name")).to_be_visible()


def test_a_comparison_shows_what_differs_and_the_rest_when_asked(
    browser: Browser, site: str, salon: Salon, game: Game
) -> None:
    for page in visiting(browser, site, owner_of(salon), viewport=PHONE):
        page.goto(f"/games/{game.pk}/comparison/?one={game.position - 3}")
        rows, differing = (
            page.locator(".cmp tbody tr:not(:first-child)"),
            page.locator(".cmp tr.new"),
        )
        expect(differing.first).to_be_visible()
        assert 0 < rows.filter(visible=True).count() == differing.count() < rows.count()

        page.get_by_label("Only what differs").uncheck()

        assert rows.filter(visible=True).count() == rows.count()
