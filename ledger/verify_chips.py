"""Verify the chips of a log: every transfer is its event's, every counter the sum of its
transfers.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from ledger.accounts import trial_balance
from ledger.chain import Posted, Stored
from ledger.drafts import CHIPS_MOVED
from ledger.findings import ACCOUNT, LOG, TRANSFER, Finding
from ledger.reading import fetch_all

PAGE = 1000

_MOVED = """
SELECT t.position, t.stream, t.source_id, t.target_id, s.stream, r.stream, s.log_id, r.log_id,
       x.source_id, x.target_id, x.chips, xe.version,
       s.key, s.owner, t.source_overdraft, r.key, r.owner, t.target_overdraft, t.chips, t.reverses
  FROM ledger_transfer t
  LEFT JOIN ledger_account s ON s.id = t.source_id
  LEFT JOIN ledger_account r ON r.id = t.target_id
  LEFT JOIN ledger_transfer x ON x.log_id = t.log_id AND x.position = t.reverses
  LEFT JOIN ledger_event xe ON xe.log_id = t.log_id AND xe.position = t.reverses
 WHERE t.log_id = %s AND t.position > %s AND t.position <= %s"""
_ACCOUNTS = """
SELECT a.id, a.key, a.stream, a.overdraft, a.debits, a.credits,
       (SELECT coalesce(sum(t.chips), 0) FROM ledger_transfer t WHERE t.source_id = a.id),
       (SELECT coalesce(sum(t.chips), 0) FROM ledger_transfer t WHERE t.target_id = a.id),
       (SELECT f.flag FROM (
          SELECT t.position, t.source_overdraft AS flag FROM ledger_transfer t
            WHERE t.source_id = a.id
          UNION ALL
          SELECT t.position, t.target_overdraft AS flag FROM ledger_transfer t
            WHERE t.target_id = a.id
        ) f ORDER BY f.position DESC LIMIT 1)
  FROM ledger_account a WHERE a.log_id = %s AND a.id > %s ORDER BY a.id LIMIT %s"""
_STREAMS = """
SELECT stream, sum(credits) - sum(debits) FROM ledger_account WHERE log_id = %s
 GROUP BY stream HAVING sum(credits) <> sum(debits) ORDER BY stream"""


class MovedRow(NamedTuple):
    """A transfer as it is stored, with its two accounts and the one it takes back."""

    posted: Posted
    stream: str
    source: int
    target: int
    source_stream: str | None
    target_stream: str | None
    source_log: int | None
    target_log: int | None
    reversed_source: int | None
    reversed_target: int | None
    reversed_chips: int | None
    reversed_version: int | None


def fetch_transfers(log: int, after: int, last: int) -> dict[int, MovedRow]:
    """The transfers of `log` at positions above `after`, up to and with `last`, by position."""
    return {
        row[0]: MovedRow(
            Posted(
                row[12], row[13], _flag(row[14]), row[15], row[16], _flag(row[17]), row[18], row[19]
            ),
            *row[1:12],
        )
        for row in fetch_all(_MOVED, [log, after, last])
    }


def transfer_findings(event: Stored, transfer: MovedRow | None) -> Iterator[Finding]:
    """Has a chip event exactly the transfer that its body states, and no other event one?"""
    if transfer is None:
        if event.type == CHIPS_MOVED:
            yield _transfer(event, "transfer", "is missing")
        return
    if event.type != CHIPS_MOVED:
        yield _transfer(event, "transfer", f"belongs to an event of type {event.type}")
        return
    yield from _account_of_transfer_findings(event, transfer)
    for column, expected, stored in _compare_transfer(event, transfer):
        if expected != stored:
            accounts = f" (ledger_account {transfer.source} and {transfer.target})"
            what = f"has {column} {stored}, its event states {expected}{accounts}"
            yield _transfer(event, "transfer", what, column)
    posted = transfer.posted
    moved = (transfer.source, transfer.target, posted.chips)
    back = (transfer.reversed_target, transfer.reversed_source, transfer.reversed_chips)
    if posted.reverses is not None and back != moved:
        what = f"is not the exact reversal of the transfer at {posted.reverses}"
        yield _transfer(event, "reversal", what, "reverses")


def account_findings(log: int) -> Iterator[Finding]:
    """Is every account's counter the sum of its transfers, and do the accounts of each stream and
    of the log add up to 0?
    """
    after = -(2**63)
    while page := fetch_all(_ACCOUNTS, [log, after, PAGE]):
        for account, key, stream, overdraft, debits, credits_, paid, got, allowed in page:
            name = f"Account {account} ({key} of stream {stream})"
            for column, stored, summed in (("debits", debits, paid), ("credits", credits_, got)):
                if stored != summed:
                    message = f"{name} has {column} {stored}; its transfers add up to {summed}."
                    yield _account(account, column, message)
            if allowed is None:
                yield _account(account, None, f"{name} has no transfers.")
            elif bool(overdraft) != bool(allowed):
                what = "says otherwise than its last transfer whether it may go below zero"
                yield _account(account, "overdraft", f"{name} {what}.")
            if not overdraft and credits_ < debits:
                yield _account(account, "overdraft", f"{name} is below zero and may not be.")
        after = page[-1][0]
    for stream, total in fetch_all(_STREAMS, [log]):
        what = f"are not balanced: together they hold {total} chips"
        yield _account(f"{stream}/", None, f"The accounts of stream {stream} {what}.")
    total = trial_balance(log)
    if total:
        message = f"The accounts of log {log} add up to {total} chips instead of 0."
        yield Finding("account", LOG, log, message)


def _account_of_transfer_findings(event: Stored, transfer: MovedRow) -> Iterator[Finding]:
    if transfer.stream != event.stream:
        what = f"is of stream {transfer.stream}, its event of {event.stream}"
        yield _transfer(event, "transfer", what, "stream")
    for account, stream, log in (
        (transfer.source, transfer.source_stream, transfer.source_log),
        (transfer.target, transfer.target_stream, transfer.target_log),
    ):
        if (stream, log) != (event.stream, event.log):
            message = (
                f"Account {account} is absent or of another stream or log than the transfer at "
                f"{event.position}."
            )
            yield _account(account, "stream", message)


def _compare_transfer(event: Stored, transfer: MovedRow) -> Iterator[tuple[str, object, object]]:
    """Compare the transfer in the event's body with the rows: column, stated, stored."""
    try:
        body = json.loads(event.body)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        yield "body", event.body, None
        return
    posted = transfer.posted
    yield "source", body.get("source"), posted.source
    yield "target", body.get("target"), posted.target
    yield "chips", body.get("chips"), posted.chips
    version = transfer.reversed_version or f"position {posted.reverses}"
    yield "reverses", body.get("reverses"), None if posted.reverses is None else version


def _flag(value: Any) -> Any:  # noqa: ANN401 - SQLite holds anything
    """A stored boolean as 0 or 1; anything else SQLite may hold stays what it is."""
    return int(value) if type(value) is bool else value


def _transfer(event: Stored, kind: str, what: str, column: str | None = None) -> Finding:
    message = f"The transfer of event {event.position} {what}."
    return Finding(kind, TRANSFER, event.position, message, column)


def _account(account: int | str, column: str | None, message: str) -> Finding:
    return Finding("account", ACCOUNT, account, message, column)
