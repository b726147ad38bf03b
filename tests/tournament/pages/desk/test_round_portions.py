"""A round of many tables at the desk: a portion at a time, every table reachable, nothing typed
lost.
"""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.tournament.helpers.answers import Answer, Shown
from tests.tournament.helpers.evenings import SWISS, does
from tests.tournament.helpers.many_results import drawn, of_pairs
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.same_deals import running
from tournament.domain.tournament.rounds import CloseRound
from tournament.models import Salon, Tournament
from tournament.pages.desk import pagination
from tournament.streams.tournament_rows import state_of


@pytest.fixture
def row(salon: Salon, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """A round of seven tables, three to a page."""
    monkeypatch.setattr(pagination, "MOST_TABLES", 3)
    found = of_pairs(salon, 14, SWISS)
    drawn(found)
    return found


def page(owner: Client, row: Tournament, query: str = "") -> Shown:
    return owner.get(f"/tournaments/{row.pk}/desk/rounds/1/{query}")


def tables(answer: Shown) -> list[int]:
    """The tables that a page has."""
    return [int(number) for number in re.findall(r'<li id="table-(\d+)"', answer.content.decode())]


def sent(owner: Client, row: Tournament, query: str = "", /, **fields: object) -> Answer:
    row.refresh_from_db()
    about = {"command": a_command(), "version": str(row.version)}
    return owner.post(
        f"/tournaments/{row.pk}/desk/rounds/1/results/?page=round-1{query}",
        about | {key: str(value) for key, value in fields.items()},
    )


def typed(*numbers: int, score: int = 250) -> dict[str, int]:
    return {
        f"tables.t{number}.results.{place}.score:half": score - 50 * place
        for number in numbers
        for place in (0, 1)
    }


def recorded(row: Tournament) -> list[int]:
    row.refresh_from_db()
    return [each.table for each in state_of(row).rounds[0].tables if each.results]


def test_a_round_that_fits_has_one_page(salon: Salon, owner: Client) -> None:
    row = of_pairs(salon, 14, SWISS)
    drawn(row)

    assert tables(page(owner, row)) == [1, 2, 3, 4, 5, 6, 7]
    assert 'id="find"' not in page(owner, row).content.decode()
    assert sent(owner, row, **typed(2)).headers["Location"].endswith("/rounds/1/")


def test_every_table_is_on_one_page(owner: Client, row: Tournament) -> None:
    assert tables(page(owner, row)) == [1, 2, 3]
    assert tables(page(owner, row, "?table=5")) == [4, 5, 6]
    assert tables(page(owner, row, "?table=7")) == [7]
    for nonsense in ("0", "8", "-1", "x", "9" * 30, ""):
        assert tables(page(owner, row, f"?table={nonsense}")) == [1, 2, 3]


@pytest.mark.parametrize("number", ["9" * 5_000, "\N{ARABIC-INDIC DIGIT TWO}", "x"])
def test_a_number_that_no_table_has_is_refused_on_the_page(
    owner: Client, row: Tournament, number: str
) -> None:
    one = sent(owner, row, table=number, **{"results.0.score:half": "3"})
    all_at_once = sent(owner, row, **{f"tables.t{number}.results.0.score:half": "3"})

    assert {one.status_code, all_at_once.status_code} <= {400, 422}
    assert recorded(row) == []


def test_a_page_that_no_round_has_leads_back_to_the_desk(owner: Client, row: Tournament) -> None:
    for table, number in enumerate(("9" * 5_000, "0", "\N{ARABIC-INDIC DIGIT TWO}"), start=1):
        answer = sent(owner, row, f"&page=round-{number}", **typed(table))
        assert answer.headers["Location"].endswith(f"/tournaments/{row.pk}/desk/")
    assert recorded(row) == [1, 2, 3]


def test_tables_are_found_by_number_and_by_the_words_of_a_name(
    owner: Client, row: Tournament
) -> None:
    sits = next(each for each in state_of(row).rounds[0].tables if "13" in each.entries)

    assert tables(page(owner, row, "?find=6")) == [6]
    assert tables(page(owner, row, "?find=aster+13")) == [sits.table]
    assert tables(page(owner, row, "?find=ASTER")) == [1, 2, 3]
    assert "7 tables found, 3 of them here" in told(page(owner, row, "?find=aster"))
    nobody = page(owner, row, "?find=Zoe")
    assert tables(nobody) == []
    assert "nobody is called so" in told(nobody)


def test_what_is_typed_is_recorded_on_the_way_to_other_tables(
    owner: Client, row: Tournament
) -> None:
    on = sent(owner, row, "&table=1", **typed(1), next=4)
    assert on.headers["Location"].endswith("/rounds/1/?table=4")
    found = sent(owner, row, "&table=4", **typed(5), find="aster 1")
    assert found.headers["Location"].endswith("/rounds/1/?find=aster+1")
    stays = sent(owner, row, "&table=4", **typed(4), find="")
    assert stays.headers["Location"].endswith("/rounds/1/?table=4")
    assert recorded(row) == [1, 4, 5]

    nothing = sent(owner, row, "&find=aster", find="", next=7)
    assert nothing.headers["Location"].endswith("/rounds/1/?table=7")
    assert sent(owner, row, "&table=4").status_code == 400, "nothing typed, nowhere to go"


def test_a_result_that_is_refused_is_shown_with_its_table_wherever_that_is(
    owner: Client, row: Tournament
) -> None:
    for query in ("", "&table=1", "&find=Zoe", "&table=7"):
        answer = sent(owner, row, query, **typed(5), **{"tables.t5.hands:number": -1}, next=1)
        assert answer.status_code in (400, 422)
        shown = answer.content.decode()
        assert '<li id="table-5"' in shown
        assert 'value="250"' in shown
    assert recorded(row) == []


def test_the_page_leads_to_results_missing_elsewhere(owner: Client, row: Tournament) -> None:
    sent(owner, row, **typed(1, 2, 3, 4))

    first = page(owner, row)
    assert "3 of them on other pages, the first at table 5" in told(first)
    assert 'href="?table=5#table-5"' in first.content.decode()
    assert "One of them at table 7" in told(page(owner, row, "?table=5"))
    sent(owner, row, **typed(5, 6, 7))
    does(row, CloseRound(round=1))
    assert 'href="?table=4"' in page(owner, row).content.decode()


def fields_of_the_results(answer: Shown) -> Iterator[str]:
    """The names of all fields that the form of all tables sends."""
    html = answer.content.decode()
    own = re.search(r'<form id="results".*?</form>', html, re.DOTALL)
    assert own is not None
    yield from re.findall(r'name="([^"]+)"', own[0])
    for tag in re.findall(r"<(?:input|select)[^>]*form=\"results\"[^>]*>", html):
        yield re.findall(r'name="([^"]+)"', tag)[0]


def test_no_page_sends_more_fields_than_are_taken(
    salon: Salon, owner: Client, settings: Settings
) -> None:
    row = running(salon, pairs=8)  # four tables of two deals
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 65

    seen, query = [], ""
    for _page in range(4):
        answer = page(owner, row, query)
        seen += tables(answer)
        assert len(list(fields_of_the_results(answer))) <= 65
        after = [number for number in range(1, 5) if number not in seen]
        query = f"?table={after[0]}" if after else ""
    assert sorted(set(seen)) == [1, 2, 3, 4]
    assert len(tables(page(owner, row))) < 4
