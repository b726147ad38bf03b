"""A second process beside this one: Django is set up in it before anything else, and it says how
far it is.
"""

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, NamedTuple

import django

SECONDS_BETWEEN_LOOKS = 0.5  # at how far it is

type Count = Callable[[int], None]

_count: Any = None  # in the second process: the number that both see


class Beside[Result](NamedTuple):
    """Work that goes on in the second process: how far it is by now, and what waits for its result
    and is told the same meanwhile.
    """

    by_now: Callable[[], int]
    result: Callable[[Count], Result]


@contextmanager
def in_own_process[**Given, Result](
    work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs
) -> Iterator[Beside[Result]]:
    """Begin `work` at once in a fresh process, since a forked one would share this one's connection
    to the database.
    """
    context = multiprocessing.get_context("spawn")
    count = context.Value("q", 0)
    with ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(count,)) as pool:
        found = pool.submit(work, *given, **named)

        def result(progress: Count) -> Result:
            while not wait([found], timeout=SECONDS_BETWEEN_LOOKS).done:
                progress(count.value)
            return found.result()

        yield Beside(by_now=lambda: count.value, result=result)


def tell_progress(done: int) -> None:
    """Say in the second process how far it is."""
    _count.value = done


def _begin(count: object) -> None:
    global _count
    _count = count
    django.setup()
