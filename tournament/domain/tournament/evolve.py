"""Fold facts into the state of a tournament. What happened, happened: nothing here refuses."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scoring.events import NOT_PLAYED
from scoring.folding import Changes
from tournament.domain.tournament.events import Event
from tournament.domain.tournament.life_events import (
    AddressChosen,
    ByeAsked,
    ByeDropped,
    CheckInCancelled,
    EntryCheckedIn,
    EntryMade,
    EntryReturned,
    EntryWithdrawn,
    PenaltyCancelled,
    PenaltyGiven,
    PhaseEntered,
    PlayerReplaced,
    PracticeBegun,
    RatedSet,
    SilenceBegun,
    SingleLeft,
    SingleNoted,
    StageChanged,
    TournamentOpened,
)
from tournament.domain.tournament.lineups import replaced
from tournament.domain.tournament.round_events import (
    ClockPaused,
    ClockStarted,
    DifferenceAccepted,
    EntriesSwapped,
    GameCounted,
    GameDetached,
    GameEnded,
    GameLinked,
    GameUnlinked,
    LastHandCalled,
    LastHandRecalled,
    ResultEntered,
    RoundClosed,
    RoundDrawn,
    RoundDropped,
    RoundPublished,
    RoundReopened,
    RoundUnpublished,
    TableCleared,
    TableExcused,
    TableForfeited,
    TimeExtended,
)
from tournament.domain.tournament.short_addresses import claimed, short_name
from tournament.domain.tournament.state import (
    Clock,
    EntryState,
    Penalty,
    RoundState,
    Single,
    State,
    TableState,
)
from tournament.domain.tournament.swapped_rounds import swapped


def evolve(state: State | None, event: Event) -> State:
    """The state after one more fact; `None` is the state before the first."""
    if state is None:
        assert isinstance(event, TournamentOpened)
        return _opened(event)
    version, kind = state.version + 1, type(event)
    if kind in ON_ENTRY:
        return replace(
            state,
            version=version,
            entries=_at(state.entries, "id", event.entry, ON_ENTRY[kind], event),  # type: ignore[union-attr]
        )
    if kind in ON_TABLE and event.table is not None:  # type: ignore[union-attr]
        return replace(
            state,
            version=version,
            rounds=_at(state.rounds, "number", event.round, _on_table, event),  # type: ignore[union-attr]
        )
    if kind in ON_ROUND:
        return replace(
            state,
            version=version,
            rounds=_at(state.rounds, "number", event.round, ON_ROUND[kind], event),  # type: ignore[union-attr]
        )
    return (
        replace(CHANGES[kind](state, event), version=version)
        if kind in CHANGES
        else replace(state, version=version)
    )


def _opened(event: TournamentOpened) -> State:
    return State(
        version=1,
        record=event.record,
        name=event.name,
        game=event.game,
        seed=event.seed,
        stage=event.stage,
        conditions=event.conditions,
        claims=((short_name(event.name), 1),),
    )


def _renamed(state: State, name: str) -> State:
    """Called otherwise; another name is another short address."""
    return replace(claimed(state, short_name(name)) if name != state.name else state, name=name)


def _at[Part](
    parts: tuple[Part, ...],
    name: str,
    key: object,
    change: Callable[[Part, Event], Part],
    event: Event,
) -> tuple[Part, ...]:
    """The same parts, the one whose field `name` is `key` changed."""
    return tuple(change(part, event) if getattr(part, name) == key else part for part in parts)


def _on_table(each: RoundState, event: Any) -> RoundState:  # noqa: ANN401 - of the kinds in ON_TABLE
    return replace(
        each, tables=_at(each.tables, "table", event.table, ON_TABLE[type(event)], event)
    )


def _withdrawn(entry: EntryState, event: EntryWithdrawn) -> EntryState:
    return replace(entry, withdrawn_after=event.after_round)


def _returned(entry: EntryState, event: EntryReturned) -> EntryState:
    missed = range((entry.withdrawn_after or 0) + 1, event.in_round)
    return replace(entry, withdrawn_after=None, absent=(*entry.absent, *missed))


def _asked(entry: EntryState, event: ByeAsked) -> EntryState:
    return replace(
        entry,
        asked=(
            *(each for each in entry.asked if each[0] != event.round),
            (event.round, event.kind),
        ),
    )


def _dropped(entry: EntryState, event: ByeDropped) -> EntryState:
    return replace(entry, asked=tuple(each for each in entry.asked if each[0] != event.round))


ON_ENTRY: Changes[EntryState] = {
    EntryCheckedIn: lambda entry, _event: replace(entry, checked_in=True, gone=False),
    EntryWithdrawn: _withdrawn,
    EntryReturned: _returned,
    ByeAsked: _asked,
    ByeDropped: _dropped,
}


def _unsaid(table: TableState) -> TableState:
    """The table with nothing said about its result; its game is where it was."""
    return replace(
        table,
        results=(),
        hands=None,
        forfeit=False,
        absent=(),
        excused=False,
        counted=False,
        accepted=(),
    )


def _result(table: TableState, event: ResultEntered) -> TableState:
    return replace(_unsaid(table), results=event.results, hands=event.hands, forfeit=event.forfeit)


def _with_game(table: TableState, game: str | None) -> TableState:
    return replace(table, game=game, detached=False, counted=False, accepted=())


ON_TABLE: Changes[TableState] = {
    ResultEntered: _result,
    TableForfeited: lambda table, event: replace(_unsaid(table), absent=event.absent),
    TableExcused: lambda table, _event: replace(table, excused=True),
    TableCleared: lambda table, _event: _unsaid(table),
    GameLinked: lambda table, event: _with_game(table, event.game),
    GameUnlinked: lambda table, _event: _with_game(table, None),
    GameDetached: lambda table, _event: replace(table, detached=True, counted=False, accepted=()),
    GameCounted: lambda table, event: replace(
        _unsaid(table), detached=False, counted=event.abandoned
    ),
    GameEnded: lambda table, event: _with_game(table, None) if event.kind == NOT_PLAYED else table,
    DifferenceAccepted: lambda table, event: replace(table, accepted=event.results),
    TimeExtended: lambda table, event: replace(table, extension=table.extension + event.seconds),
}


def _clock_started(each: RoundState, event: ClockStarted) -> RoundState:
    clock = each.clock or Clock(seconds=event.seconds)
    return replace(
        each, clock=replace(clock, seconds=clock.seconds or event.seconds, since=event.at)
    )


def _clock_paused(each: RoundState, event: ClockPaused) -> RoundState:
    clock = each.clock
    if clock is None or clock.since is None:
        return each
    return replace(
        each, clock=replace(clock, spent=clock.spent + event.at - clock.since, since=None)
    )


def _extended(each: RoundState, event: TimeExtended) -> RoundState:
    return (
        replace(each, clock=replace(each.clock, seconds=each.clock.seconds + event.seconds))
        if each.clock
        else each
    )


def _last_hand(each: RoundState, _event: LastHandCalled) -> RoundState:
    return replace(each, clock=replace(each.clock or Clock(seconds=0), last_hand=True))


def _last_hand_recalled(each: RoundState, _event: LastHandRecalled) -> RoundState:
    """The clock as before the call; one that was there for the call alone goes with it."""
    if each.clock is None:
        return each
    return replace(each, clock=replace(each.clock, last_hand=False) if each.clock.seconds else None)


def _closed(each: RoundState, event: RoundClosed) -> RoundState:
    """The round closed; before anybody was asked whether an abandoned game counts, each did."""
    if event.asked:
        return replace(each, closed=True)
    tables = (
        replace(table, counted=table.game is not None and not table.is_settled)
        for table in each.tables
    )
    return replace(each, closed=True, tables=tuple(tables))


ON_ROUND: Changes[RoundState] = {
    EntriesSwapped: swapped,
    RoundPublished: lambda each, _event: replace(each, published=True),
    RoundUnpublished: lambda each, _event: replace(each, published=False),
    ClockStarted: _clock_started,
    ClockPaused: _clock_paused,
    TimeExtended: _extended,
    LastHandCalled: _last_hand,
    LastHandRecalled: _last_hand_recalled,
    RoundClosed: _closed,
    RoundReopened: lambda each, _event: replace(each, closed=False),
}


def _entered(state: State, event: EntryMade) -> State:
    entry = EntryState(
        id=event.entry,
        players=event.players,
        rating=event.rating,
        club=event.club,
        joined_in=event.joined_in,
    )
    return _without_singles(replace(state, entries=(*state.entries, entry)), event.players)


def _check_in_cancelled(state: State, event: CheckInCancelled) -> State:
    """An entry that is not here after all; before the first draw that is as if nobody had said that
    it was.
    """
    entries = tuple(
        replace(entry, checked_in=False, gone=bool(state.rounds))
        if entry.id == event.entry
        else entry
        for entry in state.entries
    )
    return replace(state, entries=entries)


def _player_replaced(state: State, event: PlayerReplaced) -> State:
    counts_from = event.from_round or state.next_to_play(event.entry)
    entries = tuple(
        replaced(entry, event.players, counts_from, event.until_round)
        if entry.id == event.entry
        else entry
        for entry in state.entries
    )
    return _without_singles(replace(state, entries=entries), event.players)


def _without_singles(state: State, players: tuple[tuple[str, str], ...]) -> State:
    """Who plays for an entry waits for no partner."""
    found = {player for _place, player in players}
    return replace(
        state, singles=tuple(single for single in state.singles if single.player not in found)
    )


def _single(state: State, event: SingleNoted) -> State:
    ((_place, player),) = event.players
    single = Single(number=event.number, player=player, rating=event.rating, club=event.club)
    return replace(state, singles=(*state.singles, single), singles_noted=event.number)


def _single_left(state: State, event: SingleLeft) -> State:
    return replace(
        state, singles=tuple(single for single in state.singles if single.number != event.number)
    )


def _drawn(state: State, event: RoundDrawn) -> State:
    tables = tuple(
        TableState(
            table=each.table,
            entries=each.entries,
            dealer=each.dealer,
            why=each.why,
            instead=each.next_best,
        )
        for each in event.tables
    )
    drawn = RoundState(
        number=event.round,
        tables=tables,
        byes=event.byes,
        engine=event.engine,
        digest=event.digest,
        broken=event.broken,
        byes_why=event.byes_why,
        totals=event.totals,
        seed=event.seed,
        reason=event.reason,
    )
    return replace(state, rounds=(*state.rounds[: event.round - 1], drawn))


def _penalty(state: State, event: PenaltyGiven) -> State:
    penalty = Penalty(
        number=event.number,
        entry=event.entry,
        points=event.points,
        after_round=event.after_round,
        reason=event.reason,
        by=event.by,
    )
    return replace(state, penalties=(*state.penalties, penalty))


def _penalty_cancelled(state: State, event: PenaltyCancelled) -> State:
    penalties = tuple(
        replace(each, cancelled=True) if each.number == event.number else each
        for each in state.penalties
    )
    return replace(state, penalties=penalties)


CHANGES: Changes[State] = {
    StageChanged: lambda state, event: replace(
        _renamed(state, event.name), stage=event.stage, conditions=event.conditions
    ),
    AddressChosen: lambda state, event: claimed(state, event.address),
    RatedSet: lambda state, event: replace(state, rated=event.rated),
    PracticeBegun: lambda state, _event: replace(state, practice=True, rated=False),
    PhaseEntered: lambda state, event: replace(state, phase=event.phase),
    EntryMade: _entered,
    SingleNoted: _single,
    SingleLeft: _single_left,
    PlayerReplaced: _player_replaced,
    CheckInCancelled: _check_in_cancelled,
    RoundDrawn: _drawn,
    RoundDropped: lambda state, event: replace(state, rounds=state.rounds[: event.round - 1]),
    PenaltyGiven: _penalty,
    PenaltyCancelled: _penalty_cancelled,
    SilenceBegun: lambda state, event: replace(state, silent_from=event.from_round),
}
