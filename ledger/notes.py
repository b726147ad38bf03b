"""Signed notes of C2SP: checkpoints (tlog-checkpoint), their Ed25519 signatures and other people's
cosignatures.

A note is a text, an empty line and one signature line a key. A key is known by its name and by an
id of four bytes. A line counts only when it is written exactly as it would be written again, so
that no byte of a note can change unseen.
"""

import base64
import binascii
import hashlib
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SIGNED, COSIGNED = 1, 4  # signature types: Ed25519, and Ed25519 cosignature with its time
MOST_SIGNATURES = 32
LONGEST_NAME = 100
_DASH = "\u2014 "


class BadNote(ValueError):
    """A text that is no note, no checkpoint or no key, or a signature that does not hold; the
    message says which.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """A public key of Ed25519 (32 bytes) with its name, for signatures of `kind`."""

    name: str
    kind: int
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes by which signature lines name it."""
        return hashlib.sha256(
            f"{self.name}\n".encode() + bytes([self.kind]) + self.public
        ).digest()[:4]

    @property
    def vkey(self) -> str:
        """As it is written: name+id+key."""
        return f"{self.name}+{self.key_id.hex()}+{_base64_text(bytes([self.kind]) + self.public)}"

    @property
    def cosigner(self) -> "Verifier":
        """The same key under the same name, for cosignatures."""
        return Verifier(name=self.name, kind=COSIGNED, public=self.public)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One signature line: who, by which key, and the bytes."""

    name: str
    key_id: bytes
    value: bytes

    @property
    def line(self) -> str:
        """As it is written, without the line's end."""
        return f"{_DASH}{self.name} {_base64_text(self.key_id + self.value)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A signed text, which ends with a line's end, and its signatures in order."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(f"{each.line}\n" for each in self.signatures)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Content of a checkpoint: the log of this origin has `size` entries and this root
    over them.
    """

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{_base64_text(self.root)}\n"


def verifier(private: Ed25519PrivateKey, name: str) -> Verifier:
    """The public side of a key under a name."""
    return Verifier(name=name, kind=SIGNED, public=private.public_key().public_bytes_raw())


def read_vkey(text: str) -> Verifier:
    """The key written as name+id+key. Raises BadNote."""
    parts = text.strip().split("+", 2)
    if len(parts) != 3 or not _is_name(parts[0]):
        raise BadNote("a key is written name+id+key")
    key = _bytes(parts[2])
    if len(key) != 33 or key[0] not in {SIGNED, COSIGNED}:
        raise BadNote("a key of Ed25519 is expected: 32 bytes after a byte that is 1 or 4")
    found = Verifier(name=parts[0], kind=key[0], public=key[1:])
    if found.key_id.hex() != parts[1]:
        raise BadNote(f"the id of this key is {found.key_id.hex()}, not {parts[1]}")
    return found


def read_note(written: str) -> Note:
    """The note of this text. Raises BadNote when it is none, or not written as it would be written
    again.
    """
    text, separator, lines = written.rpartition("\n\n")
    if (
        not separator
        or not lines.endswith("\n")
        or any(ord(letter) < 32 and letter != "\n" for letter in written)
    ):
        raise BadNote("a note is a text, an empty line and signature lines")
    each = lines[:-1].split("\n")
    if len(each) > MOST_SIGNATURES:
        raise BadNote(f"a note has at most {MOST_SIGNATURES} signatures")
    return Note(text=f"{text}\n", signatures=tuple(map(read_signature, each)))


def read_signature(line: str) -> Signature:
    """The signature of one line. Raises BadNote."""
    name, _, value = line.removeprefix(_DASH).partition(" ")
    signed = _bytes(value)
    if not line.startswith(_DASH) or not _is_name(name) or len(signed) < 5:
        raise BadNote("a signature line is a dash, a name and a signature")
    return Signature(name=name, key_id=signed[:4], value=signed[4:])


def line_of(written: str, key: Verifier) -> str:
    """The signature line of this key in what was handed in: a line alone, or a note that has it."""
    lines = [line for line in written.split("\n") if line.startswith(_DASH)]
    return next(
        (line for line in lines if line.startswith(f"{_DASH}{key.name} ")),
        lines[0] if lines else written,
    )


def read_checkpoint(text: str) -> Checkpoint:
    """Read a note's text as a checkpoint. Raises BadNote."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
        raise BadNote("a checkpoint is an origin, a size and a root, each on a line")
    origin, size, root = lines[:3]
    if not size.isascii() or not size.isdigit() or len(size) > 18 or str(int(size)) != size:
        raise BadNote(f"{size[:20]!r} is no size of a tree")
    hashed = _bytes(root)
    if len(hashed) != 32:
        raise BadNote("a root is a hash of 32 bytes")
    return Checkpoint(origin=origin, size=int(size), root=hashed)


def sign(text: str, private: Ed25519PrivateKey, name: str) -> Signature:
    """The signature of a text under a name."""
    return Signature(
        name=name, key_id=verifier(private, name).key_id, value=private.sign(text.encode())
    )


def cosign(text: str, private: Ed25519PrivateKey, name: str, *, seconds: int) -> Signature:
    """The cosignature of a checkpoint's text: what its signer saw as the largest tree of that log
    at `seconds` since 1970.
    """
    value = seconds.to_bytes(8, "big") + private.sign(_encode_cosigned(text, seconds))
    return Signature(name=name, key_id=verifier(private, name).cosigner.key_id, value=value)


def holds(signature: Signature, text: str, key: Verifier) -> bool:
    """Whether this signature of `text` was made by the owner of `key`."""
    if (signature.name, signature.key_id) != (key.name, key.key_id):
        return False
    value, message = signature.value, text.encode()
    if key.kind == COSIGNED:
        value, message = value[8:], _encode_cosigned(text, int.from_bytes(value[:8], "big"))
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(value, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_signed(note: Note, key: Verifier) -> bool:
    """Whether the owner of `key` signed the note: every line under that name and id holds, and
    there is one.
    """
    own = [each for each in note.signatures if (each.name, each.key_id) == (key.name, key.key_id)]
    return bool(own) and all(holds(each, note.text, key) for each in own)


def read_cosignature_time(signature: Signature) -> int:
    """When a cosignature was made, in seconds since 1970, as its signer says."""
    return int.from_bytes(signature.value[:8], "big")


def _encode_cosigned(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def _is_name(name: str) -> bool:
    return (
        0 < len(name) <= LONGEST_NAME
        and "+" not in name
        and not any(letter.isspace() for letter in name)
    )


def _base64_text(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _bytes(text: str) -> bytes:
    """The bytes of canonical base64. Raises BadNote."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if not found or _base64_text(found) != text:
        raise BadNote(f"{text[:20]!r} is no base64")
    return found
