"""Every column of every table: changed, swapped or with its row gone, it is named, refused, or it
is on the list of what means nothing.

The tables are those that Django knows, so that a new one is tried by itself; the list, with a
reason for each, stands in `test_tampering.py`. What was tried and what came of it is counted and
printed.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import (
    BooleanField,
    DateField,
    FloatField,
    ForeignKey,
    IntegerField,
    JSONField,
    Model,
)
from django.test.utils import override_settings

from ledger import signing
from ledger.findings import Finding
from ledger.models import Checkpoint, Cosignature, Log, SigningKey, Tile, Witnessed
from ledger.witness import countersign, read_request
from tests.tournament.exchange.salon_archive import salons
from tests.tournament.helpers.every_table import (
    FREE,
    MAY_GO,
    MEANINGLESS,
    OWNED_BY,
    a_full_salon,
    changed_json,
)
from tests.tournament.helpers.tables import for_a_while, recorded, simple, unguard
from tournament.integrity.audit import audit
from tournament.integrity.signing_keys import load_keyring
from tournament.management.stray_logs import stray_findings
from tournament.models import Progress, Salon
from tournament.models.written_json import as_stored
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.long
LEDGER = list(apps.get_app_config("ledger").get_models())
MODELS = [
    model
    for model in (*LEDGER, *apps.get_app_config("tournament").get_models())
    if model not in FREE
]
KEEPS_ROWS = {"standings", "snapshots", "careers", "ratings", "seasons"}
SEED = 12

type Row = dict[str, Any]
type Act = Callable[[], object]


@dataclass(slots=True)
class Tally:
    """What came of the alterations of a table, and those of which nothing came, or of a listed one
    something.
    """

    came: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def note(self, what: str, outcome: str, *, listed: bool) -> None:
        self.came["means nothing" if listed else outcome] += 1
        if listed != (outcome == "unnoticed"):
            self.wrong.append(
                f"{what}: {outcome}{', and listed as meaning nothing' if listed else ''}"
            )


@pytest.fixture(scope="module")
def full(stored_once: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Salon]:
    """A salon with rows in every table, signed by two keys, countersigned and countersigning, its
    tiles of four events; unguarded.
    """
    with (
        pytest.MonkeyPatch.context() as small,
        override_settings(SIGNING_KEY="", DATA_DIR=tmp_path_factory.mktemp("keys")),
    ):
        salon = a_full_salon()
        for module in ("tree", "merkle"):
            small.setattr(f"ledger.{module}.TILE_LEVELS", 2)
            small.setattr(f"ledger.{module}.TILE", 4)
        small.setattr("ledger.verify_checkpoints.TILE_EVENTS", 4)
        _sign(salon)
        catch_up(salon.log, PROJECTIONS)
        yield salon


def _sign(salon: Salon) -> None:
    """Signatures that hold, in place of those that were only to be there."""
    unguard()
    for model in (Tile, Witnessed, Cosignature, Checkpoint, SigningKey):
        model._default_manager.filter(log=salon.log_id).delete()
    for number in range(3):
        recorded(salon, simple(f"signed {number}"))
        salon.log.refresh_from_db()
        if number == 2:
            signing.renew(salon.log, load_keyring(), now=9_000_000)
        salons.sign(salon, now=(number + 10) * 1_000_000)
    countersign(
        salon.log,
        read_request(salons._elsewhere()),
        salons._elsewhere_key(),
        load_keyring(),
        now=40_000_000,
    )


@pytest.fixture
def salon(full: Salon, undone: None) -> Salon:
    return Salon.objects.get(pk=full.pk)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.db_table)
def test_whatever_is_altered_is_named_or_refused_or_means_nothing(
    salon: Salon, model: type[Model], record_property: Callable[[str, object], None]
) -> None:
    assert findings(salon) == []
    rows, chance, tally = rows_of(salon, model), Random(f"{SEED} {model._meta.db_table}"), Tally()
    assert rows, "a full salon has rows in every table"
    chosen = _some(rows, chance)
    for column in model._meta.concrete_fields:
        listed = (model, column.attname) in MEANINGLESS
        for row in chosen:
            change = partial(
                write, model, row, {column.attname: another(column, row[column.attname])}
            )
            tally.note(
                f"{column.attname} of {_key(model, row)} changed",
                outcome(salon, model, change),
                listed=listed,
            )
        for pair in _pairs(model, rows, column.attname, chance):
            swap = partial(exchange, model, pair, column)
            tally.note(
                f"{column.attname} of {[_key(model, row) for row in pair]} swapped",
                outcome(salon, model, swap),
                listed=listed,
            )
    for row in chosen:
        gone = partial(_same(model, row)._raw_delete, connection.alias)
        tally.note(
            f"{_key(model, row)} deleted", outcome(salon, model, gone), listed=model in MAY_GO
        )

    counts = ", ".join(f"{count} {what}" for what, count in sorted(tally.came.items()))
    record_property(
        "counted", f"alterations of {model._meta.db_table}: {sum(tally.came.values())} ({counts})"
    )
    assert tally.wrong == []


def test_every_table_without_meaning_and_every_listed_column_is_there_and_has_its_reason() -> None:
    assert {*FREE, *MAY_GO} <= {*LEDGER, *apps.get_app_config("tournament").get_models()}
    assert all(
        column in {each.attname for each in model._meta.concrete_fields}
        for model, column in MEANINGLESS
    )
    assert all([*FREE.values(), *MAY_GO.values(), *MEANINGLESS.values()])


def outcome(salon: Salon, model: type[Model], alter: Act) -> str:
    """What comes of it: `named` in this table, `named elsewhere`, `refused` by the database, or
    `unnoticed`. It is taken back.
    """
    with for_a_while():
        try:
            with transaction.atomic():
                alter()
            found = findings(salon)
            if found:
                table = model._meta.db_table
                return (
                    "named"
                    if any(each.table == table or table in each.message for each in found)
                    else "named elsewhere"
                )
            connection.check_constraints()
        except IntegrityError:
            return "refused"
    return "unnoticed"


def findings(salon: Salon) -> list[Finding]:
    """All that `manage.py audit` finds in the salon and the one beside it, but that its guards are
    away.
    """
    strays = list(stray_findings())
    if not Log.objects.filter(pk=salon.log_id).exists():
        return strays
    audited = [
        each for place in (salon, Salon.objects.get(slug="other")) for each in audit(place).findings
    ]
    return [*strays, *(each for each in audited if each.kind != "guard")]


def rows_of(salon: Salon, model: type[Model]) -> list[Row]:
    """The rows of this salon in a table; of the places of projections those of which something is
    kept.
    """
    owner: dict[str, Any] = (
        {"pk": salon.log_id} if model is Log else {"log": salon.log_id} if model in LEDGER else {}
    )
    owner = owner or {OWNED_BY.get(model, "salon"): salon}
    rows = list(as_stored(model._default_manager.filter(**owner).order_by("pk")))
    return [row for row in rows if model is not Progress or row["projection"] in KEEPS_ROWS]


def another(column: Any, value: Any) -> Any:
    """A value that the column might have as well: another salon or log, a year or a thousand more,
    one digit or letter for another.
    """
    if isinstance(column, ForeignKey) and column.related_model in (Salon, Log):
        return Salon.objects.values_list(
            "pk" if column.related_model is Salon else "log_id", flat=True
        ).get(slug="other")
    if isinstance(column, BooleanField):
        return not value
    if isinstance(column, DateField):  # A DateTimeField is one, too.
        return (value or date(2026, 11, 21)).replace(year=1999)
    number = column.target_field if isinstance(column, ForeignKey) else column
    if isinstance(number, IntegerField | FloatField):
        return (value or 0) + 1000
    if isinstance(column, JSONField):
        return changed_json(value)
    place = max((place for place, letter in enumerate(value) if letter.isdigit()), default=0)
    instead = (
        str((int(value[place]) + 1) % 10)
        if value and value[place].isdigit()
        else "y"
        if value[:1] == "z"
        else "z"
    )
    return value[:place] + instead + value[place + 1 :]


def write(model: type[Model], row: Row, values: Row) -> None:
    assert _same(model, row).update(**values) == 1


def exchange(model: type[Model], pair: Sequence[Row], column: Any) -> None:
    """Give each of two rows what the other has in this column; for a moment one has neither, since
    it may have to be unique.
    """
    one, other = pair
    name, key = column.attname, model._meta.pk.attname
    between = another(column, another(column, one[name])) if not column.null else None
    write(model, one, {name: between})
    write(model, other, {name: one[name]})
    write(model, one | ({key: between} if name == key else {}), {name: other[name]})


def _same(model: type[Model], row: Row) -> Any:
    return model._default_manager.filter(pk=row[model._meta.pk.attname])


def _key(model: type[Model], row: Row) -> Any:
    return row[model._meta.pk.attname]


def _some(rows: Sequence[Row], chance: Random) -> list[Row]:
    """The first, the last, and one by chance."""
    places = sorted({0, len(rows) - 1, chance.randrange(len(rows))})
    return [rows[place] for place in places]


def _pairs(
    model: type[Model], rows: Sequence[Row], name: str, chance: Random
) -> list[tuple[Row, Row]]:
    """The first two rows and two by chance that differ in this column, and in another one that
    means something.

    Rows that differ in nothing else are each other after such a swap.
    """
    telling = [
        each.attname
        for each in model._meta.concrete_fields
        if each.attname != name and (model, each.attname) not in MEANINGLESS
    ]
    differ = [
        (one, two)
        for one, two in combinations(rows, 2)
        if one[name] != two[name] and any(one[each] != two[each] for each in telling)
    ]
    return [differ[0], chance.choice(differ)] if differ else []
