"""Browsers of a full room: phones that record at tables by the pad's own forms, and boards that
look again as `live.js` does.

Each browser has a connection and an address of its own (127.0.0.0/8), as people in a hall have.
"""

import asyncio
import gzip
import itertools
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tests.benchmarks.load_room import Seated

HOST = "127.0.0.1"
SECONDS_OF_AN_ANSWER = 30.0
BROWSER = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
    "Accept": "*/*",
    "Accept-Encoding": "gzip, deflate",
    "Accept-Language": "en",
}
HTMX = {"HX-Request": "true"}
FORM = re.compile(r'<form[^>]*action="(/tables/[^"]*?/(hands|bids|winners)/)')
HIDDEN = re.compile(r'<input type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"')
_numbers = itertools.count(2)


class Refused(Exception):
    """The server answered otherwise than it should."""


@dataclass(slots=True)
class Answer:
    """What came back: status, headers by lower-case name, the body as it was written, its bytes on
    the wire, and the seconds it took.
    """

    status: int
    headers: Mapping[str, str]
    text: str
    size: int
    seconds: float


@dataclass(slots=True)
class Browser:
    """One connection that is kept, with its cookies."""

    port: int
    address: str = field(default_factory=lambda: f"127.0.{(n := next(_numbers)) >> 8}.{n & 255}")
    cookies: dict[str, str] = field(default_factory=dict)
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def get(self, path: str, **headers: str) -> Answer:
        """The page at `path`."""
        return await self._asked("GET", path, b"", headers)

    async def post(self, path: str, fields: Mapping[str, str], **headers: str) -> Answer:
        """Send a form; where it leads isn't followed."""
        about = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        return await self._asked("POST", path, urlencode(fields).encode(), about)

    async def _asked(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> Answer:
        began = time.perf_counter()
        async with asyncio.timeout(SECONDS_OF_AN_ANSWER):
            try:
                answer = await self._once(method, path, body, headers)
            except (ConnectionError, asyncio.IncompleteReadError):
                self._reader = None  # it was closed while nothing was asked
                answer = await self._once(method, path, body, headers)
        answer.seconds = time.perf_counter() - began
        return answer

    async def _once(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> Answer:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(
                HOST, self.port, local_addr=(self.address, 0)
            )
        lines = {
            "Host": f"{HOST}:{self.port}",
            **BROWSER,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        if self.cookies:
            lines["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if method == "POST":
            lines["Content-Length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self._writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        return await self._answer(self._reader)

    async def _answer(self, reader: asyncio.StreamReader) -> Answer:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status, found = int(head[0].split()[1]), dict[str, str]()
        for line in head[1:-2]:
            name, _, value = line.partition(": ")
            found[name.lower()] = value
            if name.lower() == "set-cookie":
                cookie, _, kept = value.partition(";")[0].partition("=")
                self.cookies[cookie] = kept
        body = b""
        if "content-length" in found:
            body = await reader.readexactly(int(found["content-length"]))
        elif found.get("transfer-encoding") == "chunked":
            body = await _chunks(reader)
        size = len(body)
        if found.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        return Answer(status=status, headers=found, text=body.decode(), size=size, seconds=0.0)


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int((await reader.readline()).split(b";")[0], 16):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
    return body


@dataclass(slots=True)
class Phone:
    """The phone of a table: it came by the table's link and taps what its pad asks."""

    seated: Seated
    browser: Browser
    pad: str = ""
    recorded: list[tuple[int, float]] = field(default_factory=list)  # versions, and when

    @property
    def label(self) -> str:
        return self.seated.label

    async def come(self) -> None:
        """Open the link, give the PIN, open the pad. Raises Refused."""
        door = f"/t/{self.seated.token}/"
        page = await self.browser.get(door)
        given = await self.browser.post(
            door, {"pin": self.seated.pin, "csrfmiddlewaretoken": _csrf(page.text)}
        )
        if given.status != 302:
            raise Refused(f"the door of table {self.label}: {given.status}")
        self.pad = (await self.browser.get(f"/tables/{self.label}/?by=winners")).text

    async def act(self) -> Answer:
        """Tap what the pad asks next: open a hand, bid, say who won a trick. Raises Refused."""
        form = FORM.search(self.pad)
        if form is None:
            raise Refused(f"the pad of table {self.label} asks for nothing")
        address, collection = form.groups()
        hidden = self.pad[form.start() : self.pad.index("</form>", form.start())]
        fields = dict(HIDDEN.findall(hidden))
        if collection == "bids":
            fields["tricks:number"] = "3"
        elif collection == "winners":
            fields["seat"] = "NESW"[int(fields["trick"]) % 4]
        by = {"HX-Request": "true", "HX-Boosted": "true", "HX-Target": "pad"}
        answer = await self.browser.post(f"{address}?by=winners", fields, **by)
        if answer.status != 200:
            raise Refused(f"{collection} at table {self.label}: {answer.status}")
        self.pad = answer.text
        self.recorded.append((int(_value(self.pad, "version")), time.perf_counter()))
        return answer


@dataclass(slots=True)
class Board:
    """A board of a table's game that somebody has open."""

    phone: Phone
    browser: Browser
    etag: str = ""
    shown: int = 0

    @property
    def path(self) -> str:
        return f"/games/{self.phone.seated.game}/"

    async def look(self, *, wait: float = 0.0) -> tuple[Answer, float]:
        """Look again, and rather wait for so many seconds than hear that nothing changed; and for
        how many seconds there had been something newer than what was shown.

        Raises Refused.
        """
        known = {"If-None-Match": self.etag} if self.etag else {}
        known |= {"Prefer": f"wait={wait:.0f}"} if wait >= 1 else {}
        answer = await self.browser.get(self.path, **HTMX, **known)
        if answer.status not in (200, 304):
            raise Refused(f"the board of table {self.phone.label}: {answer.status}")
        if answer.status == 304:
            return answer, self._behind()
        behind = self._behind()
        self.etag = answer.headers["etag"]
        self.shown = int(re.findall(r"\d+", self.etag)[0])
        return answer, behind

    def _behind(self) -> float:
        missed = [when for version, when in self.phone.recorded if version > self.shown > 0]
        return time.perf_counter() - min(missed) if missed else 0.0


def _value(page: str, name: str) -> str:
    found = re.search(rf'name="{name}"\s+value="([^"]*)"', page)
    if found is None:
        raise Refused(f"no field {name} in the pad")
    return found[1]


def _csrf(page: str) -> str:
    return _value(page, "csrfmiddlewaretoken")
