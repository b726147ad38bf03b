"""The salon as a file: by the command on any two databases, from the page, and by the API."""

import os
import re
import shutil
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client, override_settings

from ledger.models import Log
from ledger.signing import origin_of
from tests.conftest import OwnDatabase
from tests.tournament.api.calling import owner_calls
from tests.tournament.exchange.salon_archive.conftest import Server
from tests.tournament.exchange.salon_archive.salons import differing, kept, sign
from tests.tournament.exchange.salon_archive.taking_in import taken
from tests.tournament.helpers.commanding import Ran, run, start
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tests.tournament.helpers.tables import everything, recorded
from tournament.accounts.permissions import Permission
from tournament.models import Salon
from tournament.recording.name_digests import cover_names


def elsewhere(folder: Path, *arguments: object) -> Ran:
    """A command on a server of its own, whose database is an SQLite file in this folder."""
    settings = {
        "DATABASE_URL": f"sqlite:///{folder / 'salon.sqlite3'}",
        "ACCORD_DATA": str(folder),
        "SIGNING_KEY": "",
    }
    process = start(arguments, {**os.environ, **settings})
    out, err = process.communicate()
    return Ran(status=process.returncode, out=out, err=err)


@pytest.fixture
def salon(own_database: OwnDatabase) -> Salon:
    place = opened_salon()
    recorded(place, everything())
    cover_names(place)
    sign(place)
    return place


@pytest.mark.long
def test_from_this_database_to_sqlite_and_back(
    salon: Salon,
    database_template: str,
    another_server: Server,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The runs of the tests on PostgreSQL make this PostgreSQL to SQLite and back."""
    there, out, back = tmp_path / "there", tmp_path / "out.jsonl", tmp_path / "back.jsonl"
    there.mkdir()
    if (
        connection.vendor == "sqlite"
    ):  # where there is none yet the command would make it, as others do
        shutil.copyfile(database_template, there / "salon.sqlite3")
    assert run(capsys, "salon", "export", out).status == 0
    before = kept(salon)

    said = elsewhere(there, "salon", "import", out)
    assert (said.status, said.err) == (0, "")
    assert re.search(
        r"Invited within a week, as owner: Mara Ilves mara@example.org /invitations/\S+/", said.out
    )
    assert "a new key signs from now on" in said.out
    assert elsewhere(there, "salon", "export", back).status == 0
    with another_server(), override_settings(SIGNING_KEY="a third server's own " * 3):
        assert run(capsys, "salon", "import", back, "--json").lines[0]["key_begun"]
        assert run(capsys, "audit").status == 0
        gone = [
            each for each in differing(before, kept(Salon.objects.get())) if "only here" in each
        ]
    assert gone == []


def test_the_other_servers_key_is_announced_on_the_way(
    salon: Salon, another_server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, theirs = tmp_path / "out.jsonl", override_settings(SIGNING_KEY="another server's own " * 3)
    with theirs:
        key = run(capsys, "salon", "key", origin_of(salon.log)).out.strip()
        assert run(capsys, "salon", "key", "demo").err.startswith(
            "A salon's name is written accord/"
        )
    assert run(capsys, "salon", "export", out, "--to", "nonsense").err.startswith(
        "'nonsense' is no key"
    )
    assert run(capsys, "salon", "export", out, "--to", key).status == 0
    with another_server(), theirs:
        assert run(capsys, "salon", "import", out, "--json").lines[0]["key_begun"] is False
        assert "remark" not in run(capsys, "audit").out
        assert key in run(capsys, "keys").out


def test_a_file_that_was_altered_is_refused_with_code_and_place(
    salon: Salon, another_server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    run(capsys, "salon", "export", out)
    out.write_bytes(out.read_bytes().replace(b'"position":5,', b'"position":6,'))
    with another_server():
        ran = run(capsys, "salon", "import", out, "--json")
        assert ran.status == 1
        assert ran.lines[0]["error"]["code"] == "altered"
        assert re.fullmatch(r"line \d+", ran.lines[0]["error"]["path"])
        assert Log.objects.count() == 0
        assert run(capsys, "salon", "import", tmp_path / "nowhere").err.endswith(
            "can't be read: No such file or directory."
        )


def test_an_archive_is_for_its_owners_eyes_and_whole_or_not_there(
    salon: Salon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    run(capsys, "salon", "export", out)

    assert out.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.glob("*.jsonl*")] == ["out.jsonl"]
    assert "can't be written" in run(capsys, "salon", "export", tmp_path / "no" / "folder").err


@pytest.mark.parametrize("names", ["yes", "no"])
def test_the_page_and_the_api_give_the_file_that_another_server_takes_in(
    salon: Salon, another_server: Server, tmp_path: Path, names: str
) -> None:
    page = owner_of(salon).get("/settings/").text
    assert 'href="/settings/salon.jsonl"' in page
    answer = owner_of(salon).get("/settings/salon.jsonl", {"names": names})
    by_api = owner_calls(salon, Permission.TAKE_ALONG).get("archive/", names=names).value.encode()
    assert answer["Content-Disposition"] == f'attachment; filename="{salon.slug}.salon.jsonl"'
    for number, file in enumerate((answer.getvalue(), by_api)):
        (path := tmp_path / f"{number}").write_bytes(file)
        assert (b"Birch" in file) is (names == "yes")
        with another_server():
            assert taken(path, owner="new@example.org").outcome == "imported"


def test_only_the_owner_takes_the_salon_along(salon: Salon) -> None:
    for role in ("director", "scorer", "auditor"):
        assert member(salon, role).get("/settings/salon.jsonl").status_code == 403
    assert Client().get("/settings/salon.jsonl").status_code == 302
