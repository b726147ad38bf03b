"""A cursor for the few statements that run with every recorded act, where Django's own costs more
than the statement.
"""

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Self

import psycopg
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX
from django.db.backends.utils import CursorWrapper

STATEMENTS = 1024  # whose marks are remembered
NEVER_UNASKED = 2**31  # executions before psycopg prepares a statement of its own accord


class PreparedCursor(psycopg.Cursor[Any]):
    """A PostgreSQL cursor whose statements the server parses and plans once a connection, not once
    an execution.
    """

    def execute(
        self,
        query: Any,  # noqa: ANN401 - as psycopg has it
        params: Any = None,  # noqa: ANN401 - as psycopg has it
        *,
        prepare: bool | None = True,
        binary: bool | None = None,
    ) -> Self:
        """Execute `query`, prepared unless told otherwise."""
        return super().execute(query, params, prepare=prepare, binary=binary)


class PlainCursor(sqlite3.Cursor):
    """An SQLite cursor that takes the marks of Django's statements, `%s` and `%%`, and knows each
    statement by SQLite's marks from the second time on.
    """

    def execute(self, query: str, values: Any = ()) -> Self:  # noqa: ANN401 - as sqlite3 has it
        """Execute `query` once."""
        return super().execute(_in_marks_of_sqlite(query), values)

    def executemany(self, query: str, rows: Any) -> Self:  # noqa: ANN401 - as sqlite3 has it
        """Execute `query` for each row of values."""
        return super().executemany(_in_marks_of_sqlite(query), rows)


@lru_cache(maxsize=STATEMENTS)
def _in_marks_of_sqlite(query: str) -> str:
    return FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


def fetched_rows(using: BaseDatabaseWrapper, query: str, values: Sequence[Any]) -> list[Any]:
    """All rows of one query; whoever logs or wraps Django's queries hears of it."""
    if using.vendor != "sqlite" or using.execute_wrappers or using.queries_logged:
        with using.cursor() as cursor:
            cursor.execute(query, values)
            found: list[Any] = cursor.fetchall()
            return found
    using.close_if_health_check_failed()
    using.ensure_connection()
    using.validate_thread_sharing()
    using.validate_no_broken_transaction()
    with using.wrap_database_errors:
        cursor = using.connection.cursor(factory=PlainCursor)
        return cursor.execute(query, values).fetchall()  # type: ignore[no-any-return]


def quick_cursor() -> CursorWrapper:
    """A cursor of the open transaction, with Django's errors and wrappers."""
    raw = connection.connection
    cursor: Any = (
        PreparedCursor(raw)
        if connection.vendor == "postgresql"
        else raw.cursor(factory=PlainCursor)
    )
    return connection.make_cursor(cursor)


def plan_once(sender: object, connection: BaseDatabaseWrapper, **_: object) -> None:
    """Receive Django's connection_created: PostgreSQL keeps the plans of our prepared statements
    and of triggers.

    Left alone it takes the plan made for these very values to be worth its making, and plans every
    append anew.
    """
    if connection.vendor != "postgresql":
        return
    # Django's None would keep us from asking, too.
    connection.connection.prepare_threshold = NEVER_UNASKED
    with connection.cursor() as cursor:
        cursor.execute("SET plan_cache_mode = force_generic_plan")
