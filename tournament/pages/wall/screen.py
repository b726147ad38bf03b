"""A screen on the wall: what it shows now; it looks again by itself, by its script or without. And
pages for other people's pages: a table over the picture of a stream, standings and a table to be
framed.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_safe

from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest, activate_visitor, requires, table_or_404
from tournament.accounts.permissions import Permission, Role, Visitor
from tournament.domain.screens.rules import State
from tournament.models import Game, Salon, Screen
from tournament.pages.table.game_summary import glances
from tournament.pages.wall.parts import Looker, Screenful, lines_of_standings, screenfuls_of
from tournament.pages.wall.screenfuls import USUAL, Shape, shape_of
from tournament.queries.brackets import format_places
from tournament.queries.cuts import stage_tables
from tournament.queries.round_clocks import clock_of
from tournament.queries.table import game_at
from tournament.queries.tournament_visibility import public_or_404, read_visible_standings
from tournament.streams.texts import words_of

NOTHING_FOR = 15  # seconds until a screen without anything to show looks again
LOOKS_AGAIN = 5  # seconds after which what is shown is asked for anew, by a script
MICROSECONDS = 1_000_000
SIZES = ("line", "box")
BOARD_LOOKS_AGAIN = 2  # seconds: as often as a board does
COMES_AGAIN = 30  # seconds until a page that has no script comes anew
FRAMED_ANYWHERE: Mapping[str, Sequence[str]] = {
    **{name: [str(each) for each in where] for name, where in settings.SECURE_CSP.items()},
    "frame-ancestors": ["*"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTheWall:
    """The current content of a screen, and the seconds it stays; None: the screen is
    retired, or has nothing to show. `held` says that its parts don't take turns.
    """

    now: Screenful | None
    next: Screenful | None
    left: float
    held: bool


@require_safe
@requires(Permission.SEE_SALON)
def screen(request: SalonRequest, address: str) -> HttpResponse:
    """The current content of a screen: public data only, for every viewer. `wide` is the
    screen's width in hundredths of its height, which wall.js sends if it isn't 16:9.
    """
    row = get_object_or_404(Screen, salon=request.visitor.salon, address=address)
    request.visitor = activate_visitor(room_of(request.visitor.salon))
    shape = shape_of(request.GET.get("wide", ""))
    on = on_the_wall(row, request.visitor, shape)
    context = {
        "screen": row,
        "shape": shape,
        "on": on,
        "shown": on.now,
        "clock": clock_of(on.now.round) if on.now is not None else None,
        "left": max(round(on.left), 1),
        "now": timezone.localtime(),
    }
    response = render(request, "wall/screen.html", context)
    patch_cache_control(response, no_store=True)
    return response


def on_the_wall(row: Screen, room: Visitor, shape: Shape = USUAL) -> OnTheWall:
    """Return the current content of a screen of this shape, for visitors in the `room`."""
    state: State = row.state
    parts = (state.held,) if state.held is not None else state.parts
    words = words_of(room.salon, [part.note for part in parts if part.note])
    shown = [] if state.retired else screenfuls_of(parts, Looker(room, words, shape))
    if not shown:
        return OnTheWall(now=None, next=None, left=NOTHING_FOR, held=state.held is not None)
    turn = turn_at(_now(), [each.seconds for each in shown])
    return OnTheWall(
        now=shown[turn.place],
        next=shown[(turn.place + 1) % len(shown)] if len(shown) > 1 else None,
        left=turn.left,
        held=state.held is not None,
    )


def room_of(salon: Salon) -> Visitor:
    """Everybody who looks at the wall: they see what somebody without any key sees."""
    return Visitor(salon=salon, role=Role.ANYONE)


def _now() -> int:
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The place of the screenful that is on now, and for how many seconds more."""

    place: int
    left: float


def turn_at(now: int, seconds: Sequence[int]) -> Turn:
    """Return the screenful whose turn it is at `now` (microseconds UTC), if each has its
    `seconds`.
    """
    assert seconds
    within = now % (sum(seconds) * MICROSECONDS)
    for place, each in enumerate(seconds):
        if within < each * MICROSECONDS:
            return Turn(place=place, left=each - within / MICROSECONDS)
        within -= each * MICROSECONDS
    raise AssertionError("what is left after all turns is less than nothing")


def allow_framing[**P](view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
    """Let other sites show a view's page in a frame."""
    return xframe_options_exempt(csp_override(FRAMED_ANYWHERE)(view))


@allow_framing
@require_safe
@requires(Permission.SEE_SALON)
def overlay(request: SalonRequest, label: str) -> HttpResponse:
    """The game at a table, over a video picture: as a line at its foot, or as a `box`
    (`size`). It follows the table from game to game.
    """
    size = request.GET.get("size", SIZES[0])
    if size not in SIZES:
        raise Http404
    context = _table(request, label) | {"size": size, "left": BOARD_LOOKS_AGAIN}
    return _forbid_storing(render(request, "wall/overlay.html", context))


@allow_framing
@require_safe
@requires(Permission.SEE_SALON)
def embed_table(request: SalonRequest, label: str) -> HttpResponse:
    """The game at a table, for a frame in another page; it needs no script."""
    return _comes_again(render(request, "wall/embedded_table.html", _table(request, label)))


@allow_framing
@require_safe
@requires(Permission.SEE_SALON)
def embed_standings(request: SalonRequest, tournament: str) -> HttpResponse:
    """The standings of a tournament, for a frame in another page; it needs no script."""
    request.visitor = room = activate_visitor(room_of(request.visitor.salon))
    at = public_or_404(room, tournament)
    table, hidden = read_visible_standings(at, room)
    shown = stage_tables(at, table)[:1] if table is not None else []
    places = format_places(at, room, table)
    context = {
        "row": at.row,
        "round": shown[0].table.after_round if shown else 0,
        "scale": shown[0].scale if shown else None,
        "lines": [line for each in shown for line in lines_of_standings(at, each, places)],
        "hidden": hidden,
        "now": timezone.localtime(),
    }
    return _comes_again(render(request, "wall/embedded_standings.html", context))


def _table(request: SalonRequest, label: str) -> JsonObject:
    """The game at a table, as everybody may see it: `game` with its sides, `at` with the rest of
    its state unless that is silent.
    """
    request.visitor = room = activate_visitor(room_of(request.visitor.salon))
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
    return _forbid_storing(response)


def _forbid_storing(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, no_store=True)
    return response
