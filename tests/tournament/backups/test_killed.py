"""A backup or a restore that is killed at any moment leaves the state before or the one after, and
the next one goes through.
"""

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, connections

from tests.conftest import OwnDatabase
from tests.tournament.helpers.commanding import ROOT
from tests.tournament.helpers.tables import recorded, simple
from tournament.backups.backup_file import unpack
from tournament.backups.folder import PARTIAL, backups_in
from tournament.backups.make import back_up
from tournament.backups.resume_restore import finish_a_killed_restore
from tournament.models import Salon

EVERY = pytest.mark.parametrize(
    "step", [9, pytest.param(1, marks=pytest.mark.long)]
)  # before every ninth act, before each
# Reads a number a line; a child runs the command and dies before that act on the disk. Says what
# became of it: the signal, or 0 if it lived. The audit of what is restored is tried elsewhere; here
# it is left out, since it takes seconds.
DYING = """
import os, signal, sys
import django
django.setup()
from django.core.management import call_command
from tournament.backups import verify_backup

def unaudited(folder, manifest, url, name):
    about = {"folder": folder, "manifest": manifest, "database": name}
    return verify_backup.TriedBackup(**about, audits=[], failed="")

verify_backup._audit_copy = unaudited
ACTS = ("replace", "rename", "link", "fsync", "unlink", "mkdir", "rmdir")

def run_and_die(number):
    done = 0
    def dying(act):
        def acted(*args, **kwargs):
            nonlocal done
            done += 1
            if done == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return act(*args, **kwargs)
        return acted
    for name in ACTS:
        setattr(os, name, dying(getattr(os, name)))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    call_command(*sys.argv[1:])

for line in sys.stdin:
    child = os.fork()
    if not child:
        try:
            run_and_die(int(line))
        finally:
            os._exit(0)
    print(os.WTERMSIG(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture
def server(salon: Salon, data: Path, own_database: OwnDatabase) -> Path:
    """A folder with all of a server: its data, and its database beside them. SQLite's, whose files
    these are about.
    """
    if connection.vendor != "sqlite":
        pytest.skip("a PostgreSQL server keeps its files, and a restore there is one transaction")
    return data


@contextmanager
def dying(database: Path, data: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", DYING, *arguments]
    environment = {
        "ACCORD_DATA": str(data),
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "tournament.settings",
    }
    own = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command,
        env=own | environment,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as driver:
        yield driver
        assert driver.stdin
        driver.stdin.close()


def died(driver: subprocess.Popen[str], number: int) -> bool:
    assert driver.stdin
    assert driver.stdout
    driver.stdin.write(f"{number}\n")
    driver.stdin.flush()
    return int(driver.stdout.readline()) == signal.SIGKILL


def state_of(database: Path, data: Path) -> tuple[int, str, int]:
    """How many events, which secret, how many keys."""
    with closing(sqlite3.connect(database)) as opened:
        assert opened.execute("PRAGMA quick_check").fetchone() == ("ok",)
        events = int(opened.execute("SELECT count(*) FROM ledger_event").fetchone()[0])
    return (
        events,
        (data / "secret-key").read_text(),
        len(list((data / "signing-keys").glob("*.origin"))),
    )


@EVERY
def test_a_restore_that_is_killed_leaves_the_state_before_or_the_one_after(
    server: Path, salon: Salon, tmp_path: Path, step: int, record_property: Any
) -> None:
    backup, _manifest = back_up(tmp_path / "kept")
    recorded(salon, simple("later"))
    (server / "secret-key").write_text("another secret")
    for key in (server / "signing-keys").iterdir():
        key.unlink()
    old, live = tmp_path / "old", tmp_path / "live"
    connections.close_all()
    source = Path(connection.settings_dict["NAME"])
    shutil.copytree(server, old)
    shutil.copyfile(source, old / "db")
    before = state_of(old / "db", old)
    live.mkdir()
    with dying(live / "db", live, "restore", str(backup.path), "--over") as driver:
        seen, number = set[tuple[int, str, int]](), 1
        while True:
            shutil.rmtree(live)
            shutil.copytree(old, live)
            lived = not died(driver, number)
            finish_a_killed_restore(live, live / "db")
            found = state_of(live / "db", live)
            assert list(live.glob("restoring/")) == list(live.glob("db.restoring")) == []
            seen.add(found)
            if lived:
                break
            number += step
    after = found
    record_property(
        "counted",
        (
            f"restore: {(number - 1) // step} kills, each before an act on the disk: "
            f"{len(seen)} states"
        ),
    )
    assert (after[0] < before[0], after[1]) == (True, "the secret of this server")
    assert seen == {before, after}
    assert number > 8


@EVERY
def test_a_backup_that_is_killed_leaves_whole_backups_only(
    server: Path, salon: Salon, tmp_path: Path, step: int, record_property: Any
) -> None:
    first, _manifest = back_up(server / "backups")
    recorded(salon, simple("later"))
    connections.close_all()
    database, number = Path(connection.settings_dict["NAME"]), 1
    with dying(database, server, "backup") as driver:
        while died(driver, number):
            for place, each in enumerate(backups_in(server / "backups")):
                target = tmp_path / f"{number}-{place}"
                target.mkdir()
                assert unpack(each.path, target).events >= first.size
                shutil.rmtree(target)
                if each.name != first.name:
                    each.path.unlink()
            number += step
    record_property(
        "counted", f"backup: {(number - 1) // step} kills, each before an act on the disk"
    )
    assert number > 3
    assert len(backups_in(server / "backups")) == 2
    assert list((server / "backups").glob(f"{PARTIAL}*")) == []
