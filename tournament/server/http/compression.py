"""Pages go out compressed to whoever reads that: a tap's answer of 13 kB is 3, in a Wi-Fi full of
phones.

What is both secret and on a page could be guessed at by whoever puts text into the page and sees
how long it becomes (BREACH). The token of forms is masked anew on each page (Django), and lengths
are blurred by a name of random length, which the format has room for (RFC 1952, FNAME).
"""

import re
import zlib
from secrets import randbelow

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

LEVEL = 1  # 0.07 ms for a tap's answer; 4 takes 0.12 for an eighth less, 6 0.19 for a sixth less
LONGEST_NAME = 100  # bytes
SHORT = 1000  # bytes, of which nothing is saved
# RFC 1952, 2.3: deflate, with a name, of no time, quickly, by an unknown system.
HEAD = b"\x1f\x8b\x08\x08\0\0\0\0\x04\xff"
TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)


def reads_gzip(request: HttpRequest) -> bool:
    """Whether whoever asks reads what is compressed so (RFC 9110, 12.5.3)."""
    return TAKES_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")) is not None


def compress_page(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Compress a page, or a part of one. Files and answers to programs go out as they are, and so
    does what is already compressed.
    """
    if not isinstance(response, HttpResponse) or not _is_long_page(response):
        return response
    patch_vary_headers(response, ["Accept-Encoding"])
    if reads_gzip(request):
        response.content = _compress(response.content)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.content))
    return response


def _is_long_page(response: HttpResponse) -> bool:
    return (
        len(response.content) >= SHORT
        and "Content-Encoding" not in response.headers
        and response.headers.get("Content-Type", "").startswith("text/html")
    )


def _compress(content: bytes) -> bytes:
    """Compress as gzip does; gzip's own writer takes as long to begin as to compress a
    tap's answer.
    """
    name = b"a" * randbelow(LONGEST_NAME)
    ending = zlib.crc32(content).to_bytes(4, "little") + len(content).to_bytes(4, "little")
    return HEAD + name + b"\0" + zlib.compress(content, LEVEL, wbits=-zlib.MAX_WBITS) + ending
