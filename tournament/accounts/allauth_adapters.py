"""Adapters for django-allauth: sign-up by invitation only, the client's address, and
the encryption of secrets.
"""

import base64
import hashlib
import ipaddress

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournament.accounts.login_limits import address_of

NOWHERE = "0.0.0.0"  # noqa: S104 - what stands for an address that nobody told


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts come from invitations alone; pages say themselves what was done."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Nobody signs up uninvited."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address as the limits on wrong tries know it; a thing that is no address counts as
        one and the same.
        """
        try:
            return str(ipaddress.ip_address(address_of(request)))
        except ValueError:
            return NOWHERE

    def add_message(self, *_arguments: object, **_options: object) -> None:
        """Nothing: the page that follows tells it."""


class SecondStepAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets of second steps lie encrypted under the server's secret."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This is not the code shown now. Type the next one.")
    }

    def get_totp_issuer(self) -> str:
        """Return the title above the code on the phone."""
        return "Accord"

    def encrypt(self, text: str) -> str:
        """The text as it is stored."""
        return _keys().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The text that was encrypted under this secret or an earlier one
        (SECRET_KEY_FALLBACKS).
        """
        return _keys().decrypt(encrypted_text.encode()).decode()


def _keys() -> MultiFernet:
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_key(str(secret))) for secret in secrets])


def _key(secret: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(f"second step {secret}".encode()).digest())
