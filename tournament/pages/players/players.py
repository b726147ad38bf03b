"""The list of players below a seat's field."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.domain.names import folded
from tournament.queries.at_tables import playing_now
from tournament.queries.players import all_names, fitting, meant

SHOWN = 8


@require_GET
@needs(Act.START_GAME)
def players(request: SalonRequest) -> HttpResponse:
    """The list below a seat's field: players whose first or last name begins with `q`, and at which
    tables they sit now.
    """
    typed = " ".join(request.GET.get("q", "").split())
    names = all_names(request.visitor.salon)
    found = list(fitting(typed, names))[:SHOWN]
    fresh = bool(typed) and folded(typed) not in {folded(name) for name in names}
    context = {"seat": request.GET.get("seat", ""), "found": found, "typed": typed, "fresh": fresh}
    context |= {
        "playing": playing_now(request.visitor.salon, request.visitor.audience),
        "known": meant(typed, names),
    }
    return render(request, "components/suggest.html", context)
