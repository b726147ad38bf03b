"""Pictures that somebody sends: a PNG or a WebP of modest size, kept without anything but the
picture itself.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from scoring.errors import NotationError

MOST_BYTES = 200_000
MOST_PIXELS = 2_000  # a side
PNG = b"\x89PNG\r\n\x1a\n"
# What of a PNG makes the picture; notes, places and times that cameras leave there are dropped.
PNG_KEPT = frozenset({b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"sRGB", b"IDAT", b"IEND"})
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
WEBP_KEPT = frozenset({b"VP8X", b"ALPH", b"VP8 ", b"VP8L"})
ALPHA = 0x10


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture as it is kept and served."""

    media_type: str
    width: int
    height: int
    content: bytes


def read_picture(content: bytes, path: str = "logo") -> Picture:
    """The picture, stripped of all that is none. Raises NotationError for what is no PNG or WebP,
    or too large.
    """
    if len(content) > MOST_BYTES:
        raise NotationError(
            "a picture of %(most)s kB at most is expected here", path=path, most=MOST_BYTES // 1000
        )
    try:
        picture = _png(content) if content.startswith(PNG) else _webp(content)
    except (ValueError, struct.error, zlib.error, IndexError):
        raise NotationError(
            "a PNG or WebP picture is expected here; this file is none, or is damaged", path=path
        ) from None
    if not (0 < picture.width <= MOST_PIXELS and 0 < picture.height <= MOST_PIXELS):
        raise NotationError(
            "a picture of %(most)s pixels a side at most is expected here",
            path=path,
            most=MOST_PIXELS,
        )
    return picture


def _png(content: bytes) -> Picture:
    chunks = list(_png_chunks(content))
    if chunks[0][0] != b"IHDR" or chunks[-1][0] != b"IEND":
        raise ValueError("a PNG begins with its header and has an end")
    width, height, depth, colour, packing, filtering, interlaced = struct.unpack(
        ">IIBBBBB", chunks[0][1]
    )
    if packing or filtering or interlaced or depth not in (1, 2, 4, 8, 16):
        raise ValueError("an interlaced or unknown PNG")
    if width <= MOST_PIXELS and height <= MOST_PIXELS:
        _check_pixels(chunks, height * (1 + (width * depth * CHANNELS.get(colour, 0) + 7) // 8))
    kept = b"".join(_png_chunk(kind, data) for kind, data in chunks if kind in PNG_KEPT)
    return Picture(media_type="image/png", width=width, height=height, content=PNG + kept)


def _check_pixels(chunks: list[tuple[bytes, bytes]], expected: int) -> None:
    """The packed pixels are as many as the header says: nothing that grows beyond it. Raises
    ValueError, zlib.error.
    """
    packed = b"".join(data for kind, data in chunks if kind == b"IDAT")
    if len(zlib.decompressobj().decompress(packed, expected + 1)) != expected:
        raise ValueError("more or fewer pixels than the header says")


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(PNG)
    while at < len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        data = content[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", content, at + 8 + length)
        if len(data) != length or zlib.crc32(kind + data) != checksum:
            raise ValueError("a damaged chunk")
        yield kind, data
        if kind == b"IEND":
            return
        at += 12 + length


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _webp(content: bytes) -> Picture:
    riff, size, webp = struct.unpack_from("<4sI4s", content)
    if riff != b"RIFF" or webp != b"WEBP" or size + 8 > len(content):
        raise ValueError("no WebP")
    chunks = [
        (kind, data) for kind, data in _webp_chunks(content[12 : size + 8]) if kind in WEBP_KEPT
    ]
    if not chunks or chunks[-1][0] not in (b"VP8 ", b"VP8L"):
        raise ValueError("no picture, or one that moves")
    width, height = _webp_size(*chunks[-1])
    if chunks[0][0] == b"VP8X":
        flags = bytes([chunks[0][1][0] & ALPHA]) + chunks[0][1][1:10]
        chunks[0] = (b"VP8X", flags)
    kept = b"".join(
        kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
        for kind, data in chunks
    )
    content = struct.pack("<4sI4s", b"RIFF", len(kept) + 4, b"WEBP") + kept
    return Picture(media_type="image/webp", width=width, height=height, content=content)


def _webp_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(content):
        kind, length = struct.unpack_from("<4sI", content, at)
        data = content[at + 8 : at + 8 + length]
        if len(data) != length:
            raise ValueError("a cut chunk")
        yield kind, data
        at += 8 + length + length % 2


def _webp_size(kind: bytes, data: bytes) -> tuple[int, int]:
    """Width and height of the picture in a chunk. Raises ValueError."""
    if kind == b"VP8L":
        signature, bits = struct.unpack_from("<BI", data)
        if signature != 0x2F:
            raise ValueError("no lossless picture")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    start, width, height = struct.unpack_from("<3sHH", data, 3)
    if start != b"\x9d\x01\x2a":
        raise ValueError("no lossy picture")
    return width & 0x3FFF, height & 0x3FFF
