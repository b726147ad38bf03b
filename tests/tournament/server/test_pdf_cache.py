"""Sheets on paper: typeset elsewhere, one at a time, kept until something on them changes, gone
with whoever is erased.
"""

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.tournament.helpers.evenings import after_round_1, does, result
from tests.tournament.helpers.running import PATIENCE
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.accounts.rate_limit import Rate
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Player, Salon, Tournament
from tournament.privacy.erasure import erase
from tournament.server.pdf import pdf_cache


@pytest.fixture
def salon(db: None, settings: Settings, tmp_path: Path) -> Salon:
    settings.DATA_DIR = tmp_path
    return opened_salon()


@pytest.fixture
def typeset(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the sheets that are typeset from here on; nothing is."""
    titles = list[str]()

    def noted(template: str, shown: Any) -> bytes:
        titles.append(shown["title"])
        return b"%PDF-" + repr(shown).encode()

    monkeypatch.setattr(pdf_cache, "_typeset", noted)
    return titles


def fetched(
    row: Tournament,
    name: str = "standings.pdf",
    client: Client | None = None,
    *,
    by: str = "192.0.2.1",
) -> Any:
    return (client or Client()).get(f"/tournaments/{row.pk}/files/{name}", REMOTE_ADDR=by)


def of_the_api(row: Tournament, *, by: str = "192.0.2.1") -> Any:
    return Client().get(
        f"/api/v1/salons/{row.salon.slug}/tournaments/{row.pk}/sheets/standings/pdf/",
        REMOTE_ADDR=by,
    )


def kept() -> list[Path]:
    return sorted(pdf_cache._folder().glob("*.pdf"))


def test_this_process_typesets_nothing_itself(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "typst", raising=False)  # it can't be imported a second time

    assert fetched(after_round_1(salon)).getvalue().startswith(b"%PDF-")

    assert "typst" not in sys.modules


def test_what_did_not_change_is_typeset_once_for_everybody_who_sees_the_same(
    salon: Salon, typeset: list[str]
) -> None:
    row = after_round_1(salon)

    first, second, program = fetched(row), fetched(row, by="192.0.2.2"), of_the_api(row)

    assert first.content == second.getvalue() == program.getvalue()
    assert len(typeset) == len(kept()) == 1
    assert (kept()[0].stat().st_mode & 0o777, kept()[0].parent.stat().st_mode & 0o777) == (
        0o600,
        0o700,
    )
    Player.objects.filter(name="Asha Renn").update(name="Asha Renner")
    assert b"Asha Renner" in fetched(row).getvalue()
    assert len(typeset) == 2


def test_whoever_sees_more_gets_another_file(salon: Salon, typeset: list[str]) -> None:
    row = does(
        after_round_1(salon),
        BeginSilence(from_round=2),
        DrawRound(round=2),
        PublishRound(round=2),
        result(1, 777, 3, round=2),
    )
    director = owner_of(salon)

    assert re.findall(rb"\b777\b", fetched(row, "results.pdf", director).getvalue())
    assert not re.findall(rb"\b777\b", fetched(row, "results.pdf").getvalue())
    assert re.findall(rb"\b777\b", fetched(row, "results.pdf", director).getvalue())


def test_one_sheet_is_typeset_at_a_time_and_whoever_can_t_wait_is_told(
    salon: Salon, typeset: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_cache, "SECONDS_TO_WAIT", 0.01)
    row = after_round_1(salon)

    with pdf_cache._the_only_one():
        page, api = fetched(row), of_the_api(row)

    assert (page.status_code, page["Retry-After"]) == (503, "10")
    assert "Another sheet is being made for print." in page.text
    assert (api.status_code, api["Retry-After"], api["Content-Type"], api.json()["code"]) == (
        503,
        "10",
        "application/problem+json",
        "busy",
    )
    assert typeset == []
    assert fetched(row).status_code == 200


def test_no_more_than_two_wait_for_a_sheet(
    salon: Salon, typeset: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_cache, "SECONDS_TO_WAIT", PATIENCE)
    row = after_round_1(salon)
    for _ in range(pdf_cache.MOST_WAITING):
        assert pdf_cache._waiting.acquire(blocking=False)
    try:
        began = time.monotonic()
        with pdf_cache._the_only_one():
            assert fetched(row).status_code == 503
        assert time.monotonic() - began < PATIENCE
    finally:
        pdf_cache._waiting.release(pdf_cache.MOST_WAITING)


def test_an_address_has_so_many_new_sheets_a_minute_and_kept_ones_without_number(
    salon: Salon, typeset: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        pdf_cache, "NEW_ONES", Rate(f"papers-{os.urandom(4).hex()}", most=1, seconds=10**9)
    )
    row = after_round_1(salon)

    assert [fetched(row).status_code for _ in range(3)] == [200, 200, 200]
    refused = fetched(row, "results.pdf")
    assert refused.status_code == 429
    assert "This address asked for too much." in refused.text
    assert int(refused["Retry-After"]) > 0
    assert fetched(row, "results.pdf", by="192.0.2.2").status_code == 200
    assert fetched(row, "results.pdf").status_code == 200


def test_a_sheet_that_can_t_be_typeset_is_said_to_be_so(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        pdf_cache, "typesetting", type("Away", (), {"__file__": "/nowhere/at-all.py"})
    )
    row = after_round_1(salon)

    page, api = fetched(row), of_the_api(row)

    assert page.status_code == 503
    assert "The other formats are there." in page.text
    assert (api.status_code, api.json()["code"]) == (503, "not_typeset")
    assert kept() == []


def test_whoever_is_erased_stands_in_no_kept_sheet(
    salon: Salon, typeset: list[str], django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    row = after_round_1(salon)
    fetched(row)
    assert b"Asha Renn" in kept()[0].read_bytes()

    with django_capture_on_commit_callbacks(execute=True):
        erase(Player.objects.get(name="Asha Renn"), actor="user:1")

    assert kept() == []
    assert b"Asha Renn" not in fetched(row).getvalue()


def test_a_sheet_that_was_being_typeset_when_somebody_was_erased_is_not_kept(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    def erased_meanwhile(template: str, shown: Any) -> bytes:
        pdf_cache.forget_papers()
        return b"%PDF-"

    monkeypatch.setattr(pdf_cache, "_typeset", erased_meanwhile)

    assert fetched(after_round_1(salon)).status_code == 200
    assert kept() == []


@pytest.fixture
def files(salon: Salon) -> list[Path]:
    """Five kept files of 30 MB, each an hour older than the one before."""
    made = [pdf_cache._folder() / f"{number}.pdf" for number in range(5)]
    for number, path in enumerate(made):
        path.touch()
        os.truncate(path, 30 * 1024 * 1024)
        os.utime(path, (time.time() - number * 3600,) * 2)
    return made


def test_the_kept_sheets_take_no_more_room_than_they_may(files: list[Path]) -> None:
    pdf_cache.sweep_papers()

    assert kept() == files[:3]


def test_a_sheet_is_kept_for_a_day_at_most(files: list[Path]) -> None:
    os.utime(files[0], (time.time() - pdf_cache.SECONDS_KEPT - 1,) * 2)

    pdf_cache.sweep_papers()

    assert kept() == files[1:4]


def test_a_round_s_page_offers_the_results_of_that_round(salon: Salon) -> None:
    row = after_round_1(salon)

    links = re.findall(
        r'href="([^"]*results\.pdf[^"]*)"', Client().get(f"/tournaments/{row.pk}/rounds/1/").text
    )

    assert links == [f"/tournaments/{row.pk}/files/results.pdf?round=1"]
