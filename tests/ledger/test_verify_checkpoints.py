"""Whatever is changed in what was signed, or in the log under it, is named, as far as a checkpoint
kept outside reaches.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.db import connection, transaction
from django.db.models import IntegerField

from ledger import checkpoints, notes, signing, witness
from ledger.findings import Finding
from ledger.models import Checkpoint, Event, Log
from ledger.store import open_log
from ledger.verdict import Verdict
from ledger.verify import verify_log
from ledger.verify_checkpoints import verify_checkpoints
from ledger.verify_outside import OutsideText
from tests.ledger.rewriting import rewrite, rewrite_with_head
from tests.ledger.signing import SIGNED, Pocket
from tests.ledger.writing import columns_of, filled, rows, run
from tests.tournament.helpers.tables import unguard

COLUMNS = [
    (table, field.column)
    for table, model in SIGNED.items()
    for field in model._meta.concrete_fields
    if field.column != "id"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A log with checkpoints of 6, 11 and 20 entries, the last by a second key and countersigned,
    and what was kept of each outside.
    """

    log: int
    outside: dict[int, OutsideText]
    countersigned: OutsideText


@pytest.fixture
def kept(log: int, monkeypatch: pytest.MonkeyPatch) -> Kept:
    for module in ("tree", "merkle"):
        monkeypatch.setattr(f"ledger.{module}.TILE_LEVELS", 2)
        monkeypatch.setattr(f"ledger.{module}.TILE", 4)
    monkeypatch.setattr("ledger.verify_checkpoints.TILE_EVENTS", 4)
    own, theirs, other, outside = Pocket("own"), Pocket("theirs"), open_log(), {}
    for number, count in enumerate((6, 5, 9)):
        place = filled(log, count)
        if number == 2:
            signing.renew(place, own, now=9_000_000)
        signed = checkpoints.make(place, own, now=(number + 10) * 1_000_000)
        assert signed is not None
        if number == 2:
            private = theirs.new("", frozenset())
            line = notes.cosign(
                notes.read_note(signed.note).text, private, "accord/them", seconds=30
            ).line
            checkpoints.cosigned(signed, line, notes.verifier(private, "accord/them").cosigner)
        outside[signed.size] = OutsideText(
            name=f"kept-{signed.size}", text=checkpoints.with_cosignatures(signed)
        )
    for old, count in ((0, 3), (3, 2)):
        checkpoint = checkpoints.make(filled(other.pk, count), theirs, now=1)
        assert checkpoint is not None
        request = witness.read_request(
            witness.request_text(
                checkpoints.consistency(other.pk, old, old + count), checkpoint.note
            )
        )
        seen = witness.countersign(
            place, request, signing.keys_of(other.pk)[0].verifier, own, now=40_000_000
        )
    unguard()
    if connection.vendor == "sqlite":
        run("PRAGMA ignore_check_constraints=ON")
    else:
        for table, model in SIGNED.items():
            for constraint in model._meta.constraints:
                run(f"ALTER TABLE {table} DROP CONSTRAINT {constraint.name}")
    return Kept(
        log=log, outside=outside, countersigned=OutsideText(name="elsewhere", text=seen.note)
    )


@pytest.fixture(autouse=True)
def checks_again(db: None) -> object:
    yield
    if connection.vendor == "sqlite":
        run("PRAGMA ignore_check_constraints=OFF")


def verdict(kept: Kept, *sizes: int) -> Verdict:
    return verify_checkpoints(kept.log, [kept.outside[size] for size in sizes])


def mine(kept: Kept, table: str) -> list[int]:
    return list(
        SIGNED[table].objects.filter(log=kept.log).order_by("pk").values_list("pk", flat=True)
    )


def named(findings: list[Finding]) -> set[tuple[str, int | str]]:
    return {(each.table, each.row) for each in findings}


def test_what_was_signed_as_it_was_signed_has_no_findings_and_is_proven_by_what_was_kept_outside(
    kept: Kept,
) -> None:
    for sizes, proven in (((), 0), ((6,), 6), ((11, 6), 11), ((20, 6, 11), 20)):
        found = verdict(kept, *sizes)
        assert (found.findings, found.remarks, found.proven) == ([], [], proven)
        assert found.by == (f"kept-{proven}" if proven else "")
    assert verify_checkpoints(kept.log, [kept.countersigned]).findings == []


def test_a_log_without_events_or_checkpoints_has_no_findings(log: int) -> None:
    assert verify_checkpoints(log) == Verdict()


@pytest.mark.parametrize(
    ("table", "column"),
    [
        each if number % 2 == 0 else pytest.param(*each, marks=pytest.mark.long)
        for number, each in enumerate(COLUMNS)
    ],
)
def test_a_changed_value_is_found_in_every_column_of_every_row(
    kept: Kept, table: str, column: str
) -> None:
    field = SIGNED[table]._meta.get_field(column.removesuffix("_id"))
    for row in mine(kept, table):
        with transaction.atomic():
            change = (
                f"{column} + 1000"
                if isinstance(field, IntegerField) or field.is_relation
                else f"'zz' || substr({column}, 3)"
            )
            run(f"UPDATE {table} SET {column} = {change} WHERE id = %s", [row])
            found = verify_checkpoints(kept.log, [kept.outside[20], kept.countersigned]).findings
            transaction.set_rollback(True)
        assert found, (row, column)
        assert any(each.table == table for each in found) or column in {
            "log_id",
            "number",
            "after",
        }, found


@pytest.mark.parametrize("table", SIGNED)
def test_a_deleted_row_is_found(kept: Kept, table: str) -> None:
    for row in mine(kept, table):
        with transaction.atomic():
            run(f"DELETE FROM {table} WHERE id = %s", [row])
            found = verify_checkpoints(kept.log, [kept.outside[20], kept.countersigned]).findings
            transaction.set_rollback(True)
        assert found, row


@pytest.mark.parametrize("table", SIGNED)
def test_a_row_put_in_is_found(kept: Kept, table: str) -> None:
    elsewhere = {
        "ledger_tile": {"number": "99"},
        "ledger_signingkey": {"number": "7", '"after"': '"after" + 1'},
        "ledger_checkpoint": {"size": "size - 1"},
        "ledger_cosignature": {"size": "11"},
        "ledger_witnessed": {"size": "size + 1", "old": "size"},
    }[table]
    columns = [
        f'"{column}"' if column == "after" else column for column in columns_of(SIGNED[table])
    ][1:]
    values = ", ".join(elsewhere.get(column, column) for column in columns)
    run(
        (
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table} WHERE "
            f"log_id = %s ORDER BY id DESC LIMIT 1"
        ),
        [kept.log],
    )

    assert table in {each.table for each in verdict(kept).findings}


@pytest.mark.parametrize("column", ["size", "note", "root"])
def test_two_checkpoints_that_changed_places_are_found(kept: Kept, column: str) -> None:
    first, second, _ = (
        Checkpoint.objects.filter(log=kept.log).order_by("size").values_list("pk", column)
    )
    for row, value in (
        (first[0], "-1" if column == "size" else "x"),
        (second[0], first[1]),
        (first[0], second[1]),
    ):
        run(f"UPDATE ledger_checkpoint SET {column} = %s WHERE id = %s", [value, row])

    assert {6, 11} <= {each.row for each in verdict(kept).findings}


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("ledger_tile", "hash"),
        ("ledger_signingkey", "vkey"),
        ("ledger_signingkey", "announcement"),
        ("ledger_witnessed", "note"),
    ],
)
def test_two_rows_that_changed_places_are_named(kept: Kept, table: str, column: str) -> None:
    one, two = rows(f"SELECT id, {column} FROM {table} WHERE log_id = %s ORDER BY id", [kept.log])[
        :2
    ]
    for row, value in ((one[0], "for a moment"), (two[0], one[1]), (one[0], two[1])):
        run(f"UPDATE {table} SET {column} = %s WHERE id = %s", [value, row])

    assert len([each for each in verdict(kept).findings if each.table == table]) >= 2


REWRITES: dict[str, Callable[[Kept], object]] = {
    "changed": lambda kept: rewrite_with_head(kept.log, 8, body='{"text":"other"}'),
    "changed, head left": lambda kept: rewrite(kept.log, 8, body='{"text":"other"}'),
}


@pytest.mark.parametrize("how", REWRITES)
def test_a_rewritten_chain_is_found_between_the_checkpoints_that_hold_and_those_that_do_not(
    kept: Kept, how: str
) -> None:
    for table in ("ledger_event", "ledger_log"):
        run(
            f"DELETE FROM {table} WHERE {'log_id' if table == 'ledger_event' else 'id'} <> %s",
            [kept.log],
        )
    REWRITES[how](kept)

    found = verdict(kept, 6, 20)
    assert found.proven == 6
    messages = [each.message for each in found.findings]
    assert (
        "The checkpoint of 11 lines does not hold: something among lines 7 to 11 is "
        "not what it was when it was signed."
    ) in messages
    assert (
        "kept-20: something among lines 7 to 20 is not what it was when it was signed." in messages
    )


def rewritten_and_signed_anew(kept: Kept, position: int, *, keys: bool) -> None:
    """What somebody with the whole database and the private keys could do: another history, with
    checkpoints of its own.
    """
    run("DELETE FROM ledger_event WHERE log_id <> %s", [kept.log])
    run("DELETE FROM ledger_log WHERE id <> %s", [kept.log])
    rewrite_with_head(kept.log, position, body='{"text":"other"}')
    for table in (
        "ledger_checkpoint",
        "ledger_tile",
        "ledger_cosignature",
        *(["ledger_signingkey"] if keys else []),
    ):
        run(f"DELETE FROM {table}")
    own = Pocket("forged" if keys else "own")
    if not keys:
        own.new("", frozenset())
        own.new("", frozenset())
    assert checkpoints.make(Log.objects.get(pk=kept.log), own, now=10_000_000)


def test_a_history_rewritten_and_signed_anew_is_found_by_a_checkpoint_kept_outside_alone(
    kept: Kept,
) -> None:
    rewritten_and_signed_anew(kept, 8, keys=False)
    run("UPDATE ledger_signingkey SET number = number")

    assert list(verify_log(kept.log)) == []
    assert [
        each.message for each in verdict(kept).findings if each.table != "ledger_witnessed"
    ] == []
    assert "kept-11: something among lines 1 to 11 is not what it was when it was signed." in {
        each.message for each in verdict(kept, 11).findings
    }


def test_what_came_after_the_last_checkpoint_kept_outside_can_be_rewritten_and_counts_as_unproven(
    kept: Kept,
) -> None:
    rewritten_and_signed_anew(kept, 18, keys=False)

    found = verdict(kept, 11)
    assert (found.proven, found.by) == (11, "kept-11")
    assert {each.message for each in found.findings if each.kind == "outside"} == {
        (
            "kept-11: the checkpoint of 11 lines holds, and is not among the checkpoints "
            "of the log any more."
        )
    }


def test_a_history_signed_by_other_keys_is_found_by_a_checkpoint_kept_outside(kept: Kept) -> None:
    rewritten_and_signed_anew(kept, 18, keys=True)

    found = verdict(kept, 11)
    assert found.proven == 0
    assert "is not signed by the key the log has for it" in " ".join(
        each.message for each in found.findings
    )


def test_a_log_cut_off_after_an_old_checkpoint_is_found_by_a_later_one(kept: Kept) -> None:
    """The old checkpoint is played again as the last one."""
    run("DELETE FROM ledger_event WHERE position > 11 AND log_id = %s", [kept.log])
    run(
        (
            "UPDATE ledger_log SET position = 11, hash = (SELECT hash FROM ledger_event "
            "WHERE log_id = %s AND position = 11)"
        ),
        [kept.log],
    )
    for table in ("ledger_checkpoint", "ledger_cosignature"):
        run(f"DELETE FROM {table} WHERE size > 11")
    run("DELETE FROM ledger_tile WHERE (level = 1 AND number >= 2) OR level > 1")

    assert {each.table for each in verdict(kept, 11).findings} <= {
        "ledger_signingkey",
        "ledger_witnessed",
    }
    found = verdict(kept, 11, 20)
    assert found.proven == 11
    assert (
        "kept-20: 20 lines were signed and the log has 11 without a gap: what came after is gone."
        in {each.message for each in found.findings}
    )


@pytest.mark.parametrize("position", [1, 7, 11])
def test_an_event_taken_away_stops_the_tree_and_every_later_checkpoint(
    kept: Kept, position: int
) -> None:
    run("DELETE FROM ledger_event WHERE position = %s AND log_id = %s", [position, kept.log])

    found = verdict(kept, 6, 20)
    assert ("ledger_event", position) in named(found.findings)
    assert ("ledger_checkpoint", 20) in named(found.findings)
    assert found.proven == (6 if position > 6 else 0)


def test_events_that_changed_places_are_found(kept: Kept) -> None:
    for position, there in ((100, 8), (8, 9), (9, 100)):
        run(
            "UPDATE ledger_event SET position = %s WHERE position = %s AND log_id = %s",
            [position, there, kept.log],
        )

    assert {("ledger_checkpoint", 11), ("ledger_checkpoint", 20)} <= named(verdict(kept).findings)
    assert ("ledger_checkpoint", 6) not in named(verdict(kept).findings)


def test_a_hash_that_is_none_is_named(kept: Kept) -> None:
    run("UPDATE ledger_event SET hash = 'gone' WHERE position = 3 AND log_id = %s", [kept.log])

    assert ("ledger_event", 3) in named(verdict(kept).findings)


def test_a_key_that_only_announced_itself_is_a_finding_until_somebody_vouches_for_it(
    log: int,
) -> None:
    place = filled(log, 3)
    checkpoints.make(place, Pocket("lost"), now=1)
    key = signing.renew(place, Pocket("new"), now=2, lost=True)

    found = verify_checkpoints(log)
    assert named(found.findings) == {("ledger_signingkey", 2)}
    assert found.findings[0].message.startswith("Key 2 was not announced by the key before it")
    accepted = verify_checkpoints(log, accepted={key.verifier.vkey})
    assert accepted.findings == []
    assert [
        each.startswith("Key 2 was not announced by the key before it") for each in accepted.remarks
    ] == [True]


def test_a_signature_put_under_a_stored_checkpoint_or_announcement_is_named(kept: Kept) -> None:
    """A foreign one, one that never was, and one of its own twice: as somebody's who countersigned
    it would be told on.
    """
    stranger = Pocket("s").new("", frozenset())
    for table, column, row, order in (
        ("ledger_checkpoint", "note", 11, "size"),
        ("ledger_signingkey", "announcement", 1, "number"),
    ):
        (stored,) = rows(
            f"SELECT {column} FROM {table} WHERE {order} = {row} AND log_id = {kept.log}"
        )[0]
        note = notes.read_note(str(stored))
        invented = notes.Signature(name="accord/witness", key_id=b"abcd", value=b"x" * 72)
        for line in (
            notes.sign(note.text, stranger, "accord/witness"),
            invented,
            note.signatures[-1],
        ):
            with transaction.atomic():
                run(
                    f"UPDATE {table} SET {column} = %s WHERE {order} = {row} AND log_id = "
                    f"{kept.log}",
                    [f"{stored}{line.line}\n"],
                )
                assert named(verify_checkpoints(kept.log).findings) == {(table, row)}
                transaction.set_rollback(True)


@pytest.mark.parametrize("text", ["", "no note", "a\n1\nx\n\n\u2014 a AAAAAAAA\n"])
def test_a_file_that_is_no_checkpoint_is_said(kept: Kept, text: str) -> None:
    found = verify_checkpoints(kept.log, [OutsideText(name="a file", text=text)])

    assert ("ledger_checkpoint", "a file") in named(found.findings)
    assert found.proven == 0


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
def test_no_byte_of_a_checkpoint_kept_outside_can_change_unseen(kept: Kept, first: int) -> None:
    written = kept.outside[20].text.encode()
    for place in range(first, len(written), 3):
        changed = bytearray(written)
        changed[place] ^= 1
        found = verify_checkpoints(
            kept.log, [OutsideText(name="changed", text=changed.decode(errors="replace"))]
        )
        assert found.findings, (place, changed[max(0, place - 20) : place + 20])


def test_a_checkpoint_of_another_log_is_not_taken_for_ours(kept: Kept) -> None:
    other = open_log()
    signed = checkpoints.make(filled(other.pk, 2), Pocket("third"), now=1)
    assert signed is not None

    found = verify_checkpoints(kept.log, [OutsideText(name="theirs", text=signed.note)])
    assert [each.kind for each in found.findings] == ["outside"]
    assert "another log" in found.findings[0].message


def test_progress_is_told(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.verify_checkpoints.PAGE", 8)
    seen: list[tuple[int, int]] = []
    verify_checkpoints(kept.log, progress=lambda done, total: seen.append((done, total)))

    assert seen == [(8, 20), (16, 20)]
    assert (
        Event.objects.filter(log=kept.log).count()
        == len(rows("SELECT 1 FROM ledger_event WHERE log_id = %s", [kept.log]))
        == 20
    )
