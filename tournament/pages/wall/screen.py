"""A screen on the wall: what it shows now. It looks again by itself, by its script or without."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, answering, needs
from tournament.accounts.permissions import Act, Role, Visitor
from tournament.domain.screens.rules import State
from tournament.models import Salon, Screen
from tournament.pages.wall.parts import Looker, Screenful, screenfuls_of
from tournament.pages.wall.screenfuls import USUAL, Shape, shape_of
from tournament.queries.round_clocks import clock_of
from tournament.streams.texts import words_of

NOTHING_FOR = 15  # seconds until a screen without anything to show looks again
LOOKS_AGAIN = 5  # seconds after which what is shown is asked for anew, by a script


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTheWall:
    """What a screen shows now, for so many seconds more; None: it is retired, or has nothing to
    show. `held` says that its parts don't take turns.
    """

    now: Screenful | None
    next: Screenful | None
    left: float
    held: bool


@require_safe
@needs(Act.SEE_SALON)
def screen(request: SalonRequest, address: str) -> HttpResponse:
    """What is on the wall now: what everybody may see, whoever has opened it. `wide` is how wide
    the screen is in hundredths of its height, which wall.js says where it isn't 16:9.
    """
    row = get_object_or_404(Screen, salon=request.visitor.salon, address=address)
    request.visitor = answering(room_of(request.visitor.salon))
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
    """What a screen of this shape shows now to those who are in the `room`."""
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


MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The place of the screenful that is on now, and for how many seconds more."""

    place: int
    left: float


def turn_at(now: int, seconds: Sequence[int]) -> Turn:
    """Whose turn it is at `now` (microseconds UTC), where each screenful has so many `seconds`."""
    assert seconds
    within = now % (sum(seconds) * MICROSECONDS)
    for place, each in enumerate(seconds):
        if within < each * MICROSECONDS:
            return Turn(place=place, left=each - within / MICROSECONDS)
        within -= each * MICROSECONDS
    raise AssertionError("what is left after all turns is less than nothing")
