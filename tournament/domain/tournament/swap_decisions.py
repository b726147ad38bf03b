"""Decisions about places changed by hand: who may change, and what the round comes to then, by the
same aims as a draw.
"""

from scoring.errors import sentence
from tournament.domain.pairing.seating import seating_of
from tournament.domain.tournament.commands import SwapEntries
from tournament.domain.tournament.events import Event
from tournament.domain.tournament.lookups import an_open_round, refused
from tournament.domain.tournament.round_events import EntriesSwapped, TableReasons
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import RoundState, State
from tournament.domain.tournament.swapped_rounds import seats_after


def swap(command: SwapEntries, state: State) -> list[Event]:
    """Two entries change places; raises RuleViolation where one of them may not leave its own."""
    each = an_open_round(state, command.round)
    for name, key in (("one", command.one), ("two", command.two)):
        if key not in each.seated:
            raise refused(
                "entry_missing",
                sentence(
                    "entry %(entry)s is not in round %(number)s", entry=key[:20], number=each.number
                ),
                name,
            )
    if command.one == command.two:
        raise refused("bad_swap", sentence("two different entries change places"), "two")
    started = [
        table
        for table in each.tables
        if table.has_started and {command.one, command.two} & set(table.entries)
    ]
    if started:
        raise refused(
            "round_started",
            sentence(
                "table %(table)s has begun; take its result or game back before the swap",
                table=started[0].table,
            ),
            "round",
        )
    asked = {bye.entry for bye in each.byes if bye.kind != "pairing"} & {command.one, command.two}
    if asked:
        raise refused(
            "bad_swap",
            sentence(
                "entry %(entry)s asked not to play in round %(round)s",
                entry=asked.pop(),
                round=each.number,
            ),
            "one",
        )
    return [_explained(command, state, each)]


def _explained(command: SwapEntries, state: State, each: RoundState) -> EntriesSwapped:
    """The swap with what the tables and byes come to by it."""
    tables, byes = seats_after(each, command.one, command.two)
    field = field_of(
        state, {outcome.game: outcome for outcome in command.outcomes}, before=each.number
    )
    out = [bye.entry for bye in byes if bye.kind == "pairing"]
    told = seating_of(field, each.number, [table.entries for table in tables], out)
    of_byes = dict(zip(out, told.byes, strict=True))
    return EntriesSwapped(
        round=each.number,
        one=command.one,
        two=command.two,
        reason=command.reason,
        why=tuple(
            TableReasons(table=table.table, why=why)
            for table, why in zip(tables, told.tables, strict=True)
            if {command.one, command.two} & set(table.entries)
        ),
        byes_why=tuple(of_byes.get(bye.entry, ()) for bye in byes),
        broken=told.broken,
        totals=told.totals,
    )
