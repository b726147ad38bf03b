"""The sender's key: a push service recognises the salon by its own key (VAPID, RFC
8292).

The key is computed from the secret of the server and the name of the salon's log,
so it is in no file and no row of its own, goes into backups with the secret, and is
the same on every machine that serves the salon.
"""

import hashlib
import hmac
import json
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    derive_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from django.conf import settings

from ledger.signing import origin_of
from tournament.models import Salon
from tournament.pushes.encryption import base64url, point_of

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256
SECONDS = 12 * 3600  # a token holds; RFC 8292, 2 allows 24 hours
HEAD = {"typ": "JWT", "alg": "ES256"}


def key_of(salon: Salon) -> EllipticCurvePrivateKey:
    """The key by which push services know this salon."""
    named = f"accord web push\n{origin_of(salon.log)}".encode()
    # 512 bits for 256: what is left over favours no key (FIPS 186-5, A.2.1)
    drawn = int.from_bytes(hmac.digest(settings.SECRET_KEY.encode(), named, hashlib.sha512))
    return derive_private_key(drawn % (ORDER - 1) + 1, SECP256R1())


def public_key_of(salon: Salon) -> str:
    """Its public key, as a browser is given it."""
    return base64url(point_of(key_of(salon).public_key()))


def authorization(
    endpoint: str, *, key: EllipticCurvePrivateKey, contact: str, seconds: int
) -> str:
    """The header by which the push service of this endpoint knows who sends; `seconds` (since 1970)
    is now, `contact` the mailto: or https: address at which it finds somebody.
    """
    place = urlsplit(endpoint)
    claims = {"aud": f"{place.scheme}://{place.netloc}", "exp": seconds + SECONDS, "sub": contact}
    said = ".".join(
        base64url(json.dumps(part, separators=(",", ":")).encode()) for part in (HEAD, claims)
    )
    one, two = decode_dss_signature(key.sign(said.encode(), ECDSA(SHA256())))
    signature = base64url(one.to_bytes(32) + two.to_bytes(32))
    return f"vapid t={said}.{signature}, k={base64url(point_of(key.public_key()))}"
