"""The history of a tournament narrowed to what is asked for: each filter leaves out just what it
says (issue of the audit, 4).
"""

import re
from itertools import chain

import pytest
from django.test import Client

from ledger.models import Event
from tests.tournament.api.calling import Caller
from tests.tournament.helpers.evenings import after_round_1, does
from tests.tournament.helpers.playing import flat
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.subjects import SHAPES
from tournament.domain.tournament.upcasters import RoundDrawnInWords
from tournament.models import Tournament
from tournament.queries.tournament_history import KINDS, OF_KIND
from tournament.streams.tournament_rows import state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def row() -> Tournament:
    return does(
        after_round_1(opened_salon()),
        GivePenalty(entry="2", points=-50, after_round=1, by="Mara", reason="ten minutes late"),
    )


def listed(client: Client, row: Tournament, query: str) -> list[int]:
    """The versions of the acts that the page lists."""
    page = client.get(f"/tournaments/{row.pk}/history/?{query}").text
    return [
        int(version)
        for version in re.findall(
            r'<a href="\?[^"]*at=(\d+)">', page.partition('<ol class="tl"')[2]
        )
    ]


def types(row: Tournament, versions: list[int]) -> list[str]:
    found = dict(Event.objects.filter(stream=row.pk).values_list("version", "type"))
    return [found[version].partition(".")[2] for version in versions]


def test_every_fact_of_a_tournament_is_of_one_kind() -> None:
    kinds = [kind for shapes in OF_KIND.values() for kind in shapes]

    assert len(kinds) == len(set(kinds))
    assert {*kinds} == {*SHAPES.values()} - {RoundDrawnInWords}
    assert [*OF_KIND] == [kind for kind in KINDS if kind]


def test_the_kinds_share_the_history_among_them(row: Tournament) -> None:
    owner = owner_of(row.salon)
    everything = listed(owner, row, "")

    parts = [listed(owner, row, f"show={kind}") for kind in OF_KIND]

    assert everything == sorted(chain.from_iterable(parts), reverse=True)
    assert {*types(row, listed(owner, row, "show=results"))} == {"result_entered"}


def test_an_entry_has_what_names_it_and_the_results_of_its_tables(row: Tournament) -> None:
    table = next(table.table for table in state_of(row).rounds[0].tables if "2" in table.entries)
    owner = owner_of(row.salon)

    mine = listed(owner, row, "player=2")

    assert types(row, mine) == ["penalty_given", "result_entered", "entry_checked_in", "entry_made"]
    assert set(listed(owner, row, f"table={table}&show=results")) < set(mine)
    assert listed(owner, row, f"table={table}&player=2&show=entries") == []


def test_times_and_people_narrow_it_down(row: Tournament) -> None:
    owner = owner_of(row.salon)

    assert listed(owner, row, "by=user:1") == listed(owner, row, "")
    assert listed(owner, row, "by=user:999") == []
    assert listed(owner, row, "until=2001-01-01T00:00") == []
    assert owner.get(f"/tournaments/{row.pk}/history/?show=cards").status_code == 404
    assert "Nothing of this kind" in owner.get(f"/tournaments/{row.pk}/history/?by=user:999").text


def test_steps_and_pages_keep_what_is_asked_for(row: Tournament) -> None:
    page = owner_of(row.salon).get(f"/tournaments/{row.pk}/history/?show=results&at=3").text

    assert re.search(r'<a[^>]* href="\?show=results&amp;at=\d+"', page)
    assert '<input type="hidden" name="show" value="results">' in flat(page)


@pytest.mark.parametrize(
    "asked",
    [{}, {"show": "rounds"}, {"entry": "2"}, {"table": "1", "show": "results"}, {"by": "user:999"}],
)
def test_the_api_narrows_as_the_page_does(row: Tournament, asked: dict[str, str]) -> None:
    owner = owner_of(row.salon)
    caller = Caller(salon=row.salon.slug, browser=owner)

    told = caller.get(f"tournaments/{row.pk}/history/", limit=200, **asked)

    query = "&".join(
        f"{'player' if name == 'entry' else name}={value}" for name, value in asked.items()
    )
    assert [each["version"] for each in told.value["items"]] == listed(owner, row, query)
