"""Decisions about the clock of a round: started, paused, extended, the last hand called."""

from scoring.deciding import Decisions
from scoring.errors import NotationError, sentence
from tournament.domain.tournament.commands import (
    CallLastHand,
    ExtendTime,
    PauseClock,
    RecallLastHand,
    StartClock,
)
from tournament.domain.tournament.events import Event
from tournament.domain.tournament.lookups import a_published_round, a_table, refused
from tournament.domain.tournament.round_events import (
    ClockPaused,
    ClockStarted,
    LastHandCalled,
    LastHandRecalled,
    TimeExtended,
)
from tournament.domain.tournament.state import State

LONGEST_CLOCK = 24 * 3600  # seconds


def _start_clock(command: StartClock, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is not None and each.clock.since is not None:
        raise refused(
            "clock",
            sentence("the clock of round %(number)s is running", number=each.number),
            "round",
        )
    if not 0 < command.seconds <= LONGEST_CLOCK:
        raise NotationError(
            sentence(
                "1 to %(longest_clock)s minutes are expected here",
                longest_clock=LONGEST_CLOCK // 60,
            ),
            path="minutes",
        )
    return [ClockStarted(round=each.number, at=command.at, seconds=command.seconds)]


def _pause_clock(command: PauseClock, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is None or each.clock.since is None:
        raise refused(
            "clock",
            sentence("the clock of round %(number)s isn't running", number=each.number),
            "round",
        )
    return [ClockPaused(round=each.number, at=command.at)]


def _extend(command: ExtendTime, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if not 0 < abs(command.seconds) <= LONGEST_CLOCK:
        raise NotationError(
            sentence(
                "up to %(longest_clock)s minutes, and not 0, are expected here",
                longest_clock=LONGEST_CLOCK // 60,
            ),
            path="minutes",
        )
    if each.clock is None:
        raise refused(
            "clock",
            sentence("the clock of round %(number)s has not been started", number=each.number),
            "round",
        )
    if command.table is not None:
        a_table(each, command.table)
    return [TimeExtended(round=each.number, seconds=command.seconds, table=command.table)]


def _last_hand(command: CallLastHand, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is not None and each.clock.last_hand:
        raise refused(
            "clock",
            sentence(
                "the last hand of round %(number)s has been called already", number=each.number
            ),
            "round",
        )
    return [LastHandCalled(round=each.number, at=command.at)]


def _play_on(command: RecallLastHand, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is None or not each.clock.last_hand:
        raise refused(
            "clock",
            sentence("the last hand of round %(number)s has not been called", number=each.number),
            "round",
        )
    return [LastHandRecalled(round=each.number)]


CLOCK_DECISIONS: Decisions[State, Event] = {
    StartClock: _start_clock,
    PauseClock: _pause_clock,
    ExtendTime: _extend,
    CallLastHand: _last_hand,
    RecallLastHand: _play_on,
}
