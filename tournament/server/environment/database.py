"""Turn DATABASE_URL into Django's DATABASES: PostgreSQL when it is given, else SQLite beside the
project.
"""

import sqlite3
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.db.backends.base.base import BaseDatabaseWrapper

from scoring.shape import JsonObject

# A commit is on the disk when the WAL is (FULL). A hand changes some fifty pages, most of them
# again and again: the longer the WAL may grow before it is put into the database (here 16 MB), the
# fewer are written twice.
PAGES_OF_THE_LOG = 4_000
PAGES_IN_NEED = 3 * PAGES_OF_THE_LOG
SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON;PRAGMA "
    "recursive_triggers=ON;PRAGMA busy_timeout=20000;"
    f"PRAGMA wal_autocheckpoint={PAGES_OF_THE_LOG};"
)


def leave_the_log(sender: object, connection: BaseDatabaseWrapper, **_: object) -> None:
    """Receive Django's connection_created in a web process: who records waits for no checkpoint.
    The background worker makes them after commits of its own; a web process only when it didn't.

    SQLite before 3.51.3 may break a database when one connection begins a checkpoint just as
    another starts the log again (https://sqlite.org/wal.html#walresetbug). That needs several that
    make them: whoever has just committed, and is the only one, finds a log that can't start again.
    """
    if isinstance(connection.connection, sqlite3.Connection):
        connection.connection.execute(f"PRAGMA wal_autocheckpoint={PAGES_IN_NEED}")


def database_from_url(url: str, *, data: Path) -> JsonObject:
    """The DATABASES entry for `postgresql://user:password@host:port/name` or `sqlite:///path`; ""
    means SQLite in `data`.

    Raises ValueError for any other scheme.
    """
    parts = urlsplit(url)
    if not url or parts.scheme == "sqlite":
        return _sqlite(
            Path(parts.path.removeprefix("/")) if parts.path.strip("/") else data / "accord.sqlite3"
        )
    if parts.scheme not in {"postgresql", "postgres"}:
        raise ValueError(
            f"DATABASE_URL starts with {parts.scheme!r}; postgresql:// or sqlite:/// would be right"
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": dict(parse_qsl(parts.query)),
    }


def _sqlite(path: Path) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": SQLITE_PRAGMAS},
    }
