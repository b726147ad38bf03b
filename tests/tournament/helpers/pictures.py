"""Pictures, made byte by byte."""

import struct
import zlib

from tournament.formats.local.pictures import PNG


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def a_png(
    width: int = 3, height: int = 2, *, more: bytes = b"", pixels: bytes | None = None
) -> bytes:
    """A grey picture; `more` are chunks before its pixels."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    packed = zlib.compress((b"\0" + b"\x88" * width) * height if pixels is None else pixels)
    return PNG + chunk(b"IHDR", header) + more + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
