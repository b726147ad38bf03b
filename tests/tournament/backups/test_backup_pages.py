"""Backups in the settings: for the owner of the server, with a second step of signing in, and
nobody else.
"""

from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client

from tests.tournament.helpers.reading import bytes_of
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tournament import tasks
from tournament.backups import folder as folders
from tournament.backups.folder import NotedOutcome, backups_in, note
from tournament.backups.make import back_up
from tournament.models import BackupRun, Salon


@pytest.fixture
def browser(salon: Salon) -> Client:
    """The owner of the server, with a second step."""
    Authenticator.objects.create(
        user=User.objects.get(is_superuser=True), type=Authenticator.Type.TOTP, data={}
    )
    return owner_of(salon)


def test_the_owner_of_the_server_makes_and_takes_along_a_backup(
    browser: Client, data: Path
) -> None:
    assert "There is none yet." in browser.get("/settings/").text
    assert "No backup has been tried out yet" in browser.get("/settings/").text

    assert (
        "it appears here when it is whole" in browser.post("/settings/backups/", follow=True).text
    )
    assert "A backup is asked for already." in browser.post("/settings/backups/", follow=True).text
    assert not backups_in(data / "backups")
    tasks.carry_out_requests()
    (made,) = backups_in(data / "backups")
    page = browser.get("/settings/").text
    assert f"checkpoint of {made.size} lines, {made.root[:8]}…" in page
    answer = browser.get(f"/settings/backups/{made.name}")
    assert bytes_of(answer) == made.path.read_bytes()
    assert answer["Content-Disposition"] == f'attachment; filename="{made.name}"'
    assert "no-store" in answer["Cache-Control"]


def test_the_last_failure_and_the_last_drill_are_shown(browser: Client, data: Path) -> None:
    back_up(data / "backups")
    note(
        data / "backups",
        "backup",
        NotedOutcome(at=1_700_000_000_000_000, error="the disk of /srv is full"),
    )
    note(
        data / "backups",
        "drill",
        NotedOutcome(at=1_700_000_000_000_000, name="a", error="its audit found <something>"),
    )

    page = browser.get("/settings/").text
    assert "The disk of /srv is full." in page
    assert "Drill failed" in page
    assert "its audit found &lt;something&gt;" in page
    note(
        data / "backups",
        "drill",
        NotedOutcome(at=1_700_000_000_000_000, name="a", words="1 salons with 7 events"),
    )
    assert "Drill held" in browser.get("/settings/").text


@pytest.mark.parametrize(
    "name", ["state.json", "..%2Fsecret-key", "accord-20200101-000000-7-aaaaaaaaaaaaaaaa.tar.gz"]
)
def test_nothing_but_a_backup_is_given(browser: Client, data: Path, name: str) -> None:
    back_up(data / "backups")

    assert browser.get(f"/settings/backups/{name}").status_code == 404


def test_nobody_else_sees_makes_or_takes_one(browser: Client, salon: Salon, data: Path) -> None:
    made, _manifest = back_up(data / "backups")
    other = opened_salon("Another", "other@example.org")
    User.objects.filter(email="other@example.org").update(is_superuser=False)
    visitors = [member(salon, role) for role in ("director", "scorer", "auditor", "player")] + [
        owner_of(other),
        Client(),
    ]
    for each in visitors:
        assert "Backups of the server" not in each.get("/settings/", follow=True).text
        assert each.post("/settings/backups/").status_code == 403
        assert each.get(f"/settings/backups/{made.name}").status_code in {302, 403}
    assert len(backups_in(data / "backups")) == 1


def test_without_a_second_step_the_owner_is_asked_for_one(salon: Salon, data: Path) -> None:
    made, _manifest = back_up(data / "backups")
    browser = owner_of(salon)

    assert "takes an account with a second step" in browser.get("/settings/").text
    for answer in (
        browser.post("/settings/backups/"),
        browser.get(f"/settings/backups/{made.name}"),
    ):
        assert answer.status_code == 302
        assert "second-step" in answer["Location"]
    assert len(backups_in(data / "backups")) == 1


def test_while_one_is_being_written_the_page_says_so(browser: Client, data: Path) -> None:
    with folders.alone_in(data / "backups"):
        assert "Being written" in browser.get("/settings/").text
    assert "Being written" not in browser.get("/settings/").text


def test_a_request_that_no_worker_begins_is_told_within_a_minute(browser: Client) -> None:
    browser.post("/settings/backups/")

    assert "The backup begins in a moment." in browser.get("/settings/").text
    BackupRun.objects.update(began_at=F("began_at") - 40 * 1_000_000)
    page = browser.get("/settings/").text
    assert "and has not begun." in page
    assert "<code>manage.py backup</code>" in page


def test_a_backup_that_was_refused_or_broken_off_is_told(browser: Client, data: Path) -> None:
    browser.post("/settings/backups/")
    with folders.alone_in(data / "backups"):
        tasks.carry_out_requests()
    assert "Another backup is being written." in browser.get("/settings/").text

    BackupRun.objects.update(ended_at=0, error="", taken_at=F("taken_at") - 70 * 1_000_000)
    assert "was ended in the middle of it" in browser.get("/settings/").text
    browser.post("/settings/backups/")
    tasks.carry_out_requests()
    assert len(backups_in(data / "backups")) == 1
    assert "was ended in the middle of it" not in browser.get("/settings/").text
