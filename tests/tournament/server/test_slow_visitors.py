"""Whoever sends slowly, too much or too often costs the others nothing: the real server, asked by
sockets.
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

HALF = (
    "POST {path} HTTP/1.1\r\nHost: localhost\r\nCookie: "
    "csrftoken=abcdefghijklmnopqrstuvwxyz012345\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n{more}\r\na=1"
)
HELD = 50


@pytest.fixture(scope="module")
def service(database_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One behind a proxy that tells who asks, where an address may ask for sixty things at once."""
    folder = tmp_path_factory.mktemp("slow") / "data"
    folder.mkdir()
    if Path(database_template).exists():
        shutil.copyfile(database_template, folder / "accord.sqlite3")
    with running(
        folder,
        {
            **own_environment(),
            "PROXIES": "1",
            "REQUESTS_OF_ONE_ADDRESS": str(HELD + 10),
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


def test_an_address_that_asks_for_too_much_at_once_is_told_so_and_another_is_answered(
    service: Running,
) -> None:
    with half_sent(service, HELD + 10, by="203.0.113.3") as doors:
        assert wait_for(lambda: "429" in page(service, by="203.0.113.3"))
        of_a_page = page(service, by="203.0.113.3")
        head, _, body = page(service, "/api/v1/salons/a/", by="203.0.113.3").partition("\r\n\r\n")
        of_another = page(service, by="203.0.113.4")
        assert still_held(doors) >= HELD

    assert of_a_page.startswith("HTTP/1.1 429")
    assert "Too many requests come from this address" in of_a_page
    assert re.search("(?i)retry-after: [0-9]+", of_a_page)
    assert head.startswith("HTTP/1.1 429")
    assert (json.loads(body)["status"], json.loads(body)["code"]) == (429, "too_many")
    assert of_another.startswith("HTTP/1.1 200")


def test_what_a_visitor_writes_before_the_proxy_s_word_names_no_other_address(
    service: Running,
) -> None:
    with half_sent(service, HELD + 10, by="198.51.100.7, 203.0.113.5"):
        assert wait_for(
            lambda: page(service, by="198.51.100.8, 203.0.113.5").startswith("HTTP/1.1 429")
        )
        assert page(service, by="203.0.113.9", more="X_Forwarded_For: 203.0.113.5\r\n").startswith(
            "HTTP/1.1 200"
        )


def test_a_head_is_answered_without_a_body(service: Running) -> None:
    with asked(
        service, "HEAD /welcome/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    ) as door:
        head, _, body = answer(door).partition("\r\n\r\n")

    assert head.startswith("HTTP/1.1 200")
    assert int(match_in(head, "(?i)content-length: ([0-9]+)")[1]) > 0
    assert body == ""
