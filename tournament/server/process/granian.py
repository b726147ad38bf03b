"""Run granian until somebody ends it: web processes with threads, which come back when they are
killed.
"""

import os
import resource
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex
from typing import Protocol

from granian import Granian
from granian.constants import HTTPModes, Interfaces, SSLProtocols
from granian.http import HTTP1Settings
from granian.log import LogLevels

from tournament.server.environment.addresses import PORT
from tournament.server.http.response_cache import TOGETHER
from tournament.server.tls.certificates import CertificateFiles

APPLICATION = "tournament.server.process.asgi:application"
THREADS = 8
# Set for the web processes.
THREADS_NAMED, PORT_NAMED, PROCESSES_NAMED = "ACCORD_THREADS", PORT, "ACCORD_PROCESSES"
CONNECTIONS = 8192  # of one web process; those beyond wait until one closes
SECONDS_OF_A_HEAD = 10  # for the head of a request, and for a connection on which nothing is asked
FILES_OF_ITS_OWN = 128
LONGEST_HEAD = 64 * 1024  # bytes
RESTARTS = 5
SECONDS_OF_RESTARTS = 60.0
SECONDS_TO_END = 10
# So long a web process that is begun anew (SIGHUP) stands beside the one before it: until then it
# listens by far, so that somebody always does.
SECONDS_BESIDE = 5.0
MOST_PROCESSES = 4  # unless more are asked for: each takes some 120 MB


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A listener: its address, and the number of web processes and of their threads; over
    HTTPS if it has a certificate. Its application is named as `module:attribute`.
    """

    host: str
    port: int
    processes: int = 1
    threads: int = THREADS
    certificate: CertificateFiles | None = None
    application: str = APPLICATION


class Server(Protocol):
    """The part in use of a server of granian's, whose own class depends on how it was built."""

    interrupt_signal: bool

    def on_startup(self, hook: Callable[[], None]) -> object:
        """Have `hook` called when the web processes begin."""

    def serve(self) -> None:
        """Serve until told to end."""


def web_processes() -> int:
    """As many as this machine has cores for us, four at most."""
    return min(MOST_PROCESSES, os.process_cpu_count() or 1)


def serve(door: Door, *, when_ready: Callable[[], None]) -> bool:
    """Serve until SIGINT or SIGTERM, then True; False when the web process keeps dying.

    Granian brings a web process back that died, but gives up when it dies twice within seconds;
    then it is begun again, five times a minute at most.
    """
    begun, announced = list[float](), False
    while len(begun := _lately(begun)) < RESTARTS:
        server = _granian(door)
        if not announced:
            said = threading.Thread(target=_announce, args=(door, when_ready), daemon=True)
            server.on_startup(said.start)
        begun, announced = [*begun, time.monotonic()], True
        try:
            server.serve()
        except SystemExit:
            if server.interrupt_signal:
                return True
            continue
        return True
    return False


def _lately(begun: list[float]) -> list[float]:
    return [each for each in begun if time.monotonic() - each < SECONDS_OF_RESTARTS]


def _granian(door: Door) -> Server:
    """HTTP/1.1 only: browsers speak nothing newer without TLS, and a proxy in front speaks it to
    them. A certificate is read when a web process begins.
    """
    os.environ |= {THREADS_NAMED: str(door.threads), PORT_NAMED: str(door.port)}
    os.environ[PROCESSES_NAMED] = str(door.processes)
    os.environ[TOGETHER] = token_hex(8)
    return Granian(
        door.application,
        address=door.host,
        port=door.port,
        interface=Interfaces.ASGINL,
        workers=door.processes,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=SECONDS_OF_A_HEAD * 1000, max_buffer_size=LONGEST_HEAD
        ),
        backpressure=_connections(),
        websockets=False,
        respawn_failed_workers=True,
        respawn_interval=SECONDS_BESIDE,
        workers_kill_timeout=SECONDS_TO_END,
        log_level=LogLevels.critical,
        ssl_cert=door.certificate.certificate if door.certificate else None,
        ssl_key=door.certificate.key if door.certificate else None,
        ssl_protocol_min=SSLProtocols.tls12,  # phones from before 2019 speak nothing newer
    )


def _connections() -> int:
    """Return the number of connections of a web process: as many files as it may open,
    less those that it needs itself.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + FILES_OF_ITS_OWN
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return CONNECTIONS
    return max(FILES_OF_ITS_OWN, min(CONNECTIONS, soft - FILES_OF_ITS_OWN))


def _announce(door: Door, when_ready: Callable[[], None]) -> None:
    """Call `when_ready` once the web process answers."""
    host = f"[{door.host}]" if ":" in door.host else door.host
    host = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(host, host)  # noqa: S104
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        time.sleep(0.1)  # First, so that this thread rests while the web process is forked.
        scheme = "https" if door.certificate else "http"
        if _answers(f"{scheme}://{host}:{door.port}/healthz"):
            when_ready()
            return


def _answers(url: str) -> bool:
    """Whether this process's own door answers, whatever name its certificate has."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    try:
        with urllib.request.urlopen(url, timeout=2, context=trusting):  # noqa: S310 - our own address
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
