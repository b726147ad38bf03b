"""Pages for other people's pages: a table over the picture of a stream, and standings and tables to
be embedded. These alone may stand in a frame; they show what everybody may see, and take no form.
"""

from collections.abc import Callable, Mapping, Sequence

from django.conf import settings
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_safe

from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest, answering, needs, table_or_404
from tournament.accounts.permissions import Act
from tournament.models import Game
from tournament.pages.table.glance import glances
from tournament.pages.wall.parts import lines_of_standings
from tournament.pages.wall.screen import room_of
from tournament.queries.brackets import shared_places
from tournament.queries.cuts import stage_tables
from tournament.queries.table import game_at
from tournament.queries.visible import public_or_404, shown_standings

SIZES = ("line", "box")
LOOKS_AGAIN = 2  # seconds: as often as a board does
COMES_AGAIN = 30  # seconds until a page that has no script comes anew
FRAMED_ANYWHERE: Mapping[str, Sequence[str]] = {
    **{name: [str(each) for each in where] for name, where in settings.SECURE_CSP.items()},
    "frame-ancestors": ["*"],
}


def framed[**P](view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
    """A view whose page may stand in a frame of any other page."""
    return xframe_options_exempt(csp_override(FRAMED_ANYWHERE)(view))


@framed
@require_safe
@needs(Act.SEE_SALON)
def overlay(request: SalonRequest, label: str) -> HttpResponse:
    """What is played at a table, over whatever lies below: as a line at the foot of a picture, or
    as a `box` (`size`). It follows the table from game to game.
    """
    size = request.GET.get("size", SIZES[0])
    if size not in SIZES:
        raise Http404
    context = _table(request, label) | {"size": size, "left": LOOKS_AGAIN}
    return _sent(render(request, "wall/overlay.html", context))


@framed
@require_safe
@needs(Act.SEE_SALON)
def embedded_table(request: SalonRequest, label: str) -> HttpResponse:
    """What is played at a table, for a frame in another page; it needs no script."""
    return _comes_again(render(request, "wall/embedded_table.html", _table(request, label)))


@framed
@require_safe
@needs(Act.SEE_SALON)
def embedded_standings(request: SalonRequest, tournament: str) -> HttpResponse:
    """The standings of a tournament, for a frame in another page; it needs no script."""
    request.visitor = room = answering(room_of(request.visitor.salon))
    at = public_or_404(room, tournament)
    table, hidden = shown_standings(at, room)
    shown = stage_tables(at, table, whole=hidden)[:1] if table is not None else []
    places = shared_places(at, room, table)
    context = {
        "row": at.row,
        "round": shown[0].table.after_round if shown else 0,
        "lines": [line for each in shown for line in lines_of_standings(at, each, places)],
        "hidden": hidden,
        "now": timezone.localtime(),
    }
    return _comes_again(render(request, "wall/embedded_standings.html", context))


def _table(request: SalonRequest, label: str) -> JsonObject:
    """The game at a table, as everybody may see it: `game` with its sides, `at` with the rest of
    its state unless that is silent.
    """
    request.visitor = room = answering(room_of(request.visitor.salon))
    table = table_or_404(room, label)
    row = (
        Game.objects.filter(salon=room.salon, table=table.label)
        .order_by("finished", "-started_position")
        .first()
    )
    at = game_at(room, table.label) if row is not None and not row.is_silent else None
    is_shown = row is not None and (at is not None or (row.is_silent and not row.finished))
    games = glances(room.salon, [row], room.audience) if row is not None and is_shown else []
    return {
        "label": table.label,
        "game": next(iter(games), None),
        "at": at,
        "table": at.table if at is not None else None,
        "players": at.players if at is not None else {},
        "now": timezone.localtime(),
    }


def _comes_again(response: HttpResponse) -> HttpResponse:
    response["Refresh"] = str(COMES_AGAIN)
    return _sent(response)


def _sent(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, no_store=True)
    return response
