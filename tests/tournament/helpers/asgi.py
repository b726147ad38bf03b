"""What the server hands to the application: a request, a visitor and its measures."""

import asyncio
from collections.abc import Iterable
from typing import Any

from tournament.server.http.asgi_gateway import Measures
from tournament.server.http.request_bodies import Pace

QUICK = Pace(grace=0.05, rate=1_000_000, whole=5.0)


def scope(
    path: str = "/", *, by: str = "192.0.2.1", headers: Iterable[tuple[bytes, bytes]] = ()
) -> dict[str, Any]:
    return {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(),
        "query_string": b"", "http_version": "1.1",
        "scheme": "http", "server": ("127.0.0.1", "80"), "client": (by, "1"),
        "headers": list(headers),
    }  # fmt: skip


class Visitor:
    """Sends these parts of a body, then nothing; remembers what it was answered."""

    def __init__(self, *parts: bytes, whole: bool = True) -> None:
        self.parts, self.whole, self.got, self.leaves = (
            list(parts),
            whole,
            list[dict[str, Any]](),
            asyncio.Event(),
        )

    async def receive(self) -> dict[str, Any]:
        if self.parts:
            part = self.parts.pop(0)
            return {
                "type": "http.request",
                "body": part,
                "more_body": bool(self.parts) or not self.whole,
            }
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        self.got.append(message)

    @property
    def status(self) -> int:
        return int(self.got[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(each.get("body", b"") for each in self.got)


def measures(**more: Any) -> Measures:
    return Measures(**{"threads": 4, "of_one": 8, "in_all": 16, "pace": QUICK, **more})
