"""What is printed: nothing that belongs on a page is lost or stands outside it, on either paper."""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pypdf import PageObject, PdfReader
from pytest_django.fixtures import Settings

from scoring.games import GAMES
from tests.tournament.helpers.evenings import after_round_1, does, draft, in_round_1, result
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Player, Salon, Table, Tournament
from tournament.server import rates
from tournament.streams.tournament_rows import state_of

LONG_NAMES = (
    "Łukasz Żółć-Brzęczyszczykiewicz",
    "Nguyễn Thị Minh Khai",
    "Ναταλία Παπαδοπούλου",
    "Наталья Верещагина",
    "Donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenauszahlungsstelle-Meyer",
    "O’Brien-Søndergård Æthelþryð of the Very Long and Winding Name that Goes On and On",
)
PAPERS = ("a4", "letter")


def first_alone(each: Iterable[str]) -> list[Any]:
    """The first of these by default, the others asked by CI."""
    first, *others = each
    return [first, *(pytest.param(other, marks=pytest.mark.long) for other in others)]


@pytest.fixture
def salon(db: None, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Salon:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(rates, "refuse_beyond", lambda *_of: None)
    return opened_salon()


def pages(client: Client, address: str) -> list[PageObject]:
    """The pages of a PDF at an address."""
    answer: Any = client.get(address)
    assert answer.status_code == 200, told(answer)
    assert answer.headers["Content-Type"] == "application/pdf"
    return list(PdfReader(BytesIO(answer.content)).pages)


def text_of(found: list[PageObject]) -> str:
    """What stands on the pages, without what a line break did to it."""
    return squeezed("\n".join(page.extract_text() for page in found))


def squeezed(text: str) -> str:
    """A text whose words run together: where lines break says nothing."""
    return re.sub(r"[\s\u00ad]|-(?=\n)", "", text).replace("-", "")


def outside(found: list[PageObject]) -> list[tuple[str, float, float]]:
    """The pieces of text that begin outside their page."""
    lost: list[tuple[str, float, float]] = []
    for page in found:
        width, height = float(page.mediabox.width), float(page.mediabox.height)

        def look(
            text: str, cm: Any, tm: Any, *_rest: object, edge: tuple[float, float] = (width, height)
        ) -> None:
            x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
            y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            if text.strip() and not (0 <= x <= edge[0] and 0 <= y <= edge[1]):
                lost.append((text, x, y))

        page.extract_text(visitor_text=look)
    return lost


def crowded(salon: Salon, count: int) -> Tournament:
    """Round 1 of so many pairs with long names."""
    entries = [
        MakeEntry(
            players=tuple(
                (
                    str(place),
                    f"{LONG_NAMES[(number + place) % len(LONG_NAMES)][:70]} {number}{place}",
                )
                for place in (1, 2)
            )
        )
        for number in range(count)
    ]
    row = does(draft(salon), EnterPhase(phase="registration"), *entries)
    return does(row, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))


def names(salon: Salon) -> Iterator[str]:
    yield from Player.objects.filter(salon=salon).values_list("name", flat=True)


@pytest.mark.parametrize(
    ("count", "paper"), [(5, "a4"), pytest.param(5, "letter", marks=pytest.mark.long), (60, "a4")]
)
def test_no_name_is_lost_from_the_slips_of_a_round(
    salon: Salon, owner: Client, count: int, paper: str
) -> None:
    row = crowded(salon, count)

    found = pages(owner, f"/tournaments/{row.pk}/desk/rounds/1/slips.pdf?paper={paper}")

    text = text_of(found)
    state = state_of(row)
    seated = {entry for table in state.rounds[0].tables for entry in table.entries}
    people = {player for entry in state.entries if entry.id in seated for player in entry.everybody}
    asked = Player.objects.filter(pk__in=people).values_list("name", flat=True)
    assert [name for name in asked if squeezed(name) not in text] == []
    assert outside(found) == []
    assert all(
        squeezed(f"Round 1, table {table.table}") in text for table in state.rounds[0].tables
    )
    assert len(found) <= len(state.rounds[0].tables)


@pytest.mark.parametrize("paper", first_alone(PAPERS))
def test_no_name_is_lost_from_the_chart_of_results(salon: Salon, owner: Client, paper: str) -> None:
    row = crowded(salon, 30)

    found = pages(owner, f"/tournaments/{row.pk}/files/wallchart.pdf?paper={paper}")

    text = text_of(found)
    assert [name for name in names(salon) if squeezed(name) not in text] == []
    assert outside(found) == []


def test_the_chart_says_whom_each_met_and_what_came_of_it(salon: Salon) -> None:
    row = after_round_1(salon)
    answer = Client().get(f"/tournaments/{row.pk}/files/wallchart.csv")

    head, *lines = answer.text.splitlines()
    assert head.endswith("Rank,No.,Entry,R1,Points")
    met = {line.split(",")[1]: line.split(",")[3] for line in lines}
    first = state_of(row).rounds[0].tables[0].entries
    assert met[first[0]] == f"{first[1]}: 251"
    assert met[first[1]] == f"{first[0]}: 180"


def test_the_chart_has_no_silent_round(salon: Salon) -> None:
    row = does(after_round_1(salon), BeginSilence(from_round=2), DrawRound(round=2))
    row = does(row, PublishRound(round=2), result(1, 999, 180, round=2))
    chart = f"/tournaments/{row.pk}/files/wallchart.csv"

    assert not re.findall(r"\b999\b", Client().get(chart).text)
    assert re.findall(r"\b999\b", owner_of(salon).get(chart).text)


@pytest.mark.parametrize("kind", first_alone(GAMES))
def test_every_game_has_a_score_sheet_for_each_table_that_fills_its_page(
    salon: Salon, owner: Client, kind: str
) -> None:
    labels = set(Table.objects.filter(salon=salon).values_list("label", flat=True))

    for paper in PAPERS:
        found = pages(owner, f"/table-slips/score-sheets/{kind}.pdf?paper={paper}")

        assert len(found) == len(labels)
        assert outside(found) == []
        texts = [text_of([page]) for page in found]
        assert all(squeezed(GAMES[kind].title) in text for text in texts)
        assert all(any(squeezed(f"Table {label}") in text for text in texts) for label in labels)


def test_a_card_stands_on_each_table(salon: Salon, owner: Client) -> None:
    for paper in PAPERS:
        (one,) = pages(owner, f"/table-slips/cards.pdf?table=4&paper={paper}")
        assert text_of([one]).count("Table4") == 2
        assert outside([one]) == []
    assert len(pages(owner, "/table-slips/cards.pdf")) == Table.objects.count()
    assert owner.get("/table-slips/cards.pdf?table=nowhere").status_code == 404


def test_no_pin_stands_on_what_lies_open(salon: Salon, owner: Client) -> None:
    Table.objects.filter(salon=salon).update(pin="97531")

    for address in ("cards.pdf", "score-sheets/precedence.pdf"):
        assert "97531" not in text_of(pages(owner, f"/table-slips/{address}?table=4"))


def test_a_statement_is_printed_line_by_line(salon: Salon, owner: Client) -> None:
    game = game_at(salon)
    record(game, *hand("N", (4, 3, 3, 2), (7, 6)), *hand("E", (4, 3, 3, 2), (8, 5)))
    player = Player.objects.filter(salon=salon).order_by("pk")[0]

    found = pages(owner, f"/ledger/players/{player.pk}/?format=pdf")
    lines = owner.get(f"/ledger/players/{player.pk}/?format=csv").text.splitlines()[1:]

    text = text_of(found)
    assert squeezed(f"Statement of {player.name}") in text
    assert lines
    assert all(line.split(",")[0] in text for line in lines)
    assert outside(found) == []
    account = text_of(pages(owner, f"/ledger/games/{game.pk}/N/?format=pdf&paper=letter"))
    assert "Balance" in account
    assert (
        member(salon, "scorer").get(f"/ledger/players/{player.pk}/?format=pdf").status_code == 403
    )


@pytest.mark.parametrize("hands", [0, 2])
def test_a_certificate_has_the_game_and_what_proves_it(
    salon: Salon, owner: Client, hands: int
) -> None:
    game = game_at(salon)
    for dealer in "NE"[:hands]:
        record(game, *hand(dealer, (4, 3, 3, 2), (7, 6)))
    address = f"/games/{game.pk}/certificate.pdf"
    assert "Nothingissignedyet" in text_of(pages(owner, address))

    assert owner.post("/checkpoints/").status_code == 302

    found = pages(owner, address)
    text = text_of(found)
    assert "Logcheckpointof" in text
    assert "verify_export.py" in text
    assert squeezed(game.record) in text
    assert [name for name in names(salon) if squeezed(name) not in text] == []
    assert outside(found) == []
    assert member(salon, "auditor").get(address).status_code == 200
    assert Client().get(address).status_code == 302


def test_each_paper_is_linked_from_where_it_is_looked_for(salon: Salon, owner: Client) -> None:
    row = in_round_1(salon)
    game = game_at(salon)
    player = Player.objects.filter(salon=salon).order_by("pk")[0]
    record(game, *hand("N", (4, 3, 3, 2), (7, 6)))
    links = {
        f"/tournaments/{row.pk}/desk/rounds/1/": f"/tournaments/{row.pk}/desk/rounds/1/slips.pdf",
        f"/tournaments/{row.pk}/rounds/1/": f"/tournaments/{row.pk}/files/wallchart.pdf",
        "/table-slips/": "/table-slips/score-sheets/preference.pdf",
        "/tables/4/link/": "/table-slips/cards.pdf?table=4",
        f"/games/{game.pk}/history/": f"/games/{game.pk}/certificate.pdf",
        f"/ledger/players/{player.pk}/": "format=pdf",
    }

    assert [page for page, link in links.items() if link not in owner.get(page).text] == []
