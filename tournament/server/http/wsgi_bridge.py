"""A request as a WSGI application is asked it, and its answer, from a thread: whole, as a file, or
piece by piece where it is long.
"""

import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication
from wsgiref.util import FileWrapper

from scoring.shape import JsonMapping

GATHERED = 1024 * 1024  # bytes: an answer in pieces that together are no longer is sent as a whole

type Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeAnswer:
    """An answer with everything of it."""

    status: int
    headers: Headers
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAnswer:
    """An answer that lies in a file, from `begin` on."""

    status: int
    headers: Headers
    file: "OpenFile"
    begin: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunAnswer:
    """An answer whose pieces are still being made."""

    status: int
    headers: Headers
    pieces: Iterator[bytes]


@dataclass(slots=True)
class OpenFile:
    """A file that is open once for all who are sent it, until the last of them closes it."""

    number: int
    key: tuple[int, int]
    users: int = 0

    def read_part(self, begin: int, size: int) -> bytes:
        """So many bytes of it."""
        return os.pread(self.number, size, begin)

    def close(self) -> None:
        """Close the file once all that are sent it are done."""
        with _files_lock:
            self.users -= 1
            if not self.users:
                del _open_files[self.key]
                os.close(self.number)


_open_files: dict[tuple[int, int], OpenFile] = {}
_files_lock = Lock()


def merge_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the headers by name, repeated ones joined. A name with an underscore is left
    out: applications would take it for the one with a hyphen, which a proxy in front
    controls.
    """
    found: dict[str, str] = {}
    for written, value in headers:
        name = written.decode("latin-1").lower()
        if "_" not in name:
            before = f"{found[name]}{'; ' if name == 'cookie' else ','}" if name in found else ""
            found[name] = before + value.decode("latin-1")
    return found


def environ_of(scope: JsonMapping, headers: Mapping[str, str], body: bytes) -> dict[str, object]:
    """Return the PEP 3333 environ of a request: an HTTP `scope` of ASGI, its headers by
    name, and its body.
    """
    server, client = scope.get("server") or ("", ""), scope.get("client") or ("", "")
    path = unquote_to_bytes(scope.get("raw_path") or scope["path"])
    fields = {
        f"HTTP_{name.upper().replace('-', '_')}": value
        for name, value in headers.items()
        if name not in ABOUT_THE_BODY
    }
    return fields | {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": path.decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": str(server[0]),
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": str(client[0]),
        "REMOTE_PORT": str(client[1]),
        "CONTENT_TYPE": headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(body)) if body or "content-length" in headers else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": FileWrapper,
    }


ABOUT_THE_BODY = frozenset({"content-type", "content-length", "transfer-encoding"})


def application_answer(
    application: WSGIApplication, environ: dict[str, object], stream: Callable[[BegunAnswer], None]
) -> WholeAnswer | FileAnswer | None:
    """The answer; None for a long one in pieces, which `stream` has sent by then. All in the thread
    that calls. Who takes a FileAnswer closes its file.
    """
    begun: list[tuple[int, Headers]] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], failed: object = None
    ) -> Callable[[bytes], object]:
        pairs = [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
        ]
        begun[:] = [(int(status[:3]), pairs)]
        return _refuse_write

    pieces = application(environ, start_response)
    try:
        if isinstance(pieces, FileWrapper) and (found := _file_in(pieces)):
            status, headers = begun[0]
            file, begin, size = found
            return FileAnswer(status=status, headers=headers, file=file, begin=begin, size=size)
        coming = iter(pieces)
        gathered, rest = _gather(coming)
        status, headers = begun[0]
        if not rest:
            return WholeAnswer(status=status, headers=headers, body=b"".join(gathered))
        stream(
            BegunAnswer(
                status=status, headers=headers, pieces=_one_after_the_other(gathered, coming)
            )
        )
        return None
    finally:
        if hasattr(pieces, "close"):
            pieces.close()


def of_words(status: HTTPStatus, body: bytes, media_type: str, **more: str) -> WholeAnswer:
    """An answer of the server's own."""
    headers = {"content_type": media_type, "content_length": str(len(body))}
    headers |= {"cache_control": "no-store", **more}
    pairs = [
        (name.replace("_", "-").encode(), value.encode("latin-1"))
        for name, value in headers.items()
    ]
    return WholeAnswer(status=status, headers=pairs, body=body)


def _file_in(wrapper: FileWrapper) -> tuple[OpenFile, int, int] | None:
    """The file that an application wrapped, where what is left of it begins, and how much that is;
    None for a short one, and for what only reads like a file.
    """
    try:
        number = wrapper.filelike.fileno()
        status, begin = os.fstat(number), wrapper.filelike.tell()
    except (AttributeError, OSError):
        return None
    size = status.st_size - begin
    if not stat.S_ISREG(status.st_mode) or size <= GATHERED:
        return None
    key = (status.st_dev, status.st_ino)
    with _files_lock:
        file = _open_files.get(key)
        if file is None:
            file = _open_files[key] = OpenFile(os.dup(number), key)
        file.users += 1
    return file, begin, size


def _gather(coming: Iterator[bytes]) -> tuple[list[bytes], bool]:
    """Return the first pieces, and whether more may come. A single piece is whole, however
    long it is: it is already there.
    """
    gathered: list[bytes] = []
    size = 0
    for piece in coming:
        gathered.append(piece)
        size += len(piece)
        if size > GATHERED and len(gathered) > 1:
            return gathered, True
    return gathered, False


def _one_after_the_other(first: list[bytes], rest: Iterator[bytes]) -> Iterator[bytes]:
    yield from first
    yield from rest


def _refuse_write(piece: bytes) -> object:
    raise NotImplementedError("an application gives its answer back; it doesn't write it")
