"""Run granian until somebody ends it: one web process with threads, which comes back when it is killed."""

import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.mp import MPServer

THREADS = 8
RESTARTS = 5
SECONDS_OF_RESTARTS = 60.0
SECONDS_TO_END = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Where to listen, and with how many web processes of how many threads."""

    host: str
    port: int
    processes: int = 1
    threads: int = THREADS


def serve(door: Door, *, when_ready: Callable[[], None]) -> bool:
    """Serve until SIGINT or SIGTERM, then True; False when the web process keeps dying.

    Granian brings a web process back that died, but gives up when it dies twice within seconds; then it is begun
    again, five times a minute at most.
    """
    begun: list[float] = []
    while len(begun) < RESTARTS:
        server = _granian(door)
        if not begun:
            server.on_startup(lambda: threading.Thread(target=_announce, args=(door, when_ready), daemon=True).start())
        begun = [each for each in begun if time.monotonic() - each < SECONDS_OF_RESTARTS] + [time.monotonic()]
        try:
            server.serve()
        except SystemExit:
            if server.interrupt_signal:
                return True
            continue
        return True
    return False


def _granian(door: Door) -> MPServer:
    return MPServer(
        "tournament.wsgi:application",
        address=door.host,
        port=door.port,
        interface=Interfaces.WSGI,
        workers=door.processes,
        blocking_threads=door.threads,
        websockets=False,
        respawn_failed_workers=True,
        respawn_interval=0,
        workers_kill_timeout=SECONDS_TO_END,
        log_level=LogLevels.critical,
    )


def _announce(door: Door, when_ready: Callable[[], None]) -> None:
    """Call `when_ready` once the web process answers."""
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(door.host, f"[{door.host}]" if ":" in door.host else door.host)  # noqa: S104
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        time.sleep(0.1)  # First, so that this thread rests while the web process is forked.
        if _answers(f"http://{host}:{door.port}/healthz"):
            when_ready()
            return


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own address
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
