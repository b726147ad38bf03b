"""Seasons: begun and kept by directors, and the table of what their tournaments add up to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.http import Http404
from django.shortcuts import get_object_or_404

from ledger.reading import head_of
from scoring.errors import NotationError
from scoring.shape import a_number, a_text, one_of
from tournament.accounts.permissions import Act
from tournament.api.games import Person, begun_at
from tournament.api.history import Events, events_of
from tournament.api.http.operations import Call, operation
from tournament.api.http.responses import Answer, Asked, Done, Page, paged, recorded
from tournament.domain.season.rules import (
    BY_PLACE,
    BY_STANDING_POINTS,
    MOST_EVENTS,
    AddEvent,
    ChangeSeason,
    CloseSeason,
    Command,
    RemoveEvent,
    ReopenSeason,
    SeasonRule,
)
from tournament.domain.standings.reading import hundredths
from tournament.domain.standings.values import HUNDREDTHS
from tournament.models import Season
from tournament.projections.seasons import computed_season
from tournament.recording.seasons import keep_season, open_season
from tournament.salons.players import names_of
from tournament.streams.folds import fold_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonLine:
    """A season in a list."""

    id: str
    name: str
    closed: bool
    version: int
    started_position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOfSeason:
    """How tournaments add up: by `standing_points`, or by `places` (points, the first place first);
    of all results the `best` so many count, or all but the `worst` so many, or all."""

    points: str = BY_STANDING_POINTS
    places: list[float] = field(default_factory=list)
    best: int | None = None
    worst: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSeason:
    """A season to begin."""

    name: str
    rule: RuleOfSeason = field(default_factory=RuleOfSeason)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonAct:
    """An act of a director: `tournament` (an id) for `events` and `removals`, `name` and `rule` for
    `rules`, `reason` where one is said.
    """

    tournament: str = ""
    name: str = ""
    rule: RuleOfSeason = field(default_factory=RuleOfSeason)
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonResult:
    """What one tournament is worth to a player. `counts`: it was not left out.

    `rank` 0: the player missed it, or only `stood_in` for somebody there, which is worth points and
    no place.
    """

    tournament: str
    rank: int
    points: float
    counts: bool
    stood_in: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    """Where a player stands; equal players share a rank."""

    rank: int
    player: Person
    points: float
    results: list[SeasonResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonDetail:
    """A season with its table as computed last, which counts every entry of the log but the last
    `behind` ones.
    """

    id: str
    name: str
    closed: bool
    version: int
    rule: RuleOfSeason
    tournaments: list[str]
    behind: int
    rows: list[SeasonRow]


@operation(Act.SEE_SALON, answers=Page[SeasonLine], query=Asked)
def list_seasons(call: Call) -> Page[SeasonLine]:
    """The seasons of the salon, the latest first."""
    rows = Season.objects.filter(salon=call.visitor.salon).order_by("-started_position")
    if call.query.cursor is not None:
        rows = rows.filter(started_position__lt=call.query.cursor)
    return paged(
        [(row.started_position, _line(row)) for row in rows[: call.query.limit + 1]],
        call.query.limit,
    )


@operation(Act.DIRECT, answers=Done, status=201, body=NewSeason, keyed=True)
def begin_season(call: Call) -> Answer:
    """Begin a season; the key of this write, without dashes, is its id."""
    new, visitor = call.body, call.visitor
    replayed = Season.objects.filter(pk=call.command, salon=visitor.salon).exists()
    row = open_season(
        visitor.salon,
        name=_name(new.name),
        rule=_rule(new.rule),
        actor=visitor.actor,
        command=call.command,
    )
    done = Done(stream=row.pk, version=begun_at(row.salon, row.pk, call.command))
    return Answer(
        value=done,
        headers={"Idempotency-Replayed": "true"} if replayed else {},
        version=done.version,
    )


@operation(Act.SEE_SALON, answers=SeasonDetail)
def read_season(call: Call, season: str) -> Answer:
    """A season with its table. Its ETag begins with its version."""
    row = _season(call, season)
    folded = fold_of(row.salon.log_id, row.pk)
    assert folded is not None
    table, reached = computed_season(row)
    rows = table.rows if table is not None else ()
    names = names_of(row.salon, {each.player for each in rows}, call.visitor.audience)
    detail = SeasonDetail(
        id=row.pk,
        name=row.name,
        closed=row.closed,
        version=row.version,
        rule=_written(folded.state.rule),
        tournaments=list(folded.state.events),
        behind=head_of(row.salon.log_id).position - reached,
        rows=[
            SeasonRow(
                rank=each.rank,
                player=Person(id=each.player, name=names[each.player]),
                points=each.points / HUNDREDTHS,
                results=[
                    SeasonResult(
                        tournament=one.tournament,
                        rank=one.rank,
                        points=one.points / HUNDREDTHS,
                        counts=one.counts,
                        stood_in=one.stood_in,
                    )
                    for one in each.results
                ],
            )
            for each in rows
        ],
    )
    return Answer(value=detail, version=row.version)


@operation(Act.DIRECT, answers=Done, status=201, body=SeasonAct, on_version=True)
def act_in_season(call: Call, season: str, collection: str) -> Answer:
    """Record one act: `events` and `removals` of tournaments, `rules`, `closings`, `reopenings`."""
    row, visitor = _season(call, season), call.visitor
    if collection not in ACTS:
        raise Http404
    act = ACTS[collection](call.body)
    return recorded(
        keep_season(
            visitor.salon,
            row.pk,
            act,
            actor=visitor.actor,
            command=call.command,
            version=call.version,
        )
    )


@operation(Act.READ_HISTORY, answers=Events, query=Asked)
def list_season_events(call: Call, season: str) -> Answer:
    """Every event of a season in order; the cursor is a version of it."""
    return events_of(call, _season(call, season))


def _season(call: Call, season: str) -> Season:
    return get_object_or_404(
        Season.objects.select_related("salon"), salon=call.visitor.salon, pk=season
    )


def _line(row: Season) -> SeasonLine:
    return SeasonLine(**{name: getattr(row, name) for name in SeasonLine.__dataclass_fields__})


def _name(written: str) -> str:
    return " ".join(written.split())


def _rule(given: RuleOfSeason) -> SeasonRule:
    """Raises NotationError."""
    points = one_of(given.points, (BY_STANDING_POINTS, BY_PLACE), "rule.points")
    if given.best is not None and given.worst is not None:
        raise NotationError(
            "either the best so many count or all but the worst so many", path="rule.worst"
        )
    counts = {
        name: a_number(value, f"rule.{name}", least=1, most=MOST_EVENTS)
        for name, value in (("best", given.best), ("worst", given.worst))
        if value is not None
    }
    places = tuple(
        hundredths(value, f"rule.places[{place}]") for place, value in enumerate(given.places)
    )
    return SeasonRule(points=points, places=places if points == BY_PLACE else (), **counts)


def _written(rule: SeasonRule) -> RuleOfSeason:
    return RuleOfSeason(
        points=rule.points,
        places=[each / HUNDREDTHS for each in rule.places],
        best=rule.best,
        worst=rule.worst,
    )


def _reason(given: SeasonAct) -> str:
    return a_text(_name(given.reason), "reason")


# The collection an act is sent to, and what it says; each raises Refusal.
ACTS: Mapping[str, Callable[[SeasonAct], Command]] = {
    "events": lambda given: AddEvent(tournament=given.tournament),
    "removals": lambda given: RemoveEvent(tournament=given.tournament, reason=_reason(given)),
    "rules": lambda given: ChangeSeason(name=_name(given.name), rule=_rule(given.rule)),
    "closings": lambda given: CloseSeason(),
    "reopenings": lambda given: ReopenSeason(reason=_reason(given)),
}
