"""The history of a tournament: everything its director did, in plain words, the standings as of any
of it, and how an entry's standing points came to be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from scoring.errors import NotationError
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.actor_names import actors_in_words
from tournament.accounts.permissions import Permission
from tournament.domain.standings.ranking import Standing, Standings
from tournament.pages.common.tournament_context import context_of
from tournament.pages.history.history import (
    filters,
    number,
    query_without,
    read_check_progress,
    read_filter,
)
from tournament.pages.history.stepping import (
    Steps,
    TypedMoment,
    place_of,
    read_asked_moment,
    steps_at,
    steps_to,
)
from tournament.queries.game_as_of import CLOCKS
from tournament.queries.game_results import GameResult, game_results
from tournament.queries.history import HistoryFilter
from tournament.queries.history_lines import HistoryLine, history_lines
from tournament.queries.standing_points import standing_points
from tournament.queries.tournament import TournamentView, names_then, silent_from
from tournament.queries.tournament_as_of import TournamentPicture, after, present, tournament_as_of
from tournament.queries.tournament_history import KINDS, is_wanted
from tournament.queries.tournament_visibility import public_or_404
from tournament.streams.acts import Moment, moments_of

SHOWN = 60
NARROWING = ("show", "by", "player", "table", "since", "until")
LATER_SHOWN = 4  # so many later acts stand above the one the standings are shown as of


@dataclass(frozen=True, slots=True, kw_only=True)
class ThenAndNow:
    """The tournament as of a moment beside that of now."""

    picture: TournamentPicture
    now: Standings

    @property
    def rows(self) -> Iterator[tuple[Standing, Standing | None]]:
        """Each entry as it stood then, and as it stands now."""
        today = {row.entry: row for row in self.now.rows}
        return ((row, today.get(row.entry)) for row in self.picture.standings.rows)

    @property
    def differing(self) -> int:
        """The number of entries with another rank or other points now."""
        return sum(
            now is None or (row.rank, row.points) != (now.rank, now.points)
            for row, now in self.rows
        )


@require_GET
@requires(Permission.READ_HISTORY)
def tournament_history(request: SalonRequest, tournament: str) -> HttpResponse:
    """The acts of a tournament with the standings as of `?at=` (a version) or `?as_of=` (a time or
    an entry), else as of now.
    """
    at = public_or_404(request.visitor, tournament)
    moments = moments_of(at.row.salon.log_id, at.row.pk)
    picture, step, asked = _picture_and_steps(request, at, moments)
    wanted = read_filter(request, KINDS)
    listed = [moment for moment in reversed(moments) if is_wanted(moment, wanted)]
    start = _start(listed, picture.until, wanted.before)
    page = listed[start : start + SHOWN]
    acts = history_lines(at.row.salon, {at.row.pk: at.row}, page, at.audience)
    context = context_of(request, at) | {
        "picture": picture,
        "shown": ThenAndNow(picture=picture, now=present(request.visitor, at, moments).standings),
        "names_then": names_then(at, picture.then.state),
        "step": step,
        "typed_moment": asked,
        "clocks": CLOCKS.items(),
        "acts": _with_results(acts, _results(request, at, moments, wanted), newest=start == 0),
        "here_before": next(
            (
                moment.entry.stored.position
                for moment in page
                if moment.last.version <= picture.until
            ),
            None,
        ),
        "earlier": page[-1].first.version if len(listed) > start + SHOWN else None,
        "later": start > 0,
        "wanted": wanted,
        "kinds": filters(request, wanted, KINDS),
        "people": actors_in_words(
            at.row.salon, {moment.entry.stored.actor for moment in moments}, at.audience
        ).items(),
        "tables": range(1, _most_tables(at) + 1),
        "stepping": query_without(request, "at", "as_of", "clock", "before"),
        "other_query": query_without(request, "before"),
        "kept_fields": [(name, request.GET[name]) for name in NARROWING if request.GET.get(name)],
        "checked": read_check_progress(at.row.salon.log_id),
        "may_audit": request.visitor.may(Permission.AUDIT),
    }
    return render(
        request, "tournaments/history.html", context, status=400 if asked.problem else 200
    )


def _picture_and_steps(
    request: SalonRequest, at: TournamentView, moments: Sequence[Moment]
) -> tuple[TournamentPicture, Steps, TypedMoment]:
    """The moment that the address asks for; now, and what was wrong, where it can't be read."""
    typed, clock = read_asked_moment(request)
    version, problem = number(request, "at"), None
    if not typed and version is not None:
        place = place_of(moments, version)
        picture = after(request.visitor, at, moments[place], moments[place].last.position)
        return picture, steps_at(moments, place), TypedMoment(typed="", clock=clock)
    try:
        picture = tournament_as_of(request.visitor, at, moments, typed, clock)
    except NotationError as refused:
        picture, problem = present(request.visitor, at, moments), refused
    steps = steps_to(moments, picture.version)
    return picture, steps, TypedMoment(typed=typed, clock=clock, problem=problem)


def _results(
    request: SalonRequest, at: TournamentView, moments: Sequence[Moment], wanted: HistoryFilter
) -> list[GameResult]:
    """Return the results and changes of linked games, as far as the filter includes them."""
    if wanted.kind not in ("", "results") or wanted.actor or wanted.since or wanted.until:
        return []
    found = game_results(at, moments, silent_from(at, request.visitor))
    seated = {
        (each.number, table.table)
        for each in at.state.rounds
        for table in each.tables
        if wanted.player in ("", *table.entries)
    }
    return [
        each
        for each in found
        if wanted.table in ("", str(each.table)) and (each.round, each.table) in seated
    ]


def _with_results(
    page: Sequence[HistoryLine], results: Sequence[GameResult], *, newest: bool
) -> list[tuple[list[GameResult], HistoryLine]]:
    """Each act, newest first, after the results that came between it and the next one."""
    together, until = [], None
    for each in page:
        between = [
            one
            for one in results
            if one.position > each.position and (until is None or one.position < until)
        ]
        together.append((list(reversed(between)) if newest or until is not None else [], each))
        until = each.position
    return together


def _most_tables(at: TournamentView) -> int:
    """The highest number of a table in any of the rounds that are published; 0 before the first."""
    return max(
        (table.table for each in at.state.rounds if each.published for table in each.tables),
        default=0,
    )


def _start(listed: Sequence[Moment], until: int, before: int | None) -> int:
    """Return the index in the list, newest first, where the page begins: below an act, or
    a little above the one the standings are shown as of.
    """
    if before is not None:
        return sum(moment.first.version >= before for moment in listed)
    return max(0, sum(moment.last.version > until for moment in listed) - LATER_SHOWN)


@require_GET
@requires(Permission.SEE_SALON)
def tournament_points(request: SalonRequest, tournament: str, entry: str) -> HttpResponse:
    """The account of an entry's points, now or, for those who read the history, as of `?at=`, a
    version of the tournament.
    """
    visitor, at = request.visitor, public_or_404(request.visitor, tournament)
    reads_history = visitor.may(Permission.READ_HISTORY)
    version = number(request, "at") if reads_history else None
    moments = moments_of(at.row.salon.log_id, at.row.pk) if reads_history else []
    if version is not None:
        moments = moments[: place_of(moments, version) + 1]
        picture = after(visitor, at, moments[-1], moments[-1].last.position)
    else:
        picture = present(visitor, at, moments)
    found = standing_points(at, picture, moments, entry, linked=reads_history)
    context = context_of(request, at) | {
        "points": found,
        "picture": picture,
        "at": version,
        "reads_history": reads_history,
    }
    return render(request, "tournaments/points.html", context)
