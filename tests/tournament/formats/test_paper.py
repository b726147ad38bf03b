"""What is printed: nothing that belongs on a page is lost or stands outside it, on either paper."""

import csv
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
from tests.tournament.helpers.evenings import (
    after_round_1,
    does,
    draft,
    in_round_1,
    registered,
    result,
)
from tests.tournament.helpers.every_format import plays, running
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tournament.accounts import rate_limit
from tournament.domain.standings.values import Movement, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.formats.pdf import with_minus
from tournament.formats.typesetting import find_missing_letters
from tournament.models import Player, Salon, Table, Tournament
from tournament.server.pdf import pdf_cache
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
    monkeypatch.setattr(rate_limit, "refuse_beyond", lambda *_of: None)
    return opened_salon()


def pages(client: Client, address: str) -> list[PageObject]:
    """The pages of a PDF at an address."""
    answer: Any = client.get(address)
    assert answer.status_code == 200, told(answer)
    assert answer.headers["Content-Type"] == "application/pdf"
    return list(PdfReader(BytesIO(answer.getvalue())).pages)


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


def size_of(found: list[PageObject], begin: str) -> float:
    """The size at which a text that begins so is printed, in points."""
    sizes: list[float] = []
    for page in found:

        def look(text: str, cm: Any, tm: Any, _font: object, size: float) -> None:
            if text.strip().startswith(begin):
                sizes.append(size * abs(cm[3] * tm[3]))

        page.extract_text(visitor_text=look)
    return max(sizes)


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


def test_a_wall_chart_says_how_its_cells_are_read(salon: Salon, owner: Client) -> None:
    row = after_round_1(salon, count=5)

    text = text_of(pages(owner, f"/tournaments/{row.pk}/files/wallchart.pdf"))

    assert squeezed("12: 251 – against entry 12, with a score of 251.") in text
    assert squeezed("+ – the points of a win without a game.") in text
    assert squeezed("with entry 3 as partner") not in text


def test_a_crosstable_has_the_results_that_are_in(salon: Salon, owner: Client) -> None:
    row = plays(running(salon, "round robin"), 1)
    first = state_of(row).rounds[0].tables[0].entries

    head, *lines = csv.reader(
        owner.get(f"/tournaments/{row.pk}/files/crosstable.csv").text.splitlines()
    )

    cells = {line[0]: dict(zip(head, line, strict=True)) for line in lines}
    assert (cells[first[0]][first[1]], cells[first[1]][first[0]]) == ("1: 1", "1: 0")
    text = text_of(pages(owner, f"/tournaments/{row.pk}/files/crosstable.pdf"))
    assert squeezed("3: 1 – they meet in round 3, and the entry of the row has 1 of it.") in text


@pytest.mark.parametrize("sheet", ["seats", "standings", "crosstable"])
def test_few_rows_are_read_from_afar_and_many_take_no_more_pages(
    salon: Salon, owner: Client, sheet: str
) -> None:
    row = plays(running(salon, "round robin"), 1)

    found = pages(owner, f"/tournaments/{row.pk}/files/{sheet}.pdf")

    assert len(found) == 1
    assert size_of(found, "Player 1a") >= 18
    assert outside(found) == []


def test_the_deals_of_a_round_have_a_traveller_each(salon: Salon, owner: Client) -> None:
    row = does(running(salon, "movement"), DrawRound(round=1), PublishRound(round=1))
    drawn = state_of(row).rounds[0].tables
    travellers = f"/tournaments/{row.pk}/files/travellers"

    empty = pages(owner, f"{travellers}.pdf")
    row = plays(row, 1)
    row = plays(row, 2)
    filled = pages(owner, f"{travellers}.pdf?deal=1")
    rows = list(csv.DictReader(owner.get(f"{travellers}.csv").text.lstrip("\ufeff").splitlines()))

    assert len(empty) == 12
    assert all(
        squeezed(f"Deal {number}") in text_of([page]) for number, page in enumerate(empty, 1)
    )
    for entry in drawn[0].entries:
        assert squeezed(f"{entry} Player {entry}a & Player {entry}b") in text_of(empty[:1])
    assert outside(empty) == []
    (page,) = filled
    assert "32" in text_of([page])
    assert len([each for each in rows if each["Deal"] == "1" and each["Score"]]) == 4
    assert "32" not in text_of(pages(Client(), f"{travellers}.pdf?deal=1"))
    does(row, BeginSilence(from_round=None))
    anyone = text_of(pages(Client(), f"{travellers}.pdf?deal=1"))
    assert ("32" in anyone, "7V" in anyone) == (True, False)
    assert Client().get(f"{travellers}.pdf?deal=99").status_code == 404
    assert owner.get(f"/tournaments/{row.pk}/deals/1/").text.count("travellers.pdf?deal=1") == 1
    assert "travellers.pdf" in owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text


def test_a_traveller_tells_nobody_who_has_still_to_play(salon: Salon) -> None:
    row = plays(running(salon, "movement"), 1)

    answer = Client().get(f"/tournaments/{row.pk}/files/travellers.csv")

    lines = list(csv.DictReader(answer.text.lstrip("\ufeff").splitlines()))
    assert len(lines) == 12 * 4
    assert {each["Score"] for each in lines} == {""}


def test_who_plays_alone_has_a_traveller_with_what_was_built(salon: Salon, owner: Client) -> None:
    row = plays(running(salon, "the same patience"), 1)

    found = pages(owner, f"/tournaments/{row.pk}/files/travellers.pdf")

    text = text_of(found[:1])
    assert len(found) == 6
    assert [name for name in names(salon) if squeezed(name) not in text] == []
    assert all(built in text for built in ("Built", "13", "23", "33"))


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


def test_who_is_written_in_no_font_here_is_printed_with_the_number_of_the_entry(
    salon: Salon,
) -> None:
    row = after_round_1(salon)
    someone = Player.objects.filter(salon=salon).order_by("name").first()
    assert someone is not None
    Player.objects.filter(pk=someone.pk).update(name="𒀀𒁀 Ω Żółć")
    row.refresh_from_db()
    (entry,) = [
        each.id
        for each in state_of(row).entries
        if someone.pk in [player for _place, player in each.players]
    ]

    for sheet in ("standings", "seats", "results", "wallchart"):
        text = text_of(pages(owner_of(salon), f"/tournaments/{row.pk}/files/{sheet}.pdf"))
        if find_missing_letters("𒀀"):
            assert f"({entry})" in text, sheet
            assert f"alllettersofthenamesofentry{entry}." in text, sheet


def test_slips_and_certificates_say_whose_letters_no_font_has(salon: Salon, owner: Client) -> None:
    row, game = in_round_1(salon), game_at(salon)
    for player in Player.objects.filter(salon=salon):
        Player.objects.filter(pk=player.pk).update(name=f"𒀀 Żółć {player.pk[:4]}")

    slips = text_of(pages(owner, f"/tournaments/{row.pk}/desk/rounds/1/slips.pdf"))
    certificate = text_of(pages(owner, f"/games/{game.pk}/certificate.pdf"))

    if find_missing_letters("𒀀"):
        assert "alllettersofthenamesofentry" in slips
        assert "alllettersofthenameatN" in certificate


def test_numbers_below_nothing_have_a_real_minus_on_paper() -> None:
    words = "-117 at table 1-2 of 2026-11-28: -5, A-1"

    assert with_minus(words) == "−117 at table 1-2 of 2026-11-28: −5, A-1"


def test_a_director_prints_a_whole_evening_at_once(
    salon: Salon, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    monkeypatch.setattr(pdf_cache, "refuse_beyond", lambda _rate, caller: counted.append(caller))
    monkeypatch.setattr(pdf_cache, "_typeset", lambda *_of: b"%PDF-")
    row = in_round_1(salon)

    for address in ("files/seats.pdf", "desk/rounds/1/slips.pdf", "files/seats.pdf"):
        assert owner.get(f"/tournaments/{row.pk}/{address}").status_code == 200
    assert counted == []
    Client().get(f"/tournaments/{row.pk}/files/results.pdf")
    Client().get(f"/tournaments/{row.pk}/files/results.pdf")
    assert len(counted) == 1


def test_letters_are_missing_that_no_font_has_and_no_others() -> None:
    assert find_missing_letters("Zoë Łukasz Ναταλία Наталья") == ""
    assert find_missing_letters("a𒀀b") in ("𒀀", "")


@pytest.mark.parametrize("deals", [2, 11])
def test_slips_of_deals_have_a_box_for_each(salon: Salon, owner: Client, deals: int) -> None:
    movement = Movement(movement="howell", deals_a_round=deals)
    stage = Stage(kind="movement", movement=movement, tie_breaks=("wins",))
    row = does(
        registered(salon, 4, stage),
        EnterPhase(phase="running"),
        DrawRound(round=1),
        PublishRound(round=1),
    )

    found = pages(owner, f"/tournaments/{row.pk}/desk/rounds/1/slips.pdf")

    played = state_of(row).rounds[0].tables
    assert [len(table.deals) for table in played] == [deals] * len(played)
    assert text_of(found).count("Deal") >= len(played)
    for table in played:
        assert "".join(map(str, table.deals[:8])) in text_of(found)
    assert outside(found) == []
