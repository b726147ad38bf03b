"""What the house lays down besides the rules of a game: how long after its last entry a game can still be corrected."""

from dataclasses import dataclass
from typing import NamedTuple

from scoring.errors import NotationError, RuleViolation, sentence

HOURS_AT_FIRST = 24
MOST_HOURS = 24 * 366
RULE = "Corrections"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPeriodSet:
    """From here on a game becomes final so many hours after its last entry; `reason` is a digest, "" for none."""

    hours: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCorrectionPeriod:
    """Let games become final so many hours after their last entry; `reason` may be ""."""

    hours: int
    reason: str


type Event = CorrectionPeriodSet
type Command = SetCorrectionPeriod

SHAPES: dict[tuple[str, int], type[Event]] = {("house.correction_period_set", 1): CorrectionPeriodSet}


class State(NamedTuple):
    """The house after `version` events."""

    version: int = 0
    correction_hours: int = HOURS_AT_FIRST


def decide(command: Command, state: State | None) -> list[Event]:
    """The fact that follows from a command.

    Raises NotationError for fewer hours than 1 or more than a year has, RuleViolation `same_period` where nothing changes.
    """
    house = state or State()
    if not 1 <= command.hours <= MOST_HOURS:
        raise NotationError(sentence("1 to %(most_hours)s hours are expected here", most_hours=MOST_HOURS), path="hours")
    if command.hours == house.correction_hours:
        raise RuleViolation(
            "same_period",
            rule=RULE,
            message=sentence("the correction period has %(hours)s hours already", hours=command.hours),
            path="hours",
        )
    return [CorrectionPeriodSet(hours=command.hours, reason=command.reason)]


def evolve(state: State | None, event: Event) -> State:
    """The house after one more fact; `None` is the house before the first."""
    house = state or State()
    return house._replace(version=house.version + 1, correction_hours=event.hours)
