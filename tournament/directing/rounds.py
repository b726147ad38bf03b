"""Decisions about rounds: drawn, swapped, published, clocked, with results, closed; each refusal says what is missing."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from scoring.errors import NotationError, RuleViolation
from tournament.directing.commands import (
    CallLastHand,
    ClearTable,
    CloseRound,
    DrawRound,
    DropRound,
    EnterResult,
    ExcuseTable,
    ExtendTime,
    ForfeitTable,
    LinkGame,
    Outcome,
    PauseClock,
    PublishRound,
    ReopenRound,
    SeatRound,
    StartClock,
    SwapEntries,
    UnlinkGame,
    UnpublishRound,
)
from tournament.directing.events import (
    ClockPaused,
    ClockStarted,
    Drawn,
    EntriesSwapped,
    Event,
    GameLinked,
    GameUnlinked,
    LastHandCalled,
    ResultEntered,
    RoundClosed,
    RoundDrawn,
    RoundDropped,
    RoundPublished,
    RoundReopened,
    RoundUnpublished,
    TableCleared,
    TableExcused,
    TableForfeited,
    TimeExtended,
    Why,
)
from tournament.directing.field import Outcomes, asked_byes, field_of, missing
from tournament.directing.state import RoundState, State, TableState
from tournament.pairing.draw import draw
from tournament.pairing.values import DrawnTable, Reason
from tournament.standings.scales import NEEDED, counts
from tournament.standings.values import Bye, Result

RULE = "tournaments"
TRICKS_A_HAND = {"precedence": 13}
BY_HAND = "by hand"  # the engine of a round that a file or a director seated
LONGEST_CLOCK = 24 * 3600  # seconds


def by_game(outcomes: Sequence[Outcome]) -> Outcomes:
    """Outcomes by the stream of their game."""
    return {outcome.game: outcome for outcome in outcomes}


def _draw(command: DrawRound, state: State) -> list[Event]:
    if state.phase != "running":
        raise _refused("wrong_phase", f"rounds are drawn while the tournament runs; it is in {state.phase}", "phase")
    last = state.last
    again = last is not None and command.round == last.number
    if last is not None and again and last.has_started:
        raise _refused("round_started", f"round {last.number} has begun; swap two entries instead of drawing it anew", "round")
    if not again and command.round != state.next_round:
        raise _refused("round_missing", f"round {state.next_round} is the next to be drawn", "round")
    drawn = draw(field_of(state, by_game(command.outcomes), before=command.round), command.round)
    byes = (*(Bye(entry=entry) for entry in drawn.byes), *asked_byes(state, command.round))
    return [
        RoundDrawn(
            round=command.round,
            tables=tuple(map(_drawn, drawn.tables)),
            byes=byes,
            engine=drawn.engine,
            digest=drawn.digest,
            broken=tuple(map(_why, drawn.broken)),
        )
    ]


def _drawn(table: DrawnTable) -> Drawn:
    best = table.next_best
    next_best = f"{' and '.join(best.entries)}: {best.words}" if best is not None else ""
    return Drawn(table=table.table, entries=table.entries, dealer=table.dealer, why=tuple(map(_why, table.why)), next_best=next_best)


def _why(reason: Reason) -> Why:
    return Why(tier=reason.tier, cost=reason.cost, words=reason.words)


def _seat(command: SeatRound, state: State) -> list[Event]:
    if state.phase != "running" or command.round != state.next_round:
        raise _refused("round_missing", f"round {state.next_round} is the next to be seated, while the tournament runs", "round")
    seated = [entry for _, entries, _ in command.tables for entry in entries] + [bye.entry for bye in command.byes]
    numbers = [number for number, _, _ in command.tables]
    if len(set(numbers)) < len(numbers):
        raise _refused("bad_round", "two tables have the same number", "tables")
    for key in seated:
        entry = state.entry(key)
        if entry is None or seated.count(key) > 1:
            raise _refused("bad_round", f"entry {key[:20]} is not in this tournament, or in the round twice", "tables")
        if not replace(entry, asked=()).plays_in(command.round):
            raise _refused("withdrawn", f"entry {key} does not play in round {command.round}", "tables")
    tables = tuple(Drawn(table=number, entries=entries, dealer=dealer) for number, entries, dealer in command.tables)
    return [RoundDrawn(round=command.round, tables=tables, byes=command.byes, engine=BY_HAND, digest="")]


def _drop(command: DropRound, state: State) -> list[Event]:
    last = _last(state, command.round)
    if last.has_started:
        raise _refused("round_started", f"round {last.number} has begun; clear its results and games first", "round")
    return [RoundDropped(round=last.number)]


def _swap(command: SwapEntries, state: State) -> list[Event]:
    each = _open_round(state, command.round)
    for name, key in (("one", command.one), ("two", command.two)):
        if key not in each.seated:
            raise _refused("entry_missing", f"entry {key[:20]} is not in round {each.number}", name)
    if command.one == command.two:
        raise _refused("bad_swap", "two different entries change places", "two")
    started = [table for table in each.tables if table.has_started and {command.one, command.two} & set(table.entries)]
    if started:
        raise _refused("round_started", f"table {started[0].table} has begun; take its result or game back before the swap", "round")
    asked = {bye.entry for bye in each.byes if bye.kind != "pairing"} & {command.one, command.two}
    if asked:
        raise _refused("bad_swap", f"entry {asked.pop()} asked not to play in round {each.number}", "one")
    return [EntriesSwapped(round=each.number, one=command.one, two=command.two, reason=command.reason)]


def _publish(command: PublishRound, state: State) -> list[Event]:
    each = _round(state, command.round)
    if each.published:
        raise _refused("round_published", f"round {each.number} is published already", "round")
    return [RoundPublished(round=each.number)]


def _unpublish(command: UnpublishRound, state: State) -> list[Event]:
    each = _last(state, command.round)
    if not each.published or each.has_started:
        raise _refused("round_started", f"round {each.number} has begun, or isn't published", "round")
    return [RoundUnpublished(round=each.number)]


def _start_clock(command: StartClock, state: State) -> list[Event]:
    each = _published(state, command.round)
    if each.clock is not None and each.clock.since is not None:
        raise _refused("clock", f"the clock of round {each.number} is running", "round")
    if not 0 < command.seconds <= LONGEST_CLOCK:
        raise NotationError(f"1 to {LONGEST_CLOCK // 60} minutes are expected here", path="minutes")
    return [ClockStarted(round=each.number, at=command.at, seconds=command.seconds)]


def _pause_clock(command: PauseClock, state: State) -> list[Event]:
    each = _published(state, command.round)
    if each.clock is None or each.clock.since is None:
        raise _refused("clock", f"the clock of round {each.number} isn't running", "round")
    return [ClockPaused(round=each.number, at=command.at)]


def _extend(command: ExtendTime, state: State) -> list[Event]:
    each = _published(state, command.round)
    if not 0 < abs(command.seconds) <= LONGEST_CLOCK:
        raise NotationError(f"up to {LONGEST_CLOCK // 60} minutes, and not 0, are expected here", path="minutes")
    if each.clock is None:
        raise _refused("clock", f"the clock of round {each.number} has not been started", "round")
    if command.table is not None:
        _table(each, command.table)
    return [TimeExtended(round=each.number, seconds=command.seconds, table=command.table)]


def _last_hand(command: CallLastHand, state: State) -> list[Event]:
    each = _published(state, command.round)
    if each.clock is not None and each.clock.last_hand:
        raise _refused("clock", f"the last hand of round {each.number} has been called already", "round")
    return [LastHandCalled(round=each.number, at=command.at)]


def _link(command: LinkGame, state: State) -> list[Event]:
    table = _open_table(state, command.round, command.table)
    if table.game is not None or table.is_settled:
        raise _refused("table_settled", f"table {table.table} has a game or a result already; take that back first", "table")
    if any(command.game == other.game for each in state.rounds for other in each.tables):
        raise _refused("game_linked", "this game counts at another table already", "game")
    return [GameLinked(round=command.round, table=table.table, game=command.game)]


def _unlink(command: UnlinkGame, state: State) -> list[Event]:
    table = _open_table(state, command.round, command.table)
    if table.game is None:
        raise _refused("game_missing", f"no game counts at table {table.table}", "table")
    return [GameUnlinked(round=command.round, table=table.table, reason=command.reason)]


def _result(command: EnterResult, state: State) -> list[Event]:
    table = _open_table(state, command.round, command.table)
    _check_results(command, table, state)
    return [ResultEntered(round=command.round, table=table.table, results=command.results, hands=command.hands, forfeit=command.forfeit)]


def _check_results(command: EnterResult, table: TableState, state: State) -> None:
    if len(command.results) != len(table.entries):
        message = f"table {table.table} has {len(table.entries)} entries, and {len(command.results)} results are given"
        raise _refused("bad_result", message, "results")
    for place, result in enumerate(command.results):
        if not counts(state.stage.scale, result):
            needed = NEEDED[state.stage.scale.kind]
            raise _refused("bad_result", f"the {needed} of entry {table.entries[place]} is missing", f"results[{place}].{needed}")
    _check_tricks(command.results, command.hands, TRICKS_A_HAND.get(state.game))


def _check_tricks(results: Sequence[Result], hands: int | None, tricks_a_hand: int | None) -> None:
    tricks = [result.tricks for result in results if result.tricks is not None]
    if not tricks or tricks_a_hand is None:
        return
    if hands is None:
        raise _refused("bad_result", "say how many hands were played, so that the tricks can be checked", "hands")
    if len(tricks) == len(results) and sum(tricks) != tricks_a_hand * hands:
        message = f"{' + '.join(map(str, tricks))} tricks are {sum(tricks)}; {hands} hands have {tricks_a_hand * hands}"
        raise _refused("bad_result", message, "results[0].tricks")


def _forfeit(command: ForfeitTable, state: State) -> list[Event]:
    table = _open_table(state, command.round, command.table)
    strangers = [key for key in command.absent if key not in table.entries]
    if strangers or not command.absent:
        raise _refused("entry_missing", f"say which of {' and '.join(table.entries)} did not come to table {table.table}", "absent")
    return [TableForfeited(round=command.round, table=table.table, absent=command.absent, reason=command.reason)]


def _excuse(command: ExcuseTable, state: State) -> list[Event]:
    table = _open_table(state, command.round, command.table)
    if not command.reason:
        raise _refused("reason_missing", "say why the tournament goes on without this result", "reason")
    if table.is_settled:
        raise _refused("table_settled", f"table {table.table} has its result or its excuse already", "table")
    return [TableExcused(round=command.round, table=table.table, reason=command.reason)]


def _clear(command: ClearTable, state: State) -> list[Event]:
    table = _open_table(state, command.round, command.table)
    if not table.is_settled:
        raise _refused("result_missing", f"table {table.table} has no result to take back", "table")
    return [TableCleared(round=command.round, table=table.table, reason=command.reason)]


def _close(command: CloseRound, state: State) -> list[Event]:
    each = _open_round(state, command.round)
    lacking = missing(each, by_game(command.outcomes), state.stage)
    if lacking:
        tables = ", ".join(str(table.table) for table in lacking)
        message = f"the result of table {tables} is missing; type it, excuse it, or wait for its game"
        raise _refused("result_missing", message, f"rounds[{each.number - 1}].tables")
    return [RoundClosed(round=each.number)]


def _reopen(command: ReopenRound, state: State) -> list[Event]:
    each = _round(state, command.round)
    if not each.closed:
        raise _refused("round_open", f"round {each.number} is not closed", "round")
    if not command.reason:
        raise _refused("reason_missing", "say why the round is opened again", "reason")
    return [RoundReopened(round=each.number, reason=command.reason)]


def _round(state: State, number: int) -> RoundState:
    if state.phase != "running":
        raise _refused("wrong_phase", f"the tournament is in {state.phase}; rounds change while it runs", "phase")
    if not 1 <= number <= len(state.rounds):
        raise _refused("round_missing", f"round {number} is not drawn; {len(state.rounds)} are", "round")
    return state.rounds[number - 1]


def _last(state: State, number: int) -> RoundState:
    each = _round(state, number)
    if number != len(state.rounds):
        raise _refused("round_drawn", f"round {len(state.rounds)} is drawn; only the last round can be taken back", "round")
    return each


def _open_round(state: State, number: int) -> RoundState:
    each = _round(state, number)
    if each.closed:
        raise _refused("round_closed", f"round {number} is closed; open it again, with a reason, before anything changes", "round")
    return each


def _published(state: State, number: int) -> RoundState:
    each = _open_round(state, number)
    if not each.published:
        raise _refused("round_published", f"round {number} is not published yet; publish it first", "round")
    return each


def _open_table(state: State, number: int, table: int) -> TableState:
    return _table(_published(state, number), table)


def _table(each: RoundState, number: int) -> TableState:
    table = each.table(number)
    if table is None:
        raise _refused("table_missing", f"round {each.number} has no table {number}; it has {len(each.tables)}", "table")
    return table


def _refused(code: str, message: str, path: str = "") -> RuleViolation:
    return RuleViolation(code, rule=RULE, message=message, path=path)


ROUND_DECISIONS: dict[type, Callable[[Any, State], list[Event]]] = {
    DrawRound: _draw,
    SeatRound: _seat,
    DropRound: _drop,
    SwapEntries: _swap,
    PublishRound: _publish,
    UnpublishRound: _unpublish,
    StartClock: _start_clock,
    PauseClock: _pause_clock,
    ExtendTime: _extend,
    CallLastHand: _last_hand,
    LinkGame: _link,
    UnlinkGame: _unlink,
    EnterResult: _result,
    ForfeitTable: _forfeit,
    ExcuseTable: _excuse,
    ClearTable: _clear,
    CloseRound: _close,
    ReopenRound: _reopen,
}
