"""Where the salon can be reached: a free port, this machine's address on the network, a link that
others can open.
"""

import ipaddress
import os
import socket

PORTS_TRIED = 20
LISTENS_AT = "ACCORD_LISTENS_AT"  # set by `serve` for the processes that answer


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
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as question:
        try:
            # Nothing is sent: connecting a datagram socket only asks which of our addresses would
            # be used (RFC 5737).
            question.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(question.getsockname()[0])
    return None if ipaddress.ip_address(address).is_loopback else address


def is_this_machine(host: str) -> bool:
    """Whether a host name means "the machine that asks", which another machine can't use."""
    name = host.rsplit(":", 1)[0].strip("[]") if not host.endswith("]") else host.strip("[]")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def typed_address(url: str) -> str:
    """An address as it is read aloud and typed: without what a browser adds by itself."""
    return url.removeprefix("http://").removeprefix("https://").rstrip("/")


def open_to(host: str) -> None:
    """Remember, for every process that serves from here on, at which address the server listens."""
    os.environ[LISTENS_AT] = host


def address_for_others(url: str, host: str) -> str:
    """`url`, whose host is `host`, as other machines can open it: localhost becomes this machine's
    network address.

    "" where none is known: there is no network, or the server listens to this machine only.
    """
    if not is_this_machine(host):
        return url
    listens_at = os.environ.get(LISTENS_AT, "")
    address = "" if listens_at and is_this_machine(listens_at) else network_address() or ""
    if not address:
        return ""
    port = host.rsplit(":", 1)[1] if ":" in host and not host.endswith("]") else ""
    return url.replace(f"//{host}", f"//{address}:{port}" if port else f"//{address}", 1)
