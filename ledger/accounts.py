"""The books: statements, balances as of a position or a time, trial balances and pots. Nothing here
writes.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.reading import fetched

_LINES = """
SELECT t.position, t.stream, e.version, e.occurred_at, s.key, r.key, t.chips, t.reverses, s.id, r.id
  FROM ledger_transfer t
  JOIN ledger_account s ON s.id = t.source_id
  JOIN ledger_account r ON r.id = t.target_id
  JOIN ledger_event e ON e.log_id = t.log_id AND e.position = t.position
"""
_ACCOUNTS = "SELECT id, log_id, stream, key, owner, overdraft, debits, credits FROM ledger_account"


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
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


def accounts_of(log: int, *, stream: str | None = None, owner: str | None = None) -> list[Balance]:
    """The accounts of a log, of one stream of it or of one owner, by stream and key."""
    sql, values = f"{_ACCOUNTS} WHERE log_id = %s", [log]
    return _balances(*_narrowed(sql, values, stream=stream, owner=owner))


def pots_of(log: int, stream: str) -> dict[str, int]:
    """The chips in each account of `stream` that nobody owns (pots and bank), by key."""
    return {balance.key: balance.chips for balance in accounts_of(log, stream=stream, owner="")}


def statement(log: int, *, stream: str, key: str) -> list[Line]:
    """Every transfer of one account in order, with its running balance; empty for an account nobody
    has used.
    """
    return _statement(
        [balance.account for balance in accounts_of(log, stream=stream) if balance.key == key]
    )


def statement_of_owner(log: int, owner: str) -> list[Line]:
    """Every transfer of all accounts of one person in a log, in order, with the running balance of
    them together.
    """
    return _statement([balance.account for balance in accounts_of(log, owner=owner)])


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


def balances_as_of(log: int, *, stream: str, position: int) -> dict[str, int]:
    """The chips of every account of `stream` after the events up to and with `position`."""
    chips = dict.fromkeys((balance.key for balance in accounts_of(log, stream=stream)), 0)
    values = [log, position, stream]
    for source, target, moved in fetched(
        "SELECT s.key, r.key, t.chips FROM ledger_transfer t JOIN ledger_account s ON "
        "s.id = t.source_id"
        " JOIN ledger_account r ON r.id = t.target_id WHERE t.log_id = %s AND "
        "t.position <= %s AND s.stream = %s",
        values,
    ):
        chips[source] -= moved
        chips[target] += moved
    return chips


def trial_balance(log: int, *, stream: str | None = None) -> int:
    """The chips of all accounts of a log, or of one stream of it, added up: 0, or the books are
    wrong.
    """
    sql = (
        "SELECT coalesce(sum(credits), 0) - coalesce(sum(debits), 0) FROM "
        "ledger_account WHERE log_id = %s"
    )
    ((total,),) = fetched(*_narrowed(sql, [log], stream=stream, ordered=False))
    return int(total)


def _narrowed(
    sql: str,
    values: Sequence[Any],
    *,
    stream: str | None = None,
    owner: str | None = None,
    ordered: bool = True,
) -> tuple[str, list[Any]]:
    wanted: Mapping[str, str | None] = {"stream": stream, "owner": owner}
    given = {column: value for column, value in wanted.items() if value is not None}
    where = "".join(f" AND {column} = %s" for column in given)
    return sql + where + (" ORDER BY stream, key" if ordered else ""), [*values, *given.values()]


def _balances(sql: str, values: Sequence[Any]) -> list[Balance]:
    return [
        Balance(
            account=account,
            log=log,
            stream=stream,
            key=key,
            owner=owner,
            overdraft=bool(overdraft),
            debits=debits,
            credits=credits_,
        )
        for account, log, stream, key, owner, overdraft, debits, credits_ in fetched(sql, values)
    ]


def lines_of(
    log: int, own: Collection[int], positions: Sequence[int], *, balance: int
) -> list[Line]:
    """The lines of these transfers, by their positions in order, as accounts see them that had this
    balance together before.
    """
    marks = ", ".join(["%s"] * len(positions))
    rows = fetched(
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
    return _lines(fetched(lines_of, [*accounts, *accounts]), set(accounts), 0)


def _lines(rows: Sequence[tuple[Any, ...]], own: Collection[int], balance: int) -> list[Line]:
    lines: list[Line] = []
    for (
        position,
        stream,
        version,
        occurred_at,
        source,
        target,
        chips,
        reverses,
        source_id,
        target_id,
    ) in rows:
        sides = ((source_id, source, target, -chips), (target_id, target, source, chips))
        for account, key, counterpart, signed in sides:
            if account not in own:
                continue
            balance += signed
            lines.append(
                Line(
                    position=position,
                    stream=stream,
                    version=version,
                    occurred_at=occurred_at,
                    account=key,
                    counterpart=counterpart,
                    chips=signed,
                    balance=balance,
                    reverses=reverses,
                )
            )
    return lines
