"""A visitor who sends or reads slowly, too much or too often costs the others nothing: the real
server, asked by sockets.
"""

import json
import re
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.tournament.helpers.reading import match_in
from tests.tournament.helpers.running import PATIENCE, Running, own_environment, running, wait_for

pytestmark = pytest.mark.anywhere  # it serves on SQLite, whatever else there is
HALF = (
    "POST {path} HTTP/1.1\r\nHost: localhost\r\nCookie: "
    "csrftoken=abcdefghijklmnopqrstuvwxyz012345\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n{more}\r\na=1"
)
HELD = 50


@pytest.fixture(scope="module")
def service(database_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One behind a proxy that tells who asks, where an address may have sixty bodies awaited and
    leave two megabytes of answers unread.
    """
    folder = tmp_path_factory.mktemp("slow") / "data"
    folder.mkdir()
    if Path(database_template).exists():
        shutil.copyfile(database_template, folder / "accord.sqlite3")
    with running(
        folder,
        {
            **own_environment(),
            "PROXIES": "1",
            "BODIES_AWAITED_OF_ONE_ADDRESS": str(HELD + 10),
            "UNTAKEN_MB_OF_ONE_ADDRESS": "2",
            "BODY_SECONDS": str(PATIENCE),
        },
    ) as service:
        yield service


def asked(service: Running, head: str, body: bytes = b"") -> socket.socket:
    """A connection on which this was sent."""
    door = socket.create_connection(
        ("127.0.0.1", int(service.url.split(":")[2].strip("/"))), timeout=PATIENCE
    )
    door.sendall(head.encode() + body)
    return door


def answer(door: socket.socket) -> str:
    """All that comes until the server closes."""
    parts = []
    while part := door.recv(65536):
        parts.append(part)
    return b"".join(parts).decode()


def page(service: Running, path: str = "/welcome/", by: str = "203.0.113.9", more: str = "") -> str:
    with asked(
        service,
        (
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {by}\r\nConnection: "
            f"close\r\n{more}\r\n"
        ),
    ) as door:
        return answer(door)


@contextmanager
def half_sent(
    service: Running, count: int, *, by: str, path: str = "/sign-in/"
) -> Iterator[list[socket.socket]]:
    """So many connections of an address with half a body on each."""
    with ExitStack() as stack:
        more = f"X-Forwarded-For: {by}\r\n"
        doors = [
            stack.enter_context(asked(service, HALF.format(path=path, more=more)))
            for _ in range(count)
        ]
        time.sleep(1)  # A server that takes a thread for each has taken them all by then.
        yield doors


def still_held(doors: list[socket.socket]) -> int:
    """On how many of them nothing came yet."""
    return sum(not has_answer(door) for door in doors)


def has_answer(door: socket.socket) -> bool:
    door.setblocking(False)
    try:
        door.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    finally:
        door.settimeout(PATIENCE)
    return True


@pytest.mark.long
def test_a_page_answers_while_fifty_connections_have_sent_half_of_what_they_announced(
    service: Running,
) -> None:
    with half_sent(service, HELD, by="203.0.113.1") as doors:
        assert page(service).startswith("HTTP/1.1 200")
        assert page(service, "/healthz").endswith("ok\n")
        assert page(service, by="203.0.113.1").startswith("HTTP/1.1 200")
        assert still_held(doors) == HELD


@pytest.mark.parametrize("length", [4 * 1024 * 1024 + 1, 10**30])
def test_a_body_that_announces_more_than_is_ever_read_is_refused_before_any_of_it_came(
    service: Running, length: int
) -> None:
    with asked(
        service, f"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"
    ) as door:
        assert answer(door).startswith("HTTP/1.1 4")
    assert page(service).startswith("HTTP/1.1 200")


def test_a_body_of_unsaid_length_is_read_no_further_than_the_longest(service: Running) -> None:
    part = b"x" * 65536
    with asked(
        service,
        "POST /api/v1/salons/a/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
    ) as door:
        try:
            for _ in range(200):
                door.sendall(b"10000\r\n" + part + b"\r\n")
        except (BrokenPipeError, ConnectionResetError):
            return
        assert answer(door).startswith("HTTP/1.1 413")


@pytest.mark.parametrize("size", ["zz", "-1", "1;a\x00", "fffffffffffffffff"])
def test_a_chunk_whose_size_can_t_be_read_is_answered_400(service: Running, size: str) -> None:
    with asked(
        service,
        "POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        f"{size}\r\na=1\r\n0\r\n\r\n",
    ) as door:
        assert answer(door).startswith("HTTP/1.1 400")


def test_an_address_with_too_many_bodies_awaited_is_told_so_and_every_page_is_answered(
    service: Running,
) -> None:
    by = "203.0.113.3"
    with half_sent(service, HELD + 10, by=by) as doors:
        with half_sent(service, 1, by=by) as [beyond]:
            of_a_form = answer(beyond)
        with half_sent(service, 1, by=by, path="/api/v1/salons/a/") as [beyond]:
            head, _, body = answer(beyond).partition("\r\n\r\n")
        pages = [page(service, by=by), page(service, by="203.0.113.4")]
        act = whole_form(service, by=by)
        assert still_held(doors) >= HELD

    assert of_a_form.startswith("HTTP/1.1 429")
    assert "Too many requests come from this address" in of_a_form
    assert re.search("(?i)retry-after: [0-9]+", of_a_form)
    assert head.startswith("HTTP/1.1 429")
    assert (json.loads(body)["status"], json.loads(body)["code"]) == (429, "too_many")
    assert [each[:12] for each in pages] == ["HTTP/1.1 200"] * 2
    assert act.startswith("HTTP/1.1 302")  # it was answered: there is no salon yet


def whole_form(service: Running, *, by: str) -> str:
    """The answer to a form that came whole."""
    more = f"X-Forwarded-For: {by}\r\nConnection: close\r\n"
    with asked(service, HALF.format(path="/sign-in/", more=more), b"&" + b"b" * 996) as door:
        return answer(door)


def test_an_address_that_reads_nothing_is_refused_more_and_another_is_answered(
    service: Running,
) -> None:
    """A file of 257 kB is asked for on forty connections; two megabytes have room for a few."""
    path, by = "/static/vendor/jsqr-1.4.0/jsQR.js", "203.0.113.6"
    with ExitStack() as stack:
        doors = [stack.enter_context(unread(service, path, by=by)) for _ in range(40)]
        assert wait_for(lambda: sum(map(has_answer, doors)) == len(doors))
        starts = [door.recv(12, socket.MSG_PEEK).decode() for door in doors]
        of_another = page(service, path, by="203.0.113.7")
        small = page(service, by=by)

    assert {*starts} == {"HTTP/1.1 200", "HTTP/1.1 429"}
    assert starts.count("HTTP/1.1 200") < 10
    assert (of_another[:12], small[:12]) == ("HTTP/1.1 200", "HTTP/1.1 200")
    assert len(of_another) > 250_000


def unread(service: Running, path: str, *, by: str) -> socket.socket:
    """A connection on which this was asked, with little room for the answer."""
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    door.settimeout(PATIENCE)
    door.connect(("127.0.0.1", int(service.url.split(":")[2].strip("/"))))
    door.sendall(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {by}\r\n\r\n".encode()
    )
    return door


def test_what_a_visitor_writes_before_the_proxy_s_word_names_no_other_address(
    service: Running,
) -> None:
    with half_sent(service, HELD + 10, by="198.51.100.7, 203.0.113.5"):
        with half_sent(service, 1, by="198.51.100.8, 203.0.113.5") as [beyond]:
            assert answer(beyond).startswith("HTTP/1.1 429")
        with half_sent(service, 1, by="203.0.113.9\r\nX_Forwarded_For: 203.0.113.5") as [other]:
            assert still_held([other]) == 1


def test_a_head_is_answered_without_a_body(service: Running) -> None:
    with asked(
        service, "HEAD /welcome/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    ) as door:
        head, _, body = answer(door).partition("\r\n\r\n")

    assert head.startswith("HTTP/1.1 200")
    assert int(match_in(head, "(?i)content-length: ([0-9]+)")[1]) > 0
    assert body == ""
