"""How an append is locked and written on SQLite: BEGIN IMMEDIATE is the lock, and statements cost no round trip."""

from collections.abc import Sequence

from django.db.backends.utils import CursorWrapper

from ledger.batch import EVENT_COLUMNS, HEAD_COLUMNS, Batch, Head, Locked, Net, Taken

HEAD = f"SELECT {HEAD_COLUMNS} FROM ledger_log WHERE id = %s"  # noqa: S608 - constants only
TAKEN = "SELECT digest, first_position, last_position FROM ledger_command WHERE log_id = %s AND key = %s"
VERSION = "SELECT coalesce(max(version), 0) FROM ledger_event WHERE stream = %s"
EVENT = f"INSERT INTO ledger_event ({EVENT_COLUMNS}) VALUES ({', '.join(['%s'] * 13)})"  # noqa: S608 - constants only
COMMAND = """
INSERT INTO ledger_command (log_id, key, actor, digest, first_position, last_position, recorded_at)
VALUES (%s, %s, %s, %s, %s, %s, %s)"""
RAISE = """
UPDATE ledger_account SET debits = debits + %s, credits = credits + %s, overdraft = %s
 WHERE stream = %s AND key = %s AND owner = %s RETURNING id"""
OPEN = """
INSERT INTO ledger_account (log_id, stream, key, owner, overdraft, debits, credits)
VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING id"""
TRANSFER = """
INSERT INTO ledger_transfer
  (log_id, position, stream, source_id, target_id, source_overdraft, target_overdraft, chips, reverses)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"""
MOVE_HEAD = "UPDATE ledger_log SET position = %s, hash = %s, recorded_at = %s WHERE id = %s"


def lock(cursor: CursorWrapper, log: int, command: str, streams: Sequence[str]) -> Locked:
    """What the head of `log`, the command and the streams are now; the open transaction already holds the lock."""
    head = cursor.execute(HEAD, [log]).fetchone()
    taken = cursor.execute(TAKEN, [log, command]).fetchone()
    versions = {stream: cursor.execute(VERSION, [stream]).fetchone()[0] for stream in streams}
    return Locked(head and Head._make(head), taken and Taken._make(taken), versions)


def write(cursor: CursorWrapper, batch: Batch) -> None:
    """Write all of `batch` and move the head."""
    first, last = batch.events[0], batch.events[-1]
    cursor.executemany(EVENT, batch.events)
    cursor.execute(COMMAND, [last.log, last.command, last.actor, batch.digest, first.position, last.position, last.recorded_at])
    if batch.moved:
        _move_chips(cursor, batch)
    cursor.execute(MOVE_HEAD, [last.position, last.hash, last.recorded_at, last.log])


def _move_chips(cursor: CursorWrapper, batch: Batch) -> None:
    accounts = {(net.stream, net.key): _raise_or_open(cursor, batch.head.log, net) for net in batch.nets}
    cursor.executemany(
        TRANSFER,
        [
            (
                batch.head.log,
                moved.position,
                moved.stream,
                accounts[moved.stream, moved.posted.source],
                accounts[moved.stream, moved.posted.target],
                moved.posted.source_overdraft,
                moved.posted.target_overdraft,
                moved.posted.chips,
                moved.posted.reverses,
            )
            for moved in batch.moved
        ],
    )


def _raise_or_open(cursor: CursorWrapper, log: int, net: Net) -> int:
    raised = cursor.execute(RAISE, [net.debits, net.credits, net.overdraft, net.stream, net.key, net.owner]).fetchone()
    row = raised or cursor.execute(OPEN, [log, *net]).fetchone()
    return int(row[0])
