"""Points that the director gives an entry or takes from it, in hundredths.

`reason` and `by` stand as they were written until they are recorded, then by their digests.
"""

from dataclasses import dataclass, replace

from scoring.errors import NotationError
from scoring.shape import a_number, a_text
from tournament.domain.same_fields import build_from
from tournament.domain.standings.values import HUNDREDTHS
from tournament.domain.tournament import reading
from tournament.domain.tournament.lookups import an_entry, need_reason, refused
from tournament.domain.tournament.state import Penalty, State
from tournament.domain.tournament.subject import Command, Event, OfEntry, Subject

MOST_POINTS = 1_000 * HUNDREDTHS


@dataclass(frozen=True, slots=True, kw_only=True)
class GivePenalty(OfEntry, Command):
    """Give an entry points, or take them (below 0), from round `after_round` on."""

    points: int
    after_round: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyGiven(Event):
    """Points (hundredths; a penalty below 0) that count for an entry from round
    `after_round` on.
    """

    number: int
    entry: str
    points: int
    after_round: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelPenalty(Command):
    """Take a penalty or adjustment back."""

    number: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyCancelled(Event):
    """A penalty or adjustment counts no longer."""

    number: int
    reason: str | None = None


def _give_penalty(command: GivePenalty, state: State) -> list[Event]:
    an_entry(state, command.entry)
    if not command.points or abs(command.points) > MOST_POINTS:
        raise NotationError(
            "points from -1000 to 1000, and not 0, are expected here", path="points"
        )
    need_reason(command.reason, "say what the points are for")
    if not 0 <= command.after_round <= len(state.rounds):
        raise refused(
            "round_missing",
            "round %(after_round)s is not drawn; %(rounds)s are",
            "after_round",
            after_round=command.after_round,
            rounds=len(state.rounds),
        )
    return [build_from(PenaltyGiven, command, number=len(state.penalties) + 1)]


def _cancel_penalty(command: CancelPenalty, state: State) -> list[Event]:
    penalty = next((each for each in state.penalties if each.number == command.number), None)
    if penalty is None or penalty.cancelled:
        raise refused(
            "penalty_missing",
            "there is no penalty %(number)s that counts",
            "number",
            number=command.number,
        )
    return [build_from(PenaltyCancelled, command)]


def _with_penalty(state: State, event: PenaltyGiven) -> State:
    return replace(state, penalties=(*state.penalties, build_from(Penalty, event)))


def _apply_cancellation(state: State, event: PenaltyCancelled) -> State:
    penalties = tuple(
        replace(each, cancelled=True) if each.number == event.number else each
        for each in state.penalties
    )
    return replace(state, penalties=penalties)


def _read_points(given: reading.Given, name: str) -> int:
    return reading.hundredths(given, name) or 0


def _read_round(given: reading.Given, name: str) -> int:
    return a_number(given.get(name, 0), name, least=0)


def _read_name(given: reading.Given, name: str) -> str:
    return a_text(given.get(name, ""), name, longest=80)


SUBJECT = Subject(
    decisions={GivePenalty: _give_penalty, CancelPenalty: _cancel_penalty},
    changes={PenaltyGiven: _with_penalty, PenaltyCancelled: _apply_cancellation},
    shapes={
        ("tournament.penalty_given", 1): PenaltyGiven,
        ("tournament.penalty_cancelled", 1): PenaltyCancelled,
    },
    readers={
        "penalties": reading.reads(
            GivePenalty,
            entry=reading.a_key,
            points=_read_points,
            after_round=_read_round,
            reason=reading.a_needed_reason,
            by=_read_name,
        ),
        "penalty-cancellations": reading.reads(
            CancelPenalty, number=reading.any_number, reason=reading.a_reason
        ),
    },
)
