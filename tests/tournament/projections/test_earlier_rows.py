"""A rebuild that was left out after an update is said: at the start, by every audit, in the
settings, until it was made.
"""

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.db.migrations import AddField, AlterField
from django.db.migrations.loader import MigrationLoader
from django.test import Client

from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.tables import a_salon, everything, recorded
from tournament.integrity import audit_runs
from tournament.models import AuditRun, Game, Progress, Salon
from tournament.models.rows_made_by import ROWS_MADE_BY
from tournament.projections import earlier_rows
from tournament.projections.background import catch_up
from tournament.server.process import checks
from tournament.tasks import PROJECTIONS

NAME = "_rows_say_which_code_made_them"
EARLIER = pytest.mark.parametrize(
    ("number", "which"), [(None, "an earlier"), (0, "an earlier"), (ROWS_MADE_BY + 1, "a later")]
)


@pytest.fixture
def salon(db: None) -> Salon:
    place = opened_salon()
    recorded(place, everything())
    catch_up(place.log, PROJECTIONS)
    return place


def made_by(salon: Salon, number: int | None) -> None:
    Salon.objects.filter(pk=salon.pk).update(rows_made_by=number)


def said(salon: Salon, which: str = "an earlier") -> str:
    return (
        f"The rows of {salon.slug} were made by {which} version of Accord: run `uv run "
        f"manage.py rebuild`."
    )


def warned() -> list[str]:
    return [each.msg for each in run_checks(databases=["default"]) if each.id == "accord.W002"]


@EARLIER
def test_the_check_at_the_start_names_each_salon_whose_rows_another_version_made(
    salon: Salon, number: int | None, which: str
) -> None:
    other = a_salon("other")
    assert warned() == []

    made_by(salon, number)
    assert warned() == [said(salon, which)]
    made_by(other, number)
    assert sorted(warned()) == sorted([said(other, which), said(salon, which)])


def test_what_prepares_to_serve_says_it(salon: Salon, capsys: pytest.CaptureFixture[str]) -> None:
    made_by(salon, None)

    call_command("check", databases=["default"])
    assert said(salon) in capsys.readouterr().err


@pytest.mark.parametrize("absent", ["tournament_nothing", "tournament_player"])
def test_before_the_tables_of_an_update_are_made_nothing_is_asked(
    db: None, monkeypatch: pytest.MonkeyPatch, absent: str
) -> None:
    class Absent:
        _meta = type("Meta", (), {"db_table": absent})

    monkeypatch.setattr(checks, "Salon", Absent)
    monkeypatch.setattr(checks, "made_otherwise", lambda: pytest.fail("asked"))

    assert warned() == []


@pytest.mark.parametrize("command", ["audit", "verify"])
def test_audits_remark_it_and_find_nothing(
    salon: Salon, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(salon) not in run(capsys, command).out

    made_by(salon, None)
    ran = run(capsys, command)
    assert (ran.status, f"{salon.slug}: remark: {said(salon)}" in ran.out) == (0, True)
    (told,) = run(capsys, command, "--json").lines
    assert (told["findings"], said(salon) in told["remarks"]) == ([], True)


def test_an_audit_that_is_kept_remarks_it(salon: Salon) -> None:
    made_by(salon, None)
    run_of_it = audit_runs.begin(salon)
    assert run_of_it is not None

    audit_runs.carry_out(run_of_it)
    assert said(salon) in AuditRun.objects.get().remarks


@pytest.mark.parametrize("page", ["/settings/", "/audit/"])
def test_the_owner_reads_it_until_the_rebuild(
    salon: Salon, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    owner: Client = owner_of(salon)
    words = "The rows of this salon were made by an earlier version of Accord."
    assert words not in owner.get(page).text

    made_by(salon, None)
    assert words in owner.get(page).text
    assert "<code>uv run manage.py rebuild</code>" in owner.get(page).text
    made_by(salon, ROWS_MADE_BY + 1)
    assert "The rows of this salon were made by a later version of Accord." in owner.get(page).text

    assert run(capsys, "rebuild").status == 0
    assert "of this salon were made by" not in owner.get(page).text


def test_a_rebuild_that_mends_settles_it_for_the_salon_it_was_made_for(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    other = a_salon("other")
    made_by(salon, None)
    made_by(other, None)
    Game.objects.filter(salon=salon).update(state={})

    assert run(capsys, "rebuild", "--salon", salon.slug).status == 1
    assert warned() == [said(other)]
    (told,) = run(capsys, "rebuild", "--salon", "other", "--json").lines
    assert (told["whole"], warned()) == (True, [])


def test_a_rebuild_that_leaves_something_as_it_was_does_not_settle_it(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    made_by(salon, None)
    parked = Progress.objects.filter(log=salon.log_id, projection="careers")
    parked.update(error="stop", error_position=3)

    ran = run(capsys, "rebuild")
    assert (ran.status, "its rows stay those of another version" in ran.out) == (1, True)
    assert [line["whole"] for line in run(capsys, "rebuild", "--json").lines] == [False]
    assert warned() == [said(salon)]
    parked.update(error="", error_position=None)
    assert run(capsys, "rebuild").status == 0
    assert warned() == []


def test_looking_without_mending_settles_nothing(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    made_by(salon, None)

    assert run(capsys, "verify").status == 0
    assert earlier_rows.made_by(salon) == earlier_rows.EARLIER


def test_of_the_salons_that_an_update_finds_nobody_knows_which_code_made_their_rows() -> None:
    """The column comes without a value for them, and then new salons get the present number."""
    (migration,) = [
        each
        for name, each in MigrationLoader(None).disk_migrations.items()
        if name[1].endswith(NAME)
    ]
    added, altered = migration.operations
    assert isinstance(added, AddField)
    assert isinstance(altered, AlterField)

    assert (added.field.null, added.field.has_default()) == (True, False)
    assert altered.field.default() == ROWS_MADE_BY


def test_a_new_salon_has_its_rows_from_the_code_that_opened_it(db: None) -> None:
    assert opened_salon().rows_made_by == a_salon("another").rows_made_by == ROWS_MADE_BY
    assert warned() == []
