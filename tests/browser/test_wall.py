"""Screens on the wall: everything on them can be read from ten metres, nothing lies over anything
else, and a projector goes on whatever happens to it.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import visiting
from tests.browser.looking import EVERY_SIGHT, LONG_NAMES, OVERLAPS, found_by_axe, look
from tests.browser.walls import CUT_OFF, SHOTS, SIZES, holding, looked_at, shown
from tests.browser.walls import projector as projector
from tests.browser.walls import screen as screen
from tests.tournament.helpers import playing as precedence
from tests.tournament.helpers import preference, sabacc
from tests.tournament.helpers.evenings import after_round_1, does
from tests.tournament.helpers.every_format import plays, running
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of
from tournament.domain.screens.rules import ArrangeScreen, Part
from tournament.domain.tournament.clock import StartClock
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Game, Player, Salon, Screen
from tournament.pages.wall import screen as wall
from tournament.projections.background import catch_up
from tournament.recording.screens import keep_screen
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser


KINDS = ("seating", "names", "clock", "tables", "standings", "text")


@pytest.mark.parametrize(
    "size", [*SIZES[:3], *(pytest.param(each, marks=pytest.mark.long) for each in SIZES[3:])]
)
def test_everything_can_be_read_from_ten_metres(
    projector: Page, salon: Salon, screen: Screen, size: tuple[int, int]
) -> None:
    projector.set_viewport_size({"width": size[0], "height": size[1]})
    precedence.done(precedence.playing(salon), "winners", seat="E")
    preference.playing(salon)
    Game.objects.filter(salon=salon, kind="preference").update(table="12")
    does(
        after_round_1(salon, 6),
        DrawRound(round=2),
        PublishRound(round=2),
        StartClock(round=2, at=wall._now(), seconds=1200),
    )
    for kind in KINDS:
        holding(screen, kind, "Soup from nine. The bar closes at eleven." * (kind == "text"))
        shown(projector, screen, kind)
        expect(projector.locator("#wall")).not_to_have_class(re.compile("wall--idle"))
        looked_at(projector)
    for place, player in enumerate(Player.objects.filter(salon=salon)):
        Player.objects.filter(pk=player.pk).update(
            name=f"{LONG_NAMES[place % len(LONG_NAMES)]} {place}"
        )
    for kind in ("seating", "names", "tables", "standings"):
        holding(screen, kind)
        shown(projector, screen, f"{kind}-long")
        looked_at(projector)


# A picture that is bright and dark in turn: what stands over it has to be read on any.
PICTURE = """
() => {
  const picture = document.createElement("div");
  picture.id = "picture";
  document.body.prepend(picture);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`#picture { position: fixed; inset: 0; z-index: -1;
    background: conic-gradient(#fff, #2a7, #013, #e93, #fff, #722, #fff) }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
"""


@pytest.mark.parametrize("size", ["line", "box"])
def test_an_overlay_is_transparent_but_for_what_is_read(
    projector: Page, salon: Salon, size: str
) -> None:
    precedence.done(precedence.playing(salon), "winners", seat="E")
    games = {"2": preference.playing(salon), "3": sabacc.guarded(salon)}
    for label, game in games.items():
        Game.objects.filter(pk=game.pk).update(table=label)
    for label in ("4", "2", "3", "6"):
        projector.goto(f"/overlays/{label}/?size={size}")
        clear = "getComputedStyle(document.body).backgroundColor"
        assert projector.evaluate(clear) == "rgba(0, 0, 0, 0)"
        projector.evaluate(PICTURE)
        projector.evaluate("document.fonts.ready")
        if SHOTS:
            projector.screenshot(path=f"{SHOTS}/overlay-{size}-{label}.png")
        assert projector.evaluate(OVERLAPS) == []
        assert projector.evaluate(CUT_OFF) == []
        assert found_by_axe(projector) == []


@pytest.fixture
def turning(salon: Salon, screen: Screen) -> Screen:
    """A screen that shows two texts in turn."""
    parts = tuple(Part(kind="text", seconds=5, note=each) for each in ("Soup", "Bread"))
    by = {"actor": "user:1", "command": a_command()}
    keep_screen(salon, screen.pk, ArrangeScreen(name="Bar", parts=parts), version=1, **by)
    return screen


def test_the_next_comes_by_itself_and_what_is_held_at_the_desk_within_seconds(
    projector: Page, turning: Screen
) -> None:
    projector.clock.install()
    projector.goto(f"/s/{turning.address}/")
    text = projector.locator(".wall__text")
    first = text.inner_text()
    other = "Bread" if first == "Soup" else "Soup"

    later = wall._now() + 5_000_000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wall, "_now", lambda: later)
        projector.clock.run_for(6_000)
        expect(text).to_have_text(other)
        holding(turning, "text", "Fire alarm")
        projector.clock.run_for(6_000)
        expect(text).to_have_text("Fire alarm")


def test_a_projector_says_when_what_it_shows_is_old_and_goes_on_when_somebody_answers(
    projector: Page, turning: Screen
) -> None:
    """Whatever answers meanwhile: nobody, a server that begins, a captive portal, a sign-in."""
    projector.clock.install()
    projector.goto(f"/s/{turning.address}/")
    old, address = projector.locator("[data-old]"), f"**/s/{turning.address}/"
    expect(old).to_be_hidden()
    answers: list[Callable[[Route], None]] = [
        lambda route: route.abort(),
        lambda route: route.fulfill(status=503),
        lambda route: route.fulfill(status=200, body="<h1>Welcome to the café</h1>"),
    ]
    for answer in answers:
        projector.route(address, answer)
        projector.clock.run_for(60_000)
        expect(old).to_be_visible()
        assert "as of" in old.inner_text()
        assert projector.locator(".wall__text").inner_text() in ("Soup", "Bread")
        projector.unroute(address)
        projector.clock.run_for(40_000)
        expect(old).to_be_hidden()


def test_the_desk_sees_what_is_on_the_wall_without_losing_what_is_typed(
    projector: Page, screen: Screen
) -> None:
    holding(screen, "text", "Soup")
    projector.clock.install()
    projector.goto("/screens/")
    field = projector.get_by_label("What a text says")
    field.fill("Bread at ten")
    holding(screen, "clock")
    projector.clock.run_for(6_000)

    expect(projector.locator(f"#on-{screen.pk}")).to_contain_text("Nothing to show yet")
    expect(field).to_have_value("Bread at ten")
    holding(screen, "text", "Soup")
    projector.clock.run_for(6_000)
    expect(projector.locator(f"#on-{screen.pk}")).to_contain_text("Shows only")


def test_a_projector_whose_clock_is_wrong_shows_what_is_left_as_the_server_says(
    projector: Page, salon: Salon, screen: Screen
) -> None:
    event = after_round_1(salon)
    clock = StartClock(round=2, at=wall._now(), seconds=1200)
    does(event, DrawRound(round=2), PublishRound(round=2), clock)
    holding(screen, "clock")
    projector.clock.set_fixed_time("2001-01-01T00:00:00Z")
    projector.goto(f"/s/{screen.address}/")

    assert projector.locator("[data-seconds]").inner_text().startswith(("19:", "20:00"))


@pytest.mark.parametrize(
    "turns", [120, pytest.param(5_760, marks=pytest.mark.long)], ids=["minutes", "eight hours"]
)
def test_memory_does_not_grow_however_long_a_screen_is_open(
    projector: Page, turning: Screen, turns: int
) -> None:
    """A look each five seconds, at what is another thing each time."""
    pages = []
    for text in ("Soup", "Bread"):
        holding(turning, "text", text * 20)
        pages.append(projector.request.get(f"/s/{turning.address}/").text())
    projector.clock.install()
    projector.goto(f"/s/{turning.address}/")
    asked = 0

    def answer(route: Route) -> None:
        nonlocal asked
        asked += 1
        route.fulfill(status=200, content_type="text/html", body=pages[asked % 2])

    projector.route(f"**/s/{turning.address}/", answer)
    watch = projector.context.new_cdp_session(projector)

    def used() -> tuple[float, int]:
        watch.send("HeapProfiler.collectGarbage")
        heap = watch.send("Runtime.getHeapUsage")["usedSize"]
        return heap, watch.send("Memory.getDOMCounters")["nodes"]

    def looks(count: int) -> None:
        wanted = asked + count
        while asked < wanted:
            projector.clock.run_for(5_000)

    looks(turns // 4)
    heap, nodes = used()
    looks(turns)
    heap_after, nodes_after = used()

    assert heap_after - heap < 100_000
    assert nodes_after - nodes < 100


def test_the_pages_of_the_desk_and_the_embedded_ones_have_nothing_that_axe_finds(
    browser: Browser, site: str, salon: Salon, screen: Screen
) -> None:
    event = after_round_1(salon)
    precedence.done(precedence.playing(salon), "winners", seat="E")
    holding(screen, "standings")
    pages = [
        *("/screens/", f"/screens/{screen.pk}/", f"/screens/{screen.pk}/history/"),
        *("/embed/tables/4/", f"/embed/tournaments/{event.pk}/standings/"),
        f"/s/{screen.address}/",
    ]
    for page in visiting(browser, site, owner_of(salon)):
        for address in pages:
            look(page, address, *EVERY_SIGHT)
            if SHOTS:
                name = address.strip("/").replace("/", "-")
                page.screenshot(path=f"{SHOTS}/desk-{name}.png", full_page=True)


@pytest.mark.parametrize("size", SIZES[:3])
@pytest.mark.parametrize("name", ["bracket", "podium"])
def test_a_bracket_and_who_has_won_can_be_read_from_ten_metres(
    projector: Page, salon: Salon, screen: Screen, name: str, size: tuple[int, int]
) -> None:
    projector.set_viewport_size({"width": size[0], "height": size[1]})
    if name == "bracket":
        plays(running(salon, "knockout"), 1)
    else:
        event = after_round_1(salon)
        does(event, EnterPhase(phase="finished"))
        catch_up(salon.log, PROJECTIONS)
    holding(screen, name)
    shown(projector, screen, name)
    expect(projector.locator("h1")).to_have_text(
        {"bracket": "Who meets whom", "podium": "The winner"}[name]
    )
    looked_at(projector)
