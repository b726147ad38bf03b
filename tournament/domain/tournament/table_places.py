"""A place at a table of three to five left free, or taken: who does not come lets the others play
with one fewer, and who sits out takes a place, without drawing the round anew.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tournament.domain.same_fields import build_from
from tournament.domain.standings.formats import sizes_for
from tournament.domain.standings.values import Bye
from tournament.domain.tournament.byes import ByeDropped
from tournament.domain.tournament.lookups import (
    a_table,
    an_entry,
    an_open_round,
    refused,
    table_refused,
)
from tournament.domain.tournament.presence import AWAY
from tournament.domain.tournament.reading import a_count, a_key, a_reason, reads
from tournament.domain.tournament.state import RoundState, State, TableState
from tournament.domain.tournament.subject import AtTable, Command, Event, Subject, on_round
from tournament.domain.tournament.swaps import as_drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class LeavePlace(AtTable, Command):
    """Let a table that has not begun play without an entry."""

    entry: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceLeft(AtTable, Event):
    """An entry of a table did not come; the others play with one fewer."""

    entry: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakePlace(AtTable, Command):
    """Let an entry that sits the round out sit down at a table that has not begun."""

    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceTaken(AtTable, Event):
    """An entry that sat the round out sits in the last seat of a table."""

    entry: str


def _leave(command: LeavePlace, state: State) -> list[Event]:
    table = _a_table_of_many(state, command)
    if command.entry not in table.entries:
        raise refused(
            "entry_missing",
            "entry %(entry)s does not sit at table %(table)s",
            "entry",
            entry=command.entry[:20],
            table=table.table,
        )
    sizes = sizes_for(state.game)
    if len(table.entries) - 1 not in sizes:
        raise refused(
            "bad_table",
            "%(left)s would be left at table %(table)s, and %(least)s play; let the others take "
            "places at other tables, or swap somebody in",
            "table",
            left=len(table.entries) - 1,
            table=table.table,
            least=min(sizes),
        )
    return [build_from(PlaceLeft, command)]


def _take(command: TakePlace, state: State) -> list[Event]:
    table = _a_table_of_many(state, command)
    each = an_open_round(state, command.round)
    if command.entry not in [bye.entry for bye in each.byes]:
        raise refused(
            "entry_missing",
            "entry %(entry)s does not sit round %(round)s out",
            "entry",
            entry=command.entry[:20],
            round=each.number,
        )
    sizes = sizes_for(state.game)
    if len(table.entries) + 1 not in sizes:
        raise refused(
            "bad_table",
            "table %(table)s is full: %(most)s play at a table at most",
            "table",
            table=table.table,
            most=max(sizes),
        )
    entry = an_entry(state, command.entry)
    asked = each.number in dict(entry.asked)
    plays_after_all = [ByeDropped(entry=entry.id, round=each.number)] if asked else []
    return [*plays_after_all, build_from(PlaceTaken, command)]


def _a_table_of_many(state: State, command: AtTable) -> TableState:
    """A table that has not begun, of a stage with tables of several sizes."""
    table = a_table(an_open_round(state, command.round), command.table)
    if state.stage_in(command.round).kind != "pods":
        raise refused(
            "bad_table",
            "the tables of this format have one size; swap somebody in, or type a forfeit",
            "table",
        )
    if table.has_started:
        raise table_refused(
            "round_started", "table %(table)s has begun; take its result or game back first", table
        )
    return table


def _place_left(each: RoundState, event: PlaceLeft) -> RoundState:
    seated = _with_table(
        each, event.table, lambda entries: tuple(key for key in entries if key != event.entry)
    )
    return replace(seated, byes=(*each.byes, Bye(entry=event.entry, kind=AWAY)))


def _place_taken(each: RoundState, event: PlaceTaken) -> RoundState:
    seated = _with_table(each, event.table, lambda entries: (*entries, event.entry))
    stays = [place for place, bye in enumerate(each.byes) if bye.entry != event.entry]
    return replace(
        seated,
        byes=tuple(each.byes[place] for place in stays),
        byes_why=tuple(each.byes_why[place] for place in stays if place < len(each.byes_why)),
    )


def _with_table(
    each: RoundState, number: int, change: Callable[[tuple[str, ...]], tuple[str, ...]]
) -> RoundState:
    """The round with others at one table, which is not as it was drawn any more."""
    changed = each.with_table(
        number,
        lambda table: replace(
            table, entries=change(table.entries), why=(), instead=None, by_hand=True
        ),
    )
    return replace(changed, drawn=each.drawn or as_drawn(each))


SUBJECT = Subject(
    decisions={LeavePlace: _leave, TakePlace: _take},
    changes={PlaceLeft: on_round(_place_left), PlaceTaken: on_round(_place_taken)},
    shapes={("tournament.place_left", 1): PlaceLeft, ("tournament.place_taken", 1): PlaceTaken},
    readers={
        "left-places": reads(
            LeavePlace, round=a_count, table=a_count, entry=a_key, reason=a_reason
        ),
        "taken-places": reads(TakePlace, round=a_count, table=a_count, entry=a_key),
    },
)
