"""Pages of a tournament that look again by themselves: first the whole page, then the part that
changes, 304 while nothing did.
"""

from collections.abc import Callable

from django.db.models import Max
from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control

from tournament.accounts.access import SalonRequest
from tournament.accounts.permissions import Permission
from tournament.accounts.silent_rounds import sees_silent
from tournament.models import Game, Reckoning, Tournament, TournamentGame
from tournament.pages.common.tournament_context import context_of
from tournament.projections.background import why_parked
from tournament.projections.standings import STANDINGS
from tournament.queries.tournament import TournamentView, load_tournament
from tournament.queries.tournament_visibility import row_or_404

LIVE = ("registration", "running")


def live_page(
    request: SalonRequest,
    tournament: str,
    template: str,
    context: Callable[[SalonRequest, TournamentView], dict[str, object]],
) -> HttpResponse:
    """The page with what `context` gives of the tournament besides what all its pages show; asked
    by htmx, its partial `live` alone, and 304 where it is the same.
    """
    row = row_or_404(request.visitor, tournament)
    etag, asked_again = etag_of(request, row), bool(request.headers.get("HX-Request"))
    if asked_again and request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag})
    at = load_tournament(row, request.visitor.audience)
    values = context_of(request, at) | context(request, at)
    values |= {"etag": etag, "is_live": row.phase in LIVE, "now": timezone.localtime()}
    response = render(request, f"{template}#live" if asked_again else template, values)
    patch_cache_control(response, no_cache=True, private=True)
    if asked_again:
        response["ETag"] = etag
    return response


def etag_of(request: SalonRequest, row: Tournament) -> str:
    """Return an ETag that changes with everything such a page shows: the tournament, its
    games, the progress of its standings, and the visitor.
    """
    games = TournamentGame.objects.filter(stream=row.pk).values("game")
    moved = Game.objects.filter(pk__in=games).aggregate(Max("position"))["position__max"] or 0
    standings = {"log": row.salon.log_id, "projection": STANDINGS.name}
    counted = (
        Reckoning.objects.filter(**standings, subject=row.pk).aggregate(Max("position"))[
            "position__max"
        ]
        or 0
    )
    parked = bool(why_parked(row.salon.log_id, STANDINGS.name, row.pk))
    visitor = request.visitor
    sees = f"{parked:d}{visitor.may(Permission.DIRECT):d}{sees_silent(visitor):d}"
    return f'"{row.version}-{moved}-{counted}-{sees}"'
