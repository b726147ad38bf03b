"""A round at the desk with every mishap of its games: asked, flagged, freed and changed, on a phone
and on a wide screen.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring.commands import EndGame
from tests.browser.conftest import DESK, PHONE, visiting
from tests.browser.looking import fits, found_by_axe
from tests.tournament.helpers.evenings import does, in_round_1, result
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of, scorer_at
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.rounds import CloseRound
from tournament.models import Game, Salon, Tournament
from tournament.projections.audit import audit
from tournament.recording.tournaments import start_linked_game
from tournament.streams.tournament_rows import state_of

pytestmark = pytest.mark.browser
LOOK = os.environ.get("ACCORD_LOOK")  # a folder for pictures


@pytest.fixture
def director(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """The director's screen."""
    yield from visiting(browser, site, owner_of(salon), viewport=DESK)


def look(page: Page, name: str) -> None:
    """Axe finds nothing, nothing is wider than the page; a picture where one is asked for."""
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert fits(page), name
        if LOOK:
            page.screenshot(path=Path(LOOK) / f"{name}-{size['width']}.png", full_page=True)
    assert found_by_axe(page) == [], name
    page.set_viewport_size(DESK)


def play(row: Tournament, table: int, label: str) -> Game:
    """The game of a table, begun at one of the salon's."""
    row.refresh_from_db()
    return start_linked_game(
        row.salon,
        row.pk,
        round=1,
        table=table,
        label=label,
        actor="user:1",
        command=a_command(),
        version=row.version,
    )


def press(page: Page, name: str, within: str = "body") -> None:
    with page.expect_navigation():
        page.locator(within).get_by_role("button", name=name, exact=True).first.click()


def score(page: Page, table: int, one: str, two: str) -> None:
    for place, typed in enumerate((one, two)):
        page.locator(f"#r-{table}-{place}-0").fill(typed)


@pytest.mark.long
def test_a_round_with_every_mishap_is_led_to_its_end(director: Page, salon: Salon) -> None:
    row, page = in_round_1(salon, 6), director
    live, finished, left = (
        play(row, table, label) for table, label in ((1, "1"), (2, "2"), (3, "3"))
    )
    record(
        finished,
        *hand("N", (4, 3, 3, 4), (9, 4)),
        EndGame(kind="called", by="Mara", reason="Time was up."),
    )
    record(
        left,
        *hand("N", (4, 3, 3, 4), (9, 4)),
        EndGame(kind="abandoned", by="Mara", reason="They quarrelled."),
    )
    page.goto(f"/tournaments/{row.pk}/desk/rounds/1/")
    look(page, "round")

    score(page, 1, "255", "190")
    press(page, "Record the results typed")
    expect(page.get_by_role("alert")).to_contain_text("say what becomes of it")
    look(page, "asked")
    page.locator("#table-1").get_by_label("It goes on and does not count").first.check()
    page.locator("#b-1").fill("They play on for fun")
    press(page, "Record the results typed")
    expect(page.locator("#table-1")).to_contain_text("Counts: the typed result")

    page.locator("#table-2 summary", has_text="Change it").click()
    for place, typed in enumerate(("190", "255")):
        page.locator(f"#c-2-{place}-0").fill(typed)
    press(page, "Record the change", "#table-2")
    expect(page.locator("#table-2")).to_contain_text("Its game says 72 : −70.")
    look(page, "flagged")
    page.goto(f"/tournaments/{row.pk}/desk/")
    look(page, "desk")
    page.get_by_role("link", name="Compare them").click()
    page.locator("#ok-2").fill("The pad was wrong")
    press(page, "Leave it as it is", "#table-2")
    press(page, "Let the game count", "#table-3")
    press(page, "Close the round")
    does(row, DrawRound(round=2))

    page.goto(f"/tournaments/{row.pk}/desk/rounds/2/")
    look(page, "held")
    press(page, "End them, free the tables")
    press(page, "Publish it")
    live.refresh_from_db()
    assert live.not_played
    page.goto(f"/tournaments/{row.pk}/desk/rounds/1/")
    page.locator("#table-1 summary", has_text="Change it").click()
    look(page, "change-closed")
    for place, typed in enumerate(("190", "255")):
        page.locator(f"#c-1-{place}-0").fill(typed)
    page.locator("#cr-1").fill("They sat the other way round")
    press(page, "Record the change", "#table-1")
    each = state_of(row).rounds[0]
    assert each.closed
    assert [found.score for found in each.tables[0].results] == [19000, 25500]
    assert list(audit(salon)) == []


def test_the_pad_says_that_a_game_was_not_played_and_that_a_round_is_over(
    director: Page, browser: Browser, site: str, salon: Salon
) -> None:
    row, page = in_round_1(salon, 4), director
    play(row, 1, "1")
    page.goto("/tables/1/")
    page.locator("summary", has_text="This game was not played").click()
    look(page, "pad-before")
    page.locator("#end-reason").fill("Two were called away")
    page.get_by_role("button", name="It was not played").click()
    expect(page.get_by_role("heading", name="This game was not played")).to_be_visible()
    look(page, "pad-not-played")
    page.get_by_role("link", name="Board").click()
    expect(page.locator("#board")).to_contain_text("This game was not played.")
    look(page, "board-not-played")

    game = play(row, 2, "2")
    record(
        game,
        *hand("N", (4, 3, 3, 4), (9, 4)),
        EndGame(kind="called", by="Mara", reason="Time was up."),
    )
    does(row, result(1, 250, 100), CloseRound(round=1))
    from scoring.commands import Undo

    folded = Game.objects.get(pk=game.pk)
    record(game, Undo(version=folded.version - _facts_of_the_end(folded) + 1))
    page.goto("/tables/2/")
    expect(page.locator(".padround")).to_contain_text("Round 1 of Spring Cup is over.")
    look(page, "pad-over-director")
    scorer = next(visiting(browser, site, scorer_at(salon, "2"), viewport=PHONE))
    scorer.goto("/tables/2/")
    expect(scorer.get_by_role("heading", name="Round 1 is over")).to_be_visible()
    look(scorer, "pad-over")
    scorer.context.close()


def _facts_of_the_end(game: Game) -> int:
    """How many facts the end of a game has: the end itself and the chips it moved."""
    from ledger.models import Event

    command = Event.objects.get(stream=game.pk, version=game.version).command
    return Event.objects.filter(stream=game.pk, command=command).count()
