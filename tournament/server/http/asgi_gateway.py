"""The front of the service, an ASGI application: whatever a visitor does slowly is waited for here,
and takes no thread.

A request's body is read to the end within its time; then it is counted by its address and waits for
its turn; a thread runs the WSGI application and is free again before the answer goes out. Bodies
that are awaited and answers that are not taken yet are counted by themselves. What is too much, too
long or too slow is said in words.

Whoever would rather wait than hear that nothing changed (`Prefer: wait=6`, RFC 7240) is asked for
again once a stream moved that the application named in its 304; meanwhile that takes no thread and
no place.
"""

import asyncio
import math
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from threading import BoundedSemaphore
from wsgiref.types import WSGIApplication

from scoring.shape import JsonMapping, JsonObject
from tournament.accounts.client_ip import find_client_address, group_address
from tournament.models.lru_cache import RecentValues
from tournament.server.http.admission_control import Admission, FairQueue, Full, OneTooMany, Place
from tournament.server.http.connections import Peer, Unsent
from tournament.server.http.refusals import refusal
from tournament.server.http.request_bodies import (
    PACE,
    NoLength,
    Pace,
    Receive,
    TooLong,
    TooSlow,
    VisitorGone,
    body_of,
    is_in_chunks,
    read_content_length,
)
from tournament.server.http.stream_notifications import Changes
from tournament.server.http.thread_pool import AnsweringThreads
from tournament.server.http.wsgi_bridge import (
    BegunAnswer,
    FileAnswer,
    WholeAnswer,
    application_answer,
    environ_of,
    merge_headers,
)

type Send = Callable[[JsonObject], Awaitable[None]]
type ASGIApplication = Callable[[JsonMapping, Receive, Send], Awaitable[None]]

PIECE = 32 * 1024  # bytes of an answer that are handed over at once
PIECES_ON_THE_WAY = 8  # that the server and the system hold of an answer that nobody takes
LENGTHS_KNOWN = 1024  # of addresses whose answers are long
SECONDS_AWAITED = 1.0  # after which a body counts as awaited
MB = 1024 * 1024
TAKING = Pace(grace=30.0, rate=16 * 1024, whole=math.inf)
WATCHED = "accord-watched"  # a header of the application for us: ids of streams
FOR_US = WATCHED.encode()
WAIT = re.compile(r"\bwait=(\d{1,2})\b")
LONGEST_WAIT = 20.0  # seconds
RECORDING = frozenset({"POST", "PUT", "PATCH", "DELETE"})  # they go before what only reads
STATUS_OF: Mapping[type[Exception], HTTPStatus] = {
    OneTooMany: HTTPStatus.TOO_MANY_REQUESTS,
    Full: HTTPStatus.SERVICE_UNAVAILABLE,
    TooLong: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    TooSlow: HTTPStatus.REQUEST_TIMEOUT,
    NoLength: HTTPStatus.BAD_REQUEST,
}


class NotTaken(Exception):
    """The visitor doesn't take the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The limits of the front: threads; requests of one address and of all at once, and of one with
    a body that is still awaited; bytes of answers that an address, and all, have not taken yet; the
    pace of bodies and of answers; trusted proxies before it.
    """

    threads: int
    of_one: int
    in_all: int
    awaited_of_one: int = 16
    untaken_of_one: int = 64 * MB
    untaken_in_all: int = 256 * MB
    proxies: int = 0
    pace: Pace = PACE
    taking: Pace = TAKING


@dataclass(frozen=True, slots=True)
class _Crowds:
    """The visitors who are answered, whose body is awaited, or who have not taken an answer yet."""

    answered: Admission
    awaited: Admission
    untaken: Admission
    lengths: RecentValues[bytes, int]  # of answers that were long, by what was asked

    @staticmethod
    def within(measures: Measures) -> "_Crowds":
        """Nobody yet, and as many as the measures allow."""
        return _Crowds(
            Admission(measures.of_one, measures.in_all),
            Admission(measures.awaited_of_one, measures.in_all),
            Admission(0, 0, measures.untaken_of_one, measures.untaken_in_all),
            RecentValues(LENGTHS_KNOWN),
        )


@dataclass(frozen=True, slots=True)
class News:
    """The changes to wait for, and the function that begins to look for them."""

    changes: Changes
    look: Callable[[], None]


@dataclass(frozen=True, slots=True)
class _DatedAnswer:
    """An answer, how many changes there had been before it was made, and whether its visitor
    waited for it.
    """

    whole: WholeAnswer | FileAnswer | None
    seen: int = 0
    waited: bool = False


def front(
    application: WSGIApplication,
    measures: Measures,
    asking: set[Peer] | None = None,
    news: News | None = None,
    unsent: Unsent | None = None,
) -> ASGIApplication:
    """The application behind its front. `asking` always has the other ends of the connections on
    which something is asked; without `news` nobody waits for any. `unsent` knows what the system
    still holds of answers.
    """
    inside = set[Peer]() if asking is None else asking
    crowds, turns = _Crowds.within(measures), FairQueue(measures.threads)
    threads = AnsweringThreads(measures.threads, name="answers")
    streams = BoundedSemaphore(max(1, measures.threads // 2))

    async def answer(scope: JsonMapping, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = merge_headers(scope["headers"])
        peer = _peer(scope)
        caller = group_address(
            find_client_address(peer[0], headers.get("x-forwarded-for", ""), measures.proxies)
        )

        asked = b"%b?%b" % (scope["raw_path"], scope["query_string"])
        taken = Handover(measures.taking, caller, crowds.untaken)

        async def answer_request() -> _DatedAnswer:
            with crowds.answered.holding(caller) as place:
                body = await _body(headers, receive, place, crowds.awaited, measures.pace)
                with crowds.answered.entered(caller):
                    crowds.untaken.check_room(caller, crowds.lengths.get(asked) or 0)
                    call = partial(
                        application_answer, application, environ_of(scope, headers, body)
                    )
                    async with turns.place_for(caller, records=scope["method"] in RECORDING):
                        seen = news.changes.count if news is not None else 0
                        loop = asyncio.get_running_loop()
                        stream = partial(_stream, streams, taken, send, receive, loop)
                        return _DatedAnswer(await threads.answer(partial(call, stream)), seen)

        async def answer_in(held: ExitStack) -> None:
            inside.add(peer)
            try:
                found = await answer_request()
                if news is not None and (seconds := _would_wait(scope, headers)):
                    found = await _news_or_the_same(
                        news, found, answer_request, receive, seconds, caller
                    )
                if found.whole is not None:
                    if (length := _count_held_bytes(found.whole)) > PIECE:
                        crowds.lengths.put(asked, length)
                    whole = _for_the_visitor(found.whole, waited=found.waited)
                    await _send_answer(send, whole, taken, held)
            except tuple(STATUS_OF) as refused:
                await _send_answer(
                    send, refusal(STATUS_OF[type(refused)], scope["path"]), taken, held
                )
                if unsent is not None:
                    unsent.see_off(peer)
            except (VisitorGone, NotTaken):
                return
            finally:
                inside.discard(peer)

        with ExitStack() as held:
            await answer_in(held)
            if unsent is not None and taken.place is not None:
                await unsent.drain(peer, inside, seconds=measures.taking.grace)

    return answer


def _would_wait(scope: JsonMapping, headers: Mapping[str, str]) -> float:
    """For so many seconds a visitor would rather wait than hear that nothing changed."""
    wait = WAIT.search(headers.get("prefer", ""))
    return min(float(wait[1]), LONGEST_WAIT) if wait and scope["method"] == "GET" else 0.0


async def _news_or_the_same(
    news: News,
    found: _DatedAnswer,
    answer_again: Callable[[], Awaitable[_DatedAnswer]],
    receive: Receive,
    seconds: float,
    caller: str,
) -> _DatedAnswer:
    """The first answer that isn't 304, or the last when time is over; `found` is the first of all.
    Raises VisitorGone.
    """
    ends = time.monotonic() + seconds
    gone = asyncio.ensure_future(_wait_for_disconnect(receive))
    try:
        while (streams := _list_watched_streams(found.whole)) and (
            left := ends - time.monotonic()
        ) > 0:
            news.look()
            coming = asyncio.ensure_future(
                news.changes.one_of(streams, since=found.seen, seconds=left, caller=caller)
            )
            await asyncio.wait((coming, gone), return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                coming.cancel()
                raise VisitorGone
            if not coming.result():
                return replace(found, waited=ends <= time.monotonic())
            found = replace(await answer_again(), waited=True)
        return found
    finally:
        gone.cancel()


def _list_watched_streams(whole: WholeAnswer | FileAnswer | None) -> list[str]:
    """Return the streams whose next event may change this answer; none if the answer is
    already new.
    """
    if whole is None or whole.status != HTTPStatus.NOT_MODIFIED:
        return []
    return dict(whole.headers).get(FOR_US, b"").decode("latin-1").split()


def _for_the_visitor[Answer: WholeAnswer | FileAnswer](whole: Answer, *, waited: bool) -> Answer:
    """The answer without what it says to us."""
    headers = [each for each in whole.headers if each[0] != FOR_US]
    if waited:
        headers.append((b"preference-applied", b"wait"))
    return replace(whole, headers=headers)


def _peer(scope: JsonMapping) -> Peer:
    address, port = scope.get("client") or ("", "")
    return str(address), str(port)


async def _body(
    headers: dict[str, str], receive: Receive, place: Place, awaited: Admission, pace: Pace
) -> bytes:
    """The whole body. One that isn't there soon counts among the awaited, which are measured by
    themselves. Raises OneTooMany and Full where they are too many, and what `body_of` raises.
    """
    if read_content_length(headers) == 0:
        return b""
    coming = asyncio.ensure_future(body_of(receive, came=place.grow, pace=pace))
    try:
        soon, _late = await asyncio.wait((coming,), timeout=SECONDS_AWAITED)
        if soon:
            return coming.result()
        with awaited.entered(place.address):
            place.move_to(awaited)
            return await coming
    except VisitorGone:
        # The server says the same of a chunk whose size can't be read, and waits for an answer.
        if is_in_chunks(headers):
            raise NoLength from None
        raise
    finally:
        coming.cancel()


def _count_held_bytes(answer: WholeAnswer | FileAnswer) -> int:
    """Count the bytes that are held until this answer is taken."""
    on_the_way = PIECES_ON_THE_WAY * PIECE
    if isinstance(answer, FileAnswer):
        return min(answer.size, on_the_way)
    return len(answer.body) + min(len(answer.body), on_the_way)


def _stream(
    streams: BoundedSemaphore,
    taken: "Handover",
    send: Send,
    receive: Receive,
    loop: asyncio.AbstractEventLoop,
    begun: BegunAnswer,
) -> None:
    """Send a long answer while it is being made, in the thread that makes it. Raises Full where
    half of the threads do so already, NotTaken once the visitor is away or takes nothing.
    """
    if not streams.acquire(blocking=False):
        raise Full
    gone = asyncio.run_coroutine_threadsafe(_wait_for_disconnect(receive), loop)
    try:
        _in_the_loop(loop, send(_start(begun)))
        for piece in begun.pieces:
            if gone.done():
                raise NotTaken
            _in_the_loop(loop, taken.hand_over(send, piece))
        _in_the_loop(loop, taken.hand_over(send, b"", last=True))
    finally:
        gone.cancel()
        streams.release()


def _in_the_loop(loop: asyncio.AbstractEventLoop, step: Awaitable[None]) -> None:
    asyncio.run_coroutine_threadsafe(_await_step(step), loop).result()


async def _await_step(step: Awaitable[None]) -> None:
    await step


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Handover:
    """The part of an answer that a visitor has taken, who takes it in time or not at all. What is
    held meanwhile counts.
    """

    def __init__(self, pace: Pace, caller: str, untaken: Admission) -> None:
        self.caller, self.untaken = caller, untaken
        self._pace, self._size = pace, 0
        self._began: float | None = None
        self.place: Place | None = None  # of a long answer

    async def hand_over(self, send: Send, piece: bytes, *, last: bool = False) -> None:
        """Send a piece, part by part. Raises NotTaken."""
        for begin in range(0, len(piece), PIECE):
            await self._hand_over(send, piece[begin : begin + PIECE], more=True)
        if last:
            await self._hand_over(send, b"", more=False)

    async def _hand_over(self, send: Send, part: bytes, *, more: bool) -> None:
        now = asyncio.get_running_loop().time()
        if self._began is None:
            self._began = now
        try:
            async with asyncio.timeout_at(self._began + self._pace.until(self._size)):
                await send({"type": "http.response.body", "body": part, "more_body": more})
        except TimeoutError:
            raise NotTaken from None
        self._size += len(part)


async def _send_answer(
    send: Send, whole: WholeAnswer | FileAnswer, taken: Handover, held: ExitStack
) -> None:
    """Hand over an answer, a long one piece by piece: what a visitor doesn't take isn't kept for
    ever, and counts as long as it is `held`. Raises OneTooMany, Full before the first of it.
    """
    try:
        if isinstance(whole, WholeAnswer) and len(whole.body) <= PIECE:
            await send(_start(whole))
            await send({"type": "http.response.body", "body": whole.body})
            return
        taken.place = held.enter_context(
            taken.untaken.holding(taken.caller, _count_held_bytes(whole))
        )
        with suppress(NotTaken):
            await send(_start(whole))
            if isinstance(whole, WholeAnswer):
                await taken.hand_over(send, whole.body, last=True)
                return
            for begin in range(whole.begin, whole.begin + whole.size, PIECE):
                end = min(begin + PIECE, whole.begin + whole.size)
                await taken.hand_over(send, whole.file.read_part(begin, end - begin))
            await taken.hand_over(send, b"", last=True)
    finally:
        if isinstance(whole, FileAnswer):
            whole.file.close()


def _start(answer: WholeAnswer | FileAnswer | BegunAnswer) -> dict[str, object]:
    return {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
