"""The database itself refuses to change what was recorded."""

from collections.abc import Callable, Mapping
from io import StringIO

import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.migrations import Migration
from django.db.models.signals import pre_migrate

from ledger import triggers
from ledger.models import (
    Account,
    Checkpoint,
    Command,
    Cosignature,
    Event,
    Log,
    SigningKey,
    Tile,
    Transfer,
    Witnessed,
)
from ledger.store import open_log
from tests.ledger.signing import sign
from tests.ledger.writing import columns_of, new_stream, noted, paid, rows, run, store

SIGNED = (Tile, SigningKey, Checkpoint, Cosignature, Witnessed)
TABLES = {
    model._meta.db_table: model for model in (Log, Event, Command, Account, Transfer, *SIGNED)
}
KEPT = [
    "ledger_event",
    "ledger_command",
    "ledger_transfer",
    *(model._meta.db_table for model in SIGNED),
]
OTHER = {
    "id": 999,
    "log_id": 999,
    "position": 999,
    "version": 999,
    "schema": 7,
    "reverses": 1,
    "source_overdraft": False,
}


@pytest.fixture
def stream(log: int) -> str:
    stream = new_stream()
    store(log, noted(stream), paid(stream, "N", "hand", 3))
    sign(log)
    return stream


def columns(table: str) -> list[str]:
    return columns_of(TABLES[table])


def contents() -> list[list[tuple[object, ...]]]:
    return [rows(f"SELECT * FROM {table} ORDER BY id") for table in TABLES]


def copied(table: str) -> str:
    """The statement that would put the newest row of `table` in again, as it is, in place of
    itself.
    """
    names = ", ".join(f'"{column}"' for column in columns(table))
    return (
        f"INSERT OR REPLACE INTO {table} ({names}) SELECT {names} FROM {table} ORDER BY "
        f"id DESC LIMIT 1"
    )


@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table in KEPT for column in columns(table)]
)
def test_no_column_of_what_was_recorded_can_be_updated(
    stream: str, table: str, column: str
) -> None:
    before = contents()
    with pytest.raises(IntegrityError), transaction.atomic():
        run(f'UPDATE {table} SET "{column}" = "{column}"')
    assert contents() == before


@pytest.mark.parametrize("table", [*KEPT, "ledger_account", "ledger_log"])
def test_no_row_can_be_deleted(stream: str, table: str) -> None:
    before = contents()
    with pytest.raises(IntegrityError), transaction.atomic():
        run(f"DELETE FROM {table}")
    assert contents() == before


@pytest.mark.parametrize("table", list(TABLES))
def test_no_table_can_be_truncated(own_log: int, table: str) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no TRUNCATE")
    store(own_log, noted(new_stream()))
    with pytest.raises(IntegrityError, match="what was recorded stays"), transaction.atomic():
        run(f"TRUNCATE {table} CASCADE")


@pytest.mark.parametrize("recursive", ["ON", "OFF"])
@pytest.mark.parametrize("table", list(TABLES))
def test_insert_or_replace_replaces_nothing(stream: str, table: str, recursive: str) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("INSERT OR REPLACE is SQLite's")
    before = contents()
    run(f"PRAGMA recursive_triggers={recursive}")
    with pytest.raises(IntegrityError), transaction.atomic():
        run(copied(table))
    assert contents() == before


@pytest.mark.parametrize(
    "same",
    [
        ("ledger_event", {"id"}),
        ("ledger_event", {"log_id", "position", "prev_hash"}),
        ("ledger_event", {"log_id", "hash"}),
        ("ledger_event", {"stream", "version"}),
        ("ledger_command", {"id"}),
        ("ledger_command", {"log_id", "key"}),
        ("ledger_command", {"log_id", "first_position"}),
        ("ledger_account", {"id"}),
        ("ledger_account", {"stream", "key"}),
        ("ledger_log", {"id"}),
        ("ledger_log", {"key"}),
        ("ledger_tile", {"id"}),
        ("ledger_tile", {"log_id", "level", "number"}),
        ("ledger_signingkey", {"id"}),
        ("ledger_signingkey", {"log_id", "number"}),
        ("ledger_checkpoint", {"id"}),
        ("ledger_checkpoint", {"log_id", "size"}),
        ("ledger_cosignature", {"id"}),
        ("ledger_cosignature", {"log_id", "size", "vkey"}),
        ("ledger_witnessed", {"id"}),
        ("ledger_witnessed", {"log_id", "origin", "size"}),
    ],
    ids=lambda same: f"{same[0]}-{'-'.join(sorted(same[1]))}",
)
def test_a_row_that_shares_one_unique_value_with_another_does_not_replace_it(
    log: int, stream: str, same: tuple[str, set[str]]
) -> None:
    """Each row is one that would be accepted, had it not this value of the newest row."""
    if connection.vendor != "sqlite":
        pytest.skip("INSERT OR REPLACE is SQLite's")
    table, kept = same
    fresh = {
        "ledger_event": {
            **INSERTED,
            "log_id": log,
            "stream": stream,
            "prev_hash": Log.objects.get(pk=log).hash,
            "id": 99,
        },
        "ledger_command": {
            "id": 99,
            "log_id": log,
            "key": "c",
            "actor": "a",
            "digest": "d",
            "recorded_at": 1,
            "first_position": 8,
            "last_position": 9,
        },
        "ledger_account": {
            "id": 99,
            "log_id": log,
            "stream": "s",
            "key": "k",
            "owner": "",
            "overdraft": 1,
            "debits": 0,
            "credits": 0,
        },
        "ledger_log": {
            "id": 99,
            "key": "k",
            "command_key": "c",
            "position": 0,
            "hash": "h",
            "recorded_at": 0,
        },
        "ledger_tile": {"id": 99, "log_id": 9, "level": 2, "number": 1, "hash": "h"},
        "ledger_signingkey": {
            "id": 99,
            "log_id": 9,
            "number": 2,
            "vkey": "v",
            "after": 1,
            "announcement": "a",
            "made_at": 1,
        },
        "ledger_checkpoint": {
            "id": 99,
            "log_id": 9,
            "previous": 0,
            "size": 1,
            "root": "r",
            "key": 1,
            "note": "n",
            "made_at": 1,
        },
        "ledger_cosignature": {
            "id": 99,
            "log_id": 9,
            "size": 1,
            "vkey": "v",
            "line": "l",
            "signed_at": 1,
        },
        "ledger_witnessed": {
            "id": 99,
            "log_id": 9,
            "origin": "o",
            "vkey": "v",
            "old": 0,
            "size": 2,
            "root": "r",
            "note": "n",
            "seen_at": 1,
        },
    }[table]
    newest: Mapping[str, object] | None = TABLES[table].objects.order_by("-pk").values().first()
    assert newest
    row = {**fresh, **{column: newest[column] for column in kept}}
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join(["%s"] * len(row))
    run("PRAGMA recursive_triggers=OFF")
    with pytest.raises(IntegrityError), transaction.atomic():
        run(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", list(row.values()))
    run(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", list(fresh.values()))


@pytest.mark.parametrize("table", list(TABLES))
def test_an_insert_that_turns_into_an_update_is_refused(stream: str, table: str) -> None:
    if table == "ledger_account":
        change = "debits = 0"
    elif table == "ledger_log":
        change = "position = 0"
    else:
        change = "id = excluded.id"
    names = ", ".join(f'"{column}"' for column in columns(table))
    before = contents()
    with pytest.raises(IntegrityError), transaction.atomic():
        run(
            f"INSERT INTO {table} ({names}) SELECT {names} FROM {table} WHERE true ON "
            f"CONFLICT (id) DO UPDATE SET {change}"
        )
    assert contents() == before


CHANGES = [
    "debits = debits - 1",
    "credits = credits - 1",
    "\"key\" = 'S'",
    "owner = 'else'",
    "stream = 'else'",
    "log_id = 9",
    "id = 9",
]


@pytest.mark.parametrize(
    "change",
    CHANGES,
)
def test_an_account_cannot_lower_a_counter_or_become_another(stream: str, change: str) -> None:
    before = contents()
    with pytest.raises(IntegrityError), transaction.atomic():
        run(f"UPDATE ledger_account SET {change} WHERE debits > 0 OR credits > 0")
    assert contents() == before


def test_an_account_may_be_allowed_to_go_below_zero(stream: str) -> None:
    assert run("UPDATE ledger_account SET overdraft = NOT overdraft WHERE \"key\" = 'hand'") == 1


@pytest.mark.parametrize(
    "change",
    [
        "position = position - 1",
        "hash = 'f'",
        "\"key\" = 'k'",
        "command_key = 'c'",
        "recorded_at = recorded_at - 1",
        "id = 999",
    ],
)
def test_a_head_cannot_go_back_or_change_its_keys(stream: str, change: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        run(f"UPDATE ledger_log SET {change}")


def test_an_empty_log_can_be_deleted(log: int) -> None:
    assert run("DELETE FROM ledger_log") == 1


INSERTED = {
    "log_id": 1,
    "position": 3,
    "stream": "s",
    "version": 3,
    "type": "table.noted",
    "schema": 1,
    "occurred_at": 1,
    "recorded_at": 1,
    "actor": "person-1",
    "command": "c",
    "body": "{}",
    "prev_hash": "",
    "hash": "h",
}


def insert_event(log: int, of: str, **changes: object) -> None:
    ((head,),) = rows("SELECT hash FROM ledger_log WHERE id = %s", [log])
    values = {**INSERTED, "log_id": log, "stream": of, "prev_hash": head, **changes}
    names = ", ".join(f'"{name}"' for name in values)
    run(
        f"INSERT INTO ledger_event ({names}) VALUES ({', '.join(['%s'] * len(values))})",
        list(values.values()),
    )


def test_an_event_that_follows_can_be_inserted(log: int, stream: str) -> None:
    insert_event(log, stream)

    assert Event.objects.count() == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"prev_hash": "0" * 64},
        {"position": 4},
        {"position": 0},
        {"position": 1},
        {"version": 4},
        {"version": 2},
        {"version": 0},
        {"stream": "new"},
        {"log_id": 999},
        {"type": ""},
        {"actor": ""},
    ],
    ids=str,
)
def test_an_event_that_does_not_follow_cannot_be_inserted(
    log: int, stream: str, changes: dict[str, object]
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_event(log, stream, **changes)
    assert Event.objects.count() == 2


def test_the_first_event_of_a_log_follows_its_keys(log: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_event(log, "s", position=1, version=1, prev_hash="0" * 64)
    insert_event(log, "s", position=1, version=1)


def test_a_transfer_needs_a_chip_event_and_accounts_of_its_stream(log: int, stream: str) -> None:
    other = new_stream()
    store(log, paid(other, "N", "hand", 1), noted(other))
    mine, theirs = (
        [a.pk for a in Account.objects.filter(stream=s).order_by("key")] for s in (stream, other)
    )
    sql = (
        "INSERT INTO ledger_transfer (log_id, position, stream, source_id, target_id, "
        "source_overdraft, target_overdraft, chips)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, 1)"
    )
    for position, of, source, target in (
        (1, stream, *mine),
        (4, other, *theirs),
        (9, stream, *mine),
        (3, other, mine[0], theirs[1]),
        (3, other, theirs[0], mine[1]),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            run(sql, [log, position, of, source, target, True, True])


def test_no_trigger_is_missing_after_migrating(own_database: object) -> None:
    assert triggers.missing() == []
    assert run_checks(databases=["default"], tags=["database"]) == []


def test_a_trigger_that_was_dropped_is_missed_and_made_again_by_migrating(
    own_database: object,
) -> None:
    table = " ON ledger_event" if connection.vendor == "postgresql" else ""
    run(f"DROP TRIGGER ledger_event_linked{table}")

    assert triggers.missing() == ["ledger_event_linked"]
    (error,) = run_checks(databases=["default"], tags=["database"])
    assert error.id == "ledger.E001"

    call_command("migrate", skip_checks=True, verbosity=0, stdout=StringIO())
    assert triggers.missing() == []


def test_a_trigger_that_was_weakened_is_missed(own_database: object) -> None:
    if connection.vendor == "postgresql":
        run("ALTER TABLE ledger_event DISABLE TRIGGER ledger_event_stays")
        run(
            "CREATE OR REPLACE FUNCTION ledger_post() RETURNS trigger LANGUAGE plpgsql AS "
            "'BEGIN RETURN NULL; END'"
        )
        assert triggers.missing() == ["ledger_event_stays", "ledger_transfer_posted"]
    else:
        run("DROP TRIGGER ledger_event_unchanged")
        run(
            "CREATE TRIGGER ledger_event_unchanged BEFORE UPDATE ON ledger_event WHEN 0 "
            "BEGIN SELECT 1; END"
        )
        assert triggers.missing() == ["ledger_event_unchanged"]


def test_a_table_remade_by_a_migration_gets_its_triggers_back(own_database: object) -> None:
    """SQLite's schema editor copies the table into a new one and drops the old, with its
    triggers.
    """
    field = Event._meta.get_field("actor")
    wider = type(field)(max_length=65)
    wider.set_attributes_from_name("actor")
    migration = Migration("0002_wider_actor", "ledger")
    pre_migrate.send(apps.get_app_config("ledger"), using="default", plan=[(migration, False)])
    with connection.schema_editor() as editor:
        editor.alter_field(Event, field, wider, strict=True)
    assert triggers.missing()

    call_command("migrate", skip_checks=True, verbosity=0, stdout=StringIO())

    assert triggers.missing() == []
    store(open_log().pk, noted(new_stream()))
    with pytest.raises(DatabaseError):
        run("UPDATE ledger_event SET actor = 'else'")


def test_a_migration_of_another_app_leaves_the_triggers_alone(own_database: object) -> None:
    pre_migrate.send(
        apps.get_app_config("ledger"),
        using="default",
        plan=[(Migration("0001_initial", "tournament"), False)],
    )

    assert triggers.missing() == []


def test_a_database_without_the_ledger_is_missing_nothing(
    own_database: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(triggers, "tables", lambda: {"ledger_event", "a_table_yet_to_come"})
    run(
        "DROP TRIGGER ledger_event_linked"
        + (" ON ledger_event" if connection.vendor == "postgresql" else "")
    )

    assert triggers.missing() == []


def test_the_orm_is_refused_as_well(stream: str) -> None:
    attempts: list[Callable[[], object]] = [
        lambda: Event.objects.update(body="{}"),
        lambda: Event.objects.earliest("pk").save(),
        lambda: Command.objects.all().delete(),
        lambda: Transfer.objects.all()._raw_delete("default"),
    ]
    for attempt in attempts:
        with pytest.raises(IntegrityError), transaction.atomic():
            attempt()


def test_another_log_is_not_disturbed_by_a_refusal(stream: str) -> None:
    other = open_log().pk
    with pytest.raises(IntegrityError), transaction.atomic():
        run("DELETE FROM ledger_event")

    assert store(other, noted(new_stream())).last == 1
