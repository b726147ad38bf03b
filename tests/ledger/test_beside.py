"""Rows of other tables change with the events of an append, all of it or nothing; on a known head
in the same statement.
"""

import threading
import time
from collections.abc import Sequence

import pytest
from django.db import IntegrityError, connection, transaction

from ledger.batch import Beside, Statement
from ledger.chain import Stored
from ledger.drafts import Overdrawn, StreamMoved
from ledger.models import Event
from ledger.reading import head_of
from ledger.store import KNOWN_HEADS, append
from ledger.verify import verify_log
from tests.conftest import OwnDatabase
from tests.ledger.statements import dying, statements
from tests.ledger.writing import claim, new_stream, noted, paid, rows, run, store

STREAM = "a" * 32
DRAFTS = [noted(STREAM), paid(STREAM, "N", "hand", 3)]


def noticed(stored: Sequence[Stored]) -> Beside:
    """The notice of the stream moves on to its last event, and says so in a line."""
    last = stored[-1].position
    return Beside(
        there=Statement("SELECT 1 FROM notice WHERE id = %s", [STREAM]),
        changes=[
            Statement(
                "UPDATE notice SET position = %s WHERE id = %s AND {recorded}", [last, STREAM]
            ),
            Statement(
                (
                    "INSERT INTO line (notice, position) SELECT id, %s FROM notice WHERE id = %s "
                    "AND {recorded}"
                ),
                [last, STREAM],
            ),
        ],
    )


def record(log: int, *, after: int) -> int:
    return append(log, claim(), DRAFTS, expected={STREAM: after}, now=1, beside=noticed).last


def notices() -> list[tuple[object, ...]]:
    return rows(
        "SELECT n.position, l.position FROM notice n LEFT JOIN line l ON l.notice = "
        "n.id ORDER BY 1, 2"
    )


@pytest.fixture
def noticing(own_log: int) -> int:
    """A log whose head this process knows, with two events of one stream and a notice of it."""
    run("CREATE TABLE notice (id text PRIMARY KEY, position bigint CHECK (position <> 6))")
    run("CREATE TABLE line (notice text, position bigint)")
    run("INSERT INTO notice VALUES (%s, 0)", [STREAM])
    store(own_log, *DRAFTS)
    assert KNOWN_HEADS[own_log] == head_of(own_log)
    return own_log


def test_rows_beside_the_events_change_with_them(noticing: int) -> None:
    assert record(noticing, after=2) == 4
    assert notices() == [(4, 4)]
    assert list(verify_log(noticing)) == []


@pytest.mark.skipif(
    connection.vendor != "postgresql", reason="on SQLite a question costs no round trip"
)
def test_on_the_known_head_it_is_one_statement_and_no_transaction_around_it(noticing: int) -> None:
    inside: list[bool] = []

    def watched(stored: Sequence[Stored]) -> Beside:
        inside.append(connection.in_atomic_block)
        return noticed(stored)

    assert (
        statements(
            lambda: append(noticing, claim(), DRAFTS, expected={STREAM: 2}, now=1, beside=watched)
        )
        == 1
    )
    assert (inside, KNOWN_HEADS[noticing]) == ([False], head_of(noticing))


def test_where_somebody_else_moved_the_head_they_change_once(noticing: int) -> None:
    outdated = KNOWN_HEADS[noticing]
    store(noticing, noted(other := new_stream()))
    KNOWN_HEADS[noticing] = outdated

    assert record(noticing, after=2) == 5
    assert notices() == [(5, 5)]
    assert store(noticing, noted(other), after=1).first == 6
    assert list(verify_log(noticing)) == []


def test_what_is_refused_changes_nothing_beside_it(noticing: int) -> None:
    sent, before = claim(b"once"), notices()
    for after in (0, 1, 3):
        with pytest.raises(StreamMoved):
            record(noticing, after=after)
    with pytest.raises(Overdrawn):
        append(
            noticing,
            claim(),
            [paid(STREAM, "hand", "N", 4)],
            expected={STREAM: 2},
            now=1,
            beside=noticed,
        )
    assert (notices(), Event.objects.count()) == (before, 2)

    first = append(noticing, sent, DRAFTS, expected={STREAM: 2}, now=1, beside=noticed)
    again = append(noticing, sent, DRAFTS, expected={STREAM: 4}, now=1, beside=noticed)

    assert (again.last, again.repeated, first.repeated) == (4, True, False)
    assert notices() == [(4, 4)]


def test_a_change_that_the_database_refuses_leaves_no_event_either(noticing: int) -> None:
    record(noticing, after=2)

    with pytest.raises(IntegrityError):
        record(noticing, after=4)

    assert (notices(), head_of(noticing).position) == ([(4, 4)], 4)
    assert store(noticing, *DRAFTS, after=4).last == 6
    assert list(verify_log(noticing)) == []


def test_inside_a_transaction_they_are_gone_when_it_is_rolled_back(noticing: int) -> None:
    before = KNOWN_HEADS[noticing]
    with transaction.atomic():
        record(noticing, after=2)
        assert notices() == [(4, 4)]
        transaction.set_rollback(True)

    assert (notices(), Event.objects.count(), KNOWN_HEADS[noticing]) == ([(0, None)], 2, before)
    assert record(noticing, after=2) == 4


def test_rows_that_were_lost_keep_nobody_from_appending(noticing: int) -> None:
    run("DELETE FROM notice")

    assert record(noticing, after=2) == 4
    assert notices() == []


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_a_row_that_is_mended_while_an_append_waits_for_the_lock_is_changed_by_it(
    noticing: int,
) -> None:
    run("DELETE FROM notice")
    recorded: list[int] = []

    def late() -> None:
        recorded.append(record(noticing, after=2))
        connection.close()

    waiting = threading.Thread(target=late)
    with transaction.atomic():
        run("SELECT id FROM ledger_log WHERE id = %s FOR UPDATE", [noticing])
        run("INSERT INTO notice VALUES (%s, 2)", [STREAM])
        waiting.start()
        while not rows(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND "
            "wait_event_type = 'Lock'"
        ):
            run("SELECT pg_stat_clear_snapshot()")
            time.sleep(0.01)
    waiting.join()

    assert (recorded, notices()) == ([4], [(4, 4)])


def record_on_known_head(log: int, die_at: object) -> None:
    KNOWN_HEADS[log] = head_of(log)
    record(log, after=2)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_killed_at_any_statement_leaves_all_or_nothing(
    own_database: OwnDatabase, noticing: int, moment: str
) -> None:
    before, number = notices(), 1
    with dying(record_on_known_head, noticing, own_database) as died:
        while died(number, moment) and notices() == before:
            assert (head_of(noticing).position, list(verify_log(noticing))) == (2, [])
            number += 1

    assert number > 1
    assert (notices(), head_of(noticing).position, list(verify_log(noticing))) == ([(4, 4)], 4, [])
