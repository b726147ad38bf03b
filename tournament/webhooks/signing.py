"""Secrets of webhooks and signatures with them, as the Standard Webhooks specification has them
(version 1, HMAC-SHA256).

A secret is kept sealed under the key of the server, and is shown once. Signed is
`id.timestamp.body`.
"""

import base64
import hashlib
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from standardwebhooks import Webhook

PREFIX = "whsec_"
SECRET_BYTES = 24


class SecretIsLost(Exception):
    """The sealed secret can't be opened: the server's key is another than when it was sealed."""


def new_secret() -> str:
    """A secret as receivers are given it."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def sealed(secret: str) -> str:
    """A secret as it is stored."""
    return _box().encrypt(secret.encode()).decode()


def opened(stored: str) -> str:
    """The secret that was sealed. Raises SecretIsLost."""
    try:
        return _box().decrypt(stored.encode()).decode()
    except InvalidToken:
        raise SecretIsLost from None


def headers_of(message: str, seconds: int, body: str, signed_with: Iterable[str]) -> dict[str, str]:
    """The headers of a message sent at this time (seconds since 1970), with a signature for each
    secret.
    """
    moment = datetime.fromtimestamp(seconds, UTC)
    marked = " ".join(Webhook(secret).sign(message, moment, body) for secret in signed_with)
    return {"webhook-id": message, "webhook-timestamp": str(seconds), "webhook-signature": marked}


def _box() -> Fernet:
    key = hashlib.sha256(b"accord webhooks\0" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
