"""Tables of single players at the desk: a seat of one's own, a result a side for partners, chips
that add up, who did not come.
"""

import re
from dataclasses import replace

import pytest
from django.test import Client

from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.evenings import send
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.singles import published
from tournament.domain.standings.values import HUNDREDTHS, Pods, Scale, Stage
from tournament.models import Salon, Tournament
from tournament.streams.tournament_rows import state_of

CHIPS = Scale(kind="chips", bye=0)
PODS = Stage(kind="pods", pods=Pods(sizes=(3,)), scale=CHIPS)
OF_FIVE = Stage(kind="pods", pods=Pods(sizes=(5, 4, 3)), scale=CHIPS)


def fields(owner: Client, row: Tournament, table: int = 1) -> list[str]:
    """The names of the fields of a table's result."""
    page = owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text
    return re.findall(rf'name="(tables\.t{table}\.results\.[^"]+)"', page)


def typed(owner: Client, row: Tournament, *values: str) -> Answer:
    """Type the result of table 1 in the fields that its form has."""
    names = fields(owner, row)
    assert len(names) == len(values)
    row.refresh_from_db()
    sent = {"version": str(row.version), "command": a_command()} | dict(
        zip(names, values, strict=True)
    )
    return owner.post(f"/tournaments/{row.pk}/desk/rounds/1/results/?page=round-1", sent)


def test_partners_are_asked_for_one_result_and_four_are_recorded(
    owner: Client, salon: Salon
) -> None:
    row = published(salon, 5)

    assert typed(owner, row, "251", "180").status_code == 302

    (table,) = state_of(row).rounds[0].tables
    assert [(each.score or 0) // HUNDREDTHS for each in table.results] == [251, 180, 251, 180]
    assert (
        len(re.findall(r'id="c-1-\d-0"', owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text))
        == 2
    )


@pytest.mark.parametrize(
    ("stage", "game", "players", "seats"),
    [(PODS, "preference", 9, 3), (OF_FIVE, "contract_sabacc", 25, 5)],
)
def test_a_table_where_each_plays_alone_is_asked_for_the_chips_of_everybody(
    owner: Client, salon: Salon, stage: Stage, game: str, players: int, seats: int
) -> None:
    row = published(salon, players, stage, game)

    assert fields(owner, row) == [
        f"tables.t1.results.{place}.chips:number" for place in range(seats)
    ]
    words = told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))
    assert words.count("at each table together they are 0") == 1


def test_chips_that_do_not_add_up_are_refused_beside_their_table(
    owner: Client, salon: Salon
) -> None:
    row = published(salon, 9, PODS, "preference")

    refused = typed(owner, row, "30", "-10", "-10")

    assert refused.status_code == 422
    assert "they add up to 0" in told(refused)
    assert 'value="30"' in refused.text
    assert typed(owner, row, "30", "-10", "-20").status_code == 302


def test_chips_are_typed_once_and_are_the_score_that_tie_breaks_count(
    owner: Client, salon: Salon
) -> None:
    row = published(
        salon,
        9,
        replace(PODS, tie_breaks=("buchholz",)),
        "preference",
    )

    assert typed(owner, row, "30", "-10", "-20").status_code == 302

    results = state_of(row).rounds[0].tables[0].results
    assert [(each.chips, each.score) for each in results] == [
        (30, 3000),
        (-10, -1000),
        (-20, -2000),
    ]


def test_several_of_a_table_of_many_may_not_have_come(owner: Client, salon: Salon) -> None:
    row = published(salon, 9, PODS, "preference")
    one, two, _three = state_of(row).rounds[0].tables[0].entries

    page = owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text
    assert page.count(f'<input type="checkbox" name="absent:list" value="{one}">') == 1
    sent = send(
        owner,
        row,
        "forfeits",
        "round-1",
        round__number="1",
        table__number="1",
        absent__list=f"{one} {two}",
    )

    assert sent.status_code == 302
    assert state_of(row).rounds[0].tables[0].absent == (one, two)


def test_where_do_i_sit_says_the_seat_the_partner_and_who_deals(salon: Salon) -> None:
    row = published(salon, 5)
    (table,) = state_of(row).rounds[0].tables
    north, east, south, west = (f"Player {int(entry):02}" for entry in table.entries)
    place = {"N": 0, "E": 1, "S": 2, "W": 3}[str(table.dealer)]

    found = told(Client().get(f"/tournaments/{row.pk}/?q={north}"))
    dealer = told(Client().get(f"/tournaments/{row.pk}/?q=Player+{int(table.entries[place]):02}"))

    assert f"Table 1, North {north} with {south}, against {east} and {west}" in found
    assert "; deals first" in dealer


def test_slips_and_paths_say_it_too(owner: Client, salon: Salon) -> None:
    row = published(salon, 5)
    (table,) = state_of(row).rounds[0].tables
    north, east, south, west = (f"Player {int(entry):02}" for entry in table.entries)

    slips = told(owner.get(f"/tournaments/{row.pk}/desk/slips/"))
    path = told(Client().get(f"/tournaments/{row.pk}/entries/{table.entries[0]}/"))
    seats = Client().get(f"/tournaments/{row.pk}/files/seats.csv").content.decode()

    assert f"Round 1: table 1, North with {south}, against {east} and {west}" in slips
    assert f"with {south} , against {east} , {west}" in path
    assert f'{north},1,N,"with {south}, against {east} and {west}",' in seats
