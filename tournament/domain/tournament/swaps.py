"""Places of a round changed by hand: who may change, what the round comes to then by the same aims
as a draw, and what the draw said of it, which comes back when it sits so again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tournament.domain.pairing.seating import seating_of
from tournament.domain.pairing.stages import reasons_numbered_on
from tournament.domain.pairing.team_matches import matches_at
from tournament.domain.pairing.values import DrawnTable, Reason
from tournament.domain.same_fields import build_from
from tournament.domain.standings.knockout import find_misplaced
from tournament.domain.standings.values import Bye
from tournament.domain.tournament.lookups import an_open_round, refused
from tournament.domain.tournament.outcomes import Outcome, by_stream
from tournament.domain.tournament.reading import a_count, a_key, a_reason, reads
from tournament.domain.tournament.standings_view import view_current_stage, view_for_draw
from tournament.domain.tournament.state import AsDrawn, RoundState, State, Swap, TableState
from tournament.domain.tournament.subject import Command, Event, OfRound, Subject, on_round


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapEntries(OfRound, Command):
    """Let two entries of a round change places; `outcomes` are the finished games linked to tables
    of earlier rounds.
    """

    one: str
    two: str
    reason: str | None = None
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReasons:
    """Why those meet who sit at a table now."""

    table: int
    why: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesSwapped(OfRound, Event):
    """Two entries of a round changed places, tables or bye.

    `why` explains the tables that they left or came to, `byes_why` all byes in their order, by the
    standings of that moment; `broken` and `totals` are those of the whole round as it is seated
    then. Swaps once stored without reasons have none.
    """

    one: str
    two: str
    reason: str | None = None
    why: tuple[TableReasons, ...] = ()
    byes_why: tuple[tuple[Reason, ...], ...] = ()
    broken: tuple[Reason, ...] = ()
    totals: tuple[Reason, ...] = ()


def _swap(command: SwapEntries, state: State) -> list[Event]:
    """Two entries change places; raises RuleViolation where one of them may not leave its own."""
    each = an_open_round(state, command.round)
    for name, key in (("one", command.one), ("two", command.two)):
        if key not in each.seated:
            raise refused(
                "entry_missing",
                "entry %(entry)s is not in round %(number)s",
                name,
                entry=key[:20],
                number=each.number,
            )
    if command.one == command.two:
        raise refused("bad_swap", "two different entries change places", "two")
    started = [
        table
        for table in each.tables
        if table.has_started and {command.one, command.two} & set(table.entries)
    ]
    if started:
        raise refused(
            "round_started",
            "table %(table)s has begun; take its result or game back before the swap",
            "round",
            table=started[0].table,
        )
    asked = {bye.entry for bye in each.byes if bye.kind != "pairing"} & {command.one, command.two}
    if asked:
        raise refused(
            "bad_swap",
            "entry %(entry)s asked not to play in round %(round)s",
            "one",
            entry=asked.pop(),
            round=each.number,
        )
    _check_matches(command, state, each)
    return [_with_reasons(command, state, each)]


def _check_matches(command: SwapEntries, state: State, each: RoundState) -> None:
    """In a knock-out a swap can only bring those to a match who should play it (F7)."""
    tables, byes = seats_after(each, command.one, command.two)
    swapped = state.with_round(each.number, lambda as_is: replace(as_is, tables=tables, byes=byes))
    seen, before = view_current_stage(swapped, by_stream(command.outcomes))
    wrong = [table for table in find_misplaced(seen) if table.round + before == each.number]
    touched = [table for table in wrong if {command.one, command.two} & set(table.entries)]
    if touched:
        raise refused(
            "bad_swap",
            "who plays match %(match)s of a knock-out follows from its results; correct a result "
            "instead",
            "two",
            match=touched[0].match,
        )


def _with_reasons(command: SwapEntries, state: State, each: RoundState) -> EntriesSwapped:
    """The swap with what the tables and byes come to by it."""
    tables, byes = seats_after(each, command.one, command.two)
    field, number = view_for_draw(state, by_stream(command.outcomes), each.number)
    out = [bye.entry for bye in byes if bye.kind == "pairing"]
    matches = matches_at(tables)
    seating = seating_of(field, number, [table.entries for table in matches], out)
    of_byes = dict(zip(out, seating.byes, strict=True))
    return build_from(
        EntriesSwapped,
        command,
        why=tuple(
            TableReasons(table=table.table, why=reasons_numbered_on(why, each.number - number))
            for table, why in zip(matches, seating.tables, strict=True)
            if {command.one, command.two} & set(table.entries)
        ),
        byes_why=tuple(of_byes.get(bye.entry, ()) for bye in byes),
        broken=seating.broken,
        totals=seating.totals,
    )


def _apply_swap(each: RoundState, event: EntriesSwapped) -> RoundState:
    """The round with two entries in each other's places, explained as the swap says, or as the draw
    did where it is as drawn.
    """
    drawn = each.drawn or as_drawn(each)
    tables, byes = seats_after(each, event.one, event.two)
    before = {table.table: table for table in drawn.tables}
    reasons = {each.table: each.why for each in event.why}
    explained = tuple(
        table if table in each.tables else _explain_table(table, before[table.table], reasons)
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
    """Return the draw of a round that was not changed."""
    tables = tuple(build_from(DrawnTable, table, next_best=table.instead) for table in each.tables)
    return build_from(AsDrawn, each, tables=tables)


def _explain_table(
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


# Swaps before schema 2 had no reasons.
SUBJECT = Subject(
    decisions={SwapEntries: _swap},
    changes={EntriesSwapped: on_round(_apply_swap)},
    shapes={
        ("tournament.entries_swapped", 1): EntriesSwapped,
        ("tournament.entries_swapped", 2): EntriesSwapped,
    },
    readers={"swaps": reads(SwapEntries, round=a_count, one=a_key, two=a_key, reason=a_reason)},
)
