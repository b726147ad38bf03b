"""Questions that every request asks, composed once: to write the same SQL again costs more than to
ask it.
"""

import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

from ledger.cursors import PlainCursor

type Value = str | int | datetime | Sequence[str] | Sequence[int]

EARLY = datetime(1066, 1, 1, tzinfo=UTC)


class Prepared[Row]:
    """A question with a few values: words, whole numbers, times, or lists of words or of numbers.

    `ask` makes the query set of some values. It may look at them in no other way than to put them
    into a look-up, and its managers have to be the same for everybody: it is called once for each
    kind of database, and for each length of a list.
    """

    def __init__(self, ask: Callable[..., QuerySet[Any, Row]]) -> None:
        self.ask = ask
        self._composed: dict[object, _Composed[Row]] = {}
        self._lock = threading.Lock()

    def rows(self, *values: Value) -> list[Row]:
        """The rows that the query set of these values has."""
        if any(value == [] for value in values):
            return []  # nothing is among none, and the database isn't asked
        lengths = tuple(len(value) if isinstance(value, list) else None for value in values)
        using = connections["default"]
        shape = using.vendor, *lengths
        with self._lock:
            composed = self._composed.get(shape)
            if composed is None:
                composed = self._composed[shape] = _Composed(self.ask, values)
        return composed.rows(values)

    def first(self, *values: Value) -> Row | None:
        """The first of them; None where there is none."""
        return next(iter(self.rows(*values)), None)


class _Composed[Row]:
    """The SQL of a question, and for each of its parameters which of the values stands there."""

    def __init__(self, ask: Callable[..., QuerySet[Any, Row]], values: Sequence[Value]) -> None:
        marks = [_mark(value, place * 1000) for place, value in enumerate(values)]
        self.queryset = ask(*marks)  # it is never asked itself: its values are nobody's
        self.compiler = self.queryset.query.get_compiler(self.queryset.db)
        self.sql, self.parameters = self.compiler.as_sql()
        written = _query_parameters(self.compiler, marks)
        self.places = [
            written.index(parameter) if parameter in written else None
            for parameter in self.parameters
        ]
        assert set(self.places) >= set(range(len(written))), "a value stands nowhere in the query"

        self.converters = self.compiler.get_converters(
            [each[0] for each in self.compiler.select or ()]
        )

    def rows(self, values: Sequence[Value]) -> list[Row]:
        """The rows of these values, which are as many as those that it was composed for."""
        compiler = _twin(self.compiler)
        compiler.connection = connections[self.queryset.db]
        written = _query_parameters(compiler, values)
        parameters = tuple(
            parameter if place is None else _as(type(parameter), written[place])
            for parameter, place in zip(self.parameters, self.places, strict=True)
        )
        compiler.execute_sql = lambda *_args, **_kwargs: [self._fetched(compiler, parameters)]
        compiler.get_converters = lambda _expressions: self.converters
        query = _twin(self.queryset.query)
        query.get_compiler = lambda *_args, **_kwargs: compiler
        asked = _twin(self.queryset)
        asked._query = query
        return list(asked._iterable_class(asked))

    def _fetched(self, compiler: SQLCompiler, parameters: Sequence[Any]) -> list[Any]:
        """What the database has: of each row what is asked for, without what it is put in order
        by.
        """
        with _cursor(compiler.connection) as cursor:
            cursor.execute(self.sql, parameters)
            rows: list[Any] = cursor.fetchall()
        return [row[: compiler.col_count] for row in rows] if compiler.has_extra_select else rows


def _cursor(using: BaseDatabaseWrapper) -> CursorWrapper:
    """A cursor as Django makes it for a query."""
    if using.vendor != "sqlite":
        return using.cursor()
    using.close_if_health_check_failed()
    using.ensure_connection()
    using.validate_thread_sharing()
    raw = using.connection.cursor(factory=PlainCursor)
    return using.make_debug_cursor(raw) if using.queries_logged else using.make_cursor(raw)


def _twin(of: object) -> Any:  # noqa: ANN401 - the same
    """Another that has the same, without what its class does when it is copied."""
    other = object.__new__(type(of))
    other.__dict__.update(of.__dict__)
    return other


def _mark(value: Any, place: int) -> Any:  # noqa: ANN401 - a `Value`
    """A value of the same kind that stands nowhere else in a query."""
    if isinstance(value, list):
        return [_mark(each, place + number) for number, each in enumerate(value)]
    if isinstance(value, str):
        return f"\N{REPLACEMENT CHARACTER}{place}"
    return EARLY + timedelta(days=place) if isinstance(value, datetime) else -1_000_000 - place


def _query_parameters(compiler: SQLCompiler, values: Sequence[Value]) -> list[object]:
    """Values as the parameters of a query hold them, lists one after the other."""
    operations = compiler.connection.ops
    flat: list[object] = []
    for value in values:
        if isinstance(value, list):
            flat += value
        elif isinstance(value, datetime):
            flat.append(operations.adapt_datetimefield_value(value))
        else:
            flat.append(value)
    return flat


def _as(kind: type[Any], value: Any) -> object:  # noqa: ANN401 - what a driver takes
    """A value in the type that the database's driver has for its column."""
    return value if type(value) is kind or not issubclass(kind, int) else kind(value)
