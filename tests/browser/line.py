"""A line between browsers and the service that can be cut: to a browser it is as if the server were
off, and what it had read before is in its cache alone.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from urllib.parse import urlsplit

LOOPBACK = "127.0.0.1"


class Line:
    """Carries what is said at `address` to the service and back, until it is cut."""

    def __init__(self, site: str) -> None:
        self._service = (LOOPBACK, urlsplit(site).port)
        self._ends, self._lock = set[socket.socket](), Lock()
        self._is_mute = False
        self._open(0)
        self.address = f"http://{LOOPBACK}:{self._port}"

    def cut(self) -> None:
        """From now on nobody answers, and what is under way gets no further."""
        with self._lock:
            for end in (self._door, *self._ends):
                close(end)
            self._ends.clear()

    def mute(self) -> None:
        """From now on what is said arrives, and no answer comes."""
        self._is_mute = True

    def back(self) -> None:
        """The same address answers again."""
        self._is_mute = False
        self._open(self._port)

    def _open(self, port: int) -> None:
        self._door = socket.create_server((LOOPBACK, port))
        self._port: int = self._door.getsockname()[1]
        Thread(target=self._let_in, args=[self._door], daemon=True).start()

    def _let_in(self, door: socket.socket) -> None:
        with suppress(OSError):  # the door was closed
            while True:
                phone, service = door.accept()[0], socket.create_connection(self._service)
                with self._lock:
                    self._ends |= {phone, service}
                Thread(target=self._carry, args=[phone, service], daemon=True).start()
                Thread(target=self._carry, args=[service, phone, True], daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, answers: bool = False) -> None:
        with suppress(OSError):
            while said := one.recv(65536):
                if not (answers and self._is_mute):
                    other.sendall(said)
        close(one)
        close(other)


def close(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def line_to(site: str) -> Iterator[Line]:
    """A line to the service until the end of the block."""
    line = Line(site)
    try:
        yield line
    finally:
        line.cut()
