"""Threads that answer what is asked in an event loop, which goes on meanwhile.

The standard library's pool makes two futures for each call, with locks and callbacks between them:
a third of what it costs to hand a request to a thread and its answer back.
"""

import asyncio
import threading
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any


@dataclass(frozen=True, slots=True)
class _Call:
    """A function to call, and the future and loop that wait for its result."""

    function: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]


type _Calls = SimpleQueue[_Call | None]


@dataclass(frozen=True, slots=True)
class _Crew:
    """The threads' own queues, those that rest the longest first, and the calls for which none of
    them was free.
    """

    everybody: list[_Calls] = field(default_factory=list)
    resting: list[_Calls] = field(default_factory=list)
    waiting: deque[_Call] = field(default_factory=deque)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def hand_over(self, call: _Call) -> None:
        """To who has just answered: what that one knows, as pages of the database, is still so."""
        with self.lock:
            if self.resting:
                self.resting.pop().put(call)
            else:
                self.waiting.append(call)

    def next_for(self, calls: _Calls) -> _Call | None:
        """The call that waits the longest; where none does, this one rests."""
        with self.lock:
            if self.waiting:
                return self.waiting.popleft()
            self.resting.append(calls)
            return None


class AnsweringThreads:
    """At most `count` threads, which end with this object once each has answered what it has."""

    def __init__(self, count: int, *, name: str) -> None:
        self._count, self._name = count, name
        self._crew = _Crew()
        weakref.finalize(self, _end, self._crew)

    async def answer[Answer](self, function: Callable[[], Answer]) -> Answer:
        """Return the result of `function`, or raise its error, called in a thread. It isn't
        called if its caller no longer waits when its turn comes.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        if not self._crew.resting and len(self._crew.everybody) < self._count:
            self._begin_one()
        self._crew.hand_over(_Call(function, loop, answer))
        return await answer

    def _begin_one(self) -> None:
        calls: _Calls = SimpleQueue()
        self._crew.everybody.append(calls)
        name = f"{self._name}-{len(self._crew.everybody)}"
        threading.Thread(target=_work, args=(self._crew, calls), name=name, daemon=True).start()


def _work(crew: _Crew, calls: _Calls) -> None:
    call = crew.next_for(calls) or calls.get()
    while call is not None:
        call = _answer(call, crew, calls) or calls.get()


def _answer(call: _Call, crew: _Crew, calls: _Calls) -> _Call | None:
    """The call that comes next at once, if one waits. Who rests is known to before the answer is
    there: the next that is asked may follow from it.
    """
    answer, failed = None, None
    if not call.answer.cancelled():
        try:
            answer = call.function()
        except BaseException as error:
            failed = error
    following = crew.next_for(calls)
    with suppress(RuntimeError):  # the loop is closed: nobody waits any longer
        call.loop.call_soon_threadsafe(_settle, call.answer, answer, failed)
    failed = None  # it knows this frame, which would else know it for ever
    return following


def _settle(waiting: asyncio.Future[Any], answer: object, failed: BaseException | None) -> None:
    if waiting.cancelled():
        return
    if failed is not None:
        waiting.set_exception(failed)
    else:
        waiting.set_result(answer)


def _end(crew: _Crew) -> None:
    for calls in crew.everybody:
        calls.put(None)
