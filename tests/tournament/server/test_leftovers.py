"""Bodies that requests leave to the collector take no more room than a few of them, however seldom
it looks by itself.
"""

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.tournament.server.test_front import Visitor, scope
from tournament.server.front import Measures, front
from tournament.server.leftovers import MOST_BYTES, MOST_OBJECTS, look_seldom
from tournament.server.request_bodies import LONGEST

ROUNDS = 3
SAID = [(b"content-length", b"%d" % LONGEST)]


class Left:
    """What knows itself, and so doesn't go by itself, with a body."""

    def __init__(self, body: bytes) -> None:
        self.body, self.itself = body, self


@pytest.fixture
def seldom() -> Iterator[None]:
    """The collector looks as seldom as in a web process."""
    before = gc.get_threshold()
    look_seldom()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def test_bodies_that_are_left_take_no_more_room_than_a_few_of_them(seldom: None) -> None:
    left: list[weakref.ref[Left]] = []
    most = 0

    def leaves(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        nonlocal most
        left.append(weakref.ref(Left(environ["wsgi.input"].read())))
        there = [each for reference in left if (each := reference()) is not None]
        most = max(most, sum(len(each.body) for each in there))
        start_response("200 OK", [])
        return [b"read"]

    answer = front(leaves, Measures(threads=2, of_one=0, in_all=0))

    async def ask() -> None:
        for _ in range(ROUNDS * MOST_BYTES // LONGEST):
            visitor = Visitor(bytes(LONGEST))
            await answer(scope(headers=SAID), visitor.receive, visitor.send)

    asyncio.run(ask())
    assert len(left) == ROUNDS * MOST_BYTES // LONGEST
    assert most <= MOST_BYTES + LONGEST


def test_the_collector_of_a_web_process_looks_seldom(seldom: None) -> None:
    assert gc.get_threshold()[0] == MOST_OBJECTS
    assert gc.get_freeze_count() > 0
