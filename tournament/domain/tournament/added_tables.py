"""One more table of a round that is drawn: two who wait meet in a Swiss, and who came late plays
the same deals as everybody at a table of its own. What they had for sitting out is gone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from tournament.domain.pairing.seating import seating_of
from tournament.domain.pairing.seats import first_dealer
from tournament.domain.pairing.stages import reasons_numbered_on
from tournament.domain.pairing.values import DrawnTable, Reason
from tournament.domain.same_fields import build_from
from tournament.domain.standings.formats import plays_alone
from tournament.domain.standings.values import Bye
from tournament.domain.tournament.lookups import (
    a_table,
    an_open_round,
    refused,
    round_refused,
    table_refused,
)
from tournament.domain.tournament.outcomes import Outcome, by_stream
from tournament.domain.tournament.reading import a_count, a_key, perhaps_a_key, reads
from tournament.domain.tournament.standings_view import view_for_draw
from tournament.domain.tournament.state import EntryState, RoundState, State, TableState
from tournament.domain.tournament.subject import AtTable, Command, Event, OfRound, Subject

LATE = "late"  # it came after the round was drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTable(OfRound, Command):
    """Seat two who wait at one more table of a drawn round, or one where everybody plays alone;
    `outcomes` are the finished games of earlier tables.
    """

    entry: str
    other: str | None = None
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAdded(AtTable, Event):
    """Entries that waited play at one more table of a round. `waited` are pairs of an entry and why
    it had no table: the kind of its bye, or `late`.
    """

    entries: tuple[str, ...]
    waited: tuple[tuple[str, str], ...]
    dealer: str | None = None
    deals: tuple[int, ...] = ()
    why: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveTable(AtTable, Command):
    """Take a table that was added back, before it has begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRemoved(AtTable, Event):
    """A table that was added was taken back; its entries wait as before."""


def waiting(state: State, each: RoundState) -> Mapping[str, str]:
    """Return the entries that could play at one more table of a round, and why each has
    none: the kind of its bye, or `late`.
    """
    byes = {bye.entry: bye.kind for bye in each.byes}
    seated = {entry for table in each.tables for entry in table.entries}
    is_last = each.number == len(state.rounds)
    found: dict[str, str] = {}
    for entry in state.entries:
        if entry.id in seated or entry.is_withdrawn:
            continue
        if entry.id in byes:
            found[entry.id] = byes[entry.id]
        elif is_last and entry.joined_in == each.number + 1:
            found[entry.id] = LATE
    return found


def seats_of_added(state: State, each: RoundState) -> int:
    """Return the number of entries at a table that can be added to a round; 0 if none
    can be.
    """
    stage = state.stage_in(each.number)
    if each.closed or each.stage != state.stage_number or each.number != len(state.rounds):
        return 0
    if plays_alone(stage, state.game):
        return 1
    return 2 if stage.kind == "swiss" else 0


def _add(command: AddTable, state: State) -> list[Event]:
    each = an_open_round(state, command.round)
    seats = seats_of_added(state, each)
    if not seats:
        raise round_refused(
            "bad_table",
            "no table can be added to round %(number)s: its format says who meets whom",
            each.number,
        )
    entries = tuple(key for key in (command.entry, command.other) if key is not None)
    if len(entries) != seats or len(set(entries)) < seats:
        raise refused(
            "bad_table",
            "%(seats)s different entries play at a table of this format, not %(entries)s",
            "other",
            seats=seats,
            entries=len(set(entries)),
        )
    there = waiting(state, each)
    for name, key in zip(("entry", "other"), entries, strict=False):
        if key not in there:
            raise refused(
                "entry_missing",
                "entry %(entry)s does not wait for a table in round %(round)s",
                name,
                entry=key[:20],
                round=each.number,
            )
    return [*tables_added(state, each, entries, command.outcomes)]


def tables_added(
    state: State, each: RoundState, entries: tuple[str, ...], outcomes: tuple[Outcome, ...] = ()
) -> Iterator[TableAdded]:
    """The facts that these play at one more table, with why they meet, or at as many as a match
    has.
    """
    added = _next_table(state, each, entries, outcomes)
    _seen, of_stage = view_for_draw(state, by_stream(outcomes), each.number)
    for table in range(added.table, added.table + state.stage_in(each.number).tables_a_match):
        dealer = first_dealer(state.game, seed=state.seed, number=of_stage, table=table)
        why = added.why if table == added.table else ()
        yield replace(added, table=table, dealer=dealer, why=why)


def _next_table(
    state: State, each: RoundState, entries: tuple[str, ...], outcomes: tuple[Outcome, ...]
) -> TableAdded:
    """The fact that these play at the table after the last one."""
    there = waiting(state, each)
    number = max((table.table for table in each.tables), default=0) + 1
    return TableAdded(
        round=each.number,
        table=number,
        entries=entries,
        waited=tuple((key, there[key]) for key in entries),
        deals=each.tables[0].deals if each.tables and len(entries) == 1 else (),
        why=_reasons(state, each, entries, outcomes) if len(entries) == 2 else (),
    )


def _reasons(
    state: State, each: RoundState, entries: tuple[str, ...], outcomes: tuple[Outcome, ...]
) -> tuple[Reason, ...]:
    """Why these two meet, by the aims of a draw."""
    added = _with_table(state, each.number, entries)
    field, number = view_for_draw(added, by_stream(outcomes), each.number)
    seating = seating_of(field, number, [entries], [])
    return reasons_numbered_on(seating.tables[0], each.number - number)


def _with_table(state: State, number: int, entries: tuple[str, ...]) -> State:
    for key in entries:
        state = state.with_entry(key, lambda entry: _there_in(entry, number))
    return state


def _there_in(entry: EntryState, number: int) -> EntryState:
    """The entry as one that plays in a round."""
    return replace(
        entry,
        joined_in=min(entry.joined_in, number),
        asked=tuple(asked for asked in entry.asked if asked[0] != number),
        absent=tuple(each for each in entry.absent if each != number),
    )


def _remove(command: RemoveTable, state: State) -> list[Event]:
    each = an_open_round(state, command.round)
    table = a_table(each, command.table)
    if not table.waited:
        raise table_refused("bad_table", "table %(table)s was not added to the round", table)
    match = state.match_of(each.number, table)
    started = next((other for other in match if other.has_started), None)
    if started is not None:
        raise table_refused(
            "round_started",
            "table %(table)s has begun; take its result or game back first",
            started,
        )
    if set(table.entries) != {key for key, _how in table.waited}:
        raise table_refused(
            "bad_table",
            "others sit at table %(table)s by now; let them change places again first",
            table,
        )
    if each.number != len(state.rounds):
        raise round_refused(
            "round_drawn", "a round after round %(number)s is drawn already", each.number
        )
    return [TableRemoved(round=each.number, table=other.table) for other in match]


def _table_added(state: State, event: TableAdded) -> State:
    def with_table(each: RoundState) -> RoundState:
        stays = [place for place, bye in enumerate(each.byes) if bye.entry not in event.entries]
        byes = tuple(each.byes[place] for place in stays)
        why = tuple(each.byes_why[place] for place in stays if place < len(each.byes_why))
        table = build_from(TableState, event, by_hand=True)
        drawn = each.drawn
        if drawn is not None:
            drawn = replace(
                drawn,
                tables=(*drawn.tables, build_from(DrawnTable, table)),
                byes=tuple(bye for bye in drawn.byes if bye.entry not in event.entries),
                byes_why=(),
            )
        return replace(each, tables=(*each.tables, table), byes=byes, byes_why=why, drawn=drawn)

    return _with_table(state, event.round, event.entries).with_round(event.round, with_table)


def _table_removed(state: State, event: TableRemoved) -> State:
    each = state.rounds[event.round - 1]
    table = a_table(each, event.table)
    is_last = len(state.match_of(event.round, table)) == 1  # of its match: they wait again
    for key, how in table.waited if is_last else ():
        state = state.with_entry(key, partial(_waits_again, number=event.round, how=how))
    byes = tuple(Bye(entry=key, kind=how) for key, how in table.waited if is_last and how != LATE)

    def without_table(each: RoundState) -> RoundState:
        drawn = each.drawn
        if drawn is not None:
            drawn = replace(
                drawn,
                tables=tuple(one for one in drawn.tables if one.table != event.table),
                byes=(*drawn.byes, *byes),
            )
        return replace(
            each,
            tables=tuple(one for one in each.tables if one.table != event.table),
            byes=(*each.byes, *byes),
            drawn=drawn,
        )

    return state.with_round(event.round, without_table)


def _waits_again(entry: EntryState, number: int, how: str) -> EntryState:
    if how == LATE:
        return replace(entry, joined_in=number + 1)
    if how == "pairing":
        return entry
    return replace(entry, asked=(*entry.asked, (number, how)))


SUBJECT = Subject(
    decisions={AddTable: _add, RemoveTable: _remove},
    changes={TableAdded: _table_added, TableRemoved: _table_removed},
    shapes={
        ("tournament.table_added", 1): TableAdded,
        ("tournament.table_removed", 1): TableRemoved,
    },
    readers={
        "added-tables": reads(AddTable, round=a_count, entry=a_key, other=perhaps_a_key),
        "added-table-removals": reads(RemoveTable, round=a_count, table=a_count),
    },
)
