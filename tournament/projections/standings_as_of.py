"""The standings of a tournament as of a moment, by the time recorded or the time played.

By the time recorded they count what the log held by then, a prefix of it. By the time played they
count what is known today of what had happened by then: the rounds drawn, the tables that had a
result, and the games that were over.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec
from django.db.models import Max, Min

from ledger.chain import Stored
from ledger.reading import command_at, events_in, read_stream
from tournament.domain.pairing.contenders import contenders
from tournament.domain.pairing.values import digest
from tournament.domain.standings import values
from tournament.domain.standings.ranking import Standings
from tournament.domain.standings.stages import whole_standings
from tournament.domain.tournament.counting import list_counted_games
from tournament.domain.tournament.draws import RoundDrawn, RoundDropped
from tournament.domain.tournament.entries import EntryMade
from tournament.domain.tournament.outcomes import Outcome
from tournament.domain.tournament.penalties import PenaltyGiven
from tournament.domain.tournament.results import ResultEntered, TableExcused, TableForfeited
from tournament.domain.tournament.standings_view import field_of, view_for_draw
from tournament.domain.tournament.state import RoundState, State, TableState
from tournament.domain.tournament.subjects import SHAPES, evolve
from tournament.models import Salon, Tournament
from tournament.models.written_json import json_text
from tournament.projections.computed import ComputedProjection, States, every, first_state
from tournament.streams.acts import Moment, moments_of, replay_until
from tournament.streams.codec import decode
from tournament.streams.game_results import outcome_at, outcome_of, outcomes_at

DRAWS = frozenset(
    name for (name, _schema), shape in SHAPES.items() if shape in (RoundDrawn, RoundDropped)
)
_DECODER = msgspec.json.Decoder(values.Tournament)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentThen:
    """A tournament as it stood at a moment, and what its games had come to."""

    state: State
    outcomes: Mapping[str, Outcome]

    def standings(self, *, after_round: int | None = None) -> Standings:
        """The standings after the last round with a result, or after this one."""
        return whole_standings(field_of(self.state, self.outcomes), after_round=after_round)


@dataclass(slots=True)
class _Times:
    """When each entry was made, each penalty given, each round that stands drawn, and each of its
    tables first had a result.
    """

    made: dict[str, int] = field(default_factory=dict)
    given: dict[int, int] = field(default_factory=dict)
    drawn: dict[int, int] = field(default_factory=dict)
    settled: dict[tuple[int, int], int] = field(default_factory=dict)


def read_as_recorded(salon: Salon, state: State, position: int) -> TournamentThen:
    """A tournament in a state it had at entry `position` of the log: its games count what was
    recorded by that entry.

    What one command recorded is counted as a whole.
    """
    within = command_at(salon.log_id, position)
    last = within.last_position if within is not None else position
    by_then = (
        events_in(salon.log_id, list_counted_games(state.rounds))
        .filter(position__lte=last)
        .order_by()
        .values_list("stream")
    )
    return TournamentThen(
        state=state, outcomes=outcomes_at(salon, dict(by_then.annotate(Max("version"))))
    )


def position_by(salon: Salon, stream: str, state: State, recorded_at: int) -> int:
    """The last entry of a tournament in this state, or of a game that counts in it, recorded by
    then (microseconds UTC); 0: none.
    """
    events = events_in(salon.log_id, [stream, *list_counted_games(state.rounds)]).filter(
        recorded_at__lte=recorded_at
    )
    return events.aggregate(last=Max("position"))["last"] or 0


def read_as_played(salon: Salon, moments: Sequence[Moment], by: int) -> TournamentThen:
    """A tournament (its acts in order) with what stands today of all that had happened `by` a time,
    in microseconds UTC.
    """
    state = _trim_state(moments, by)
    spans = (
        events_in(salon.log_id, list_counted_games(state.rounds)).order_by().values_list("stream")
    )
    found = [
        _find_outcome(salon, by, *span)
        for span in spans.annotate(Max("version"), Min("occurred_at"), Max("occurred_at"))
    ]
    return TournamentThen(
        state=state, outcomes={outcome.game: outcome for outcome in found if outcome is not None}
    )


def _find_outcome(
    salon: Salon, by: int, game: str, version: int, first: int, last: int
) -> Outcome | None:
    """The outcome by then of a game that was played between two times; None while it was
    played.
    """
    if first > by:
        return None
    if last <= by:
        return outcome_at(salon, game, version)
    moments = moments_of(salon.log_id, game)
    state, _at = replay_until(moments, by)
    return outcome_of(game, moments[0].entry.game, state)


def _trim_state(moments: Sequence[Moment], by: int) -> State:
    """Today's state without the entries, rounds, results and penalties that came later."""
    today: State = moments[-1].state
    times = _times_of(moments)
    rounds = tuple(
        _round(each, times.settled, by) for each in today.rounds if times.drawn[each.number] <= by
    )
    seated = {entry for each in rounds for entry in each.seated}
    return replace(
        today,
        rounds=rounds,
        entries=tuple(
            entry for entry in today.entries if entry.id in seated or times.made[entry.id] <= by
        ),
        penalties=tuple(each for each in today.penalties if times.given[each.number] <= by),
    )


def _times_of(moments: Sequence[Moment]) -> _Times:
    times = _Times()
    for moment in moments:
        fact, at = moment.entry.fact, moment.last.occurred_at
        match fact:
            case EntryMade():
                times.made[fact.entry] = at
            case PenaltyGiven():
                times.given[fact.number] = at
            case RoundDrawn():
                times.drawn[fact.round] = at
                times.settled = {
                    table: first for table, first in times.settled.items() if table[0] != fact.round
                }
            case ResultEntered() | TableForfeited() | TableExcused():
                times.settled.setdefault((fact.round, fact.table), at)
    return times


def _round(each: RoundState, settled: Mapping[tuple[int, int], int], by: int) -> RoundState:
    tables = (
        table if settled.get((each.number, table.table), by) <= by else _clear_result(table)
        for table in each.tables
    )
    return replace(each, tables=tuple(tables))


def _clear_result(table: TableState) -> TableState:
    """The table before it had a result; a game that is linked to it counts by its own time."""
    return replace(
        table, results=(), hands=None, absent=(), forfeit=False, excused=False, accepted=()
    )


def _find_touched_tournaments(_salon: Salon, events: Sequence[Stored]) -> set[str]:
    return {event.stream for event in events if event.type in DRAWS}


def _snapshot_states(salon: Salon, stream: str) -> States:
    return {
        str(drawn.round): json_text(_rebuild_snapshot(salon, state, drawn, position))
        for drawn, state, position in _draws(salon, stream)
    }


SNAPSHOTS = ComputedProjection(
    name="snapshots",
    touched=_find_touched_tournaments,
    compute=_snapshot_states,
    subjects=every(Tournament),
)


def snapshot_of(salon: Salon, stream: str, number: int) -> values.Tournament | None:
    """The tournament that round `number` was drawn from, with ids for names; None for a
    round seated by hand, and before it has been kept.
    """
    found = first_state(salon.log_id, SNAPSHOTS.name, subject=stream, about=str(number))
    return _DECODER.decode(found) if found else None


def digest_of(snapshot: values.Tournament) -> str:
    """The digest of the draw that this snapshot gives."""
    number = len(snapshot.rounds) + 1
    return digest(snapshot, number, contenders(snapshot, number))


def _rebuild_snapshot(
    salon: Salon, state: State, drawn: RoundDrawn, position: int
) -> values.Tournament:
    """The tournament as this draw saw it, with the engine and the seed that drew it."""
    outcomes = read_as_recorded(salon, state, position - 1).outcomes
    seen, _number = view_for_draw(state, outcomes, drawn.round)
    return replace(seen, engine=drawn.engine, draw_seed=drawn.seed)


def _draws(salon: Salon, stream: str) -> Iterator[tuple[RoundDrawn, State, int]]:
    """Each round that stands as it was drawn by an engine: its draw, the tournament before that,
    and its entry.
    """
    state: State | None = None
    drawn: dict[int, tuple[RoundDrawn, State, int]] = {}
    for event in read_stream(salon.log_id, stream):
        fact = decode(event.type, event.schema, event.body)
        if isinstance(fact, RoundDropped | RoundDrawn):
            drawn = {number: draw for number, draw in drawn.items() if number < fact.round}
        if isinstance(fact, RoundDrawn) and fact.digest and state is not None:
            drawn[fact.round] = (fact, state, event.position)
        state = evolve(state, fact)
    yield from drawn.values()
