"""Decisions about the clock of a round: started, paused, extended, the last hand called."""

from collections.abc import Callable
from typing import Any

from scoring.errors import NotationError
from tournament.directing.commands import CallLastHand, ExtendTime, PauseClock, RecallLastHand, StartClock
from tournament.directing.events import Event
from tournament.directing.finding import a_published_round, a_table, refused
from tournament.directing.round_events import ClockPaused, ClockStarted, LastHandCalled, LastHandRecalled, TimeExtended
from tournament.directing.state import State

LONGEST_CLOCK = 24 * 3600  # seconds


def _start_clock(command: StartClock, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is not None and each.clock.since is not None:
        raise refused("clock", f"the clock of round {each.number} is running", "round")
    if not 0 < command.seconds <= LONGEST_CLOCK:
        raise NotationError(f"1 to {LONGEST_CLOCK // 60} minutes are expected here", path="minutes")
    return [ClockStarted(round=each.number, at=command.at, seconds=command.seconds)]


def _pause_clock(command: PauseClock, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is None or each.clock.since is None:
        raise refused("clock", f"the clock of round {each.number} isn't running", "round")
    return [ClockPaused(round=each.number, at=command.at)]


def _extend(command: ExtendTime, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if not 0 < abs(command.seconds) <= LONGEST_CLOCK:
        raise NotationError(f"up to {LONGEST_CLOCK // 60} minutes, and not 0, are expected here", path="minutes")
    if each.clock is None:
        raise refused("clock", f"the clock of round {each.number} has not been started", "round")
    if command.table is not None:
        a_table(each, command.table)
    return [TimeExtended(round=each.number, seconds=command.seconds, table=command.table)]


def _last_hand(command: CallLastHand, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is not None and each.clock.last_hand:
        raise refused("clock", f"the last hand of round {each.number} has been called already", "round")
    return [LastHandCalled(round=each.number, at=command.at)]


def _play_on(command: RecallLastHand, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is None or not each.clock.last_hand:
        raise refused("clock", f"the last hand of round {each.number} has not been called", "round")
    return [LastHandRecalled(round=each.number)]


CLOCK_DECISIONS: dict[type, Callable[[Any, State], list[Event]]] = {
    StartClock: _start_clock,
    PauseClock: _pause_clock,
    ExtendTime: _extend,
    CallLastHand: _last_hand,
    RecallLastHand: _play_on,
}
