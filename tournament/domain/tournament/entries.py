"""Taking part: entries made, withdrawn, returned. Persons are given by name until
they are recorded, then by their ids.
"""

from dataclasses import dataclass, replace
from itertools import count

from scoring.errors import sentence
from scoring.shape import a_list, a_number, a_text, required
from tournament.domain.same_fields import build_from
from tournament.domain.standings.entry_sizes import find_common_sizes
from tournament.domain.tournament import reading
from tournament.domain.tournament.added_tables import tables_added
from tournament.domain.tournament.byes import HALF, ByeAsked
from tournament.domain.tournament.late_entries import check_late, find_seat_at_once
from tournament.domain.tournament.leavers import counts_again
from tournament.domain.tournament.lineups import is_within, lineups
from tournament.domain.tournament.lookups import an_entry, entry_refused, refused
from tournament.domain.tournament.state import EntryState, State
from tournament.domain.tournament.subject import (
    Command,
    Event,
    OfEntry,
    Subject,
    on_entry,
    schemas,
)

type Players = tuple[tuple[str, str], ...]  # (place, player) pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeEntry(Command):
    """Enter a player, a pair or a solo, `players` as (place, player) pairs; once rounds are drawn,
    from the next one on.

    A file names the entry itself (`entry`) and the round it joined in; else it gets the next number
    and plays at once. `missed` is what the rounds before that are worth: half or zero. `entry_name`
    is a name of its own, as teams have one.
    """

    players: tuple[tuple[str, str], ...]
    rating: int | None = None
    club: str | None = None
    entry: str | None = None
    joined_in: int | None = None
    missed: str = "zero"
    entry_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMade(OfEntry, Event):
    """A player, pair or solo takes part from round `joined_in`; `players` are (place, player)
    pairs, `entry_name` is the digest of a name of its own.
    """

    players: tuple[tuple[str, str], ...]
    rating: int | None = None
    club: str | None = None
    joined_in: int = 1
    entry_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(OfEntry, Command):
    """Seat the entry in no further round, or in none after `after_round`: as a file announces
    it.
    """

    reason: str | None = None
    after_round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithdrawn(OfEntry, Event):
    """The entry plays no round after `after_round`."""

    after_round: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(OfEntry, Command):
    """Seat a withdrawn entry again from the next round on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReturned(OfEntry, Event):
    """A withdrawn entry plays again from round `in_round`; the rounds between it was absent."""

    in_round: int


def sizes(state: State) -> tuple[int, ...]:
    """Return the numbers of people that an entry may have: as the director set it, as
    the first entry has it, or as the game allows.
    """
    if state.conditions.players is not None:
        return (state.conditions.players,)
    allowed = find_common_sizes(state.every_stage, state.game)
    if state.stage.line_up:
        return allowed
    return tuple(sorted({len(entry.players) for entry in state.entries} or allowed))


def make_entry(command: MakeEntry, state: State) -> list[Event]:
    """One more entry, with the byes of rounds that it missed. Raises RuleViolation."""
    check_open(state)
    key = command.entry or _next_key(state)
    if key in _list_used_keys(state) or not 0 < len(key) <= reading.LONGEST_KEY:
        raise refused(
            "bad_entry",
            "there is an entry %(entry)s already, or its id is too long",
            "entry",
            entry=key[: reading.LONGEST_KEY],
        )
    joined_in = max(command.joined_in or 1, state.next_round if state.phase == "running" else 1)
    check_players(command.players, state, key, joined_in)
    club = command.club or None
    made = build_from(EntryMade, command, entry=key, club=club, joined_in=joined_in)
    missed = range(1, joined_in) if command.missed == HALF else ()
    return [
        made,
        *(ByeAsked(entry=key, round=number, kind=HALF) for number in missed),
        *_seat_at_once(made, state),
    ]


def _seat_at_once(made: EntryMade, state: State) -> list[Event]:
    """The table that a late entry has in the round that is open, if it has one at once."""
    at_once = find_seat_at_once(state)
    if at_once is None or made.joined_in != state.next_round:
        return []
    each, others = at_once
    return [*tables_added(entered(state, made), each, (*others, made.entry))]


def _next_key(state: State) -> str:
    """The number of the next entry; nobody gets the one of an entry that was removed."""
    used = _list_used_keys(state)
    return next(str(number) for number in count(len(used) + 1) if str(number) not in used)


def _list_used_keys(state: State) -> set[str]:
    return {entry.id for entry in (*state.entries, *(each for _place, each in state.removed))}


def check_open(state: State) -> None:
    """Raise RuleViolation `wrong_phase` where nobody can join."""
    if state.phase not in ("registration", "running"):
        raise refused(
            "wrong_phase",
            "entries are taken in registration or while it runs; it is in %(phase)s",
            "phase",
            phase=state.phase,
        )
    if state.begun:
        raise refused(
            "wrong_phase",
            "stage %(stage)s is for those who went on to it; nobody can join now",
            "phase",
            stage=state.stage_number,
        )
    _check_tree_open(state)
    check_late(state)


def _check_tree_open(state: State) -> None:
    """Check that an entry can still join: one that isn't in the tree of a knock-out
    when it is first drawn never comes into it.
    """
    if state.stage.kind == "knockout" and state.rounds:
        raise refused(
            "wrong_phase",
            "who meets whom in a knock-out is settled with its first draw; nobody can join it now",
            "phase",
        )


def check_players(
    players: Players, state: State, key: str, from_round: int, until_round: int | None = None
) -> None:
    """Raise RuleViolation unless an entry can have these players in these rounds."""
    allowed = sizes(state)
    if len(players) not in allowed:
        message = sentence(
            "an entry of this tournament has %(allowed)s players, not %(players)s",
            allowed=" or ".join(map(str, allowed)),
            players=len(players),
        )
        raise refused("bad_entry", message, "players")
    check_free(players, state, key, from_round, until_round)


def check_free(
    players: Players, state: State, key: str, from_round: int, until_round: int | None = None
) -> None:
    """Nobody stands twice in an entry, or plays for another one in one of these rounds."""
    for place, player in players:
        if any(player == other and place != elsewhere for elsewhere, other in players):
            raise refused(
                "player_twice",
                "this player has another place of the entry already; everybody plays once",
                f"players.{place}",
            )
        taken = next(
            (
                entry
                for entry in state.entries
                if entry.id != key and _plays_for(player, entry, from_round, until_round)
            ),
            None,
        )
        if taken is not None:
            raise refused(
                "player_twice",
                "this player is in entry %(entry)s already; nobody plays for two entries, and "
                "someone else of the same name has a note after it, as in “Anna Berg (North)”",
                f"players.{place}",
                entry=taken.id,
            )


def _plays_for(player: str, entry: EntryState, first: int, last: int | None) -> bool:
    """Whether this player is one of the entry's in one of the rounds `first` to `last` (None: to
    the end).
    """
    playing = (
        dict(lineup.players).values() for lineup in lineups(entry) if is_within(lineup, first, last)
    )
    return not entry.is_withdrawn and any(player in players for players in playing)


def _withdraw(command: Withdraw, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if entry.is_withdrawn:
        raise entry_refused("withdrawn", "entry %(entry)s has withdrawn already", entry)
    # A draw that nobody has seen can still be drawn anew.
    begun = sum(each.published for each in state.rounds)
    last = max(begun, command.after_round or 0)
    return [EntryWithdrawn(entry=entry.id, after_round=last, reason=command.reason)]


def _return(command: Return, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if not entry.is_withdrawn:
        raise entry_refused("withdrawn", "entry %(entry)s has not withdrawn", entry)
    if entry.withdrawn_after == 0:
        _check_tree_open(state)
    last = state.last
    still_seated = last is not None and not last.published and entry.id in last.seated
    in_round = state.next_round - still_seated
    if state.stage.kind == "knockout" and in_round > (entry.withdrawn_after or 0) + 1:
        raise refused(
            "wrong_phase",
            "the knock-out went on without entry %(entry)s in round %(round)s; it can't return",
            "entry",
            entry=entry.id,
            round=in_round - 1,
        )
    for lineup in lineups(entry):
        if is_within(lineup, in_round, None):
            check_players(lineup.players, state, entry.id, max(in_round, lineup.first), lineup.last)
    return [
        EntryReturned(entry=entry.id, in_round=in_round),
        *counts_again(entry, state.stage_number),
    ]


def entered(state: State, event: EntryMade) -> State:
    """The state with one more entry."""
    entry = build_from(EntryState, event, id=event.entry)
    return without_singles(replace(state, entries=(*state.entries, entry)), event.players)


def without_singles(state: State, players: tuple[tuple[str, str], ...]) -> State:
    """Return the state without these players among those who wait for a partner,
    because they play for an entry.
    """
    found = {player for _place, player in players}
    return replace(
        state, singles=tuple(single for single in state.singles if single.player not in found)
    )


def _apply_withdrawal(entry: EntryState, event: EntryWithdrawn) -> EntryState:
    return replace(entry, withdrawn_after=event.after_round)


def _apply_return(entry: EntryState, event: EntryReturned) -> EntryState:
    missed = range((entry.withdrawn_after or 0) + 1, event.in_round)
    return replace(entry, withdrawn_after=None, absent=(*entry.absent, *missed))


def read_players(given: reading.Given, name: str) -> Players:
    """The names of an entry's players, each with its place."""
    names = enumerate(a_list(required(given, name, ""), name))
    return tuple(
        (str(place + 1), a_text(each, f"{name}[{place}]", shortest=1, longest=80))
        for place, each in names
    )


def read_rating(given: reading.Given, name: str) -> int | None:
    """A rating, where one is given."""
    return (
        a_number(given[name], name, least=0, most=10_000) if given.get(name) is not None else None
    )


def read_club(given: reading.Given, name: str) -> str | None:
    """A club, where one is given."""
    return a_text(given[name], name, longest=80) if given.get(name) else None


SUBJECT = Subject(
    decisions={MakeEntry: make_entry, Withdraw: _withdraw, Return: _return},
    changes={
        EntryMade: entered,
        EntryWithdrawn: on_entry(_apply_withdrawal),
        EntryReturned: on_entry(_apply_return),
    },
    shapes={
        **schemas("tournament.entry_made", 2, EntryMade),
        ("tournament.entry_withdrawn", 1): EntryWithdrawn,
        ("tournament.entry_returned", 1): EntryReturned,
    },
    readers={
        "entries": reading.reads(
            MakeEntry,
            players=read_players,
            rating=read_rating,
            club=read_club,
            entry_name=reading.an_entry_name,
            missed=reading.one_from((HALF, "zero"), "zero"),
        ),
        "withdrawals": reading.reads(Withdraw, entry=reading.a_key, reason=reading.a_reason),
        "returns": reading.reads(Return, entry=reading.a_key),
    },
)
