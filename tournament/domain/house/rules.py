"""Policies of the salon besides the rules of a game: the correction period of a
game, its tables, and its move.
"""

from dataclasses import dataclass
from typing import NamedTuple

from scoring.errors import NotationError, RuleViolation, sentence
from tournament.domain.house import confirmation, covered_names, paper, persons, place, tables
from tournament.domain.house.confirmation import ConfirmingSet, SetConfirming, decide_confirming
from tournament.domain.house.covered_names import (
    CoverNames,
    ErasePerson,
    NamesCovered,
    PersonErased,
    PersonRenamed,
    RenamePerson,
    decide_names,
)
from tournament.domain.house.paper import PaperSet, SetPaper, decide_paper
from tournament.domain.house.persons import (
    MergePersons,
    PersonsMerged,
    PersonsSeparated,
    SeparatePersons,
    decide_persons,
    evolve_persons,
)
from tournament.domain.house.place import LogoSet, PlaceSet, SetLogo, SetPlace
from tournament.domain.house.tables import Tables

HOURS_AT_FIRST = 24
MOST_HOURS = 24 * 366
RULE = "Corrections"
LONGEST_PLACE = 200
PERIOD_SET = ("house.correction_period_set", 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPeriodSet:
    """From here on a game becomes final so many hours after its last entry; `reason` is a digest,
    "" for none.
    """

    hours: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCorrectionPeriod:
    """Let games become final so many hours after their last entry; `reason` may be ""."""

    hours: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SalonMoved:
    """The salon goes on at another place (its address, in words): nothing more is recorded here.
    `reason` is a digest, "" for none.
    """

    place: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SalonReopened:
    """From here on the salon records again, at the place it moved to or where it stayed. `reason`
    is a digest, "" for none.
    """

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


type Event = (
    CorrectionPeriodSet
    | SalonMoved
    | SalonReopened
    | tables.Event
    | PlaceSet
    | LogoSet
    | PaperSet
    | ConfirmingSet
    | covered_names.Event
    | persons.Event
)
type Command = (
    SetCorrectionPeriod
    | MoveSalon
    | ReopenSalon
    | tables.Command
    | SetPlace
    | SetLogo
    | SetPaper
    | SetConfirming
    | covered_names.Command
    | persons.Command
)

SHAPES: dict[tuple[str, int], type[Event]] = {
    PERIOD_SET: CorrectionPeriodSet,
    ("house.moved", 1): SalonMoved,
    ("house.reopened", 1): SalonReopened,
    **tables.SHAPES,
    **place.SHAPES,
    **paper.SHAPES,
    **confirmation.SHAPES,
    **covered_names.SHAPES,
    **persons.SHAPES,
}


class State(NamedTuple):
    """The house after `version` events; `moved_to` is the place where the salon goes on, "" while
    that is here.

    `tables` is None while the log has told of none. Time zone and language are "" for those of the
    server, `logo` for none; `confirming` is how a hand is confirmed at a table's phone, `paper`
    what is printed on, `merged` are players for whom another one stands.
    """

    version: int = 0
    correction_hours: int = HOURS_AT_FIRST
    moved_to: str = ""
    tables: Tables | None = None
    time_zone: str = ""
    language: str = ""
    logo: str = ""
    confirming: str = confirmation.PIN
    paper: str = paper.A4
    merged: persons.Merged = ()


def decide(command: Command, state: State | None) -> list[Event]:
    """The facts that follow from a command.

    Raises NotationError for fewer hours than 1 or more than a year has, or no place; RuleViolation
    `same_period` or `same_place` where nothing changes, `moved` after the salon has moved,
    `not_moved` where it has not; and as `decide_tables`, `decide_confirming` and `decide_paper` do.
    """
    house = state or State()
    if isinstance(command, ReopenSalon):
        if not house.moved_to:
            raise RuleViolation("not_moved", "the salon has not moved: it records here")
        return [SalonReopened(reason=command.reason)]
    if house.moved_to:
        message = sentence(
            "the salon has moved to %(place)s: nothing more is recorded here", place=house.moved_to
        )
        raise RuleViolation("moved", message)
    match command:
        case MoveSalon():
            return [_decide_move(command)]
        case SetCorrectionPeriod():
            return [_period(command, house)]
        case SetConfirming():
            return [decide_confirming(command, house.confirming)]
        case CoverNames() | ErasePerson() | RenamePerson():
            return [decide_names(command)]
        case MergePersons() | SeparatePersons():
            return [decide_persons(command, house.merged)]
        case SetPaper():
            return [decide_paper(command, house.paper)]
        case SetPlace() | SetLogo():
            return [_place(command, house)]
        case _:
            return [*tables.decide_tables(command, house.tables)]


def _period(command: SetCorrectionPeriod, house: State) -> CorrectionPeriodSet:
    if not 1 <= command.hours <= MOST_HOURS:
        raise NotationError(
            "1 to %(most_hours)s hours are expected here", path="hours", most_hours=MOST_HOURS
        )
    if command.hours == house.correction_hours:
        raise RuleViolation(
            "same_period",
            "the correction period has %(hours)s hours already",
            rule=RULE,
            path="hours",
            hours=command.hours,
        )
    return CorrectionPeriodSet(hours=command.hours, reason=command.reason)


def _place(command: SetPlace | SetLogo, house: State) -> PlaceSet | LogoSet:
    if isinstance(command, SetLogo):
        if command.picture == house.logo:
            raise RuleViolation("same_place", "this picture stands there already", path="logo")
        return LogoSet(picture=command.picture)
    if (command.time_zone, command.language) == (house.time_zone, house.language):
        raise RuleViolation(
            "same_place", "time zone and language are set like this already", path="time_zone"
        )
    return PlaceSet(time_zone=command.time_zone, language=command.language)


def _decide_move(command: MoveSalon) -> SalonMoved:
    place = " ".join(command.place.split())
    if not 0 < len(place) <= LONGEST_PLACE:
        message = sentence(
            "the salon's new address is expected here, in 1 to %(most)s characters",
            most=LONGEST_PLACE,
        )
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
        case PlaceSet():
            return house._replace(time_zone=event.time_zone, language=event.language)
        case LogoSet():
            return house._replace(logo=event.picture)
        case PaperSet():
            return house._replace(paper=event.paper)
        case ConfirmingSet():
            return house._replace(confirming=event.way)
        case PersonsMerged() | PersonsSeparated():
            return house._replace(merged=evolve_persons(house.merged, event))
        case NamesCovered() | PersonErased() | PersonRenamed():
            return house
        case _:
            return house._replace(tables=tables.evolve_tables(house.tables, event))
