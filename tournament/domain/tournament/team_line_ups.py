"""Line-ups of teams that have more members than a table seats (formats.md F10): each captain hands
one in sealed, and those of a table are opened together.

A line-up names places of the entry, whose members they are as with every entry. Until it is opened
the log holds its commitment alone.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.errors import sentence
from scoring.shape import a_list, a_text, required
from tournament.domain.pairing.team_matches import matches_at
from tournament.domain.tournament.lookups import (
    a_published_round,
    a_round,
    a_table,
    an_entry,
    line_ups_are_open,
    need_reason,
    refused,
    round_refused,
)
from tournament.domain.tournament.reading import (
    Given,
    a_count,
    a_key,
    a_needed_reason,
    perhaps_a_count,
    reads,
)
from tournament.domain.tournament.state import EntryState, RoundState, State, TableState
from tournament.domain.tournament.subject import AtTable, Command, Event, OfRound, Subject, on_round


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUp:
    """Which places of an entry play, in the order of the seats and of the tables of their match;
    `salt` is what it was sealed with,
    None where nobody had handed it in.
    """

    entry: str
    places: tuple[str, ...]
    salt: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInLineUp(OfRound, Command):
    """Say who of a team plays in a round. `members` are their names in the order of the seats; the
    door for facts puts the `commitment` in their place and keeps them apart.
    """

    entry: str
    members: tuple[str, ...] = ()
    commitment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUpSealed(OfRound, Event):
    """A team's captain said who plays in a round; `commitment` is its SHA-256 (`commitment_of`)."""

    entry: str
    commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLineUps(OfRound, Command):
    """Open the line-ups of a table, with those of all tables of its match, or of all tables of a
    round (None) where they are not open.

    `line_ups` are those kept apart, with their salts, or without as a file has them. Who handed
    none in plays as last time, or with its first members.
    """

    table: int | None = None
    line_ups: tuple[LineUp, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUpsOpened(AtTable, Event):
    """These play at this table, and at those after it of its match; whoever hashes a line-up with
    its salt comes to what was sealed.
    """

    line_ups: tuple[LineUp, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLineUp(OfRound, Command):
    """Let others of a team play than its open line-up says: `members` by name in the order of the
    seats, for which the door for facts puts their `places`.
    """

    entry: str
    reason: str
    members: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUpChanged(OfRound, Event):
    """These places of an entry play in a round, instead of those that were opened."""

    entry: str
    places: tuple[str, ...]
    reason: str


def commitment_of(record: str, round: int, line_up: LineUp) -> str:
    """The SHA-256, in hexadecimal digits, of a line-up in a round of the tournament `record`: five
    lines, the record, the round, the entry, its places with commas between them, and the salt.
    """
    words = (record, str(round), line_up.entry, ",".join(line_up.places), line_up.salt or "")
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def find_chosen_places(
    entry: str,
    members: Sequence[tuple[str, str]],
    chosen: Sequence[str],
    line_up: int,
    *,
    tables: int = 1,
) -> tuple[str, ...]:
    """The places of the `line_up` members with these names, who play at so many tables, `members`
    as (place, name) pairs.

    Raises RuleViolation `bad_line_up` for a stranger, too few or too many, and for one person
    twice.
    """
    place_of = {name: place for place, name in members}
    members_named = ", ".join(place_of)
    for place, name in enumerate(chosen):
        if name not in place_of:
            message = sentence(
                "%(stranger)s is no member of entry %(entry)s; name %(line_up)s of %(members)s",
                stranger=name,
                entry=entry,
                line_up=line_up,
                members=members_named,
            )
            raise refused("bad_line_up", message, f"players[{place}]")
        if name in chosen[:place]:
            message = sentence(
                "%(name)s stands in the line-up twice; name %(line_up)s of %(members)s, each once",
                name=name,
                line_up=line_up,
                members=members_named,
            )
            raise refused("bad_line_up", message, f"players[{place}]")
    if len(chosen) != line_up:
        message = sentence(
            "%(line_up)s of entry %(entry)s play at a table, not %(named)s; name %(line_up)s of "
            "%(members)s",
            named=len(chosen),
            entry=entry,
            line_up=line_up,
            members=members_named,
        )
        if tables > 1:
            message = sentence(
                "%(line_up)s of entry %(entry)s play at the %(tables)s tables of a match, not "
                "%(named)s; name %(line_up)s of %(members)s",
                named=len(chosen),
                entry=entry,
                line_up=line_up,
                tables=tables,
                members=members_named,
            )
        raise refused("bad_line_up", message, "players")
    return tuple(place_of[name] for name in chosen)


def usual_places(entry: EntryState, number: int, line_up: int) -> tuple[str, ...]:
    """Return the usual line-up, for a team that handed none in: that of the last round
    before it that is open and in which as many played, else its first members.
    """
    before = [each for each in entry.line_ups if each[0] < number and len(each[1]) == line_up]
    if before:
        return max(before)[1]
    return tuple(place for place, _player in entry.players[:line_up])


def list_missing_line_ups(each: RoundState, table: TableState, state: State) -> list[str]:
    """The entries of a table whose line-up is neither open nor handed in."""
    sealed = dict(each.sealed)
    return [
        key for key in table.entries if key not in sealed and not _is_open(state, key, each.number)
    ]


def still_sealed(state: State) -> Mapping[tuple[int, str], str]:
    """The commitments of the line-ups that are not open, by round and entry."""
    return {
        (each.number, entry): commitment
        for each in state.rounds
        for entry, commitment in each.sealed
        if not _is_open(state, entry, each.number)
    }


def without_line_ups(state: State, from_round: int) -> State:
    """The state in which nobody is lined up from this round on: it is drawn anew, or not at all."""
    entries = tuple(
        replace(entry, line_ups=tuple(each for each in entry.line_ups if each[0] < from_round))
        if entry.line_ups
        else entry
        for entry in state.entries
    )
    return replace(state, entries=entries) if state.stage.line_up else state


def _hand_in(command: HandInLineUp, state: State) -> list[Event]:
    check_waits(state, command.round, command.entry)
    return [LineUpSealed(round=command.round, entry=command.entry, commitment=command.commitment)]


def check_waits(state: State, number: int, key: str) -> None:
    """Raise RuleViolation unless this entry's line-up of a round can be handed in: the round is
    published and open, the entry sits in it, and its line-up is not open yet.
    """
    _check_stage(state)
    each = a_published_round(state, number)
    entry = an_entry(state, key)
    if not any(entry.id in table.entries for table in each.tables):
        raise refused(
            "entry_missing",
            "entry %(entry)s sits at no table of round %(number)s",
            "entry",
            entry=entry.id,
            number=number,
        )
    if _is_open(state, entry.id, number):
        raise refused(
            "line_ups_open",
            "the line-up of entry %(entry)s for round %(number)s is open; a director changes it, "
            "with a reason",
            "entry",
            entry=entry.id,
            number=number,
        )


def _change(command: ChangeLineUp, state: State) -> list[Event]:
    _check_stage(state)
    each, entry = a_round(state, command.round), an_entry(state, command.entry)
    before = dict(entry.line_ups).get(each.number)
    if before is None:
        raise refused(
            "line_ups_sealed",
            "the line-up of entry %(entry)s for round %(number)s is not open; hand in another one",
            "entry",
            entry=entry.id,
            number=each.number,
        )
    if command.places == before:
        raise refused("same_line_up", "that is the line-up already", "players")
    need_reason(command.reason, "say why other members play than the line-up says")
    changed = LineUpChanged(
        round=each.number, entry=entry.id, places=command.places, reason=command.reason
    )
    return [changed]


def _apply_line_up_change(state: State, event: LineUpChanged) -> State:
    return state.with_entry(
        event.entry,
        lambda entry: replace(
            entry,
            line_ups=tuple(
                (number, event.places if number == event.round else places)
                for number, places in entry.line_ups
            ),
        ),
    )


def _open(command: OpenLineUps, state: State) -> list[Event]:
    _check_stage(state)
    each = a_published_round(state, command.round)
    tables = (
        [table for table in each.tables if not table.is_settled]
        if command.table is None
        else [a_table(each, command.table)]
    )
    closed = matches_at(
        state.match_of(each.number, table)[0]
        for table in tables
        if not line_ups_are_open(state, each.number, table)
    )
    if not closed:
        raise round_refused(
            "line_ups_open", "these line-ups of round %(number)s are open already", each.number
        )
    given = {line_up.entry: line_up for line_up in command.line_ups}
    return [
        LineUpsOpened(
            round=each.number,
            table=table.table,
            line_ups=tuple(
                _open_line_up(state, each, key, given)
                for key in table.entries
                if not _is_open(state, key, each.number)  # after a swap one of them may be
            ),
        )
        for table in closed
    ]


def _open_line_up(state: State, each: RoundState, key: str, given: Mapping[str, LineUp]) -> LineUp:
    """Return the line-up that an entry handed in, else what a file says, else the usual
    one.
    """
    commitment, entry = dict(each.sealed).get(key), an_entry(state, key)
    line_up, stage = given.get(key), state.stage_in(each.number)
    if commitment is not None:
        if line_up is None:
            raise refused(
                "line_up_missing",
                "what entry %(entry)s handed in was not kept here; its captain has to hand it in "
                "again",
                "entry",
                entry=key,
            )
        if commitment_of(state.record, each.number, line_up) != commitment:
            raise refused(
                "bad_line_up",
                "entry %(entry)s sealed another line-up than this one",
                "entry",
                entry=key,
            )
        return line_up
    if line_up is None:
        return LineUp(entry=key, places=usual_places(entry, each.number, stage.players_a_match))
    find_chosen_places(
        key,
        [(place, place) for place, _player in entry.players],
        line_up.places,
        stage.players_a_match,
        tables=stage.tables_a_match,
    )
    return replace(line_up, salt=None)


def _check_stage(state: State) -> None:
    if not state.stage.line_up:
        raise refused(
            "no_line_ups",
            "all of an entry play at a table here; only a stage with line-ups takes them",
            "stage.line_up",
        )


def _is_open(state: State, key: str, number: int) -> bool:
    entry = state.entry(key)
    return entry is not None and number in dict(entry.line_ups)


def _apply_line_up_sealed(each: RoundState, event: LineUpSealed) -> RoundState:
    return replace(
        each, sealed=tuple((dict(each.sealed) | {event.entry: event.commitment}).items())
    )


def _with_line_ups(state: State, event: LineUpsOpened) -> State:
    opened = {line_up.entry: line_up.places for line_up in event.line_ups}
    entries = tuple(
        replace(entry, line_ups=(*entry.line_ups, (event.round, opened[entry.id])))
        if entry.id in opened
        else entry
        for entry in state.entries
    )
    return replace(state, entries=entries)


def _members(given: Given, name: str) -> tuple[str, ...]:
    """The names of those who play, in the order of the seats; fields of a form left empty are
    nobody.
    """
    names = enumerate(a_list(required(given, name, ""), name))
    members = (a_text(each, f"{name}[{place}]", longest=80) for place, each in names)
    return tuple(each for each in members if each)


SUBJECT = Subject(
    decisions={HandInLineUp: _hand_in, OpenLineUps: _open, ChangeLineUp: _change},
    changes={
        LineUpSealed: on_round(_apply_line_up_sealed),
        LineUpsOpened: _with_line_ups,
        LineUpChanged: _apply_line_up_change,
    },
    shapes={
        ("tournament.line_up_sealed", 1): LineUpSealed,
        ("tournament.line_ups_opened", 1): LineUpsOpened,
        ("tournament.line_up_changed", 1): LineUpChanged,
    },
    readers={
        "line-ups": reads(
            HandInLineUp,
            called={"players": "members"},
            round=a_count,
            entry=a_key,
            players=_members,
        ),
        "changed-line-ups": reads(
            ChangeLineUp,
            called={"players": "members"},
            round=a_count,
            entry=a_key,
            players=_members,
            reason=a_needed_reason,
        ),
        "opened-line-ups": reads(OpenLineUps, round=a_count, table=perhaps_a_count),
    },
)
