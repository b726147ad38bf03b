"""The pad of a table: the open hand, what may come next, and the one way back."""

from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tournament.access import Act, SalonRequest, needs, table_or_404
from tournament.pages.form_values import new_command
from tournament.pages.not_recorded import NOTHING, NotRecorded
from tournament.pages.numbers import numbers_of
from tournament.pages.pad_offer import drafted_offer, tallied
from tournament.pages.rulings import admission
from tournament.pages.saying_right import right_of
from tournament.queries.clocks import clock_at
from tournament.queries.lots import drawn_seat
from tournament.queries.players import known_names
from tournament.queries.round_over import round_over
from tournament.queries.table_game import TableGame, game_at, kinds_of_end, last_hands, may_end
from tournament.rulings import in_words

ON_THE_SHEET = 6  # so many of the last hands stand on the pad itself
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


def pad_page(request: SalonRequest, label: str, at: TableGame, *, cards: list[str], failed: NotRecorded = NOTHING) -> HttpResponse:
    """The page around `at` with `cards` drafted for the open trick; `failed` says what was not recorded, and why."""
    offer, misplaced = drafted_offer(at, cards)
    if misplaced and failed is NOTHING:
        failed = NotRecorded(status=422, problem=misplaced)
    may_rule = request.visitor.may(Act.RULE) and at.game.rulings is not None
    admits = admission(at, failed.problem, tried=failed.tried, form=request.POST, offer=offer, cards=cards) if may_rule else None
    at_table = clock_at(at.row) if not at.row.finished else None
    over = round_over(at.row) if at_table is not None or at.row.finished else None
    waits = over is not None and not request.visitor.may(Act.DIRECT)
    hands = last_hands(at.row, most=ON_THE_SHEET) if at.table["hands"] else []
    open_hand, hands = in_words(request.visitor.salon, at.table["hand"], hands)
    context = {
        "here": "tables",
        "label": label,
        "at_table": at_table,
        "at": at,
        "row": at.row,
        "round_over": over,
        "stands": waits and not at.row.finished,
        "table": at.table | {"undo": None} if waits else at.table,
        "players": at.players,
        "offer": offer,
        "last": hands[-1] if hands and at.table["hand"] is None else None,
        "sheet": hands,
        "explained_at": numbers_of(at.row),
        "tally": tallied(at, request.GET),
        "lot": drawn_seat(list(at.players), at.row.pk),
        "listed": known_names(request.visitor.salon),
        "command": new_command(),
        "may_rule": may_rule,
        "admits": admits,
        "ruled": (open_hand or {}).get("rulings", ()),
        "may_end": may_end(request.visitor, at),
        "right": right_of(at, request.visitor),
        "ends": _ends_here(request, at),
    }
    response = render(request, "pad.html", context | failed.context, status=failed.status)
    if request.headers.get("HX-Request"):
        recorded = request.method == "POST" and failed is NOTHING
        response["HX-Replace-Url"] = address(label, kept(request.GET) if recorded else request.GET)
    return response


def _ends_here(request: SalonRequest, at: TableGame) -> bool:
    """Whether the end of the game is offered beside its own pad, which offers it between hands alone, once one is closed."""
    return bool(kinds_of_end(request.visitor, at)) and (at.table["hand"] is not None or not at.table["hands"])


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
