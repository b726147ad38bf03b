"""Addresses of the salon: a free port, this machine's address on the network, a link
that others can open.
"""

import ipaddress
import os
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from django.conf import settings

PORTS_TRIED = 20
LISTENS_AT = "ACCORD_LISTENS_AT"  # set by `serve` for the processes that answer
NAMES, PORT = "ACCORD_NAMES", "ACCORD_PORT"  # likewise


def is_free(host: str, port: int) -> bool:
    """Whether this process could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, port))
        except OSError:
            return False
        return True


def next_free_port(host: str, port: int) -> int | None:
    """The first free port from `port` on; None when twenty in a row are taken."""
    return next(
        (each for each in range(port, min(port + PORTS_TRIED, 65536)) if is_free(host, each)), None
    )


def network_address() -> str | None:
    """This machine's address for others on the network; None without a network."""
    return _address_towards(socket.AF_INET, "192.0.2.1")


def network_addresses() -> list[str]:
    """This machine's addresses for others, of both families, those that it has."""
    found = [network_address(), _address_towards(socket.AF_INET6, "2001:db8::1")]
    return [each for each in found if each]


def by_own_name(url: str) -> str:
    """`url` as a mail may have it. Where ALLOWED_HOSTS names no host, whoever asks could say any
    bare name: then the host is the salon's own name, this machine's address, or `localhost`.
    """
    if "*" not in settings.ALLOWED_HOSTS:
        return url
    parts = urlsplit(url)
    named = next((each for each in own_names() if not each.startswith("*.")), None)
    host = named or network_address() or "localhost"
    port = os.environ.get(PORT, "")
    return parts._replace(netloc=f"{host}:{port}" if port else host).geturl()


def _address_towards(family: socket.AddressFamily, other: str) -> str | None:
    """Which of our addresses would be used to reach `other`, which nobody has (RFC 5737, RFC
    3849).
    """
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as question:
            # Nothing is sent: connecting a datagram socket only asks.
            question.connect((other, 9))
            address = str(question.getsockname()[0])
    except OSError:
        return None
    return None if ipaddress.ip_address(address).is_loopback else address


def is_this_machine(host: str) -> bool:
    """Whether a host name means "the machine that asks", which another machine can't use."""
    name = _name_of(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _name_of(host: str) -> str:
    """A host without its port and brackets."""
    return host.strip("[]") if host.endswith("]") else host.rsplit(":", 1)[0].strip("[]")


def format_typed_address(url: str) -> str:
    """Format an address as it is read aloud and typed: without the parts that a browser
    adds by itself. With HTTPS on a port of its own, a browser would use it without
    HTTPS, so the address stays whole.
    """
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.port is not None:
        return url.rstrip("/")
    return url.removeprefix("http://").removeprefix("https://").rstrip("/")


def open_to(host: str) -> None:
    """Remember, for every process that serves from here on, at which address the server listens."""
    os.environ[LISTENS_AT] = host


def remember_own_names(names: Collection[str]) -> None:
    """Remember, for every process that serves from here on, the names of the salon's own
    certificate: under another one no phone would accept it.
    """
    os.environ[NAMES] = " ".join(names)


def own_names() -> tuple[str, ...]:
    """The names of the salon's own certificate; none where it has no such."""
    return tuple(os.environ.get(NAMES, "").split())


def is_covered(host: str, names: Collection[str]) -> bool:
    """Return whether a certificate of these names is valid for this host name or number
    (RFC 9525: `*` matches one label, the first).
    """
    name = host.strip("[]").lower().rstrip(".")
    above = f"*.{name.partition('.')[2]}"
    return name in names or above in names


def address_for_others(url: str, host: str, base: str = "") -> str:
    """`url`, whose host is `host`, as other machines can open it: under the address that the owner
    gave (`base`), else localhost becomes the salon's own name, or this machine's network address.

    "" where none is known: there is no network, or the server listens to this machine only.
    """
    if base:
        return base + url.partition(f"//{host}")[2]
    if not is_this_machine(host) and (not own_names() or is_covered(_name_of(host), own_names())):
        return url
    listens_at = os.environ.get(LISTENS_AT, "")
    named = next((each for each in own_names() if not each.startswith("*.")), None)
    address = "" if listens_at and is_this_machine(listens_at) else named or network_address() or ""
    if not address:
        return ""
    port = host.rsplit(":", 1)[1] if ":" in host and not host.endswith("]") else ""
    return url.replace(f"//{host}", f"//{address}:{port}" if port else f"//{address}", 1)
