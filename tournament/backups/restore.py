"""Put a backup that was tried out in the place of what is here: whole, or not at all."""

import os
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, connections

from ledger.reading import fetch_all
from tournament.backups import resume_restore
from tournament.backups.backup_file import POSTGRESQL, SQLITE
from tournament.backups.database_copy import tool
from tournament.backups.verify_backup import TriedBackup
from tournament.server.environment.secret_file import private_folder, settle

# as initdb makes it
ANEW = "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC;\n"
OTHERS = """
SELECT count(*) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid()
   AND backend_type = 'client backend'"""
SECONDS_TO_GO = 5.0  # for the server's side of a program that has just ended


class InUse(Exception):
    """Something else uses the database; nothing was changed."""


def place(found: TriedBackup) -> Path | None:
    """Put it in place; the file that the SQLite database before has now, None where there was none.

    The caller is alone with the data folder. Raises InUse, NotCopied, OSError, and nothing has
    changed then.
    """
    data = Path(settings.DATA_DIR)
    stage = private_folder(data / resume_restore.STAGE)
    for name in (resume_restore.SECRET, resume_restore.KEYS):
        if (found.folder / name).exists():
            shutil.move(found.folder / name, stage / name)
    database = database_file()
    try:
        if database is not None:
            return _sqlite(found.folder / SQLITE, data, database)
        # One more key harms nobody, and no file says the moment at which the database is another.
        resume_restore.bring_keys(stage, data)
        _postgresql(found.folder / POSTGRESQL)
        (stage / resume_restore.PLACED).touch()
        return None
    finally:
        resume_restore.finish(data, database)


def database_file() -> Path | None:
    """SQLite's file, None for another database."""
    return Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None


def _sqlite(source: Path, data: Path, database: Path) -> Path | None:
    """The moment at which the name of the database leads to the other file is the restore."""
    connections.close_all()
    kept = _set_aside(database) if database.exists() else None
    shutil.move(source, resume_restore.find_waiting_path(database))
    with resume_restore.find_waiting_path(database).open("rb") as file:
        os.fsync(file.fileno())
    (data / resume_restore.STAGE / resume_restore.PLACED).touch()
    for folder in (data / resume_restore.STAGE, data, database.parent):
        settle(folder)
    resume_restore.find_waiting_path(database).replace(database)
    settle(database.parent)
    return kept


def _set_aside(database: Path) -> Path:
    """A second name for the file as it is, once everything of its journal is in it and nobody else
    has it open. Raises InUse.
    """
    with closing(sqlite3.connect(database, timeout=1)) as own:
        try:
            ((mode,),) = own.execute("PRAGMA journal_mode=DELETE").fetchall()
        except sqlite3.OperationalError:
            mode = "in use"
        except sqlite3.DatabaseError:
            mode = "delete"  # It is damaged: there is nothing to bring into it.
    if mode != "delete":
        raise InUse("another process has the database open: end `serve` and every command first")
    kept = database.with_name(f"{database.name}.before-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    kept.unlink(missing_ok=True)
    kept.hardlink_to(database)
    # Of a damaged one: a database in its place must not find them.
    for journal in ("-wal", "-shm", "-journal"):
        left = database.with_name(database.name + journal)
        if left.exists():
            left.replace(kept.with_name(kept.name + journal))
    return kept


def _postgresql(dump: Path) -> None:
    """In one transaction: the schema goes, and that of the backup comes."""
    others = _others()
    if others:
        raise InUse(
            f"{others} others are connected to the database: end `serve`, workers and every "
            f"command first"
        )
    connections.close_all()
    script = dump.with_suffix(".sql")
    tool("pg_restore", "--no-owner", f"--file={script}", str(dump))
    with script.open("r+b") as file:
        rest = dump.with_suffix(".whole")
        with rest.open("wb") as whole:
            whole.write(ANEW.encode())
            shutil.copyfileobj(file, whole, 1 << 20)
    how = ("--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1")
    tool("psql", *how, f"--file={rest}", stdout=subprocess.DEVNULL)


def _others() -> int:
    """Return the number of other connections that stay open."""
    deadline = time.monotonic() + SECONDS_TO_GO
    while (found := int(fetch_all(OTHERS, [])[0][0])) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found
