"""The result of a table: typed, forfeited, excused, taken back."""

from dataclasses import dataclass, replace

from scoring.shape import a_list, a_number, an_object, inside, required
from tournament.domain.same_fields import build_from
from tournament.domain.standings.values import HUNDREDTHS, BoardResult, Result, Stage
from tournament.domain.tournament import reading
from tournament.domain.tournament.counting import differs, plays_with_partners
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
    need_line_ups,
    need_reason,
    refused,
    table_refused,
)
from tournament.domain.tournament.outcomes import by_stream
from tournament.domain.tournament.possible_results import check_results, totals_of
from tournament.domain.tournament.presence import check_in_changes
from tournament.domain.tournament.state import State, TableState
from tournament.domain.tournament.subject import AtTable, Command, Event, Subject, on_table, schemas

COUNTED = ("tricks", "audits", "excess", "chips", "built")
ITS_GAME = {"its_game": "game"}  # a form calls `game` where it stands


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterResult(Settling):
    """Write down what each entry of a table reached, in the order of the seats; with `forfeit`
    nobody played for it. Where its deals are given (`boards`) their sum needs not be said.

    Where four single players sit two against two, two results are those of the sides: partners have
    the same. In pods, whose games are played for chips alone, chips are the score as well.
    """

    results: tuple[Result, ...] = ()
    hands: int | None = None
    forfeit: bool = False
    boards: tuple[BoardResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntered(AtTable, Event):
    """The result of each entry of a table, in the order of the seats, as totals; with
    `forfeit` no one played for it.

    `reason` says why a result of a closed round was changed, or one of a game was not
    taken; `boards` has the scores deal by deal, if others play the same deals.
    """

    results: tuple[Result, ...]
    hands: int | None = None
    forfeit: bool = False
    reason: str | None = None
    boards: tuple[BoardResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ForfeitTable(Settling):
    """Note that entries did not come; to none of the tables of their match that have not begun."""

    absent: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForfeited(AtTable, Event):
    """The entries `absent` did not come: another entry has won without a game, several others
    of a table have sat out.
    """

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
    """Take a result, forfeit or excuse back, a forfeit at all tables of its match."""

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCleared(AtTable, Event):
    """The table's result, forfeit or excuse was taken back."""

    reason: str | None = None


def _result(command: EnterResult, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    stage = state.stage_in(command.round)
    if not command.forfeit:
        need_line_ups(state, command.round, table)
    results = _of_everybody(
        command.results or totals_of(command.boards, table, state.game), table, stage
    )
    entered = build_from(ResultEntered, command, results=results)
    typed = _apply_result(table, entered)
    check_results(typed, state.game, stage)
    return [
        *what_becomes_of_its_game(command, table),
        entered,
        *_accept_difference(command, typed, state),
        *check_in_changes(state, command.round, table),
    ]


def _of_everybody(
    results: tuple[Result, ...], table: TableState, stage: Stage
) -> tuple[Result, ...]:
    """A result for every entry: those of two sides belong to both their partners; chips are the
    score of who plays for them alone.
    """
    of_sides = len(results) == 2 and plays_with_partners(stage, table)
    if stage.kind == "pods":
        results = tuple(map(_score_by_chips, results))
    return results * 2 if of_sides else results


def _score_by_chips(result: Result) -> Result:
    if result.chips is None or result.score is not None:
        return result
    return replace(result, score=HUNDREDTHS * result.chips)


def _accept_difference(command: Settling, settled: TableState, state: State) -> list[Event]:
    """The fact that the director knows what the game came to: a reason was given for something else
    that counts.
    """
    outcomes = by_stream(command.seen.outcomes)
    if (
        not command.reason
        or command.game == DETACH
        or not differs(settled, outcomes, state.stage_in(command.round))
    ):
        return []
    return [accepted(command, settled, outcomes[settled.game or ""])]


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
    match = state.match_of(command.round, table)
    others = [each for each in match if each.table != table.table and not each.has_started]
    return [
        *what_becomes_of_its_game(command, table),
        build_from(TableForfeited, command),
        *(build_from(TableForfeited, command, table=each.table) for each in others),
        *_accept_difference(command, replace(unsaid(table), absent=command.absent), state),
        *check_in_changes(state, command.round, table, command.absent),
    ]


def _excuse(command: ExcuseTable, state: State) -> list[Event]:
    need_reason(command.reason, "say why the tournament goes on without this result")
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    if table.is_settled:
        raise table_refused(
            "table_settled", "table %(table)s has its result or its excuse already", table
        )
    return [
        *what_becomes_of_its_game(command, table),
        build_from(TableExcused, command),
        *_accept_difference(command, replace(table, excused=True), state),
    ]


def _clear(command: ClearTable, state: State) -> list[Event]:
    table = an_open_table(state, command.round, command.table)
    if not table.is_settled:
        raise table_refused("result_missing", "table %(table)s has no result to take back", table)
    match = state.match_of(command.round, table)
    others = [
        each
        for each in match
        if table.absent and each.table != table.table and each.absent == table.absent
    ]
    return [
        build_from(TableCleared, command),
        *(build_from(TableCleared, command, table=each.table) for each in others),
        *check_in_changes(state, command.round, table),
    ]


def _apply_result(table: TableState, event: ResultEntered) -> TableState:
    return replace(
        unsaid(table),
        results=event.results,
        hands=event.hands,
        forfeit=event.forfeit,
        boards=event.boards,
    )


def _read_boards(given: reading.Given, name: str) -> tuple[BoardResult, ...]:
    """Read the result of each deal; one without a score is not played."""
    boards = enumerate(a_list(given.get(name, []), name))
    read = (_read_board(each, f"{name}[{place}]") for place, each in boards)
    return tuple(board for board in read if board.scores)


def _read_board(value: object, path: str) -> BoardResult:
    given = an_object(value, path, keys=("deal", "scores", "version"))
    scores = {
        place: reading.hundredths({"score": score}, "score", f"{path}.scores[{place}]")
        for place, score in enumerate(a_list(given.get("scores", []), f"{path}.scores"))
    }
    return BoardResult(
        deal=a_number(required(given, "deal", path), f"{path}.deal", least=1),
        scores=tuple(score for score in scores.values() if score is not None),
        version=a_number(given.get("version", 1), f"{path}.version", least=1, most=9),
    )


def _read_results(given: reading.Given, name: str) -> tuple[Result, ...]:
    results = enumerate(
        a_list(given.get(name, []) if "boards" in given else required(given, name, ""), name)
    )
    return tuple(_read_result(each, f"{name}[{place}]") for place, each in results)


def _read_result(value: object, path: str) -> Result:
    """Read the result of one entry, scores and points in whole points or with a
    fraction.
    """
    given = an_object(value, path, keys=("points", "score", *COUNTED))
    counted = {
        name: a_number(given[name], inside(path, name), most=reading.MOST_SCORE)
        for name in COUNTED
        if given.get(name) is not None
    }
    return Result(
        points=reading.hundredths(given, "points", path),
        score=reading.hundredths(given, "score", path),
        **counted,
    )


def _read_hands(given: reading.Given, name: str) -> int | None:
    return a_number(given[name], name, least=1, most=1_000) if name in given else None


SUBJECT = Subject(
    decisions={
        EnterResult: _result,
        ForfeitTable: _forfeit,
        ExcuseTable: _excuse,
        ClearTable: _clear,
    },
    changes={
        ResultEntered: on_table(_apply_result),
        TableForfeited: on_table(lambda table, event: replace(unsaid(table), absent=event.absent)),
        TableExcused: on_table(lambda table, _event: replace(table, excused=True)),
        TableCleared: on_table(lambda table, _event: unsaid(table)),
    },
    shapes={
        **schemas("tournament.result_entered", 3, ResultEntered),
        ("tournament.table_forfeited", 1): TableForfeited,
        ("tournament.table_excused", 1): TableExcused,
        ("tournament.table_cleared", 1): TableCleared,
    },
    readers={
        "results": reading.reads(
            EnterResult,
            called=ITS_GAME,
            round=reading.a_count,
            table=reading.a_count,
            results=_read_results,
            boards=_read_boards,
            hands=_read_hands,
            its_game=read_what_becomes,
            reason=reading.a_reason,
        ),
        "forfeits": reading.reads(
            ForfeitTable,
            called=ITS_GAME,
            round=reading.a_count,
            table=reading.a_count,
            absent=reading.keys_of,
            reason=reading.a_reason,
            its_game=read_what_becomes,
        ),
        "excuses": reading.reads(
            ExcuseTable,
            called=ITS_GAME,
            round=reading.a_count,
            table=reading.a_count,
            reason=reading.a_needed_reason,
            its_game=read_what_becomes,
        ),
        "clearings": reading.reads(
            ClearTable, round=reading.a_count, table=reading.a_count, reason=reading.a_reason
        ),
    },
)
