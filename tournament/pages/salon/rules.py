"""The rules of a game in plain sentences, so that every number cited elsewhere leads to what it
says.
"""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act


@require_GET
@needs(Act.SEE_SALON)
def rules(request: SalonRequest, kind: str) -> HttpResponse:
    """Every rule of the game with its number."""
    if kind not in GAMES:
        raise Http404
    game = GAMES[kind]
    return render(request, "rules.html", {"here": "tables", "game": game, "title": _(game.title)})
