"""A tournament as pairing and standings see it: entries by id, rounds with what is known of their
results.
"""

from dataclasses import replace

from tournament.domain.standings.values import (
    Adjustment,
    Bye,
    Entry,
    Round,
    SeatedTable,
    Stage,
    Tournament,
)
from tournament.domain.tournament.counting import Outcomes, counting_game, results_of
from tournament.domain.tournament.state import EntryState, RoundState, State, TableState


def field_of(state: State, outcomes: Outcomes, *, before: int | None = None) -> Tournament:
    """The tournament with all its rounds, or those before round `before`; an entry's name is its
    id, for names are not in the log.
    """
    rounds = state.rounds if before is None else state.rounds[: before - 1]
    return Tournament(
        id=state.record,
        name=state.name,
        game=state.game,
        seed=state.seed,
        stage=state.stage,
        entries=tuple(map(_entry, state.entries)),
        rounds=tuple(_round(each, state, outcomes) for each in rounds),
        adjustments=tuple(
            Adjustment(
                entry=each.entry,
                points=each.points,
                reason=each.reason,
                by=each.by,
                after_round=each.after_round,
            )
            for each in state.penalties
            if not each.cancelled
        ),
    )


def _entry(entry: EntryState) -> Entry:
    return Entry(
        id=entry.id,
        name=entry.id,
        players=tuple(player for _, player in entry.players),
        earlier=tuple(
            (last, tuple(player for _, player in players)) for last, players in entry.earlier
        ),
        entered=tuple(player for _, player in entry.entered),
        rating=entry.rating,
        club=entry.club,
        joined_in=entry.joined_in,
        withdrawn_after=entry.withdrawn_after,
        away=tuple(
            sorted(
                {
                    *entry.absent,
                    *(number for number in dict(entry.asked) if number >= entry.joined_in),
                }
            )
        ),
    )


def _round(each: RoundState, state: State, outcomes: Outcomes) -> Round:
    """The round as drawn, with the byes of those who came later and have points for it all the
    same.
    """
    missed = tuple(
        Bye(entry=entry.id, kind=kind)
        for entry in state.entries
        if (kind := entry.missed(each.number)) is not None
    )
    return Round(
        tables=tuple(_table(table, state.stage, outcomes) for table in each.tables),
        byes=each.byes + missed,
    )


def _table(table: TableState, stage: Stage, outcomes: Outcomes) -> SeatedTable:
    played = counting_game(table, outcomes)
    return SeatedTable(
        table=table.table,
        entries=table.entries,
        results=results_of(table, outcomes, stage),
        forfeit=bool(table.absent) or table.forfeit,
        excused=table.excused,
        hands=table.hands if played is None else played.hands,
        dealer=table.dealer,
    )


def asked_byes(state: State, number: int) -> tuple[Bye, ...]:
    """The byes asked for in a round by entries that would play in it."""
    return tuple(
        Bye(entry=entry.id, kind=kind)
        for entry in state.entries
        if (kind := dict(entry.asked).get(number)) is not None
        and replace(entry, asked=()).plays_in(number)
    )
