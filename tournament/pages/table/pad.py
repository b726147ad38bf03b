"""The pad of a table: the open hand, what may come next, and the one way back."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    HttpResponseRedirect,
    QueryDict,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from scoring.shape import JsonMapping, JsonObject
from tournament.accounts.access import SalonRequest, requires, table_or_404
from tournament.accounts.permissions import Permission
from tournament.pages.common.form_values import new_command, read_game_id
from tournament.pages.common.games import numbers_of
from tournament.pages.table.offline_pack import KEEPS, pad_shell, so_far
from tournament.pages.table.pad_offer import (
    build_offer,
    claims_of,
    draft_query,
    leaves_cards,
    right_of,
    tally_of,
)
from tournament.pages.table.refused_act import NOTHING, NotRecorded
from tournament.pages.table.rulings import admission
from tournament.queries.calls import CallAtTable, around_game
from tournament.queries.confirmation_rows import confirmed, list_disputed_hands
from tournament.queries.first_dealer import draw_first_dealer
from tournament.queries.players import offer_known_names
from tournament.queries.round_clocks import TableClock, clock_at
from tournament.queries.round_over import RoundOver, round_over
from tournament.queries.table import (
    TableGame,
    began_at,
    game_at,
    kinds_of_end,
    last_hands,
    may_end,
)
from tournament.queries.table_names import brief, called, rotate_seats
from tournament.recording.calls import open_call
from tournament.recording.rulings import in_words
from tournament.server.browser_python.pyodide import is_laid
from tournament.server.http.asgi_gateway import WATCHED
from tournament.server.http.stream_notifications import NEW
from tournament.server.process.https_setup import find_trust_address

FREE = '"free"'  # what a pad is called that has no game
PAD = "pad"  # the id of what a tap renews
# What a phone keeps of a pad while it is elsewhere, how tricks are written and cards or counts not
# yet recorded, is a cookie of that table alone: so a pad without scripts keeps it, too, and another
# phone knows nothing of it.
COOKIE = "pad"
SECONDS_KEPT = 12 * 60 * 60
LONGEST = 1500  # characters: a browser keeps some 4,000 of a cookie
OPEN = "open"  # the query by which a kept page asks for the pad, as if by its plain address
KEPT = "by"  # how a table writes its tricks stays chosen from tap to tap


class TableContext(NamedTuple):
    """The context of a pad's game: the clock of its round while it is in play, the round
    once it is over, and the call waiting at the table.
    """

    clock: TableClock | None
    over: RoundOver | None
    call: CallAtTable | None


class SeeOther(HttpResponseRedirect):
    """A redirect (303) to the page to look at after a recorded POST."""

    status_code = 303


@require_GET
@requires(Permission.RECORD)
def pad(request: SalonRequest, label: str, game: str = "") -> HttpResponse:
    """The pad of a table, or of one `game` there, or what the browser is to keep in its place."""
    if KEEPS in request.headers:
        return pad_shell(request, label)
    return _open_pad(request, label, game or read_game_id(request))


@cache_control(private=True, no_cache=True)  # it may be gone back to, without a connection too
def _open_pad(request: SalonRequest, label: str, game: str) -> HttpResponse:
    """The pad; cards of an unfinished trick are in its address, so that they outlive a reload. It
    stays with its `game`, though another one has begun at the table meanwhile.

    A phone that comes back without an address of its own finds what it left there. Asked again by a
    pad that lies idle, 304 where nothing was recorded since.
    """
    at = game_at(request.visitor, label, game=game)
    known = request.headers.get("If-None-Match", "") if request.headers.get("HX-Request") else ""
    if known and known == (compute_etag(at, around(at)) if at is not None else FREE):
        return HttpResponseNotModified(headers={WATCHED: f"{at.row.pk if at else ''} {NEW}"})
    if known and (at is None or known == FREE):
        # A game has come to this table, or left it.
        return HttpResponse(headers={"HX-Refresh": "true"})
    if game and game in request.path and (at is None or at.row.pk != game):
        return redirect("pad", label=label)  # that game is at another table, or long over
    if at is None:
        table_or_404(request.visitor, label)
        call = open_call(request.visitor.salon, label)
        return render(request, "pad_free.html", {"label": label, "call": call})
    if not request.headers.get("HX-Request") and request.META["QUERY_STRING"] in ("", OPEN):
        request.GET = QueryDict(read_remembered_query(request.COOKIES, at))
    response = pad_page(request, label, at, cards=read_drafted_cards(request.GET, at))
    remember(response, request.GET, at, path=reverse("pad", args=[label]))
    return response


def around(at: TableGame) -> TableContext:
    """Return the context of a pad's game as it is now."""
    counts, call = around_game(at.row.pk)
    if not counts:
        return TableContext(clock=None, over=None, call=call)
    clock = clock_at(at.row) if not at.row.finished else None
    return TableContext(clock=clock, over=round_over(at.row), call=call)


def compute_etag(at: TableGame, beside: TableContext) -> str:
    """Return an ETag that changes with everything a pad shows: the game, its recorded
    acts, its clock, the end of its round, the waiting call.
    """
    clock, over, call = beside
    rest = f"{clock.version if clock is not None else ''}{'-over' if over is not None else ''}"
    calls = f"-{call.id}-{call.version}" if call is not None else ""
    return f'"{at.row.pk}-{at.row.version}-{rest}{calls}{at.other and f"-{at.other}"}"'


def pad_page(
    request: SalonRequest,
    label: str,
    at: TableGame,
    *,
    cards: list[str],
    failed: NotRecorded = NOTHING,
) -> HttpResponse:
    """The page around `at` with `cards` drafted for the open trick; `failed` says what was not
    recorded, and why.
    """
    offer, misplaced = build_offer(at, cards)
    if misplaced and failed is NOTHING:
        failed = NotRecorded(problem=misplaced)
    context = {
        "here": "tables",
        "label": label,
        "query": query_text(request.GET),
        "pad_address": address(label, {}, at),
        "meant": f"?game={at.row.pk}" if at.other else "",
        "begun": began_at(at.row) if at.other else None,
        "at": at,
        "row": at.row,
        "command": new_command(),
        **_players_shown(request, at),
        **_surroundings_shown(request, at),
        **_question_shown(request, at, offer, cards, failed),
        **_hands_shown(request, at),
        **failed.context,
    }
    template = "pad.html#changed" if takes_the_pad_alone(request) else "pad.html"
    response = render(request, template, context, status=failed.status)
    if request.headers.get("HX-Request"):
        recorded = request.method == "POST" and failed is NOTHING
        query = keep_query(request.GET) if recorded else request.GET
        response["HX-Replace-Url"] = address(label, query, at)
    return response


def _players_shown(request: SalonRequest, at: TableGame) -> JsonObject:
    """Return the context of the players: the names at the seats, and the other known
    names.
    """
    return {
        "players": called(at.players),
        "brief": brief(at.players),
        "seated": at.players,
        "moved": rotate_seats(at.players) if at.row.finished else {},
        "listed": offer_known_names(request.visitor.salon),
        "lot": partial(draw_first_dealer, list(at.players), at.row.pk),  # for the first hand alone
    }


def _surroundings_shown(request: SalonRequest, at: TableGame) -> JsonObject:
    """The table as it stands, with what is around it; it stands still once its round is over for
    everybody but who directs. What ended a game isn't undone where another one is played.
    """
    beside = around(at)
    waits = beside.over is not None and not request.visitor.may(Permission.DIRECT)
    over_beside = at.row.finished and at.other
    return {
        "at_table": beside.clock,
        "call": beside.call,
        "round_over": beside.over,
        "shown": compute_etag(at, beside),
        "so_far": json.dumps(so_far(at), separators=(",", ":")) if at.game.turns else "",
        "stands": waits and not at.row.finished,
        "table": at.table | {"undo": None} if waits or over_beside else at.table,
        "may_end": may_end(request.visitor, at),
        "right": right_of(at, request.visitor),
        "ends": _ends_here(request, at),
        "trusted_at": find_trust_address(),
        "offline": at.game.turns is not None
        and at.game.has_dealer  # a patience goes on by its lengths, which need no rules
        and not at.row.finished
        and is_laid(settings.PYTHON_FOR_PAGES),
    }


def _question_shown(
    request: SalonRequest,
    at: TableGame,
    offer: JsonMapping | None,
    cards: list[str],
    failed: NotRecorded,
) -> JsonObject:
    """Return the context of the next act, with its draft, and the refused acts that a
    director can allow.
    """
    may_rule = request.visitor.may(Permission.RULE) and at.game.rulings is not None
    refused = failed.problem if may_rule else None
    return {
        "offer": offer,
        "carried": draft_query(at, offer),
        "leaving": leaves_cards(at, offer, request.GET),
        "claims": claims_of(at, request.GET),
        "tally": tally_of(at, request.GET),
        "may_rule": may_rule,
        "admits": admission(
            at, refused, tried=failed.tried, form=request.POST, offer=offer, cards=cards
        ),
    }


def _hands_shown(request: SalonRequest, at: TableGame) -> JsonObject:
    """The hands that closed last, the one that the pad speaks of, and what was ruled in the open
    one.
    """
    last = last_hands(at.row) if at.table["hands"] else []
    open_hand, hands = in_words(request.visitor.salon, at.table["hand"], last)
    return {
        "last": hands[-1] if hands and at.table["hand"] is None else None,
        "sheet": hands,
        "number": _number_shown(at, hands),
        "disputed": list_disputed_hands(at.row),
        "explained_at": numbers_of(at.row),
        "ruled": (open_hand or {}).get("rulings", ()),
        "final": at.row.finished and confirmed(at).final,
    }


def takes_the_pad_alone(request: HttpRequest) -> bool:
    """Whether this is a tap on a pad that stands there already. Of a page that a browser may keep
    under its address it always gets the whole.
    """
    return request.method == "POST" and request.headers.get("HX-Target") == PAD


def _number_shown(at: TableGame, hands: Sequence[JsonMapping]) -> int | None:
    """The hand that the pad speaks of: the open one, between hands the one that is over, before the
    first the one to come.
    """
    if at.table["hand"] is not None:
        return int(at.table["hand"]["number"])
    coming = at.table.get("next") or {}
    if hands and not coming.get("redealt"):
        return int(hands[-1]["result"]["number"])
    return coming.get("number")


def _ends_here(request: SalonRequest, at: TableGame) -> bool:
    """Whether the end of the game is offered beside its own pad, which offers it between hands
    alone, once one is closed.
    """
    return bool(kinds_of_end(request.visitor, at)) and (
        at.table["hand"] is not None or not at.table["hands"]
    )


def keep_query(query: QueryDict) -> dict[str, str]:
    """Return the part of a pad's query that carries over to the next question."""
    chosen = query.get(KEPT, "")
    return {KEPT: chosen} if chosen else {}


def address(label: str, query: dict[str, str] | QueryDict, at: TableGame | None = None) -> str:
    """The address of the pad with this query; it names the game `at` a table that has another
    one.
    """
    written = query_text(query)
    page = (
        reverse("game_pad", args=[label, at.row.pk])
        if at is not None and at.other
        else reverse("pad", args=[label])
    )
    return page + (f"?{written}" if written else "")


def query_text(query: dict[str, str] | QueryDict) -> str:
    """A query as it stands in an address: mostly how tricks are written, in one plain word."""
    chosen = query.getlist(KEPT) if isinstance(query, QueryDict) else [query.get(KEPT, "")]
    if len(query) == len(chosen) == 1 and chosen[0].isascii() and chosen[0].isalpha():
        return f"{KEPT}={chosen[0]}"
    return query.urlencode() if isinstance(query, QueryDict) else urlencode(query)


def read_drafted_cards(query: QueryDict, at: TableGame) -> list[str]:
    """Return the cards drafted for the open trick; drafts for another trick are dropped."""
    hand = at.table["hand"] or {}
    if query.get("trick", "") not in ("", str(hand.get("trick", ""))):
        return []
    written = f"{query.get('cards', '')} {query.get('card', '')}".upper()
    return written.replace(",", " ").split()[:8]


def read_remembered_query(cookies: Mapping[str, str], at: TableGame) -> str:
    """Return the draft left on this pad, as the query of its address.

    All of it if nothing was recorded since, else only how tricks are written.
    """
    game, _, rest = cookies.get(COOKIE, "").partition("~")
    version, _, query = rest.partition("~")
    if game != at.row.pk:
        return ""
    if version == str(at.row.version):
        return query
    chosen = QueryDict(query).get(KEPT, "")
    return urlencode({KEPT: chosen}) if chosen else ""


def remember(response: HttpResponse, query: QueryDict, at: TableGame, *, path: str) -> None:
    """Leave with this phone what its pad shows beside what is recorded."""
    left = f"{at.row.pk}~{at.row.version}~{query.urlencode()}"
    if len(left) > LONGEST:
        return
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(
        COOKIE, left, max_age=SECONDS_KEPT, path=path, secure=secure, httponly=True, samesite="Lax"
    )
