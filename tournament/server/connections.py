"""Connections of one address beyond its measure are closed, those on which nothing is asked just
now.

The server itself knows no such measure, and one visitor could hold all the connections it takes. A
thread looks once a second at the sockets of this process: the folder of its open files names them.
"""

import contextlib
import os
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from tournament.accounts.caller_addresses import counted_as

SECONDS_BETWEEN = 1.0
OPEN_FILES = Path("/proc/self/fd") if Path("/proc/self/fd").is_dir() else Path("/dev/fd")

type Peer = tuple[str, str]  # an address and its port, as text


def watch(port: int, most: int, asking: Callable[[], Collection[Peer]]) -> None:
    """Hold every address to so many connections to our `port`, from now on; `asking` says on which
    of them something is asked.
    """

    def look() -> None:
        while True:
            time.sleep(SECONDS_BETWEEN)
            with contextlib.suppress(OSError):
                if len(_open_files()) > most:
                    close_those_beyond(port, most, asking())

    threading.Thread(target=look, name="connections", daemon=True).start()


def close_those_beyond(port: int, most: int, asking: Collection[Peer]) -> int:
    """Close what each address has beyond `most` connections to this port, the newest first; how
    many they were.
    """
    idle: dict[str, list[tuple[int, Peer]]] = defaultdict(list)
    held: dict[str, int] = defaultdict(int)
    for number in sorted(_open_files()):
        peer = _peer(number, port)
        if peer is not None:
            held[counted_as(peer[0])] += 1
            if peer not in asking:
                idle[counted_as(peer[0])].append((number, peer))
    beyond = [
        each
        for address, found in idle.items()
        for each in found[::-1][: max(0, held[address] - most)]
    ]
    return sum(_closed(number, peer, port) for number, peer in beyond)


def _open_files() -> list[int]:
    return [int(name) for name in os.listdir(OPEN_FILES)]  # noqa: PTH208 - a tenth of the work


def _peer(number: int, port: int) -> Peer | None:
    """Who is at the other end of this open file; None where it is no connection to our port."""
    with _opened(number) as door:
        return None if door is None else _peer_of(door, port)


@contextlib.contextmanager
def _opened(number: int) -> Iterator[socket.socket | None]:
    """This open file as a socket; None where it is none, or gone.

    It is neither copied nor closed: when a process closes a file, or any copy of it, it loses all
    its locks on it (fcntl(2), POSIX), and most of these files are SQLite's.
    """
    try:
        door = socket.socket(fileno=number)
    except OSError:
        yield None
        return
    try:
        yield door
    finally:
        door.detach()


def _peer_of(door: socket.socket, port: int) -> Peer | None:
    if (
        door.family not in (socket.AF_INET, socket.AF_INET6)
        or door.type != socket.SOCK_STREAM
        or door.getsockname()[1] != port
    ):
        return None
    with contextlib.suppress(OSError):  # it listens, or has just ended
        address, its_port, *_more = door.getpeername()
        return str(address), str(its_port)
    return None


def _closed(number: int, peer: Peer, port: int) -> bool:
    """Whether a connection was closed: by then the number may be another file's."""
    with _opened(number) as door:
        if door is None or _peer_of(door, port) != peer:
            return False
        with contextlib.suppress(OSError):
            door.shutdown(socket.SHUT_RDWR)
        return True
