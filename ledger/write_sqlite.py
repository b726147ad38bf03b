"""Lock and write an append on SQLite: BEGIN IMMEDIATE is the lock, and statements cost
no round trip.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.db import connection

from ledger.batch import EVENT_COLUMNS, Batch, EarlierCommand, Head, Locked
from ledger.cursors import Cursor

HEAD = """
SELECT l.id, l.key, l.command_key, l.position, l.hash, l.recorded_at, l.closed, c.digest,
  c.first_position, c.last_position
  FROM ledger_log l LEFT JOIN ledger_command c ON c.log_id = l.id AND c.key = %s
 WHERE l.id = %s"""
VERSION = "SELECT coalesce(max(version), 0) FROM ledger_event WHERE stream = %s"
EVENT = f"INSERT INTO ledger_event ({EVENT_COLUMNS}) VALUES ({', '.join(['%s'] * 13)})"  # noqa: S608 - constants only
COMMAND = """
INSERT INTO ledger_command (log_id, key, actor, digest, first_position, last_position, recorded_at)
VALUES (%s, %s, %s, %s, %s, %s, %s)"""
ACCOUNTS = "SELECT stream, key, owner, id FROM ledger_account WHERE stream IN ({marks})"
RAISE = (
    "UPDATE ledger_account SET debits = debits + %s, credits = credits + %s, "
    "overdraft = %s WHERE id = %s"
)
OPEN = """
INSERT INTO ledger_account (log_id, stream, key, owner, overdraft, debits, credits)
VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING id"""
TRANSFER = """
INSERT INTO ledger_transfer
  (log_id, position, stream, source_id, target_id, source_overdraft, target_overdraft, chips,
    reverses)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"""
MOVE_HEAD = "UPDATE ledger_log SET position = %s, hash = %s, recorded_at = %s WHERE id = %s"


@contextmanager
def transaction(cursor: Cursor) -> Iterator[None]:
    """A transaction of the statements of this cursor; what Django does around one of its own takes
    longer than a bid.
    """
    cursor.execute("BEGIN IMMEDIATE")
    try:
        yield
        cursor.execute("COMMIT")
    except BaseException:
        if connection.connection.in_transaction:  # Some errors end it by themselves.
            cursor.execute("ROLLBACK")
        raise


def lock(cursor: Cursor, log: int, command: str, streams: Sequence[str]) -> Locked:
    """Return the present head of `log`, the command and the streams; the open transaction
    already holds the lock.
    """
    row = cursor.execute(HEAD, [command, log]).fetchone()
    if row is None:
        return Locked(None, False, None, {})
    versions = {stream: cursor.execute(VERSION, [stream]).fetchone()[0] for stream in streams}
    taken = None if row[7] is None else EarlierCommand._make(row[7:])
    return Locked(Head._make(row[:6]), bool(row[6]), taken, versions)


def write(cursor: Cursor, batch: Batch, _expected: Mapping[str, int]) -> bool:
    """Write all of `batch` and move the head. Always True: nobody else writes since `lock` was
    asked.
    """
    first, last = batch.events[0], batch.events[-1]
    cursor.executemany(EVENT, batch.events)
    command = (last.log, last.command, last.actor, batch.digest)
    cursor.execute(COMMAND, [*command, first.position, last.position, last.recorded_at])
    if batch.moved:
        _move_chips(cursor, batch)
    cursor.execute(MOVE_HEAD, [last.position, last.hash, last.recorded_at, last.log])
    return True


def _move_chips(cursor: Cursor, batch: Batch) -> None:
    log, accounts = batch.head.log, _raise_or_open(cursor, batch)
    cursor.executemany(
        TRANSFER,
        [
            (
                log,
                position,
                stream,
                accounts[stream, posted.source],
                accounts[stream, posted.target],
                posted.source_overdraft,
                posted.target_overdraft,
                posted.chips,
                posted.reverses,
            )
            for position, stream, posted in batch.moved
        ],
    )


def _raise_or_open(cursor: Cursor, batch: Batch) -> dict[tuple[str, str], int]:
    """Raise the counters of the accounts that are there, open the others; the row of each account
    by stream and key.

    An account is only raised for its owner: one that is another's is opened too, which the database
    refuses.
    """
    streams = list({net.stream for net in batch.nets})
    cursor.execute(ACCOUNTS.format(marks=", ".join(["%s"] * len(streams))), streams)
    there = {(stream, key, owner): account for stream, key, owner, account in cursor.fetchall()}
    raised = [net for net in batch.nets if net[:3] in there]
    cursor.executemany(
        RAISE, [(net.debits, net.credits, net.overdraft, there[net[:3]]) for net in raised]
    )
    accounts = {net[:2]: there[net[:3]] for net in raised}
    for net in batch.nets:
        if net[:2] not in accounts:
            accounts[net[:2]] = cursor.execute(OPEN, [batch.head.log, *net]).fetchone()[0]
    return accounts
