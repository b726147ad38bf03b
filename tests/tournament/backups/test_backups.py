"""A backup holds all that was acknowledged before it; restored it is the server it was made of, and
nothing is lost unasked.
"""

import gzip
import io
import json
import shutil
import sqlite3
import stat
import tarfile
import threading
import tracemalloc
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from ledger import checkpoints
from ledger.last_signed import Inconsistent
from ledger.models import Checkpoint, Event, Log
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
from tests.tournament.helpers.tables import recorded, simple, unguard
from tournament.backups import folder as folders
from tournament.backups import make
from tournament.backups.backup_file import BackupRefused, manifest_of, unpack
from tournament.backups.database_copy import NotCopied
from tournament.backups.folder import backups_in, rotate
from tournament.backups.make import NotBackedUp, back_up
from tournament.backups.verify_backup import backup_on_trial
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Game, Salon
from tournament.projections.earlier_rows import made_otherwise
from tournament.tasks import back_up_by_night, sign_checkpoints

WORDS = "velvet ladder comet"


def test_a_backup_is_one_file_of_its_owners_with_the_checkpoint_in_its_name(
    salon: Salon, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (told,) = run(capsys, "backup", "--json").lines

    signed = Checkpoint.objects.get()
    (made,) = backups_in(data / "backups")
    assert told["file"] == str(made.path)
    assert f"-{signed.size}-{signed.root[:16]}.tar.gz" in made.name
    assert (made.size, made.root, signed.size) == (signed.size, signed.root[:16], len(events()))
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    with tarfile.open(made.path) as tar:
        names = tar.getnames()
    assert names[0] == "manifest.json"
    assert {"secret-key"} < set(names)
    assert any(name.startswith("signing-keys/") for name in names)
    assert sorted(each.name for each in (data / "backups").iterdir()) == sorted(
        [".lock", "state.json", made.name]
    )


def test_what_was_acknowledged_before_a_backup_is_in_it_while_others_record(
    salon: Salon, data: Path
) -> None:
    acknowledged, stop = list[str](), threading.Event()

    def record() -> None:
        try:
            while not stop.is_set() and len(acknowledged) < 200:
                recorded(salon, simple(f"game {len(acknowledged)}"))
                acknowledged.append(f"game {len(acknowledged)}")
        finally:
            connection.close()

    writer = threading.Thread(target=record)
    writer.start()
    try:
        for number in range(3):
            before = Log.objects.get(pk=salon.log_id).position
            _made, manifest = back_up(data / f"backups-{number}")
            assert manifest.logs[0].events >= before
            assert manifest.logs[0].size <= manifest.logs[0].events
    finally:
        stop.set()
        writer.join()
    assert acknowledged


def test_a_copied_file_lacks_what_its_journal_holds_and_a_backup_does_not(
    salon: Salon, data: Path, tmp_path: Path
) -> None:
    """Why the database file is never copied: the reason for all this, seen."""
    if connection.vendor != "sqlite":
        pytest.skip("a PostgreSQL server has no file to be copied")
    recorded(salon, simple("acknowledged"))
    shutil.copyfile(connection.settings_dict["NAME"], tmp_path / "copied")
    made, manifest = back_up(data / "backups")
    (tmp_path / "unpacked").mkdir()
    unpack(made.path, tmp_path / "unpacked")

    def count(path: Path) -> int:
        with closing(sqlite3.connect(path)) as copy:
            return int(copy.execute("SELECT count(*) FROM ledger_event").fetchone()[0])

    assert count(tmp_path / "copied") < len(events())
    assert count(tmp_path / "unpacked" / "database.sqlite3") == len(events()) == manifest.events


@pytest.mark.parametrize("encrypted", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_backup_restored_elsewhere_is_the_server_it_was_made_of(
    salon: Salon,
    data: Path,
    encrypted: bool,
    tmp_path: Path,
    settings: Settings,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = tmp_path / "words"
    words.write_text(f"{WORDS}\n")
    given = ["--passphrase-file", words] if encrypted else []
    before = events()
    file = run(capsys, "backup", "--json", *given).lines[0]["file"]
    assert file.endswith(".enc") is encrypted
    recorded(salon, simple("later"))
    settings.DATA_DIR = tmp_path / "elsewhere"

    said = run(capsys, "restore", file, "--over", "--json", *given)
    assert said.status == 0, said.err
    forget()
    assert events() == before
    assert (tmp_path / "elsewhere" / "secret-key").read_text() == "the secret of this server"
    assert run(capsys, "audit").status == 0
    recorded(salon, simple("goes on"))
    sign_checkpoints()
    assert Checkpoint.objects.order_by("-size")[0].size == len(events())


def test_a_salon_is_never_restored_over_unasked_and_what_would_be_lost_is_said(
    salon: Salon, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size = len(events())
    file = run(capsys, "backup", "--json").lines[0]["file"]
    recorded(salon, simple("later"))
    sign_checkpoints()
    after = events()

    refused = run(capsys, "restore", file)
    forget()
    assert refused.status == 1
    assert f"{len(after) - size} events after event {size} are lost" in refused.err
    assert "--over" in refused.err
    assert events() == after

    said = run(capsys, "restore", file, "--over")
    forget()
    assert said.status == 0, said.err
    assert f"{len(after) - size} events after event {size} are lost" in said.out
    assert f"manage.py keys --accept-rollback --salon {salon.slug}" in said.out
    assert len(events()) == size
    with pytest.raises(Inconsistent):
        checkpoints.make(Log.objects.get(), load_keyring(), now=1)
    assert run(capsys, "keys", "--accept-rollback").status == 0
    assert "taken back" in run(capsys, "audit").out
    sign_checkpoints()


def test_a_backup_with_findings_is_not_restored(
    salon: Salon, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unguard()
    Event.objects.filter(position=3).update(actor="somebody else")
    file = run(capsys, "backup", "--json").lines[0]["file"]
    before = events()

    refused = run(capsys, "restore", file, "--over")
    forget()
    assert "its audit found" in refused.err
    assert events() == before
    drilled = run(capsys, "drill", "--json")
    assert (drilled.status, drilled.lines[0]["ok"]) == (1, False)


def test_a_backup_of_an_earlier_version_is_restored_with_rows_as_this_one_makes_them(
    salon: Salon, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = Game.objects.earliest("started_position")
    Game.objects.filter(pk=right.pk).update(state={"as_it_was": 1} | right.state)
    Salon.objects.update(rows_made_by=None)
    file = run(capsys, "backup", "--json").lines[0]["file"]

    restored = run(capsys, "restore", file, "--over")
    forget()
    assert restored.status == 0, restored.err
    if connection.vendor == "sqlite":
        assert Game.objects.get(pk=right.pk).state == right.state
        assert made_otherwise() == {}
    else:  # the dump itself is put in place: the start names what is still to be rebuilt
        assert list(made_otherwise()) == [salon.slug]


def test_no_altered_backup_is_unpacked(salon: Salon, data: Path, tmp_path: Path) -> None:
    made, _manifest = back_up(data / "backups")
    whole, chance = made.path.read_bytes(), Random(12)
    for number in range(60):
        place = chance.randrange(12, len(whole))  # the head of gzip holds a time that nobody reads
        harm = (
            whole[:place]
            if number % 4 == 0
            else whole[:place]
            + bytes([whole[place] ^ (1 << chance.randrange(8))])
            + whole[place + 1 :]
        )
        (tmp_path / "harmed").write_bytes(harm)
        target = tmp_path / f"target-{number}"
        target.mkdir()
        with suppress(BackupRefused):
            assert unpack(tmp_path / "harmed", target) == manifest_of(made.path)
        shutil.rmtree(target)


@pytest.mark.parametrize("content", [b"", b"no backup", b"accord-backup-encrypted/1\n{}\n"])
def test_what_is_no_backup_is_refused_in_words(
    data: Path, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(content)
    (tmp_path / "words").write_text(WORDS)

    refused = run(capsys, "restore", tmp_path / "file", "--passphrase-file", tmp_path / "words")
    assert (refused.status, refused.err[:21]) == (1, "Nothing was restored:")


def test_a_drill_holds_as_long_as_the_log_here_goes_on_from_the_backup(
    salon: Salon, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "There is no backup" in run(capsys, "drill").err
    run(capsys, "backup")
    recorded(salon, simple("later"))
    before = events()

    told = run(capsys, "drill", "--json")
    assert (told.status, told.lines[0]["ok"], told.lines[0]["faults"]) == (0, True, []), told.out
    noted = folders.read_outcome(data / "backups", "drill")
    assert noted is not None and noted.error == ""  # noqa: PT018
    assert events() == before
    unguard()
    Event.objects.filter(position=1).update(hash="ab" * 32)
    told = run(capsys, "drill", "--json")
    assert told.status == 1
    assert "does not begin with what the backup has" in told.lines[0]["faults"][0]
    assert list(data.glob(".drill-*")) == []


def test_a_full_disk_is_said_and_nothing_is_left(
    salon: Salon, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_given: object, **_named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(make, "write", full)
    refused = run(capsys, "backup")
    assert refused.status == 1
    assert f"the disk of {data / 'backups'} is full" in refused.err
    assert sorted(each.name for each in (data / "backups").iterdir()) == [".lock", "state.json"]
    noted = folders.read_outcome(data / "backups", "backup")
    assert noted is not None and "is full" in noted.error  # noqa: PT018


def test_a_log_that_cannot_be_signed_is_backed_up_all_the_same_and_named(
    salon: Salon, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sign_checkpoints()
    unguard()
    Event.objects.filter(position=1).update(hash="ab" * 32)
    recorded(salon, simple("later"))

    (told,) = run(capsys, "backup", "--json").lines
    assert len(told["unsigned"]) == 1


def test_two_backups_are_not_written_at_once(salon: Salon, data: Path) -> None:
    with (
        folders.alone_in(data / "backups"),
        pytest.raises(NotBackedUp, match="another backup is being written"),
    ):
        back_up(data / "backups")
    assert not folders.is_at_work(data / "backups")


def test_a_passphrase_comes_of_no_command_line_and_is_long_enough(
    salon: Salon,
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "short").write_text("short")
    assert "at least 12" in run(capsys, "backup", "--passphrase-file", tmp_path / "short").err
    monkeypatch.setenv("BACKUP_PASSPHRASE", WORDS)
    made = Path(run(capsys, "backup", "--encrypt", "--json").lines[0]["file"])
    assert WORDS.encode() not in made.read_bytes()
    assert run(capsys, "drill").status == 0
    monkeypatch.setenv("BACKUP_PASSPHRASE", "another " * 3)
    refused = run(capsys, "drill")
    assert (refused.status, "the passphrase is another one" in refused.out) == (1, True)


def nightly(folder: Path, days: list[int]) -> None:
    now = datetime(2026, 11, 22, 3, tzinfo=UTC)
    for each in days:
        (
            folder
            / f"accord-nightly-{now - timedelta(days=each):%Y%m%d-%H%M%S}-7-{'a' * 16}.tar.gz"
        ).touch()


def test_the_newest_of_so_many_days_and_weeks_stay_and_whatever_was_asked_for(
    tmp_path: Path,
) -> None:
    nightly(tmp_path, list(range(60)))
    asked = tmp_path / f"accord-20200101-000000-7-{'a' * 16}.tar.gz"
    asked.touch()
    (tmp_path / "something else").touch()
    rotate(tmp_path, days=7, weeks=4)

    kept = backups_in(tmp_path)
    days = [
        (datetime(2026, 11, 22, 3, tzinfo=UTC) - each.made_at).days for each in kept if each.nightly
    ]
    assert days == [0, 1, 2, 3, 4, 5, 6, 7, 14, 21]
    assert asked.exists()
    assert (tmp_path / "something else").exists()
    assert rotate(tmp_path, days=7, weeks=4) == []


def test_a_backup_is_made_once_a_night(
    salon: Salon, data: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    opened = datetime(2026, 11, 20, 5, tzinfo=UTC)
    Salon.objects.update(created_at=opened)
    night = opened + timedelta(hours=22)
    assert not make.is_due(opened + timedelta(hours=1))
    assert make.is_due(night)
    monkeypatch.setattr(timezone, "now", lambda: night)
    back_up_by_night()
    (made,) = backups_in(data / "backups")
    assert made.nightly
    assert not make.is_due(made.made_at + timedelta(hours=1))
    assert make.is_due(made.made_at + timedelta(days=3))
    assert make.is_due(made.made_at - timedelta(days=3))  # it was made while a clock was ahead
    settings.BACKUP_KEEP = (0, 0)
    assert not make.is_due(made.made_at + timedelta(days=3))


def test_a_failed_night_is_tried_again_after_an_hour(salon: Salon, data: Path) -> None:
    (data / "backups").mkdir()
    at = timezone.now() + timedelta(days=3)
    said = {
        "at": int(at.timestamp() * 1_000_000),
        "error": "the disk is full",
        "name": "",
        "words": "",
    }
    (data / "backups" / "state.json").write_text(json.dumps({"backup": said}))

    assert not make.is_due(at + timedelta(minutes=30))
    assert make.is_due(at + timedelta(minutes=61))


def without_database(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    del parts["database.sqlite3"]
    manifest["files"] = [each for each in manifest["files"] if "database" not in each["name"]]


def without_anything(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    parts.clear()
    manifest |= {"logs": [], "files": []}


def more_than_the_disk_holds(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    for each in manifest["files"]:
        if "database" in each["name"]:
            each["bytes"] = 1 << 50


def other_counts(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    manifest["logs"][0] |= {"events": 38_220, "hash": "f" * 64}


def no_logs(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    manifest["logs"] = []


def one_log_more(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    manifest["logs"].append(manifest["logs"][0] | {"key": "0" * 16, "slug": ""})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (without_database, "it holds no database"),
        (without_anything, "it holds no database"),
        (larger_than_it_says, "is not as large as the manifest says"),
        (a_large_secret, "secret-key is far too large"),
        (more_than_the_disk_holds, "the disk has no room for what it holds"),
        (other_counts, "and its manifest says otherwise"),
        (no_logs, "its manifest doesn't name the log"),
        (one_log_more, "its database has no log"),
        (sizes_that_are_none, "can't be read"),
    ],
)
def test_a_backup_that_is_not_what_its_manifest_says_is_refused_before_it_is_audited(
    salon: Salon,
    data: Path,
    tmp_path: Path,
    change: Change,
    words: str,
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("what is altered is a file of SQLite")
    made, _manifest = back_up(data / "backups")
    forged = rewritten(made.path, tmp_path / "forged.tar.gz", change)
    (tmp_path / "apart").mkdir()

    with (
        pytest.raises((BackupRefused, NotCopied), match=words),
        backup_on_trial(forged, tmp_path / "apart"),
    ):
        pass
    assert (
        sum(each.stat().st_size for each in (tmp_path / "apart").rglob("*") if each.is_file())
        < 5_000_000
    )


@pytest.mark.parametrize("where", ["manifest", "head", "end"])
def test_what_unpacks_to_very_much_is_not_read_on(
    salon: Salon, data: Path, tmp_path: Path, where: str
) -> None:
    """A few kilobytes of zeros that come to very many bytes: as a manifest of brackets, as the head
    of a part, after the last part.
    """
    bomb, huge = tmp_path / "bomb.tar.gz", 100_000_000
    with gzip.open(bomb, "wb", compresslevel=1) as out:
        with tarfile.open(fileobj=out, mode="w|") as tar:
            manifest = b"[" * 200_000 if where == "manifest" else b"{}"
            entry = tarfile.TarInfo("manifest.json")
            entry.size = len(manifest)
            if where == "head":
                long = tarfile.TarInfo("x")
                long.type, long.size = tarfile.XHDTYPE, huge
                out.write(long.tobuf(tarfile.USTAR_FORMAT))
                out.write(bytes(huge))
            tar.addfile(entry, io.BytesIO(manifest))
        if where == "end":
            out.write(bytes(huge))
    (tmp_path / "apart").mkdir()

    tracemalloc.start()
    try:
        with pytest.raises(BackupRefused):
            unpack(bomb, tmp_path / "apart")
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 60_000_000
    assert not [each for each in (tmp_path / "apart").rglob("*") if each.is_file()]
