"""Lock and write an append on PostgreSQL: in one round trip if the head is the one
this process saw last.

The statements are prepared by the server, once for each connection: planning them takes longer than
running them.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ledger.batch import Batch, Beside, EarlierCommand, Head, Locked
from ledger.cursors import Cursor

# Each statement has its own snapshot, so what is read after the lock is what the last append left
# behind. NO KEY: other tables may go on referring to the log meanwhile.
LOCK = (
    "SELECT id, key, command_key, position, hash, recorded_at, closed FROM "
    "ledger_log WHERE id = %s FOR NO KEY UPDATE"
)
# + 0: on young tables PostgreSQL would seek the key through (log, first position) and read all
# commands of the log.
TAKEN = (
    "SELECT digest, first_position, last_position FROM ledger_command WHERE log_id "
    "+ 0 = %s AND key = %s"
)
VERSIONS = """
SELECT s.stream, coalesce((SELECT max(e.version) FROM ledger_event e WHERE e.stream = s.stream), 0)
  FROM unnest(%s::text[]) AS s(stream)"""

# Fifty values at most where nothing but the game's own row is beside: psycopg reads a longer
# statement letter by letter each time, which takes a tenth of the whole append.
#
# The head moves, and so is locked, only where it is what the batch was made for; else nothing is
# written at all. Whoever waited for the lock sees the head that the other left behind. An unmoved
# head says that the rest of the log is as it was when this statement began, so the command and the
# streams may be looked up in the same breath.
HEAD = """
WITH head AS (
  UPDATE ledger_log l SET position = %s, hash = %s, recorded_at = %s
   WHERE l.id = %s AND l.position = %s AND l.hash = %s AND NOT l.closed
     AND NOT EXISTS (SELECT 1 FROM ledger_command c WHERE c.log_id + 0 = l.id AND c.key = %s)
     AND NOT EXISTS (
       SELECT 1 FROM unnest(%s::text[], %s::int[]) AS s(stream, version)
        WHERE s.version <> coalesce((SELECT max(e.version) FROM ledger_event e
          WHERE e.stream = s.stream), 0))"""

# What is beside the events may come to be without the head moving, when it is mended: what this
# statement's snapshot lacks, it would not change after waiting for the lock either.
THERE = """
     AND EXISTS ({there})"""

EVENTS = """
  RETURNING l.id, l.position, l.recorded_at
), written AS (
  INSERT INTO ledger_event
    (log_id, position, stream, version, type, schema, occurred_at, recorded_at, actor, command,
      body, prev_hash, hash)
  SELECT head.id, d.place, d.stream, d.version, d.kind, d.schema, d.occurred_at,
    head.recorded_at, %s::text, %s::text, d.body, d.prev_hash, d.hash
    FROM head, unnest(%s::bigint[], %s::text[], %s::int[], %s::text[], %s::int[], %s::bigint[],
      %s::text[], %s::text[], %s::text[])
      AS d(place, stream, version, kind, schema, occurred_at, body, prev_hash, hash)
), taken AS (
  INSERT INTO ledger_command (log_id, key, actor, digest, first_position, last_position,
    recorded_at)
  SELECT head.id, %s::text, %s::text, %s::text, %s::bigint, head.position, head.recorded_at
    FROM head
)"""

# A CHECK is applied to the proposed row of an upsert, so counters are raised first and missing
# accounts opened after.
CHIPS = """, net AS (
  SELECT head.id AS log_id, n.*
    FROM head, unnest(%s::text[], %s::text[], %s::text[], %s::bool[], %s::bigint[], %s::bigint[])
      AS n(stream, key, owner, overdraft, debits, credits)
), raised AS (
  UPDATE ledger_account a
     SET debits = a.debits + net.debits, credits = a.credits + net.credits,
       overdraft = net.overdraft
    FROM net WHERE a.stream = net.stream AND a.key = net.key AND a.owner = net.owner
  RETURNING a.id, a.stream, a.key
), opened AS (
  INSERT INTO ledger_account (log_id, stream, key, owner, overdraft, debits, credits)
  SELECT net.* FROM net
   WHERE NOT EXISTS (SELECT 1 FROM raised r WHERE r.stream = net.stream AND r.key = net.key)
  RETURNING id, stream, key
), account AS (
  SELECT * FROM raised UNION ALL SELECT * FROM opened
), moved AS (
  INSERT INTO ledger_transfer
    (log_id, position, stream, source_id, target_id, source_overdraft, target_overdraft, chips,
      reverses)
  SELECT head.id, m.place, m.stream, s.id, t.id, m.source_overdraft, m.target_overdraft, m.chips,
    m.reverses
    FROM head, unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::bool[], %s::bool[],
      %s::bigint[], %s::bigint[])
      AS m(place, stream, source, target, source_overdraft, target_overdraft, chips, reverses)
    JOIN account s ON s.stream = m.stream AND s.key = m.source
    JOIN account t ON t.stream = m.stream AND t.key = m.target
   ORDER BY m.place
)"""

CHANGE = """, beside_{number} AS (
  {change}
)"""
RECORDED = "EXISTS (SELECT 1 FROM head)"
BETWEEN = "\0"

WRITTEN = """
SELECT count(*) FROM head"""


def lock(cursor: Cursor, log: int, command: str, streams: Sequence[str]) -> Locked:
    """Lock the head row of `log`; what the command and the streams are now."""
    head = cursor.execute(LOCK, [log]).fetchone()
    taken = cursor.execute(TAKEN, [log, command]).fetchone()
    versions = dict(cursor.execute(VERSIONS, [_array(streams)]).fetchall())
    if head is None:
        return Locked(None, False, None, versions)
    return Locked(Head._make(head[:-1]), head[-1], taken and EarlierCommand._make(taken), versions)


def write(
    cursor: Cursor, batch: Batch, expected: Mapping[str, int], beside: Beside | None = None
) -> bool:
    """Write all of `batch`, move the head and change what is `beside`, in one statement; False when
    it no longer fits.

    It fits an open log whose head is where the batch begins, a command that is new, streams at the
    `expected` versions, and rows `beside` that are there. Where it does not, nothing is written.
    """
    head, first, last = batch.head, batch.events[0], batch.events[-1]
    _, places, streams, versions, kinds, schemas, occurred, _, _, _, bodies, prevs, hashes = zip(
        *batch.events, strict=True
    )
    values: list[Any] = [last.position, last.hash, last.recorded_at]
    values += [head.log, head.position, head.hash, last.command]
    values += [_array([*expected]), _array([*expected.values()])]
    values += beside.there.values if beside else []
    values += [last.actor, last.command]
    values += map(
        _array, (places, streams, versions, kinds, schemas, occurred, bodies, prevs, hashes)
    )
    values += [last.command, last.actor, batch.digest, first.position]
    values += _chips(batch)
    values += [value for change in beside.changes for value in change.values] if beside else []
    there, changes = (
        (beside.there.sql, tuple(change.sql for change in beside.changes)) if beside else ("", ())
    )
    ((written,),) = cursor.execute(
        statement_of(chips=bool(batch.moved), there=there, changes=changes), values
    ).fetchall()
    return bool(written)


@cache
def statement_of(*, chips: bool, there: str, changes: tuple[str, ...]) -> str:
    """The statement that writes a batch, with its chips where some are moved, and what is beside
    it.
    """
    found = THERE.format(there=there) if there else ""
    written = [
        CHANGE.format(number=number, change=change.format(recorded=RECORDED))
        for number, change in enumerate(changes)
    ]
    return HEAD + found + EVENTS + (CHIPS if chips else "") + "".join(written) + WRITTEN


def _chips(batch: Batch) -> list[Any]:
    if not batch.moved:
        return []
    places, streams, posted = zip(*batch.moved, strict=True)
    sources, _, source_overdrafts, targets, _, target_overdrafts, chips, reverses = zip(
        *posted, strict=True
    )
    columns = (
        places,
        streams,
        sources,
        targets,
        source_overdrafts,
        target_overdrafts,
        chips,
        reverses,
    )
    nets = map(_array, zip(*batch.nets, strict=True))
    return [*nets, *map(_array, columns)]


def _array(values: Sequence[str | int | bool | None]) -> str:
    """PostgreSQL's text form of an array, whose values are of one type; the driver's own takes
    longer than the insert.
    """
    if not isinstance(values[0], str):
        return "{" + ",".join(["NULL" if value is None else str(value) for value in values]) + "}"
    # One pass over all texts. None of them has the character between them: PostgreSQL holds no text
    # with it.
    joined = BETWEEN.join(values).replace("\\", "\\\\").replace('"', '\\"')  # type: ignore[arg-type]
    if joined.count(BETWEEN) >= len(values):
        raise ValueError("a text with the character NUL can't be stored")
    return '{"' + joined.replace(BETWEEN, '","') + '"}'
