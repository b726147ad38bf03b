"""A table calls the director, sees what became of the call, and takes it back."""

from datetime import timedelta

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import Refusal
from tournament.accounts.access import SalonRequest, requires, table_or_404
from tournament.accounts.permissions import Permission
from tournament.domain.calls.rules import OPEN, TakeBackCall
from tournament.models import Call
from tournament.pages.common.form_values import (
    Problem,
    claim_of,
    new_command,
    problem_of,
    read_game_id,
    status_of,
)
from tournament.pages.table.pad import SeeOther
from tournament.queries.calls import REASONS, CallLine, last_call
from tournament.queries.table import game_at
from tournament.recording.calls import keep_call, make_call

STILL_SHOWN = timedelta(minutes=30)  # so long a table sees what became of its call


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.CALL)
def table_calls(request: SalonRequest, label: str) -> HttpResponse:
    """The six reasons, or the call that waits; POST calls. Asked by htmx that part alone, 304 where
    it says the same.
    """
    table_or_404(request.visitor, label)
    if request.method == "POST":
        return _record_call(request, label)
    line = last_call(request.visitor.salon, label, STILL_SHOWN)
    if not request.headers.get("HX-Request"):
        return _page(request, label, line)
    if request.headers.get("If-None-Match") == _call_etag(line):
        return HttpResponseNotModified()
    return _page(request, label, line, template="calls/table.html#call")


@never_cache
@require_POST
@requires(Permission.CALL)
def call_cancellations(request: SalonRequest, label: str) -> HttpResponse:
    """Take the call of a table back."""
    table_or_404(request.visitor, label)
    visitor = request.visitor
    row = get_object_or_404(Call, pk=request.POST.get("call", ""), salon=visitor.salon, table=label)
    try:
        keep_call(visitor.salon, row.pk, TakeBackCall, **claim_of(request))
    except Refusal as refusal:
        return _refusal_page(request, label, refusal)
    except (StreamMoved, CommandReused):
        pass  # what became of the call stands on the page
    return SeeOther(reverse("table_calls", args=[label]))


def _record_call(request: SalonRequest, label: str) -> HttpResponse:
    visitor = request.visitor
    at = game_at(visitor, label, game=read_game_id(request))
    game, reason = at.row.pk if at is not None else "", request.POST.get("reason", "")
    try:
        make_call(visitor.salon, label, reason, game=game, **claim_of(request))
    except Refusal as refusal:
        return _refusal_page(request, label, refusal)
    except (StreamMoved, CommandReused):
        pass  # the same form, sent twice: its first call stands on the page
    return SeeOther(reverse("table_calls", args=[label]))


def _refusal_page(request: SalonRequest, label: str, refusal: Refusal) -> HttpResponse:
    line = last_call(request.visitor.salon, label, STILL_SHOWN)
    return _page(request, label, line, problem=problem_of(refusal))


def _page(
    request: SalonRequest,
    label: str,
    line: CallLine | None,
    *,
    template: str = "calls/table.html",
    problem: Problem | None = None,
) -> HttpResponse:
    context = {
        "here": "tables",
        "label": label,
        "call": line,
        "waits": line is not None and line.row.ending == OPEN,
        "shown": _call_etag(line),
        "reasons": REASONS.items(),
        "records": request.visitor.may(Permission.RECORD, table=label),
        "game": line.row.game if line is not None else "",
        "meant": read_game_id(request),
        "problem": problem,
        "command": new_command(),
    }
    return render(request, template, context, status=status_of(problem))


def _call_etag(line: CallLine | None) -> str:
    return f'"{line.row.pk}-{line.row.version}"' if line is not None else '"none"'
