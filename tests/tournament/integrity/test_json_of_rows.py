"""JSON in a row is compared letter by letter: whatever it says otherwise, the audit names it, and a
rebuild writes it again.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Model
from django.db.utils import DataError

from tests.tournament.helpers.every_table import PROJECTED, a_full_salon, mine
from tests.tournament.helpers.tables import for_a_while
from tournament.models import Game, Hand, Salon, TournamentRound
from tournament.models.written_json import JSONText, WrittenJSONField
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences

COLUMNS = [
    (model, field.attname)
    for model in PROJECTED
    for field in model._meta.concrete_fields
    if isinstance(field, WrittenJSONField)
]
UNREADABLE = "{no JSON"
# Nothing was corrected or confirmed here, and no round was closed.
EMPTY = {"marks", "confirmation", "tie_breaks"}

type Change = Callable[[Any], Any]


@pytest.fixture(scope="module")
def full(stored_once: None) -> Salon:
    return a_full_salon()


@pytest.fixture
def salon(full: Salon, undone: None) -> Salon:
    return Salon.objects.get(pk=full.pk)


def another_order(value: Any) -> Any:
    """The same keys, the last one first."""
    return dict(reversed(value.items())) if isinstance(value, dict) else value


def without_the_first_key(value: Any) -> Any:
    return dict([*value.items()][1:]) if isinstance(value, dict) else value


def first_number_as(kind: Callable[[int], Any]) -> Change:
    """The first whole number that is equal to one of another kind, in the same place, as that."""

    def changed(value: Any) -> Any:
        if type(value) is int and kind(value) == value:
            return kind(value)
        for key, part in _parts(value):
            other = changed(part)
            if json.dumps(other) != json.dumps(part):
                copy = value.copy()
                copy[key] = other
                return copy
        return value

    return changed


def _parts(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


CHANGES: dict[str, Change] = {
    "another order of keys": another_order,
    "a key less": without_the_first_key,
    "1.0 for 1": first_number_as(float),
    "true for 1": first_number_as(bool),
}


def altered(salon: Salon, model: type[Model], column: str) -> Iterator[tuple[Any, str, JSONText]]:
    """For each change the first row of the table that it changes: its key, and the new text."""
    rows = {row[model._meta.pk.attname]: row[column] for row in mine(salon, model)}
    for what, change in CHANGES.items():
        for key, text in rows.items():
            if text is not None and (other := as_text(change(json.loads(text)))) != text:
                yield key, what, other
                break
    key, text = next(iter(rows.items()))
    yield key, "white space", JSONText(f"{text or 'null'} ")


def as_text(value: Any) -> JSONText:
    return JSONText(json.dumps(value, separators=(",", ":"), ensure_ascii=False))


@pytest.mark.parametrize(
    ("model", "column"), COLUMNS, ids=lambda part: part if isinstance(part, str) else part.__name__
)
def test_json_that_says_the_same_in_other_letters_is_named(
    salon: Salon, model: type[Model], column: str
) -> None:
    tried = Counter[str]()
    for key, what, text in altered(salon, model, column):
        with for_a_while():
            assert model._default_manager.filter(pk=key).update(**{column: text}) == 1
            found = {(each.table, each.column) for each in audit(salon)}
            assert (model._meta.db_table, column) in found, what
        tried[what] += 1

    assert tried["white space"] == 1
    assert len(tried) > 1 or column in EMPTY


@pytest.mark.parametrize(
    ("model", "column"),
    [(Game, "state"), (Game, "seats"), (Hand, "result"), (TournamentRound, "state")],
)
def test_text_that_is_no_json_is_refused_by_the_database_or_named_and_mended(
    salon: Salon, model: type[Model], column: str
) -> None:
    """SQLite asks a check that whoever has the file can switch off; PostgreSQL can't keep it."""
    row, before = mine(salon, model)[0], texts(salon, model, column)
    only = model._default_manager.filter(pk=row[model._meta.pk.attname])
    if connection.vendor == "postgresql":
        with pytest.raises(DataError), transaction.atomic():
            only.update(**{column: JSONText(UNREADABLE)})
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        only.update(**{column: JSONText(UNREADABLE)})
        cursor.execute("PRAGMA ignore_check_constraints = OFF")

    named = [each.message for each in audit(salon)]
    mended = list(differences(salon, mend=True, progress=lambda done: None))

    assert any(UNREADABLE in message for message in named)
    assert [(each.column, each.mended) for each in mended] == [(column, True)]
    assert list(audit(salon)) == []
    assert texts(salon, model, column) == before


def texts(salon: Salon, model: type[Model], column: str) -> list[str]:
    return sorted(row[column] for row in mine(salon, model))
