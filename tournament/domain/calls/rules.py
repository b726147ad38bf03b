"""A call for the director as facts: made at a table, taken up, answered or taken back. Each call is
a stream of its own, so that none of them is in the way of what is recorded meanwhile.

Times are microseconds UTC.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scoring.errors import RuleViolation, Sentence, sentence
from scoring.shape import one_of
from tournament.domain.same_fields import build_from

RULE = "Calls"
CARD, RESULT, RULES, PLAYER, TABLE, OTHER = REASONS = (
    "card",
    "result",
    "rules",
    "player",
    "table",
    "other",
)
OPEN = ""
ANSWERED, TAKEN_BACK, LAPSED = ENDINGS = ("answered", "taken_back", "lapsed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """A command or fact with its time."""

    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Timed):
    """Which table of the salon (its label) calls, and why: `reason` is one of REASONS.

    `game` is the stream of the game there, `tournament` that of the event it counts in, with its
    round and table; "" and 0 where there is none.
    """

    table: str
    reason: str
    game: str = ""
    tournament: str = ""
    round: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeCall(Call):
    """Call the director to a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMade(Call):
    """A table called the director."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeUpCall(Timed):
    """Say that one is coming."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTakenUp(Timed):
    """A director said that they are coming."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCall(Timed):
    """Say that the table has its answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswered(Timed):
    """The table has its answer: the call is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackCall(Timed):
    """Let nobody come: the table needs no director any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTakenBack(Timed):
    """The table took its call back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetCallLapse(Timed):
    """End a call with the round that it was made in, or with its tournament."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLapsed(Timed):
    """The round of the call was closed or dropped, or its tournament finished, before anybody
    answered.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenCall(Timed):
    """Say that the table has no answer after all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReopened(Timed):
    """The table has no answer after all, and waits on."""


type Keeping = TakeUpCall | AnswerCall | TakeBackCall | LetCallLapse | ReopenCall
type Command = MakeCall | Keeping
type Event = CallMade | CallTakenUp | CallAnswered | CallTakenBack | CallLapsed | CallReopened

# The stored names, written out: a class may be renamed, a stored name never.
SHAPES: dict[tuple[str, int], type[Event]] = {
    ("call.made", 1): CallMade,
    ("call.taken_up", 1): CallTakenUp,
    ("call.answered", 1): CallAnswered,
    ("call.taken_back", 1): CallTakenBack,
    ("call.lapsed", 1): CallLapsed,
    ("call.reopened", 1): CallReopened,
}
ENDED_BY: Mapping[type, str] = {
    CallAnswered: ANSWERED,
    CallTakenBack: TAKEN_BACK,
    CallLapsed: LAPSED,
}
OVER: Mapping[str, Sentence] = {
    ANSWERED: sentence("this call was answered already"),
    TAKEN_BACK: sentence("the table has taken this call back"),
    LAPSED: sentence("this call ended with its round or its tournament"),
}


class State(NamedTuple):
    """A call after `version` events. `taken_up_at` is None while nobody said that they are coming,
    `ended_at` while the table waits; `ending` is how it ended, "" while it has not.
    """

    version: int
    made: CallMade
    taken_up_at: int | None = None
    ended_at: int | None = None
    ending: str = OPEN


def decide(command: Command, state: State | None) -> list[Event]:
    """The fact that follows from a command; none of them happens before the call was made.

    Raises NotationError for a reason that is none of the six, RuleViolation `call_over` for a call
    that has ended, `call_taken_up` where somebody is coming already, `call_open` for what has not
    been answered.
    """
    if state is None:
        return [_make_call(command)]
    match command:
        case MakeCall():
            raise _refused("called_already", sentence("this call is made already"))
        case ReopenCall():
            if state.ending != ANSWERED:
                raise _refused("call_open", sentence("this call has no answer to take back"))
            return [CallReopened(at=max(command.at, state.made.at))]
    if state.ending != OPEN:
        raise _refused("call_over", OVER[state.ending])
    at = max(command.at, state.made.at)  # a clock that was set back makes nobody wait below zero
    match command:
        case TakeUpCall():
            if state.taken_up_at is not None:
                raise _refused("call_taken_up", sentence("a director is coming already"))
            return [CallTakenUp(at=at)]
        case AnswerCall():
            return [CallAnswered(at=at)]
        case TakeBackCall():
            return [CallTakenBack(at=at)]
        case LetCallLapse():
            return [CallLapsed(at=at)]


def evolve(state: State | None, event: Event) -> State:
    """The call after one more fact; `None` is the state before the first."""
    if state is None:
        assert isinstance(event, CallMade)
        return State(version=1, made=event)
    after = state._replace(version=state.version + 1)
    match event:
        case CallTakenUp():
            return after._replace(taken_up_at=event.at)
        case CallReopened():
            return after._replace(ended_at=None, ending=OPEN)
        case CallAnswered() | CallTakenBack() | CallLapsed():
            return after._replace(ended_at=event.at, ending=ENDED_BY[type(event)])
        case CallMade():
            return after


def _make_call(command: Command) -> CallMade:
    if not isinstance(command, MakeCall):
        raise _refused("call_missing", sentence("there is no such call"))
    one_of(command.reason, REASONS, "reason")
    return build_from(CallMade, command)


def _refused(code: str, message: Sentence) -> RuleViolation:
    return RuleViolation(code, message, rule=RULE)
