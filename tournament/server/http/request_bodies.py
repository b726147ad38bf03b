"""Reads request bodies before they get a thread: no longer than allowed, no slower
than a poor connection, never for ever.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from scoring.shape import JsonObject

type Receive = Callable[[], Awaitable[JsonObject]]

# Bytes: more than any page or operation reads, which say themselves what is too long for them.
LONGEST = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The minimum pace of a body: any for `grace` seconds, `rate` bytes a second after
    them, and `whole` seconds in all.
    """

    grace: float = 10.0
    rate: int = 2048
    whole: float = 120.0

    def until(self, received: int) -> float:
        """Return the number of seconds after its begin at which a body with this many bytes
        must have sent more.
        """
        return max(self.grace, min(self.whole, self.grace + received / self.rate))


PACE = Pace()


class TooLong(Exception):
    """The body is longer than `LONGEST`."""


class TooSlow(Exception):
    """The body didn't come in its time."""


class VisitorGone(Exception):
    """The visitor went away before the body was whole."""


class NoLength(ValueError):
    """The length that a request says of its body, or of a chunk of it, is no number."""


def is_in_chunks(headers: dict[str, str]) -> bool:
    """Whether a body comes chunk by chunk (RFC 9112, 7.1)."""
    return "transfer-encoding" in headers


def read_content_length(headers: dict[str, str]) -> int | None:
    """Return the length of a request's body in bytes by its headers; None if they don't
    say, 0 if it has none. Raises NoLength, TooLong.
    """
    said = headers.get("content-length")
    if said is None:
        return None if "transfer-encoding" in headers else 0
    if not (said.isascii() and said.isdecimal()):
        raise NoLength(said[:20])
    if len(said) > len(str(LONGEST)) + 10 or int(said) > LONGEST:
        raise TooLong
    return int(said)


async def body_of(receive: Receive, *, came: Callable[[int], None], pace: Pace) -> bytes:
    """The whole body; `came` is told of every part how long it is, and may refuse it. Raises
    TooLong, TooSlow, VisitorGone.
    """
    clock = asyncio.get_running_loop().time
    began, body = clock(), bytearray()
    while True:
        try:
            async with asyncio.timeout_at(began + pace.until(len(body))):
                message = await receive()
        except TimeoutError:
            raise TooSlow from None
        if message["type"] == "http.disconnect":
            raise VisitorGone
        part = message.get("body", b"")
        came(len(part))
        body += part
        if len(body) > LONGEST:
            raise TooLong
        if not message.get("more_body", False):
            return bytes(body)
