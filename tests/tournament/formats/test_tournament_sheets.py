"""Standings, results and seats of a tournament as files: the same figures in each, silent rounds
silent, text stays text.
"""

import csv
import io
import json
import re
import zipfile
from xml.etree import ElementTree

import pytest
from django.test import Client

from tests.tournament.helpers.answers import Answer, Shown
from tests.tournament.helpers.evenings import (
    after_round_1,
    does,
    draft,
    in_round_1,
    registered,
    result,
)
from tests.tournament.helpers.salons import owner_of
from tournament.domain.standings.values import Scale, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.rounds import PublishRound
from tournament.formats.sheets import Sheet
from tournament.formats.spreadsheets import as_csv, as_workbook
from tournament.models import Player, Salon, Tournament

CELLS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def fetched(row: Tournament, name: str, client: Client | None = None) -> Answer:
    return (client or Client()).get(f"/tournaments/{row.pk}/files/{name}")


def lines(answer: Shown) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


def cells(book: bytes) -> list[list[str]]:
    """The first page of a workbook, read without the library that wrote it."""
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        strings = [
            "".join(each.itertext())
            for each in ElementTree.fromstring(parts.read("xl/sharedStrings.xml"))
        ]
        page = ElementTree.fromstring(parts.read("xl/worksheets/sheet1.xml"))
    assert page.find(f".//{CELLS}f") is None
    return [[_text(cell, strings) for cell in row] for row in page.iter(f"{CELLS}row")]


def _text(cell: ElementTree.Element, strings: list[str]) -> str:
    value = "".join(cell.itertext())
    return strings[int(value)] if cell.get("t") == "s" else value


def test_the_standings_say_the_same_in_every_format(salon: Salon) -> None:
    row = after_round_1(salon)

    table = lines(fetched(row, "standings.csv"))
    object_ = json.loads(fetched(row, "standings.json").content)

    assert table[0] == ["Rank", "No.", "Entry", "Points", "Buchholz", "Score difference", "played"]
    assert [line[:4] for line in table[1:3]] == [
        ["1", "2", "Ilse Marrow & Juno Dray", "1"],
        ["2", "4", "Rhea Sol & Tomas Quill", "1"],
    ]
    assert [[str(value) for value in each.values()] for each in object_["rows"]] == table[1:]
    assert cells(fetched(row, "standings.xlsx").content) == table


def test_the_results_of_a_round_have_a_line_for_each_entry(salon: Salon) -> None:
    row = after_round_1(salon, count=3)

    table = lines(fetched(row, "results.csv?round=1"))

    assert len(table) == 4
    assert sorted(line[5] for line in table[1:]) == ["", "180", "251"]
    assert [line[6] for line in table if line[7] == "sits out and gets the points"] == ["1"]
    assert lines(fetched(row, "results.csv?round=7")) == [table[0]]


def test_the_seats_of_the_round_published_last_are_in_order_of_names(salon: Salon) -> None:
    table = lines(fetched(in_round_1(salon), "seats.csv"))

    assert [line[0] for line in table[1:]] == sorted(line[0] for line in table[1:])
    assert {line[1] for line in table[1:]} == {"1", "2"}
    assert fetched(registered(salon), "seats.csv").status_code == 404


def test_silent_rounds_are_in_no_file_but_the_directors(salon: Salon) -> None:
    row = does(
        after_round_1(salon),
        BeginSilence(from_round=2),
        DrawRound(round=2),
        PublishRound(round=2),
        result(1, 777, 3, round=2),
    )
    director = owner_of(salon)

    for name in ("results.csv", "results.json", "standings.json", "report.trf"):
        # as a number: ids in it may hold these digits by chance
        assert not re.findall(r"\b777\b", fetched(row, name).content.decode())
    assert {line[0] for line in lines(fetched(row, "results.csv"))[1:]} == {"1"}
    assert "777" in fetched(row, "results.csv", director).content.decode()
    assert len(fetched(row, "report.trf", director).content) > len(
        fetched(row, "report.trf").content
    )


def test_a_draft_has_no_files_for_the_room(salon: Salon) -> None:
    assert fetched(draft(salon), "standings.csv").status_code == 404


@pytest.mark.parametrize("name", ["standings.exe", "people.csv", "report.pdf", "standings.trf"])
def test_a_file_that_is_not_offered_does_not_exist(salon: Salon, name: str) -> None:
    assert fetched(after_round_1(salon), name).status_code == 404


def test_a_report_of_another_scale_says_what_it_would_take(salon: Salon) -> None:
    row = in_round_1(salon, stage=Stage(kind="swiss", rounds=5, scale=Scale(kind="points")))

    answer = fetched(row, "report.trf")

    assert answer.status_code == 422
    assert "has to be match" in answer.content.decode()


def test_a_name_that_begins_like_a_formula_stays_a_name(salon: Salon) -> None:
    row = after_round_1(salon)
    Player.objects.filter(name="Asha Renn").update(name="=HYPERLINK(A1)")

    named = [line[2] for line in lines(fetched(row, "standings.csv"))]

    assert "'=HYPERLINK(A1) & Cato Liss" in named
    assert "=HYPERLINK(A1) & Cato Liss" in [
        line[2] for line in cells(fetched(row, "standings.xlsx").content)
    ]


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\n", "＝"])
def test_no_text_of_a_sheet_is_a_formula(begin: str) -> None:
    sheet = Sheet(
        title="Cup: [1]",
        columns=(("name", "Entry"), ("points", "Points")),
        rows=((f"{begin}1+1", -2),),
    )

    assert (
        as_csv(sheet).decode("utf-8-sig").splitlines()[-1].lstrip('"').startswith("'")
        or begin in "\r\n"
    )
    assert cells(as_workbook(sheet))[1][1] == "-2"


@pytest.mark.parametrize("what", ["standings", "results", "seats"])
def test_every_sheet_can_be_printed(salon: Salon, what: str) -> None:
    row = after_round_1(salon)
    Player.objects.filter(name="Asha Renn").update(name='Åsha "#sys" $x$ *b* @y')

    answer = fetched(row, f"{what}.pdf")

    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    assert answer["Content-Disposition"] == f'attachment; filename="spring-cup-{what}.pdf"'


@pytest.mark.parametrize("silent", [False, True])
def test_a_program_gets_the_files_of_the_page_whoever_it_is(salon: Salon, silent: bool) -> None:
    row = after_round_1(salon)
    if silent:
        does(row, BeginSilence(from_round=2), DrawRound(round=2), PublishRound(round=2))
    address = f"/api/v1/salons/{salon.slug}/tournaments/{row.pk}/sheets"

    for client in (Client(), owner_of(salon)):
        for name in (
            "standings.csv",
            "standings.json",
            "results.csv",
            "results.json",
            "seats.csv",
            "report.trf",
        ):
            page, api = (
                fetched(row, name, client),
                client.get(f"{address}/{name.replace('.', '/')}/"),
            )
            assert (api.status_code, api.content, api["Content-Type"]) == (
                200,
                page.content,
                page["Content-Type"],
            ), name
        book = client.get(f"{address}/standings/xlsx/")
        assert cells(book.content) == lines(fetched(row, "standings.csv", client))
        assert client.get(f"{address}/standings/pdf/").content.startswith(b"%PDF-")
    assert lines(Client().get(f"{address}/results/csv/?round=1")) == lines(
        fetched(row, "results.csv?round=1")
    )
    assert Client().get(f"{address}/report/csv/").status_code == 404
