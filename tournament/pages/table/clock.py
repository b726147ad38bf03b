"""The clock of a game's table, for its pad: asked for again and again, and sent when a director has
done something to it.
"""

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, needs, seats_of_game_or_404
from tournament.accounts.permissions import Act
from tournament.queries.round_clocks import clock_at


@require_safe
@needs(Act.SEE_SALON)
def game_clock(request: SalonRequest, game: str) -> HttpResponse:
    """The clock alone, 304 while it is the same; empty where the game counts in no event that is
    running.
    """
    row = seats_of_game_or_404(request.visitor, game)
    shown = clock_at(row)
    etag = f'"{shown.version}"' if shown is not None else '""'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag})
    response = render(
        request, "tournaments/table_clock.html", {"row": row, "at_table": shown, "asks_again": True}
    )
    response["ETag"] = etag
    patch_cache_control(response, no_cache=True, private=True)
    return response
