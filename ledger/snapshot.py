"""One view of the database for as long as something is read from it, while others write on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Everything that is read meanwhile is as it was at one moment; nothing is to be written
    meanwhile.

    Nobody waits for it: on SQLite it is a transaction that only reads (all others begin by taking
    the lock to write), on PostgreSQL one of REPEATABLE READ. Inside of another transaction the view
    is the one that this has.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    with _that_only_reads(connection), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _that_only_reads(wrapper: Any) -> Iterator[None]:  # noqa: ANN401 - of one of the two vendors
    """Have SQLite begin without the lock to write, as long as this lasts."""
    if wrapper.vendor != "sqlite":
        yield
        return
    usual, wrapper.transaction_mode = wrapper.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        wrapper.transaction_mode = usual
