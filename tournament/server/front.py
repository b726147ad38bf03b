"""The front of the service, an ASGI application: whatever a visitor does slowly is waited for here,
and takes no thread.

A request is counted by its address, its body is read to the end within its time, then it waits for
its turn; a thread runs the WSGI application and is free again before the answer goes out. What is
too much, too long or too slow is said in words.

Whoever would rather wait than hear that nothing changed (`Prefer: wait=6`, RFC 7240) is asked for
again once a stream moved that the application named in its 304; meanwhile that takes no thread and
no place.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from threading import BoundedSemaphore
from wsgiref.types import WSGIApplication

from scoring.shape import JsonMapping, JsonObject
from tournament.accounts.caller_addresses import counted_as, seen_address
from tournament.server.answering_threads import AnsweringThreads
from tournament.server.changes import Changes
from tournament.server.connections import Peer
from tournament.server.leftovers import Leftovers
from tournament.server.load import Crowd, Full, OneTooMany, Place, Turns
from tournament.server.refusals import refusal
from tournament.server.request_bodies import (
    PACE,
    NoLength,
    Pace,
    Receive,
    TooLong,
    TooSlow,
    VisitorGone,
    body_of,
    said_length,
)
from tournament.server.wsgi_calls import (
    BegunAnswer,
    WholeAnswer,
    application_answer,
    environ_of,
    named_once,
)

type Send = Callable[[JsonObject], Awaitable[None]]
type ASGIApplication = Callable[[JsonMapping, Receive, Send], Awaitable[None]]

PIECE = 256 * 1024  # bytes of an answer that are handed over at once
SECONDS_A_PIECE = 30.0  # in which a visitor takes one
WATCHED = "accord-watched"  # a header of the application for us: ids of streams
FOR_US = WATCHED.encode()
WAIT = re.compile(r"\bwait=(\d{1,2})\b")
LONGEST_WAIT = 20.0  # seconds
READING = frozenset({"GET", "HEAD", "OPTIONS"})
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
    """What the front allows: threads, requests of one address and of all at once, the pace of
    bodies, trusted proxies before it.
    """

    threads: int
    of_one: int
    in_all: int
    proxies: int = 0
    pace: Pace = PACE


@dataclass(frozen=True, slots=True)
class News:
    """What moves, and how to begin to look for it."""

    changes: Changes
    look: Callable[[], None]


@dataclass(frozen=True, slots=True)
class _DatedAnswer:
    """An answer, how many changes there had been before it was made, and whether its visitor
    waited for it.
    """

    whole: WholeAnswer | None
    seen: int = 0
    waited: bool = False


def front(
    application: WSGIApplication,
    measures: Measures,
    asking: set[Peer] | None = None,
    news: News | None = None,
) -> ASGIApplication:
    """The application behind its front. `asking` always has the other ends of the connections on
    which something is asked; without `news` nobody waits for any.
    """
    inside = set[Peer]() if asking is None else asking
    crowd, turns = Crowd(measures.of_one, measures.in_all), Turns(measures.threads)
    threads = AnsweringThreads(measures.threads, name="answers")
    streams, leftovers = BoundedSemaphore(max(1, measures.threads // 2)), Leftovers()

    async def answer(scope: JsonMapping, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = named_once(scope["headers"])
        peer = _peer(scope)
        caller = counted_as(
            seen_address(peer[0], headers.get("x-forwarded-for", ""), measures.proxies)
        )

        async def answer_request() -> _DatedAnswer:
            with crowd.entered(caller) as place:
                body = await _body(headers, receive, place, measures.pace)
                call = partial(application_answer, application, environ_of(scope, headers, body))
                async with turns.place_for(caller, records=scope["method"] not in READING):
                    seen = news.changes.count if news is not None else 0
                    loop = asyncio.get_running_loop()
                    ask = partial(call, partial(_streamed, streams, send, receive, loop))
                    whole = await threads.answer(partial(leftovers.after, len(body), ask))
                    return _DatedAnswer(whole, seen)

        inside.add(peer)
        try:
            found = await answer_request()
            if news is not None and (seconds := _would_wait(scope, headers)):
                found = await _news_or_the_same(
                    news, found, answer_request, receive, seconds, caller
                )
            if found.whole is not None:
                await _send_answer(send, _for_the_visitor(found.whole, waited=found.waited))
        except tuple(STATUS_OF) as refused:
            await _send_answer(send, refusal(STATUS_OF[type(refused)], scope["path"]))
        except (VisitorGone, NotTaken):
            return
        finally:
            inside.discard(peer)

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
    gone = asyncio.ensure_future(_disconnected(receive))
    try:
        while (streams := _watched(found.whole)) and (left := ends - time.monotonic()) > 0:
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


def _watched(whole: WholeAnswer | None) -> list[str]:
    """The streams whose next event may change this answer; none where it is news already."""
    if whole is None or whole.status != HTTPStatus.NOT_MODIFIED:
        return []
    return dict(whole.headers).get(FOR_US, b"").decode("latin-1").split()


def _for_the_visitor(whole: WholeAnswer, *, waited: bool) -> WholeAnswer:
    """The answer without what it says to us."""
    headers = [each for each in whole.headers if each[0] != FOR_US]
    if waited:
        headers.append((b"preference-applied", b"wait"))
    return WholeAnswer(status=whole.status, headers=headers, body=whole.body)


def _peer(scope: JsonMapping) -> Peer:
    address, port = scope.get("client") or ("", "")
    return str(address), str(port)


async def _body(headers: dict[str, str], receive: Receive, place: Place, pace: Pace) -> bytes:
    return b"" if said_length(headers) == 0 else await body_of(receive, came=place.grow, pace=pace)


def _streamed(
    streams: BoundedSemaphore,
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
    gone = asyncio.run_coroutine_threadsafe(_disconnected(receive), loop)
    try:
        _in_the_loop(loop, send(_start(begun)))
        for piece in begun.pieces:
            if gone.done():
                raise NotTaken
            _in_the_loop(loop, _handed_over(send, piece))
        _in_the_loop(loop, _handed_over(send, b"", last=True))
    finally:
        gone.cancel()
        streams.release()


def _in_the_loop(loop: asyncio.AbstractEventLoop, step: Awaitable[None]) -> None:
    asyncio.run_coroutine_threadsafe(_awaited(step), loop).result()


async def _awaited(step: Awaitable[None]) -> None:
    await step


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_answer(send: Send, whole: WholeAnswer) -> None:
    """Hand over an answer, a long one piece by piece: what a visitor doesn't take isn't kept for
    ever.
    """
    with suppress(NotTaken):
        await send(_start(whole))
        if len(whole.body) <= PIECE:
            await send({"type": "http.response.body", "body": whole.body})
            return
        for begin in range(0, len(whole.body), PIECE):
            await _handed_over(send, whole.body[begin : begin + PIECE])
        await _handed_over(send, b"", last=True)


async def _handed_over(send: Send, piece: bytes, *, last: bool = False) -> None:
    try:
        async with asyncio.timeout(SECONDS_A_PIECE):
            await send({"type": "http.response.body", "body": piece, "more_body": not last})
    except TimeoutError:
        raise NotTaken from None


def _start(answer: WholeAnswer | BegunAnswer) -> dict[str, object]:
    return {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
