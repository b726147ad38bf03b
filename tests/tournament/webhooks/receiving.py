"""A receiver of webhooks on this machine: it keeps what it was sent and answers as it is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread


@dataclass(slots=True, kw_only=True)
class Receiver:
    """`received` are headers and bodies in order, `paths` where they went; `statuses` the answers
    to come, 204 when they are used up, with these `headers`.
    """

    address: str
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    text: bytes = b""


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver that is there for as long as the block runs."""
    receiver = Receiver(address="")

    class Door(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.paths.append(self.path)
            receiver.received.append(
                ({name.lower(): value for name, value in self.headers.items()}, body)
            )
            status = receiver.statuses.pop(0) if receiver.statuses else 204
            self.send_response(status)
            if status in (301, 302, 307, 308):
                self.send_header("Location", receiver.address)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(receiver.text)))
            self.end_headers()
            self.wfile.write(receiver.text)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Door)
    receiver.address = f"http://localhost:{server.server_port}/accord?salon=1"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
