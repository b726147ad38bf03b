"""The header by which a push service knows who sends."""

import base64
import json
import re
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256


def checked(header: str) -> tuple[dict[str, object], dict[str, object]]:
    """The head and the claims of a header, when its signature is that of its key."""
    found = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)", header)
    assert found is not None
    raw: Callable[[str], bytes] = lambda text: base64.urlsafe_b64decode(text + "=" * 3)  # noqa: E731
    head, claims, signature, key = found.groups()
    public = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), raw(key))
    one, two = raw(signature)[:32], raw(signature)[32:]
    assert len(two) == 32
    der = encode_dss_signature(int.from_bytes(one), int.from_bytes(two))
    public.verify(der, f"{head}.{claims}".encode(), ECDSA(SHA256()))
    return json.loads(raw(head)), json.loads(raw(claims))
