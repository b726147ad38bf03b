"""The front of the service, asked as a server asks an ASGI application: bodies are waited for,
threads are not held, turns are fair.
"""

import asyncio
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.helpers.asgi import QUICK, Visitor, measures, scope
from tests.tournament.helpers.running import PATIENCE
from tournament.accounts.client_ip import find_client_address, group_address
from tournament.server.http import admission_control, wsgi_bridge
from tournament.server.http import asgi_gateway as front_module
from tournament.server.http.admission_control import (
    BYTES_OF_ONE,
    KEPT_FOR_OTHERS,
    QUICK_AT_ONCE,
    Admission,
    FairQueue,
    OneTooMany,
)
from tournament.server.http.asgi_gateway import front
from tournament.server.http.connections import close_those_beyond
from tournament.server.http.request_bodies import (
    LONGEST,
    Pace,
    TooLong,
    TooSlow,
    VisitorGone,
    body_of,
)
from tournament.server.http.wsgi_bridge import GATHERED, environ_of, merge_headers

WRITES = """
import sqlite3, sys
sqlite3.connect(sys.argv[1], timeout=0).execute("INSERT INTO hand VALUES (2)")
"""


def says(*pieces: bytes) -> Callable[..., Iterable[bytes]]:
    """An application that answers these pieces."""

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return iter(pieces)

    return application


async def ask(application: Any, visitor: Visitor, **named: Any) -> Visitor:
    await application(scope(**named), visitor.receive, visitor.send)
    return visitor


def test_a_body_is_whole_before_the_application_is_asked() -> None:
    seen = list[bytes]()

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        seen.append(environ["wsgi.input"].read())
        start_response("200 OK", [])
        return [b"done"]

    visitor = asyncio.run(
        ask(
            front(application, measures()),
            Visitor(b"ab", b"cd"),
            headers=[(b"content-length", b"4")],
        )
    )

    assert (seen, visitor.status, visitor.body) == ([b"abcd"], 200, b"done")


@pytest.mark.parametrize(
    ("path", "kind"), [("/x/", b"text/html"), ("/api/v1/x/", b"application/problem+json")]
)
def test_a_half_body_is_answered_408_and_takes_no_thread(path: str, kind: bytes) -> None:
    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        raise AssertionError("it was asked")

    visitor = asyncio.run(
        ask(
            front(application, measures()),
            Visitor(b"a", whole=False),
            path=path,
            headers=[(b"content-length", b"9")],
        )
    )

    headers = dict(visitor.got[0]["headers"])
    assert (visitor.status, headers[b"connection"]) == (408, b"close")
    assert headers[b"content-type"].startswith(kind)


def test_a_body_that_comes_too_slowly_is_too_slow_however_often_a_byte_comes() -> None:
    async def dripping() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"x", "more_body": True}

    with pytest.raises(TooSlow):
        asyncio.run(
            body_of(dripping, came=lambda count: None, pace=Pace(grace=0.2, rate=1000, whole=60.0))
        )


def test_a_body_ends_at_the_whole_time_however_fast_it_is() -> None:
    async def endless() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"x" * 100, "more_body": True}

    with pytest.raises(TooSlow):
        asyncio.run(
            body_of(endless, came=lambda count: None, pace=Pace(grace=0.1, rate=1, whole=0.5))
        )


def test_a_body_is_read_no_further_than_the_longest() -> None:
    with pytest.raises(TooLong):
        asyncio.run(
            body_of(
                Visitor(*[b"x" * 65536] * (LONGEST // 65536), b"x").receive,
                came=lambda count: None,
                pace=QUICK,
            )
        )


def test_a_visitor_who_goes_away_is_noticed() -> None:
    visitor = Visitor(b"a", whole=False)
    visitor.leaves.set()

    with pytest.raises(VisitorGone):
        asyncio.run(body_of(visitor.receive, came=lambda count: None, pace=QUICK))


def test_a_length_that_is_no_number_is_refused() -> None:
    assert (
        asyncio.run(
            ask(front(says(b""), measures()), Visitor(), headers=[(b"content-length", b"-1")])
        ).status
        == 400
    )


def test_one_address_holds_no_more_of_the_memory_than_its_share() -> None:
    crowd = Admission(0, 0)
    with crowd.holding("a") as one, crowd.holding("a", 1) as two, crowd.holding("b") as other:
        one.grow(BYTES_OF_ONE - 1)
        with pytest.raises(OneTooMany):
            two.grow(1)
        other.grow(BYTES_OF_ONE)
    assert (crowd.requests.total(), crowd.sizes.total()) == (0, 0)


def test_a_visitor_who_takes_nothing_of_a_long_page_holds_no_thread() -> None:
    async def scene() -> int:
        application = front(says(b"x" * 3_000_000), measures(threads=1, taking=Pace(grace=5.0)))

        stuck = [
            asyncio.ensure_future(application(scope(), Visitor().receive, never)) for _ in range(3)
        ]
        await asyncio.sleep(0)
        other = await ask(application, Visitor(), by="192.0.2.2")
        for each in stuck:
            each.cancel()
        return other.status

    assert asyncio.run(scene()) == 200


async def never(message: dict[str, Any]) -> None:
    await asyncio.sleep(3600)


class Deaf(Visitor):
    """Takes nothing, not even the beginning of an answer."""

    async def send(self, message: dict[str, Any]) -> None:
        await super().send(message)
        await never(message)


async def answered(visitors: Sequence[Visitor], count: int) -> None:
    """Wait until so many of them have the beginning of an answer."""
    async with asyncio.timeout(PATIENCE):
        while sum(bool(each.got) for each in visitors) < count:
            await asyncio.sleep(0.01)


class Dripping(Visitor):
    """Takes each part of an answer after a while."""

    async def send(self, message: dict[str, Any]) -> None:
        await asyncio.sleep(0.2)
        await super().send(message)


def test_an_answer_that_is_taken_too_slowly_ends() -> None:
    slow = measures(taking=Pace(grace=1.5, rate=10_000_000, whole=60.0))
    visitor = asyncio.run(ask(front(says(b"x" * 3_000_000), slow), Dripping()))

    assert 2 < len(visitor.got) < 20
    assert len(visitor.body) < 3_000_000


def test_an_address_that_takes_no_answer_is_refused_more_and_another_gets_its_own() -> None:
    made = list[str]()

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        made.append(environ["REMOTE_ADDR"])
        start_response("200 OK", [])
        return [b"x" * 1_000_000]

    async def scene() -> list[int]:
        held = measures(of_one=0, in_all=0, untaken_of_one=4_000_000, untaken_in_all=6_000_000)
        application_behind = front(application, held)
        deaf = [Deaf() for _ in range(10)]
        stuck = [
            asyncio.ensure_future(ask(application_behind, each, by="192.0.2.1")) for each in deaf
        ]
        await answered(deaf, len(deaf))
        again = [await ask(application_behind, Visitor(), by="192.0.2.1") for _ in range(3)]
        other = await ask(application_behind, Visitor(), by="192.0.2.2")
        for each in stuck:
            each.cancel()
        return [each.status for each in (*again, other)]

    assert asyncio.run(scene()) == [429, 429, 429, 200]
    assert made.count("192.0.2.1") <= 10  # what was refused once its length was known isn't made
    assert made[-1] == "192.0.2.2"


def test_a_file_is_sent_as_it_lies_on_disk_and_read_no_further_than_it_is_taken(
    tmp_path: Path,
) -> None:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(bytes(range(256)) * 8192)

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [])
        wrapped: Iterable[bytes] = environ["wsgi.file_wrapper"](path.open("rb"))
        return wrapped

    async def scene() -> bytes:
        application_behind = front(application, measures(of_one=0, in_all=0))
        deaf = [Deaf() for _ in range(20)]
        stuck = [asyncio.ensure_future(ask(application_behind, each)) for each in deaf]
        await answered(deaf, len(deaf))
        opened = len(wsgi_bridge._open_files)
        whole = (await ask(application_behind, Visitor())).body
        for each in stuck:
            each.cancel()
        await asyncio.gather(*stuck, return_exceptions=True)
        assert (opened, len(wsgi_bridge._open_files)) == (1, 0)
        return whole

    assert asyncio.run(scene()) == path.read_bytes()


def test_bodies_that_are_awaited_have_a_measure_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(front_module, "SECONDS_AWAITED", 0.05)
    announced = [(b"content-length", b"9")]

    async def scene() -> list[int]:
        slow = Pace(grace=PATIENCE, rate=1_000_000, whole=PATIENCE)
        application = front(
            says(b"done"), measures(of_one=2, in_all=3, awaited_of_one=2, pace=slow)
        )
        half = [Visitor(b"a", whole=False) for _ in range(6)]
        asked = [
            asyncio.ensure_future(
                ask(application, each, by=f"192.0.2.{number // 3}", headers=announced)
            )
            for number, each in enumerate(half)
        ]
        await answered(half, 3)
        refused = sorted(each.status for each in half if each.got)
        page = await ask(application, Visitor(), by="192.0.2.0")
        act = await ask(application, Visitor(b"a=1234567"), by="192.0.2.0", headers=announced)
        for each in asked:
            each.cancel()
        return [*refused, page.status, act.status]

    assert asyncio.run(scene()) == [429, 503, 503, 200, 200]


def test_a_long_answer_in_pieces_is_sent_while_it_is_made_and_ends_when_the_visitor_leaves() -> (
    None
):
    made = list[int]()
    closed = threading.Event()

    class Pieces:
        def __iter__(self) -> Any:
            for number in range(10_000):
                made.append(number)
                yield b"x" * GATHERED

        def close(self) -> None:
            closed.set()

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [])
        return Pieces()

    class Leaving(Visitor):
        async def send(self, message: dict[str, Any]) -> None:
            await super().send(message)
            if len(self.got) > 200:
                self.leaves.set()

    async def scene() -> Visitor:
        return await ask(front(application, measures()), Leaving())

    visitor = asyncio.run(scene())

    assert visitor.status == 200
    assert closed.is_set()
    assert 4 < len(made) < 10_000


def test_half_of_the_threads_at_most_send_long_answers() -> None:
    async def scene() -> list[int]:
        let = asyncio.Event()

        class Waiting(Visitor):
            async def send(self, message: dict[str, Any]) -> None:
                await super().send(message)
                await let.wait()

        application = front(says(*[b"x" * GATHERED] * 4), measures(threads=4))
        first = [Waiting(), Waiting()]
        running = [
            asyncio.create_task(ask(application, each, by=f"192.0.2.{number}"))
            for number, each in enumerate(first)
        ]
        while not all(each.got for each in first):
            await asyncio.sleep(0.01)
        third = await ask(application, Visitor(), by="192.0.2.9")
        let.set()
        await asyncio.gather(*running)
        return [third.status, *(each.status for each in first)]

    assert asyncio.run(scene()) == [503, 200, 200]


def test_several_of_a_header_are_joined_and_one_with_an_underscore_is_left_out() -> None:
    found = merge_headers(
        [
            (b"Cookie", b"a=1"),
            (b"cookie", b"b=2"),
            (b"X-A", b"1"),
            (b"x-a", b"2"),
            (b"x_forwarded_for", b"9"),
        ]
    )

    assert found == {"cookie": "a=1; b=2", "x-a": "1,2"}


def test_the_application_is_told_what_was_asked_byte_for_byte() -> None:
    environ = environ_of(
        {**scope("/é"), "raw_path": b"/%C3%A9%2F%FF"}, {"content-length": "2", "x-a": "b"}, b"ab"
    )

    path = environ["PATH_INFO"]
    assert isinstance(path, str)
    assert path.encode("latin-1") == b"/\xc3\xa9/\xff"
    assert (environ["CONTENT_LENGTH"], environ["HTTP_X_A"], environ["REMOTE_ADDR"]) == (
        "2",
        "b",
        "192.0.2.1",
    )
    assert "HTTP_CONTENT_LENGTH" not in environ


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"), ("none", "none"),
    ],
)  # fmt: skip
def test_an_address_of_the_newer_kind_is_counted_with_its_network(
    address: str, counted: str
) -> None:
    assert group_address(address) == counted


@pytest.mark.parametrize(
    ("forwarded", "proxies", "seen"),
    [
        ("", 0, "peer"),
        ("a", 0, "peer"),
        ("", 1, "peer"),
        ("a, b", 1, "b"),
        ("a, b", 2, "a"),
        ("a", 2, "peer"),
        (" , b ,", 1, "b"),
    ],
)
def test_only_the_word_of_trusted_proxies_tells_who_asks(
    forwarded: str, proxies: int, seen: str
) -> None:
    assert find_client_address("peer", forwarded, proxies) == seen


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=60), st.integers(1, 8))
def test_nobody_waits_longer_than_one_round_of_the_addresses_and_no_place_is_lost(
    callers: list[str], threads: int
) -> None:
    asyncio.run(_turns_are_fair(callers, threads))


async def _turns_are_fair(callers: list[str], threads: int) -> None:
    turns, running, most, order = (
        FairQueue(threads),
        dict.fromkeys("abc", 0),
        dict.fromkeys("abc", 0),
        list[str](),
    )

    async def one(address: str) -> None:
        async with turns.place_for(address):
            order.append(address)
            running[address] += 1
            most[address] = max(most[address], running[address])
            assert sum(running.values()) <= min(threads, QUICK_AT_ONCE)
            await asyncio.sleep(0)
            running[address] -= 1

    await asyncio.gather(*(one(each) for each in callers))

    assert sorted(order) == sorted(callers)
    assert all(each <= max(1, threads - KEPT_FOR_OTHERS) for each in most.values())


def test_whoever_comes_behind_a_crowd_of_another_address_is_next() -> None:
    async def scene() -> list[str]:
        turns, order, let = FairQueue(1), list[str](), asyncio.Event()

        async def one(address: str) -> None:
            async with turns.place_for(address):
                await let.wait()
                order.append(address)

        tasks = [asyncio.create_task(one("crowd")) for _ in range(20)]
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(one("guest")))
        await asyncio.sleep(0)
        let.set()
        await asyncio.gather(*tasks)
        return order

    assert asyncio.run(scene()).index("guest") <= 2


def test_who_records_comes_before_who_reads_of_the_same_address_but_not_of_others() -> None:
    async def scene() -> list[str]:
        turns, order, let = FairQueue(1), list[str](), asyncio.Event()

        async def one(name: str, address: str, *, records: bool = False) -> None:
            async with turns.place_for(address, records=records):
                await let.wait()
                order.append(name)

        tasks = [asyncio.create_task(one("first", "hall"))]
        await asyncio.sleep(0)
        for name, address, records in (
            ("board", "hall", False),
            ("guest", "guest", False),
            ("act", "hall", True),
            ("later act", "hall", True),
        ):
            tasks.append(asyncio.create_task(one(name, address, records=records)))
            await asyncio.sleep(0)
        let.set()
        await asyncio.gather(*tasks)
        return order

    assert asyncio.run(scene()) == ["first", "act", "guest", "later act", "board"]


def test_what_goes_on_for_long_lets_others_begin_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission_control, "SECONDS_QUICK", 0.01)

    async def scene() -> int:
        turns, let, inside = FairQueue(8), asyncio.Event(), list[str]()

        async def one(address: str) -> None:
            async with turns.place_for(address):
                inside.append(address)
                await let.wait()

        tasks = [asyncio.create_task(one(str(number))) for number in range(9)]
        await asyncio.sleep(0)
        assert len(inside) == QUICK_AT_ONCE
        async with asyncio.timeout(PATIENCE):
            while len(inside) < 8:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        beside = len(inside)
        let.set()
        await asyncio.gather(*tasks)
        tasks = [asyncio.create_task(one(str(number))) for number in range(3)]
        await asyncio.gather(*tasks)  # every place was given back
        return beside

    assert asyncio.run(scene()) == 8


def test_a_visitor_who_gives_up_while_waiting_leaves_the_place_to_the_next() -> None:
    async def scene() -> bool:
        turns, let = FairQueue(1), asyncio.Event()

        async def one() -> None:
            async with turns.place_for("a"):
                await let.wait()

        first, second, third = (asyncio.create_task(one()) for _ in range(3))
        await asyncio.sleep(0)
        second.cancel()
        let.set()
        await asyncio.gather(first, third)
        return second.cancelled() or second.done()

    assert asyncio.run(scene())


def test_connections_of_an_address_beyond_its_measure_are_closed_but_those_that_ask() -> None:
    with ExitStack() as stack:
        door = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = door.getsockname()[1]
        visitors = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            for _ in range(30)
        ]
        held = [stack.enter_context(door.accept()[0]) for _ in visitors]
        asking = {
            (address, str(number))
            for address, number in (each.getsockname() for each in visitors[20:])
        }

        assert close_those_beyond(port, 30, asking) == 0
        assert close_those_beyond(port, 15, asking) == 15
        closed = [
            number
            for number, each in enumerate(visitors)
            if held[number].fileno() >= 0 and ended(each)
        ]

    assert closed == list(range(5, 20))


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_looking_at_connections_leaves_the_locks_of_this_process(
    tmp_path: Path, journal: str
) -> None:
    """POSIX takes all locks on a file from a process that closes a copy of it: while a transaction
    is open here, no other process may write.
    """
    path = tmp_path / "salon.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(f"PRAGMA journal_mode={journal}")
        database.execute("CREATE TABLE hand (number)")
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO hand VALUES (1)")

        close_those_beyond(1, 0, ())
        elsewhere = subprocess.run(
            [sys.executable, "-c", WRITES, str(path)], capture_output=True, text=True, check=False
        )

        database.execute("COMMIT")

    assert "database is locked" in elsewhere.stderr


def ended(door: socket.socket) -> bool:
    """Whether the other side closed it."""
    door.setblocking(False)
    try:
        return door.recv(1) == b""
    except BlockingIOError:
        return False
