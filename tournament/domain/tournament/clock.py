"""The clock of a round: started, paused, extended, the last hand called. Times are
microseconds UTC, lengths of time seconds.
"""

from dataclasses import dataclass, replace

from scoring.errors import NotationError
from scoring.shape import a_number, required
from tournament.domain.tournament.lookups import a_published_round, a_table, round_refused
from tournament.domain.tournament.reading import Given, a_count, perhaps_a_count, reads
from tournament.domain.tournament.state import Clock, RoundState, State
from tournament.domain.tournament.subject import Command, Event, OfRound, Subject, on_round

LONGEST_CLOCK = 24 * 3600  # seconds
MOST_MINUTES = LONGEST_CLOCK // 60
SECONDS = {"minutes": "seconds"}  # a command counts in seconds what a form gives in minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class StartClock(OfRound, Command):
    """Start the clock of a round at `at`, or let it go on."""

    at: int
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockStarted(OfRound, Event):
    """The clock of a round runs from `at`, for `seconds` when it starts the first time."""

    at: int
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseClock(OfRound, Command):
    """Stop the clock of a round at `at`."""

    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPaused(OfRound, Event):
    """The clock of a round stands still since `at`."""

    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendTime(OfRound, Command):
    """Give more time to one table, or to the whole round (`table` None)."""

    seconds: int
    table: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeExtended(OfRound, Event):
    """More time for one table, or for the whole round (`table` None)."""

    seconds: int
    table: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLastHand(OfRound, Command):
    """Let every table finish the hand in progress."""

    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LastHandCalled(OfRound, Event):
    """Every table finishes the hand in progress and plays no other."""

    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallLastHand(OfRound, Command):
    """Let the tables play on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastHandRecalled(OfRound, Event):
    """The tables may play another hand after all."""


def _start_clock(command: StartClock, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is not None and each.clock.since is not None:
        raise round_refused("clock", "the clock of round %(number)s is running", each.number)
    if not 0 < command.seconds <= LONGEST_CLOCK:
        raise NotationError(
            "1 to %(longest_clock)s minutes are expected here",
            path="minutes",
            longest_clock=MOST_MINUTES,
        )
    return [ClockStarted(round=each.number, at=command.at, seconds=command.seconds)]


def _pause_clock(command: PauseClock, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is None or each.clock.since is None:
        raise round_refused("clock", "the clock of round %(number)s isn't running", each.number)
    return [ClockPaused(round=each.number, at=command.at)]


def _extend(command: ExtendTime, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if not 0 < abs(command.seconds) <= LONGEST_CLOCK:
        raise NotationError(
            "up to %(longest_clock)s minutes, and not 0, are expected here",
            path="minutes",
            longest_clock=MOST_MINUTES,
        )
    if each.clock is None:
        raise round_refused(
            "clock", "the clock of round %(number)s has not been started", each.number
        )
    if command.table is not None:
        a_table(each, command.table)
    return [TimeExtended(round=each.number, seconds=command.seconds, table=command.table)]


def _last_hand(command: CallLastHand, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is not None and each.clock.last_hand:
        raise round_refused(
            "clock", "the last hand of round %(number)s has been called already", each.number
        )
    return [LastHandCalled(round=each.number, at=command.at)]


def _play_on(command: RecallLastHand, state: State) -> list[Event]:
    each = a_published_round(state, command.round)
    if each.clock is None or not each.clock.last_hand:
        raise round_refused(
            "clock", "the last hand of round %(number)s has not been called", each.number
        )
    return [LastHandRecalled(round=each.number)]


def _clock_started(each: RoundState, event: ClockStarted) -> RoundState:
    clock = each.clock or Clock(seconds=event.seconds)
    return replace(
        each, clock=replace(clock, seconds=clock.seconds or event.seconds, since=event.at)
    )


def _clock_paused(each: RoundState, event: ClockPaused) -> RoundState:
    clock = each.clock
    if clock is None or clock.since is None:
        return each
    return replace(
        each, clock=replace(clock, spent=clock.spent + event.at - clock.since, since=None)
    )


def _apply_last_hand_called(each: RoundState, _event: LastHandCalled) -> RoundState:
    return replace(each, clock=replace(each.clock or Clock(seconds=0), last_hand=True))


def _apply_last_hand_recalled(each: RoundState, _event: LastHandRecalled) -> RoundState:
    """The clock as before the call; one that was there for the call alone goes with it."""
    if each.clock is None:
        return each
    return replace(each, clock=replace(each.clock, last_hand=False) if each.clock.seconds else None)


def _apply_time_extended(each: RoundState, event: TimeExtended) -> RoundState:
    if event.table is not None:
        return each.with_table(
            event.table, lambda table: replace(table, extension=table.extension + event.seconds)
        )
    if each.clock is None:
        return each
    return replace(each, clock=replace(each.clock, seconds=each.clock.seconds + event.seconds))


def _read_minutes(given: Given, name: str) -> int:
    return 60 * a_number(given.get(name, 60), name, least=1, most=MOST_MINUTES)


def _read_extension(given: Given, name: str) -> int:
    return 60 * a_number(required(given, name, ""), name, least=-MOST_MINUTES, most=MOST_MINUTES)


SUBJECT = Subject(
    decisions={
        StartClock: _start_clock,
        PauseClock: _pause_clock,
        ExtendTime: _extend,
        CallLastHand: _last_hand,
        RecallLastHand: _play_on,
    },
    changes={
        ClockStarted: on_round(_clock_started),
        ClockPaused: on_round(_clock_paused),
        TimeExtended: on_round(_apply_time_extended),
        LastHandCalled: on_round(_apply_last_hand_called),
        LastHandRecalled: on_round(_apply_last_hand_recalled),
    },
    shapes={
        ("tournament.clock_started", 1): ClockStarted,
        ("tournament.clock_paused", 1): ClockPaused,
        ("tournament.time_extended", 1): TimeExtended,
        ("tournament.last_hand_called", 1): LastHandCalled,
        ("tournament.last_hand_recalled", 1): LastHandRecalled,
    },
    readers={
        "clock-starts": reads(
            StartClock, timed=True, called=SECONDS, round=a_count, minutes=_read_minutes
        ),
        "clock-pauses": reads(PauseClock, timed=True, round=a_count),
        "extensions": reads(
            ExtendTime,
            called=SECONDS,
            round=a_count,
            table=perhaps_a_count,
            minutes=_read_extension,
        ),
        "last-hands": reads(CallLastHand, timed=True, round=a_count),
        "last-hand-cancellations": reads(RecallLastHand, round=a_count),
    },
)
