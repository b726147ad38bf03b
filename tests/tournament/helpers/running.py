"""Run the whole service as a person would, in a process of its own."""

import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.tournament.helpers.reading import match_in

# Made once: a context that reads the certificates of the machine takes longer than a page does.
ANY_CERTIFICATE = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
ANY_CERTIFICATE.check_hostname, ANY_CERTIFICATE.verify_mode = False, ssl.CERT_NONE
TRUSTING = urllib.request.build_opener(urllib.request.HTTPSHandler(context=ANY_CERTIFICATE))
ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 600  # seconds: a busy machine is no fault; whoever is ready before waits no longer


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A `manage.py serve` that answers at `url`."""

    process: subprocess.Popen[bytes]
    url: str
    folder: Path
    log: Path

    def get(self, path: str) -> str:
        """The page at `path`, whatever certificate is shown."""
        with TRUSTING.open(self.url + path, timeout=PATIENCE) as answer:
            page: bytes = answer.read()
            return page.decode()

    @property
    def plain(self) -> str:
        """The address of the plain door beside HTTPS, as the server was told."""
        told = list(map(str, self.process.args))  # type: ignore[arg-type]
        return f"http://127.0.0.1:{told[told.index('--plain-port') + 1]}"

    def answers(self) -> bool:
        """Whether it is there."""
        with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            return self.get("healthz") == "ok\n"
        return False

    def web_process(self) -> int:
        """The first of the processes that answer requests."""
        assert wait_for(lambda: any(not is_behind(each) for each in self.children()))
        background = self.background_process()
        return next(each for each in self.children() if each != background)

    def megabytes(self) -> float:
        """The memory that the process answering requests holds now."""
        status = Path(f"/proc/{self.web_process()}/status").read_text()
        return int(match_in(status, r"VmRSS:\s+(\d+) kB")[1]) / 1024

    def background_process(self) -> int:
        """The process that works in the background, where there is no broker server: pages go
        first.
        """
        assert wait_for(lambda: any(is_behind(each) for each in self.children())), self.said()
        return next(each for each in self.children() if is_behind(each))

    def has_lost(self, process: int) -> bool:
        """Whether a process that it began is none of its processes any more."""
        return process not in self.children()

    def children(self) -> list[int]:
        """The processes that it began and that do the service's work."""
        threads = Path(f"/proc/{self.process.pid}/task").iterdir()
        begun = [each for one in threads for each in _begun_by(one)]
        return [
            int(each)
            for each in sorted(begun, key=int)
            if {"serve", "spawn_main"} & {*re.split(r"\W+", command_of(int(each)))}
        ]

    def said(self) -> str:
        """Everything it printed."""
        return self.log.read_text()

    def first_visit(self) -> str:
        """The path of the first visit, from the address it printed; "" when it printed none."""
        found = wait_for(lambda: "Ctrl-C" in self.said()) and re.search(
            r"http\S+/(first-visit/\S+/)", self.said()
        )
        return found.group(1) if found else ""

    def end(self, number: int = signal.SIGTERM) -> int:
        """Its exit code after this signal."""
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)


def command_of(process: int) -> str:
    """Its command line; "" once it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text()
    return ""


def is_behind(process: int) -> bool:
    """Whether we, and what we began, go before this process."""
    with suppress(OSError):
        return os.getpriority(os.PRIO_PROCESS, process) > os.getpriority(os.PRIO_PROCESS, 0)
    return False


def _begun_by(thread: Path) -> list[str]:
    """The processes that a thread began; none once it has ended."""
    with suppress(OSError):
        return (thread / "children").read_text().split()
    return []


@contextmanager
def running(
    folder: Path,
    environment: Mapping[str, str] | None = None,
    *arguments: str,
    processes: int | None = 1,
) -> Iterator[Running]:
    """Serve from the data folder `folder` on a free port until the end of the block, with one web
    process unless more are wanted: each takes a second to start; None leaves the number to `serve`.
    Over HTTPS where the arguments ask for it.
    """
    port = free_port()
    log = folder.parent / f"{folder.name}-{port}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [
                *(sys.executable, "manage.py", "serve", "--port", str(port)),
                *(("--processes", str(processes)) if processes is not None else ()),
                *arguments,
            ],
            cwd=ROOT,
            env={
                **(environment or own_environment()),
                "ACCORD_DATA": str(folder),
                "PYTHONUNBUFFERED": "1",
            },
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    scheme = "https" if {"--https", "--certificate"} & {*arguments} else "http"
    service = Running(process=process, url=f"{scheme}://127.0.0.1:{port}/", folder=folder, log=log)
    try:
        assert wait_for(
            lambda: service.answers() or process.poll() is not None, seconds=PATIENCE
        ), service.said()
        assert process.poll() is None, service.said()
        yield service
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(timeout=PATIENCE)


def own_environment() -> dict[str, str]:
    """This process's environment without what points at a database or a broker: the service as it
    is by itself.
    """
    elsewhere = {"DATABASE_URL", "CELERY_BROKER_URL", "REDIS_URL", "SECRET_KEY"}
    return {name: value for name, value in os.environ.items() if name not in elsewhere}


def wait_for(holds: Callable[[], bool], *, seconds: float = PATIENCE) -> bool:
    """Whether `holds()` comes true within `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return False


def free_port() -> int:
    """A port that nobody listens at now."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])
