"""Threads that answer what is asked in an event loop, which goes on meanwhile.

The standard library's pool makes two futures for each call, with locks and callbacks between them:
a third of what it costs to hand a request to a thread and its answer back.
"""

import asyncio
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from types import FunctionType
from typing import Any

# What the first frame of a thread takes: 128 KB, never touched, of a piece of 256.
SLOTS_OF_THE_FIRST = 16 * 1024


@dataclass(frozen=True, slots=True)
class _Call:
    """What is to be called, and who waits for it in which loop."""

    function: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]


type _Calls = SimpleQueue[_Call | None]


class AnsweringThreads:
    """At most `count` threads, which end with this object once each has answered what it has."""

    def __init__(self, count: int, *, name: str) -> None:
        self._count, self._name = count, name
        self._begun = 0
        self._calls: _Calls = SimpleQueue()
        weakref.finalize(self, _end, self._calls, count)

    async def answer[Answer](self, function: Callable[[], Answer]) -> Answer:
        """What `function` gives or raises, called in a thread. Who no longer waits when its turn
        comes is not called for.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        if self._begun < self._count:
            self._begun += 1
            name = f"{self._name}-{self._begun}"
            threading.Thread(target=_work, args=(self._calls,), name=name, daemon=True).start()
        self._calls.put(_Call(function, loop, answer))
        return await answer


def _with_room(function: Callable[[_Calls], None]) -> Callable[[_Calls], None]:
    """The same function, below which a thread may call some 120 KB of frames without asking the
    system for memory.

    CPython lays frames in pieces of 16 KB, which it gets as a call needs another one and gives back
    as soon as that call returns. Whatever stands right there, as a loop in the middle of a page,
    pays 7 µs for each call in place of 0.1: 6 to 13 % of an act. A frame this large begins a piece
    that has as much room again.
    """
    assert isinstance(function, FunctionType)
    code = function.__code__.replace(co_stacksize=SLOTS_OF_THE_FIRST)
    return FunctionType(code, function.__globals__, function.__name__)


@_with_room
def _work(calls: _Calls) -> None:
    while (call := calls.get()) is not None:
        if not call.answer.cancelled():
            _answer(call)
        del call  # an answer isn't kept until the next is asked for


def _answer(call: _Call) -> None:
    answer, failed = None, None
    try:
        answer = call.function()
    except BaseException as error:
        failed = error
    with suppress(RuntimeError):  # the loop is closed: nobody waits any longer
        call.loop.call_soon_threadsafe(_settle, call.answer, answer, failed)
    failed = None  # it knows this frame, which would else know it for ever


def _settle(waiting: asyncio.Future[Any], answer: object, failed: BaseException | None) -> None:
    if waiting.cancelled():
        return
    if failed is not None:
        waiting.set_exception(failed)
    else:
        waiting.set_result(answer)


def _end(calls: _Calls, count: int) -> None:
    for _ in range(count):
        calls.put(None)
