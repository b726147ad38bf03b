"""What a database does for a request: its steps on SQLite, the rows it looks at on PostgreSQL;
neither depends on the machine.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

STEPS_AT_ONCE = 20  # SQLite is asked every so many steps: a shorter query counts nothing
SEEN_ALONE = ("SELECT", "WITH")

type Work = Counter[str]  # by the text of the query


@contextmanager
def worked() -> Iterator[Work]:
    """What each query came to meanwhile: virtual steps on SQLite, rows looked at on PostgreSQL."""
    work: Work = Counter()
    measure = _rows_looked_at if connection.vendor == "postgresql" else _steps
    with measure(work):
        yield work


@contextmanager
def _steps(work: Work) -> Iterator[None]:
    now = ""

    def stepped() -> int:
        work[now] += STEPS_AT_ONCE
        return 0

    def executing(
        execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        nonlocal now
        now = sql
        return execute(sql, params, many, context)

    connection.ensure_connection()
    connection.connection.set_progress_handler(stepped, STEPS_AT_ONCE)
    try:
        with connection.execute_wrapper(executing):
            yield
    finally:
        connection.connection.set_progress_handler(None, 0)


@contextmanager
def _rows_looked_at(work: Work) -> Iterator[None]:
    """Asked of the plan, carried out a second time; small tables are not read whole only because
    they are small.
    """

    def executing(
        execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if sql.startswith(SEEN_ALONE) and "FOR UPDATE" not in sql and "FOR NO KEY" not in sql:
            with connection.cursor() as cursor:
                cursor.cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", params)
                (plan,) = cursor.cursor.fetchone()
            work[sql] += looked_at(plan[0]["Plan"])
        return execute(sql, params, many, context)

    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
    try:
        with connection.execute_wrapper(executing):
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET enable_seqscan")


def analyzed() -> None:
    """Let PostgreSQL know how much there is, as it does by itself after a while. SQLite plans
    without, as in a salon.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def looked_at(node: dict[str, Any]) -> int:
    """The rows that the scans of a plan gave or left out."""
    below = sum(looked_at(each) for each in node.get("Plans", ()))
    if "Scan" not in node["Node Type"]:
        return below
    of_one = sum(
        node.get(name, 0)
        for name in ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck")
    )
    return below + int(of_one * node["Actual Loops"])
