"""A table to practise at: the pad of each game as it is, by the same rules, and nothing stored. All
that was tapped is in a signed cookie of this browser, and is scored anew for each page.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import get_urlconf, reverse, set_urlconf
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.commands import EndGame
from scoring.common_state import read_undo
from scoring.ending import KINDS
from scoring.errors import NotationError, Refusal
from scoring.forms import ABOUT_THE_FORM
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.openings import read_acts
from scoring.records import decide_record, read_record
from scoring.shape import JsonObject, a_text, an_object, one_of, required
from tournament.models import Game
from tournament.pages.common.form_values import (
    Problem,
    new_command,
    plain_value,
    problem_of,
    read_typed_value,
    table_form,
)
from tournament.pages.table.pad import (
    SeeOther,
    address,
    keep_query,
    query_text,
    read_drafted_cards,
    takes_the_pad_alone,
)
from tournament.pages.table.pad_offer import (
    build_offer,
    claims_of,
    draft_query,
    leaves_cards,
    tally_of,
)
from tournament.pages.table.refused_act import NOTHING, NotRecorded
from tournament.queries.first_dealer import draw_first_dealer
from tournament.queries.table import MOST_OF_THE_LAST, TableGame
from tournament.queries.table_names import brief, called

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")
USUAL_TABLE = 4  # players, where a game may have more or fewer
GAME = "practice"  # the id of what is no game of any salon
COOKIE, SALT = "practice", "accord.practice"
SECONDS_KEPT = 12 * 60 * 60
MAX_ACTS, MAX_CHARACTERS = 200, 3800  # a browser keeps some 4,000 of a cookie
ADDRESSES = "tournament.practice_urls"
RETRACTIONS, ENDINGS = "retractions", "endings"

type Acts = list[tuple[str, str]]  # each its collection and the fields of its form


class PracticeIsFull(Exception):
    """More was tapped than a cookie holds."""


@require_safe
def practice_tables(request: HttpRequest) -> HttpResponse:
    """The games that can be practised."""
    games = [(game.name, _(game.title), _(game.players)) for game in GAMES.values()]
    return render(request, "practice.html", {"here": "tables", "games": games})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def practice_pad(request: HttpRequest, label: str) -> HttpResponse:
    """The pad of a game that only this browser knows; POST begins it anew."""
    game = _game_or_404(label)
    with _own_addresses():
        if request.method == "POST":
            response: HttpResponse = SeeOther(address(label, {}))
            response.delete_cookie(COOKIE, path=reverse("pad", args=[label]))
            return response
        return _pad_page(request, game, _state_after(game, _acts_of(request)))


@never_cache
@require_POST
def practice_act(request: HttpRequest, label: str, collection: str) -> HttpResponse:
    """The pad after one more act, or why it is refused."""
    game, acts = _game_or_404(label), _acts_of(request)
    if collection not in {*game.acts, RETRACTIONS, ENDINGS}:
        raise Http404
    with _own_addresses():
        state = _state_after(game, acts)
        try:
            _check_is_of_now(request, game, state)
            acts = [*acts, (collection, _form_fields(request.POST))]
            state, cookie = _state_after(game, acts[-1:], state), _cookie_of(acts)
        except (Refusal, PracticeIsFull) as refused:
            return _refusal_page(request, game, state, collection, refused)
        response: HttpResponse
        if request.headers.get("HX-Request"):
            request.GET = QueryDict(query_text(keep_query(request.GET)))
            response = _pad_page(request, game, state)
        else:
            response = SeeOther(address(label, keep_query(request.GET)))
        response.set_cookie(
            COOKIE,
            cookie,
            max_age=SECONDS_KEPT,
            path=reverse("pad", args=[label]),
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


@contextmanager
def _own_addresses() -> Iterator[None]:
    """Use the practice's URLconf in this block, so that a pad's own addresses are those of
    the practice.
    """
    before = get_urlconf()
    set_urlconf(ADDRESSES)
    try:
        yield
    finally:
        set_urlconf(before)


def _game_or_404(label: str) -> AnyGame:
    if label not in GAMES:
        raise Http404
    return GAMES[label]


def _acts_of(request: HttpRequest) -> Acts:
    """Return the acts so far; none if the cookie isn't one that we signed."""
    try:
        said = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=SECONDS_KEPT)
    except signing.BadSignature:
        return []
    return [(collection, body) for collection, body in said]


def _cookie_of(acts: Acts) -> str:
    cookie = signing.dumps(acts, salt=SALT, compress=True)
    if len(acts) > MAX_ACTS or len(cookie) > MAX_CHARACTERS:
        raise PracticeIsFull
    return cookie


def _form_fields(form: QueryDict) -> str:
    """The fields of a form that say what is recorded."""
    about = ABOUT_THE_FORM - {"fields"}
    fields = [(name, text) for name, texts in form.lists() if name not in about for text in texts]
    return urlencode([(name, text) for name, text in fields if text.strip()])


def _new_game(game: AnyGame) -> Any:  # noqa: ANN401 - the state of whichever game
    seats = min(game.seatings, key=lambda seating: abs(len(seating) - USUAL_TABLE))
    players = dict(zip(seats, NAMES, strict=False))
    record = {"format": "salon-record/1", "id": GAME, "game": game.name, "players": players}
    return decide_record(read_record(record | {"options": {}, "hands": []}))[1]


def _state_after(game: AnyGame, acts: Acts, state: Any = None) -> Any:  # noqa: ANN401
    """The state after these acts, of a game that has just begun where there is none. Raises
    Refusal.
    """
    state = _new_game(game) if state is None else state
    for collection, body in acts:
        value = plain_value(QueryDict(body))
        for act in _read_acts(game, collection, value, state):
            state = game.folded(game.decide(act, state), state)
    return state


def _read_acts(game: AnyGame, collection: str, value: JsonObject, state: Any) -> Sequence[Any]:  # noqa: ANN401
    if collection == RETRACTIONS:
        return [read_undo(value)]
    if collection == ENDINGS:
        given = an_object(value, "", keys=("kind", "reason"))
        reason = a_text(required(given, "reason", ""), "reason", shortest=1)
        return [EndGame(kind=one_of(given.get("kind"), KINDS, "kind"), by=NAMES[0], reason=reason)]
    read, read_opening = game.acts[collection], game.acts["hands"]
    return read_acts(value, state, read=read, read_opening=read_opening)


def _check_is_of_now(request: HttpRequest, game: AnyGame, state: Any) -> None:  # noqa: ANN401
    """Raise NotationError where a form is about what was there before."""
    form = table_form(request.POST)
    if form.version != state.version or form.place.items() - game.place(state).items():
        raise NotationError(_("This was tapped on another question. Look at the table again."))


def _refusal_page(
    request: HttpRequest,
    game: AnyGame,
    state: Any,  # noqa: ANN401
    collection: str,
    refused: Exception,
) -> HttpResponse:
    if isinstance(refused, Refusal):
        problem = problem_of(refused, _table_game(game, state).called, unread=400)
    else:
        words = _("This practice is full. Begin again to go on.")
        problem = Problem(message=words)
    failed = NotRecorded(problem=problem, typed=read_typed_value(request.POST), tried=collection)
    return _pad_page(request, game, state, failed)


def _table_game(game: AnyGame, state: Any) -> TableGame:  # noqa: ANN401
    table = game.table(state)
    seats: Mapping[str, str] = dict(state.players)
    row = Game(
        pk=GAME,
        kind=game.name,
        version=state.version,
        finished=state.closed is not None,
        seats=seats,
    )
    return TableGame(row=row, game=game, table=table, seats=seats, players=seats)


def _pad_page(
    request: HttpRequest,
    game: AnyGame,
    state: Any,  # noqa: ANN401
    failed: NotRecorded = NOTHING,
) -> HttpResponse:
    at = _table_game(game, state)
    cards = read_drafted_cards(request.GET, at)
    offer, misplaced = build_offer(at, cards)
    if misplaced and failed is NOTHING:
        failed = NotRecorded(problem=misplaced)
    hands = game.hand_results(state, max(0, state.played - MOST_OF_THE_LAST))
    context = {
        "here": "tables",
        "practice": True,
        "label": game.name,
        "title": _(game.title),
        "query": query_text(request.GET),
        "at": at,
        "row": at.row,
        "command": new_command(),
        "players": called(at.players),
        "brief": brief(at.players),
        "seated": at.players,
        "listed": (),
        "lot": draw_first_dealer(list(at.players), new_command()),
        "shown": "",
        "pad_address": address(game.name, {}),
        "table": at.table,
        "may_end": True,
        "offer": offer,
        "carried": draft_query(at, offer),
        "leaving": leaves_cards(at, offer, request.GET),
        "claims": claims_of(at, request.GET),
        "tally": tally_of(at, request.GET),
        "last": hands[-1] if hands and at.table["hand"] is None else None,
        "sheet": hands,
        **failed.context,
    }
    template = "pad.html#changed" if takes_the_pad_alone(request) else "pad.html"
    response = render(request, template, context, status=failed.status)
    if request.headers.get("HX-Request"):
        response["HX-Replace-Url"] = address(game.name, request.GET)
    return response
