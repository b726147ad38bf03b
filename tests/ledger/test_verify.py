"""Whatever is changed behind the ledger's back, verification names the table and the row."""

import re
from collections.abc import Iterator
from itertools import combinations

import pytest
from django.db import connection, transaction
from django.db.models import BooleanField, IntegerField

from ledger import chain, triggers_postgresql, triggers_sqlite
from ledger.findings import Finding
from ledger.models import Command, Event, Log, Transfer
from ledger.reading import head_of
from ledger.store import append
from ledger.verify import verify_log
from tests.ledger.rewriting import TABLES, rewrite, rewrite_with_head
from tests.ledger.writing import claim, columns_of, new_stream, noted, paid, rows, run, store

# What a row is called is the database's affair; nothing refers to these.
MEANINGLESS = {("ledger_event", "id"), ("ledger_command", "id"), ("ledger_transfer", "id")}
COLUMNS = [
    (table, field.column)
    for table, model in TABLES.items()
    for field in model._meta.concrete_fields
    if (table, field.column) not in MEANINGLESS
]


@pytest.fixture
def recorded(log: int) -> Iterator[int]:
    """A log of two streams with chips that moved, one transfer taken back, and neither triggers nor
    checks to guard it.
    """
    red, blue = new_stream(), new_stream()
    append(
        log,
        claim(),
        [noted(red), paid(red, "N", "hand", 3), paid(red, "E", "hand", 2)],
        expected={red: 0},
        now=10,
    )
    append(
        log,
        claim(),
        [noted(blue, "é"), paid(blue, "N", "hand", 5), noted(red)],
        expected={red: 3, blue: 0},
        now=20,
    )
    append(
        log,
        claim(),
        [paid(red, "hand", "N", 3, reverses=2), paid(red, "N", "hand", 4)],
        expected={red: 4},
        now=30,
    )
    store(log, noted(blue, "last"), after=2, now=40)
    with connection.cursor() as cursor:
        (triggers_postgresql if connection.vendor == "postgresql" else triggers_sqlite).remove(
            cursor
        )
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_overdraft")
        else:
            cursor.execute("PRAGMA ignore_check_constraints=ON")
    yield log
    if connection.vendor == "sqlite":
        run("PRAGMA ignore_check_constraints=OFF")


def name_of(table: str, row: int) -> int | str:
    """What findings call the row with this id."""
    if table == "ledger_event":
        return Event.objects.get(pk=row).position
    if table == "ledger_transfer":
        return Transfer.objects.get(pk=row).position
    return Command.objects.get(pk=row).key if table == "ledger_command" else row


def tamper(table: str, column: str, row: int) -> None:
    field = TABLES[table]._meta.get_field(column.removesuffix("_id"))
    if isinstance(field, BooleanField):
        change = f"NOT {column}"
    elif column == "first_position":
        change = f"{column} - 1000"
    elif column in {"debits", "credits", "chips"}:
        change = f"{column} + 1"
    elif column == "reverses":
        change = "CASE WHEN reverses IS NULL THEN 3 END"
    elif isinstance(field, IntegerField) or field.is_relation or column == "id":
        change = f"{column} + 1000"
    elif column == "body":
        change = "replace(body, ':', ': ')"
    else:
        change = (
            f"'zz' || substr(\"{column}\", 3)"
            if column not in {"prev_hash", "hash"}
            else f"'{'e' * 64}'"
        )
    assert run(f'UPDATE {table} SET "{column}" = {change} WHERE id = %s', [row]) == 1


def names(finding: Finding, table: str, row: int | str) -> bool:
    if finding.table == table and (
        finding.row == row or (isinstance(row, str) and row in finding.message)
    ):
        return True
    called = "transfer at" if table == "ledger_transfer" else table
    return bool(re.search(rf"({table}|{called}) (\S+ (or|and) )?{row}\b", finding.message))


@pytest.mark.parametrize("full", [True, False])
def test_a_log_as_it_was_recorded_has_no_findings(recorded: int, full: bool) -> None:
    assert list(verify_log(recorded, full=full)) == []


def test_an_empty_log_has_no_findings(log: int) -> None:
    assert list(verify_log(log)) == []


def test_a_log_that_is_not_there_cannot_be_verified(db: None) -> None:
    with pytest.raises(LookupError):
        list(verify_log(404))


@pytest.mark.parametrize(("table", "column"), COLUMNS)
@pytest.mark.parametrize("full", [True, False], ids=["full", "fast"])
def test_a_changed_value_is_found_in_every_column_of_every_row(
    recorded: int, table: str, column: str, full: bool
) -> None:
    tampered = 0
    for row in TABLES[table].objects.values_list("pk", flat=True).order_by("pk"):
        name = name_of(table, row)
        with transaction.atomic():
            tamper(table, column, row)
            findings = list(verify_log(recorded, full=full))
            transaction.set_rollback(True)
        assert any(names(finding, table, name) for finding in findings), (name, findings)
        tampered += 1
    assert tampered == TABLES[table].objects.count() > 3


@pytest.mark.parametrize("column", ["key", "command_key", "position", "hash", "recorded_at"])
def test_a_changed_value_in_the_head_row_is_found(recorded: int, column: str) -> None:
    change = f"{column} - 1" if column in {"position", "recorded_at"} else "'" + "e" * 32 + "'"
    run(f'UPDATE ledger_log SET "{column}" = {change}')

    assert any(
        finding.table == "ledger_log" and finding.row == recorded
        for finding in verify_log(recorded)
    )


@pytest.mark.parametrize(
    "table", ["ledger_event", "ledger_command", "ledger_transfer", "ledger_account"]
)
def test_a_deleted_row_is_found(recorded: int, table: str) -> None:
    for row in TABLES[table].objects.values_list("pk", flat=True):
        name = name_of(table, row)
        with transaction.atomic():
            run(f"DELETE FROM {table} WHERE id = %s", [row])
            findings = list(verify_log(recorded, full=False))
            transaction.set_rollback(True)
        assert any(names(finding, table, name) for finding in findings), (name, findings)


@pytest.mark.parametrize(
    "table", ["ledger_event", "ledger_command", "ledger_transfer", "ledger_account"]
)
def test_an_inserted_row_is_found(recorded: int, table: str) -> None:
    """A copy of the last row at another place."""
    elsewhere = {
        "ledger_event": {
            "position": "position + 1",
            "version": "version + 1",
            "hash": "'f'",
            "prev_hash": "hash",
        },
        "ledger_command": {
            "key": "'forged'",
            "first_position": "last_position + 1",
            "last_position": "last_position + 1",
        },
        "ledger_transfer": {"position": "1", "reverses": "NULL"},
        "ledger_account": {"key": "'forged'", "debits": "0", "credits": "0"},
    }[table]
    columns = [column for column in columns_of(TABLES[table]) if column != "id"]
    named = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(elsewhere.get(column, f'"{column}"') for column in columns)
    run(f"INSERT INTO {table} ({named}) SELECT {values} FROM {table} ORDER BY id DESC LIMIT 1")

    assert any(finding.table == table for finding in verify_log(recorded, full=False))


def test_two_events_that_changed_places_are_found(recorded: int) -> None:
    run("UPDATE ledger_event SET position = 100 WHERE position = 1")
    run("UPDATE ledger_event SET position = 1 WHERE position = 4")
    run("UPDATE ledger_event SET position = 4 WHERE position = 100")

    assert {1, 4} <= {finding.row for finding in verify_log(recorded) if finding.kind == "hash"}


def test_two_bodies_that_changed_places_are_found(recorded: int) -> None:
    first, last = (Event.objects.get(position=position) for position in (1, 9))
    run("UPDATE ledger_event SET body = %s WHERE position = 1", [last.body])
    run("UPDATE ledger_event SET body = %s WHERE position = 9", [first.body])

    assert [(finding.kind, finding.row) for finding in verify_log(recorded)] == [
        ("hash", 1),
        ("hash", 9),
    ]


@pytest.mark.parametrize(
    ("table", "column"),
    [
        *(
            ("ledger_event", column)
            for column in ("hash", "prev_hash", "type", "command", "occurred_at")
        ),
        *(("ledger_command", column) for column in ("digest", "key", "actor", "recorded_at")),
        *(("ledger_transfer", column) for column in ("chips", "stream")),
        *(("ledger_account", column) for column in ("credits", "debits", "owner")),
    ],
)
def test_two_rows_that_changed_places_are_found(recorded: int, table: str, column: str) -> None:
    """Every two that differ there exchange what they have; one of them is named at least."""
    stored = rows(f'SELECT id, "{column}" FROM {table} ORDER BY id')
    for (one, first), (two, second) in [
        (one, two) for one, two in combinations(stored, 2) if one[1] != two[1]
    ][:12]:
        with transaction.atomic():
            named = [name_of(table, int(str(row))) for row in (one, two)]
            for row, value in ((one, elsewhere(first)), (two, first), (one, second)):
                run(f'UPDATE {table} SET "{column}" = %s WHERE id = %s', [value, row])
            findings = list(verify_log(recorded, full=False))
            transaction.set_rollback(True)
        assert any(names(finding, table, name) for finding in findings for name in named), (
            named,
            findings,
        )


def elsewhere(value: object) -> object:
    """A value that no row has, to stand there for a moment."""
    return value + 10_000 if isinstance(value, int) else "for a moment"


def test_the_last_event_taken_away_is_found_at_the_head(recorded: int) -> None:
    run("DELETE FROM ledger_event WHERE position = 9")

    assert "head" in {finding.kind for finding in verify_log(recorded)}


def test_accounts_of_two_transfers_that_changed_places_are_found(recorded: int) -> None:
    run(
        "UPDATE ledger_transfer SET source_id = target_id, target_id = source_id WHERE position = 3"
    )

    kinds = {(finding.table, finding.row) for finding in verify_log(recorded)}
    assert ("ledger_transfer", 3) in kinds
    assert ("ledger_event", 3) in kinds


def test_a_rewritten_chain_does_not_meet_the_head(recorded: int) -> None:
    rewrite(recorded, 4, body='{"text":"other"}')

    assert [(finding.kind, finding.table, finding.column) for finding in verify_log(recorded)] == [
        ("head", "ledger_log", "hash")
    ]


def test_a_chain_rewritten_with_its_head_does_not_meet_a_hash_noted_elsewhere(
    recorded: int,
) -> None:
    noted_before = head_of(recorded).hash
    last = rewrite(recorded, 4, body='{"text":"other"}')
    run("UPDATE ledger_log SET hash = %s", [last])

    assert list(verify_log(recorded)) == []
    assert [(f.kind, f.row) for f in verify_log(recorded, known={9: noted_before})] == [
        ("known", 9)
    ]


NOT_CANONICAL = [
    '{"b":1,"a":2}',
    '{"a": 1}',
    '{"a":1.5}',
    '{"a":1e2}',
    '{"a":1,"a":1}',
    '{"é":1}',
    '{"a":9007199254740993}',
    '{"a":"\\u0041"}',
    "not json",
]


@pytest.mark.parametrize("body", NOT_CANONICAL)
def test_a_body_that_was_never_canonical_is_found_by_the_full_pass(
    recorded: int, body: str
) -> None:
    rewrite_with_head(recorded, 4, body=body)

    assert list(verify_log(recorded, full=False)) == []
    assert [(f.kind, f.row, f.column) for f in verify_log(recorded)] == [("canonical", 4, "body")]


def test_a_body_that_states_other_chips_than_were_moved_is_found(recorded: int) -> None:
    rewrite_with_head(recorded, 3, body='{"chips":7,"reverses":null,"source":"E","target":"hand"}')

    assert [(f.kind, f.table, f.row, f.column) for f in verify_log(recorded)] == [
        ("transfer", "ledger_transfer", 3, "chips")
    ]


def test_a_version_left_out_is_found_in_a_rewritten_chain(recorded: int) -> None:
    rewrite_with_head(recorded, 9, version=4)

    assert [(f.kind, f.table, f.row, f.column) for f in verify_log(recorded)] == [
        ("order", "ledger_event", 9, "version")
    ]


def test_time_that_goes_back_is_found_in_a_rewritten_chain(recorded: int) -> None:
    run("UPDATE ledger_command SET recorded_at = 5 WHERE first_position = 9")
    run("UPDATE ledger_log SET recorded_at = 5")
    rewrite_with_head(recorded, 9, recorded_at=5)

    assert [(f.kind, f.table, f.row, f.column) for f in verify_log(recorded)] == [
        ("order", "ledger_event", 9, "recorded_at")
    ]


def test_a_reversal_of_another_transfer_is_found_in_a_rewritten_chain(recorded: int) -> None:
    run("UPDATE ledger_transfer SET reverses = 3 WHERE reverses = 2")
    rewrite_with_head(recorded, 7, body='{"chips":3,"reverses":3,"source":"hand","target":"N"}')

    assert [(f.kind, f.table, f.row, f.column) for f in verify_log(recorded)] == [
        ("reversal", "ledger_transfer", 7, "reverses")
    ]


@pytest.mark.parametrize("table", ["ledger_command", "ledger_transfer"])
def test_a_row_before_the_first_event_is_found(recorded: int, table: str) -> None:
    if table == "ledger_command":
        run(
            "INSERT INTO ledger_command (log_id, key, actor, digest, first_position, "
            "last_position, recorded_at)"
            " SELECT log_id, 'forged', actor, digest, -1, 0, recorded_at FROM "
            "ledger_command WHERE first_position = 1"
        )
    else:
        run(
            "INSERT INTO ledger_transfer (log_id, position, stream, source_id, target_id, "
            "source_overdraft, target_overdraft, chips)"
            " SELECT log_id, -1, stream, source_id, target_id, source_overdraft, "
            "target_overdraft, chips"
            " FROM ledger_transfer WHERE position = 2"
        )

    row = "forged" if table == "ledger_command" else -1
    assert (table, row) in {(finding.table, finding.row) for finding in verify_log(recorded)}


def test_accounts_that_do_not_add_up_to_zero_are_found(recorded: int) -> None:
    run(
        "UPDATE ledger_account SET credits = credits + 1 WHERE id = (SELECT min(id) "
        "FROM ledger_account)"
    )

    assert [
        (f.table, f.row)
        for f in verify_log(recorded)
        if "add up to 1 chips instead of 0" in f.message
    ] == [("ledger_log", recorded)]


def test_a_value_of_another_type_is_found(recorded: int) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite stores a value of any type in any column")
    run("UPDATE ledger_event SET occurred_at = 'yesterday' WHERE position = 4")

    assert [(f.kind, f.row, f.column) for f in verify_log(recorded)] == [("type", 4, "occurred_at")]


def test_progress_tells_events_done_and_in_all(
    recorded: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.verify.PAGE", 4)
    seen: list[tuple[int, int]] = []

    assert list(verify_log(recorded, progress=lambda done, total: seen.append((done, total)))) == []
    assert seen == [(4, 9), (8, 9), (9, 9)]


def test_findings_are_the_same_whatever_the_page(
    recorded: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("UPDATE ledger_transfer SET chips = chips + 1 WHERE position = 5")
    whole = list(verify_log(recorded))
    for page in (1, 2, 3):
        monkeypatch.setattr("ledger.verify.PAGE", page)
        assert list(verify_log(recorded)) == whole
    assert whole


def test_the_log_beside_it_is_not_verified(recorded: int) -> None:
    other = Log.objects.create(key="k", command_key="ab", hash=chain.genesis("k", "ab"))
    run("UPDATE ledger_event SET body = '{}' WHERE position = 4")

    assert list(verify_log(other.pk)) == []
