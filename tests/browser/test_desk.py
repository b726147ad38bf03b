"""A whole evening of sixteen pairs and five rounds, run by a director on a tablet: from setting it
up to the final standings.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from ledger.verify import verify_log
from scoring.commands import EndGame
from tests.browser.conftest import PHONE, visiting
from tests.browser.looking import found_by_axe
from tests.tournament.helpers.evenings import does, here, in_round_1, result
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of
from tournament.domain.tournament.clock import CallLastHand, ExtendTime, StartClock
from tournament.domain.tournament.state import State
from tournament.models import Game, Player, Salon, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.standings import read_computed_standings
from tournament.recording.tournaments import start_linked_game
from tournament.server.environment import addresses
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
TABLET: ViewportSize = {"width": 820, "height": 1180}
LOOK = os.environ.get("ACCORD_LOOK")  # a folder for pictures of the evening
KNOWN = ("Asha Renn", "Cato Liss", "Ilse Marrow", "Juno Dray")
TREES = ["Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Ivy", "Juniper", "Larch", "Maple"]
PASTED = "\n".join(
    f"First {name} & Second {name}; Club {name[0]}; {1400 + 10 * len(name)}" for name in TREES
)
FILE = (
    b"Player 1,Player 2,Club,Rating\r\nNora Oak,Ole Pine,Core,1500\r\nPia Rowan,Rolf Sorrel,,\r\n"
)
ROUNDS = 5
CHECKED = (
    "set-up",
    "singles",
    "entry",
    "playing",
    "desk",
    "seats",
    "standings",
)  # by axe, which takes its time


@pytest.fixture
def tablet(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """The director's tablet."""
    Player.objects.bulk_create(Player(salon=salon, name=name) for name in KNOWN)
    yield from visiting(browser, site, owner_of(salon), viewport=TABLET)


@pytest.mark.long
def test_a_whole_evening_of_sixteen_pairs_and_five_rounds(
    tablet: Page, browser: Browser, site: str, salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "network_address", lambda: "192.0.2.7")
    row = set_up(tablet)
    enter_everybody(tablet, row)
    check_in(tablet, row)
    first_round(tablet, row, salon)
    second_round(tablet, row)
    for number in range(3, ROUNDS + 1):
        draw_and_publish(tablet, row, number)
        type_results(tablet, row, number)
        press(tablet, "Close the round")
    finish_and_reopen(tablet, row)

    catch_up(salon.log, PROJECTIONS)
    everybody_sees_it(browser, site, row)
    table = read_computed_standings(row)[0]
    assert table is not None
    assert table.after_round == ROUNDS
    # Every round gives as many points as there are tables, and one to who sits out; the penalty was
    # cancelled.
    assert sum(each.points or 0 for each in table.rows) == 100 * sum(
        len(each.tables) + len(each.byes) for each in now(row).rounds
    )
    assert list(audit(salon)) == []
    assert list(verify_log(salon.log_id, full=True)) == []


def now(row: Tournament) -> State:
    """The tournament as it stands."""
    row.refresh_from_db()
    return state_of(row)


def press(page: Page, name: str) -> None:
    """Press the first button of this name and wait for the page that follows."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).first.click()


def unfold(page: Page, words: str) -> None:
    page.locator(f'details:not([open]) > summary:has-text("{words}")').first.click()


def look(page: Page, name: str) -> None:
    """Axe finds nothing here; and a picture of the page as a tablet and as a phone show it, where
    somebody wants to look.
    """
    assert name not in CHECKED or found_by_axe(page) == [], name
    if LOOK:
        for size in (TABLET, PHONE):
            page.set_viewport_size(size)
            page.screenshot(path=str(Path(LOOK) / f"{name}-{size['width']}.png"), full_page=True)
        page.set_viewport_size(TABLET)


def set_up(page: Page) -> Tournament:
    page.goto("/tournaments/")
    page.get_by_role("link", name="Set up a tournament").click()
    page.get_by_label("Name", exact=True).fill("Autumn Accord")
    unfold(page, "Tie-breaks")
    page.get_by_label("These, in this order:").check()
    page.get_by_label("Tie-break 1").select_option("sonneborn_berger")
    page.get_by_label("Tie-break 2").select_option("wins")
    page.get_by_label("Tie-break 3").select_option("lots")
    page.get_by_label("Tie-break 4").select_option("")
    unfold(page, "House rules")
    page.locator('[name="options.hands_limit"]').fill("1")
    look(page, "set-up")
    press(page, "Set it up")
    look(page, "draft")
    press(page, "Open registration")
    return Tournament.objects.get()


def enter_everybody(page: Page, row: Tournament) -> None:
    page.goto(f"/tournaments/{row.pk}/desk/entries/")
    for one, two in (("as", "ca"), ("il", "ju")):
        for place, letters in enumerate((one, two)):
            page.locator(f'[id="players.{place}"]').press_sequentially(letters)
            page.locator(f"#suggest-{place} [role=option]").first.click()
        press(page, "Enter")
    for name in ("Uma Thorn", "Vera Umber", "Will Vetch", "Xena Willow"):
        page.locator('[id="players.0"]').fill(name)
        press(page, "Player 1 waits for a partner")
    look(page, "singles")
    page.get_by_label("plays with").select_option(label="Will Vetch")
    press(page, "Make them a pair")
    press(page, "Make pairs of all, as they came")
    expect(page.get_by_role("status").first).to_contain_text("Every single has a partner.")
    unfold(page, "Enter a list")
    page.get_by_label("One entry a line").fill(f"{PASTED}\nLonely Yarrow")
    press(page, "Look at the list")
    look(page, "list")
    page.locator("[name=keep]").click()
    expect(page.get_by_label("Report")).to_contain_text("2 names are expected")
    look(page, "report")
    page.get_by_label("One entry a line").fill("")
    page.get_by_label("Or a file: CSV, XLSX, XLS, ODS or TRF").set_input_files(
        {"name": "late.csv", "mimeType": "text/csv", "buffer": FILE}
    )
    press(page, "Look at the list")
    look(page, "list")
    page.locator("[name=keep]").click()
    assert [entry.rating for entry in now(row).entries][-2:] == [1500, None]
    assert len(now(row).entries) == 16


def check_in(page: Page, row: Tournament) -> None:
    page.goto(f"/tournaments/{row.pk}/desk/entries/")
    page.get_by_label("Find by the beginning of a name").press_sequentially("or")
    page.get_by_label("Find by the beginning of a name").fill("no")
    expect(page.locator("#listed-entries li")).to_have_count(1)
    page.get_by_role("button", name="Check in Nora Oak & Ole Pine").click()
    expect(page.locator("#listed-entries li")).to_contain_text("here")
    # The slip of an entry, scanned with the director's phone.
    page.goto(f"/tournaments/{row.pk}/desk/slips/")
    look(page, "slips")
    slip = page.locator(".slip", has_text="Asha Renn")
    typed = slip.get_by_text("What everybody sees:").locator(".slip__typed").inner_text()
    assert typed.startswith("192.0.2.7:")
    page.goto(f"/{typed.partition('/')[2]}/")
    press(page, "Check in Asha Renn & Cato Liss")
    expect(page.locator("#toasts")).to_contain_text("Checked in: Asha Renn & Cato Liss.")
    look(page, "entry")
    does(row, *here(row))
    page.goto(f"/tournaments/{row.pk}/desk/")
    press(page, "Start")


def draw_and_publish(page: Page, row: Tournament, number: int) -> None:
    """Draw the round, with those too who did not come to the last one and are asked about."""
    page.goto(f"/tournaments/{row.pk}/desk/")
    press(
        page,
        "Draw with them"
        if page.get_by_role("button", name="Draw with them").count()
        else f"Draw round {number}",
    )
    press(page, "Publish it")


def type_results(page: Page, row: Tournament, number: int) -> None:
    """The tables that have no result yet, all on one form."""
    for table in range(1, 9):
        for place, score in enumerate((250 + 3 * table + number, 90 + 11 * table)):
            field = page.locator(f'[name="tables.t{table}.results.{place}.score:half"]')
            if field.count():
                field.fill(str(score))
    press(page, "Record the results typed")


def first_round(page: Page, row: Tournament, salon: Salon) -> None:
    page.goto(f"/tournaments/{row.pk}/desk/")
    press(page, "Draw round 1")
    unfold(page, "Why they meet")
    expect(page.locator("#table-1")).to_contain_text("They have not met yet")
    unfold(page, "Swap two")
    one, two = (now(row).rounds[0].tables[table].entries[0] for table in (0, 1))
    page.get_by_label("This entry").select_option(one)
    page.get_by_label("changes places with").select_option(two)
    press(page, "See what changes")
    press(page, "Swap")
    assert now(row).rounds[0].tables[1].entries[0] == one
    look(page, "drawn")
    press(page, "Publish it")
    run_the_clock(page, row)
    look(page, "playing")
    play_a_game(page, row, salon)
    type_results(page, row, 1)
    look(page, "results")
    page.goto(f"/tournaments/{row.pk}/desk/")
    give_and_cancel_a_penalty(page)
    press(page, "Close it")


def run_the_clock(page: Page, row: Tournament) -> None:
    press(page, "Start the clock")
    unfold(page, "Give more time")
    page.get_by_label("For", exact=True).select_option("2")
    press(page, "Extend")
    press(page, "Pause")
    press(page, "Go on")
    press(page, "Finish the hand in progress")
    expect(page.locator(".clock")).to_contain_text("Finish the hand in progress.")
    press(page, "Let them play on")
    clock = now(row).rounds[0].clock
    assert clock is not None
    assert (clock.since is not None, clock.last_hand, now(row).rounds[0].tables[1].extension) == (
        True,
        False,
        300,
    )


def play_a_game(page: Page, row: Tournament, salon: Salon) -> None:
    """Table 1 is recorded live, by the event's house rules, and its result comes by itself."""
    page.locator("#table-1 summary", has_text="Something else").click()
    page.get_by_label("Record it live at table").first.select_option("5")
    press(page, "Start the game")
    expect(page.locator("#table-1")).to_contain_text("Game in progress")
    game = Game.objects.get(salon=salon, table="5")
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    if not Game.objects.get(pk=game.pk).finished:
        record(game, EndGame(kind="called", by="Mara", reason="Time was up."))
    page.reload()
    expect(page.locator("#table-1")).to_contain_text("Game finished")
    expect(page.locator("#table-1")).to_contain_text("Not confirmed yet")


def give_and_cancel_a_penalty(page: Page) -> None:
    unfold(page, "Give or take points")
    page.get_by_label("Points, below 0 for a penalty").fill("-0.5")
    page.locator("#p-reason").fill("Late for the round.")
    press(page, "Record it")
    look(page, "desk")
    expect(page.get_by_text("Late for the round.")).to_be_visible()
    press(page, "Cancel it")
    expect(page.get_by_text("Late for the round.")).to_have_count(0)


def second_round(page: Page, row: Tournament) -> None:
    """A late entry, a withdrawal, a substitute, and somebody who does not come."""
    page.goto(f"/tournaments/{row.pk}/desk/entries/")
    page.locator('[id="players.0"]').fill("Yann Zinnia")
    page.locator('[id="players.1"]').fill("Zora Aster")
    press(page, "Enter")
    page.goto(f"/tournaments/{row.pk}/desk/entries/2/")
    page.get_by_label("plays", exact=True).fill("Bela Clover")
    press(page, "Let them play")
    expect(page.get_by_role("heading", level=1)).to_contain_text(
        "(entered as Ilse Marrow & Juno Dray)"
    )
    page.goto(f"/tournaments/{row.pk}/desk/entries/16/")
    press(page, "Withdraw")
    page.goto(f"/tournaments/{row.pk}/desk/")
    expect(page.locator("main")).to_contain_text("Yann Zinnia & Zora Aster")
    press(page, "Here")
    draw_and_publish(page, row, 2)
    page.locator("#table-3 summary", has_text="Something else").click()
    with page.expect_navigation():
        page.locator("#table-3").get_by_role("button", name="Forfeit").click()
    expect(page.locator("#table-3")).to_contain_text("absent")
    type_results(page, row, 2)
    press(page, "Close the round")
    entries = {entry.id: entry for entry in now(row).entries}
    assert (entries["17"].joined_in, entries["16"].withdrawn_after) == (2, 1)


def finish_and_reopen(page: Page, row: Tournament) -> None:
    page.goto(f"/tournaments/{row.pk}/desk/")
    press(page, "Finish")
    unfold(page, "Go back a step")
    page.locator("#back-reason").fill("A result was typed wrong.")
    press(page, "Open the tournament again")
    press(page, "Finish")
    assert now(row).phase == "finished"


def everybody_sees_it(browser: Browser, site: str, row: Tournament) -> None:
    """The room looks for a table, the results of a round, the standings with their tie-breaks, and
    a pair's path.
    """
    context = browser.new_context(base_url=site, viewport=PHONE)
    page = context.new_page()
    page.goto(f"/tournaments/{row.pk}/")
    expect(page.locator(".podium li")).not_to_have_count(0)
    look(page, "winners")
    page.goto(f"/tournaments/{row.pk}/rounds/2/")
    expect(page.get_by_text("without a game")).to_be_visible()
    look(page, "round")
    page.goto(f"/tournaments/{row.pk}/standings/")
    expect(page.get_by_role("row")).to_have_count(18)
    look(page, "standings")
    page.goto(f"/tournaments/{row.pk}/entries/2/")
    expect(page.get_by_role("row")).to_have_count(ROUNDS + 1)
    look(page, "path")
    context.close()


def test_a_page_of_an_event_looks_again_by_itself_and_its_clock_goes_on(
    browser: Browser, site: str, salon: Salon
) -> None:
    row = does(in_round_1(salon, 2), StartClock(round=1, at=time.time_ns() // 1000, seconds=3000))
    context = browser.new_context(base_url=site, viewport=PHONE)
    page = context.new_page()
    page.clock.install()
    page.goto(f"/tournaments/{row.pk}/")
    page.get_by_label("The beginning of a name").fill("as")

    does(row, result(1, 262, 187), ExtendTime(round=1, seconds=600))
    page.clock.run_for(11_000)

    expect(page.locator("#live")).to_contain_text("262")
    expect(page.get_by_label("The beginning of a name")).to_have_value("as")
    began = page.locator(".clock b").inner_text()
    page.clock.run_for(61_000)
    assert _seconds(began) - _seconds(page.locator(".clock b").inner_text()) >= 60
    assert _seconds(began) > 3000
    context.close()


def test_a_pad_s_clock_goes_on_takes_what_the_director_gives_and_says_when_time_is_over(
    phone: Page, salon: Salon
) -> None:
    row = does(in_round_1(salon, 2), StartClock(round=1, at=time.time_ns() // 1000, seconds=3000))
    start_linked_game(
        salon,
        row.pk,
        round=1,
        table=1,
        label="1",
        actor="user:1",
        command=a_command(),
        version=row.version,
    )
    phone.clock.install()
    phone.goto("/tables/1/")
    began = _seconds(phone.locator("#clock .score").inner_text())

    does(row, ExtendTime(round=1, seconds=600, table=1))
    phone.clock.run_for(11_000)

    expect(phone.locator("#clock")).to_contain_text("(10:00 more for this table)")
    assert _seconds(phone.locator("#clock .score").inner_text()) > began + 500
    phone.clock.run_for(3_700_000)
    expect(phone.get_by_text("over time, since")).to_be_visible()
    expect(phone.get_by_text("left, until")).to_be_hidden()
    does(row, CallLastHand(round=1, at=time.time_ns() // 1000))
    phone.clock.run_for(11_000)
    expect(phone.locator("#clock")).to_contain_text("Finish the hand in progress.")
    expect(phone.locator("#unsent")).to_be_hidden()


def _seconds(clock: str) -> int:
    minutes, seconds = map(int, clock.split(":"))
    return 60 * minutes + seconds
