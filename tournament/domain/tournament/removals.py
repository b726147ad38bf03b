"""Entries that were made by mistake: removed while they have not played, and entered again."""

from dataclasses import dataclass, replace

from scoring.errors import RuleViolation
from tournament.domain.tournament import reading
from tournament.domain.tournament.entries import check_open, check_players, without_singles
from tournament.domain.tournament.lookups import an_entry, entry_refused, refused
from tournament.domain.tournament.singles import SingleLeft
from tournament.domain.tournament.state import EntryState, RoundState, State
from tournament.domain.tournament.subject import Command, Event, OfEntry, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveEntry(OfEntry, Command):
    """Take an entry that has not played out of the tournament, as if it had not been made."""

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRemoved(OfEntry, Event):
    """The entry is not in the tournament any more; no other entry gets its number."""

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreEntry(OfEntry, Command):
    """Take a removed entry in again, as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRestored(OfEntry, Event):
    """A removed entry is in the tournament again and plays from round `joined_in` on."""

    joined_in: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackList(Command):
    """Take all entries of a list, and the singles on it, out of the tournament: all of them, or
    none where one has played.
    """

    entries: tuple[str, ...] = ()
    singles: tuple[int, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterListAgain(Command):
    """Take all these removed entries in again, as they were."""

    entries: tuple[str, ...]


def why_not_removed(state: State, entry: EntryState) -> RuleViolation | None:
    """The refusal that removing this entry would meet now; None if it can be removed."""
    if state.phase not in ("registration", "running"):
        return refused(
            "wrong_phase",
            "entries are removed in registration or while it runs; it is in %(phase)s",
            "phase",
            phase=state.phase,
        )
    seated = next((each.number for each in state.rounds if _was_drawn(each, entry.id)), None)
    if seated is not None:
        return refused(
            "entry_played",
            "entry %(entry)s is in round %(round)s; withdraw it, or take back the draw first",
            "entry",
            entry=entry.id,
            round=seated,
        )
    went_on = any(entry.id in each.cut.entries for each in state.begun)
    planned = state.stage.kind != "swiss" and entry.joined_in <= len(state.rounds)
    if went_on or planned:
        return entry_refused(
            "entry_played", "the rounds were drawn with entry %(entry)s; withdraw it", entry
        )
    if any(each.entry == entry.id and not each.cancelled for each in state.penalties):
        return entry_refused(
            "entry_played",
            "points were given to entry %(entry)s or taken from it; cancel that first",
            entry,
        )
    return None


def _was_drawn(each: RoundState, key: str) -> bool:
    """Whether an entry sits in a round, has a bye there, or did before the round was changed by
    hand.
    """
    first = each.drawn
    before = first.tables if first is not None else ()
    byes = first.byes if first is not None else ()
    return (
        key in each.seated
        or any(key in table.entries for table in before)
        or any(key == bye.entry for bye in byes)
    )


def _remove_entry(command: RemoveEntry, state: State) -> list[Event]:
    return [_removal(state, command.entry, command.reason)]


def _removal(state: State, key: str, reason: str | None) -> EntryRemoved:
    entry = an_entry(state, key)
    refusal = why_not_removed(state, entry)
    if refusal is not None:
        raise refusal
    return EntryRemoved(entry=entry.id, reason=reason)


def _restore_entry(command: RestoreEntry, state: State) -> list[Event]:
    return [_restoration(state, command.entry)]


def _restoration(state: State, key: str) -> EntryRestored:
    entry = next((each for _place, each in state.removed if each.id == key), None)
    if entry is None:
        raise refused("entry_missing", "no entry %(entry)s was removed", "entry", entry=key[:20])
    check_open(state)
    joined_in = max(entry.joined_in, state.next_round if state.phase == "running" else 1)
    check_players(entry.players, state, entry.id, joined_in)
    return EntryRestored(entry=entry.id, joined_in=joined_in)


def _take_back_list(command: TakeBackList, state: State) -> list[Event]:
    if not command.entries and not command.singles:
        raise refused("entry_missing", "a list has an entry or more", "entries")
    events: list[Event] = []
    for key in dict.fromkeys(command.entries):
        removal = _removal(state, key, command.reason)
        events, state = [*events, removal], _apply_removal(state, removal)
    waiting = {single.number for single in state.singles}
    for number in dict.fromkeys(command.singles):
        if number not in waiting:
            raise refused(
                "entry_missing",
                "no single %(number)s waits for a partner",
                "singles",
                number=number,
            )
        events.append(SingleLeft(number=number, reason=command.reason))
    return events


def _enter_list_again(command: EnterListAgain, state: State) -> list[Event]:
    if not command.entries:
        raise refused("entry_missing", "a list has an entry or more", "entries")
    events: list[Event] = []
    # Each had its place among those that were there then: the last comes back first.
    removed = [entry.id for _place, entry in state.removed]
    last = {key: place for place, key in enumerate(removed)}
    for key in sorted(dict.fromkeys(command.entries), key=lambda key: -last.get(key, -1)):
        restoration = _restoration(state, key)
        events, state = [*events, restoration], _apply_restoration(state, restoration)
    return events


def _apply_removal(state: State, event: EntryRemoved) -> State:
    place = next(at for at, entry in enumerate(state.entries) if entry.id == event.entry)
    return replace(
        state,
        entries=(*state.entries[:place], *state.entries[place + 1 :]),
        removed=(*state.removed, (place, state.entries[place])),
    )


def _apply_restoration(state: State, event: EntryRestored) -> State:
    place, entry = next(each for each in state.removed if each[1].id == event.entry)
    entries = (
        *state.entries[:place],
        replace(entry, joined_in=event.joined_in),
        *state.entries[place:],
    )
    removed = tuple(each for each in state.removed if each[1].id != event.entry)
    return without_singles(replace(state, entries=entries, removed=removed), entry.players)


SUBJECT = Subject(
    decisions={
        RemoveEntry: _remove_entry,
        RestoreEntry: _restore_entry,
        TakeBackList: _take_back_list,
        EnterListAgain: _enter_list_again,
    },
    changes={EntryRemoved: _apply_removal, EntryRestored: _apply_restoration},
    shapes={
        ("tournament.entry_removed", 1): EntryRemoved,
        ("tournament.entry_restored", 1): EntryRestored,
    },
    readers={
        "removals": reading.reads(RemoveEntry, entry=reading.a_key, reason=reading.a_reason),
        "removal-cancellations": reading.reads(RestoreEntry, entry=reading.a_key),
        "list-removals": reading.reads(
            TakeBackList,
            entries=reading.keys_of,
            singles=reading.counts_of,
            reason=reading.a_reason,
        ),
        "list-removal-cancellations": reading.reads(EnterListAgain, entries=reading.keys_of),
    },
)
