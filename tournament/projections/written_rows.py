"""Rows written without an object for each of them, in the place of those with the same key."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from functools import cache
from itertools import batched

from django.db import connection
from django.db.models import Model

from tournament.streams.types import Columns

type Value = str | int | float | date | datetime | None
type Values = tuple[Value, ...]  # of a row, in the order of its columns
type Statement = tuple[str, list[Value]]

ROWS_A_STATEMENT = 500
MARKS_REMEMBERED = 50  # statements with no more of them psycopg reads once
BARE = (bool, int, float)  # what needs no quotes in an array


def put_rows(*tables: tuple[type[Model], Sequence[Columns]]) -> None:
    """Write rows of these tables that name every column; on PostgreSQL in one statement, which
    goes there and back once.

    `bulk_create` makes an object of each row first: 100 standings take it twice the time.
    """
    statements = [_whole_rows(model, rows) for model, rows in tables if rows]
    if connection.vendor == "postgresql" and len(statements) > 1:
        *before, (last, _) = statements
        named = ", ".join(f"put_{number} AS ({sql})" for number, (sql, _) in enumerate(before))
        values = [value for _, of_table in statements for value in of_table]
        statements = [(f"WITH {named} {last}", values)]
    _execute(statements)


def put_values(
    model: type[Model], columns: tuple[str, ...], key: tuple[str, ...], rows: Sequence[Values]
) -> None:
    """Write rows with these columns, of which the others are given by the database, in the place of
    those with the same values of `key`. Values are as the database takes them.
    """
    _execute(
        _statement_of(model, columns, key, part)
        for part in batched(rows, ROWS_A_STATEMENT, strict=False)
    )


def _whole_rows(model: type[Model], rows: Sequence[Columns]) -> Statement:
    fields = model._meta.concrete_fields
    columns = tuple(str(each.column) for each in fields)
    values = [
        tuple(each.get_db_prep_save(row[each.attname], connection) for each in fields)
        for row in rows
    ]
    return _statement_of(model, columns, columns[:1], values)


def _statement_of(
    model: type[Model], columns: tuple[str, ...], key: tuple[str, ...], rows: Sequence[Values]
) -> Statement:
    """PostgreSQL takes many rows as a list for each column: psycopg reads a statement letter by
    letter for marks, and one with a mark for each value took it a seventh of a whole rebuild.
    """
    if connection.vendor == "postgresql" and len(rows) * len(columns) > MARKS_REMEMBERED:
        lists = [_array(column) for column in zip(*rows, strict=True)]
        return _lists_statement(model, columns, key), [*lists]
    marks = f"({', '.join(['%s'] * len(columns))})"
    into, instead = _around(model, columns, key)
    sql = f"{into} VALUES {', '.join([marks] * len(rows))} {instead}"
    return sql, [value for row in rows for value in row]


@cache
def _lists_statement(model: type[Model], columns: tuple[str, ...], key: tuple[str, ...]) -> str:
    into, instead = _around(model, columns, key)
    types = {each.column: each.db_type(connection) for each in model._meta.concrete_fields}
    # without its length: a cast would cut what is too long
    lists = ", ".join(f"%s::{str(types[name]).partition('(')[0]}[]" for name in columns)
    return f"{into} SELECT * FROM unnest({lists}) {instead}"  # noqa: S608 - names only


@cache
def _around(model: type[Model], columns: tuple[str, ...], key: tuple[str, ...]) -> tuple[str, str]:
    """The SQL before and after the values."""
    quoted = {name: connection.ops.quote_name(name) for name in columns}
    others = ", ".join(
        f"{quoted[each]} = excluded.{quoted[each]}" for each in columns if each not in key
    )
    return (
        f"INSERT INTO {model._meta.db_table} ({', '.join(quoted.values())})",
        f"ON CONFLICT ({', '.join(quoted[each] for each in key)}) DO UPDATE SET {others}",
    )


def _array(values: Sequence[Value]) -> str:
    """PostgreSQL's text form of an array; the driver's own takes longer than the insert."""
    return "{" + ",".join(_elements(values)) + "}"


def _elements(values: Sequence[Value]) -> Iterator[str]:
    for value in values:
        if value is None:
            yield "NULL"
        elif isinstance(value, BARE):
            yield str(value)
        else:
            text = str(value).replace("\\", "\\\\").replace('"', '\\"')
            yield f'"{text}"'


def _execute(statements: Iterator[Statement] | Sequence[Statement]) -> None:
    with connection.cursor() as cursor:
        for sql, values in statements:
            cursor.execute(sql, values)
