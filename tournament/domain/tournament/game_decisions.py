"""Decisions about the game at a table of a round: linked, detached, counted, ended, or contradicted
with good reason.
"""

from scoring.deciding import Decisions
from scoring.errors import sentence
from scoring.events import NOT_PLAYED
from tournament.domain.tournament.commands import (
    AcceptDifference,
    CountGame,
    DetachGame,
    EndTableGame,
    EnterResult,
    ExcuseTable,
    ForfeitTable,
    FreeTables,
    LinkGame,
    Outcome,
    Seen,
    UnlinkGame,
)
from tournament.domain.tournament.counting import GAME, differs, is_free, what_counts
from tournament.domain.tournament.events import Event
from tournament.domain.tournament.lookups import a_round, a_table_to_settle, an_open_table, refused
from tournament.domain.tournament.round_events import (
    DifferenceAccepted,
    GameCounted,
    GameDetached,
    GameEnded,
    GameLinked,
    GameUnlinked,
)
from tournament.domain.tournament.state import State, TableState

DETACH, END = "detach", "end"
SETTLED_BY = (END, DETACH)


def seen_outcomes(seen: Seen) -> dict[str, Outcome]:
    """The games that are over, by their stream."""
    return {outcome.game: outcome for outcome in seen.outcomes}


def what_becomes_of_its_game(
    command: EnterResult | ForfeitTable | ExcuseTable, table: TableState
) -> list[Event]:
    """The facts about the game at a table that gets another result. Raises RuleViolation
    `game_unsettled` where nobody said.
    """
    reason, ended = command.reason or "", ended_here(command, table)
    if ended:
        return ended
    if (
        (command.round, command.table) not in command.seen.live
        or table.detached
        or table.game is None
    ):
        return []
    if command.game != DETACH:
        message = sentence(
            (
                "the game at table %(table)s still goes on; say what becomes of it: it ends, or "
                "it goes on without counting"
            ),
            table=table.table,
        )
        raise refused("game_unsettled", message, "its_game")
    if not reason:
        raise refused(
            "reason_missing",
            sentence("say why the game at table %(table)s does not count", table=table.table),
            "reason",
        )
    return [GameDetached(round=command.round, table=table.table, game=table.game, reason=reason)]


def ended_here(
    command: EndTableGame | FreeTables | EnterResult | ForfeitTable | ExcuseTable, table: TableState
) -> list[Event]:
    """The fact that the director ended the game at a table with this command; none where it
    didn't.
    """
    kinds = {(number, label): kind for number, label, kind in command.seen.ended}
    kind = kinds.get((command.round, table.table))
    if kind is None or table.game is None:
        return []
    return [
        GameEnded(
            round=command.round,
            table=table.table,
            game=table.game,
            kind=kind,
            reason=command.reason or "",
        )
    ]


def _link(command: LinkGame, state: State) -> list[Event]:
    table = an_open_table(state, command.round, command.table)
    if not is_free(table, seen_outcomes(command.seen)):
        raise refused(
            "table_settled",
            sentence(
                "table %(table)s has a game or a result already; take that back first",
                table=table.table,
            ),
            "table",
        )
    if any(command.game == other.game for each in state.rounds for other in each.tables):
        raise refused("game_linked", sentence("this game counts at another table already"), "game")
    gone = [GameUnlinked(round=command.round, table=table.table)] if table.game is not None else []
    return [*gone, GameLinked(round=command.round, table=table.table, game=command.game)]


def _unlink(command: UnlinkGame, state: State) -> list[Event]:
    table = an_open_table(state, command.round, command.table)
    _game_of(table)
    return [GameUnlinked(round=command.round, table=table.table, reason=command.reason)]


def _detach(command: DetachGame, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    game = _game_of(table)
    if table.detached:
        raise refused(
            "game_detached",
            sentence("the game at table %(table)s does not count already", table=table.table),
            "table",
        )
    if not command.reason:
        raise refused(
            "reason_missing",
            sentence("say why the game at table %(table)s does not count", table=table.table),
            "reason",
        )
    each = a_round(state, command.round)
    if each.closed and not table.is_settled:
        message = sentence(
            "round %(number)s is closed; type what counts at table %(table)s instead",
            number=command.round,
            table=table.table,
        )
        raise refused("result_missing", message, "table")
    return [GameDetached(round=command.round, table=table.table, game=game, reason=command.reason)]


def _count(command: CountGame, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    game, outcomes = _game_of(table), seen_outcomes(command.seen)
    outcome = outcomes.get(game)
    if what_counts(table, outcomes) == GAME:
        raise refused(
            "game_counts",
            sentence("the game at table %(table)s counts already", table=table.table),
            "table",
        )
    if outcome is not None and outcome.kind == NOT_PLAYED:
        raise refused(
            "game_missing",
            sentence("the game at table %(table)s was not played", table=table.table),
            "table",
        )
    if outcome is None and a_round(state, command.round).closed:
        message = sentence(
            "the game at table %(table)s still goes on, and round %(number)s is closed",
            number=command.round,
            table=table.table,
        )
        raise refused("result_missing", message, "table")
    if outcome is None and not table.detached and not table.is_settled:
        raise refused(
            "game_counts",
            sentence("the game at table %(table)s counts when it is over", table=table.table),
            "table",
        )
    abandoned = outcome is not None and outcome.kind == "abandoned"
    return [
        GameCounted(
            round=command.round,
            table=table.table,
            game=game,
            abandoned=abandoned,
            reason=command.reason,
        )
    ]


def _end(command: EndTableGame, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    _game_of(table)
    if not command.reason:
        raise refused(
            "reason_missing",
            sentence("say why the game at table %(table)s ends", table=table.table),
            "reason",
        )
    ended = ended_here(command, table)
    if not ended:
        raise refused(
            "game_over",
            sentence("the game at table %(table)s is over already", table=table.table),
            "table",
        )
    return ended


def _free(command: FreeTables, state: State) -> list[Event]:
    a_round(state, command.round)
    if not command.reason:
        raise refused(
            "reason_missing", sentence("say why the games of earlier rounds end"), "reason"
        )
    if not command.seen.ended:
        raise refused(
            "game_missing",
            sentence("no game of a round before round %(number)s goes on", number=command.round),
            "round",
        )
    tables = (
        (number, a_round(state, number).table(label), kind)
        for number, label, kind in command.seen.ended
    )
    return [
        GameEnded(
            round=number, table=table.table, game=table.game, kind=kind, reason=command.reason
        )
        for number, table, kind in tables
        if table is not None and table.game is not None
    ]


def _accept(command: AcceptDifference, state: State) -> list[Event]:
    each = a_round(state, command.round)
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    outcomes = seen_outcomes(command.seen)
    if not differs(table, outcomes, state.stage):
        message = sentence(
            "table %(table)s of round %(number)s and its game say the same",
            number=each.number,
            table=table.table,
        )
        raise refused("no_difference", message, "table")
    if not command.reason:
        raise refused(
            "reason_missing",
            sentence("say why something else counts than the game came to"),
            "reason",
        )
    return [accepted(command.round, table, outcomes[table.game or ""], command.reason)]


def accepted(number: int, table: TableState, outcome: Outcome, reason: str) -> DifferenceAccepted:
    """The fact that something else counts at a table than its game came to."""
    return DifferenceAccepted(
        round=number, table=table.table, game=outcome.game, results=outcome.results, reason=reason
    )


def _game_of(table: TableState) -> str:
    if table.game is None:
        raise refused(
            "game_missing",
            sentence("no game counts at table %(table)s", table=table.table),
            "table",
        )
    return table.game


GAME_DECISIONS: Decisions[State, Event] = {
    LinkGame: _link,
    UnlinkGame: _unlink,
    DetachGame: _detach,
    CountGame: _count,
    EndTableGame: _end,
    FreeTables: _free,
    AcceptDifference: _accept,
}
