"""Who waits for news is told once, by whatever recorded it; nobody waits for what has been."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.drafts import CommandClaim, Draft
from ledger.store import append, open_log
from tests.benchmarks.load_room import Seated
from tests.benchmarks.load_visitors import HTMX, Browser, Phone
from tests.conftest import OwnDatabase
from tests.tournament.helpers.asgi import Visitor, measures, scope
from tests.tournament.helpers.running import PATIENCE, ROOT, running
from tournament.models import new_id
from tournament.server.http.asgi_gateway import WATCHED, News, front
from tournament.server.http.stream_notifications import NEW, REMEMBERED, Changes, Watch

STREAMS = st.frozensets(st.sampled_from("abcd"), min_size=1)


async def waits(changes: Changes, *streams: str, since: int = 0, seconds: float = 0.0) -> bool:
    return await changes.one_of(streams, since=since, seconds=seconds, caller="192.0.2.1")


@given(told=st.lists(STREAMS, max_size=8), asked=STREAMS, since=st.integers(0, 8))
def test_who_asks_is_told_exactly_of_what_moved_after_they_looked(
    told: list[frozenset[str]], asked: frozenset[str], since: int
) -> None:
    changes = Changes()
    for each in told:
        changes.tell_moved(each)

    moved = any(each & asked for each in told[since:])
    assert asyncio.run(waits(changes, *asked, since=since)) is moved
    assert changes.count == len(told)
    assert not changes.awaited


def test_who_waits_is_woken_by_their_stream_alone_and_by_whatever_may_be_anything() -> None:
    async def both() -> tuple[bool, bool, bool]:
        changes = Changes()
        mine = asyncio.create_task(waits(changes, "mine", seconds=PATIENCE))
        other = asyncio.create_task(waits(changes, "other", seconds=PATIENCE))
        while len(changes._waiting) < 2:
            await asyncio.sleep(0)
        await asyncio.to_thread(changes.tell_moved, ["mine"])
        first = await mine
        early = other.done()
        await asyncio.to_thread(changes.tell_all)
        return first, early, await other

    assert asyncio.run(both()) == (True, False, True)


def test_no_more_wait_than_there_is_room_for_and_of_one_address_not_all() -> None:
    async def crowd() -> list[bool]:
        changes = Changes(most=3, of_one=2)
        waiting = [
            asyncio.create_task(changes.one_of(["a"], since=0, seconds=PATIENCE, caller=caller))
            for caller in ("one", "one", "one", "two", "three")
        ]
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        while len(done) < 2:
            await asyncio.sleep(0)
            done = {each for each in waiting if each.done()}
        turned_away = [each in done for each in waiting]
        changes.tell_moved(["a"])
        await asyncio.gather(*waiting)
        return turned_away

    assert asyncio.run(crowd()) == [False, False, True, False, True]


def test_of_streams_beyond_those_remembered_it_is_supposed_that_they_moved() -> None:
    changes = Changes()
    changes.tell_moved(["long ago"])
    changes.tell_moved(str(number) for number in range(REMEMBERED))

    assert asyncio.run(waits(changes, "never", since=0))
    assert not asyncio.run(waits(changes, "never", since=1))


def draft(stream: str) -> Draft:
    return Draft(stream=stream, type="test.happened", schema=1, occurred_at=1, body=b"{}")


@pytest.mark.django_db
def test_a_look_tells_which_streams_moved_and_whether_one_began(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, changes = open_log(), Changes()
    watch = Watch(changes)
    monkeypatch.setattr(watch, "_may_have_moved", lambda: True)
    watch.look()
    told = list[set[str]]()
    monkeypatch.setattr(changes, "tell_moved", lambda streams: told.append(set(streams)))
    for stream, version in (("a" * 32, 0), ("b" * 32, 0), ("a" * 32, 1)):
        claim = CommandClaim(id=new_id(), actor="user:1", content=b"")
        append(log.pk, claim, [draft(stream)], expected={stream: version}, now=1)
        watch.look()
        watch.look()

    assert told == [{"a" * 32, NEW}, {"b" * 32, NEW}, {"a" * 32}]


class Answers:
    """An application that answers so many times that nothing changed, then that something did."""

    def __init__(self, same: int, watched: str = "a") -> None:
        self.same, self.watched, self.asked = same, watched, 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.asked += 1
        if self.asked > self.same:
            start_response("200 OK", [("Content-Type", "text/plain")])
            return [b"news"]
        start_response("304 Not Modified", [("ETag", '"1"'), (WATCHED, self.watched)])
        return []


def headers_of(visitor: Visitor) -> dict[bytes, bytes]:
    return dict(visitor.got[0]["headers"])


async def asked(
    answers: Answers, changes: Changes, visitor: Visitor, *, wait: int = 20, method: str = "GET"
) -> None:
    preference = (b"prefer", f"wait={wait}".encode())
    asked_for = {**scope(headers=[preference]), "method": method}
    application = front(answers, measures(), news=News(changes, lambda: None))
    await application(asked_for, visitor.receive, visitor.send)


def test_a_visitor_who_waits_is_answered_with_the_news_and_takes_no_thread_meanwhile() -> None:
    async def waiting() -> tuple[int, Visitor]:
        answers, changes, visitor = Answers(2), Changes(), Visitor()
        answer = asyncio.create_task(asked(answers, changes, visitor))
        for number in (1, 2):
            while not changes.awaited or answers.asked < number:
                await asyncio.sleep(0)
            changes.tell_moved(["other"])
            assert answers.asked == number
            changes.tell_moved(["a"])
        await answer
        return answers.asked, visitor

    count, visitor = asyncio.run(waiting())
    assert (count, visitor.status, visitor.body) == (3, 200, b"news")
    assert headers_of(visitor)[b"preference-applied"] == b"wait"


def test_who_has_waited_as_long_as_they_would_hears_that_nothing_changed() -> None:
    visitor = Visitor()
    asyncio.run(asked(Answers(9), Changes(), visitor, wait=1))

    assert visitor.status == 304
    assert headers_of(visitor) == {b"etag": b'"1"', b"preference-applied": b"wait"}


@pytest.mark.parametrize(
    ("changes", "method", "watched"),
    [(Changes(most=0), "GET", "a"), (Changes(), "POST", "a"), (Changes(), "GET", "")],
)
def test_who_can_t_wait_hears_at_once_that_nothing_changed(
    changes: Changes, method: str, watched: str
) -> None:
    visitor = Visitor()
    asyncio.run(asked(Answers(9, watched), changes, visitor, method=method))

    assert visitor.status == 304
    assert headers_of(visitor) == {b"etag": b'"1"'}


def test_who_leaves_is_waited_for_no_longer() -> None:
    async def leaving() -> tuple[bool, list[Any]]:
        changes, visitor = Changes(), Visitor()
        answer = asyncio.create_task(asked(Answers(9), changes, visitor))
        while not changes.awaited:
            await asyncio.sleep(0)
        visitor.leaves.set()
        await answer
        return changes.awaited, visitor.got

    assert asyncio.run(leaving()) == (False, [])


MAKE = "from tests.benchmarks.load_room import make; make(1)"


def test_a_board_that_waits_shows_what_another_process_recorded(
    own_database: OwnDatabase, tmp_path: Path
) -> None:
    environment = {**own_database.environment, "ACCORD_DATA": str(tmp_path / "data")}
    environment.pop("CELERY_BROKER_URL", None)
    made = subprocess.run(
        [sys.executable, "-c", MAKE], cwd=ROOT, env=environment, text=True,
        stdout=subprocess.PIPE, check=True, timeout=PATIENCE,
    )  # fmt: skip
    seated = Seated(**json.loads(made.stdout.splitlines()[-1])["tables"][0])

    async def waits_for_an_act(port: int) -> None:
        phone, board = Phone(seated, Browser(port)), Browser(port)
        await phone.come()
        path = f"/games/{seated.game}/"
        shown = (await board.get(path, **HTMX)).headers["etag"]
        waiting = {"If-None-Match": shown, "Prefer": "wait=20", **HTMX}
        answer = asyncio.create_task(board.get(path, **waiting))
        await asyncio.sleep(0.5)
        assert not answer.done()
        recorded = await phone.act()
        news = await answer
        assert (recorded.status, news.status) == (200, 200)
        assert news.headers["etag"] != shown
        assert news.headers["preference-applied"] == "wait"
        assert WATCHED not in news.headers

    with running(tmp_path / "data", environment, processes=2) as service:
        asyncio.run(waits_for_an_act(int(service.url.split(":")[2].strip("/"))))
