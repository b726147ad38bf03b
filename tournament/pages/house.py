"""The house: what it lays down for all its games, when that was changed, by whom and why."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import NotationError, Refusal
from scoring.shape import a_text
from tournament.access import Act, SalonRequest, needs
from tournament.correction_period import house_of
from tournament.house.rules import MOST_HOURS
from tournament.housekeeping import set_correction_hours
from tournament.pages.form_values import COMMAND, Problem, new_command, problem_of
from tournament.queries.told import told
from tournament.telling import moments_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs(Act.SEE_SALON)
def house(request: SalonRequest) -> HttpResponse:
    """The correction period for everybody to know; its owner changes it, with a reason."""
    if request.method != "POST":
        return _shown(request)
    request.visitor.demand(Act.KEEP_HOUSE)
    try:
        hours = _changed(request)
    except Refusal as refusal:
        return _shown(request, problem=problem_of(refusal), status=422)
    except (StreamMoved, CommandReused):
        words = _("Somebody else changed it first, and yours was not recorded. This is what holds now.")
        return _shown(request, problem=Problem(message=words), status=409)
    said = ngettext(
        "Games become final %(hours)d hour after their last entry.", "Games become final %(hours)d hours after their last entry.", hours
    )
    messages.success(request, said % {"hours": hours})
    return redirect("house")


def _changed(request: SalonRequest) -> int:
    """Lay down what was typed; the hours. Raises Refusal, StreamMoved, CommandReused."""
    form, visitor = request.POST, request.visitor
    if not COMMAND.fullmatch(form.get("command", "")):
        raise NotationError(_("This form is incomplete; load the page again."), path="command")
    hours = _number(form.get("hours", ""), "hours")
    reason = a_text(" ".join(form.get("reason", "").split()), "reason", shortest=1)
    version = _number(form.get("version", ""), "version")
    set_correction_hours(visitor.salon, hours, reason=reason, actor=visitor.actor, command=form["command"], version=version)
    return hours


def _number(text: str, path: str) -> int:
    written = text.strip()
    if not written.isascii() or not written.isdigit() or len(written) > 9:
        raise NotationError(_("a whole number is expected here"), path=path)
    return int(written)


def _shown(request: SalonRequest, *, problem: Problem | None = None, status: int = 200) -> HttpResponse:
    salon, visitor = request.visitor.salon, request.visitor
    row = house_of(salon)
    moments = moments_of(salon.log_id, row.pk) if visitor.may(Act.READ_HISTORY) else []
    context = {
        "here": "tables",
        "house": row,
        "most": MOST_HOURS,
        "may_keep": visitor.may(Act.KEEP_HOUSE),
        "told": told(salon, {row.pk: row}, list(reversed(moments))),
        "typed": request.POST,
        "problem": problem,
        "command": new_command(),
    }
    return render(request, "house/house.html", context, status=status)
