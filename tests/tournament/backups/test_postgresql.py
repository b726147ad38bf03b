"""What is particular to PostgreSQL: a restore is one transaction in which its schema is made anew,
while nobody else is connected.
"""

from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.db import DatabaseError, connection

from ledger.models import Event
from tests.conftest import OwnDatabase
from tests.tournament.backups.test_backups import events, forget
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.tables import recorded, simple
from tournament.backups import restore
from tournament.backups.backup_file import manifest_of
from tournament.backups.folder import backups_in
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
