"""The books: statements, balances as of a position or a time, and the trial balance. Nothing here
writes.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from ledger.reading import fetch_all

_LINES = """
SELECT t.position, t.stream, e.version, e.occurred_at, s.key, r.key, t.chips, t.reverses, s.id, r.id
  FROM ledger_transfer t
  JOIN ledger_account s ON s.id = t.source_id
  JOIN ledger_account r ON r.id = t.target_id
  JOIN ledger_event e ON e.log_id = t.log_id AND e.position = t.position
"""
_ACCOUNTS = "SELECT id, log_id, stream, key, owner, overdraft, debits, credits FROM ledger_account"
_TRIAL = (
    "SELECT coalesce(sum(credits), 0) - coalesce(sum(debits), 0) FROM "
    "ledger_account WHERE log_id = %s"
)


class Balance(NamedTuple):
    """An account and its chips now: `credits` came in, `debits` went out."""

    account: int
    log: int
    stream: str
    key: str
    owner: str
    overdraft: bool
    debits: int
    credits: int

    @property
    def chips(self) -> int:
        return self.credits - self.debits


class Line(NamedTuple):
    """One transfer as an account sees it: `chips` in (+) or out (−), and the `balance` of the
    statement after it.

    `position` and `version` name the event that moved them; `reverses` is the position of the one
    taken back.
    """

    position: int
    stream: str
    version: int
    occurred_at: int
    account: str
    counterpart: str
    chips: int
    balance: int
    reverses: int | None


def accounts_of(
    log: int, *, stream: str | None = None, owners: Sequence[str] | None = None
) -> list[Balance]:
    """The accounts of a log, of one stream of it or of these owners, by stream and key."""
    asked: dict[str, Sequence[object]] = {"log_id": [log]}
    asked |= {"stream": [stream]} if stream is not None else {}
    asked |= {"owner": owners} if owners is not None else {}
    where = " AND ".join(
        f"{column} IN ({', '.join(['%s'] * len(values))})" for column, values in asked.items()
    )
    given = [value for values in asked.values() for value in values]
    rows = fetch_all(f"{_ACCOUNTS} WHERE {where} ORDER BY stream, key", given)
    return [Balance._make((*row[:5], bool(row[5]), *row[6:])) for row in rows]


def statement(log: int, *, stream: str, key: str) -> list[Line]:
    """Every transfer of one account in order, with its running balance; empty for an account nobody
    has used.
    """
    return _statement(
        [balance.account for balance in accounts_of(log, stream=stream) if balance.key == key]
    )


def statement_of_owners(log: int, owners: Sequence[str]) -> list[Line]:
    """Every transfer of all accounts of these owners in a log, who are one person, in order, with
    the running balance of them together.
    """
    return _statement([balance.account for balance in accounts_of(log, owners=owners)])


def balance_as_of(
    log: int, *, stream: str, key: str, position: int | None = None, occurred_at: int | None = None
) -> int:
    """The chips of an account after the events up to and with `position`, or that occurred at
    `occurred_at` or before.

    With neither it is the balance now, worked out from the transfers.
    """
    return sum(
        line.chips
        for line in statement(log, stream=stream, key=key)
        if (position is None or line.position <= position)
        and (occurred_at is None or line.occurred_at <= occurred_at)
    )


def trial_balance(log: int) -> int:
    """The chips of all accounts of a log, added up: 0, or the books are wrong."""
    ((total,),) = fetch_all(_TRIAL, [log])
    return int(total)


def lines_of(
    log: int, own: Collection[int], positions: Sequence[int], *, balance: int
) -> list[Line]:
    """The lines of these transfers, by their positions in order, as accounts see them that had this
    balance together before.
    """
    marks = ", ".join(["%s"] * len(positions))
    rows = fetch_all(
        f"{_LINES} WHERE t.log_id = %s AND t.position IN ({marks}) ORDER BY t.position",
        [log, *positions],
    )
    return _lines(rows, set(own), balance)


def _statement(accounts: Sequence[int]) -> list[Line]:
    if not accounts:
        return []
    marks = ", ".join(["%s"] * len(accounts))
    lines_of = (
        f"{_LINES} WHERE t.source_id IN ({marks}) UNION {_LINES} WHERE t.target_id IN "
        f"({marks}) ORDER BY 1"
    )
    return _lines(fetch_all(lines_of, [*accounts, *accounts]), set(accounts), 0)


def _lines(rows: Sequence[tuple[Any, ...]], own: Collection[int], balance: int) -> list[Line]:
    lines: list[Line] = []
    for position, stream, version, occurred_at, source, target, chips, reverses, *ids in rows:
        for account, key, counterpart, signed in zip(
            ids, (source, target), (target, source), (-chips, chips), strict=True
        ):
            if account in own:
                balance += signed
                moved = (key, counterpart, signed, balance, reverses)
                lines.append(Line(position, stream, version, occurred_at, *moved))
    return lines
