"""Reach an address outside, and never one inside: a webhook must not become a way into the server's
own network, nor a phone that asks to be told.

The name is resolved once, every address it has must be public, and the connection goes to the
address that was looked at: a name that changes its mind in between changes nothing. No redirect is
followed, little is read, and a connection is cut when its time is over, however little by little
the other side speaks.
"""

import ipaddress
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Lock, Timer
from typing import Any
from urllib.parse import SplitResult, urlsplit

import urllib3
from django.conf import settings
from django.utils.translation import gettext as _

PORTS = {"https": 443, "http": 80}
SECONDS_TO_CONNECT = 5.0
SECONDS_TO_ANSWER = 10.0  # for each thing that comes
SECONDS_IN_ALL = 15.0  # from the beginning of the connection to the end of the answer
BYTES_OF_AN_ANSWER = 1024

# All that is given out so far (IANA); site-local and IPv4-compatible are not in it.
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Of IANA's special-purpose registries, what Python counts as global: documentation (RFC 9637),
# relays of 6to4 (RFC 7526), and blocks of protocols, whose anycast addresses are answered by the
# nearest box, one of this network (RFC 7723, RFC 8155).
SPECIAL = tuple(
    ipaddress.ip_network(each)
    for each in ("3fff::/20", "2001::/23", "192.88.99.0/24", "192.0.0.0/24")
)


class BadAddress(Exception):
    """An address that may not be told anything; the message says why, in words for people."""


class UnknownHost(BadAddress):
    """Its name leads nowhere, at least now."""


class NotReached(Exception):
    """Nobody answered; the message says what happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a message: the status, the beginning of the text, and `Retry-After` as
    it was written, "" without one.
    """

    status: int
    text: str
    retry_after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """An address taken apart, with the network address to connect to."""

    scheme: str
    host: str
    port: int
    path: str
    network_address: str


def place_of(address: str, *, within: bool | None = None) -> Destination:
    """The destination of a message to this address. `within` is whether that may be a
    machine of this network, and over HTTP; None: as the server's settings say. Raises
    BadAddress.
    """
    allowed = settings.WEBHOOKS_WITHIN if within is None else within
    parts = _parts(address, within=allowed)
    host = parts.hostname or ""
    try:
        port = parts.port or PORTS[parts.scheme]
    except ValueError:
        raise BadAddress(_("The port is a number from 1 to 65535.")) from None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    found = _look_up_host(host, port, within=allowed)
    return Destination(scheme=parts.scheme, host=host, port=port, path=path, network_address=found)


def post(
    address: str, body: bytes, headers: Mapping[str, str], *, within: bool | None = None
) -> Answer:
    """Send a message and read how it was answered; `within` as for `place_of`. Raises BadAddress,
    NotReached.
    """
    place = place_of(address, within=within)
    sent = {
        "Host": _host_header(place),
        "Content-Type": "application/json",
        "User-Agent": "Accord-Webhooks/1",
        **headers,
    }
    try:
        with _cut_after(SECONDS_IN_ALL) as cut, _pool(place, cut) as pool:
            answer = pool.urlopen(
                "POST",
                place.path,
                body=body,
                headers=sent,
                redirect=False,
                retries=False,
                preload_content=False,
            )
            if cut.over:  # headers that break off read like headers that end
                raise TimeoutError
            later = answer.headers.get("Retry-After", "")
            return Answer(
                status=answer.status, text=_read_beginning(answer, cut), retry_after=later
            )
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise NotReached(f"{type(error).__name__}: {error}"[:BYTES_OF_AN_ANSWER]) from error


def is_public(address: str) -> bool:
    """Whether a network address is one of the internet; of one that wraps another (IPv4 in IPv6),
    whether both are.
    """
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or _by_nat64(found)
        if inner is not None:
            return is_public(str(inner))
        return found in GLOBAL_UNICAST and _is_global(found)
    return _is_global(found)


def _is_global(found: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return (
        found.is_global
        and not found.is_multicast
        and not any(found in each for each in SPECIAL if each.version == found.version)
    )


def _by_nat64(found: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address behind a translated one (RFC 6052)."""
    if found not in ipaddress.ip_network("64:ff9b::/96"):
        return None
    return ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)


def _parts(address: str, *, within: bool) -> SplitResult:
    try:
        parts = urlsplit(address)
    except ValueError:
        words = _("This is no address; one looks like https://scores.example.org/accord.")
        raise BadAddress(words) from None
    allowed = ("https", "http") if within else ("https",)
    if (
        parts.scheme not in allowed
        or not parts.hostname
        or not address.isascii()
        or any(sign.isspace() for sign in address)
    ):
        raise BadAddress(
            _(
                "An address begins with https:// and a host name, as in https://scores.example.org/accord."
            )
        )
    if parts.username is not None or parts.password is not None:
        words = _("An address carries no user name and no password: messages are signed instead.")
        raise BadAddress(words)
    return parts


def _look_up_host(host: str, port: int, *, within: bool) -> str:
    """The first network address of a host. Raises BadAddress for a host without one, or with one
    that is not public.
    """
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        found = [str(entry[4][0]) for entry in entries]
    except (OSError, UnicodeError):
        raise UnknownHost(_("No computer of the name %s is known.") % host) from None
    if not within and not all(is_public(each) for each in found):
        words = _(
            "%s is inside this network. Messages go to the internet only, unless the "
            "server's settings allow more."
        )
        raise BadAddress(words % host)
    return found[0]


class _Deadline:
    """A time limit that ends a connection from outside when its time is over; a wait for
    its next byte ends at once.
    """

    def __init__(self) -> None:
        self.over = False
        self._wire: socket.socket | None = None
        self._lock = Lock()

    def watch(self, wire: socket.socket) -> None:
        """Hold on to a connection by a second handle, which stays one whatever TLS makes of the
        first.
        """
        with self._lock:
            self._wire = wire.dup()
        if self.over:
            self.now()

    def now(self) -> None:
        """End it: whoever waits for it is told that it broke."""
        self.over = True
        with self._lock, suppress(OSError):
            if self._wire is not None:
                self._wire.shutdown(socket.SHUT_RDWR)

    def let_go(self) -> None:
        """Give the handle back."""
        with self._lock:
            if self._wire is not None:
                self._wire.close()
            self._wire = None


@contextmanager
def _cut_after(seconds: float) -> Iterator[_Deadline]:
    """A cut that comes after so many seconds. An answer that breaks off by it counts as none
    (OSError).
    """
    cut = _Deadline()
    timer = Timer(seconds, cut.now)
    timer.daemon = True
    timer.start()
    try:
        yield cut
    except (urllib3.exceptions.HTTPError, OSError) as broken:
        if cut.over:
            raise TimeoutError(_("no whole answer within %d seconds") % seconds) from broken
        raise
    finally:
        timer.cancel()
        cut.let_go()


def _pool(place: Destination, cut: _Deadline) -> urllib3.HTTPConnectionPool:
    timeout = urllib3.Timeout(connect=SECONDS_TO_CONNECT, read=SECONDS_TO_ANSWER)
    at = place.network_address, place.port
    if place.scheme == "http":
        return _cuttable(urllib3.HTTPConnectionPool(*at, timeout=timeout), cut)
    pool = urllib3.HTTPSConnectionPool(
        *at,
        timeout=timeout,
        server_hostname=place.host,
        assert_hostname=place.host,
        ssl_context=ssl.create_default_context(),
    )
    return _cuttable(pool, cut)


def _cuttable[P: urllib3.HTTPConnectionPool](pool: P, cut: _Deadline) -> P:
    """The pool, whose connections are watched from before their first byte, the handshake of TLS
    included.
    """
    plain: Any = pool.ConnectionCls

    class Watched(plain):  # type: ignore[misc]
        def _new_conn(self) -> socket.socket:
            wire: socket.socket = super()._new_conn()
            cut.watch(wire)
            return wire

    pool.ConnectionCls = Watched
    return pool


def _read_beginning(answer: urllib3.BaseHTTPResponse, cut: _Deadline) -> str:
    """The first bytes of an answer, as far as they come in time: what was said before counts."""
    read = b""
    try:
        while len(read) < BYTES_OF_AN_ANSWER and (
            part := answer.read1(BYTES_OF_AN_ANSWER - len(read))
        ):
            read += part
    except (urllib3.exceptions.HTTPError, OSError):
        if not cut.over:
            raise
    answer.close()
    return read.decode("utf-8", "replace").replace("\x00", "\ufffd")


def _host_header(place: Destination) -> str:
    host = f"[{place.host}]" if ":" in place.host else place.host
    return host if place.port == PORTS[place.scheme] else f"{host}:{place.port}"
