"""Boards that look again: one that is the same is answered before any view, one that changed is
made once for all who see the same, and kept compressed.

In the memory of each process lies what the view answered, under everything that the answer was made
of: the state of the game and of the visitor as one look-up reads them (`board_states`), the
address, and what the view says its visitors differ by (`BoardVariant`). Where that is another one,
the view is asked. So nobody has to be told of anything, and what another process, a worker or a
command changed is seen by the next look. Bodies made for all who see the same lie in a file too,
where the other web processes of this machine find them under the same.
"""

import gzip
import json
import re
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from ledger.reading import database_version
from tournament.accounts import event_links, seat_links, table_links
from tournament.models.lru_cache import RecentValues
from tournament.queries.board_states import BoardState, BrowserSession, board_state
from tournament.salons.public_names import Audience
from tournament.server.http.asgi_gateway import WATCHED
from tournament.server.http.compression import reads_gzip
from tournament.server.http.response_cache import shared_answers

BOARD = re.compile(r"(?:/salons/[-\w]+)?/games/(?P<game>[0-9a-f]{32})/")
LONGEST_QUERY = 40  # characters of `hand=12`; what is longer is nobody's board
SECONDS_KEPT = 60.0  # for what no state tells, as that a second step has become due
SECONDS_OF_A_CLOCK = 1.0  # a body says how many seconds are left
BROWSERS, ANSWERS = 4096, 1024  # of each so many in memory; an answer has some two kilobytes
OF_THE_BODY = frozenset({"content-type", "content-length", "content-encoding"})
COMPRESSION = 3  # 5 takes twice as long for a fifteenth less


type _Group = tuple[str, bool, bool, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardVariant:
    """The values by which visitors' boards differ, and whether the board is the same for
    all who agree in them (`shared`): its view used nothing that a `BoardState` doesn't
    have.
    """

    audience: Audience
    may_correct: bool
    may_record: bool
    may_read: bool
    shared: bool = False
    clock_runs: bool = False

    @property
    def group(self) -> _Group:
        """All who see the same."""
        return self.audience.value, self.may_correct, self.may_record, self.may_read


@dataclass(frozen=True, slots=True)
class _BoardRequest:
    """A request for a board: an address with its query, and the session ("" for none)."""

    address: str
    game: str
    session: str

    @property
    def browser(self) -> Hashable:
        return self.address, self.session


@dataclass(frozen=True, slots=True)
class _BrowserGroup:
    """To which group a browser belongs as long as it is this visitor, and the game lasts so."""

    group: _Group
    visitor: Hashable
    lasting: Hashable
    since: float


@dataclass(frozen=True, slots=True)
class _GroupAnswer:
    """An answer to a group: its ETag, headers, and the body, compressed; None where it isn't
    shared.
    """

    etag: str
    headers: Mapping[str, str]
    body: bytes | None
    since: float
    body_until: float


type _Key = tuple[str, _Group, tuple[object, object]]

_sessions = RecentValues[str, BrowserSession](BROWSERS)
_browsers = RecentValues[Hashable, _BrowserGroup](BROWSERS)
_answers = RecentValues[Hashable, _GroupAnswer](ANSWERS)


def forget() -> None:
    """Forget every board, for all who share them: the next look at each asks its view."""
    forget_bodies()
    for memory in (_sessions, _browsers):
        memory.clear()
    if (shared := shared_answers()) is not None:
        shared.forget()


def forget_bodies() -> None:
    """Forget in this process what was answered, as one that hasn't answered it yet."""
    _answers.clear()


def note_alike(request: HttpRequest, alike: BoardVariant) -> None:
    """Say, from the view, what its answer depends on besides the state of the game."""
    request.board_alike = alike  # type: ignore[attr-defined]


def answer_board(
    request: HttpRequest, get_response: Callable[[HttpRequest], HttpResponseBase]
) -> HttpResponseBase:
    """Answer a board that looks again with what its view would answer; pass on all else."""
    board = _board_request(request)
    if board is None:
        return get_response(request)
    came = BrowserSession() if not board.session else _sessions.get(board.session)
    version = database_version()
    state = board_state(board.game, came) if came is not None else None
    found = _find_known_answer(board, state) if state is not None else None
    same = _same(request, found) if found is not None else None
    response = same or _keep_answer(request, get_response(request), board, state, version)
    response.headers[WATCHED] = board.game
    return response


def _board_request(request: HttpRequest) -> _BoardRequest | None:
    """Return the request of a board that refreshes itself; None for every other request."""
    if request.method != "GET" or "HTTP_HX_REQUEST" not in request.META:
        return None
    board = BOARD.fullmatch(request.path_info)
    query = request.META.get("QUERY_STRING", "")
    if board is None or len(query) > LONGEST_QUERY:
        return None
    address = f"{request.scheme}://{request.get_host()}{request.path_info}?{query}"
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return _BoardRequest(address=address, game=board["game"], session=session)


def _find_known_answer(board: _BoardRequest, state: BoardState) -> _GroupAnswer | None:
    """Return the answer given to a member of this browser's group in this very state."""
    now, known = time.monotonic(), _browsers.get(board.browser)
    if (
        known is None
        or known.visitor != state.visitor
        or known.lasting != state.lasting
        or now - known.since > SECONDS_KEPT
    ):
        return None
    key = board.address, known.group, state.game
    answer = _answers.get(key)
    if answer is not None and now - answer.since <= SECONDS_KEPT:
        return answer
    answer = _of_another_process(key)
    if answer is not None:
        _answers.put(key, answer)
    return answer


def _same(request: HttpRequest, answer: _GroupAnswer) -> HttpResponse | None:
    """The answer again, 304 to who has it; None where its body is to be made anew."""
    if request.META.get("HTTP_IF_NONE_MATCH") == answer.etag:
        headers = {name: answer.headers[name] for name in answer.headers if name not in OF_THE_BODY}
        return HttpResponseNotModified(headers=headers)
    if answer.body is None or time.monotonic() > answer.body_until:
        return None
    return _body_response(request, answer.body, answer.headers)


def _body_response(request: HttpRequest, body: bytes, headers: Mapping[str, str]) -> HttpResponse:
    """A kept body as this browser reads it."""
    packed = reads_gzip(request)
    content = body if packed else gzip.decompress(body)
    response = HttpResponse(content, headers=dict(headers))
    response.headers["content-length"] = str(len(content))
    if packed:
        response.headers["content-encoding"] = "gzip"
    return response


def _keep_answer(
    request: HttpRequest,
    response: HttpResponseBase,
    board: _BoardRequest,
    before: BoardState | None,
    version: object,
) -> HttpResponseBase:
    """The view's answer, which is kept if nothing changed while it was made: since the database
    had this version the board's state is what it was `before`.
    """
    alike = cast("BoardVariant | None", getattr(request, "board_alike", None))
    if alike is None or response.cookies or not isinstance(response, HttpResponse):
        return response
    came = _remember_session(request, board)
    if before is None or came != before.came:
        return response
    unchanged = version is not None and database_version() == version
    state = before if unchanged else board_state(board.game, before.came)
    if state != before:
        return response
    now, shared = time.monotonic(), alike.shared and response.status_code == 200
    _browsers.put(board.browser, _BrowserGroup(alike.group, state.visitor, state.lasting, now))
    key = (board.address, alike.group, state.game)
    if response.status_code == 304 and (answer := _answers.get(key)) and answer.body is not None:
        _answers.put(key, replace(answer, since=now))  # its body serves others still
        return response
    patch_vary_headers(response, ["Accept-Encoding"])
    headers = {name.lower(): value for name, value in response.items()}
    body = gzip.compress(response.content, COMPRESSION, mtime=0) if shared else None
    until = now + (SECONDS_OF_A_CLOCK if alike.clock_runs else SECONDS_KEPT)
    answer = _GroupAnswer(headers["etag"], headers, body, now, until)
    _answers.put(key, answer)
    if body is None:
        return response
    _share(key, headers, body, seconds=until - now)
    return _body_response(request, body, headers)


def _of_another_process(key: _Key) -> _GroupAnswer | None:
    """Return the answer that another process gave to the same group in the same state, as
    old as it is there.
    """
    shared = shared_answers()
    name = shared.name_of(key) if shared is not None else None
    found = shared.get(name) if shared is not None and name is not None else None
    if found is None:
        return None
    about, _, body = found.partition(b"\n")
    said = json.loads(about)
    age = time.time() - said["made"]
    if not 0 <= age <= said["seconds"]:  # somebody set the clock
        return None
    made, headers = time.monotonic() - age, said["headers"]
    return _GroupAnswer(headers["etag"], headers, body, made, made + said["seconds"])


def _share(key: _Key, headers: Mapping[str, str], body: bytes, *, seconds: float) -> None:
    shared = shared_answers()
    name = shared.name_of(key) if shared is not None else None
    if shared is not None and name is not None:
        about = json.dumps({"headers": headers, "made": time.time(), "seconds": seconds})
        shared.put(name, about.encode() + b"\n" + body, seconds=seconds)


def _remember_session(request: HttpRequest, board: _BoardRequest) -> BrowserSession | None:
    """Remember how this browser signed in, so that its next refresh can be answered at
    once. None for the link of an event: it reaches many tables, and its phones ask the
    view each time.
    """
    if not board.session:
        return BrowserSession()
    session = request.session
    if event_links.LINK in session:
        return None
    account = session.get(SESSION_KEY)
    came = BrowserSession(
        session=board.session,
        account=int(account) if account is not None else None,
        table=session.get(table_links.LINK, {}).get("table"),
        seat=session.get(seat_links.SEAT, {}).get("link"),
    )
    _sessions.put(board.session, came)
    return came
