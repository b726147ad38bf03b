"""The cursors that the ledger writes with: Django's own, and on PostgreSQL one whose statements are
planned once.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, Self

import psycopg
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

NEVER_UNASKED = 2**31  # executions before psycopg prepares a statement of its own accord


class Cursor(Protocol):
    """The part in use of the cursors that `connection.cursor()` gives: those of the DB-API
    (PEP 249), whose `execute` gives the cursor back on both databases.
    """

    def execute(self, sql: str, params: Any = None) -> Any:  # noqa: ANN401 - as drivers have them
        """Execute one statement."""

    def executemany(self, sql: str, param_list: Any) -> Any:  # noqa: ANN401 - as drivers have them
        """Execute one statement for each of these rows of values."""

    def fetchone(self) -> Any:  # noqa: ANN401 - as drivers have it
        """The next row; None after the last."""

    def fetchall(self) -> Sequence[Any]:
        """All rows that are left."""


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


def open_cursor() -> AbstractContextManager[Cursor]:
    """A cursor of the open transaction, with Django's errors and wrappers."""
    if connection.vendor != "postgresql":
        return connection.cursor()
    prepared: Any = PreparedCursor(connection.connection)
    return connection.make_cursor(prepared)


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
