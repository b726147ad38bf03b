"""The standings of a tournament as of a moment, by the time recorded or the time played.

By the time recorded they count what the log held by then, a prefix of it. By the time played they count what is known
today of what had happened by then: the rounds drawn, the tables that had a result, and the games that were over.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Max, Min

from ledger.models import Command, Event
from tournament.directing.commands import Outcome
from tournament.directing.events import EntryMade, PenaltyGiven, ResultEntered, RoundDrawn, TableExcused, TableForfeited
from tournament.directing.field import field_of, linked_games
from tournament.directing.state import RoundState, State, TableState
from tournament.models import Salon
from tournament.outcomes import outcome_at, outcome_of
from tournament.standings.ranking import Standings, standings
from tournament.telling import Moment, moments_of, played_by

SETTLING = (ResultEntered, TableForfeited, TableExcused)


@dataclass(frozen=True, slots=True, kw_only=True)
class Then:
    """A tournament as it stood at a moment, and what its games had come to."""

    state: State
    outcomes: Mapping[str, Outcome]

    def standings(self, *, after_round: int | None = None) -> Standings:
        """Who stood where, after the last round with a result or after this one."""
        return standings(field_of(self.state, self.outcomes), after_round=after_round)


def recorded_then(salon: Salon, state: State, position: int) -> Then:
    """A tournament in a state it had at entry `position` of the log: its games count what was recorded by that entry.

    What one command recorded is counted as a whole.
    """
    within = Command.objects.filter(log=salon.log_id, first_position__lte=position, last_position__gte=position)
    last = within.values_list("last_position", flat=True).first() or position
    games = linked_games(state.rounds)
    by_then = Event.objects.filter(log=salon.log_id, stream__in=games, position__lte=last).order_by().values_list("stream")
    found = (outcome_at(salon, game, version) for game, version in by_then.annotate(Max("version")))
    return Then(state=state, outcomes={outcome.game: outcome for outcome in found if outcome is not None})


def played_then(salon: Salon, moments: Sequence[Moment], by: int) -> Then:
    """A tournament (its acts in order) with what stands today of all that had happened `by` a time, in microseconds UTC."""
    state = _happened(moments, by)
    games = linked_games(state.rounds)
    spans = Event.objects.filter(log=salon.log_id, stream__in=games).order_by().values_list("stream")
    found = [_played(salon, by, *span) for span in spans.annotate(Max("version"), Min("occurred_at"), Max("occurred_at"))]
    return Then(state=state, outcomes={outcome.game: outcome for outcome in found if outcome is not None})


def _played(salon: Salon, by: int, game: str, version: int, first: int, last: int) -> Outcome | None:
    """What a game that was played between two times had come to by then; None while it was played."""
    if first > by:
        return None
    if last <= by:
        return outcome_at(salon, game, version)
    moments = moments_of(salon.log_id, game)
    state, _at = played_by(moments, by)
    return outcome_of(game, moments[0].entry.game, state)


def _happened(moments: Sequence[Moment], by: int) -> State:
    """Today's state without the entries, rounds, results and penalties that came later."""
    today: State = moments[-1].state
    facts = [(moment.entry.fact, moment.last.occurred_at) for moment in moments]
    made = _firsts((fact.entry, at) for fact, at in facts if isinstance(fact, EntryMade))
    drawn = {fact.round: at for fact, at in facts if isinstance(fact, RoundDrawn)}  # the last draw is the one that stands
    settled = _firsts(((fact.round, fact.table), at) for fact, at in facts if isinstance(fact, SETTLING) and at >= drawn[fact.round])
    given = _firsts((number, at) for number, at in enumerate((at for fact, at in facts if isinstance(fact, PenaltyGiven)), 1))
    rounds = tuple(_round(each, settled, by) for each in today.rounds if drawn[each.number] <= by)
    seated = {entry for each in rounds for entry in each.seated}
    return replace(
        today,
        rounds=rounds,
        entries=tuple(entry for entry in today.entries if entry.id in seated or made[entry.id] <= by),
        penalties=tuple(each for each in today.penalties if given[each.number] <= by),
    )


def _round(each: RoundState, settled: Mapping[tuple[int, int], int], by: int) -> RoundState:
    tables = (table if settled.get((each.number, table.table), by) <= by else _unsettled(table) for table in each.tables)
    return replace(each, tables=tuple(tables))


def _unsettled(table: TableState) -> TableState:
    """The table before it had a result; a game that is linked to it counts by its own time."""
    return replace(table, results=(), hands=None, absent=(), forfeit=False, excused=False)


def _firsts[Key](times: Iterator[tuple[Key, int]]) -> dict[Key, int]:
    """The first time of each."""
    found: dict[Key, int] = {}
    for key, at in times:
        found.setdefault(key, at)
    return found
