"""A push service on this machine and the browsers behind it, which read what they are sent by their
own keys: RFC 8188 and RFC 8291 from the reader's side, written with HMAC alone.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.tournament.webhooks.receiving import Receiver, receiving
from tournament.pushes.encryption import base64url


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """A browser that is told: its key, and the secret it shares."""

    private: EllipticCurvePrivateKey
    secret: bytes

    @classmethod
    def new(cls) -> Self:
        """One more browser."""
        return cls(private=generate_private_key(SECP256R1()), secret=secrets.token_bytes(16))

    @property
    def p256dh(self) -> str:
        """Its public key, as its page sends it."""
        return base64url(_point(self.private.public_key()))

    @property
    def auth(self) -> str:
        """Its secret, as its page sends it."""
        return base64url(self.secret)

    def read(self, body: bytes) -> dict[str, Any]:
        """What a notice says."""
        said: dict[str, Any] = json.loads(opened(body, self.private, self.secret))
        return said


@contextmanager
def a_push_service() -> Iterator[Receiver]:
    """A push service that is there for as long as the block runs; a 200 would be no promise to it,
    so it says 201.
    """
    with receiving() as receiver:
        parts = urlsplit(receiver.address)
        receiver.address = f"{parts.scheme}://{parts.netloc}/send"
        yield receiver


def opened(body: bytes, private: EllipticCurvePrivateKey, secret: bytes) -> bytes:
    """What a body says to the browser with these keys."""
    salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
    sender, sealed = body[21 : 21 + length], body[21 + length :]
    assert len(sealed) <= size
    point = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), sender)
    shared = private.exchange(ECDH(), point)
    own = _point(private.public_key())
    first = hmac.digest(secret, shared, hashlib.sha256)
    material = _expanded(first, b"WebPush: info\x00" + own + sender, 32)
    second = hmac.digest(salt, material, hashlib.sha256)
    key = _expanded(second, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _expanded(second, b"Content-Encoding: nonce\x00", 12)
    padded = AESGCM(key).decrypt(nonce, sealed, None)
    plain, mark, rest = padded.rpartition(b"\x02")
    assert mark
    assert not rest.strip(b"\x00")
    return plain


def _expanded(key: bytes, info: bytes, length: int) -> bytes:
    return hmac.digest(key, info + b"\x01", hashlib.sha256)[:length]


def _point(key: EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
