"""Twenty pairs live at ten tables: every table is recorded by its own link, and a second phone
beside it follows by itself.
"""

from collections.abc import Iterator, Sequence

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import visiting
from tests.tournament.helpers.evenings import does, draft, here
from tests.tournament.helpers.playing import a_command, about
from tests.tournament.helpers.salons import owner_of, scorer_at
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.stage import ChangeStage
from tournament.models import Game, Salon, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.standings import read_computed_standings
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser
PAIRS, TABLES = 20, 10
ONE_HAND = Conditions(options=(("hands_limit", 1),))


@pytest.mark.parametrize(
    "seconds",
    [("1", "10"), pytest.param(tuple(map(str, range(1, TABLES + 1))), marks=pytest.mark.long)],
)
@pytest.mark.long
def test_ten_tables_are_recorded_at_once_and_the_second_phones_follow(
    browser: Browser, site: str, salon: Salon, seconds: Sequence[str]
) -> None:
    row = ten_tables(salon)
    tables = [str(number) for number in range(1, TABLES + 1)]
    recorders = {label: scorer_at(salon, label) for label in tables}
    phones = list(beside(browser, site, salon, seconds))

    for collection, fields, then in a_hand():
        for label, recorder in recorders.items():
            tapped(recorder, label, collection, fields)
        for phone, _pages in phones:
            expect(phone.locator("#ask")).to_have_text(then)

    assert Game.objects.filter(salon=salon, finished=True).count() == TABLES
    for _phone, pages in phones:
        next(pages, None)
    catch_up(salon.log, PROJECTIONS)
    table = read_computed_standings(row)[0]
    assert table is not None
    assert sorted(each.points or 0 for each in table.rows) == [0] * TABLES + [100] * TABLES
    assert list(audit(salon)) == []


def ten_tables(salon: Salon) -> Tournament:
    """Twenty pairs in their first round, with a game of one hand at every table; the salon had
    eight tables.
    """
    stage = Stage(kind="swiss", rounds=1)
    row = does(
        draft(salon, stage),
        ChangeStage(name="Full House", stage=stage, conditions=ONE_HAND),
        EnterPhase(phase="registration"),
    )
    does(
        row,
        *(
            MakeEntry(players=(("1", f"First {number}"), ("2", f"Second {number}")))
            for number in range(1, PAIRS + 1)
        ),
    )
    does(row, *here(row), EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))
    every = {"version": str(row.version), "command": a_command(), "round": "1", "table": "all"}
    assert (
        owner_of(salon).post(f"/tournaments/{row.pk}/desk/games/?page=round-1", every).status_code
        == 302
    )
    assert Game.objects.filter(salon=salon, finished=False).count() == TABLES
    return row


def a_hand() -> Sequence[tuple[str, dict[str, str], str]]:
    """The taps of a hand by totals (collection, fields), and what every pad asks after each: South
    deals, North–South make their seven.
    """
    bids = [
        ("W", "2", "North bids"),
        ("N", "4", "East bids"),
        ("E", "3", "South bids"),
        ("S", "3", "Who won trick 1?"),
    ]
    return [
        ("hands", {"dealer": "S"}, "West bids"),
        *(("bids", {"seat": seat, "tricks:number": tricks}, then) for seat, tricks, then in bids),
        ("totals", {"fields": "NS:number=8&EW:number=5"}, "North–South win"),
    ]


def tapped(recorder: Client, label: str, collection: str, fields: dict[str, str]) -> None:
    """One tap on the pad of a table, as its page offers it."""
    pad = recorder.get(f"/tables/{label}/")
    answer = recorder.post(f"/tables/{label}/{collection}/", about(pad) | fields)
    assert answer.status_code in (200, 302, 303), (label, collection, answer.status_code)


def beside(
    browser: Browser, site: str, salon: Salon, labels: Sequence[str]
) -> Iterator[tuple[Page, Iterator[Page]]]:
    """A second phone on the pad of each of these tables."""
    for label in labels:
        pages = visiting(browser, site, scorer_at(salon, label))
        phone = next(pages)
        phone.goto(f"/tables/{label}/")
        yield phone, pages
