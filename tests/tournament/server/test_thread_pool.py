"""Threads that answer: each call's answer or failure comes back to who asked, nobody's call is made
who has gone, and threads end with what they belong to.
"""

import asyncio
import gc
import threading
import time
from functools import partial

import pytest

from tests.tournament.helpers.running import PATIENCE
from tournament.server.http.thread_pool import AnsweringThreads


def test_each_gets_its_own_answer_however_many_ask() -> None:
    async def ask() -> list[tuple[int, str]]:
        threads = AnsweringThreads(3, name="asked")

        def answer(number: int) -> tuple[int, str]:
            time.sleep(number % 5 / 1000)
            return number, threading.current_thread().name

        return await asyncio.gather(
            *(threads.answer(partial(answer, number)) for number in range(200))
        )

    found = asyncio.run(ask())

    assert [number for number, _ in found] == list(range(200))
    assert {name for _, name in found} == {"asked-1", "asked-2", "asked-3"}


def test_whoever_answered_last_answers_next_where_it_rests() -> None:
    async def ask() -> set[str]:
        threads = AnsweringThreads(3, name="last")
        await asyncio.gather(*(threads.answer(partial(time.sleep, 0.05)) for _ in range(3)))
        return {await threads.answer(lambda: threading.current_thread().name) for _ in range(20)}

    assert len(asyncio.run(ask())) == 1


def test_what_fails_fails_where_it_was_asked_for_and_the_thread_goes_on() -> None:
    async def ask() -> int:
        threads = AnsweringThreads(1, name="failing")
        for kind in (ValueError, SystemExit):
            with pytest.raises(kind, match="no"):
                await threads.answer(partial(_raise, kind("no")))
        return await threads.answer(lambda: 7)

    assert asyncio.run(ask()) == 7


def test_who_has_gone_is_not_called_for() -> None:
    async def ask() -> list[str]:
        threads, done, held = AnsweringThreads(1, name="gone"), list[str](), threading.Event()
        first = asyncio.ensure_future(threads.answer(held.wait))
        gone = asyncio.ensure_future(threads.answer(lambda: done.append("gone")))
        stays = asyncio.ensure_future(threads.answer(lambda: done.append("stays")))
        await asyncio.sleep(0.05)
        gone.cancel()
        await asyncio.sleep(0)
        held.set()
        await asyncio.gather(first, stays)
        return done

    assert asyncio.run(ask()) == ["stays"]


def test_threads_end_with_what_they_belong_to_and_outlive_a_loop_that_is_closed() -> None:
    threads, slow = AnsweringThreads(2, name="ending"), threading.Event()

    async def leave(threads: AnsweringThreads) -> None:
        for _ in range(2):
            asyncio.ensure_future(threads.answer(slow.wait))  # noqa: RUF006 - nobody waits for it
        await asyncio.sleep(0.05)

    asyncio.run(leave(threads))
    slow.set()

    assert asyncio.run(threads.answer(lambda: "there")) == "there"
    running = [each for each in threading.enumerate() if each.name.startswith("ending-")]
    assert len(running) == 2
    del threads
    gc.collect()
    for each in running:
        each.join(PATIENCE)
        assert not each.is_alive()


def _raise(failure: BaseException) -> None:
    raise failure
