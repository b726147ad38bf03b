"""The calls that wait for a director, what is done about them, and how long tables waited."""

from collections.abc import Mapping
from datetime import date

from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.calls.rules import AnswerCall, Keeping, ReopenCall, TakeUpCall
from tournament.models import Call, Tournament
from tournament.pages.common.form_values import (
    NOT_RECORDED,
    Problem,
    claim_of,
    new_command,
    status_of,
    why_not,
)
from tournament.pages.common.tournament_context import context_of
from tournament.pages.table.pad import SeeOther
from tournament.queries.calls import (
    Queue,
    calls_of_evening,
    calls_of_tournament,
    find_evening,
    find_evening_after,
    find_evening_before,
    lines_of,
    queue_of,
)
from tournament.queries.history_lines import lines_of_stream
from tournament.queries.tournament import load_tournament
from tournament.queries.tournament_visibility import row_or_404
from tournament.recording.calls import keep_call

FIRST_YEAR, LAST_YEAR = 2000, 2999
# The collection an act is sent to, and what it is.
ACTS: Mapping[str, type[Keeping]] = {
    "arrivals": TakeUpCall,
    "answers": AnswerCall,
    "reopenings": ReopenCall,
}


@never_cache
@require_GET
@requires(Permission.AUDIT)
def calls(request: SalonRequest) -> HttpResponse:
    """The calls of all tables: those that wait, and those of an evening (`evening`, an ISO date)
    with how long they waited.
    """
    salon = request.visitor.salon
    queue = queue_of(salon, "")
    if request.headers.get("HX-Request"):
        return _part(request, queue)
    day = _day(request.GET.get("evening", "")) or find_evening(timezone.now())
    context = {
        "here": "home",
        "day": day,
        "before": find_evening_before(salon, day),
        "after": find_evening_after(salon, day),
        "report": calls_of_evening(salon, day),
        **queue_context(request, queue),
    }
    return render(request, "calls/evening.html", context)


@never_cache
@require_GET
@requires(Permission.AUDIT)
def desk_calls(request: SalonRequest, tournament: str) -> HttpResponse:
    """The calls at the desk of a tournament: those that wait, and all of it with how long they
    waited.
    """
    row, salon = row_or_404(request.visitor, tournament), request.visitor.salon
    queue = queue_of(salon, row.pk)
    if request.headers.get("HX-Request"):
        return _part(request, queue)
    context = context_of(request, load_tournament(row, request.visitor.audience)) | {
        "report": calls_of_tournament(salon, row.pk),
        "calls_below": True,
        **queue_context(request, queue),
    }
    return render(request, "tournaments/calls.html", context)


@never_cache
@require_GET
@requires(Permission.READ_HISTORY)
def call(request: SalonRequest, call: str) -> HttpResponse:
    """One call: everything that became of it, the latest first."""
    row = get_object_or_404(Call, salon=request.visitor.salon, pk=call)
    salon = request.visitor.salon
    context = {
        "here": "history",
        "call": lines_of(salon, [row])[0],
        "acts": lines_of_stream(salon, row, request.visitor.audience),
        "may_audit": request.visitor.may(Permission.AUDIT),
    }
    return render(request, "calls/history.html", context)


@never_cache
@require_POST
@requires(Permission.DIRECT)
def call_acts(request: SalonRequest, call: str, collection: str) -> HttpResponse:
    """Record what a director does about a call, and show what waits then at the desk it was done
    at.
    """
    salon = request.visitor.salon
    row = get_object_or_404(Call, salon=salon, pk=call)
    if collection not in ACTS:
        raise Http404
    problem = None
    try:
        keep_call(salon, row.pk, ACTS[collection], **claim_of(request))
    except NOT_RECORDED as failure:
        problem = why_not(failure, _("Somebody else was first. This is how it stands now."))
    at = _desk(request)
    if request.headers.get("HX-Request"):
        return _part(request, queue_of(salon, at), problem)
    if problem is not None:
        context = {"here": "home", **queue_context(request, queue_of(salon, at), problem)}
        return render(request, "calls/refused.html", context, status=problem.status)
    where = request.POST.get("back", "")
    if at:
        return SeeOther(reverse("desk_calls" if where == "calls" else "desk", args=[at]))
    return SeeOther(reverse("calls" if where == "calls" else "home"))


def queue_context(
    request: SalonRequest, queue: Queue, problem: Problem | None = None
) -> JsonObject:
    """Return the context of the template part with the calls, for any page."""
    at = queue.tournament
    return {
        "queue": queue,
        "queue_address": reverse("desk_calls", args=[at]) if at else reverse("calls"),
        "may_answer": request.visitor.may(Permission.DIRECT),
        "call_problem": problem,
        "call_command": new_command(),
    }


def _part(request: SalonRequest, queue: Queue, problem: Problem | None = None) -> HttpResponse:
    """The calls that wait, without a page around them: 304 where they are shown already."""
    if request.method == "GET" and request.headers.get("If-None-Match") == queue.shown:
        return HttpResponseNotModified()
    context = queue_context(request, queue, problem)
    return render(request, "calls/queue.html", context, status=status_of(problem))


def _desk(request: SalonRequest) -> str:
    """The tournament at whose desk this was done, "" for none."""
    at = request.POST.get("tournament", "")
    here = Tournament.objects.filter(pk=at, salon=request.visitor.salon)
    return at if at and here.exists() else ""


def _day(written: str) -> date | None:
    """The evening that is asked for, where there can have been one."""
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None
