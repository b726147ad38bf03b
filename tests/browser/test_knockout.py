"""Double elimination of six pairs, run by a director at a screen: a game is recorded live, a result
is corrected and changes a later match; the bracket is looked at by axe, on a phone and on paper.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from scoring.commands import EndGame
from tests.browser.conftest import PHONE, visiting
from tests.browser.director import Director
from tests.browser.looking import fits, found_by_axe
from tests.tournament.helpers.evenings import does, in_round_1
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of
from tournament.domain.brackets.values import Knockout
from tournament.domain.standings.values import Result, Stage
from tournament.domain.tournament.results import EnterResult
from tournament.models import Game, Salon, Tournament
from tournament.projections.background import catch_up
from tournament.projections.standings import read_computed_standings
from tournament.recording.tournaments import start_linked_game
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
SCREEN: ViewportSize = {"width": 1280, "height": 900}
LOOK = os.environ.get("ACCORD_LOOK")  # a folder for pictures and paper
DOUBLE = Stage(kind="knockout", knockout=Knockout(elimination="double"))


@pytest.fixture
def screen(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    yield from visiting(browser, site, owner_of(salon), viewport=SCREEN)


def type_round(director: Director) -> None:
    """In every match the entry with the lower number wins."""
    last = director.state.last
    assert last is not None
    director.at(f"rounds/{last.number}/")
    for table in last.tables:
        if not table.has_started:
            one, two = (251, 180) if table.entries[0] < table.entries[1] else (180, 251)
            director.type_scores(table.table, one, two)
    director.press("Record")


def look(page: Page, row: Tournament, name: str) -> None:
    page.goto(f"/tournaments/{row.pk}/bracket/")
    assert found_by_axe(page) == []
    assert fits(page)
    clipped = page.evaluate(
        """() => [...document.querySelectorAll("svg.bracket svg svg text")].filter(text => {
          const own = text.getBoundingClientRect();
          return own.right > text.ownerSVGElement.getBoundingClientRect().right + 1;
        }).map(text => text.textContent)"""
    )
    assert clipped == []
    if LOOK:
        for size in (SCREEN, PHONE):
            page.set_viewport_size(size)
            page.screenshot(path=str(Path(LOOK) / f"{name}-{size['width']}.png"), full_page=True)
        page.set_viewport_size(SCREEN)
        page.pdf(path=str(Path(LOOK) / f"{name}.pdf"), prefer_css_page_size=True)


@pytest.mark.long
def test_a_double_elimination_of_six_pairs_with_a_correction_that_changes_a_later_match(
    screen: Page, salon: Salon
) -> None:
    row = in_round_1(salon, 6, DOUBLE)
    director = Director(screen, row)
    play_live(row, salon)
    type_round(director)
    director.press("Close the round")
    for _ in range(12):
        if (
            director.state.phase == "running"
            and "Finish the tournament" in director.at().locator(".todo").inner_text()
        ):
            break
        number = director.state.next_round
        director.press(f"Draw round {number}")
        director.press("Publish")
        type_round(director)
        director.press("Close the round")
        if number == 2:
            look(screen, row, "bracket")
            correct(director)
            director.is_to_do("played on a wrong premise")
            look(screen, row, "wrong-premise")
    director.at()
    director.press("Finish")
    catch_up(salon.log, PROJECTIONS)
    found = read_computed_standings(row)[0]
    assert found is not None
    assert [each.rank for each in found.rows] == [1, 2, 3, 4, 5, 5]
    screen.goto(f"/tournaments/{row.pk}/")
    expect(screen.get_by_role("heading", name="The winner")).to_be_visible()
    look(screen, row, "over")


def play_live(row: Tournament, salon: Salon) -> None:
    """The game of table 1 is recorded at its table, and its result comes by itself."""
    row.refresh_from_db()
    start_linked_game(
        salon,
        row.pk,
        round=1,
        table=1,
        label="5",
        actor="user:1",
        command=a_command(),
        version=row.version,
    )
    game = Game.objects.get(salon=salon, table="5")
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    record(game, EndGame(kind="called", by="Mara", reason="Time was up."))


def correct(director: Director) -> None:
    """The last table of round 1 was won by the other."""
    table = director.state.rounds[0].tables[-1]
    scores = (180, 251) if table.entries[0] < table.entries[1] else (251, 180)
    does(
        director.row,
        EnterResult(
            round=1,
            table=table.table,
            results=tuple(Result(score=100 * score) for score in scores),
            reason="typed the wrong way round",
        ),
    )
