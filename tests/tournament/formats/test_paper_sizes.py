"""A4 or US Letter: chosen once for the salon, or for one request."""

import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.evenings import after_round_1
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.same_deals import running, sends
from tournament.models import Salon
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences

BOXES = {"a4": (595, 842), "letter": (612, 792)}  # in points, upright


@pytest.fixture
def salon(db: None, settings: Settings, tmp_path: Path) -> Salon:
    settings.DATA_DIR = tmp_path
    return opened_salon()


def choose(owner: Client, paper: str) -> None:
    answer = owner.post(
        "/settings/",
        {
            "name": "Salon",
            "names_shown": "whole",
            "forget_players_days": "0",
            "command": a_command(),
            "paper": paper,
        },
    )
    assert answer.status_code == 302, told(answer)


def boxes(pdf: bytes) -> list[tuple[int, int]]:
    """The shorter and the longer side of each page."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    plain = pdf + b"".join(map(unpacked, streams))
    found = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", plain)
    sides = [(round(float(width)), round(float(height))) for width, height in found]
    return [(min(each), max(each)) for each in sides]


def unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(stream)
    except zlib.error:
        return b""


def test_sheets_are_made_for_the_paper_of_the_salon_or_the_one_asked_for(
    salon: Salon, owner: Client
) -> None:
    sheet = f"/tournaments/{after_round_1(salon).pk}/files/standings.pdf"

    assert boxes(owner.get(sheet).getvalue()) == [BOXES["a4"]]
    assert boxes(owner.get(f"{sheet}?paper=letter").getvalue()) == [BOXES["letter"]]
    choose(owner, "letter")
    assert boxes(owner.get(sheet).getvalue()) == [BOXES["letter"]]
    assert boxes(owner.get(f"{sheet}?paper=a4").getvalue()) == [BOXES["a4"]]


def test_two_deals_fill_a_page_of_either_paper(salon: Salon, owner: Client) -> None:
    row = running(salon)
    owner.post(f"/tournaments/{row.pk}/desk/deals/", sends(row))
    sheets = f"/tournaments/{row.pk}/desk/deals/sheets.pdf"

    for paper, box in BOXES.items():
        assert boxes(owner.get(f"{sheets}?paper={paper}").getvalue()) == [box] * 6, "twelve deals"


def test_pages_are_printed_on_the_paper_of_the_salon_or_the_one_asked_for(
    salon: Salon, owner: Client
) -> None:
    styles = "accord/letter."
    assert styles not in owner.get("/table-slips/").text
    assert styles in owner.get("/table-slips/?paper=letter").text
    choose(owner, "letter")
    assert styles in owner.get("/table-slips/").text
    assert styles not in owner.get("/table-slips/?paper=a4").text


def test_a_paper_that_is_none_is_said_plainly(salon: Salon, owner: Client) -> None:
    row = after_round_1(salon)
    answers: list[Any] = [
        owner.get(f"/tournaments/{row.pk}/files/standings.pdf?paper=foolscap"),
        owner.get("/table-slips/?paper=foolscap"),
    ]

    for answer in answers:
        assert answer.status_code == 400
        assert "There is no paper “foolscap” here. Ask for a4 or letter" in told(answer)
    called = owner_calls(salon)
    sheet = f"tournaments/{row.pk}/sheets/standings/pdf/"
    assert called.get(f"{sheet}?paper=foolscap").status == 400
    refused = called.post("settings/", {"name": "S", "names_shown": "whole", "paper": "foolscap"})
    assert (refused.status, refused.value["path"]) == (400, "paper")


def test_the_paper_is_kept_as_a_fact_once(salon: Salon, owner: Client) -> None:
    choose(owner, "a4")
    choose(owner, "letter")
    choose(owner, "letter")

    house = told(owner.get("/house/"))
    assert house.count("from here on it is printed on US Letter") == 1
    assert "printed on A4" not in house
    assert '<option value="letter" selected>' in owner.get("/settings/").text
    assert Salon.objects.get().paper == "letter"
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    assert list(audit(salon)) == []
