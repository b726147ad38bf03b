"""The salon's tournaments, and the form that sets up another one."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import Refusal
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.tournament.lifecycle import BeginSilence, SetRated
from tournament.domain.tournament.stage import ChangeStage
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command
from tournament.models import Season, Tournament
from tournament.pages.common.form_values import Problem, new_command, problem_of, whole_number
from tournament.pages.common.tournament_context import PHASE_KINDS
from tournament.pages.desk import stage_form
from tournament.pages.desk.stage_form import StageForm
from tournament.queries.tournament import PHASE_WORDS
from tournament.recording.tournaments import direct, open_tournament
from tournament.streams.tournament_rows import state_of


@never_cache
@require_GET
@requires(Permission.SEE_SALON)
def tournaments(request: SalonRequest) -> HttpResponse:
    """The tournaments, the latest first; drafts are the director's alone."""
    rows = Tournament.objects.filter(salon=request.visitor.salon)
    rows = rows.defer("state").order_by("-started_position")
    may_direct = request.visitor.may(Permission.DIRECT)
    if not may_direct:
        rows = rows.filter(practice=False).exclude(phase="draft")
    only_hidden = may_direct and request.GET.get("hidden") == "yes"
    hidden_count = sum(row.hidden for row in rows) if may_direct else 0
    listed = [
        (row, PHASE_WORDS[row.phase], PHASE_KINDS[row.phase])
        for row in rows
        if row.hidden == only_hidden
    ]
    seasons = Season.objects.filter(salon=request.visitor.salon).defer("state")
    seasons = seasons.order_by("closed", "-started_position")
    context = {
        "here": "tournaments",
        "tournaments": listed,
        "seasons": seasons,
        "may_direct": may_direct,
        "only_hidden": only_hidden,
        "hidden_count": hidden_count,
        "command": new_command(),
    }
    return render(request, "tournaments/list.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.DIRECT)
def new_tournament(request: SalonRequest) -> HttpResponse:
    """The form, filled in as its address says, and the draft set up by it; what was wrong stands
    beside its field and nothing typed is lost.
    """
    if request.method == "GET":
        return _stage_page(request, stage_form.read_form(request.GET))
    written = stage_form.read_form(request.POST)
    if "show" in request.POST:
        return _stage_page(request, written)
    visitor = request.visitor
    try:
        row = open_tournament(
            visitor.salon,
            actor=visitor.actor,
            command=written.command,
            name=written.name,
            game=written.game,
            stage=stage_form.stage_of(written),
            later=stage_form.later_stages(written),
            conditions=stage_form.conditions_of(written),
            silent_from=stage_form.silence_of(written),
            rated=written.rated,
        )
    except Refusal as refusal:
        return _stage_page(request, written, problem=problem_of(refusal))
    except (StreamMoved, CommandReused):
        words = Problem(message=_("This form was sent before. Send it again."))
        return _stage_page(
            request, replace(written, command=new_command()), problem=words, status=409
        )
    messages.success(request, _("%(name)s is set up.") % {"name": row.name})
    return redirect("desk", tournament=row.pk)


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.DIRECT)
def tournament_stage(request: SalonRequest, tournament: str) -> HttpResponse:
    """The same form for a tournament that is set up, until its first round is drawn."""
    row = get_object_or_404(Tournament, salon=request.visitor.salon, pk=tournament)
    state = state_of(row)
    if request.method == "GET":
        written = stage_form.apply_proposal(request.GET, stage_form.form_of(state))
        return _stage_page(request, written, row=row)
    written = stage_form.read_form(_of_game(request.POST, row.game))
    try:
        changes = _changes(written, state)
        version = whole_number(request.POST.get("version", ""), "version")
        direct(
            request.visitor.salon,
            row.pk,
            changes,
            actor=request.visitor.actor,
            command=written.command,
            version=version,
        )
    except Refusal as refusal:
        return _stage_page(request, written, row=row, problem=problem_of(refusal))
    except (StreamMoved, CommandReused):
        row.refresh_from_db()
        words = _(
            "Somebody else was first, and yours was not recorded. Look at it again, then set it."
        )
        return _stage_page(
            request,
            replace(written, command=new_command()),
            row=row,
            problem=Problem(message=words),
            status=409,
        )
    messages.success(request, _("%(name)s is changed.") % {"name": written.name})
    return redirect("desk", tournament=row.pk)


def _of_game(form: QueryDict, game: str) -> QueryDict:
    """The form of a tournament whose game is chosen already."""
    known = form.copy()
    known["game"] = game
    return known


def _changes(written: StageForm, state: State) -> list[Command]:
    """Return the commands for the form's changes. Raises NotationError."""
    changes: list[Command] = [
        ChangeStage(
            name=written.name,
            stage=stage_form.stage_of(written, state.stage),
            conditions=stage_form.conditions_of(written),
            later=stage_form.later_stages(written, state.every_stage),
        ),
    ]
    silent_from = stage_form.silence_of(written)
    if silent_from != state.silent_from:
        changes.append(BeginSilence(from_round=silent_from))
    if written.rated != state.rated and not state.practice:
        changes.append(SetRated(rated=written.rated))
    return changes


def _stage_page(
    request: SalonRequest,
    written: StageForm,
    *,
    row: Tournament | None = None,
    problem: Problem | None = None,
    status: int = 422,
) -> HttpResponse:
    context = {
        "here": "tournaments",
        "written": written,
        "problem": problem,
        "row": row,
        "is_fixed": row is not None and bool(state_of(row).rounds),
    } | stage_form.fields_of(written)
    return render(request, "tournaments/stage.html", context, status=status if problem else 200)
