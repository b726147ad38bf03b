"""A season's facts: which tournaments it adds up, and by which rule; made, changed and closed by
the salon's directors.
"""

from dataclasses import dataclass, replace

from scoring.deciding import Decisions
from scoring.errors import NotationError, RuleViolation
from scoring.folding import Changes
from tournament.domain.checks import check_length, check_word
from tournament.domain.names import LONGEST_NAME
from tournament.domain.standings.values import HUNDREDTHS

RULE = "Seasons"
MOST_EVENTS = 200
MOST_PLACES = 200
MOST_POINTS = 10_000 * HUNDREDTHS
BY_STANDING_POINTS, BY_PLACE = "standing_points", "places"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRule:
    """The rule by which tournaments add up.

    `points` says what each is worth to a player: its standing points, or the points of
    `places` (hundredths, the first place first, nothing below the last; equal places
    share theirs). Of all results the `best` ones count, or all but the `worst` ones, by
    these numbers; all of them if both are None. A tournament that a player missed is a
    result without points.
    """

    points: str = BY_STANDING_POINTS
    places: tuple[int, ...] = ()
    best: int | None = None
    worst: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSeason:
    """Begin a season."""

    name: str
    rule: SeasonRule


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSeason:
    """Set name and rule anew."""

    name: str
    rule: SeasonRule


@dataclass(frozen=True, slots=True, kw_only=True)
class AddEvent:
    """Let a tournament (its stream) count in the season."""

    tournament: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveEvent:
    """Let it count no longer."""

    tournament: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseSeason:
    """End the season: its tournaments and its rule stay as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenSeason:
    """Go on with a season that was closed."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonOpened:
    """A season began."""

    name: str
    rule: SeasonRule


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonChanged:
    """Name and rule were set anew; the whole season is added up by them."""

    name: str
    rule: SeasonRule


@dataclass(frozen=True, slots=True, kw_only=True)
class EventAdded:
    """A tournament counts in the season."""

    tournament: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRemoved:
    """A tournament counts in the season no longer; `reason` is a digest."""

    tournament: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonClosed:
    """The season is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonReopened:
    """The season goes on; `reason` is a digest."""

    reason: str


type Command = OpenSeason | ChangeSeason | AddEvent | RemoveEvent | CloseSeason | ReopenSeason
type Event = (
    SeasonOpened | SeasonChanged | EventAdded | EventRemoved | SeasonClosed | SeasonReopened
)

# The stored names, written out: a class may be renamed, a stored name never.
SHAPES: dict[tuple[str, int], type[Event]] = {
    ("season.opened", 1): SeasonOpened,
    ("season.changed", 1): SeasonChanged,
    ("season.event_added", 1): EventAdded,
    ("season.event_removed", 1): EventRemoved,
    ("season.closed", 1): SeasonClosed,
    ("season.reopened", 1): SeasonReopened,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A season after `version` events; `events` are its tournaments in the order added."""

    version: int
    name: str
    rule: SeasonRule
    events: tuple[str, ...] = ()
    closed: bool = False


def decide(command: Command, state: State | None) -> list[Event]:
    """The fact that follows from a command.

    Raises RuleViolation with a code and what is missing, NotationError for a name or rule that
    can't be.
    """
    if state is None:
        if not isinstance(command, OpenSeason):
            raise _refused("wrong_phase", "there is no such season; begin it first")
        _check(command.name, command.rule)
        return [SeasonOpened(name=command.name, rule=command.rule)]
    if isinstance(command, OpenSeason):
        raise _refused("wrong_phase", "this season has begun already")
    if state.closed and not isinstance(command, ReopenSeason):
        raise _refused(
            "wrong_phase",
            "the season is closed; open it again, with a reason, before anything changes",
        )
    return [*DECISIONS[type(command)](command, state)]


def evolve(state: State | None, event: Event) -> State:
    """The season after one more fact; `None` is the season before the first."""
    if state is None:
        assert isinstance(event, SeasonOpened)
        return State(version=1, name=event.name, rule=event.rule)
    return replace(CHANGES[type(event)](state, event), version=state.version + 1)


def _check(name: str, rule: SeasonRule) -> None:
    check_length(name.strip(), LONGEST_NAME)
    check_word(rule.points, (BY_STANDING_POINTS, BY_PLACE), "points")
    if rule.points == BY_PLACE and not 0 < len(rule.places) <= MOST_PLACES:
        raise NotationError(
            "the points of 1 to %(most_places)s places are expected here, the first place first",
            path="places",
            most_places=MOST_PLACES,
        )
    if any(not 0 <= points <= MOST_POINTS for points in rule.places) or list(rule.places) != sorted(
        rule.places, reverse=True
    ):
        raise NotationError(
            "no place has fewer points than the next, and none fewer than 0", path="places"
        )
    if rule.best is not None and rule.worst is not None:
        raise NotationError("say how many count, or how many are left out, not both", path="best")
    if any(
        count is not None and not 1 <= count <= MOST_EVENTS for count in (rule.best, rule.worst)
    ):
        raise NotationError(
            "a number from 1 to %(most_events)s is expected here",
            path="best" if rule.worst is None else "worst",
            most_events=MOST_EVENTS,
        )


def _change(command: ChangeSeason, state: State) -> list[Event]:
    _check(command.name, command.rule)
    if (command.name, command.rule) == (state.name, state.rule):
        raise _refused("unchanged", "that is how it is already", "name")
    return [SeasonChanged(name=command.name, rule=command.rule)]


def _add(command: AddEvent, state: State) -> list[Event]:
    if command.tournament in state.events:
        raise _refused("event_twice", "this tournament counts in the season already", "tournament")
    if len(state.events) >= MOST_EVENTS:
        raise _refused(
            "too_many",
            "a season has %(most_events)s tournaments at most",
            "tournament",
            most_events=MOST_EVENTS,
        )
    return [EventAdded(tournament=command.tournament)]


def _remove(command: RemoveEvent, state: State) -> list[Event]:
    if command.tournament not in state.events:
        raise _refused(
            "event_missing", "this tournament does not count in the season", "tournament"
        )
    if not command.reason:
        raise _refused("reason_missing", "say why it counts no longer", "reason")
    return [EventRemoved(tournament=command.tournament, reason=command.reason)]


def _close(_command: CloseSeason, state: State) -> list[Event]:
    if not state.events:
        raise _refused("event_missing", "no tournament counts in the season yet", "tournament")
    return [SeasonClosed()]


def _reopen(command: ReopenSeason, state: State) -> list[Event]:
    if not state.closed:
        raise _refused("wrong_phase", "the season is not closed")
    if not command.reason:
        raise _refused("reason_missing", "say why it goes on", "reason")
    return [SeasonReopened(reason=command.reason)]


def _refused(code: str, message: str, path: str = "", **values: object) -> RuleViolation:
    return RuleViolation(code, message, rule=RULE, path=path, **values)


DECISIONS: Decisions[State, Event] = {
    ChangeSeason: _change,
    AddEvent: _add,
    RemoveEvent: _remove,
    CloseSeason: _close,
    ReopenSeason: _reopen,
}
CHANGES: Changes[State] = {
    SeasonChanged: lambda state, event: replace(state, name=event.name, rule=event.rule),
    EventAdded: lambda state, event: replace(state, events=(*state.events, event.tournament)),
    EventRemoved: lambda state, event: replace(
        state, events=tuple(each for each in state.events if each != event.tournament)
    ),
    SeasonClosed: lambda state, _event: replace(state, closed=True),
    SeasonReopened: lambda state, _event: replace(state, closed=False),
}
