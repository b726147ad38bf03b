"""Seasons: the table with what was left out, and for directors what counts in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ledger.drafts import CommandReused, StreamMoved
from ledger.models import Log
from scoring.errors import NotationError, Refusal
from scoring.shape import a_text
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.season import rules
from tournament.domain.season.table import SeasonRow, SeasonTable, results_to_count
from tournament.domain.standings.values import HUNDREDTHS
from tournament.models import Salon, Season, Tournament
from tournament.pages.common.form_values import (
    NOT_RECORDED,
    Problem,
    claim_of,
    new_command,
    problem_of,
    status_of,
    version_of,
    whole_number,
    why_not,
)
from tournament.pages.desk.stage_fields import SCALES
from tournament.pages.tournaments.season_words import rule_in_words
from tournament.projections.background import why_parked
from tournament.projections.registry import resume_all
from tournament.projections.standings import SEASONS, read_season_table
from tournament.queries.history_lines import lines_of_stream
from tournament.queries.scale_words import differing_scales
from tournament.queries.stopped_projections import list_parked_subjects
from tournament.recording.seasons import keep_season, open_season
from tournament.salons.players import names_of
from tournament.streams.folds import fold_of

USUAL_PLACES = "25 18 15 12 10 8 6 4 2 1"
POINTS = (
    (rules.BY_STANDING_POINTS, gettext_lazy("Standing points")),
    (rules.BY_PLACE, gettext_lazy("By place")),
)
KEEPS = (
    ("all", gettext_lazy("All")),
    ("best", gettext_lazy("The best")),
    ("worst", gettext_lazy("All but the worst")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonForm:
    """The values of the form of a season."""

    name: str = ""
    points: str = rules.BY_STANDING_POINTS
    places: str = USUAL_PLACES
    keeps: str = "all"
    count: str = "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A tournament of a season: `over` says whether it counts yet, `number` its column in the table
    (0: none), `left_out` that it could not be computed.
    """

    tournament: str
    name: str
    over: bool
    number: int
    left_out: bool


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.DIRECT)
def new_season(request: SalonRequest) -> HttpResponse:
    """The form, and the season begun by it; what was wrong stands beside its field and nothing
    typed is lost.
    """
    if request.method != "POST":
        return _form(request, SeasonForm(), None)
    written, visitor = _read_form(request.POST), request.visitor
    try:
        claim = claim_of(request)
        row = open_season(visitor.salon, name=written.name, rule=_rule(written), **claim)
    except NOT_RECORDED as failure:
        words = _("This form was sent before. Send it again.")
        return _form(request, written, why_not(failure, words))
    return redirect("season", season=row.pk)


@never_cache
@require_GET
@requires(Permission.SEE_SALON)
def season(request: SalonRequest, season: str) -> HttpResponse:
    """The table as it was computed last."""
    return _season(request, _row(request, season), None)


@never_cache
@require_POST
@requires(Permission.DIRECT)
def season_acts(request: SalonRequest, season: str, collection: str) -> HttpResponse:
    """Record what a director does: a tournament added or removed, the rule changed, the season
    closed or opened again. `computations` lets a table that could not be computed try again.
    """
    row, visitor = _row(request, season), request.visitor
    if collection == "computations":
        resume_all(visitor.salon.log)
        messages.success(request, _("It tries again. The table follows in a moment."))
        return redirect("season", season=row.pk)
    if collection not in ACTS:
        raise Http404
    try:
        keep_season(
            visitor.salon,
            row.pk,
            ACTS[collection](request.POST),
            version=version_of(request.POST),
            **claim_of(request),
        )
    except Refusal as refusal:
        return _season(request, row, problem_of(refusal), tried=collection)
    except (StreamMoved, CommandReused) as moved:
        return _season(request, _row(request, season), why_not(moved), tried=collection)
    messages.success(request, _("Recorded. The table follows in a moment."))
    return redirect("season", season=row.pk)


@never_cache
@require_GET
@requires(Permission.READ_HISTORY)
def season_history(request: SalonRequest, season: str) -> HttpResponse:
    """Everything that was laid down about the season, newest first."""
    row = _row(request, season)
    context = {
        "here": "tournaments",
        "row": row,
        "acts": lines_of_stream(row.salon, row, request.visitor.audience),
    }
    return render(request, "seasons/history.html", context)


def _row(request: SalonRequest, season: str) -> Season:
    return get_object_or_404(
        Season.objects.select_related("salon"), salon=request.visitor.salon, pk=season
    )


def _season(
    request: SalonRequest, row: Season, problem: Problem | None, *, tried: str = ""
) -> HttpResponse:
    """The page, with the problem at the form of the collection that was tried, as it was typed."""
    folded = fold_of(row.salon.log_id, row.pk)
    assert folded is not None
    state: rules.State = folded.state
    table, reached = read_season_table(row)
    rows = table.rows if table is not None else ()
    context = {
        "here": "tournaments",
        "row": row,
        "state": state,
        "rule": rule_in_words(state.rule),
        "events": _events(row.salon, state, table),
        "rows": rows,
        "names": names_of(row.salon, {each.player for each in rows}, request.visitor.audience),
        "in_words": {each.player: _in_words(each) for each in rows},
        "counts": results_to_count(state.rule, len(table.events)) if table is not None else 0,
        "reached": reached,
        "parked": why_parked(row.salon.log_id, SEASONS.name, row.pk),
        "behind": Log.objects.values_list("position", flat=True).get(pk=row.salon.log_id) - reached,
        "may_direct": request.visitor.may(Permission.DIRECT),
        "may_read_history": request.visitor.may(Permission.READ_HISTORY),
        "addable": _addable(row.salon, state) if request.visitor.may(Permission.DIRECT) else [],
        "written": _read_form(request.POST) if tried == "rules" else _form_of_season(state),
        "tried": tried,
        "typed": request.POST,
        "points": POINTS,
        "keeps": KEEPS,
        "differing": [SCALES[each] for each in differing_scales(row.salon, state)],
        "problem": problem,
        "command": new_command(),
    }
    return render(request, "seasons/season.html", context, status=status_of(problem))


def _events(salon: Salon, state: rules.State, table: SeasonTable | None) -> list[Event]:
    """The tournaments in the order added; those that are over have a number in the order of the
    table.
    """
    names = dict(
        Tournament.objects.filter(salon=salon, pk__in=state.events).values_list("pk", "name")
    )
    over = (
        {event: number for number, event in enumerate(table.events, 1)} if table is not None else {}
    )
    left_out = {each.subject for each in list_parked_subjects(salon)}
    return [
        Event(
            tournament=each,
            name=names.get(each, ""),
            over=each in over,
            number=over.get(each, 0),
            left_out=each in left_out,
        )
        for each in state.events
    ]


def _in_words(row: SeasonRow) -> str:
    """A player's results in one line, for where there is no room for a column each: `12 + 9
    + (4)`.
    """
    played = [
        (f"{each.points / HUNDREDTHS:g}", each.counts) for each in row.results if not each.missed
    ]
    return " + ".join(points if counts else f"({points})" for points, counts in played)


def _addable(salon: Salon, state: rules.State) -> list[tuple[str, str]]:
    rows = Tournament.objects.filter(salon=salon, practice=False, hidden=False).exclude(
        pk__in=state.events
    )
    return list(rows.order_by("-started_position").values_list("pk", "name"))


def _form(request: SalonRequest, written: SeasonForm, problem: Problem | None) -> HttpResponse:
    context = {
        "here": "tournaments",
        "written": written,
        "problem": problem,
        "points": POINTS,
        "keeps": KEEPS,
        "command": new_command(),
    }
    return render(request, "seasons/new.html", context, status=422 if problem else 200)


def _form_of_season(state: rules.State) -> SeasonForm:
    rule = state.rule
    count = rule.best or rule.worst
    return SeasonForm(
        name=state.name,
        points=rule.points,
        places=" ".join(f"{each / HUNDREDTHS:g}" for each in rule.places) or USUAL_PLACES,
        keeps="best" if rule.best is not None else "worst" if rule.worst is not None else "all",
        count=str(count or 1),
    )


def _read_form(form: QueryDict) -> SeasonForm:
    return SeasonForm(
        name=" ".join(form.get("name", "").split()),
        points=form.get("points", rules.BY_STANDING_POINTS),
        places=form.get("places", "").strip(),
        keeps=form.get("keeps", "all"),
        count=form.get("count", "").strip(),
    )


def _rule(written: SeasonForm) -> rules.SeasonRule:
    """Raises NotationError."""
    if written.points not in dict(POINTS) or written.keeps not in dict(KEEPS):
        raise NotationError(_("Choose from the list."), path="points")
    count = whole_number(written.count, "count") if written.keeps != "all" else None
    return rules.SeasonRule(
        points=written.points,
        places=_places(written.places) if written.points == rules.BY_PLACE else (),
        best=count if written.keeps == "best" else None,
        worst=count if written.keeps == "worst" else None,
    )


def _places(text: str) -> tuple[int, ...]:
    try:
        points = [float(each) * HUNDREDTHS for each in text.replace(",", " ").split()]
    except ValueError:
        raise NotationError(
            _("numbers are expected here, the first place first: 25 18 15"), path="places"
        ) from None
    if any(not each == round(each) for each in points):
        raise NotationError(_("two decimals at most are expected here"), path="places")
    return tuple(map(round, points))


def _reason(form: QueryDict) -> str:
    return a_text(" ".join(form.get("reason", "").split()), "reason")


def _change(form: QueryDict) -> rules.ChangeSeason:
    written = _read_form(form)
    return rules.ChangeSeason(name=written.name, rule=_rule(written))


# The collection an act is sent to, and how it is read; each raises Refusal.
ACTS: Mapping[str, Callable[[QueryDict], rules.Command]] = {
    "events": lambda form: rules.AddEvent(tournament=form.get("tournament", "")),
    "removals": lambda form: rules.RemoveEvent(
        tournament=form.get("tournament", ""), reason=_reason(form)
    ),
    "rules": _change,
    "closings": lambda form: rules.CloseSeason(),
    "reopenings": lambda form: rules.ReopenSeason(reason=_reason(form)),
}
