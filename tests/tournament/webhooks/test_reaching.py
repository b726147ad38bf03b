"""No webhook is a way into the server's own network."""

import socket
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from tests.tournament.webhooks.receiving import receiving
from tournament.webhooks.reaching import BadAddress, NotReached, UnknownHost, is_public, place_of, post

INSIDE = (
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255",
    "192.0.2.1", "198.18.0.1", "::1", "::", "fc00::1", "fd12::1", "fe80::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "2002:7f00:1::", "64:ff9b::a00:1", "2001:db8::1",
    # every other line of IANA's special-purpose registries that is not globally reachable
    "192.0.0.1", "192.88.99.1", "198.51.100.1", "203.0.113.1", "240.0.0.1", "::127.0.0.1", "::8.8.8.8", "64:ff9b:1::1", "100::1",
    "100:0:0:1::1",
    "2001:2::1", "2001:10::1", "3fff::1", "5f00::1", "fec0::1", "feff::1",
)  # fmt: skip
OUTSIDE = ("93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1")


def resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Every name has these addresses; the names asked for."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("address", INSIDE)
def test_a_network_address_inside_is_never_told_anything(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, address)

    assert not is_public(address)
    with pytest.raises(BadAddress, match="inside this network"):
        place_of("https://scores.example.org/")


@pytest.mark.parametrize("address", OUTSIDE)
def test_a_network_address_of_the_internet_may_be_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, address)

    assert is_public(address)
    assert place_of("https://scores.example.org/").network_address == address


def test_one_inner_address_among_outer_ones_is_enough_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, "1.1.1.1", "10.0.0.1")

    with pytest.raises(BadAddress, match="inside this network"):
        place_of("https://scores.example.org/")


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "localhost", "[::ffff:127.0.0.1]"])
def test_other_spellings_of_this_machine_are_refused(host: str) -> None:
    with pytest.raises(BadAddress):
        place_of(f"https://{host}/")


@pytest.mark.parametrize(
    "address",
    ["http://example.org/", "ftp://example.org/", "https:///x", "example.org", "https://a:b@example.org/", "https://example.org:99999/",
     "https://exa mple.org/", "https://[::1/", "javascript:alert(1)", "", "https://éxample.org/"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_what_would_be_one(address: str) -> None:
    with pytest.raises(BadAddress):
        place_of(address)


def test_the_connection_goes_to_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """A name that changes its mind between the look and the connection changes nothing: it is asked once."""
    settings.WEBHOOKS_WITHIN = True
    with receiving() as receiver:
        asked = resolving_first(monkeypatch, "127.0.0.1", "203.0.113.9")

        answer = post(receiver.address.replace("localhost", "scores.example.org"), b"{}", {})

    assert answer.status == 204
    assert asked.count("scores.example.org") == 1
    assert receiver.received[0][0]["host"].startswith("scores.example.org:")


def resolving_first(monkeypatch: pytest.MonkeyPatch, first: str, later: str) -> list[str]:
    """A name that has one address at the first look and another ever after; network addresses are themselves."""
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
