"""Connections of one address beyond its measure are closed, those on which nothing is asked just
now.

The server itself knows no such measure, and one visitor could hold all the connections it takes. A
thread looks once a second at the sockets of this process: the folder of its open files names them.
"""

import asyncio
import contextlib
import fcntl
import os
import socket
import struct
import termios
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from tournament.accounts.client_ip import group_address

SECONDS_BETWEEN = 1.0
SECONDS_TO_LEAVE = 5.0  # for a visitor who was refused, in which the refusal goes out and is read
UNSENT = 32 * 1024  # bytes of an answer that the system holds of a connection; Linux doubles it
LOOKS_FOR_LISTENING = 20
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
            held[group_address(peer[0])] += 1
            if peer not in asking:
                idle[group_address(peer[0])].append((number, peer))
    beyond = [
        each
        for address, found in idle.items()
        for each in found[::-1][: max(0, held[address] - most)]
    ]
    return sum(_close_connection(number, peer, port) for number, peer in beyond)


def keep_little_unsent(port: int) -> None:
    """Have the system hold little of what a visitor at our `port` doesn't read: by itself it lets
    that grow to 4 MB a connection. New connections have it from the socket that listens, which is
    made soon after the application.
    """

    def look() -> None:
        for _ in range(LOOKS_FOR_LISTENING):
            time.sleep(SECONDS_BETWEEN / 2)
            with contextlib.suppress(OSError):
                for number in _open_files():
                    with _borrow_socket(number) as door:
                        if door is not None and _is_at(door, port):
                            door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)

    threading.Thread(target=look, name="unsent", daemon=True).start()


class Unsent:
    """Answers that the system still holds, for visitors at our `port` have not read them, and
    connections that are to end.
    """

    def __init__(self, port: int) -> None:
        self._port, self._looked = port, 0.0
        self._held = frozenset[Peer]()
        self._one_looks = asyncio.Lock()
        self._refused: dict[Peer, float] = {}  # and when
        self._seeing_off: asyncio.Task[None] | None = None

    async def drain(self, peer: Peer, asking: Collection[Peer], *, seconds: float) -> None:
        """Wait until this visitor has read everything or asks again; one who takes longer than
        this many seconds is disconnected.
        """
        ends = time.monotonic() + seconds
        await asyncio.sleep(SECONDS_BETWEEN)
        while peer not in asking and await self._is_held(peer):
            if time.monotonic() >= ends:
                await asyncio.to_thread(self._send_away, {peer})
                return
            await asyncio.sleep(SECONDS_BETWEEN)

    def see_off(self, peer: Peer) -> None:
        """Close the connection of a visitor who was refused, if it is there in a few seconds: the
        server itself may wait for ever for the rest of a body that nobody reads.
        """
        self._refused[peer] = time.monotonic()
        if self._seeing_off is None or self._seeing_off.done():
            self._seeing_off = asyncio.create_task(self._see_off())

    async def _see_off(self) -> None:
        while self._refused:
            await asyncio.sleep(SECONDS_BETWEEN)
            due = time.monotonic() - SECONDS_TO_LEAVE
            leaving = {peer for peer, since in self._refused.items() if since <= due}
            if leaving:
                await asyncio.to_thread(self._send_away, leaving)
                self._refused = {
                    peer: since for peer, since in self._refused.items() if peer not in leaving
                }

    async def _is_held(self, peer: Peer) -> bool:
        asked = time.monotonic()
        async with self._one_looks:
            if self._looked < asked - SECONDS_BETWEEN / 2:
                self._looked = time.monotonic()
                self._held = await asyncio.to_thread(self._look)
        return peer in self._held

    def _look(self) -> frozenset[Peer]:
        held = set[Peer]()
        for number in _open_files():
            with contextlib.suppress(OSError):
                peer = _peer(number, self._port)
                if peer is not None and _unsent(number):
                    held.add(peer)
        return frozenset(held)

    def _send_away(self, peers: Collection[Peer]) -> None:
        for number in _open_files():
            with contextlib.suppress(OSError):
                peer = _peer(number, self._port)
                if peer is not None and peer in peers:
                    _close_connection(number, peer, self._port)


def _unsent(number: int) -> int:
    """Count the bytes of this connection that were sent, and not yet received at its other end."""
    (count,) = struct.unpack("i", fcntl.ioctl(number, termios.TIOCOUTQ, struct.pack("i", 0)))
    return int(count)


def _open_files() -> list[int]:
    return [int(name) for name in os.listdir(OPEN_FILES)]  # noqa: PTH208 - a tenth of the work


def _peer(number: int, port: int) -> Peer | None:
    """Return the peer at the other end of this open file; None if it isn't a connection to
    our port.
    """
    with _borrow_socket(number) as door:
        return None if door is None else _peer_of(door, port)


@contextlib.contextmanager
def _borrow_socket(number: int) -> Iterator[socket.socket | None]:
    """Yield this open file as a socket; None if it isn't one, or is gone.

    It is neither copied nor closed: when a process closes a file, or any copy of it, it
    loses all its locks on it (fcntl(2), POSIX), and most of these files are SQLite's.
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
    if not _is_at(door, port):
        return None
    with contextlib.suppress(OSError):  # it listens, or has just ended
        address, its_port, *_more = door.getpeername()
        return str(address), str(its_port)
    return None


def _is_at(door: socket.socket, port: int) -> bool:
    """Whether this socket listens at our port, or is connected to it."""
    return (
        door.family in (socket.AF_INET, socket.AF_INET6)
        and door.type == socket.SOCK_STREAM
        and door.getsockname()[1] == port
    )


def _close_connection(number: int, peer: Peer, port: int) -> bool:
    """Close a connection. Return whether it was closed: by then the number may be another
    file's.
    """
    with _borrow_socket(number) as door:
        if door is None or _peer_of(door, port) != peer:
            return False
        with contextlib.suppress(OSError):
            door.shutdown(socket.SHUT_RDWR)
        return True
