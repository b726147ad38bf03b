"""Presence: checked in at the door, asked about before a draw, not here after a
round without being seen.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tournament.domain.tournament import byes
from tournament.domain.tournament.byes import ByeAsked, ByeDropped
from tournament.domain.tournament.counting import Outcomes, results_of
from tournament.domain.tournament.lookups import an_entry, entry_refused, refused
from tournament.domain.tournament.reading import a_key, keys_of, reads
from tournament.domain.tournament.state import EntryState, State, TableState
from tournament.domain.tournament.subject import Command, Event, OfEntry, Subject, on_entry

AWAY = "zero"  # the bye of who isn't there


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckIn(OfEntry, Command):
    """Confirm that an entry is here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCheckedIn(OfEntry, Event):
    """Somebody at the door confirmed that the entry is here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelCheckIn(OfEntry, Command):
    """Take the confirmation back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInCancelled(OfEntry, Event):
    """The entry is not here after all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInAll(Command):
    """Confirm that everybody is here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelAllCheckIns(Command):
    """Take the confirmations of these entries back in one go; () means everybody's."""

    entries: tuple[str, ...] = ()


def not_here(state: State, outcomes: Outcomes) -> tuple[str, ...]:
    """Return the entries that would play in the next round and are not known to be
    here: not checked in, and not seen at a table since.
    """
    number = state.next_round
    playing = (entry for entry in state.entries if entry.plays_in(number) and not entry.checked_in)
    return tuple(
        entry.id for entry in playing if entry.gone or not _was_seen(entry, state, outcomes)
    )


def settle_presence(
    number: int, away: Iterable[str], here: Iterable[str], state: State
) -> tuple[list[Event], State]:
    """Return the facts that entries sit a round out, or play it after all, before it is
    drawn, and the state after them.
    """
    events: list[Event] = []
    for key in away:
        entry = an_entry(state, key)
        if entry.plays_in(number):
            events.append(ByeAsked(entry=entry.id, round=number, kind=AWAY))
    for key in here:
        entry = an_entry(state, key)
        if number in dict(entry.asked):
            events.append(ByeDropped(entry=entry.id, round=number))
    for event in events:
        state = byes.SUBJECT.changes[type(event)](state, event)
    return events, state


def check_in_changes(
    state: State, round: int, table: TableState, absent: tuple[str, ...] = ()
) -> list[Event]:
    """Return the changes of presence by a result, a forfeit or its end: those who did
    not come are not here, those who did after all are.

    There are none once a later round is drawn.
    """
    if round != len(state.rounds):
        return []
    entries = [
        entry
        for key in table.entries
        if (entry := state.entry(key)) is not None and not entry.has_left(state.next_round)
    ]
    missing = [
        CheckInCancelled(entry=entry.id)
        for entry in entries
        if entry.id in absent and entry.checked_in
    ]
    arrived = [
        entry
        for entry in entries
        if entry.id in table.absent and entry.id not in absent and not entry.checked_in
    ]
    return [*missing, *(EntryCheckedIn(entry=entry.id) for entry in arrived)]


def _was_seen(entry: EntryState, state: State, outcomes: Outcomes) -> bool:
    """Whether the last table at which something was to be seen of it had a result that it played
    for.
    """
    for each in reversed(state.rounds):
        stage = state.stage_in(each.number)
        seen = (
            table
            for table in each.tables
            if entry.id in table.entries and (table.absent or results_of(table, outcomes, stage))
        )
        table = next(seen, None)
        if table is not None:
            return entry.id not in table.absent and not table.forfeit
    return False


def _check_in(command: CheckIn, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if entry.has_left(state.next_round):
        raise entry_refused(
            "withdrawn", "entry %(entry)s has withdrawn; let it return first", entry
        )
    if entry.checked_in:
        raise entry_refused("checked_in", "entry %(entry)s is checked in already", entry)
    return [EntryCheckedIn(entry=entry.id)]


def _cancel_check_in(command: CancelCheckIn, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if not entry.checked_in:
        raise entry_refused("checked_in", "entry %(entry)s is not checked in", entry)
    return [CheckInCancelled(entry=entry.id)]


def _check_in_all(_command: CheckInAll, state: State) -> list[Event]:
    missing = [
        entry.id
        for entry in state.entries
        if not entry.checked_in and not entry.has_left(state.next_round)
    ]
    if not missing:
        raise refused("checked_in", "everybody is checked in already")
    return [EntryCheckedIn(entry=key) for key in missing]


def _cancel_all_check_ins(command: CancelAllCheckIns, state: State) -> list[Event]:
    meant = [an_entry(state, key) for key in command.entries] or state.entries
    here = [entry.id for entry in meant if entry.checked_in]
    if not here:
        raise refused("checked_in", "nobody is checked in")
    return [CheckInCancelled(entry=key) for key in here]


def _check_in_cancelled(state: State, event: CheckInCancelled) -> State:
    """An entry that is not here after all; before the first draw that is as if nobody had said that
    it was.
    """
    gone = bool(state.rounds)
    return state.with_entry(event.entry, lambda entry: replace(entry, checked_in=False, gone=gone))


SUBJECT = Subject(
    decisions={
        CheckIn: _check_in,
        CancelCheckIn: _cancel_check_in,
        CheckInAll: _check_in_all,
        CancelAllCheckIns: _cancel_all_check_ins,
    },
    changes={
        EntryCheckedIn: on_entry(lambda entry, _event: replace(entry, checked_in=True, gone=False)),
        CheckInCancelled: _check_in_cancelled,
    },
    shapes={
        ("tournament.entry_checked_in", 1): EntryCheckedIn,
        ("tournament.check_in_cancelled", 1): CheckInCancelled,
    },
    readers={
        "check-ins": reads(CheckIn, entry=a_key),
        "check-in-cancellations": reads(CancelCheckIn, entry=a_key),
        "all-check-ins": reads(CheckInAll),
        "all-check-in-cancellations": reads(CancelAllCheckIns, entries=keys_of),
    },
)
