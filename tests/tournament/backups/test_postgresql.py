"""What is particular to PostgreSQL: a restore is one transaction in which its schema is made anew,
while nobody else is connected.
"""

from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection

from ledger.models import Event
from tests.conftest import OwnDatabase
from tests.tournament.backups.changed_backups import (
    Change,
    a_large_secret,
    events,
    forget,
    larger_than_it_says,
    rewritten,
    sizes_that_are_none,
)
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.tables import recorded, simple
from tournament.backups import restore, verify_backup
from tournament.backups.backup_file import BackupRefused, manifest_of
from tournament.backups.folder import backups_in
from tournament.backups.make import back_up
from tournament.models import Salon

pytestmark = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="PostgreSQL's own programs"
)


def test_a_restored_database_is_guarded_and_is_backed_up_and_drilled_like_the_first(
    salon: Salon, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = events()
    file = run(capsys, "backup", "--json").lines[0]["file"]
    recorded(salon, simple("later"))
    after = events()

    said = run(capsys, "restore", file, "--over", "--json")
    assert said.status == 0, said.err
    forget()
    assert events() == before
    assert manifest_of(Path(said.lines[0]["before"])).events == len(after)
    with pytest.raises(DatabaseError, match="what was recorded stays"):
        Event.objects.filter(position=1).update(actor="somebody else")
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_schema_privilege('public', 'public', 'USAGE')")
        assert cursor.fetchone() == (True,)

    assert run(capsys, "keys", "--accept-rollback").status == 0
    recorded(salon, simple("goes on"))
    again = run(capsys, "backup", "--json").lines[0]["file"]
    assert str(backups_in(data / "backups")[0].path) == again
    drilled = run(capsys, "drill", again, "--json")
    assert (drilled.status, drilled.lines[0]["faults"]) == (0, []), drilled.out


def other_dump(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    parts["database.pgdump"] = bytes(len(parts["database.pgdump"]))


@pytest.mark.parametrize(
    "change", [larger_than_it_says, a_large_secret, sizes_that_are_none, other_dump]
)
def test_no_dump_is_run_before_it_is_held_against_its_manifest(
    salon: Salon, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    made, _manifest = back_up(data / "backups")
    forged = rewritten(made.path, tmp_path / "forged.tar.gz", change)
    run_before = list[str]()
    monkeypatch.setattr(verify_backup, "tool", lambda name, *_how, **_more: run_before.append(name))
    (tmp_path / "apart").mkdir()

    with pytest.raises(BackupRefused), verify_backup.backup_on_trial(forged, tmp_path / "apart"):
        pass
    assert run_before == []


def test_nothing_is_restored_while_somebody_else_is_connected(
    salon: Salon, own_database: OwnDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restore, "SECONDS_TO_GO", 0)
    before = events()

    with (
        closing(psycopg.connect(own_database.url)),
        pytest.raises(restore.InUse, match="1 others are connected"),
    ):
        restore._postgresql(tmp_path / "no dump")
    assert events() == before
