"""Who is here: checked in at the door, asked about before a draw, not here after a round nobody saw
them in.
"""

from scoring.deciding import Decisions
from scoring.errors import sentence
from tournament.domain.tournament.commands import (
    CancelAllCheckIns,
    CancelCheckIn,
    CheckIn,
    CheckInAll,
    DrawRound,
)
from tournament.domain.tournament.counting import Outcomes, results_of
from tournament.domain.tournament.events import Event
from tournament.domain.tournament.evolve import evolve
from tournament.domain.tournament.life_events import (
    ByeAsked,
    ByeDropped,
    CheckInCancelled,
    EntryCheckedIn,
)
from tournament.domain.tournament.lookups import an_entry, refused
from tournament.domain.tournament.state import EntryState, State, TableState

AWAY = "zero"  # the bye of who isn't there


def not_here(state: State, outcomes: Outcomes) -> tuple[str, ...]:
    """Who would play in the next round and is not known to be here: not checked in, and not seen at
    a table since.
    """
    number = state.next_round
    playing = (entry for entry in state.entries if entry.plays_in(number) and not entry.checked_in)
    return tuple(
        entry.id for entry in playing if entry.gone or not _was_seen(entry, state, outcomes)
    )


def settled(command: DrawRound, state: State) -> tuple[list[Event], State]:
    """Who sits this round out, or plays it after all, before it is drawn: the facts, and the state
    they come to.
    """
    events: list[Event] = []
    for key in command.away:
        entry = an_entry(state, key)
        if entry.plays_in(command.round):
            events.append(ByeAsked(entry=entry.id, round=command.round, kind=AWAY))
    for key in command.here:
        entry = an_entry(state, key)
        if command.round in dict(entry.asked):
            events.append(ByeDropped(entry=entry.id, round=command.round))
    for event in events:
        state = evolve(state, event)
    return events, state


def seen(state: State, round: int, table: TableState, absent: tuple[str, ...] = ()) -> list[Event]:
    """What a result, a forfeit or its end says about who is here: who did not come is not, and who
    did after all is.

    It says nothing once a later round is drawn.
    """
    if round != len(state.rounds):
        return []
    entries = [
        entry
        for key in table.entries
        if (entry := state.entry(key)) is not None and not entry.is_withdrawn
    ]
    missing = [
        CheckInCancelled(entry=entry.id)
        for entry in entries
        if entry.id in absent and entry.checked_in
    ]
    came = [
        entry
        for entry in entries
        if entry.id in table.absent and entry.id not in absent and not entry.checked_in
    ]
    return [*missing, *(EntryCheckedIn(entry=entry.id) for entry in came)]


def _was_seen(entry: EntryState, state: State, outcomes: Outcomes) -> bool:
    """Whether the last table at which something was to be seen of it had a result that it played
    for.
    """
    for each in reversed(state.rounds):
        table = next((table for table in each.tables if entry.id in table.entries), None)
        if table is not None and (table.absent or results_of(table, outcomes, state.stage)):
            return entry.id not in table.absent and not table.forfeit
    return False


def _check_in(command: CheckIn, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if entry.is_withdrawn:
        raise refused(
            "withdrawn",
            sentence("entry %(entry)s has withdrawn; let it return first", entry=entry.id),
            "entry",
        )
    if entry.checked_in:
        raise refused(
            "checked_in", sentence("entry %(entry)s is checked in already", entry=entry.id), "entry"
        )
    return [EntryCheckedIn(entry=entry.id)]


def _cancel_check_in(command: CancelCheckIn, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if not entry.checked_in:
        raise refused(
            "checked_in", sentence("entry %(entry)s is not checked in", entry=entry.id), "entry"
        )
    return [CheckInCancelled(entry=entry.id)]


def _check_in_all(_command: CheckInAll, state: State) -> list[Event]:
    missing = [
        entry.id for entry in state.entries if not entry.checked_in and not entry.is_withdrawn
    ]
    if not missing:
        raise refused("checked_in", sentence("everybody is checked in already"))
    return [EntryCheckedIn(entry=key) for key in missing]


def _cancel_all_check_ins(command: CancelAllCheckIns, state: State) -> list[Event]:
    meant = [an_entry(state, key) for key in command.entries] or state.entries
    here = [entry.id for entry in meant if entry.checked_in]
    if not here:
        raise refused("checked_in", sentence("nobody is checked in"))
    return [CheckInCancelled(entry=key) for key in here]


PRESENCE_DECISIONS: Decisions[State, Event] = {
    CheckIn: _check_in,
    CancelCheckIn: _cancel_check_in,
    CheckInAll: _check_in_all,
    CancelAllCheckIns: _cancel_all_check_ins,
}
