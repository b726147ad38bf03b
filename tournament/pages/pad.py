"""The pad of a table: the open hand, what may come next, and the one way back."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tournament.access import Act, SalonRequest, needs, table_or_404
from tournament.pages.form_values import Problem, new_command
from tournament.pages.lots import drawn_seat
from tournament.pages.meanwhile import Meanwhile
from tournament.pages.table_game import TableGame, drafted_offer, game_at, last_hand

KEPT = "by"  # how a table writes its tricks stays chosen from tap to tap


class SeeOther(HttpResponseRedirect):
    """What was posted is recorded; look at the other page."""

    status_code = 303


@never_cache
@require_GET
@needs(Act.RECORD)
def pad(request: SalonRequest, label: str) -> HttpResponse:
    """The pad; cards of an unfinished trick are in its address, so that they outlive a reload."""
    at = game_at(request.visitor, label)
    if at is None:
        table_or_404(request.visitor, label)
        return render(request, "pad_free.html", {"label": label})
    return pad_page(request, label, at, cards=drafted(request.GET, at))


def pad_page(
    request: SalonRequest,
    label: str,
    at: TableGame,
    *,
    cards: list[str],
    problem: Problem | None = None,
    typed: dict[str, Any] | None = None,
    tried: str = "",
    meanwhile: Meanwhile | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page around `at`: `problem` says why what was `typed` (to the collection `tried`) was not recorded,
    `meanwhile` who recorded first."""
    offer, misplaced = drafted_offer(at, cards)
    problem = problem or misplaced
    context = {
        "here": "tables",
        "label": label,
        "at": at,
        "row": at.row,
        "table": at.table,
        "players": at.players,
        "offer": offer,
        "last": last_hand(at.row) if at.table["hand"] is None else None,
        "lot": drawn_seat(list(at.players), at.row.pk),
        "command": new_command(),
        "problem": problem,
        "typed": typed or {},
        "tried": tried,
        "meanwhile": meanwhile,
        "may_end": request.visitor.may(Act.END_GAME),
    }
    if status == 200 and misplaced:
        status = 422
    response = render(request, "pad.html", context, status=status)
    if request.headers.get("HX-Request"):
        response["HX-Replace-Url"] = address(label, request.GET if status != 200 or request.method == "GET" else kept(request.GET))
    return response


def kept(query: QueryDict) -> dict[str, str]:
    """What of a pad's address goes on to the next question."""
    chosen = query.get(KEPT, "")
    return {KEPT: chosen} if chosen else {}


def address(label: str, query: dict[str, str] | QueryDict) -> str:
    """The address of the pad with this query."""
    written = query.urlencode() if isinstance(query, QueryDict) else urlencode(query)
    return reverse("pad", args=[label]) + (f"?{written}" if written else "")


def drafted(query: QueryDict, at: TableGame) -> list[str]:
    """The cards drafted for the open trick; those of another trick are over."""
    hand = at.table["hand"] or {}
    if query.get("trick", "") not in ("", str(hand.get("trick", ""))):
        return []
    written = f"{query.get('cards', '')} {query.get('card', '')}".upper()
    return written.replace(",", " ").split()[:8]
