"""Copy the database as it is at one moment, while others write on: by SQLite's own backup, or by
pg_dump.
"""

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from django.db import connection

from ledger.reading import fetch_all, snapshot
from tournament.backups.backup_file import POSTGRESQL, SQLITE, LogPart

_LOGS = """
SELECT l.key AS key, coalesce(s.slug, '') AS slug, coalesce(s.name, '') AS salon,
  l.position AS events, l.hash AS hash, l.recorded_at AS recorded_at, coalesce(c.size, 0) AS size,
  coalesce(c.root, '') AS root
  FROM ledger_log l LEFT JOIN tournament_salon s ON s.log_id = l.id
  LEFT JOIN ledger_checkpoint c ON c.log_id = l.id AND c.size = (SELECT max(size)
    FROM ledger_checkpoint WHERE log_id = l.id)
 ORDER BY l.id"""
_NAMES = ("key", "slug", "salon", "events", "hash", "recorded_at", "size", "root")

type Fetch = Callable[[str], Sequence[Sequence[Any]]]


class NotCopied(Exception):
    """The database can't be copied; the message says why."""


def copy_database(folder: Path) -> tuple[Path, list[LogPart]]:
    """Copy the whole database into this folder. Return the copy and the logs in it. Raises
    NotCopied, OSError.
    """
    if connection.vendor == "sqlite":
        return _sqlite(folder / SQLITE)
    return _postgresql(folder / POSTGRESQL)


def bytes_of_database() -> int:
    """Return the size of the database in bytes."""
    if connection.vendor == "sqlite":
        ((pages,),), ((size,),) = (
            fetch_all("PRAGMA page_count", []),
            fetch_all("PRAGMA page_size", []),
        )
        return int(pages * size)
    return int(fetch_all("SELECT pg_database_size(current_database())", [])[0][0])


def tool(
    name: str, *arguments: str, database: str = "", stdout: int | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run one of PostgreSQL's programs for the database of the settings, or another one of its
    server. Raises NotCopied.
    """
    if shutil.which(name) is None:
        raise NotCopied(f"{name} is not on this machine: install PostgreSQL's client programs")
    ran = subprocess.run(  # noqa: S603
        [name, *arguments],
        env=_environment(database),
        stderr=subprocess.PIPE,
        stdout=stdout,
        check=False,
    )
    if ran.returncode:
        lines = ran.stderr.decode(errors="replace").strip().splitlines()
        raise NotCopied(f"{name}: {lines[0] if lines else 'it failed'}")
    return ran


def url_of(database: str) -> str:
    """DATABASE_URL of another database on the same PostgreSQL server."""
    said = connection.settings_dict
    password = f":{quote(said['PASSWORD'], safe='')}" if said["PASSWORD"] else ""
    options = {name: value for name, value in said["OPTIONS"].items() if isinstance(value, str)}
    query = f"?{urlencode(options)}" if options else ""
    user, place = quote(said["USER"], safe=""), f"{said['HOST']}:{said['PORT']}"
    return f"postgresql://{user}{password}@{place}/{quote(database, safe='')}{query}"


def _sqlite(path: Path) -> tuple[Path, list[LogPart]]:
    connection.ensure_connection()
    with closing(sqlite3.connect(path)) as target:
        path.chmod(0o600)
        try:
            connection.connection.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
            ((sound,), *_) = target.execute("PRAGMA quick_check").fetchall()
        except sqlite3.Error as fault:
            raise NotCopied(str(fault)) from fault
        if sound != "ok":
            raise NotCopied(f"the database is damaged: {sound}")
        return path, _logs(lambda sql: target.execute(sql).fetchall())


def _postgresql(path: Path) -> tuple[Path, list[LogPart]]:
    with snapshot():
        ((exported,),) = fetch_all("SELECT pg_export_snapshot()", [])
        tool("pg_dump", "--format=custom", "--no-owner", f"--snapshot={exported}", f"--file={path}")
        path.chmod(0o600)
        return path, _logs(lambda sql: fetch_all(sql, []))


def logs_of_sqlite(path: Path) -> list[LogPart]:
    """The logs that a file of SQLite holds. Raises NotCopied."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as database:
            return _logs(lambda sql: database.execute(sql).fetchall())
    except sqlite3.Error as fault:
        raise NotCopied(f"its database holds no salons: {fault}") from fault


def logs_of_postgresql(name: str) -> list[LogPart]:
    """The logs that a database of PostgreSQL's server holds. Raises NotCopied."""
    rows = f"SELECT coalesce(json_agg(t), '[]') FROM ({_LOGS}) t"  # noqa: S608 - a constant
    how = ("--no-psqlrc", "--quiet", "--tuples-only", "--no-align")
    answer = tool("psql", *how, f"--command={rows}", database=name, stdout=subprocess.PIPE)
    return [LogPart(**row) for row in json.loads(answer.stdout)]


def _logs(fetch: Fetch) -> list[LogPart]:
    return [LogPart(**dict(zip(_NAMES, row, strict=True))) for row in fetch(_LOGS)]


def _environment(database: str) -> dict[str, str]:
    """Return the environment of libpq; so the password is in no list of processes."""
    said = connection.settings_dict
    given = {
        "PGHOST": said["HOST"],
        "PGPORT": said["PORT"],
        "PGUSER": said["USER"],
        "PGPASSWORD": said["PASSWORD"],
    }
    options = {
        f"PG{name.upper()}": value
        for name, value in said["OPTIONS"].items()
        if isinstance(value, str)
    }
    named = {"PGDATABASE": database or str(said["NAME"])}
    return os.environ | {
        name: str(value) for name, value in {**given, **options, **named}.items() if value
    }
