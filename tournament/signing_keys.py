"""Where the private keys of checkpoints are: in files beside the secret key, or in SIGNING_KEY; never in the database.

With files each salon has a key of its own in `signing-keys/`, named by its public key. SIGNING_KEY holds one or
more secrets with commas between them; a salon's key is derived from one of them and the name of its log.
A key that begins because the one before it was lost is announced by itself alone, as a forger's would be: that it was begun
here is written down beside them.
"""

import base64
import binascii
import hmac
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from ledger.signing import Keyring
from tournament.secret import keep

FOLDER = "signing-keys"
ACCEPTED = "accepted-keys"  # in the data folder, outside the database: public keys that nobody announced, one a line
LEAST = 32  # characters of a secret in SIGNING_KEY


class NoFreshKey(Exception):
    """SIGNING_KEY has no secret that this log has not used yet."""


def keyring() -> Keyring:
    """The private keys of this installation. Raises ValueError for a SIGNING_KEY that is too short to be a secret."""
    secrets = [each.strip() for each in settings.SIGNING_KEY.split(",") if each.strip()]
    if any(len(each) < LEAST for each in secrets):
        raise ValueError(f"each secret in SIGNING_KEY has at least {LEAST} characters")
    return Derived(secrets) if secrets else Files(Path(settings.DATA_DIR) / FOLDER)


def accepted() -> frozenset[str]:
    """The public keys (name+id+key) that were accepted on this machine although no key before them announced them."""
    try:
        return frozenset(_accepted_file().read_text(encoding="ascii").split())
    except FileNotFoundError:
        return frozenset()


def accept(*vkeys: str) -> None:
    """Vouch for these public keys from now on: the audit only remarks that nobody announced them."""
    known = accepted()
    if not known.issuperset(vkeys):
        keep(_accepted_file(), "".join(f"{vkey}\n" for vkey in sorted({*known, *vkeys})))


def _accepted_file() -> Path:
    return Path(settings.DATA_DIR) / ACCEPTED


class Files:
    """Private keys in a folder, each in a file that only its owner reads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, public: bytes, origin: str) -> Ed25519PrivateKey | None:
        """The private key of this public one, if its file is here and holds it."""
        try:
            seed = base64.b64decode(self._file(public).read_text(encoding="ascii").strip(), validate=True)
            private = Ed25519PrivateKey.from_private_bytes(seed)
        except (OSError, ValueError, binascii.Error):
            return None
        return private if private.public_key().public_bytes_raw() == public else None

    def new(self, origin: str, known: frozenset[bytes]) -> Ed25519PrivateKey:
        """A random key, in its file before anybody can know of it."""
        private = Ed25519PrivateKey.generate()
        keep(self._file(private.public_key().public_bytes_raw()), base64.b64encode(private.private_bytes_raw()).decode() + "\n")
        return private

    def _file(self, public: bytes) -> Path:
        return self._folder / public[:8].hex()


class Derived:
    """Private keys worked out from secrets: the same secret and the same log give the same key on every machine."""

    def __init__(self, secrets: list[str]) -> None:
        self._secrets = secrets

    def find(self, public: bytes, origin: str) -> Ed25519PrivateKey | None:
        """The private key of this public one, if one of the secrets gives it."""
        return next((key for key in self._keys(origin) if key.public_key().public_bytes_raw() == public), None)

    def new(self, origin: str, known: frozenset[bytes]) -> Ed25519PrivateKey:
        """The key of the first secret not used yet. Raises NoFreshKey."""
        for key in self._keys(origin):
            if key.public_key().public_bytes_raw() not in known:
                return key
        raise NoFreshKey("SIGNING_KEY holds no new secret; put one before the others, with a comma between them")

    def _keys(self, origin: str) -> list[Ed25519PrivateKey]:
        named = f"accord signing key\n{origin}".encode()
        return [Ed25519PrivateKey.from_private_bytes(hmac.digest(each.encode(), named, "sha256")) for each in self._secrets]
