"""Private keys of checkpoints: in files beside the secret key, or in SIGNING_KEY;
never in the database.

With files each salon has a key of its own in `signing-keys/`, named by its public key. SIGNING_KEY
holds one or more secrets with commas between them; a salon's key is derived from one of them and
the name of its log. Either way `signing-keys/` also remembers what was signed last of each log
(ledger/last_signed.py), in `<log>.last`, and for which log each key was made, in `<key>.origin`. A
key that begins because the one before it was lost is announced by itself alone, as a forger's would
be: that it was begun here is written down beside them.
"""

import base64
import binascii
import hmac
from collections.abc import Collection
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from ledger.last_signed import Inconsistent, OlderThanSigned, require_last_signed
from ledger.models import Log
from ledger.signing import KeyIsAway, Keyring, origin_of
from ledger.tree import BrokenTree
from tournament.server.environment.secret_file import write_secret

FOLDER = "signing-keys"
# in the data folder, outside the database: public keys that nobody announced, one a line
ACCEPTED = "accepted-keys"
LEAST = 32  # characters of a secret in SIGNING_KEY


class NoFreshKey(Exception):
    """SIGNING_KEY has no secret that this log has not used yet."""


# What keeps a log from being signed as it is now.
NOT_SIGNED = (KeyIsAway, NoFreshKey, Inconsistent, BrokenTree, ValueError)


def load_keyring() -> Keyring:
    """The private keys of this installation. Raises ValueError for a SIGNING_KEY that is too short
    to be a secret.
    """
    secrets = [each.strip() for each in settings.SIGNING_KEY.split(",") if each.strip()]
    if any(len(each) < LEAST for each in secrets):
        raise ValueError(f"each secret in SIGNING_KEY has at least {LEAST} characters")
    return Derived(secrets, open_signed_last()) if secrets else Files(open_signed_last())


def open_signed_last() -> "SignedLast":
    """Return the memory of what this installation signed last; a machine that only audits
    needs no key.
    """
    return SignedLast(Path(settings.DATA_DIR) / FOLDER)


def older_than_signed(log: Log) -> str:
    """Describe what the log lacks of what was signed here; "" if it holds all of it.
    Raises nothing: audits name a broken tree.
    """
    try:
        require_last_signed(log, origin_of(log), open_signed_last())
    except OlderThanSigned as older:
        return older.what
    except BrokenTree:
        return ""
    return ""


class SignedLast:
    """The folder of the keys, with what was signed last of each log in a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def recall(self, origin: str) -> str:
        """Return the text kept last for this origin, "" for nothing. Text that can't be read
        is never taken for nothing.
        """
        try:
            return self._file(origin).read_bytes().decode("ascii", errors="replace")
        except FileNotFoundError:
            return ""

    def store(self, origin: str, text: str) -> None:
        """Keep this instead; it is on the disk when this returns."""
        write_secret(self._file(origin), text)

    def publics(self, origin: str) -> Collection[bytes]:
        """The public keys whose private ones were made for this origin and lie here."""
        made = [
            each.with_suffix("")
            for each in self.folder.glob("*.origin")
            if each.read_text(encoding="ascii").strip() == origin
        ]
        found = [key for key in map(private_in, made) if key is not None]
        return [key.public_key().public_bytes_raw() for key in found]

    def _file(self, origin: str) -> Path:
        return self.folder / f"{origin.rpartition('/')[2]}.last"


def accepted() -> frozenset[str]:
    """The public keys (name+id+key) that were accepted on this machine although no key before them
    announced them.
    """
    try:
        return frozenset(_locate_accepted_file().read_text(encoding="ascii").split())
    except FileNotFoundError:
        return frozenset()


def accept(*vkeys: str) -> None:
    """Vouch for these public keys from now on: the audit only remarks that nobody announced
    them.
    """
    known = accepted()
    if not known.issuperset(vkeys):
        write_secret(
            _locate_accepted_file(), "".join(f"{vkey}\n" for vkey in sorted({*known, *vkeys}))
        )


def _locate_accepted_file() -> Path:
    return Path(settings.DATA_DIR) / ACCEPTED


class Files:
    """Private keys in a folder, each in a file that only its owner reads."""

    def __init__(self, memory: SignedLast) -> None:
        self.memory = memory

    def find(self, public: bytes, origin: str) -> Ed25519PrivateKey | None:
        """The private key of this public one, if its file is here and holds it."""
        private = private_in(self._file(public))
        if private is None or private.public_key().public_bytes_raw() != public:
            return None
        # A version before did not say for which log it is.
        if not self._file(public).with_suffix(".origin").exists():
            write_secret(self._file(public).with_suffix(".origin"), f"{origin}\n")
        return private

    def new(self, origin: str, known: frozenset[bytes]) -> Ed25519PrivateKey:
        """A random key, in its file before anybody can know of it."""
        private = Ed25519PrivateKey.generate()
        file = self._file(private.public_key().public_bytes_raw())
        write_secret(file, base64.b64encode(private.private_bytes_raw()).decode() + "\n")
        write_secret(file.with_suffix(".origin"), f"{origin}\n")
        return private

    def _file(self, public: bytes) -> Path:
        return self.memory.folder / public[:8].hex()


def private_in(file: Path) -> Ed25519PrivateKey | None:
    """The private key in a file, None where there is none."""
    try:
        seed = base64.b64decode(file.read_text(encoding="ascii").strip(), validate=True)
        return Ed25519PrivateKey.from_private_bytes(seed)
    except (OSError, ValueError, binascii.Error):
        return None


class Derived:
    """Private keys worked out from secrets: the same secret and the same log give the same key on
    every machine.
    """

    def __init__(self, secrets: list[str], memory: SignedLast) -> None:
        self._secrets, self.memory = secrets, memory

    def find(self, public: bytes, origin: str) -> Ed25519PrivateKey | None:
        """The private key of this public one, if one of the secrets gives it."""
        for key in self._keys(origin):
            if key.public_key().public_bytes_raw() == public:
                return key
        return None

    def new(self, origin: str, known: frozenset[bytes]) -> Ed25519PrivateKey:
        """The key of the first secret not used yet. Raises NoFreshKey."""
        for key in self._keys(origin):
            if key.public_key().public_bytes_raw() not in known:
                return key
        raise NoFreshKey(
            "SIGNING_KEY holds no new secret; put one before the others, with a comma between them"
        )

    def _keys(self, origin: str) -> list[Ed25519PrivateKey]:
        named = f"accord signing key\n{origin}".encode()
        return [
            Ed25519PrivateKey.from_private_bytes(hmac.digest(each.encode(), named, "sha256"))
            for each in self._secrets
        ]
