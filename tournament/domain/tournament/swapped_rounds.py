"""A round after two of its entries changed places: what the draw said of it is kept, and comes back
when it sits so again.
"""

from collections.abc import Mapping
from dataclasses import replace

from tournament.domain.pairing.values import DrawnTable, Reason
from tournament.domain.standings.values import Bye
from tournament.domain.tournament.round_events import EntriesSwapped
from tournament.domain.tournament.state import AsDrawn, RoundState, Swap, TableState


def swapped(each: RoundState, event: EntriesSwapped) -> RoundState:
    """The round with two entries in each other's places, explained as the swap says, or as the draw
    did where it is as drawn.
    """
    drawn = each.drawn or as_drawn(each)
    tables, byes = seats_after(each, event.one, event.two)
    before, told = (
        {table.table: table for table in drawn.tables},
        {each.table: each.why for each in event.why},
    )
    explained = tuple(
        table if table in each.tables else _explained(table, before[table.table], told)
        for table in tables
    )
    if byes == drawn.byes and not any(table.by_hand for table in explained):
        return replace(
            each,
            tables=explained,
            byes=byes,
            byes_why=drawn.byes_why,
            broken=drawn.broken,
            totals=drawn.totals,
            drawn=None,
            swaps=(),
        )
    return replace(
        each,
        tables=explained,
        byes=byes,
        byes_why=_byes_why(each, byes, drawn, event),
        broken=event.broken if event.totals else each.broken,
        totals=event.totals,
        drawn=drawn,
        swaps=(*each.swaps, Swap(one=event.one, two=event.two, reason=event.reason)),
    )


def seats_after(
    each: RoundState, one: str, two: str
) -> tuple[tuple[TableState, ...], tuple[Bye, ...]]:
    """The tables and byes of a round when these two have changed places."""
    other = {one: two, two: one}
    tables = tuple(
        table
        if other.keys().isdisjoint(table.entries)
        else replace(table, entries=tuple(other.get(entry, entry) for entry in table.entries))
        for table in each.tables
    )
    return tables, tuple(replace(bye, entry=other.get(bye.entry, bye.entry)) for bye in each.byes)


def as_drawn(each: RoundState) -> AsDrawn:
    """What the draw of a round came to that nobody has changed."""
    return AsDrawn(
        tables=tuple(
            DrawnTable(
                table=table.table,
                entries=table.entries,
                dealer=table.dealer,
                why=table.why,
                next_best=table.instead,
            )
            for table in each.tables
        ),
        byes=each.byes,
        byes_why=each.byes_why,
        broken=each.broken,
        totals=each.totals,
    )


def _explained(
    table: TableState, drawn: DrawnTable, told: Mapping[int, tuple[Reason, ...]]
) -> TableState:
    if table.entries == drawn.entries:
        return replace(table, why=drawn.why, instead=drawn.next_best, by_hand=False)
    return replace(table, why=told.get(table.table, ()), instead=None, by_hand=True)


def _byes_why(
    each: RoundState, byes: tuple[Bye, ...], drawn: AsDrawn, event: EntriesSwapped
) -> tuple[tuple[Reason, ...], ...]:
    if byes == drawn.byes:
        return drawn.byes_why
    return event.byes_why if byes != each.byes else each.byes_why
