"""No webhook is a way into the server's own network."""

import ipaddress
import socket
from contextlib import suppress
from threading import Event, Thread
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from tests.tournament.webhooks.receiving import receiving
from tournament.webhooks import safe_http
from tournament.webhooks.safe_http import (
    BadAddress,
    NotReached,
    UnknownHost,
    is_public,
    place_of,
    post,
)

# IANA's special-purpose address registries, every line, and what else nobody outside answers for:
# multicast, site-local (RFC 3879), IPv4-compatible (RFC 4291). The last three wrap an address of
# IPv4 and are judged by it.
REGISTERED = (
    "0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24",
    "192.0.0.0/29", "192.0.0.8/32", "192.0.0.9/32", "192.0.0.10/32", "192.0.0.170/32",
    "192.0.0.171/32", "192.0.2.0/24",
    "192.88.99.0/24", "192.88.99.2/32", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
    "203.0.113.0/24", "240.0.0.0/4",
    "255.255.255.255/32", "224.0.0.0/4",
    "::1/128", "::/128", "::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23",
    "2001::/32", "2001:1::1/128",
    "2001:1::2/128", "2001:1::3/128", "2001:2::/48", "2001:3::/32", "2001:4:112::/48",
    "2001:10::/28", "2001:20::/28", "2001:30::/28",
    "2001:db8::/32", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
)  # fmt: skip
GIVEN_OUT = (
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.175.48.0/24",
    "2620:4f:8000::/48",
)  # in the registries, and reached like any
WRAPPING = {
    "::ffff:0:0/96": 0,
    "64:ff9b::/96": 0,
    "2002::/16": 80,
}  # and by how many bits to the left of the end
INSIDE = (
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "0.0.0.0", "255.255.255.255", "::1", "::",
    "fc00::1", "fe80::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::a00:1",
    "::127.0.0.1", "fec0::1",
)  # fmt: skip
OUTSIDE = ("93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1")


@pytest.mark.parametrize("block", REGISTERED)
def test_no_address_of_a_registered_block_is_told_anything(block: str) -> None:
    network = ipaddress.ip_network(block)
    places = {
        0,
        1,
        network.num_addresses // 2,
        network.num_addresses - 2,
        network.num_addresses - 1,
    }

    assert [
        str(network[place])
        for place in places
        if 0 <= place < network.num_addresses and is_public(str(network[place]))
    ] == []


@pytest.mark.parametrize("block", GIVEN_OUT)
def test_a_block_that_is_reached_like_any_is_told(block: str) -> None:
    assert is_public(str(ipaddress.ip_network(block)[5]))


@pytest.mark.parametrize("inner", [block for block in REGISTERED if ":" not in block])
@pytest.mark.parametrize("block", WRAPPING)
def test_no_inner_address_hides_in_an_outer_one(block: str, inner: str) -> None:
    wrapped = int(ipaddress.ip_network(inner)[0]) << WRAPPING[block]

    assert not is_public(str(ipaddress.IPv6Address(int(ipaddress.ip_network(block)[0]) | wrapped)))


def resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Every name has these addresses; the names asked for."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("address", INSIDE)
def test_a_network_address_inside_is_never_told_anything(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, address)

    assert not is_public(address)
    with pytest.raises(BadAddress, match="inside this network"):
        place_of("https://scores.example.org/")


@pytest.mark.parametrize("address", OUTSIDE)
def test_a_network_address_of_the_internet_may_be_told(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, address)

    assert is_public(address)
    assert place_of("https://scores.example.org/").network_address == address


def test_one_inner_address_among_outer_ones_is_enough_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resolving(monkeypatch, "1.1.1.1", "10.0.0.1")

    with pytest.raises(BadAddress, match="inside this network"):
        place_of("https://scores.example.org/")


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "localhost", "[::ffff:127.0.0.1]"]
)
def test_other_spellings_of_this_machine_are_refused(host: str) -> None:
    with pytest.raises(BadAddress):
        place_of(f"https://{host}/")


@pytest.mark.parametrize(
    "address",
    ["http://example.org/", "ftp://example.org/", "https:///x", "example.org",
     "https://a:b@example.org/", "https://example.org:99999/", "https://exa mple.org/",
     "https://[::1/", "javascript:alert(1)", "", "https://éxample.org/"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_what_would_be_one(address: str) -> None:
    with pytest.raises(BadAddress):
        place_of(address)


def test_the_connection_goes_to_the_address_that_was_looked_at(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """A name that changes its mind between the look and the connection changes nothing: it is asked
    once.
    """
    settings.WEBHOOKS_WITHIN = True
    with receiving() as receiver:
        asked = resolving_first(monkeypatch, "127.0.0.1", "203.0.113.9")

        answer = post(receiver.address.replace("localhost", "scores.example.org"), b"{}", {})

    assert answer.status == 204
    assert asked.count("scores.example.org") == 1
    assert receiver.received[0][0]["host"].startswith("scores.example.org:")


def resolving_first(monkeypatch: pytest.MonkeyPatch, first: str, later: str) -> list[str]:
    """A name that has one address at the first look and another ever after; network addresses are
    themselves.
    """
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        found = host if host[0].isdigit() else later if asked else first
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (found, port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


def test_no_redirect_is_followed(settings: Settings) -> None:
    settings.WEBHOOKS_WITHIN = True
    with receiving() as receiver:
        receiver.statuses = [302]

        assert post(receiver.address, b"{}", {}).status == 302
        assert len(receiver.received) == 1


def test_only_the_beginning_of_an_answer_is_read(settings: Settings) -> None:
    settings.WEBHOOKS_WITHIN = True
    with receiving() as receiver:
        receiver.statuses, receiver.text = [200], b"x\x00" * 5_000

        assert post(receiver.address, b"{}", {}).text == "x\ufffd" * 512


def test_who_does_not_answer_is_not_reached(settings: Settings) -> None:
    settings.WEBHOOKS_WITHIN = True
    with receiving() as receiver:
        address = receiver.address

    with pytest.raises(NotReached):
        post(address, b"{}", {})


def test_a_name_nobody_knows_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> list[Any]:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    with pytest.raises(UnknownHost, match=r"no-such-place\.example"):
        place_of("https://no-such-place.example/")


@pytest.mark.parametrize(
    ("scheme", "begins"),
    [("http", b"HTTP/1.1 200 OK\r\nX-More: "), ("https", b"\x16\x03\x03\x20\x00")],
)
def test_who_answers_drop_by_drop_is_cut_off(
    scheme: str, begins: bytes, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each drop comes in time, in the headers of the answer or in the handshake of TLS; the whole
    never would.
    """
    settings.WEBHOOKS_WITHIN = True
    monkeypatch.setattr(safe_http, "SECONDS_IN_ALL", 0.5)
    enough, door = Event(), socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        with suppress(OSError), door.accept()[0] as wire:
            wire.sendall(begins)
            for _ in range(300):
                if enough.wait(0.05):
                    return
                wire.sendall(b"a")

    dripping = Thread(target=drip, daemon=True)
    dripping.start()
    with pytest.raises(NotReached, match="no whole answer"):
        post(f"{scheme}://localhost:{door.getsockname()[1]}/", b"{}", {})
    enough.set()
    dripping.join()
    door.close()


def test_an_answer_whose_text_never_ends_counts_by_its_status(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS_WITHIN = True
    monkeypatch.setattr(safe_http, "SECONDS_IN_ALL", 0.5)
    enough, door = Event(), socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with suppress(OSError), door.accept()[0] as wire:
            wire.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nthanks")
            enough.wait(30)

    answering = Thread(target=answer, daemon=True)
    answering.start()
    said = post(f"http://localhost:{door.getsockname()[1]}/", b"{}", {})
    enough.set()
    answering.join()
    door.close()

    assert (said.status, said.text) == (200, "thanks")
