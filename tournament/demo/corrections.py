"""Corrections in rounds that are over: results typed wrongly, hands counted
wrongly, a match of a knock-out that the other side had won.
"""

from dataclasses import replace

from tournament.demo.mishaps import corrected
from tournament.demo.table_results import is_typed, totals
from tournament.demo.tables import Evening
from tournament.domain.standings.knockout import find_misplaced
from tournament.domain.standings.scales import standing_points
from tournament.domain.standings.values import Result, SeatedTable
from tournament.domain.tournament.counting import results_of
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, ReopenRound
from tournament.domain.tournament.standings_view import view_current_stage
from tournament.domain.tournament.state import TableState
from tournament.streams.game_results import outcomes_of

SEEN_LATER, REOPENED = 40, 20  # how often it happens between two rounds, in a hundred


def make_corrections(evening: Evening, number: int) -> None:
    """Make the corrections before round `number`."""
    if evening.games and evening.goes_wrong(SEEN_LATER, "hands_corrected_later"):
        corrected(evening.rng, evening.rng.choice(evening.games), actor=evening.actor)
    if evening.goes_wrong(REOPENED):
        reopened(evening, evening.rng.randrange(1, number))


def reopened(evening: Evening, number: int) -> None:
    """A typed result of a closed round is typed anew: the round is opened again, and closed."""
    typed = [table for table in evening.state.rounds[number - 1].tables if is_typed(table)]
    if typed:
        evening.happened["rounds_opened_again"] += 1
        evening.does(
            ReopenRound(round=number, reason="A slip was read wrongly."),
            totals(evening, number, evening.rng.choice(typed)),
            CloseRound(round=number),
        )


def overturn_match(evening: Evening, number: int) -> bool:
    """A match of a knock-out before round `number` had another winner than was written down;
    whether there was one.
    """
    state = evening.state
    if state.stage.kind != "knockout":
        return False
    earlier = [
        (each.number, table, results)
        for each in state.rounds[: number - 1]
        if each.stage == state.stage_number and each.closed
        for table in each.tables
        if (results := _find_decided_results(evening, table))
    ]
    if not earlier:
        return False
    before, table, results = evening.rng.choice(earlier)
    why, results = "The sides were swapped on the slip.", results[::-1]
    other = EnterResult(round=before, table=table.table, results=results, reason=why)
    evening.does(other, counted="matches_overturned")
    return True


def count_misplaced(evening: Evening) -> int:
    """Return the number of matches of the current stage that were played by others than
    should have.
    """
    state = evening.state
    seen, _before = view_current_stage(state, outcomes_of(evening.salon, state))
    return len(find_misplaced(seen))


def _find_decided_results(evening: Evening, table: TableState) -> tuple[Result, ...]:
    """Return the results of both sides of a match, if one has won by it; none if no one
    played.
    """
    state = evening.state
    if table.absent or table.forfeit or table.match is None:
        return ()
    results = results_of(table, outcomes_of(evening.salon, state), state.stage)
    seated = SeatedTable(table=table.table, entries=table.entries, results=results)
    if not results or len(set(standing_points(state.stage.scale, seated))) == 1:
        return ()
    return tuple(replace(Result(), score=each.score, built=each.built) for each in results)
