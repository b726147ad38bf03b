"""Those who come alone and look for a partner."""

from dataclasses import dataclass, replace

from tournament.domain.same_fields import build_from
from tournament.domain.tournament import entries
from tournament.domain.tournament.entries import (
    EntryMade,
    MakeEntry,
    check_free,
    check_open,
    make_entry,
    read_club,
    read_players,
    read_rating,
    sizes,
)
from tournament.domain.tournament.lookups import refused
from tournament.domain.tournament.reading import a_reason, any_number, reads
from tournament.domain.tournament.state import Single, State
from tournament.domain.tournament.subject import Command, Event, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteSingle(Command):
    """Let somebody who came alone wait for a partner; `players` is the one (place, player) pair."""

    players: tuple[tuple[str, str], ...]
    rating: int | None = None
    club: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleNoted(Event):
    """Somebody came alone and waits for a partner; `players` is the one (place, player) pair."""

    number: int
    players: tuple[tuple[str, str], ...]
    rating: int | None = None
    club: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DropSingle(Command):
    """Let a single wait no longer."""

    number: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleLeft(Event):
    """A player who waited for a partner waits no longer."""

    number: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSingles(Command):
    """Enter two singles as a pair."""

    one: int
    two: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRemaining(Command):
    """Enter all singles as pairs in the order in which they came; the odd one waits on."""


def _note_single(command: NoteSingle, state: State) -> list[Event]:
    check_open(state)
    if 2 not in sizes(state) or len(command.players) != 1:
        raise refused(
            "bad_entry", "one person waits for a partner, in a tournament of pairs", "players"
        )
    check_free(command.players, state, "", state.next_round)
    player = command.players[0][1]
    if any(player == single.player for single in state.singles):
        raise refused("player_twice", "this player waits for a partner already", "players")
    number, club = state.singles_noted + 1, command.club or None
    return [build_from(SingleNoted, command, number=number, club=club)]


def _drop_single(command: DropSingle, state: State) -> list[Event]:
    _single(state, command.number, "number")
    return [build_from(SingleLeft, command)]


def _pair_singles(command: PairSingles, state: State) -> list[Event]:
    if command.one == command.two:
        raise refused("bad_entry", "a pair is two people", "two")
    return make_entry(
        _pair(_single(state, command.one, "one"), _single(state, command.two, "two")), state
    )


def _pair_remaining(_command: PairRemaining, state: State) -> list[Event]:
    waiting = state.singles
    if len(waiting) < 2:
        raise refused(
            "too_few",
            "a pair needs two singles; %(waiting)s waits for a partner",
            "singles",
            waiting=len(waiting),
        )
    events: list[Event] = []
    for one, two in zip(waiting[::2], waiting[1::2], strict=False):
        made = make_entry(_pair(one, two), state)
        events, state = events + made, entries.SUBJECT.changes[EntryMade](state, made[0])
    return events


def _pair(one: Single, two: Single) -> MakeEntry:
    """The entry of two singles: rated by the mean, of a club that is both's."""
    rating = None if one.rating is None or two.rating is None else (one.rating + two.rating) // 2
    return MakeEntry(
        players=(("1", one.player), ("2", two.player)),
        rating=rating,
        club=one.club if one.club == two.club else None,
    )


def _single(state: State, number: int, path: str) -> Single:
    found = next((single for single in state.singles if single.number == number), None)
    if found is None:
        raise refused(
            "entry_missing",
            "no single %(number)s waits for a partner; %(singles)s do",
            path,
            number=number,
            singles=len(state.singles),
        )
    return found


def _single_noted(state: State, event: SingleNoted) -> State:
    ((_place, player),) = event.players
    single = build_from(Single, event, player=player)
    return replace(state, singles=(*state.singles, single), singles_noted=event.number)


def _single_left(state: State, event: SingleLeft) -> State:
    return replace(
        state, singles=tuple(single for single in state.singles if single.number != event.number)
    )


SUBJECT = Subject(
    decisions={
        NoteSingle: _note_single,
        DropSingle: _drop_single,
        PairSingles: _pair_singles,
        PairRemaining: _pair_remaining,
    },
    changes={SingleNoted: _single_noted, SingleLeft: _single_left},
    shapes={("tournament.single_noted", 1): SingleNoted, ("tournament.single_left", 1): SingleLeft},
    readers={
        "singles": reads(NoteSingle, players=read_players, rating=read_rating, club=read_club),
        "single-cancellations": reads(DropSingle, number=any_number, reason=a_reason),
        "pairs": reads(PairSingles, one=any_number, two=any_number),
        "remaining-pairs": reads(PairRemaining),
    },
)
