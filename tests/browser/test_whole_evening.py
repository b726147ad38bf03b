"""An evening of fifteen pairs and four rounds, half on pads and half typed, with every mishap of
such an evening, and no dead end in it.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from ledger.verify import verify_log
from scoring.commands import EndGame
from tests.browser.conftest import DESK, PHONE, visiting
from tests.browser.director import Director
from tests.browser.evenings import HANDS, Tapper, open_hand
from tests.browser.looking import found_by_axe
from tests.browser.reckoning import HALF, WIN, Paper
from tests.tournament.helpers.evenings import TREES, does, draft
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of, scorer_at, seated
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.stage import ChangeStage
from tournament.models import Game, Salon
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.standings import read_computed_standings
from tournament.recording.tables.salon_tables import retire_table
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
LOOK = os.environ.get("ACCORD_LOOK")  # a folder for pictures of the evening
SWISS = Stage(kind="swiss", rounds=4, tie_breaks=("score_difference", "buchholz"))
AWAY, LATE = "14", "15"  # who comes after the first draw, and who enters after the first round
MADE = (
    hand("N", (4, 3, 3, 4), (9, 4)),
    (72, -70),
)  # a hand by totals, and what North–South and East–West have from it
ON_THE_PAD = (
    {"dealer": "S", "bids": {"W": 2, "N": 4, "E": 3, "S": 3}, "tricks": {"NS": 8, "EW": 5}},
    (71, 50),
)
CORRECTED = {"NS": 6, "EW": 7}, (-70, 52)
CHECKED = {
    "asked-who-plays",
    "round-4",
    "podium",
}  # by axe, which takes its time; the others have tests of their own


class Evening:
    """An evening at the desk, what somebody notes on paper meanwhile, and the phones at the
    tables.
    """

    def __init__(self, desk: Director, browser: Browser, site: str, salon: Salon) -> None:
        self.desk, self.paper, self.salon = desk, Paper(), salon
        self.asked = 0  # how often the desk had to ask before it could record
        self.phone: Callable[[Client], Iterator[Page]] = lambda client: visiting(
            browser, site, client, viewport=PHONE
        )

    @property
    def number(self) -> int:
        return self.desk.state.rounds[-1].number

    def entries(self, table: int, number: int = 0) -> tuple[str, ...]:
        return self.desk.state.rounds[(number or self.number) - 1].tables[table - 1].entries

    def note(self, table: int, scores: tuple[int, int], number: int = 0) -> None:
        number = number or self.number
        self.paper.note(number, table, self.entries(table, number), scores)

    def game(self, table: int) -> Game:
        """The game of a table of the last round."""
        return Game.objects.get(pk=self.desk.state.rounds[-1].tables[table - 1].game)

    def play(self, *tables: int) -> None:
        """Play the games of these tables to their end, each a hand, and time is up."""
        for table in tables:
            record(
                self.game(table), *MADE[0], EndGame(kind="called", by="Mara", reason="Time was up.")
            )
            self.note(table, MADE[1])

    def type(self, *tables: int, becomes: str = "It was not played") -> None:
        """Type the results of these tables, all on one form, over the games that were started
        there: asked what becomes of them.
        """
        self.desk.at(f"rounds/{self.number}/")
        for table in tables:
            scores = 250 + 3 * table + self.number, 90 + 11 * table
            self.desk.type_scores(table, *(scores if table % 2 else scores[::-1]))
            self.note(table, scores if table % 2 else scores[::-1])
        games = [self.desk.state.rounds[-1].tables[table - 1].game for table in tables]
        begun = Game.objects.filter(pk__in=filter(None, games), finished=False)
        if any(game.state["hands"] for game in begun):  # an empty one is over without a word
            self.desk.refused("Record the results typed", "say what becomes of it")
            self.asked += 1
            for fields in self.desk.page.locator(
                ".deskround > li:has(fieldset:has-text('What becomes of the game'))"
            ).all():
                if fields.locator('[id^="b-"]').count():
                    fields.get_by_label(becomes).first.check()
                    fields.locator('[id^="b-"]').fill("Typed from their slip.")
        self.desk.press("Record the results typed")

    def draw(self) -> None:
        self.desk.at()
        self.desk.press(f"Draw round {self.desk.state.next_round}")

    def publish(self) -> None:
        self.desk.press("Publish it")
        number, drawn = self.number, self.desk.state.rounds[-1]
        self.paper.without_a_game |= {
            (number, bye.entry): WIN for bye in drawn.byes if bye.kind == "pairing"
        }

    def close(self) -> None:
        self.desk.at()
        self.desk.press("Close it")
        assert self.desk.state.rounds[-1].closed
        catch_up(self.salon.log, PROJECTIONS)

    def look_around(self) -> None:
        """Pictures of what others see meanwhile, where somebody wants to look."""
        for name, address in (
            ("home", "/"),
            ("seats", f"/tournaments/{self.desk.row.pk}/"),
            ("pad", "/tables/1/"),
            ("tables", "/tables/"),
        ):
            if LOOK:
                self.desk.page.goto(address)
                self.look(name)

    def look(self, name: str) -> None:
        page = self.desk.page
        assert name not in CHECKED or found_by_axe(page) == [], name
        if LOOK:
            for size in (PHONE, DESK):
                page.set_viewport_size(size)
                page.screenshot(path=Path(LOOK) / f"{name}-{size['width']}.png", full_page=True)
            page.set_viewport_size(DESK)


@pytest.fixture
def evening(browser: Browser, site: str, salon: Salon) -> Iterator[Evening]:
    """Fourteen pairs are entered; the salon has three tables."""
    row = does(draft(salon, SWISS), ChangeStage(name="Lantern Cup", stage=SWISS))
    pairs = (MakeEntry(players=(("1", f"First {name}"), ("2", f"Second {name}"))) for name in TREES)
    does(row, EnterPhase(phase="registration"), *pairs)
    for label in "45678":
        retire_table(salon, label, actor="user:1", command=a_command())
    for page in visiting(browser, site, owner_of(salon), viewport=DESK):
        yield Evening(Director(page, row), browser, site, salon)


@pytest.mark.long
def test_an_evening_with_every_mishap_has_no_dead_end(evening: Evening) -> None:
    check_in(evening)
    first_round(evening)
    second_round(evening)
    third_round(evening)
    fourth_round(evening)
    the_end(evening)

    assert len(evening.desk.refusals) == evening.asked, (
        evening.desk.refusals
    )  # each was asked for, and said in words
    assert list(audit(evening.salon)) == []
    assert list(verify_log(evening.salon.log_id, full=True)) == []


def check_in(evening: Evening) -> None:
    """One tap where they stand, all in one tap, and one who is not here after all."""
    desk, page = evening.desk, evening.desk.at("entries/")
    page.get_by_role(
        "button", name="Check in First Larch & Second Larch"
    ).scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    page.get_by_role("button", name="Check in First Larch & Second Larch").click()
    expect(page.locator("#entry-9")).to_contain_text("here")
    assert page.evaluate("scrollY") == before
    desk.press("All here")
    page.locator(f"#entry-{AWAY}").get_by_role("button", name="Not here after all").click()
    expect(page.get_by_role("button", name="Check in First Sorrel & Second Sorrel")).to_be_visible()
    desk.is_to_do("One entry is not checked in")
    desk.press("Start")


def first_round(evening: Evening) -> None:
    """Asked who plays; other lots; more tables than the salon has; a game that was not played;
    results typed over live ones.
    """
    desk, page = evening.desk, evening.desk.page
    desk.is_to_do("First Sorrel & Second Sorrel")
    evening.look("asked-who-plays")
    desk.press("Sits out First Sorrel & Second Sorrel")
    evening.draw()
    desk.unfold("Draw it with other lots")
    page.locator("#lots-reason").fill("The first lots were seen by a player.")
    desk.press("Draw with other lots")
    assert desk.state.rounds[0].seed is not None
    evening.publish()
    desk.press("Start a game at every table")
    expect(page.locator("#toasts")).to_contain_text("Tables 9, 10 and 11 are new.")
    expect(page.locator("#toasts")).to_contain_text(
        "Tables play elsewhere in the salon: 4 at 9, 5 at 10 and 6 at 11."
    )
    evening.look("games-started")
    at_a_pad(evening)
    evening.play(4, 5)
    desk.at("rounds/1/")
    desk.unfold("Something else", "#table-2")
    page.locator("#x-2").fill("They were called to the door.")
    desk.press("It was not played", "#table-2")
    expect(page.locator("#table-2 [id^=r-2]").first).to_be_visible()
    expect(page.locator("#table-2").get_by_role("button", name="Count it here")).to_have_count(0)
    assert not Game.objects.filter(salon=evening.salon, table="2", finished=False).exists()
    run_the_clock(evening)
    record(evening.game(3), *MADE[0])
    desk.takes("Type results")
    desk.at("rounds/1/")
    evening.type(2, 3, 6, becomes="It goes on and does not count")
    expect(page.locator("section:has(> #clock)")).to_have_count(0)
    evening.close()


def at_a_pad(evening: Evening) -> None:
    """Table 1 taps its hand on a phone, the desk ends the game, and the phone says who has won."""
    for phone in evening.phone(scorer_at(evening.salon, "1")):
        phone.goto("/tables/1/")
        tapper, (played, scores) = Tapper(phone), ON_THE_PAD
        open_hand(tapper, {**played, "trump": "V"})
        HANDS["precedence"](tapper, played, {"players": {}})
        expect(phone.locator("#ask")).to_have_text("Hand 1 is over")
        desk = evening.desk
        desk.at("rounds/1/")
        desk.unfold("Something else", "#table-1")
        desk.page.locator("#x-1").fill("Time is up.")
        desk.press("End it", "#table-1")
        expect(desk.page.locator("#table-1")).to_contain_text("Counts: the game")
        expect(phone.locator("#ask")).to_have_text("North–South win")
        evening.note(1, scores)


def run_the_clock(evening: Evening) -> None:
    desk, page = evening.desk, evening.desk.at()
    desk.press("Start", ".todo")
    desk.press("Finish the hand in progress")
    expect(page.locator(".clock").first).to_contain_text("Finish the hand in progress.")
    desk.press("Pause")


def second_round(evening: Evening) -> None:
    """A late entry; a swap and back; a substitute; a contradiction; a result taken back; an
    abandoned game; a no-show; a dispute.
    """
    desk = evening.desk
    a_late_entry(evening)
    desk.is_to_do("One entry is not checked in")
    desk.press("Here First Sorrel & Second Sorrel")
    evening.draw()
    swap_and_swap_back(evening)
    desk.press("End them, free the tables")
    evening.publish()
    stand_in(evening)
    desk.at("rounds/2/")
    desk.press("Start a game at every table")
    assert all(table.game for table in desk.state.rounds[1].tables)
    evening.play(1, 2, 4)
    abandon(evening, 3)
    contradict(evening, 4)
    no_show(evening, 6)
    evening.type(5, 7)
    take_back(evening, 5)
    dispute(evening, 1)
    enter_again(evening, 2)
    evening.close()


def a_late_entry(evening: Evening) -> None:
    """Who came late gets half for the round that was missed, and is here at once."""
    page = evening.desk.at("entries/")
    page.get_by_label("Player 1").fill("First Thorn")
    page.get_by_label("Player 2").fill("Second Thorn")
    page.get_by_label("For the round that was missed").select_option("half")
    evening.desk.press("Enter")
    evening.paper.without_a_game[1, LATE] = HALF
    page.get_by_role("button", name="Check in First Thorn").click()
    expect(page.locator(f"#entry-{LATE}")).to_contain_text("here")


def swap_and_swap_back(evening: Evening) -> None:
    """A swap that would make a rematch says so before; it is made; back again everybody sits as
    drawn, with the first reasons.
    """
    desk, page = evening.desk, evening.desk.page
    drawn = [table.entries for table in desk.state.rounds[1].tables]
    one, two = evening.entries(1, 1)
    table = next(entries for entries in drawn if one in entries or two in entries)
    stays = one if one in table else two
    (leaves,) = set(table) - {stays}
    for words, after in (
        ("They met in round 1", "Changed by hand"),
        ("Everybody would sit again as the draw had it", "Why they meet"),
    ):
        desk.unfold("Swap two")
        page.get_by_label("This entry").select_option(leaves)
        page.get_by_label("changes places with").select_option(two if stays == one else one)
        desk.press("See what changes")
        expect(page.locator("main")).to_contain_text(words)
        evening.look(f"swap-{after.lower().replace(' ', '-')}")
        desk.press("Swap")
        expect(page.locator("main")).to_contain_text(after)
    assert [table.entries for table in desk.state.rounds[1].tables] == drawn
    expect(page.locator("main")).not_to_contain_text("Changed by hand")


def stand_in(evening: Evening) -> None:
    """Somebody plays for one round only; the pair keeps its name."""
    desk = evening.desk
    entry = evening.entries(2)[0]
    page = desk.at(f"entries/{entry}/")
    name = page.locator("h1").inner_text()
    page.get_by_label("plays", exact=True).fill("Sue Kint")
    desk.press("For that round only")
    expect(page.get_by_text("Sue Kint plays for")).to_be_visible()
    expect(page.locator("h1")).to_contain_text(f"(entered as {name})")
    expect(desk.at("rounds/2/").locator("#table-2")).to_contain_text("Sue Kint")


def abandon(evening: Evening, table: int) -> None:
    """An abandoned game counts only when the director says so."""
    desk = evening.desk
    record(
        evening.game(table),
        *MADE[0],
        EndGame(kind="abandoned", by="Mara", reason="They quarrelled."),
    )
    desk.takes("Say what counts")
    desk.press("Let the game count", f"#table-{table}")
    evening.note(table, MADE[1])


def contradict(evening: Evening, table: int) -> None:
    """What is typed against a game is flagged, and settled with a reason."""
    desk, page = evening.desk, evening.desk.at(f"rounds/{evening.number}/")
    desk.unfold("Change it", f"#table-{table}")
    desk.type_scores(table, 190, 255, "c")
    desk.press("Record the change", f"#table-{table}")
    desk.takes("Compare them")
    expect(page.locator(f"#table-{table}")).to_contain_text("Its game says 72 : −70.")
    evening.look("contradiction")
    page.locator(f"#ok-{table}").fill("Their slip is signed by both sides.")
    desk.press("Leave it as it is", f"#table-{table}")
    evening.note(table, (190, 255))


def no_show(evening: Evening, table: int) -> None:
    """Who did not come loses without a game, and the game that was started there was not played."""
    desk, page = evening.desk, evening.desk.at(f"rounds/{evening.number}/")
    absent, came = evening.entries(table)
    desk.unfold("Something else", f"#table-{table}")
    here = page.locator(f"#table-{table}")
    here.get_by_label("Did not come").select_option(absent)
    desk.press("Forfeit", f"#table-{table}")
    expect(here).to_contain_text("absent")
    evening.paper.forfeit(evening.number, came, absent)


def take_back(evening: Evening, table: int) -> None:
    """A typed result is taken back, and there is a field to type the right one."""
    desk, page = evening.desk, evening.desk.at(f"rounds/{evening.number}/")
    desk.unfold("Change it", f"#table-{table}")
    desk.press("Take the result back", f"#table-{table}")
    expect(page.locator(f"#r-{table}-0-0")).to_be_visible()
    evening.type(table)


def dispute(evening: Evening, table: int) -> None:
    """A player disputes a hand on a phone; the desk leads there, and the director rules."""
    desk, page, game = evening.desk, evening.desk.page, evening.game(table)
    for phone in evening.phone(seated(game, "E")):
        phone.goto(f"/games/{game.pk}/confirmation/")
        phone.get_by_text("Something is wrong").first.click()
        phone.get_by_label("What it should be").first.fill("East–West took five tricks")
        phone.get_by_role("button", name="Send to the director").first.click()
        expect(phone.locator("#hand-1")).to_contain_text("Disputed")
    desk.is_to_do(f"Dispute at table {table}, round {evening.number}")
    desk.takes("Look at it")
    page.get_by_label("Why it stands").fill("The tricks were still on the table.")
    desk.press("Rule that it stands as recorded")
    expect(page.locator("#hand-1")).to_contain_text("Ruled")


def enter_again(evening: Evening, table: int) -> None:
    """The last hand of a finished game is entered once more at its table; the same numbers confirm
    it.
    """
    game = evening.game(table)
    for phone in evening.phone(scorer_at(evening.salon, str(table))):
        phone.goto(f"/games/{game.pk}/hands/1/second-entry/")
        phone.locator('[name="dealer"][value="N"]').check(force=True)
        for field, number in (
            ("bids.N", 4),
            ("bids.E", 3),
            ("bids.S", 3),
            ("bids.W", 4),
            ("tricks.NS", 9),
            ("tricks.EW", 4),
        ):
            phone.locator(f'[id="{field}"]').fill(str(number))
        phone.get_by_role("button", name="Hand in").click()
        expect(phone.locator("#hand-1")).to_contain_text("Confirmed")


def third_round(evening: Evening) -> None:
    """The no-show is asked about; a game of round 1 is corrected after the draw, and a typed result
    of it changed in its place.
    """
    desk = evening.desk
    absent = evening.entries(6, 2)[0]
    desk.is_to_do("One entry is not checked in")
    desk.page.locator(".presence li").get_by_role("button", name="Here").click()
    expect(desk.page.locator(".presence")).to_have_count(0)
    assert absent in {entry.id for entry in desk.state.entries if entry.checked_in}
    evening.draw()
    evening.publish()
    desk.press("Start a game at every table")
    evening.look_around()
    correct_the_first_round(evening)
    change_in_place(evening)
    evening.play(1, 2, 3, 4)
    record(evening.game(5), *MADE[0])
    evening.type(5, 6, 7, becomes="It goes on and does not count")
    evening.close()


def correct_the_first_round(evening: Evening) -> None:
    """The preview, the desk and the round say that a draw rests on what the result was."""
    desk, page = evening.desk, evening.desk.page
    game = desk.state.rounds[0].tables[0].game
    page.goto(f"/games/{game}/corrections/hand/?hand=1")
    for side, tricks in (("North–South", CORRECTED[0]["NS"]), ("East–West", CORRECTED[0]["EW"])):
        page.get_by_label(f"{side} tricks").fill(str(tricks))
    desk.press("See what changes")
    for words in (
        "This game is round 1, table 1 of Lantern Cup",
        "its winner changes",
        "Rounds 2, 3 were drawn before",
    ):
        expect(page.locator("main")).to_contain_text(words)
    page.get_by_label("Why it is corrected").fill("Counted from the wrong pile.")
    desk.press("Correct it")
    evening.note(1, CORRECTED[1], 1)
    catch_up(evening.salon.log, PROJECTIONS)
    desk.is_to_do("Round 3 was drawn before a result changed")
    evening.look("drawn-before")
    desk.at("rounds/3/")
    expect(page.locator("main")).to_contain_text("This round was drawn before a result changed.")


def change_in_place(evening: Evening) -> None:
    """A typed result of a closed round is changed in one step, with a reason, which is
    asked for.
    """
    desk, page = evening.desk, evening.desk.at("rounds/1/")
    desk.unfold("Change it", "#table-3")
    desk.type_scores(3, 90, 255, "c")
    desk.refused("Record the change", "say why its result changes", "#table-3")
    evening.asked += 1
    page.locator("#cr-3").fill("Typed the wrong way round.")
    desk.press("Record the change", "#table-3")
    evening.note(3, (90, 255), 1)


def fourth_round(evening: Evening) -> None:
    """The games that still go on free their tables with one tap."""
    desk = evening.desk
    evening.draw()
    desk.press("End them, free the tables")
    evening.publish()
    desk.press("Start a game at every table")
    evening.look("round-4")
    evening.play(1, 2, 3, 4)
    evening.type(5, 6, 7)
    evening.close()


def the_end(evening: Evening) -> None:
    """Winner and podium on the public page; the standings are those on paper."""
    desk, row = evening.desk, evening.desk.row
    desk.press("Finish")
    catch_up(evening.salon.log, PROJECTIONS)
    page = desk.page
    page.goto(f"/tournaments/{row.pk}/")
    expected = evening.paper.standings([entry.id for entry in desk.state.entries])
    expect(page.locator(".podium h2")).to_have_text(
        "The winners" if expected[0][1:] == expected[1][1:] else "The winner"
    )
    assert page.locator(".podium li").count() >= 3
    evening.look("podium")
    table = read_computed_standings(row)[0]
    assert table is not None
    assert sorted(
        (each.entry, each.points, each.tie_breaks[0][1]) for each in table.rows
    ) == sorted(expected)
    assert [each.points for each in table.rows] == [
        points for _entry, points, _difference in expected
    ]
    page.goto(f"/tournaments/{row.pk}/standings/")
    evening.look("standings")
