"""The history of a tournament: everything its director did, in plain words."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.access import Act, SalonRequest, needs
from tournament.pages.history import checked, number
from tournament.pages.told import told
from tournament.pages.tournament import context_of, public_or_404
from tournament.telling import moments_of

SHOWN = 60


@require_GET
@needs(Act.READ_HISTORY)
def tournament_history(request: SalonRequest, tournament: str) -> HttpResponse:
    """The latest acts of a tournament, or those before a version of its stream."""
    at = public_or_404(request.visitor, tournament)
    before = number(request, "before")
    moments = [each for each in reversed(moments_of(at.row.salon.log_id, at.row.pk)) if before is None or each.first.version < before]
    page = moments[:SHOWN]
    context = context_of(request, at) | {
        "told": told(at.row.salon, {at.row.pk: at.row}, page),
        "earlier": page[-1].first.version if len(moments) > SHOWN else None,
        "before": before,
        "checked": checked(at.row.salon.log_id),
    }
    return render(request, "tournaments/history.html", context)
