"""Rounds of a tournament: who meets whom and why, what came of it, the standings, and each entry's
path.
"""

from collections.abc import Sequence

import msgspec
from django.http import Http404
from django.utils import timezone
from msgspec import Struct
from rest_framework.request import Request

from scoring.shape import JsonMapping, JsonObject
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import build_struct
from tournament.api.http.viewsets import ApiViewSet
from tournament.api.tournaments import EntryLine, entry_line
from tournament.domain.standings.ranking import Standings
from tournament.domain.standings.scales import bye_worth
from tournament.domain.standings.stages import tie_breaks_of
from tournament.domain.standings.values import HUNDREDTHS, Result
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import RoundState
from tournament.queries.entry_paths import path_of
from tournament.queries.outdated_draws import ChangedSince, old_standings
from tournament.queries.team_matches import ShownMatch
from tournament.queries.tournament import (
    SeatedEntry,
    ShownTable,
    TournamentView,
    UnconfirmedResult,
    computed,
    is_silent,
    list_tables,
    unconfirmed,
)
from tournament.queries.tournament_visibility import hide_silent_rounds, public_or_404


class Seated(Struct, frozen=True, kw_only=True):
    """An entry at a table: the side it sits at, its standing points and its result as far as they
    are in and not silent.

    Of a team `line_up` are those who play, by name in the order of the seats, empty until it is
    open; `handed_in` says that there is one, sealed or open.
    """

    entry: str
    name: str
    side: str
    points: float | None
    result: JsonObject | None
    absent: bool
    line_up: Sequence[str]
    handed_in: bool


class RoundTable(Struct, frozen=True, kw_only=True):
    """A table of a round: its state is waiting, playing, abandoned, done, excused or forfeit;
    `counts` says what counts there (forfeit, excused, typed, game), or why nothing does yet
    (playing, abandoned, detached, not_played, waiting); `differs`: its game came to something else,
    and nobody accepted that. `confirmation` is that of its game ("" without one that has to be);
    `why` is what the draw met and broke for it, nothing where that would tell silent results.
    `by_hand`: a director changed who sits here, and `why` is what that comes to. `dealer` is the
    seat that deals the first hand; `deals` are those played there by number, nothing where each
    table deals its own.
    """

    table: int
    status: str
    counts: str
    differs: bool
    confirmation: str
    game: str | None
    seated: list[Seated]
    dealer: str | None
    deals: Sequence[int]
    why: list[JsonObject]
    by_hand: bool


class MatchTeamLine(Struct, frozen=True, kw_only=True):
    """A team of a match at several tables: the `sum` of what the scale counts over those with a
    result, and its standing points once all have theirs; null before that, and while they are
    silent.
    """

    entry: str
    name: str
    sum: float | None
    points: float | None


class MatchLine(Struct, frozen=True, kw_only=True):
    """A match of two teams at several tables, by their numbers; those in `lacking` have no result
    yet. It counts the sum over its tables.
    """

    tables: Sequence[int]
    teams: list[MatchTeamLine]
    lacking: Sequence[int]


class ByeLine(Struct, frozen=True, kw_only=True):
    """An entry without a table in a round; `why` as at a table, nothing for a bye that was asked
    for. `points` are what it counts, null where that is the mean of what the entry plays.
    """

    entry: str
    name: str
    kind: str
    points: float | None
    why: list[JsonObject]


class RoundDetail(Struct, frozen=True, kw_only=True):
    """A round as drawn and played; `digest` and `engine` say from what and by which engine it was
    drawn, `seed` with which lots; while it is `manual`, it is being paired by hand.

    `totals` is what the whole round comes to in every aim, `changed_since` the earlier results that
    changed the standings after it was drawn; nothing where that would tell silent results.
    `seconds_left` is null while the clock was not started; `silent`: its results are hidden from
    this visitor. `matches` are those of teams that meet at several tables, nothing where a match
    has one. A round of a plan names its `construction`, and has in `counted` what the verifier
    counted in the whole plan: pairs of how often, for how many.
    """

    number: int
    version: int
    published: bool
    closed: bool
    manual: bool
    silent: bool
    engine: str
    digest: str
    seed: int
    seconds_left: int | None
    tables: list[RoundTable]
    matches: list[MatchLine]
    byes: list[ByeLine]
    broken: list[JsonObject]
    totals: list[JsonObject]
    construction: str
    counted: JsonObject | None
    changed_since: Sequence[ChangedSince]


class StandingRow(Struct, frozen=True, kw_only=True):
    """A row of the standings; equal entries share a rank. `points` are null where they are a mean
    and nothing was played.
    """

    rank: int
    entry: str
    name: str
    points: float | None
    tie_breaks: dict[str, float]
    played: int


class StandingsTable(Struct, frozen=True, kw_only=True):
    """The standings as computed last: they count every line of the log up to `position`, `behind`
    more wait.

    `silent`: later rounds are hidden from this visitor; `unconfirmed` are the results in them that
    are not confirmed yet.
    """

    version: int
    after_round: int
    position: int
    behind: int
    error: str
    silent: bool
    tie_breaks: list[str]
    rows: list[StandingRow]
    unconfirmed: list[UnconfirmedResult]


class PathStep(Struct, frozen=True, kw_only=True):
    """One round of an entry: what became of it, at which table and side, with and against whom, and
    the points (null: missing or hidden). A match at several tables has them all in `tables`, and
    the sums over them as `own` and `theirs`.
    """

    round: int
    kind: str
    table: int | None
    tables: list[int]
    partners: list[str]
    opponents: list[str]
    own: str
    theirs: str
    points: float | None
    side: str


class EntryPath(Struct, frozen=True, kw_only=True):
    """An entry and its path through the rounds."""

    entry: EntryLine
    path: list[PathStep]


class RoundViewSet(ApiViewSet):
    """Rounds of a tournament, its standings, and each entry's path."""

    act = Permission.SEE_SALON

    def read_round(self, request: Request, tournament: str, number: int) -> RoundDetail:
        """A round with its pairings, why they were drawn, and its results; before it is published
        for the director alone.
        """
        at = public_or_404(self.visitor, tournament)
        each = next((each for each in at.state.rounds if each.number == number), None)
        if each is None or not (each.published or self.visitor.may(Permission.DIRECT)):
            raise Http404
        silent = is_silent(at, self.visitor, number)
        told = not is_silent(at, self.visitor, number - 1)
        old = old_standings(at, each) if told else None
        shown = list_tables(at, each)
        return build_struct(
            RoundDetail,
            each,
            number=number,
            version=at.row.version,
            silent=silent,
            seed=at.state.seed if each.seed is None else each.seed,
            seconds_left=_seconds_left(each),
            tables=[_table(table, silent=silent, told=told) for table in shown],
            matches=[
                _match(table.match, silent=silent)
                for table in shown
                if table.match is not None and table.begins_match
            ],
            byes=bye_lines(at, each, told=told),
            broken=msgspec.to_builtins(each.broken),
            totals=msgspec.to_builtins(each.totals) if told else [],
            counted=None if each.counted is None else msgspec.to_builtins(each.counted),
            changed_since=old.tables if old is not None else [],
        )

    def read_standings(self, request: Request, tournament: str) -> StandingsTable:
        """The standings with every tie-break; silent rounds count for the director alone."""
        at = public_or_404(self.visitor, tournament)
        found = computed(at)
        table, silent = hide_silent_rounds(at, self.visitor, found)
        return build_struct(
            StandingsTable,
            found,
            version=at.row.version,
            after_round=table.after_round if table is not None else 0,
            silent=silent,
            tie_breaks=list(tie_breaks_of(field_of(at.state, at.outcomes))),
            rows=standing_rows(at, table) if table is not None else [],
            unconfirmed=unconfirmed(at, until=table.after_round) if table is not None else [],
        )

    def read_entry(self, request: Request, tournament: str, entry: str) -> EntryPath:
        """An entry and its path: round by round whom it met and what came of it."""
        at = public_or_404(self.visitor, tournament)
        found = at.state.entry(entry)
        if found is None:
            raise Http404
        steps = [
            build_struct(
                PathStep,
                step,
                tables=[part.table for part in step.at_tables if part.table is not None],
                partners=[other for other, _name in step.partners],
                opponents=[other for other, _name in step.opponents],
                points=None if step.points is None else step.points / HUNDREDTHS,
            )
            for step in path_of(at, self.visitor, entry)
        ]
        return EntryPath(entry=entry_line(at, found), path=steps)


def bye_lines(at: TournamentView, each: RoundState, *, told: bool) -> list[ByeLine]:
    """Return the byes of a round, with the reasons if they can be `told`."""
    why = (*each.byes_why, *[()] * len(each.byes)) if told else [()] * len(each.byes)
    scale = at.state.stage_in(each.number).scale
    return [
        build_struct(
            ByeLine,
            bye,
            name=at.entries.get(bye.entry, ""),
            points=None if (worth := bye_worth(scale, bye)) is None else worth / HUNDREDTHS,
            why=msgspec.to_builtins(reasons),
        )
        for bye, reasons in zip(each.byes, why, strict=False)
    ]


def standing_rows(at: TournamentView, table: Standings) -> list[StandingRow]:
    """Standings with names, points and tie-breaks with their fractions."""
    return [
        build_struct(
            StandingRow,
            row,
            name=at.entries.get(row.entry, row.entry),
            points=None if row.points is None else row.points / HUNDREDTHS,
            tie_breaks={name: value / HUNDREDTHS for name, value in row.tie_breaks},
        )
        for row in table.rows
    ]


def _table(shown: ShownTable, *, silent: bool, told: bool) -> RoundTable:
    """A table; `told` says whether why it was drawn may be: that names the scores of the round
    before.
    """
    return build_struct(
        RoundTable,
        shown.table,
        status=shown.status,
        counts=shown.counts,
        differs=shown.differs and not silent,
        confirmation=shown.confirmation,
        seated=[_build_seated(each, silent=silent) for each in shown.seated],
        why=msgspec.to_builtins(shown.table.why) if told else [],
    )


def _match(match: ShownMatch, *, silent: bool) -> MatchLine:
    def if_shown(number: int | None) -> float | None:
        return None if silent or number is None else number / HUNDREDTHS

    return build_struct(
        MatchLine,
        match,
        teams=[
            build_struct(MatchTeamLine, team, sum=if_shown(team.sum), points=if_shown(team.points))
            for team in match.teams
        ],
    )


def _build_seated(each: SeatedEntry, *, silent: bool) -> Seated:
    return build_struct(
        Seated,
        each,
        points=None if silent or each.points is None else each.points / HUNDREDTHS,
        result=None if silent or each.result is None else _result(each.result),
    )


def _result(result: Result) -> dict[str, object]:
    """Return the result of an entry, scores and points with their fractions."""
    said: JsonMapping = msgspec.to_builtins(result)
    return {
        name: value / HUNDREDTHS if name in ("points", "score") else value
        for name, value in said.items()
        if value is not None
    }


def _seconds_left(each: RoundState) -> int | None:
    if each.clock is None or not each.clock.seconds:
        return None
    return each.clock.seconds_left(int(timezone.now().timestamp() * 1_000_000))
