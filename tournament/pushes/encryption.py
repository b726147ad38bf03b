"""Encrypt a notice for one browser, so that the push service between reads nothing of it: Message
Encryption for Web Push (RFC 8291) in one record of `aes128gcm` (RFC 8188).
"""

import base64
import binascii
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECORD = 4096  # bytes of a record; a notice is one that is shorter
SALT = 16  # bytes
SECRET = 16  # bytes of what a browser shares with its servers (RFC 8291, 3.2)
LAST_RECORD = b"\x02"
LONGEST_NOTICE = 3000  # bytes; RFC 8291, 4 asks push services for 4096 with all that goes around


class BadKeys(ValueError):
    """The keys that a browser gave are not valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The keys of one browser: its public key (P-256), and the secret that only it and its servers
    know.
    """

    public: EllipticCurvePublicKey
    secret: bytes


def read_keys(public: str, secret: str) -> Keys:
    """The keys as a browser writes them, in base64url. Raises BadKeys."""
    try:
        point, known = unwritten(public), unwritten(secret)
        key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
    except (ValueError, binascii.Error) as wrong:
        raise BadKeys(str(wrong)) from wrong
    if len(known) != SECRET:
        raise BadKeys(f"the secret has {SECRET} bytes")
    return Keys(public=key, secret=known)


def encrypt_notice(
    notice: bytes, keys: Keys, *, salt: bytes, own: EllipticCurvePrivateKey
) -> bytes:
    """Encrypt a body that only this browser can read. `salt` and the private key `own`
    must be used for this body only.
    """
    assert len(salt) == SALT
    assert len(notice) <= LONGEST_NOTICE
    theirs, ours = point_of(keys.public), point_of(own.public_key())
    shared = own.exchange(ECDH(), keys.public)
    secret = _derive_key(shared, keys.secret, b"WebPush: info\x00" + theirs + ours, 32)
    key = _derive_key(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derive_key(secret, salt, b"Content-Encoding: nonce\x00", 12)
    head = salt + RECORD.to_bytes(4) + len(ours).to_bytes(1) + ours
    return head + AESGCM(key).encrypt(nonce, notice + LAST_RECORD, None)


def point_of(key: EllipticCurvePublicKey) -> bytes:
    """A public key as browsers have it: 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def base64url(value: bytes) -> str:
    """Bytes in base64url without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def unwritten(text: str) -> bytes:
    """Bytes from base64url, padded or not. Raises ValueError."""
    if not text.isascii():
        raise ValueError("base64url is ASCII")
    bare = text.rstrip("=")
    padded = bare + "=" * (-len(bare) % 4)
    return base64.b64decode(padded.replace("-", "+").replace("_", "/"), validate=True)


def _derive_key(material: bytes, salt: bytes, what_for: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=what_for).derive(material)
