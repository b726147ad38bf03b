"""Encrypt a file with a passphrase while it is written, and open it again while it is read, in
memory that stays flat.

The key comes of the passphrase by scrypt. The file is cut into chunks, each sealed by
ChaCha20-Poly1305 with the head of the file beside it; the nonce counts the chunks and says which is
the last, so none can be changed, moved, left out or cut off unseen (the STREAM construction).
"""

import json
import os
from dataclasses import dataclass
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

MAGIC = b"accord-backup-encrypted/1\n"
CHUNK = 1 << 20
TAG = 16
LONGEST_HEAD = 1000
COST = {"n": 1 << 16, "r": 8, "p": 1}  # 64 MB of memory for each guess


class NotOpened(Exception):
    """The file can't be opened with this passphrase, or is not as it was written; the message says
    which.
    """


@dataclass(slots=True)
class _Chunks:
    """Seals and opens chunk after chunk."""

    cipher: ChaCha20Poly1305
    prefix: bytes
    head: bytes
    number: int = 0

    def nonce(self, *, last: bool) -> bytes:
        nonce = self.prefix + self.number.to_bytes(4, "big") + bytes([last])
        self.number += 1
        return nonce


class Sealing:
    """A file to be written to: what comes is encrypted into `file`, which is whole once this is
    closed.
    """

    def __init__(self, file: BinaryIO, passphrase: str) -> None:
        said = {**COST, "salt": os.urandom(16).hex(), "nonce": os.urandom(7).hex()}
        head = MAGIC + json.dumps(said).encode() + b"\n"
        file.write(head)
        self._file, self._waiting, self._chunks = file, bytearray(), _chunks(said, head, passphrase)

    def write(self, content: bytes) -> int:
        """Take more; a chunk is written once something comes after it, so that the last one is
        known.
        """
        self._waiting += content
        while len(self._waiting) > CHUNK:
            self._write_chunk(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]
        return len(content)

    def close(self) -> None:
        """Write the last chunk."""
        self._write_chunk(bytes(self._waiting), last=True)

    def _write_chunk(self, content: bytes, *, last: bool) -> None:
        self._file.write(
            self._chunks.cipher.encrypt(self._chunks.nonce(last=last), content, self._chunks.head)
        )


class Opening:
    """A file to be read from: what `file` holds, decrypted. Raises NotOpened, when it is made and
    at any read.
    """

    def __init__(self, file: BinaryIO, passphrase: str) -> None:
        head = file.read(len(MAGIC)) + file.readline(LONGEST_HEAD)
        self._file, self._ready = file, b""
        try:
            self._chunks = _chunks(json.loads(head[len(MAGIC) :]), head, passphrase)
        except (ValueError, KeyError, TypeError, MemoryError) as fault:
            raise NotOpened("the head of the encrypted file can't be read") from fault
        self._next = file.read(CHUNK + TAG)
        if not self._next:
            raise NotOpened("the file is cut short")

    def read(self, size: int = -1) -> bytes:
        """So many bytes, fewer at the end only."""
        while self._next and (size < 0 or len(self._ready) < size):
            sealed, self._next = self._next, self._file.read(CHUNK + TAG)
            self._ready += self._opened(sealed, last=not self._next)
        taken = self._ready if size < 0 else self._ready[:size]
        self._ready = self._ready[len(taken) :]
        return taken

    def _opened(self, sealed: bytes, *, last: bool) -> bytes:
        first = not self._chunks.number
        try:
            return self._chunks.cipher.decrypt(
                self._chunks.nonce(last=last), sealed, self._chunks.head
            )
        except InvalidTag as fault:
            words = (
                "the passphrase is another one, or the file was altered"
                if first
                else "the file was altered or is cut short"
            )
            raise NotOpened(words) from fault


def is_encrypted(file: BinaryIO) -> bool:
    """Whether the file begins as one that is encrypted; it is then read from its beginning
    again.
    """
    found = file.read(len(MAGIC)) == MAGIC
    file.seek(0)
    return found


def _chunks(said: dict[str, object], head: bytes, passphrase: str) -> _Chunks:
    """Raises ValueError for a cost that is none, or more than anybody's file has."""
    n, r, p = (int(str(said[name])) for name in ("n", "r", "p"))
    if n > COST["n"] << 4 or r > 32 or p > 16:
        raise ValueError("the passphrase would take too much memory")
    salt, prefix = bytes.fromhex(str(said["salt"])), bytes.fromhex(str(said["nonce"]))
    if len(prefix) != 7:
        raise ValueError("a nonce of 7 bytes is expected")
    key = Scrypt(salt=salt, length=32, n=n, r=r, p=p).derive(passphrase.encode())
    return _Chunks(cipher=ChaCha20Poly1305(key), prefix=prefix, head=head)
