"""Try a backup out at a place of its own: unpack it, bring it to this version of the program, audit
it, compare it with what is here.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from django.conf import settings
from django.core.files import locks
from django.db import connection

from ledger import merkle, tree
from ledger.models import Event, Log
from ledger.tree import BrokenTree
from tournament.backups import backup_file
from tournament.backups.database_copy import (
    logs_of_postgresql,
    logs_of_sqlite,
    tool,
    url_of,
)
from tournament.models import Salon

APART = ".drill-"
# Rows that another version made are made anew first, as after every update: the audit compares them
# with what this one makes.
JUDGE = """
import contextlib, sys
import django
django.setup()
from django.core.management import call_command
from tournament.projections.earlier_rows import made_otherwise
call_command("migrate", interactive=False, verbosity=0)
with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(SystemExit):
    if made_otherwise():
        call_command("rebuild")
call_command("audit", "--json")
"""
ELSEWHERE = {"DATABASE_URL", "CELERY_BROKER_URL", "REDIS_URL", "EMAIL_URL", "SIGNING_KEY"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A log here beside the one of the backup: how many entries would be lost, or that the two have
    different histories.

    `missing` says that the backup has no such log; `ahead` how many entries the backup has more.
    `size` is that of the backup's checkpoint and `holds` whether the log here begins with it.
    """

    salon: str
    log: str
    here: int
    there: int
    lost: int = 0
    ahead: int = 0
    missing: bool = False
    other_history: bool = False
    size: int = 0
    holds: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedBackup:
    """A backup that was unpacked: where, what it says it holds, and for each salon in it what its
    audit said.
    """

    folder: Path
    manifest: backup_file.Manifest
    database: str
    audits: Sequence[dict[str, Any]]
    failed: str

    @property
    def findings(self) -> list[str]:
        """The findings of the audits, each with its salon."""
        found = [
            f"{each['salon']}: {one['table']} {one['row']}: {one['message']}"
            for each in self.audits
            for one in each["findings"]
        ]
        return [*found, *([self.failed] if self.failed else [])]


@contextmanager
def backup_on_trial(path: Path, folder: Path, *, passphrase: str = "") -> Iterator[TriedBackup]:
    """A backup unpacked into this empty folder and audited; a database made for it on a PostgreSQL
    server is gone at the end.

    Raises BackupRefused, NotCopied, OSError.
    """
    manifest = backup_file.unpack(path, folder, passphrase=passphrase)
    if manifest.database == "sqlite":
        _settle_database(folder / backup_file.SQLITE)
        _check_logs(manifest, logs_of_sqlite(folder / backup_file.SQLITE))
        yield _audit_copy(folder, manifest, f"sqlite:///{folder / backup_file.SQLITE}", "")
        return
    if connection.vendor != "postgresql":
        raise backup_file.BackupRefused(
            "it is of a PostgreSQL database: set DATABASE_URL to an empty one first"
        )
    name = f"accord_try_{os.urandom(6).hex()}"
    tool("createdb", name)
    try:
        how = ("--no-owner", "--exit-on-error", f"--dbname={name}")
        tool("pg_restore", *how, str(folder / backup_file.POSTGRESQL))
        _check_logs(manifest, logs_of_postgresql(name))
        yield _audit_copy(folder, manifest, url_of(name), name)
    finally:
        tool("dropdb", "--if-exists", "--force", name)


@contextmanager
def apart() -> Iterator[Path]:
    """An empty folder beside the data for as long as something is tried out there, one at a time;
    what a killed one left is gone.
    """
    data = Path(settings.DATA_DIR)
    with (data / "drill.lock").open("a", encoding="ascii") as lock:
        locks.lock(lock, locks.LOCK_EX)
        for left in data.glob(f"{APART}*"):
            shutil.rmtree(left, ignore_errors=True)
        folder = Path(mkdtemp(dir=data, prefix=APART))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def compare_logs(manifest: backup_file.Manifest) -> list[Compared]:
    """Compare every log here with that of the backup."""
    there = {log.key: log for log in manifest.logs}
    here = list(Log.objects.order_by("pk"))
    return [
        _compare_log(log, there.get(log.key)) for log in here if log.position or log.key in there
    ]


def _check_logs(manifest: backup_file.Manifest, held: Sequence[backup_file.LogPart]) -> None:
    """Hold what a manifest says of the logs against the database. Raises BackupRefused."""
    said = {log.key: log for log in manifest.logs}
    for log in held:
        there = said.pop(log.key, None)
        if there is None:
            raise backup_file.BackupRefused(f"its manifest doesn't name the log {log.key}")
        if there != log:
            raise backup_file.BackupRefused(
                f"its database holds {log.events} events of {log.slug or log.key}, and its "
                f"manifest says otherwise"
            )
    if said:
        raise backup_file.BackupRefused(f"its database has no log {min(said)}")


def _compare_log(log: Log, there: backup_file.LogPart | None) -> Compared:
    salon = Salon.objects.filter(log=log).values_list("slug", flat=True).first() or ""
    if there is None:
        return Compared(
            salon=salon, log=log.key, here=log.position, there=0, lost=log.position, missing=True
        )
    common = min(log.position, there.events)
    kept = Event.objects.filter(log=log, position=common).values_list("hash", flat=True).first()
    other = log.position >= there.events > 0 and kept != there.hash
    return Compared(
        salon=salon or there.slug,
        log=log.key,
        here=log.position,
        there=there.events,
        lost=max(log.position - there.events, 0),
        ahead=max(there.events - log.position, 0),
        other_history=other,
        size=there.size,
        holds=_holds(log, there),
    )


def _holds(log: Log, there: backup_file.LogPart) -> bool:
    """Whether the log here begins with what the backup's checkpoint signed."""
    if not there.size:
        return True
    if log.position < there.size:
        return False
    try:
        return merkle.root(there.size, tree.nodes_of(log.pk)).hex() == there.root
    except BrokenTree:
        return False


def _audit_copy(folder: Path, manifest: backup_file.Manifest, url: str, name: str) -> TriedBackup:
    """Audit all of the backup in a process that knows nothing else, as on another machine."""
    own = {key: value for key, value in os.environ.items() if key not in ELSEWHERE}
    own |= {"ACCORD_DATA": str(folder), "DATABASE_URL": url}
    audited = _run_audit(own | {"SECRET_KEY": "of no use but to be there " * 3})
    failed = ""
    if audited.returncode and not audited.stdout:
        words = audited.stderr.decode(errors="replace").strip().splitlines()
        failed = f"it can't be audited: {words[-1] if words else 'no reason was given'}"
    lines = [json.loads(line) for line in audited.stdout.splitlines()] if not failed else []
    salons = [log for log in manifest.logs if log.slug]
    if not failed and len(salons) != len([each for each in lines if each.get("salon")]):
        failed = "it has other salons than its manifest says"
    if manifest.database == "sqlite":
        _settle_database(folder / backup_file.SQLITE)
    return TriedBackup(folder=folder, manifest=manifest, database=name, audits=lines, failed=failed)


def _run_audit(environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Run the audit of all salons in one process, since each takes seconds to begin."""
    named = environment | {"DJANGO_SETTINGS_MODULE": "tournament.settings"}
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", JUDGE],
        env=named,
        capture_output=True,
        check=False,
        cwd=settings.BASE_DIR,
    )


def _settle_database(path: Path) -> None:
    """Make the database one file, without files beside it. Raises BackupRefused if it
    isn't a database.
    """
    try:
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA journal_mode=DELETE")
            ((sound,), *_) = database.execute("PRAGMA quick_check").fetchall()
    except sqlite3.Error as fault:
        raise backup_file.BackupRefused(f"its database can't be opened: {fault}") from fault
    if sound != "ok":
        raise backup_file.BackupRefused(f"its database is damaged: {sound}")
