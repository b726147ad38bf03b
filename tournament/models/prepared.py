"""Questions that every request asks, composed once: to write the same SQL again costs more than to
ask it.
"""

import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from operator import itemgetter
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import QuerySet
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    ValuesIterable,
    ValuesListIterable,
    get_related_populators,
)
from django.db.models.sql.compiler import SQLCompiler

from ledger.cursors import fetched_rows

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
    """The SQL of a question, for each of its parameters which of the values stands there, and how a
    row of the database becomes one of the answer.
    """

    def __init__(self, ask: Callable[..., QuerySet[Any, Row]], values: Sequence[Value]) -> None:
        marks = [_mark(value, place * 1000) for place, value in enumerate(values)]
        queryset = ask(*marks)  # it is never asked itself: its values are nobody's
        self.database = queryset.db
        compiler = queryset.query.get_compiler(self.database)
        self.sql, parameters = compiler.as_sql()
        written = _query_parameters(compiler.connection, marks)
        self.parameters = [
            (parameter, written.index(parameter) if parameter in written else None)
            for parameter in parameters
        ]
        places = {place for _, place in self.parameters}
        assert places >= set(range(len(written))), "a value stands nowhere in the query"

        columns = [each[0] for each in compiler.select[: compiler.col_count]]
        assert not compiler.has_composite_fields(columns), "a column of several is nobody's need"
        self.converters = [
            (place, *each) for place, each in compiler.get_converters(columns).items()
        ]
        # What a row is only put in order by stands behind its columns.
        self.columns = compiler.col_count if compiler.has_extra_select else None
        self.row: Callable[[Any], Row] = READERS[queryset._iterable_class](queryset, compiler)

    def rows(self, values: Sequence[Value]) -> list[Row]:
        """The rows of these values, which are as many as those that it was composed for."""
        using = connections[self.database]
        written = _query_parameters(using, values)
        parameters = [
            parameter if place is None else _as(type(parameter), written[place])
            for parameter, place in self.parameters
        ]
        found = fetched_rows(using, self.sql, parameters)
        if self.columns is not None:
            found = [row[: self.columns] for row in found]
        if self.converters:
            found = [self._converted(using, row) for row in found]
        return list(map(self.row, found))

    def _converted(self, using: BaseDatabaseWrapper, row: Sequence[Any]) -> tuple[Any, ...]:
        values = list(row)
        for place, converters, expression in self.converters:
            for convert in converters:
                values[place] = convert(values[place], expression, using)
        return tuple(values)


def _models(queryset: QuerySet[Any, Any], compiler: SQLCompiler) -> Callable[[Any], Any]:
    """How a row of columns becomes one of a model, with those of other models that come with it."""
    asked: Any = queryset
    about, how = compiler.klass_info, asked._fetch_mode
    assert about is not None, "a row of a model has its class"
    assert not how.track_peers, "rows know nothing of each other"
    assert not asked._known_related_objects, "rows know nothing of who asked"
    first, last = about["select_fields"][0], about["select_fields"][-1] + 1
    names = [each[0].target.attname for each in compiler.select[first:last]]
    of_others = get_related_populators(about, compiler.select, queryset.db, how)
    annotations = list((compiler.annotation_col_map or {}).items())
    from_db = partial(about["model"].from_db, queryset.db, names, fetch_mode=how)

    def model_row(row: Any) -> Any:  # noqa: ANN401 - as Django has it
        one = from_db(row[first:last])
        for other in of_others:
            other.populate(row, one)
        for name, place in annotations:
            setattr(one, name, row[place])
        return one

    return model_row


def _tuples(_queryset: QuerySet[Any, Any], _compiler: SQLCompiler) -> Callable[[Any], Any]:
    return tuple


def _only_values(_queryset: QuerySet[Any, Any], _compiler: SQLCompiler) -> Callable[[Any], Any]:
    return itemgetter(0)


def _named_values(queryset: QuerySet[Any, Any], _compiler: SQLCompiler) -> Callable[[Any], Any]:
    query = queryset.query
    names = list(
        query.selected or (*query.extra_select, *query.values_select, *query.annotation_select)
    )
    return lambda row: dict(zip(names, row, strict=True))


READERS = {
    ModelIterable: _models,
    ValuesListIterable: _tuples,
    FlatValuesListIterable: _only_values,
    ValuesIterable: _named_values,
}


def _mark(value: Any, place: int) -> Any:  # noqa: ANN401 - a `Value`
    """A value of the same kind that stands nowhere else in a query."""
    if isinstance(value, list):
        return [_mark(each, place + number) for number, each in enumerate(value)]
    if isinstance(value, str):
        return f"\N{REPLACEMENT CHARACTER}{place}"
    return EARLY + timedelta(days=place) if isinstance(value, datetime) else -1_000_000 - place


def _query_parameters(using: BaseDatabaseWrapper, values: Sequence[Value]) -> list[object]:
    """Values as the parameters of a query hold them, lists one after the other."""
    flat: list[object] = []
    for value in values:
        if isinstance(value, list):
            flat += value
        elif isinstance(value, datetime):
            flat.append(using.ops.adapt_datetimefield_value(value))
        else:
            flat.append(value)
    return flat


def _as(kind: type[Any], value: Any) -> object:  # noqa: ANN401 - what a driver takes
    """A value in the type that the database's driver has for its column."""
    return value if type(value) is kind or not issubclass(kind, int) else kind(value)
