"""The result that counts at a table of a round: one rule for pages, draws,
standings and files.

A forfeit counts, then an excuse, then a typed result, then the table's game: unless
it is detached, and if it was abandoned only once the director has said so. A game
that was not played never counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace

from scoring.events import NOT_PLAYED
from tournament.domain.standings.board_checks import totals
from tournament.domain.standings.scales import bye_points, round_standing_points
from tournament.domain.standings.values import DEAL_SCALES, BoardResult, Result, SeatedTable, Stage
from tournament.domain.tournament.outcomes import Outcome
from tournament.domain.tournament.state import RoundState, TableState

type Outcomes = Mapping[str, Outcome]  # by the stream of the game

FORFEIT, EXCUSED, TYPED, GAME = "forfeit", "excused", "typed", "game"
PLAYING, ABANDONED, DETACHED, UNPLAYED, WAITING = (
    "playing",
    "abandoned",
    "detached",
    "not_played",
    "waiting",
)


def what_counts(table: TableState, outcomes: Outcomes) -> str:
    """Return the kind of result that counts at a table, `forfeit`, `excused`, `typed`
    or `game`; else why nothing does yet.

    `playing`: its game is running; `abandoned`: the director says whether it counts;
    `detached`, `not_played`, `waiting`: there is no game that could count.
    """
    if table.absent or table.forfeit:
        return FORFEIT
    if table.excused:
        return EXCUSED
    if table.results or table.is_awarded:
        return TYPED
    if table.game is None:
        return WAITING
    if table.detached:
        return DETACHED
    outcome = outcomes.get(table.game)
    if outcome is None:
        return PLAYING
    if outcome.kind == NOT_PLAYED:
        return UNPLAYED
    return GAME if outcome.kind != "abandoned" or table.counted else ABANDONED


def results_of(table: TableState, outcomes: Outcomes, stage: Stage) -> tuple[Result, ...]:
    """Return the results of the entries of a table, by what counts there; empty while
    that is missing.

    An entry that came to a forfeited table has the points of a win if two were to meet;
    at a table of more no one was beaten, and they sat out.
    """
    if table.absent:
        came = "full" if len(table.entries) == 2 else "pairing"
        return tuple(
            Result(points=0 if entry in table.absent else bye_points(stage.scale, came))
            for entry in table.entries
        )
    if table.is_awarded and not table.results and not table.excused:
        return totals((), len(table.entries))
    game = find_counting_game(table, outcomes)
    return table.results if game is None else game.results_at(table)


def boards_of(table: TableState, outcomes: Outcomes) -> tuple[BoardResult, ...]:
    """Return the result of each deal of a table, by what counts there and by what was
    awarded.
    """
    if not table.deals:
        return ()
    game = find_counting_game(table, outcomes)
    played = {
        board.deal: board for board in (table.boards if game is None else game.boards_at(table))
    }
    awarded = {
        deal: replace(played.get(deal, BoardResult(deal=deal)), awarded=shares)
        for deal, shares in table.awards
    }
    return tuple((played | awarded)[deal] for deal in table.deals if deal in played | awarded)


def find_counting_game(table: TableState, outcomes: Outcomes) -> Outcome | None:
    """Return the outcome of the game of a table, if it is the game that counts."""
    if table.game is not None and what_counts(table, outcomes) == GAME:
        return outcomes[table.game]
    return None


def is_free(table: TableState, outcomes: Outcomes) -> bool:
    """Whether a game can be begun for a table: it has no result, and no game but one that was not
    played.
    """
    return what_counts(table, outcomes) in (WAITING, UNPLAYED)


def goes_on(table: TableState, outcomes: Outcomes) -> bool:
    """Whether a game of this table is still played, whatever counts there."""
    return table.game is not None and table.game not in outcomes


def differs(table: TableState, outcomes: Outcomes, stage: Stage) -> bool:
    """Whether something else counts at a table than its game came to, and nobody has
    accepted that.
    """
    outcome = outcomes.get(table.game or "")
    if (
        outcome is None
        or outcome.kind in (NOT_PLAYED, "abandoned")
        or table.detached
        or not table.is_settled
    ):
        return False
    if table.accepted == outcome.results_at(table):
        return False
    return table.excused or bool(table.absent) or not _is_said_by(table, outcome, stage)


def missing(each: RoundState, outcomes: Outcomes, stage: Stage) -> list[TableState]:
    """The tables of a round that have no result and no excuse."""
    return [
        table
        for table in each.tables
        if not table.excused and not results_of(table, outcomes, stage)
    ]


def differing(each: RoundState, outcomes: Outcomes, stage: Stage) -> list[TableState]:
    """The tables of a round whose game says something else than what counts."""
    return [table for table in each.tables if differs(table, outcomes, stage)]


def list_counted_games(rounds: Iterable[RoundState]) -> set[str]:
    """The games whose results these rounds wait for or count."""
    tables = (
        table
        for each in rounds
        for table in each.tables
        if not table.is_settled and not table.detached
    )
    return {table.game for table in tables if table.game is not None}


def all_games(rounds: Iterable[RoundState]) -> set[str]:
    """The games at the tables of these rounds, those that don't count too."""
    return {table.game for each in rounds for table in each.tables if table.game is not None}


def list_held_tables(
    rounds: Sequence[RoundState], outcomes: Outcomes
) -> list[tuple[int, TableState]]:
    """The tables of the rounds before the last one at which a game still goes on, each with its
    round.
    """
    return [
        (each.number, table)
        for each in rounds[:-1]
        for table in each.tables
        if goes_on(table, outcomes)
    ]


def plays_with_partners(stage: Stage, table: TableState) -> bool:
    """Whether four single players sit at a table two against two."""
    return stage.kind == "rotating" and len(table.entries) == 4


def _is_said_by(table: TableState, outcome: Outcome, stage: Stage) -> bool:
    """Whether a typed result says nothing else than the game, as far as it says anything."""
    if table.hands not in (None, outcome.hands):
        return False
    if stage.scale.kind not in DEAL_SCALES and all(
        result.points is not None for result in table.results
    ):
        there = SeatedTable(
            table=table.table,
            entries=table.entries,
            results=outcome.results_at(table),
            partners=plays_with_partners(stage, table),
        )
        if round_standing_points(stage.scale, there) != tuple(
            result.points for result in table.results
        ):
            return False
    played = {board.deal: board.scores for board in outcome.boards_at(table)}
    if any(played.get(board.deal, ()) != board.scores for board in table.boards):
        return False
    return all(
        _agree(typed, came_to)
        for typed, came_to in zip(table.results, outcome.results_at(table), strict=True)
    )


def _agree(typed: Result, came_to: Result) -> bool:
    """Whether two results have the same numbers where both have them, standing points apart."""
    names = (each.name for each in fields(Result) if each.name != "points")
    pairs = ((getattr(typed, name), getattr(came_to, name)) for name in names)
    return all(one == other for one, other in pairs if one is not None and other is not None)
