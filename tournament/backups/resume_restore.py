"""The end of a restore, which a killed one leaves to whoever starts next: the database is in its
place, the secrets follow.

A restore is done once the database has its place. Until then everything waits in `restoring/` and
beside the database; whoever finds that the database still waits takes all of it away, and whoever
finds that it doesn't brings the rest. This module is read with the settings: it imports nothing of
Django.
"""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tournament.server.environment.secret_file import private_folder, settle

STAGE = "restoring"
WAITING = ".restoring"  # after the name of the database that is to take its place
PLACED = "placed"  # the file that says so where the database is no file
LOCK = "restoring.lock"
SECRET, KEYS = "secret-key", "signing-keys"


class RestoreAtWork(Exception):
    """Another restore is being carried out."""


@contextmanager
def alone(data: Path) -> Iterator[None]:
    """Nobody else restores or finishes meanwhile, however this ends. Raises RestoreAtWork."""
    with (private_folder(data) / LOCK).open("a", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as busy:
            raise RestoreAtWork("another restore is being carried out") from busy
        yield


def finish_a_killed_restore(data: Path, database: Path | None) -> None:
    """Leave the state before, or the one after, of a restore that was killed. `database` is
    SQLite's file, None for PostgreSQL.
    """
    if not (data / STAGE).is_dir():
        return
    try:
        with alone(data):
            finish(data, database)
    except RestoreAtWork:
        return  # Nothing was killed.


def finish(data: Path, database: Path | None) -> None:
    """Bring secrets into their place where the database has taken its own, and take away what
    waited. The caller is alone.
    """
    stage = data / STAGE
    placed = (stage / PLACED).exists() and (
        database is None or not find_waiting_path(database).exists()
    )
    if placed:
        bring_keys(stage, data)
        if (stage / SECRET).exists():
            (stage / SECRET).replace(data / SECRET)
            settle(data)
    if database is not None:
        find_waiting_path(database).unlink(missing_ok=True)
    shutil.rmtree(stage, ignore_errors=True)


def find_waiting_path(database: Path) -> Path:
    """Return the path of the database that waits to take the place of this one."""
    return database.with_name(f"{database.name}{WAITING}")


def bring_keys(stage: Path, data: Path) -> None:
    """Keys are added and never replaced, and what this machine signed last is remembered on: it may
    be more than the backup knows.
    """
    for source in sorted((stage / KEYS).glob("*")) if (stage / KEYS).is_dir() else []:
        target = private_folder(data / KEYS) / source.name
        if not target.exists():
            source.replace(target)
    if (data / KEYS).is_dir():
        settle(data / KEYS)
