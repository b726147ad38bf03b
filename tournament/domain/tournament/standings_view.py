"""A tournament as pairing and standings see it: entries by id, rounds with what is known of their
results.
"""

from dataclasses import replace

from tournament.domain.pairing.planned import CHOSEN_AGAIN
from tournament.domain.same_fields import build_from
from tournament.domain.standings import values
from tournament.domain.standings.stages import of_stage, rounds_before
from tournament.domain.standings.team_matches import join_matches
from tournament.domain.tournament.counting import (
    Outcomes,
    boards_of,
    find_counting_game,
    plays_with_partners,
    results_of,
)
from tournament.domain.tournament.leavers import OUT
from tournament.domain.tournament.state import EntryState, RoundState, State, TableState


def field_of(state: State, outcomes: Outcomes, *, before: int | None = None) -> values.Tournament:
    """The tournament with all its rounds, or those before round `before`, the tables of a match as
    one; an entry's name is its id, for names are not in the log.
    """
    rounds = state.rounds if before is None else state.rounds[: before - 1]
    field = build_from(
        values.Tournament,
        state,
        id=state.record,
        cuts=tuple(values.Cut(stage=each.stage, entries=each.cut.entries) for each in state.begun),
        play_offs=tuple(
            build_from(values.PlayOff, each)
            for each in sorted(state.play_offs, key=lambda each: each.stage)
            if not each.cancelled
        ),
        entries=tuple(map(entry_of, state.entries)),
        rounds=tuple(_round(each, state, outcomes) for each in rounds),
        adjustments=tuple(
            build_from(values.Adjustment, each) for each in state.penalties if not each.cancelled
        ),
    )
    return join_matches(field)


def view_for_draw(state: State, outcomes: Outcomes, number: int) -> tuple[values.Tournament, int]:
    """Return the stage of round `number` as a tournament of its own, with the rounds
    before it, and the number the round has there: the input of its draw.
    """
    seen = field_of(state, outcomes, before=number)
    drawn = number <= len(state.rounds)
    stage = state.rounds[number - 1].stage if drawn else state.stage_number
    return _keep_engine(of_stage(seen, stage), state, stage), number - rounds_before(seen, stage)


def view_current_stage(state: State, outcomes: Outcomes) -> tuple[values.Tournament, int]:
    """The stage that is played, as a tournament of its own, and how many rounds came before it."""
    before = len(state.rounds) - state.rounds_of_stage
    seen = of_stage(field_of(state, outcomes), state.stage_number)
    return _keep_engine(seen, state, state.stage_number), before


def _keep_engine(seen: values.Tournament, state: State, stage: int) -> values.Tournament:
    """A stage of tables by a plan goes on with the engine that drew its first round, whose plan it
    is.
    """
    first = next((each for each in state.rounds if each.stage == stage), None)
    again = seen.stage.kind in CHOSEN_AGAIN and seen.stage.is_planned
    if not again or not seen.rounds or first is None:
        return seen
    return replace(seen, engine=first.engine) if first.engine in values.ENGINES else seen


def entry_of(entry: EntryState) -> values.Entry:
    """An entry as files, draws and standings have it, called by its key."""
    return build_from(
        values.Entry,
        entry,
        name=entry.id,
        entry_name=entry.entry_name or "",
        players=tuple(player for _, player in entry.players),
        earlier=tuple(
            (last, tuple(player for _, player in players)) for last, players in entry.earlier
        ),
        entered=tuple(player for _, player in entry.entered),
        line_ups=tuple(
            (number, tuple(player for _, player in entry.players_in(number)))
            for number, _places in sorted(entry.line_ups)
        ),
        away=_away(entry),
        left_out=tuple(sorted(stage for stage, games in entry.leaver if games == OUT)),
    )


def _away(entry: EntryState) -> tuple[int, ...]:
    """The rounds that it takes part in and is not seated in; what it asked for before it left is
    none of them.
    """
    last = entry.withdrawn_after
    missed = {*entry.absent, *(number for number, _kind in entry.asked)}
    return tuple(
        number
        for number in sorted(missed)
        if number >= entry.joined_in and (last is None or number <= last)
    )


def _round(each: RoundState, state: State, outcomes: Outcomes) -> values.Round:
    """The round as drawn, with the byes of those who came later and have points for it all the
    same.
    """
    missed = tuple(
        values.Bye(entry=entry.id, kind=kind)
        for entry in state.entries
        if (kind := entry.missed(each.number)) is not None
    )
    return values.Round(
        tables=tuple(_table(table, state.stage_in(each.number), outcomes) for table in each.tables),
        byes=each.byes + missed,
        stage=each.stage,
    )


def _table(table: TableState, stage: values.Stage, outcomes: Outcomes) -> values.SeatedTable:
    played = find_counting_game(table, outcomes)
    return build_from(
        values.SeatedTable,
        table,
        results=results_of(table, outcomes, stage),
        forfeit=bool(table.absent) or table.forfeit,
        hands=table.hands if played is None else played.hands,
        partners=plays_with_partners(stage, table),
        boards=boards_of(table, outcomes),
    )


def list_asked_byes(state: State, number: int) -> tuple[values.Bye, ...]:
    """The byes asked for in a round by entries that would play in it."""
    return tuple(
        values.Bye(entry=entry.id, kind=kind)
        for entry in state.entries
        if (kind := dict(entry.asked).get(number)) is not None
        and replace(entry, asked=()).plays_in(number)
    )
