"""Decisions about the result of a table: typed, forfeited, excused, taken back."""

from dataclasses import replace

from scoring.deciding import Decisions
from scoring.errors import RuleViolation, sentence
from scoring.games import GAMES
from tournament.domain.standings.possible import wrong_with
from tournament.domain.standings.scales import NEEDED, counts
from tournament.domain.standings.values import SeatedTable
from tournament.domain.tournament.commands import ClearTable, EnterResult, ExcuseTable, ForfeitTable
from tournament.domain.tournament.counting import differs
from tournament.domain.tournament.events import Event
from tournament.domain.tournament.game_decisions import (
    DETACH,
    GAME_DECISIONS,
    accepted,
    seen_outcomes,
    what_becomes_of_its_game,
)
from tournament.domain.tournament.lookups import a_table_to_settle, an_open_table, refused
from tournament.domain.tournament.presence import seen
from tournament.domain.tournament.round_events import (
    ResultEntered,
    TableCleared,
    TableExcused,
    TableForfeited,
)
from tournament.domain.tournament.state import State, TableState


def _result(command: EnterResult, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    _check_results(command, table, state)
    entered = ResultEntered(
        round=command.round,
        table=table.table,
        results=command.results,
        hands=command.hands,
        forfeit=command.forfeit,
        reason=command.reason,
    )
    typed = replace(
        table,
        results=command.results,
        hands=command.hands,
        forfeit=command.forfeit,
        absent=(),
        excused=False,
        accepted=(),
    )
    known = _accepted(command, typed, state)
    return [
        *what_becomes_of_its_game(command, table),
        entered,
        *known,
        *seen(state, command.round, table),
    ]


def _accepted(
    command: EnterResult | ForfeitTable | ExcuseTable, settled: TableState, state: State
) -> list[Event]:
    """The fact that the director knows what the game came to: a reason was given for something else
    that counts.
    """
    outcomes = seen_outcomes(command.seen)
    if not command.reason or command.game == DETACH or not differs(settled, outcomes, state.stage):
        return []
    return [accepted(command.round, settled, outcomes[settled.game or ""], command.reason)]


def _check_results(command: EnterResult, table: TableState, state: State) -> None:
    if len(command.results) != len(table.entries):
        message = sentence(
            "table %(table)s has %(entries)s entries, and %(results)s results are given",
            table=table.table,
            entries=len(table.entries),
            results=len(command.results),
        )
        raise refused("bad_result", message, "results")
    for place, result in enumerate(command.results):
        if not counts(state.stage.scale, result):
            needed = NEEDED[state.stage.scale.kind]
            message = sentence(
                "table %(table)s: the %(needed)s of entry %(entry)s is missing",
                table=table.table,
                needed=needed,
                entry=table.entries[place],
            )
            raise refused("bad_result", message, f"results[{place}].{needed}")
    _check_tricks(command, _tricks_a_hand(state.game, table))
    _check_possible(command, table, state)


def _check_possible(command: EnterResult, table: TableState, state: State) -> None:
    """The same that a file's results are weighed by."""
    seated = SeatedTable(
        table=table.table,
        entries=table.entries,
        results=command.results,
        forfeit=command.forfeit,
        hands=command.hands,
        dealer=table.dealer,
    )
    wrong = wrong_with(state.stage.scale, seated)
    if wrong is not None:
        message = sentence("table %(table)s: %(message)s", table=table.table, message=wrong.message)
        raise RuleViolation(
            wrong.code,
            rule=wrong.rule,
            message=message,
            path=f"results[{wrong.place or 0}].{wrong.field or 'points'}",
        )


def _tricks_a_hand(game: str, table: TableState) -> int | None:
    """How many tricks a hand has at this table, where its entries are the sides of a game with
    teams.
    """
    return GAMES[game].tricks(len(table.entries)) if GAMES[game].teams else None


def _check_tricks(command: EnterResult, tricks_a_hand: int | None) -> None:
    """All tricks of all hands, where everybody's are given; nobody has more than there are."""
    tricks = [result.tricks for result in command.results if result.tricks is not None]
    if not tricks or tricks_a_hand is None:
        return
    if command.hands is None:
        message = sentence(
            "table %(table)s: say how many hands were played, so that the tricks can be checked",
            table=command.table,
        )
        raise refused("bad_result", message, "hands")
    there, complete = tricks_a_hand * command.hands, len(tricks) == len(command.results)
    if max(tricks) > there or (complete and sum(tricks) != there):
        message = sentence(
            "table %(table)s: %(numbers)s tricks are %(sum)s; %(hands)s hands have %(all)s",
            table=command.table,
            numbers=" + ".join(map(str, tricks)),
            sum=sum(tricks),
            hands=command.hands,
            all=there,
        )
        raise refused("bad_result", message, "results[0].tricks")


def _forfeit(command: ForfeitTable, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    strangers = [key for key in command.absent if key not in table.entries]
    if strangers or not command.absent:
        raise refused(
            "entry_missing",
            sentence(
                "say which of %(entries)s did not come to table %(table)s",
                entries=" and ".join(table.entries),
                table=table.table,
            ),
            "absent",
        )
    forfeited = TableForfeited(
        round=command.round, table=table.table, absent=command.absent, reason=command.reason
    )
    settled = replace(table, absent=command.absent, results=(), excused=False, accepted=())
    known = _accepted(command, settled, state)
    return [
        *what_becomes_of_its_game(command, table),
        forfeited,
        *known,
        *seen(state, command.round, table, command.absent),
    ]


def _excuse(command: ExcuseTable, state: State) -> list[Event]:
    if not command.reason:
        raise refused(
            "reason_missing",
            sentence("say why the tournament goes on without this result"),
            "reason",
        )
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    if table.is_settled:
        raise refused(
            "table_settled",
            sentence("table %(table)s has its result or its excuse already", table=table.table),
            "table",
        )
    excused = TableExcused(round=command.round, table=table.table, reason=command.reason)
    return [
        *what_becomes_of_its_game(command, table),
        excused,
        *_accepted(command, replace(table, excused=True), state),
    ]


def _clear(command: ClearTable, state: State) -> list[Event]:
    table = an_open_table(state, command.round, command.table)
    if not table.is_settled:
        raise refused(
            "result_missing",
            sentence("table %(table)s has no result to take back", table=table.table),
            "table",
        )
    return [
        TableCleared(round=command.round, table=table.table, reason=command.reason),
        *seen(state, command.round, table),
    ]


RESULT_DECISIONS: Decisions[State, Event] = {
    **GAME_DECISIONS,
    EnterResult: _result,
    ForfeitTable: _forfeit,
    ExcuseTable: _excuse,
    ClearTable: _clear,
}
