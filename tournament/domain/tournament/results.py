"""The result of a table: typed, forfeited, excused, taken back."""

from dataclasses import dataclass, replace

from scoring.shape import a_list, a_number, an_object, inside, required
from tournament.domain.standings.values import Result
from tournament.domain.tournament.counting import differs
from tournament.domain.tournament.ended_games import (
    DETACH,
    Settling,
    read_what_becomes,
    what_becomes_of_its_game,
)
from tournament.domain.tournament.games import accepted, unsaid
from tournament.domain.tournament.lookups import (
    a_table_to_settle,
    an_open_table,
    need_reason,
    refused,
)
from tournament.domain.tournament.outcomes import by_stream
from tournament.domain.tournament.possible_results import check_results
from tournament.domain.tournament.presence import seen
from tournament.domain.tournament.reading import (
    MOST_SCORE,
    Given,
    a_count,
    a_needed_reason,
    a_reason,
    hundredths,
    keys_of,
    reads,
)
from tournament.domain.tournament.state import State, TableState
from tournament.domain.tournament.subject import AtTable, Command, Event, Subject, on_table

COUNTED = ("tricks", "audits", "excess", "chips", "built")
ITS_GAME = {"its_game": "game"}  # a form calls `game` where it stands


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterResult(Settling):
    """Write down what each entry of a table reached, in the order of the seats; with `forfeit`
    nobody played for it.
    """

    results: tuple[Result, ...]
    hands: int | None = None
    forfeit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntered(AtTable, Event):
    """What each entry of a table reached, in the order of the seats, as totals; with `forfeit`
    nobody played for it.

    `reason` says why a result of a closed round was changed, or one of a game was not taken.
    """

    results: tuple[Result, ...]
    hands: int | None = None
    forfeit: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForfeitTable(Settling):
    """Note that entries did not come."""

    absent: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForfeited(AtTable, Event):
    """The entries `absent` did not come; the others of the table have won without a game."""

    absent: tuple[str, ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcuseTable(Settling):
    """Go on without this table's result."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableExcused(AtTable, Event):
    """The tournament goes on without this table's result."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearTable(AtTable, Command):
    """Take a result, forfeit or excuse back."""

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCleared(AtTable, Event):
    """The table's result, forfeit or excuse was taken back."""

    reason: str | None = None


def _result(command: EnterResult, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    entered = ResultEntered(
        round=command.round,
        table=table.table,
        results=command.results,
        hands=command.hands,
        forfeit=command.forfeit,
        reason=command.reason,
    )
    typed = _entered(table, entered)
    check_results(typed, state)
    return [
        *what_becomes_of_its_game(command, table),
        entered,
        *_accepted(command, typed, state),
        *seen(state, command.round, table),
    ]


def _accepted(command: Settling, settled: TableState, state: State) -> list[Event]:
    """The fact that the director knows what the game came to: a reason was given for something else
    that counts.
    """
    outcomes = by_stream(command.seen.outcomes)
    if not command.reason or command.game == DETACH or not differs(settled, outcomes, state.stage):
        return []
    return [accepted(command.round, settled, outcomes[settled.game or ""], command.reason)]


def _forfeit(command: ForfeitTable, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    strangers = [key for key in command.absent if key not in table.entries]
    if strangers or not command.absent:
        raise refused(
            "entry_missing",
            "say which of %(entries)s did not come to table %(table)s",
            "absent",
            entries=" and ".join(table.entries),
            table=table.table,
        )
    forfeited = TableForfeited(
        round=command.round, table=table.table, absent=command.absent, reason=command.reason
    )
    return [
        *what_becomes_of_its_game(command, table),
        forfeited,
        *_accepted(command, replace(unsaid(table), absent=command.absent), state),
        *seen(state, command.round, table, command.absent),
    ]


def _excuse(command: ExcuseTable, state: State) -> list[Event]:
    need_reason(command.reason, "say why the tournament goes on without this result")
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    if table.is_settled:
        raise refused(
            "table_settled",
            "table %(table)s has its result or its excuse already",
            "table",
            table=table.table,
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
            "table %(table)s has no result to take back",
            "table",
            table=table.table,
        )
    return [
        TableCleared(round=command.round, table=table.table, reason=command.reason),
        *seen(state, command.round, table),
    ]


def _entered(table: TableState, event: ResultEntered) -> TableState:
    return replace(unsaid(table), results=event.results, hands=event.hands, forfeit=event.forfeit)


def _read_results(given: Given, name: str) -> tuple[Result, ...]:
    results = enumerate(a_list(required(given, name, ""), name))
    return tuple(_read_result(each, f"{name}[{place}]") for place, each in results)


def _read_result(value: object, path: str) -> Result:
    """What one entry reached, scores and points in whole points or with a fraction."""
    given = an_object(value, path, keys=("points", "score", *COUNTED))
    counted = {
        name: a_number(given[name], inside(path, name), most=MOST_SCORE)
        for name in COUNTED
        if given.get(name) is not None
    }
    return Result(
        points=hundredths(given, "points", path), score=hundredths(given, "score", path), **counted
    )


def _read_hands(given: Given, name: str) -> int | None:
    return a_number(given[name], name, least=1, most=1_000) if name in given else None


SUBJECT = Subject(
    decisions={
        EnterResult: _result,
        ForfeitTable: _forfeit,
        ExcuseTable: _excuse,
        ClearTable: _clear,
    },
    changes={
        ResultEntered: on_table(_entered),
        TableForfeited: on_table(lambda table, event: replace(unsaid(table), absent=event.absent)),
        TableExcused: on_table(lambda table, _event: replace(table, excused=True)),
        TableCleared: on_table(lambda table, _event: unsaid(table)),
    },
    shapes={
        ("tournament.result_entered", 1): ResultEntered,
        ("tournament.result_entered", 2): ResultEntered,
        ("tournament.table_forfeited", 1): TableForfeited,
        ("tournament.table_excused", 1): TableExcused,
        ("tournament.table_cleared", 1): TableCleared,
    },
    readers={
        "results": reads(
            EnterResult,
            called=ITS_GAME,
            round=a_count,
            table=a_count,
            results=_read_results,
            hands=_read_hands,
            its_game=read_what_becomes,
            reason=a_reason,
        ),
        "forfeits": reads(
            ForfeitTable,
            called=ITS_GAME,
            round=a_count,
            table=a_count,
            absent=keys_of,
            reason=a_reason,
            its_game=read_what_becomes,
        ),
        "excuses": reads(
            ExcuseTable,
            called=ITS_GAME,
            round=a_count,
            table=a_count,
            reason=a_needed_reason,
            its_game=read_what_becomes,
        ),
        "clearings": reads(ClearTable, round=a_count, table=a_count, reason=a_reason),
    },
)
