"""Text at twice its size on a phone: nothing lies over anything else, and no page is wider than the
window (WCAG 1.4.4, 1.4.10).
"""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONE, visiting
from tests.browser.looking import LONG_NAMES, enlarged
from tests.tournament.helpers import playing as precedence
from tests.tournament.helpers import preference, sabacc
from tests.tournament.helpers.evenings import after_round_1, does
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of
from tests.tournament.helpers.walls import WALLS, hang_walls
from tournament.accounts.table_links import set_up_tables
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Game, Salon, Screen, Tournament
from tournament.recording.calls import make_call
from tournament.recording.door import start_game

pytestmark = pytest.mark.browser


def at(game: Game, label: str) -> Game:
    Game.objects.filter(pk=game.pk).update(table=label)
    return game


@pytest.fixture
def tables(salon: Salon) -> dict[str, Game]:
    """A game of each kind at a table, in the states that have most to show."""
    patience: dict[str, Any] = {
        "kind": "order_of_precedence",
        "players": {"A": "Asha Renn"},
        "options": {},
        "table": "7",
        "played_on": "2026-11-21",
    }
    return {
        "1": at(precedence.bidding(salon), "1"),
        "2": at(precedence.done(precedence.playing(salon), "winners", seat="E"), "2"),
        "3": at(precedence.done(precedence.playing(salon), "totals", NS=13, EW=0), "3"),
        "5": at(preference.dealt(salon), "5"),
        "6": at(preference.playing(salon), "6"),
        "7": start_game(salon, actor="user:1", command=a_command(), **patience),
        "8": at(sabacc.guarded(salon), "8"),
    }


PADS = [
    *(
        "/tables/1/",
        "/tables/1/?meld=E",
        "/tables/1/?meld=E&of=triad",
        "/tables/2/",
        "/tables/2/?by=totals",
        "/tables/3/",
    ),
    *(
        "/tables/5/",
        "/tables/5/?by=contract",
        "/tables/6/",
        "/tables/6/?by=cards",
        "/tables/6/?by=totals",
        "/tables/7/",
    ),
    *("/tables/8/", "/tables/8/?by=points", "/tables/8/?by=cards"),
]


@pytest.mark.parametrize("pages", [PADS[:8], PADS[8:]], ids=["two teams", "three to five"])
def test_pads_at_twice_the_size(phone: Page, tables: dict[str, Game], pages: list[str]) -> None:
    assert {address: found for address in pages if (found := enlarged(phone, address))} == {}


def test_boards_and_sheets_at_twice_the_size(phone: Page, tables: dict[str, Game]) -> None:
    boards = [f"/games/{tables[label].pk}/" for label in "2367"] + [f"/games/{tables['8'].pk}/"]
    sheets = [f"/tables/{label}/sheet/" for label in "15678"]

    assert {
        address: found for address in (*boards, *sheets) if (found := enlarged(phone, address))
    } == {}


def test_home_tables_and_start_at_twice_the_size(phone: Page, tables: dict[str, Game]) -> None:
    for label in ("4", "5"):
        make_call(tables["1"].salon, label, "table", game="", actor="user:1", command=a_command())
    set_up_tables(tables["1"].salon, ["Terrace 2"])
    calls = ["/calls/", "/tables/4/director/", "/tables/8/director/"]
    pages = ["/", "/tables/", "/games/new/?table=4", "/tables/4/", *calls]

    assert enlarged(phone, "/tables/", "100%") == []
    assert {address: found for address in pages if (found := enlarged(phone, address))} == {}


@pytest.mark.parametrize("size", ["100%", "125%"])
def test_five_long_names_leave_the_question_in_view(
    browser: Browser, site: str, salon: Salon, size: str
) -> None:
    seated = dict(zip("ABCDE", LONG_NAMES, strict=True))
    begun: dict[str, Any] = {
        "kind": "contract_sabacc",
        "players": seated,
        "options": {},
        "table": "4",
        "played_on": "2026-11-21",
    }
    game = start_game(salon, actor="user:1", command=a_command(), **begun)
    sabacc.done(game, "hands", dealer="E")
    sabacc.done(game, "contracts", declarer="A", contract="guard")
    for page in visiting(browser, site, owner_of(salon), viewport=PHONE):
        found = {
            by: enlarged(page, f"/tables/4/?by={by}", size) for by in ("pile", "points", "cards")
        }
        assert found == {"pile": [], "points": [], "cards": []}
        assert "…" not in page.locator("body").inner_text()
        for by, reached in (
            ("pile", "label:has(#mistresses-4)"),
            ("points", "#points"),
            ("cards", ".deck__suits label >> nth=0"),
        ):
            page.goto(f"/tables/4/?by={by}")
            box = page.locator(reached).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < PHONE["height"] - 66


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_disabled_filled_button_looks_so(
    browser: Browser, site: str, salon: Salon, scheme: str
) -> None:
    sabacc.guarded(salon)
    for page in visiting(browser, site, owner_of(salon), color_scheme=scheme):
        page.goto("/tables/4/")
        looks = (
            "button => { const look = getComputedStyle(button); return "
            "[look.backgroundColor, look.borderTopStyle]; }"
        )
        button = page.locator("button:has-text('Record hand 1')")
        assert button.is_disabled()
        assert button.evaluate(looks) == ["rgba(0, 0, 0, 0)", "dashed"]


def test_the_foot_of_a_letter_is_not_cut_in_a_text_field(phone: Page, salon: Salon) -> None:
    phone.goto("/games/new/?table=4")

    look = phone.locator('[name="players.N"]').evaluate(
        "field => { const l = getComputedStyle(field); return [l.lineHeight, l.fontSize]; }"
    )

    height, size = (float(each.removesuffix("px")) for each in look)
    assert height >= 1.35 * size


def test_the_wall_and_what_is_embedded_at_twice_the_size(phone: Page, salon: Salon) -> None:
    """On a phone a screen is a page like others."""
    does(after_round_1(salon), DrawRound(round=2), PublishRound(round=2))
    precedence.playing(salon)
    hang_walls(salon)
    event = Tournament.objects.get(salon=salon)
    screen = Screen.objects.filter(salon=salon)[0]
    pages = ["/screens/", f"/screens/{screen.pk}/", *(f"/s/{kind}/" for kind in WALLS)]
    framed = ["/embed/tables/4/", f"/embed/tournaments/{event.pk}/standings/"]
    over = ["/overlays/4/?size=box"]

    assert {
        address: found
        for address in (*pages, *framed, *over)
        if (found := enlarged(phone, address))
    } == {}


def test_the_desk_and_settings_at_twice_the_size(phone: Page, salon: Salon) -> None:
    event = does(after_round_1(salon), DrawRound(round=2))
    desk = f"/tournaments/{event.pk}/desk/"
    rounds = [f"{desk}rounds/1/", f"{desk}rounds/2/", f"{desk}rounds/1/result-rows/"]
    pages = [desk, f"{desk}entries/", f"{desk}entries/1/", *rounds]
    settings = ["/settings/", "/settings/tables/", "/people/", "/permissions/"]

    assert {
        address: found for address in (*pages, *settings) if (found := enlarged(phone, address))
    } == {}
