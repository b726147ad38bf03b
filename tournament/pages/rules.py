"""The rules of a game in plain sentences, so that every number cited elsewhere leads to what it says."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from scoring.games import GAMES
from tournament.access import Act, SalonRequest, needs


@require_GET
@needs(Act.SEE_SALON)
def rules(request: SalonRequest, kind: str) -> HttpResponse:
    """Every rule of the game with its number."""
    if kind not in GAMES:
        raise Http404
    return render(request, f"{kind}/rules.html", {"here": "tables", "game": GAMES[kind]})
