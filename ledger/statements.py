"""The statement of one person over all accounts of a log, a page at a time: what comes before it is
added up, not read.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.accounts import Line, accounts_of, lines_of
from ledger.reading import fetch_all

_OWN = "SELECT id FROM ledger_account WHERE owner IN ({owners}) AND log_id = %s"
_MOVED = """
SELECT t.position, -t.chips AS chips FROM ledger_transfer t {times}
  WHERE t.source_id IN ({own}) {narrowed}
 UNION ALL
SELECT t.position, t.chips FROM ledger_transfer t {times} WHERE t.target_id IN ({own}) {narrowed}"""
_TIMES = "JOIN ledger_event e ON e.log_id = t.log_id AND e.position = t.position"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """All transfers of a person in a log, whose accounts may have several `owners`: those up to an
    entry (`until`) or that occurred by a time (`by`, microseconds UTC), or all.
    """

    log: int
    owners: Sequence[str]
    until: int | None = None
    by: int | None = None

    @property
    def chips(self) -> int:
        """The balance of these transfers, in chips."""
        if self.until is None and self.by is None:
            return sum(balance.chips for balance in accounts_of(self.log, owners=self.owners))
        return self._sum()

    def latest(self, most: int, *, before: int | None = None) -> Sequence[Line]:
        """The last transfers (before an entry), at most so many and all lines of each, with the
        running balance; in order.
        """
        wanted = self._positions(
            "DESC", most, "AND t.position < %s" if before else "", [before] if before else []
        )
        return self._lines(wanted[::-1])

    def next(self, most: int, *, after: int) -> Sequence[Line]:
        """The first transfers after an entry, at most so many and all lines of each, with the
        running balance; in order.
        """
        return self._lines(self._positions("ASC", most, "AND t.position > %s", [after]))

    @property
    def span(self) -> tuple[int, int] | None:
        """When the first and the last of them occurred; None where there is none."""
        ends = [*self._positions("ASC", 1), *self._positions("DESC", 1)]
        if not ends:
            return None
        times = dict(
            fetch_all(
                "SELECT position, occurred_at FROM ledger_event WHERE log_id = %s AND position "
                "IN (%s, %s)",
                [self.log, *ends],
            )
        )
        first, last = sorted(times[position] for position in ends)
        return first, last

    def _positions(
        self, order: str, most: int, narrowed: str = "", values: Sequence[int] = ()
    ) -> list[int]:
        moved, given = self._moved(narrowed, values)
        rows = fetch_all(
            f"SELECT DISTINCT position FROM ({moved}) AS moved ORDER BY position {order} LIMIT %s",  # noqa: S608
            [*given, most],
        )
        return [position for (position,) in rows]

    def _lines(self, positions: Sequence[int]) -> Sequence[Line]:
        if not positions:
            return []
        own = [balance.account for balance in accounts_of(self.log, owners=self.owners)]
        return lines_of(
            self.log, own, positions, balance=self._sum("AND t.position < %s", [positions[0]])
        )

    def _sum(self, narrowed: str = "", values: Sequence[int] = ()) -> int:
        moved, given = self._moved(narrowed, values)
        ((chips,),) = fetch_all(f"SELECT coalesce(sum(chips), 0) FROM ({moved}) AS moved", given)  # noqa: S608
        return int(chips)

    def _moved(self, narrowed: str, values: Sequence[int]) -> tuple[str, list[object]]:
        limits = {"AND t.position <= %s": self.until, "AND e.occurred_at <= %s": self.by}
        given = {sql: value for sql, value in limits.items() if value is not None}
        half = [*self.owners, self.log, *given.values(), *values]
        own = _OWN.format(owners=", ".join(["%s"] * len(self.owners)))
        times = _TIMES if self.by is not None else ""
        return _MOVED.format(own=own, times=times, narrowed=" ".join((*given, narrowed))), [
            *half,
            *half,
        ]
