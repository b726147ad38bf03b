"""Standings, results and seats of a tournament as files: the same figures in each, silent rounds
silent, text stays text.
"""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from django.test import Client

from tests.tournament.helpers.answers import Answer, Shown
from tests.tournament.helpers.evenings import (
    SWISS,
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
from tournament.formats.spreadsheets import LONGEST_CELL, as_csv, as_workbook
from tournament.models import Player, Salon, Tournament
from tournament.queries import sheet_exports
from tournament.server.pdf import pdf_cache

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

    assert table[0] == ["Rank", "No.", "Entry", "Points", "Buchholz", "Score difference", "Played"]
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
    assert [line[6] for line in table if line[7] == "sits out and gets 1 point"] == ["1"]
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
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert "has to be match" in answer.content.decode()


def test_a_long_list_is_typeset_for_those_who_sign_in_and_named_to_others(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_exports, "MOST_ROWS_FOR_ANYONE", 1)
    monkeypatch.setattr(pdf_cache, "_typeset", lambda *_of: b"%PDF-")
    row = after_round_1(salon)
    whole, api = f"/tournaments/{row.pk}/files/results.pdf", f"/api/v1/salons/{salon.slug}"

    refused = Client().get(whole)
    answer = Client().get(f"{api}/tournaments/{row.pk}/sheets/results/pdf/")

    assert refused.status_code == answer.status_code == 422
    assert "take one round after the other" in refused.text
    assert answer.json()["code"] == "too_long"
    assert owner_of(salon).get(whole).status_code == 200
    assert Client().get(whole.replace("pdf", "csv")).status_code == 200


def test_a_name_that_begins_like_a_formula_stays_a_name(salon: Salon) -> None:
    row = after_round_1(salon)
    Player.objects.filter(name="Asha Renn").update(name="=HYPERLINK(A1)")

    named = [line[2] for line in lines(fetched(row, "standings.csv"))]

    assert "'=HYPERLINK(A1) & Cato Liss" in named
    assert "=HYPERLINK(A1) & Cato Liss" in [
        line[2] for line in cells(fetched(row, "standings.xlsx").content)
    ]


def test_spreadsheets_that_write_numbers_with_a_comma_open_a_csv_with_semicolons(
    salon: Salon,
) -> None:
    row = after_round_1(salon, stage=replace(SWISS, scale=Scale(kind="match", win=150)))
    page = Client().get(f"/tournaments/{row.pk}/standings/").text
    api = f"/api/v1/salons/{salon.slug}/tournaments/{row.pk}/sheets/standings/csv/"

    answer = fetched(row, "standings.csv?separator=semicolon")

    assert "standings.csv?separator=semicolon" in page
    assert answer.text.splitlines()[1].startswith("1;2;Ilse Marrow & Juno Dray;1,5;")
    assert Client().get(f"{api}?separator=semicolon").content == answer.content
    assert ",1.5," in fetched(row, "standings.csv").text


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
    assert answer.getvalue().startswith(b"%PDF-")
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
        assert client.get(f"{address}/standings/pdf/").getvalue().startswith(b"%PDF-")
    assert lines(Client().get(f"{address}/results/csv/?round=1")) == lines(
        fetched(row, "results.csv?round=1")
    )
    assert Client().get(f"{address}/report/csv/").status_code == 404


@pytest.mark.parametrize(
    "title",
    [
        "Neujahrsturnier 2027 🎉🎊🎉🎊🎉🎊",
        "🇩🇪🇫🇷 Open of two nations and more, standings",
        40 * "🎉",
        "x" + 40 * "🎉",
        "'quoted'",
        "History",
        "[]:*?/\\",
        "\ufffe\x00\x0b\ud800",
        "",
        "\u202eabc",
    ],
)
def test_a_workbook_is_made_whatever_the_title(title: str) -> None:
    sheet = Sheet(title=title, columns=(("name", title or "Name"),), rows=((title,), ("Ann",)))

    book = as_workbook(sheet)

    assert cells(book)[2] == ["Ann"]
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        page = ElementTree.fromstring(parts.read("xl/workbook.xml")).find(f".//{CELLS}sheet")
    assert page is not None
    name = page.get("name", "")
    assert 0 < len(name.encode("utf-16-le")) // 2 <= 31
    assert name.casefold() != "history"
    assert not set(name) & set("[]:*?/\\'")


def test_a_cell_longer_than_a_workbook_has_room_for_is_cut() -> None:
    sheet = Sheet(title="t", columns=(("name", "Name"),), rows=(("🎉" * LONGEST_CELL,),))

    assert len(cells(as_workbook(sheet))[1][0]) == LONGEST_CELL // 2


HOSTILE = (
    "🎉🎊🇩🇪 <Open> & ]]> 'of' \"two\" [nations]*? 🎉🎊",
    "=HYPERLINK(1) 名字 עברית \u202eابت 🎉🎉🎉🎉🎉🎉",
    "\ufffe\uffff 🎉\u2028x\u2029",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_every_file_of_an_event_is_made_whatever_it_is_called(salon: Salon, name: str) -> None:
    row = after_round_1(salon)
    Tournament.objects.filter(pk=row.pk).update(name=name)
    for player in Player.objects.filter(salon=salon):
        Player.objects.filter(pk=player.pk).update(name=f"{name} {player.name}"[:80])
    client = owner_of(salon)
    names = ("standings", "results", "seats", "plan", "crosstable", "wallchart")
    files = [f"{what}.{ending}" for what in names for ending in ("csv", "json", "xlsx")]

    answers = {file: fetched(row, file, client).status_code for file in files}
    feed = client.get(f"/tournaments/{row.pk}/results.atom")

    assert {status for file, status in answers.items() if "." in file} <= {200, 404}
    assert answers["standings.xlsx"] == answers["results.csv"] == answers["seats.json"] == 200
    if feed.status_code == 200:
        ElementTree.fromstring(feed.content)
