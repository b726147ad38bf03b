"""What the house lays down besides the rules of a game: how long a game can still be corrected, and that the salon has moved."""

from dataclasses import dataclass
from typing import NamedTuple

from scoring.errors import NotationError, RuleViolation, sentence

HOURS_AT_FIRST = 24
MOST_HOURS = 24 * 366
RULE = "Corrections"
LONGEST_PLACE = 200
PERIOD_SET = ("house.correction_period_set", 1)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SalonMoved:
    """The salon goes on at another place (its address, in words): nothing more is recorded here. `reason` is a digest, "" for none."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SalonReopened:
    """From here on the salon records again, at the place it moved to or where it stayed. `reason` is a digest, "" for none."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSalon:
    """Record nothing more here: the salon goes on at another place; `reason` may be ""."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenSalon:
    """Record again; `reason` may be ""."""

    reason: str


type Event = CorrectionPeriodSet | SalonMoved | SalonReopened
type Command = SetCorrectionPeriod | MoveSalon | ReopenSalon

SHAPES: dict[tuple[str, int], type[Event]] = {
    PERIOD_SET: CorrectionPeriodSet,
    ("house.moved", 1): SalonMoved,
    ("house.reopened", 1): SalonReopened,
}


class State(NamedTuple):
    """The house after `version` events; `moved_to` is the place where the salon goes on, "" while that is here."""

    version: int = 0
    correction_hours: int = HOURS_AT_FIRST
    moved_to: str = ""


def decide(command: Command, state: State | None) -> list[Event]:
    """The fact that follows from a command.

    Raises NotationError for fewer hours than 1 or more than a year has, or no place; RuleViolation `same_period` where nothing
    changes, `moved` after the salon has moved, `not_moved` where it has not.
    """
    house = state or State()
    if isinstance(command, ReopenSalon):
        if not house.moved_to:
            raise RuleViolation("not_moved", message=sentence("the salon has not moved: it records here"))
        return [SalonReopened(reason=command.reason)]
    if house.moved_to:
        message = sentence("the salon has moved to %(place)s: nothing more is recorded here", place=house.moved_to)
        raise RuleViolation("moved", message=message)
    if isinstance(command, MoveSalon):
        return [_moved(command)]
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


def _moved(command: MoveSalon) -> SalonMoved:
    place = " ".join(command.place.split())
    if not 0 < len(place) <= LONGEST_PLACE:
        message = sentence("the salon's new address is expected here, in 1 to %(most)s characters", most=LONGEST_PLACE)
        raise NotationError(message, path="place")
    return SalonMoved(place=place, reason=command.reason)


def evolve(state: State | None, event: Event) -> State:
    """The house after one more fact; `None` is the house before the first."""
    house = state or State()
    house = house._replace(version=house.version + 1)
    match event:
        case CorrectionPeriodSet():
            return house._replace(correction_hours=event.hours)
        case SalonMoved():
            return house._replace(moved_to=event.place)
        case SalonReopened():
            return house._replace(moved_to="")
