"""The page that explains an entry's standing points."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.pages.common.tournament_frame import context_of
from tournament.pages.history.history import number
from tournament.pages.history.stepping import place_of
from tournament.queries.standing_points import standing_points
from tournament.queries.tournament_as_of import after, present
from tournament.queries.visible import public_or_404
from tournament.streams.acts import moments_of


@require_GET
@needs(Act.SEE_SALON)
def tournament_points(request: SalonRequest, tournament: str, entry: str) -> HttpResponse:
    """The account of an entry's points, now or, for those who read the history, as of `?at=`, a
    version of the tournament.
    """
    visitor, at = request.visitor, public_or_404(request.visitor, tournament)
    moments = moments_of(at.row.salon.log_id, at.row.pk)
    reads_history = visitor.may(Act.READ_HISTORY)
    version = number(request, "at") if reads_history else None
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
