"""Seasons: begun and kept by directors, and the table of what their tournaments add up to."""

from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct
from rest_framework.request import Request

from ledger.reading import head_of
from scoring.errors import NotationError
from scoring.shape import a_number, a_text, one_of
from tournament.accounts.permissions import Permission
from tournament.api.games import Person, find_first_version
from tournament.api.history import Events, events_of
from tournament.api.http.responses import (
    Answer,
    Done,
    answer_to_recording,
    answer_to_write,
    build_struct,
    make_versioned_answer,
)
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, Page, PageQuery, page_of, read_collection
from tournament.domain.season import rules
from tournament.domain.standings.reading import hundredths
from tournament.domain.standings.values import HUNDREDTHS
from tournament.models import Season
from tournament.projections.standings import read_season_table
from tournament.queries.scale_words import differing_scales
from tournament.recording.seasons import keep_season, open_season
from tournament.salons.players import names_of
from tournament.streams.folds import fold_of


class SeasonLine(Struct, frozen=True, kw_only=True):
    """A season in a list."""

    id: str
    name: str
    closed: bool
    version: int
    started_position: int


class RuleOfSeason(Struct, frozen=True, kw_only=True):
    """How tournaments add up: by `standing_points`, or by `places` (points, the first place first);
    of all results the `best` so many count, or all but the `worst` so many, or all."""

    points: str = rules.BY_STANDING_POINTS
    places: list[float] = []
    best: int | None = None
    worst: int | None = None


class NewSeason(Struct, frozen=True, kw_only=True):
    """A season to begin."""

    name: str
    rule: RuleOfSeason = RuleOfSeason()


class SeasonAct(Struct, frozen=True, kw_only=True):
    """An act of a director: `tournament` (an id) for `events` and `removals`, `name` and `rule` for
    `rules`, `reason` where one is said.
    """

    tournament: str = ""
    name: str = ""
    rule: RuleOfSeason = RuleOfSeason()
    reason: str = ""


class SeasonResult(Struct, frozen=True, kw_only=True):
    """What one tournament is worth to a player. `counts`: it was not left out.

    `rank` 0: the player missed it, or only `stood_in` for somebody there, which is worth points and
    no place.
    """

    tournament: str
    rank: int
    points: float
    counts: bool
    stood_in: bool


class SeasonRow(Struct, frozen=True, kw_only=True):
    """Where a player stands; equal players share a rank."""

    rank: int
    player: Person
    points: float
    results: list[SeasonResult]


class SeasonDetail(Struct, frozen=True, kw_only=True):
    """A season with its table as computed last, which counts every line of the log but the last
    `behind` ones. `differing_scales`: its tournaments count by these, whose points can't be added
    up; count by `places` then. Empty where they can.
    """

    id: str
    name: str
    closed: bool
    version: int
    rule: RuleOfSeason
    tournaments: list[str]
    differing_scales: list[str]
    behind: int
    rows: list[SeasonRow]


class SeasonViewSet(ApiViewSet):
    """Seasons, and the table of what their tournaments add up to."""

    act = Permission.SEE_SALON

    @document_action(query=PageQuery)
    def list_seasons(self, request: Request) -> Page[SeasonLine]:
        """The seasons of the salon, the latest first."""
        rows = Season.objects.filter(salon=self.salon).defer("state")
        return page_of(request, rows).with_shape(partial(build_struct, SeasonLine))

    @document_action(Permission.DIRECT, body=NewSeason)
    def begin_season(self, request: Request) -> Answer[Done]:
        """Begin a season; the key of this write, without dashes, is its id."""
        new, visitor = self.body(NewSeason), self.visitor
        replayed = Season.objects.filter(pk=self.command, salon=visitor.salon).exists()
        row = open_season(visitor.salon, name=_name(new.name), rule=_rule(new.rule), **self.by)
        return answer_to_write(
            row.pk, find_first_version(row.salon, row.pk, self.command), replayed=replayed
        )

    def read_season(self, request: Request, season: str) -> Answer[SeasonDetail]:
        """A season with its table. Its ETag begins with its version."""
        row = self.row(Season, season)
        folded = fold_of(row.salon.log_id, row.pk)
        assert folded is not None
        table, reached = read_season_table(row)
        rows = table.rows if table is not None else ()
        names = names_of(row.salon, {each.player for each in rows}, self.visitor.audience)
        detail = build_struct(
            SeasonDetail,
            row,
            id=row.pk,
            rule=_build_rule(folded.state.rule),
            tournaments=list(folded.state.events),
            differing_scales=differing_scales(row.salon, folded.state),
            behind=head_of(row.salon.log_id).position - reached,
            rows=[
                SeasonRow(
                    rank=each.rank,
                    player=Person(id=each.player, name=names[each.player]),
                    points=each.points / HUNDREDTHS,
                    results=[
                        build_struct(SeasonResult, one, points=one.points / HUNDREDTHS)
                        for one in each.results
                    ],
                )
                for each in rows
            ],
        )
        return make_versioned_answer(detail, row.version)

    @document_action(Permission.DIRECT, body=SeasonAct, version=True)
    def act_in_season(self, request: Request, season: str, collection: str) -> Answer[Done]:
        """Record one act: `events` and `removals` of tournaments, `rules`, `closings`,
        `reopenings`.
        """
        row, visitor = self.row(Season, season), self.visitor
        act = read_collection(ACTS, collection)(self.body(SeasonAct))
        return answer_to_recording(
            keep_season(visitor.salon, row.pk, act, **self.by, version=self.version)
        )

    @document_action(Permission.READ_HISTORY, query=PageQuery)
    def list_season_events(self, request: Request, season: str) -> Answer[Events]:
        """Every event of a season in order; the cursor is a version of it."""
        return events_of(self, self.row(Season, season))


def _name(written: str) -> str:
    return " ".join(written.split())


def _rule(given: RuleOfSeason) -> rules.SeasonRule:
    """Raises NotationError."""
    points = one_of(given.points, (rules.BY_STANDING_POINTS, rules.BY_PLACE), "rule.points")
    if given.best is not None and given.worst is not None:
        raise NotationError(
            "either the best so many count or all but the worst so many", path="rule.worst"
        )
    counts = {
        name: a_number(value, f"rule.{name}", least=1, most=rules.MOST_EVENTS)
        for name, value in (("best", given.best), ("worst", given.worst))
        if value is not None
    }
    places = tuple(
        hundredths(value, f"rule.places[{place}]") for place, value in enumerate(given.places)
    )
    return rules.SeasonRule(
        points=points, places=places if points == rules.BY_PLACE else (), **counts
    )


def _build_rule(rule: rules.SeasonRule) -> RuleOfSeason:
    return build_struct(RuleOfSeason, rule, places=[each / HUNDREDTHS for each in rule.places])


def _reason(given: SeasonAct) -> str:
    return a_text(_name(given.reason), "reason")


# The collection an act is sent to, and what it says; each raises Refusal.
ACTS: Mapping[str, Callable[[SeasonAct], rules.Command]] = {
    "events": lambda given: rules.AddEvent(tournament=given.tournament),
    "removals": lambda given: rules.RemoveEvent(tournament=given.tournament, reason=_reason(given)),
    "rules": lambda given: rules.ChangeSeason(name=_name(given.name), rule=_rule(given.rule)),
    "closings": lambda given: rules.CloseSeason(),
    "reopenings": lambda given: rules.ReopenSeason(reason=_reason(given)),
}
