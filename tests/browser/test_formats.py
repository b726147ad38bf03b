"""A short evening of each format by a director at a tablet: set up by the form, entered by a list,
results typed on the round's form, and the standings those reckoned on paper.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.conftest import PHONE, visiting
from tests.browser.director import Director
from tests.browser.looking import fits, found_by_axe
from tests.tournament.helpers.salons import owner_of
from tournament.accounts.captain_links import links_of
from tournament.domain.tournament.state import RoundState
from tournament.models import Salon, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.standings import read_computed_standings
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
TABLET: ViewportSize = {"width": 820, "height": 1180}
LOOK = os.environ.get("ACCORD_LOOK")  # a folder for pictures
LATE = "Wren Late"


@pytest.fixture
def tablet(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """The director's tablet."""
    yield from visiting(browser, site, owner_of(salon), viewport=TABLET)


def set_up(page: Page, game: str, form: str, rounds: str, **choices: str) -> Director:
    """The event, set up by the form; `choices` by the name of a field, `__` for a dot."""
    page.goto("/tournaments/new/")
    page.get_by_label("Name", exact=True).fill("Lantern Night")
    page.get_by_label("Game", exact=True).select_option(game)
    page.locator("#format").select_option(form)
    page.locator("#rounds").fill(rounds)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    for name, value in choices.items():
        field = page.locator(f'[name="{name.replace("__", ".")}"]')
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = false)")
    expect(page.locator("#accelerated")).to_be_visible(visible=form == "swiss")
    looked_at(page, f"{form}-1-set-up")
    page.get_by_role("button", name="Set it up").click()
    page.wait_for_url("**/desk/")
    return Director(page, Tournament.objects.get())


def enter(desk: Director, names: Sequence[str], kind: str) -> None:
    """Everybody by a pasted list, and everybody is here."""
    page = desk.page
    desk.press("Open registration")
    desk.at("entries/")
    page.locator("details:has(#list)").evaluate("each => each.open = true")
    page.get_by_label("One entry a line").fill("\n".join(names))
    desk.press("Look at the list")
    page.locator("[name=keep]").click()
    desk.press("All here")
    looked_at(page, f"{kind}-2-entries")
    desk.at()
    desk.press("Start")


def draw(desk: Director, kind: str) -> RoundState:
    """The next round, drawn and published."""
    desk.at()
    number = desk.state.next_round
    desk.press(f"Draw round {number}")
    looked_at(desk.page, f"{kind}-3-drawn-{number}", number == 1)
    desk.press("Publish it")
    looked_at(desk.page, f"{kind}-4-to-type-{number}", number == 1)
    return last(desk)


def last(desk: Director) -> RoundState:
    found = desk.state.last
    assert found is not None
    return found


def close(desk: Director, kind: str) -> None:
    """The results typed are recorded, and the round is closed."""
    desk.press("Record the results typed")
    number = last(desk).number
    looked_at(desk.page, f"{kind}-5-typed-{number}", number == 1)
    desk.press("Close the round")
    assert last(desk).closed
    looked_at(desk.page, f"{kind}-6-desk-{number}", number == 1)


def standings(desk: Director, salon: Salon, kind: str, places: Sequence[str] = ()) -> list[int]:
    """It is over: the points of all entries in their order; pages that everybody sees are whole,
    and so are the books.
    """
    desk.at()
    desk.press("Finish")
    catch_up(salon.log, PROJECTIONS)
    for place in ("", "standings/", "rounds/1/", "entries/1/", *places):
        desk.page.goto(f"/tournaments/{desk.row.pk}/{place}")
        looked_at(desk.page, f"{kind}-7-{place.strip('/').replace('/', '-') or 'public'}")
    assert desk.failures == []
    assert list(audit(salon)) == []
    table, _position = read_computed_standings(desk.row)
    assert table is not None
    points = {each.entry: each.points or 0 for each in table.rows}
    return [points[str(number)] for number in range(1, len(desk.state.entries) + 1)]


def looked_at(page: Page, name: str, checked: bool = True) -> None:
    """Nothing is wider than a phone, and axe finds nothing; a picture where somebody wants to
    look.
    """
    page.wait_for_load_state()
    if checked:
        assert found_by_axe(page) == [], name
        for size in (PHONE, TABLET):
            page.set_viewport_size(size)
            assert fits(page), name
            if LOOK:
                page.screenshot(path=Path(LOOK) / f"{name}-{size['width']}.png", full_page=True)


def people(count: int) -> list[str]:
    return [f"Guest {number:02}" for number in range(1, count + 1)]


def pairs(count: int) -> list[str]:
    return [f"First {number:02} & Second {number:02}" for number in range(1, count + 1)]


def type_at(desk: Director, table: int, scores: Sequence[int]) -> None:
    """A number for each who is asked for one at a table."""
    fields = desk.page.locator(f"#table-{table} .typed input")
    assert fields.count() == len(scores)
    for place, score in enumerate(scores):
        fields.nth(place).fill(str(score))


def type_chips(desk: Director, paper: Counter[str], opponents: int) -> None:
    """At each table without a result the first wins from all others, the second from the last; what
    is won at a table of three is brought to the three opponents of a table of four.
    """
    desk.at(f"rounds/{last(desk).number}/")
    for table in last(desk).tables:
        if not table.has_started:
            size = len(table.entries)
            chips = [10 * (size - 1), 5 * (table.table % 2), *[-10] * (size - 2)]
            chips[-1] -= sum(chips)
            type_at(desk, table.table, chips)
            worth = [100 * each * opponents // (size - 1) for each in chips]
            paper.update(dict(zip(table.entries, worth, strict=True)))


@pytest.mark.long
def test_seven_play_preference_at_threes_and_who_did_not_come_forfeits(
    tablet: Page, salon: Salon
) -> None:
    desk = set_up(tablet, "preference", "pods", "2", pods__sizes="3", pods__seating="planned")
    enter(desk, people(7), "pods")
    paper: Counter[str] = Counter()
    first = draw(desk, "pods")
    assert [len(table.entries) for table in first.tables] == [3, 3]
    assert len(first.byes) == 1

    here = tablet.locator("#table-1")
    desk.unfold("Something else", "#table-1")
    here.get_by_label(f"Guest 0{first.tables[0].entries[0]}", exact=True).check()
    looked_at(tablet, "pods-4-forfeit")
    desk.press("Forfeit", "#table-1")
    expect(here).to_contain_text("absent")
    type_chips(desk, paper, 2)
    close(desk, "pods")
    desk.is_to_do("One entry is not checked in")
    looked_at(tablet, "pods-6-who-plays")
    desk.press("Here")
    draw(desk, "pods")
    type_chips(desk, paper, 2)
    close(desk, "pods")

    found = standings(desk, salon, "pods", ("plan/", "plan/crosstable/"))
    assert found == [paper[str(number)] for number in range(1, 8)]
    assert sum(found) == 0


@pytest.mark.long
def test_ten_play_sabacc_where_one_is_missing_and_one_comes_late(
    tablet: Page, salon: Salon
) -> None:
    desk = set_up(tablet, "contract_sabacc", "pods", "2", pods__sizes="4,3", pods__seating="score")
    enter(desk, people(10), "sabacc")
    paper: Counter[str] = Counter()
    first = draw(desk, "sabacc")
    assert sorted(len(table.entries) for table in first.tables) == [3, 3, 4]

    full = next(table for table in first.tables if len(table.entries) == 4)
    gone = full.entries[2]
    desk.unfold("Somebody is missing")
    tablet.get_by_label("Who does not come").select_option(
        f"table:number={full.table}&entry={gone}"
    )
    looked_at(tablet, "sabacc-4-missing")
    desk.press("Play without")
    assert all(len(table.entries) == 3 for table in last(desk).tables)
    desk.unfold("Somebody is missing")
    tablet.get_by_label("Who sits down after all").select_option(gone)
    tablet.get_by_label("Table", exact=True).select_option("1")
    desk.press("Let them sit down")
    assert gone in last(desk).tables[0].entries
    desk.unfold("Somebody is missing")
    tablet.get_by_label("Who does not come").select_option(f"table:number=1&entry={gone}")
    desk.press("Play without")
    type_chips(desk, paper, 3)
    close(desk, "sabacc")

    come_late(desk)
    second = draw(desk, "sabacc")
    assert sorted(len(table.entries) for table in second.tables) == [3, 4, 4]
    type_chips(desk, paper, 3)
    close(desk, "sabacc")

    found = standings(desk, salon, "sabacc")
    assert found == [paper[str(number)] for number in range(1, 12)]


def come_late(desk: Director) -> None:
    """Somebody is entered after the first round, and is here."""
    page = desk.at("entries/")
    page.locator("#new-entry").get_by_label("Player", exact=True).fill(LATE)
    desk.press("Enter", "#new-entry")
    page.get_by_role("button", name=f"Check in {LATE}").click()
    expect(page.locator("#entry-11")).to_contain_text("here")


@pytest.mark.long
def test_nine_change_partners_and_a_result_a_side_is_typed(tablet: Page, salon: Salon) -> None:
    desk = set_up(tablet, "precedence", "rotating", "2", rotating__games_a_sitting="1")
    enter(desk, people(9), "rotating")
    paper: Counter[str] = Counter()
    for _number in (1, 2):
        drawn = draw(desk, "rotating")
        (bye,) = drawn.byes
        paper[bye.entry] += 50  # whoever sits out has half a point
        for table in drawn.tables:
            type_at(desk, table.table, (251, 180 + table.table))
            paper.update(dict.fromkeys((table.entries[0], table.entries[2]), 100))
        close(desk, "rotating")

    found = standings(desk, salon, "rotating", ("plan/", "plan/crosstable/"))
    assert found == [paper[str(number)] for number in range(1, 10)]


@pytest.mark.long
def test_six_pairs_play_a_mitchell_deal_by_deal(tablet: Page, salon: Salon) -> None:
    assert_played_deal_by_deal(tablet, salon, 6, movement="mitchell", winners="2")


@pytest.mark.long
def test_four_pairs_play_a_howell_deal_by_deal(tablet: Page, salon: Salon) -> None:
    assert_played_deal_by_deal(tablet, salon, 4, movement="howell", winners="1")


def assert_played_deal_by_deal(
    tablet: Page, salon: Salon, size: int, *, movement: str, winners: str
) -> None:
    """Two rounds of a movement, two deals each: the standings are those reckoned on paper."""
    desk = set_up(
        tablet,
        "precedence",
        "movement",
        "2",
        movement__movement=movement,
        movement__deals_a_round="2",
        movement__winners=winners,
    )
    enter(desk, pairs(size), "movement")
    scores: dict[int, dict[str, int]] = {}  # by deal and entry: how far ahead of its opponents
    played: dict[str, list[list[int]]] = {}  # by entry: the deals of each round
    sits: dict[int, dict[str, int]] = {}  # by deal and entry: N–S or E–W
    for _number in (1, 2):
        for table in draw(desk, "movement").tables:
            typed = [(10 * table.table + deal, 25 - deal) for deal in table.deals]
            type_at(desk, table.table, [side[place] for place in (0, 1) for side in typed])
            for deal, (one, two) in zip(table.deals, typed, strict=True):
                ahead = dict(zip(table.entries, (one - two, two - one), strict=True))
                scores.setdefault(deal, {}).update(ahead)
            for place, entry in enumerate(table.entries):
                for deal in table.deals:
                    sits.setdefault(deal, {})[entry] = place
                played.setdefault(entry, []).append(list(table.deals))
        close(desk, "movement")

    found = standings(desk, salon, "movement", ("plan/", "deals/", "deals/1/"))
    expected = []
    for number in range(1, size + 1):
        entry = str(number)
        shares = [
            beaten(scores[deal][entry], others(scores[deal], entry, sits[deal]))
            for deals in played[entry]
            for deal in deals
        ]
        expected.append(round(sum(shares) / len(shares)))
    assert found == expected


def others(scores: dict[str, int], entry: str, sits: dict[str, int]) -> list[int]:
    """What all others had in the same seats."""
    return [
        score for other, score in scores.items() if other != entry and sits[other] == sits[entry]
    ]


def beaten(own: int, against: Sequence[int]) -> float:
    """The share of the others that was beaten in hundredths of a per cent, an equal as half; half
    where nobody else played.
    """
    if not against:
        return 5000
    return (
        10000 * sum(1.0 if own > each else 0.5 * (own == each) for each in against) / len(against)
    )


@pytest.mark.long
def test_five_play_the_same_patience(tablet: Page, salon: Salon) -> None:
    desk = set_up(
        tablet,
        "order_of_precedence",
        "duplicate",
        "1",
        duplicate__deals="2",
        duplicate__scoring="built",
    )
    enter(desk, people(5), "duplicate")
    desk.at()
    desk.press("Draw the deals")
    looked_at(tablet, "duplicate-3-deals")
    paper: Counter[str] = Counter()
    for table in draw(desk, "duplicate").tables:
        type_at(desk, table.table, [20 + table.table, 30 - 2 * table.table])
        paper[table.entries[0]] += 100 * (50 - table.table)
    close(desk, "duplicate")

    found = standings(desk, salon, "duplicate", ("deals/", "deals/1/"))
    assert found == [paper[str(number)] for number in range(1, 6)]


@pytest.mark.long
def test_six_pairs_play_a_swiss_and_the_first_four_a_knock_out(tablet: Page, salon: Salon) -> None:
    desk = set_up(
        tablet, "precedence", "swiss", "2", stages__2__kind="knockout", stages__2__top="4"
    )
    enter(desk, pairs(6), "swiss")
    paper: Counter[str] = Counter()
    for _number in (1, 2):
        for table in draw(desk, "swiss").tables:
            paper[type_match(desk, table.table, table.entries)] += 100
        close(desk, "swiss")
    desk.is_to_do("Begin stage 2")
    looked_at(tablet, "swiss-8-cut")
    desk.press("Begin stage 2")
    looked_at(tablet, "swiss-9-begun")
    assert desk.state.stage_number == 2
    seeds = desk.state.begun[-1].cut.entries
    assert len(seeds) == 4
    out = set(map(str, range(1, 7))) - set(seeds)
    assert min(paper[entry] for entry in seeds) >= max(paper[entry] for entry in out)

    winners: list[str] = []
    for _number in (3, 4):
        drawn = draw(desk, "knockout")
        winners = [type_match(desk, table.table, table.entries) for table in drawn.tables]
        close(desk, "knockout")
    assert len(winners) == 1

    desk.at()
    desk.press("Finish")
    catch_up(salon.log, PROJECTIONS)
    for place in ("", "standings/", "bracket/", "entries/1/"):
        tablet.goto(f"/tournaments/{desk.row.pk}/{place}")
        looked_at(tablet, f"swiss-9-{place.strip('/').replace('/', '-') or 'public'}")
    found, _position = read_computed_standings(desk.row)
    assert found is not None
    assert found.rows[0].entry == winners[0] == min(seeds, key=int)


def type_match(desk: Director, table: int, entries: Sequence[str]) -> str:
    """The lower number wins; who that is."""
    lower = min(entries, key=int)
    type_at(desk, table, [251 if entry == lower else 170 + int(entry) for entry in entries])
    return lower


def test_two_teams_play_and_a_captain_hands_in_by_phone(
    tablet: Page, browser: Browser, site: str, salon: Salon
) -> None:
    desk = set_up(tablet, "precedence", "swiss", "1", line_up="2")
    enter(desk, ["Asha Renn & Bruno Sol & Cato Liss", "Dora Venn & Emil Lark & Fenn Moss"], "teams")
    expect_fields(desk, 3)
    draw(desk, "teams")
    expect(tablet.get_by_role("button", name="Record the results typed")).to_have_count(0)

    handed_in_by_phone(desk, browser, site)
    desk.at("rounds/1/")
    expect(tablet.get_by_text("Handed in, sealed.", exact=True)).to_have_count(1)
    form = tablet.locator("details:has([name='entry'][value='2'])")
    form.get_by_text("Hand it in for the captain").click()
    for field, name in zip(form.locator("select").all(), ("Dora Venn", "Dora Venn"), strict=True):
        field.select_option(name)
    form.get_by_role("button", name="Hand in the line-up").click()
    expect(form.locator("[aria-invalid=true]")).to_have_count(1)
    looked_at(tablet, "teams-5-refused")
    form.locator("select").last.select_option("Fenn Moss")
    form.get_by_role("button", name="Hand in the line-up").click()

    entries = last(desk).tables[0].entries
    expect(tablet.get_by_role("button", name="Record the results typed")).to_have_count(1)
    type_at(desk, 1, [251 if entry == "1" else 170 for entry in entries])
    close(desk, "teams")
    assert standings(desk, salon, "teams") == [100, 0]
    first, second = desk.state.entries
    desk.page.goto(f"/tournaments/{desk.row.pk}/rounds/1/")
    expect(desk.page.get_by_text("Cato Liss & Asha Renn").first).to_be_visible()
    assert len(first.line_ups) == len(second.line_ups) == 1


def test_two_teams_meet_at_two_tables_and_the_sum_of_both_decides(
    tablet: Page, salon: Salon
) -> None:
    desk = set_up(tablet, "precedence", "swiss", "1", line_up="2", tables_a_match="2")
    teams = (("Asha", "Bruno", "Cato", "Dora"), ("Emil", "Fenn", "Gus", "Hanna"))
    enter(desk, [" & ".join(f"{name} Renn" for name in team) for team in teams], "match")
    draw(desk, "match")
    for entry, team in zip("12", teams, strict=True):
        form = tablet.locator(f"details:has([name='entry'][value='{entry}'])")
        form.get_by_text("Hand it in for the captain").click()
        for field, name in zip(form.locator("select").all(), team, strict=True):
            field.select_option(f"{name} Renn")
        looked_at(tablet, f"match-5-line-up-{entry}", entry == "1")
        form.get_by_role("button", name="Hand in the line-up").click()

    for table in (1, 2):
        entries = last(desk).tables[table - 1].entries
        behind = 200 if table == 1 else 260  # the first is 51 ahead at one, 9 behind at the other
        type_at(desk, table, [251 if entry == "1" else behind for entry in entries])
    close(desk, "match")

    assert standings(desk, salon, "match", ("entries/1/points/",)) == [100, 0]


def expect_fields(desk: Director, members: int) -> None:
    """The form of a new entry asks for so many at once, and for all eight when asked to."""
    desk.at("entries/")
    fields = desk.page.locator("#new-entry [name^='players.']")
    expect(fields).to_have_count(8)
    expect(desk.page.locator("#new-entry [name^='players.']:visible")).to_have_count(members)


def handed_in_by_phone(desk: Director, browser: Browser, site: str) -> None:
    """The captain of team 1 opens the link, gives the PIN and hands in; twice the same member is
    refused at the field.
    """
    link = links_of(desk.row, ["1"])["1"]
    context = browser.new_context(base_url=site, viewport=PHONE)
    try:
        page = context.new_page()
        page.goto(f"/captains/{link.token}/")
        looked_at_by_phone(page, "captain-1-door")
        page.get_by_label("PIN").fill(link.pin)
        page.get_by_role("button", name="Go to the line-up").click()
        chosen = page.locator("select")
        expect(chosen).to_have_count(2)
        looked_at_by_phone(page, "captain-2-to-hand-in")
        for field, name in zip(chosen.all(), ("Cato Liss", "Cato Liss"), strict=True):
            field.select_option(name)
        page.get_by_role("button", name="Hand in the line-up").click()
        expect(chosen.last).to_have_attribute("aria-invalid", "true")
        looked_at_by_phone(page, "captain-3-refused")
        chosen.last.select_option("Asha Renn")
        page.get_by_role("button", name="Hand in the line-up").click()
        expect(page.get_by_text("Handed in, sealed.", exact=True)).to_be_visible()
        looked_at_by_phone(page, "captain-4-sealed")
    finally:
        context.close()


def looked_at_by_phone(page: Page, name: str) -> None:
    """Nothing is wider than the phone, and axe finds nothing."""
    page.wait_for_load_state()
    assert found_by_axe(page) == [], name
    assert fits(page), name
    if LOOK:
        page.screenshot(path=Path(LOOK) / f"{name}.png", full_page=True)


def test_the_form_offers_the_tie_breaks_that_go_with_the_scale(tablet: Page) -> None:
    tablet.goto("/tournaments/new/")
    tablet.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    wins = tablet.locator('[name="tie_breaks.5"] option[value="wins"]')
    for game, scale, offered in (
        ("contract_sabacc", "usual", False),
        ("contract_sabacc", "match", True),
        ("contract_sabacc", "chips", False),
        ("precedence", "usual", True),
    ):
        tablet.get_by_label("Game", exact=True).select_option(game)
        tablet.locator("#scale").select_option(scale)
        assert wins.evaluate("each => !each.disabled") == offered, (game, scale)
    tablet.locator("#format").select_option("movement")
    assert wins.evaluate("each => each.disabled")
