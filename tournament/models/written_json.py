"""Columns of JSON that stay as they were written: a row has the value, the database the very text,
with its keys in their order.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Protocol

import msgspec
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

_ENCODER = msgspec.json.Encoder(order="sorted")


class Compiler(Protocol):
    """The part of a query's compiler that a column needs."""

    @property
    def connection(self) -> BaseDatabaseWrapper:
        """The database that is asked."""


class JSONText(str):
    """JSON that is written already: a column takes it as it stands."""

    __slots__ = ()


def json_text(value: object) -> JSONText:
    """A value as rows have it: JSON with sorted keys and without white space."""
    return JSONText(_ENCODER.encode(value).decode())


def json_value(text: JSONText) -> Any:  # noqa: ANN401 - whatever is written there
    """Read the value of a column in which this was written."""
    return msgspec.json.decode(str(text))


class _Text(models.Transform):
    """`__text`: a column of JSON as it is written, whatever that is."""

    lookup_name = "text"
    template = "CAST(%(expressions)s AS text)"
    output_field = models.TextField()


class WrittenJSONField(models.JSONField):
    """A value of the type `of`, kept as JSON; `json_text` says how, `__text` gives the text.

    PostgreSQL's `jsonb`, which `models.JSONField` takes, puts keys in an order of its own and
    numbers in its own form: pots would change places on a board, and `audit`, which compares what
    rows say letter by letter, could not tell what was altered. Text that is no such value is read
    as that text, as by Django's own field, so that a row can be read, named and mended.

    No look-up goes into the value: what rows are found by has columns and rows of its own.
    """

    def __init__(self, *args: Any, of: Any = Any, **how: Any) -> None:  # noqa: ANN401 - a type, and Django's own
        super().__init__(*args, **how)
        self.of = of
        self._reader = msgspec.json.Decoder(of)

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """The type that keeps the text."""
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def select_format(self, compiler: Compiler, sql: str, params: Any) -> tuple[str, Any]:  # noqa: ANN401 - as Django has them
        """The text; psycopg would read what is of type `json` itself."""
        return (f"({sql})::text" if compiler.connection.vendor == "postgresql" else sql), params

    def from_db_value(self, value: str | None, *_of_what: object) -> Any:  # noqa: ANN401 - of the type `of`
        """The value that is written there."""
        if value is None:
            return None
        try:
            return self._reader.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return value

    def get_db_prep_value(
        self,
        value: Any,  # noqa: ANN401 - of the type `of`
        connection: BaseDatabaseWrapper,
        prepared: bool = False,
    ) -> str:
        """The text of a value."""
        return str(value if isinstance(value, JSONText) else json_text(value))

    def get_lookup(self, lookup_name: str) -> Any:  # noqa: ANN401 - as Django has it
        """Whether there is a value, and nothing else."""
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None

    def get_transform(self, name: str) -> Any:  # noqa: ANN401 - as Django has it
        """The text, and nothing else."""
        return _Text if name == _Text.lookup_name else None


def as_stored[M: models.Model](rows: models.QuerySet[M]) -> Iterator[dict[str, Any]]:
    """Yield the columns of these rows by name; JSON as its text, whatever it says."""
    names, texts = _column_names(rows.model)
    asked = (f"{name}__text" if name in texts else name for name in names)
    for values in rows.values_list(*asked):
        row = dict(zip(names, values, strict=True))
        for name in texts:
            row[name] = JSONText(row[name]) if row[name] is not None else None
        yield row


@cache
def select_list(model: type[models.Model], alias: str, *, but: str = "") -> str:
    """The columns of a model, `but` one that is left out, for `Model.objects.raw`: JSON as its
    text, for PostgreSQL's driver would read what is of type `json` itself.
    """
    return ", ".join(
        f'CAST({alias}."{field.column}" AS text) AS "{field.column}"'
        if isinstance(field, WrittenJSONField)
        else f'{alias}."{field.column}"'
        for field in model._meta.concrete_fields
        if field.column != but
    )


@cache
def _column_names(model: type[models.Model]) -> tuple[Sequence[str], Sequence[str]]:
    """The columns of a model, and those of them that hold JSON as it was written."""
    fields = model._meta.concrete_fields
    texts = [field.attname for field in fields if isinstance(field, WrittenJSONField)]
    return [field.attname for field in fields], texts
